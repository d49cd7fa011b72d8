// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pareto front of migrations and maximum work.

use lbaf_model::{Statistics, View};

use crate::FrontPoint;
use crate::primitives::exchange_search::Search;

/// Minimum relative decrease of the gap to the lower bound between two points.
const STEP: f64 = 0.03;

/// Pareto front of migrations and maximum work. If no placement is feasible, placements with the smallest excess
/// form the front.
#[derive(Default)]
pub(super) struct Front {
    points: Vec<FrontPoint>,
    /// Maximum work of the last placement passed to [`add`](Self::add).
    last: f64,
    /// Largest excess of a rank over bounds, the same for all points.
    excess: f64,
}

impl Front {
    /// Adds the state of a search unless its maximum work is close to that of the last added state, or higher. Also
    /// adds states with a smaller excess. `level` is the lower bound. O(ranks) for each added state.
    pub(super) fn note(&mut self, search: &Search<'_>, level: f64) {
        let work = search.largest();
        let is_close = work - level > (self.last - level) * (1.0 - STEP);
        let is_nearer = || self.excess > 0.0 && search.excess() < self.excess;
        if self.points.is_empty() || !is_close || is_nearer() {
            self.add(search);
        }
    }

    /// Adds the state of a search to the front, unless its excess is larger or another point dominates it. A state with
    /// a smaller excess replaces all points.
    pub(super) fn add(&mut self, search: &Search<'_>) {
        let (n_migrations, max_work) = (search.n_away(), search.largest());
        self.last = max_work;
        let excess = search.excess();
        if excess < self.excess || self.points.is_empty() {
            self.points.clear();
            self.excess = excess;
        } else if excess > self.excess {
            return;
        }
        let dominates = |a: (usize, f64), b: (usize, f64)| a.0 <= b.0 && a.1 <= b.1;
        let of = |point: &FrontPoint| (point.n_migrations, point.max_work);
        if self.points.iter().any(|point| dominates(of(point), (n_migrations, max_work))) {
            return;
        }
        self.points.retain(|point| !dominates((n_migrations, max_work), of(point)));
        let loads = search.totals.phase().rank_ids().map(|rank| search.totals.rank(rank).load);
        let load_imbalance = Statistics::of(loads).imbalance();
        self.points.push(FrontPoint { n_migrations, max_work, load_imbalance });
    }

    /// Returns the points with at most `most` migrations, in ascending order of migrations. A search can go beyond
    /// its final result, if the gain was not worth the migrations.
    pub(super) fn into_points(mut self, most: usize) -> Vec<FrontPoint> {
        self.points.retain(|point| point.n_migrations <= most);
        self.points.sort_by_key(|point| point.n_migrations);
        self.points
    }
}
