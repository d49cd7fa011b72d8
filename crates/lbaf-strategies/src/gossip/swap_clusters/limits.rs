// SPDX-License-Identifier: MIT OR Apache-2.0
//! Upper limits of the gains of exchanges of clusters, in constant time for each exchange.

use lbaf_model::{RankId, Totals, View, WorkModel, WorkTerms};

use super::bundled::Clusters;
use super::charge::Charge;
use crate::primitives::works::Ends;

/// Upper limits of the gains of all exchanges of clusters between two ranks.
///
/// The two clusters of an exchange each change the load and volumes of a rank: one leaves it, the other joins it.
/// Here both changes are computed for the placement before the exchange, and added. The sum gives a lower limit of
/// the work after the exchange, because it never counts too much: of volume between the two clusters, or of a block
/// that both share, it counts a smaller change. It leaves out on-rank volume, and the homing of the blocks of a
/// cluster that has no partners on the other rank. If the work of the model is not a sum of [`WorkTerms`], only load
/// counts.
pub(super) struct Limits<'c> {
    terms: WorkTerms,
    alphas: [f64; 2],
    /// Larger cost of the two ranks; infinite if one of them exceeds a bound.
    most: f64,
    /// By cluster of the first rank: the first rank without the cluster.
    left: &'c [Charge],
    /// By cluster of the first rank: the changes that the cluster causes on the other rank.
    brought: Vec<Charge>,
    /// By cluster of the other rank: the other rank without the cluster.
    kept: &'c [Charge],
    /// By cluster of the other rank: the changes that the cluster causes on the first rank.
    taken: Vec<Charge>,
}

impl<'c> Limits<'c> {
    /// Computes the changes due to each cluster. O(clusters), and a logarithm for blocks.
    pub(super) fn new(
        totals: &Totals<'_>,
        model: &dyn WorkModel,
        ends: Ends,
        own: &'c Clusters,
        others: &'c Clusters,
    ) -> Option<Self> {
        let (from, to) = (own.bundles.first()?.rank(), others.bundles.first()?.rank());
        let floor = model.load_floor();
        let of_load = WorkTerms { constant: floor.constant, load: floor.slope, ..WorkTerms::LOAD };
        let is_over = ends.0.is_over_bound() || ends.1.is_over_bound();
        let added = |clusters: &Clusters, to: RankId| {
            clusters.bundles.iter().map(|bundle| Charge::added(totals, to, bundle)).collect()
        };
        Some(Limits {
            terms: model.terms().unwrap_or(of_load),
            alphas: [from, to].map(|rank| totals.rank(rank).alpha),
            most: if is_over { f64::INFINITY } else { ends.0.max(ends.1).cost() },
            left: &own.left,
            brought: added(own, to),
            kept: &others.left,
            taken: added(others, from),
        })
    }

    /// Returns the limits of all exchanges, by cluster of the first rank, then by cluster of the other rank. Infinite if
    /// a rank exceeds a bound.
    pub(super) fn of_all(&self) -> Vec<f64> {
        let mut limits = Vec::with_capacity(self.left.len() * self.kept.len());
        for (&left, &brought) in self.left.iter().zip(&self.brought) {
            limits.extend(self.kept.iter().zip(&self.taken).map(|(&kept, &taken)| {
                let least =
                    self.least(self.alphas[0], left, taken).max(self.least(self.alphas[1], kept, brought));
                // Incremental sums have rounding errors.
                let limit = self.most - least + 1e-9 * self.most;
                // If volumes are infinite, their difference gives no limit.
                if limit.is_nan() { f64::INFINITY } else { limit }
            }));
        }
        limits
    }

    /// Returns a lower limit of the work of a rank that keeps `kept` and receives `added`.
    fn least(&self, alpha: f64, kept: Charge, added: Charge) -> f64 {
        let WorkTerms { constant, load, off_rank, homing, .. } = self.terms;
        let sent_bytes = kept.sent_bytes + added.sent_bytes;
        let received_bytes = kept.received_bytes + added.received_bytes;
        constant
            + load * alpha * (kept.load + added.load)
            + off_rank * sent_bytes.max(received_bytes)
            + homing * (kept.homing_bytes + added.homing_bytes)
    }
}
