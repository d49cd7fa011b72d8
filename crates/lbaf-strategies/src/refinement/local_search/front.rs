// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest works that fewer migrations came to: a front.

use lbaf_model::{Statistics, View};

use crate::FrontPoint;
use crate::primitives::exchange_search::Search;

/// Points on the way down are kept where the distance to the goal fell by this part at least.
const STEP: f64 = 0.03;

/// The Pareto front of migrations against largest work, as far as searches have been: of placements within bounds, or of
/// those that are least over a bound.
#[derive(Default)]
pub(super) struct Front {
    points: Vec<FrontPoint>,
    /// The largest work that was noted last.
    last: f64,
    /// How far all points are over a bound.
    excess: f64,
}

impl Front {
    /// Notes how a search stands, unless it stands nearly as it did. O(ranks) for what is noted.
    pub(super) fn note(&mut self, search: &Search<'_>, level: f64) {
        let work = search.largest();
        let is_close = work - level > (self.last - level) * (1.0 - STEP);
        let is_nearer = || self.excess > 0.0 && search.excess() < self.excess;
        if self.points.is_empty() || !is_close || is_nearer() {
            self.add(search);
        }
    }

    /// Notes how a search stands.
    pub(super) fn add(&mut self, search: &Search<'_>) {
        let (n_migrations, max_work) = (search.n_away(), search.largest());
        self.last = max_work;
        let excess = search.excess();
        if excess < self.excess || self.points.is_empty() {
            // Nothing that is further over a bound is beside this.
            self.points.clear();
            self.excess = excess;
        } else if excess > self.excess {
            return;
        }
        // What needs no fewer migrations and is no better is dominated: it is off the front.
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

    /// The points by number of migrations, up to so many: a search may have been further than where it ends, if that was
    /// not worth its price.
    pub(super) fn into_points(mut self, most: usize) -> Vec<FrontPoint> {
        self.points.retain(|point| point.n_migrations <= most);
        self.points.sort_by_key(|point| point.n_migrations);
        self.points
    }
}
