// SPDX-License-Identifier: MIT OR Apache-2.0
//! Curves that visit every point of a box.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::partitioning::geometry::Points;

/// Space-filling curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Hilbert curve: consecutive points of a cube are neighbours.
    #[default]
    Hilbert,
    /// Morton order: interleaves the bits of all coordinates. Simpler, but consecutive points can be far apart.
    Morton,
}

impl Curve {
    /// Returns the points in the order of the curve, and points at the same position by slot.
    ///
    /// If the coordinates of a point need more than 128 bits in total, the lowest bits of each coordinate are
    /// ignored.
    pub(super) fn strung(self, points: &Points) -> Vec<u32> {
        let needed = u64::BITS - points.largest().leading_zeros();
        let bits = needed.min(u128::BITS / points.dimension.max(1) as u32);
        let key = |point: u32| {
            let mut axes: Vec<u64> = points.at(point).iter().map(|at| at >> (needed - bits)).collect();
            (self.key(&mut axes, bits), point)
        };
        let mut keys: Vec<(u128, u32)> = (0..points.len() as u32).into_par_iter().map(key).collect();
        keys.par_sort_unstable();
        keys.into_iter().map(|(_, point)| point).collect()
    }

    /// Returns the distance along the curve of a point whose coordinates have `bits` bits each.
    fn key(self, axes: &mut [u64], bits: u32) -> u128 {
        if self == Curve::Hilbert {
            transpose(axes, bits);
        }
        let digits = (0..bits).rev().flat_map(|bit| axes.iter().map(move |axis| u128::from(axis >> bit & 1)));
        digits.fold(0, |key, digit| key << 1 | digit)
    }
}

/// Replaces coordinates by the distance along the Hilbert curve (Skilling 2004).
///
/// The bits of the distance are interleaved: first the highest bits of all coordinates, then the second bits, and
/// so on.
fn transpose(axes: &mut [u64], bits: u32) {
    // From coarse to fine, undo the rotation of each cube.
    for bit in (1..bits).rev() {
        let below = (1 << bit) - 1;
        for axis in 0..axes.len() {
            if axes[axis] >> bit & 1 == 1 {
                axes[0] ^= below;
            } else {
                let differ = (axes[0] ^ axes[axis]) & below;
                axes[0] ^= differ;
                axes[axis] ^= differ;
            }
        }
    }
    // The bits of all coordinates now form a Gray code. Decode it.
    for axis in 1..axes.len() {
        axes[axis] ^= axes[axis - 1];
    }
    let last = axes.last().copied().unwrap_or(0);
    let flips = (1..bits).filter(|bit| last >> bit & 1 == 1).fold(0, |flips, bit| flips ^ ((1 << bit) - 1));
    for axis in axes {
        *axis ^= flips;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all points of a cube in the order of a curve.
    fn visited(curve: Curve, dimension: u32, bits: u32) -> Vec<Vec<u64>> {
        let side = 1_u64 << bits;
        let point = |number: u64| (0..dimension).map(|axis| number >> (axis * bits) & (side - 1)).collect();
        let mut points: Vec<Vec<u64>> = (0..side.pow(dimension)).map(point).collect();
        points.sort_by_cached_key(|point| curve.key(&mut point.clone(), bits));
        points
    }

    /// Also tests that the curve fills one subcube after the other.
    #[test]
    fn hilbert_visits_each_point_once_and_moves_to_a_neighbour() {
        for (dimension, bits) in [(1, 6), (2, 1), (2, 5), (3, 1), (3, 3), (4, 2), (5, 2), (8, 1)] {
            let points = visited(Curve::Hilbert, dimension, bits);
            for (at, point) in (0_u128..).zip(&points) {
                assert_eq!(Curve::Hilbert.key(&mut point.clone(), bits), at, "{dimension} {bits}");
            }
            for pair in points.windows(2) {
                let steps = pair[0].iter().zip(&pair[1]).map(|(a, b)| a.abs_diff(*b));
                assert_eq!(steps.sum::<u64>(), 1, "{dimension} {bits} {pair:?}");
            }
            let n_in_cube = 1 << (dimension * (bits - 1));
            for cube in points.chunks(n_in_cube) {
                let corner = |point: &Vec<u64>| point.iter().map(|at| at >> (bits - 1)).collect::<Vec<_>>();
                assert!(cube.iter().all(|point| corner(point) == corner(&cube[0])));
            }
        }
    }

    #[test]
    fn morton_interleaves_bits() {
        assert_eq!(Curve::Morton.key(&mut [0b101, 0b011], 3), 0b10_01_11);
        assert_eq!(Curve::Morton.key(&mut [u64::MAX, 0], 64), u128::MAX / 3 * 2);
    }

    #[test]
    fn in_one_dimension_the_key_is_the_coordinate() {
        for curve in [Curve::Hilbert, Curve::Morton] {
            for at in [0, 1, 77, u64::MAX - 1, u64::MAX] {
                assert_eq!(curve.key(&mut [at], 64), u128::from(at));
            }
        }
    }
}
