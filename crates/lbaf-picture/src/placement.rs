// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrangement of the objects of a rank in its tile.

use crate::Frame;
use crate::jitter::Jitter;

/// Objects of every rank in the order of their arrangement: non-migratable ones, then migratable ones, each by
/// number.
pub(crate) struct ByRank {
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl ByRank {
    pub(crate) fn new(frame: &Frame<'_>) -> Self {
        let objects = frame.objects;
        let mut ends = vec![0_u32; frame.n_ranks()];
        for &rank in &frame.rank_of {
            ends[rank as usize] += 1;
        }
        let mut end = 0;
        for entry in &mut ends {
            end += *entry;
            *entry = end;
        }
        let mut order: Vec<u32> = (0..objects.len() as u32).collect();
        order.sort_unstable_by_key(|&object| {
            let at = object as usize;
            (frame.rank_of[at], objects.migratable[at], objects.number[at], object)
        });
        ByRank { order, ends }
    }

    /// Returns all objects, rank by rank.
    pub(crate) fn all(&self) -> &[u32] {
        &self.order
    }

    /// Returns the objects of a rank.
    pub(crate) fn of(&self, rank: usize) -> &[u32] {
        let start = rank.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.order[start as usize..self.ends[rank] as usize]
    }
}

/// Returns the number of objects along each of `n_axes` axes for `n` objects: the `n_axes`-th root of `n`, rounded up.
pub(crate) fn per_axis(n: usize, n_axes: u32) -> usize {
    match n_axes {
        0 | 1 => n,
        2 => n.isqrt() + usize::from(n.isqrt().pow(2) < n),
        _ => (0..n).find(|side| side.saturating_pow(n_axes) >= n).unwrap_or(n),
    }
}

/// Returns the number of positions along each axis for `n` objects: equal along the axes in use (`axes`), 0 along the
/// others.
pub(crate) fn cube(n: usize, axes: [bool; 3]) -> [usize; 3] {
    let side = per_axis(n, axes.iter().map(|&used| u32::from(used)).sum());
    axes.map(|used| if used { side } else { 0 })
}

/// Like [`cube`], for the two axes of a page and without empty rows.
pub(crate) fn rows(n: usize) -> [usize; 3] {
    let side = per_axis(n, 2);
    [side, n.div_ceil(side.max(1)), 0]
}

/// Returns the position of object `k`, counted from 0, in a tile of unit length centred at 0. Objects fill a grid with
/// `places` positions along each axis; the first axis varies fastest. The jitter of `number` displaces the object.
pub(crate) fn position(k: usize, places: [usize; 3], jitter: &Jitter, number: u64) -> [f64; 3] {
    let by = jitter.of(number);
    let mut left = k;
    std::array::from_fn(|axis| match places[axis] {
        0 => 0.0,
        side => {
            let step = left % side;
            left /= side;
            (step as f64 + 1.0 + by[axis]) / (side as f64 + 1.0) - 0.5
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_per_axis_are_the_root_rounded_up() {
        let cases =
            [(0, 0), (1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4), (1_000_000, 1000), (1_000_001, 1001)];
        for (n, side) in cases {
            assert_eq!(per_axis(n, 2), side, "{n}");
        }
        for (n, side) in [(8, 2), (27, 3), (64, 4), (125, 5), (126, 6)] {
            assert_eq!(per_axis(n, 3), side, "{n}");
        }
        assert_eq!(per_axis(17, 1), 17);
    }

    #[test]
    fn objects_are_at_the_points_of_a_grid() {
        let still = Jitter::new(0, 0.0);
        let at = |k, n, axes| position(k, cube(n, axes), &still, 0);
        assert_eq!(at(0, 1, [true, true, false]), [0.0, 0.0, 0.0]);
        // Two objects a third of the tile apart, and the third object above the first.
        let (third, two_thirds) = (1.0 / 3.0 - 0.5, 2.0 / 3.0 - 0.5);
        assert_eq!(at(0, 3, [true, true, false]), [third, third, 0.0]);
        assert_eq!(at(1, 3, [true, true, false]), [two_thirds, third, 0.0]);
        assert_eq!(at(2, 3, [true, true, false]), [third, two_thirds, 0.0]);
        // Along z only, the second of three objects is in the middle.
        assert_eq!(at(1, 3, [false, false, true]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn pages_have_no_empty_rows() {
        assert_eq!(
            [0, 1, 2, 5, 6, 7, 9, 12].map(rows).map(|[x, y, _]| (x, y)),
            [(0, 0), (1, 1), (2, 1), (3, 2), (3, 2), (3, 3), (3, 3), (4, 3)]
        );
    }

    #[test]
    fn jitter_leaves_objects_in_their_tile() {
        let jitter = Jitter::new(1, 0.999);
        for n in [1, 2, 7, 100] {
            let spacing = 1.0 / (per_axis(n, 2) as f64 + 1.0);
            for k in 0..n {
                let [x, y, z] = position(k, cube(n, [true, true, false]), &jitter, k as u64);
                assert!(x.abs().max(y.abs()) <= 0.5 - 0.5 * spacing, "{n} {k}");
                assert_eq!(z, 0.0);
            }
        }
    }
}
