// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recursive bisection of a set of points.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use crate::Cancel;
use crate::partitioning::geometry::{Capacity, Points};

/// Minimum number of points that justifies another thread.
const FEW: usize = 4096;

/// Returns the part of every point.
pub(super) fn bisect(points: &Points, capacities: &[Capacity], cancel: &Cancel) -> Vec<u32> {
    let sorted = |axis: usize| {
        let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
        sorted.par_sort_unstable_by(|&a, &b| points.compare(axis, a, b));
        sorted
    };
    let mut by_axis: Vec<Vec<u32>> = (0..points.dimension).map(sorted).collect();
    let mut spare = vec![0; points.len()];
    let mut counts = vec![0; capacities.len()];
    let mut shares = vec![0.0];
    shares.extend(capacities.iter().scan(0.0, |sum, capacity| {
        *sum += capacity.share;
        Some(*sum)
    }));
    let all = Piece {
        by_axis: by_axis.iter_mut().map(|sorted| &mut sorted[..]).collect(),
        spare: &mut spare,
        counts: &mut counts,
        parts: 0..capacities.len(),
    };
    Bisection { points, shares, cancel }.divide(all);
    let mut part_of = vec![0; points.len()];
    let mut rest = by_axis.first().map_or(&[][..], |sorted| sorted);
    for (part, n) in (0..).zip(counts) {
        let (own, others) = rest.split_at(n);
        for &point in own {
            part_of[point as usize] = part;
        }
        rest = others;
    }
    part_of
}

struct Bisection<'a> {
    points: &'a Points,
    /// Cumulative shares: entry i is the sum of the shares of all parts before part i.
    shares: Vec<f64>,
    cancel: &'a Cancel,
}

/// Set of points that must still be divided among a range of parts.
struct Piece<'a> {
    /// For each axis, all points of the piece, sorted along this axis.
    by_axis: Vec<&'a mut [u32]>,
    /// Scratch memory, as long as each list of `by_axis`.
    spare: &'a mut [u32],
    /// Range of parts among which the points are divided.
    parts: Range<usize>,
    /// Resulting number of points in each part of `parts`.
    counts: &'a mut [usize],
}

impl Bisection<'_> {
    /// Divides a piece recursively: orders the points of each list by part, and sets `counts`.
    fn divide(&self, piece: Piece<'_>) {
        let n = piece.spare.len();
        let Range { start, end } = piece.parts;
        if end - start < 2 || n == 0 || self.cancel.is_cancelled() {
            piece.counts[0] = n;
            return;
        }
        let middle = start + (end - start) / 2;
        let share = |parts: Range<usize>| self.shares[parts.end] - self.shares[parts.start];
        let axis = self.longest(&piece.by_axis);
        let cut = self.cut(piece.by_axis[axis], share(start..middle), share(middle..end));
        let (low, high) = self.split(piece, axis, cut, middle);
        if n < FEW {
            self.divide(low);
            self.divide(high);
        } else {
            rayon::join(|| self.divide(low), || self.divide(high));
        }
    }

    /// Returns the axis along which the points extend farthest; of equal axes, the first.
    fn longest(&self, by_axis: &[&mut [u32]]) -> usize {
        let extent = |axis: usize| match *by_axis[axis] {
            [first, .., last] => self.points.at(last)[axis] - self.points.at(first)[axis],
            _ => 0,
        };
        (0..by_axis.len()).rev().max_by_key(|&axis| extent(axis)).unwrap_or(0)
    }

    /// Returns the number of points below the best cut.
    ///
    /// The best cut minimizes the load relative to capacity of the fuller side; of equal cuts, the middle cut is
    /// the best. `low` and `high` are the capacities of the sides.
    fn cut(&self, sorted: &[u32], low: f64, high: f64) -> usize {
        let weight = |&point: &u32| self.points.weights[point as usize];
        let total: f64 = sorted.iter().map(weight).sum();
        let (mut least, mut first, mut last) = (f64::INFINITY, 0, sorted.len());
        let mut below = 0.0;
        let after = sorted.iter().map(weight).chain(std::iter::once(0.0));
        for (cut, next) in after.enumerate() {
            // Load relative to capacity, multiplied by both capacities to avoid a division.
            let fullest = f64::max(below * high, (total - below) * low);
            if fullest < least {
                (least, first) = (fullest, cut);
            }
            if fullest <= least {
                last = cut;
            }
            below += next;
        }
        first + (last - first) / 2
    }

    /// Splits a piece at a cut. `cut` is the number of points below, and `middle` the first part of the upper
    /// piece.
    fn split<'p>(&self, piece: Piece<'p>, axis: usize, cut: usize, middle: usize) -> (Piece<'p>, Piece<'p>) {
        let Piece { by_axis, spare, parts, counts } = piece;
        let pivot = by_axis[axis].get(cut).copied();
        let is_low =
            |point: u32| pivot.is_none_or(|pivot| self.points.compare(axis, point, pivot) == Ordering::Less);
        let (mut low_by_axis, mut high_by_axis) = (Vec::new(), Vec::new());
        for (other, sorted) in by_axis.into_iter().enumerate() {
            if other != axis {
                separate(sorted, spare, is_low);
            }
            let (low, high) = sorted.split_at_mut(cut);
            low_by_axis.push(low);
            high_by_axis.push(high);
        }
        let (low_spare, high_spare) = spare.split_at_mut(cut);
        let (low_counts, high_counts) = counts.split_at_mut(middle - parts.start);
        (
            Piece { by_axis: low_by_axis, spare: low_spare, parts: parts.start..middle, counts: low_counts },
            Piece { by_axis: high_by_axis, spare: high_spare, parts: middle..parts.end, counts: high_counts },
        )
    }
}

/// Moves the points for which `is_low` is true to the front. Both groups keep their order.
fn separate(points: &mut [u32], spare: &mut [u32], is_low: impl Fn(u32) -> bool) {
    let (mut n_low, mut n_high) = (0, 0);
    for at in 0..points.len() {
        let point = points[at];
        if is_low(point) {
            points[n_low] = point;
            n_low += 1;
        } else {
            spare[n_high] = point;
            n_high += 1;
        }
    }
    points[n_low..].copy_from_slice(&spare[..n_high]);
}
