// SPDX-License-Identifier: MIT OR Apache-2.0
//! Upper limits of the gains of exchanges of clusters, in constant time for each exchange.

use lbaf_model::{Totals, View, WorkModel, WorkTerms};

use super::charge::Charge;
use super::clusters::Clusters;
use crate::primitives::works::Ends;

/// Upper limits of the gains of all exchanges of clusters between two ranks. An exchange has the position of a cluster of
/// the first rank, and that of a cluster of the other rank. Infinite if a rank exceeds a bound.
///
/// The two clusters of an exchange each change the load and volumes of a rank: one leaves it, the other joins it. Here
/// both changes are computed for the placement before the exchange, and added. The sum gives a lower limit of the work
/// after the exchange, because it never counts too much: of volume between the two clusters, or of a block that both
/// share, it counts a smaller change. It leaves out on-rank volume, and the homing of the blocks of a cluster that has
/// no partners on the other rank. If the work of the model is not a sum of [`WorkTerms`], only load counts.
pub(super) struct Limits {
    /// Limits by cluster of the first rank, then by cluster of the other rank.
    limits: Vec<f64>,
    /// Largest limit of each cluster of the first rank.
    largest: Vec<f64>,
}

impl Limits {
    /// Computes all limits. The limit of the exchange of "no objects" for "no objects" is negative.
    pub(super) fn new(
        totals: &Totals<'_>,
        model: &dyn WorkModel,
        ends: Ends,
        own: &Clusters,
        others: &Clusters,
    ) -> Self {
        let floor = model.load_floor();
        let of_load = WorkTerms { constant: floor.constant, load: floor.slope, ..WorkTerms::LOAD };
        let terms = model.terms().unwrap_or(of_load);
        let is_over = ends.0.is_over_bound() || ends.1.is_over_bound();
        let most = if is_over { f64::INFINITY } else { ends.0.max(ends.1).cost() };
        let [alpha, other_alpha] = [own, others].map(|clusters| totals.rank(clusters.rank()).alpha);
        let left = Costs::new(own.kept(totals), alpha, terms);
        let taken = Costs::new(others.brought(own.rank(), totals), alpha, terms);
        let kept = Costs::new(others.kept(totals), other_alpha, terms);
        let brought = Costs::new(own.brought(others.rank(), totals), other_alpha, terms);
        // Incremental sums have rounding errors.
        let most = most - terms.constant + 1e-9 * most;
        let mut limits = vec![0.0; own.len() * others.len()];
        let rows = limits.chunks_exact_mut(others.len());
        for (row, (left, brought)) in rows.zip(left.iter().zip(brought.iter())) {
            for ((limit, kept), taken) in row.iter_mut().zip(kept.iter()).zip(taken.iter()) {
                *limit = most - larger(left.with(taken), kept.with(brought));
                // If volumes are infinite, their difference gives no limit.
                *limit = if limit.is_nan() { f64::INFINITY } else { *limit };
            }
        }
        limits[0] = f64::NEG_INFINITY;
        let largest = limits.chunks_exact(others.len()).map(largest).collect();
        Limits { limits, largest }
    }

    /// Returns the exchange with the largest limit, and this limit. Of equal limits, the first.
    pub(super) fn first(&self) -> ((usize, usize), f64) {
        let limit = largest(&self.largest);
        let position = |limits: &[f64]| limits.iter().position(|&other| other == limit).unwrap_or_default();
        let row = position(&self.largest);
        ((row, position(self.row(row))), limit)
    }

    /// Returns the exchanges with larger limits than `threshold`, in any order.
    pub(super) fn above(&self, threshold: f64) -> Vec<((usize, usize), f64)> {
        let rows = (0..self.largest.len()).filter(|&row| self.largest[row] > threshold);
        let exchanges =
            rows.flat_map(|row| (0..).zip(self.row(row)).map(move |(column, &limit)| ((row, column), limit)));
        exchanges.filter(|&(_, limit)| limit > threshold).collect()
    }

    fn row(&self, row: usize) -> &[f64] {
        let n_columns = self.limits.len() / self.largest.len();
        &self.limits[row * n_columns..][..n_columns]
    }
}

/// Returns the largest of numbers; negative infinity if there is none.
fn largest(numbers: &[f64]) -> f64 {
    // Independent maxima, so that a processor computes several of them at once.
    let mut lanes = [f64::NEG_INFINITY; 8];
    let chunks = numbers.chunks_exact(lanes.len());
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &number) in lanes.iter_mut().zip(chunk) {
            *lane = if number > *lane { number } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f64::NEG_INFINITY, |largest, &number| largest.max(number))
}

/// Work due to several charges, in columns, so that the work of many exchanges is computed with vector instructions.
struct Costs {
    /// Work of load and homing of all charges, then of volume sent, then of volume received.
    columns: Vec<f64>,
}

/// Work due to a charge.
#[derive(Clone, Copy)]
struct Cost {
    fixed: f64,
    sent: f64,
    received: f64,
}

impl Costs {
    fn new(charges: impl ExactSizeIterator<Item = Charge>, alpha: f64, terms: WorkTerms) -> Self {
        let WorkTerms { load, off_rank, homing, .. } = terms;
        let n = charges.len();
        let mut columns = vec![0.0; 3 * n];
        for (at, charge) in charges.enumerate() {
            columns[at] = load * alpha * charge.load + homing * charge.homing_bytes;
            columns[n + at] = off_rank * charge.sent_bytes;
            columns[2 * n + at] = off_rank * charge.received_bytes;
        }
        Costs { columns }
    }

    fn iter(&self) -> impl Iterator<Item = Cost> {
        let (fixed, volumes) = self.columns.split_at(self.columns.len() / 3);
        let (sent, received) = volumes.split_at(fixed.len());
        let columns = fixed.iter().zip(sent).zip(received);
        columns.map(|((&fixed, &sent), &received)| Cost { fixed, sent, received })
    }
}

impl Cost {
    /// Returns the work of this charge together with another one.
    fn with(self, other: Cost) -> f64 {
        let volume = larger(self.sent + other.sent, self.received + other.received);
        self.fixed + other.fixed + volume
    }
}

/// Returns the larger number, in a single instruction; `other` if one of them is NaN.
fn larger(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}
