// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges of migrated and other objects, mainly if the result is far from the lower bound.

use super::{Homeward, largest};
use crate::primitives::exchange_search::Search;

/// Multiple of the lower bound above which the maximum work counts as far.
const FAR: f64 = 1.15;

/// Minimum gain of an exchange on the rank with the most work, as a fraction of the lower bound.
const LEAST_GAIN: f64 = 0.001;

/// Maximum number of evaluated exchanges per rank, which keeps the search linear in time.
const LOOKS_PER_RANK: usize = 1 << 13;

/// Minimum gain per migration, as a fraction of the average gain per earlier migration.
const RATE: f64 = 0.5;

/// Number of consecutive exchanges with a smaller gain after which the search ends.
const PATIENCE: usize = 4;

impl Homeward<'_> {
    /// Makes exchanges as long as the maximum work is far from `bound`, then exchanges with a large gain per
    /// migration. Does nothing if `bound` is not positive or if objects may only return.
    ///
    /// The gain per additional migration must be at least half of the average gain per earlier migration, which is
    /// `(start - maximum work) / migrations`. If an exchange was kept, all objects that can return do so.
    ///
    /// O(objects log objects + edges), and O(log ranks + degree) for each of a few exchanges per rank.
    pub(super) fn search(mut self, bound: f64, start: f64) -> Self {
        if !self.rules.singly() || bound <= 0.0 {
            return self;
        }
        let cancel = self.cancel;
        let most = LOOKS_PER_RANK * self.now.len();
        let mut search = Search::new(&self.problem, self.totals, self.now);
        let exchange = |search: &mut Search<'_>| {
            search.n_looks() < most && !cancel.is_cancelled() && search.exchange(LEAST_GAIN * bound)
        };
        let state = |search: &Search<'_>| (search.largest(), search.n_away() as f64);
        let mut kept = (search.n_exchanges(), state(&search));
        while search.largest() > FAR * bound && exchange(&mut search) {
            if search.largest() < kept.1.0 {
                kept = (search.n_exchanges(), state(&search));
            }
        }
        search.back_to(kept.0);
        while search.n_away() > 0 && search.n_exchanges() < kept.0 + PATIENCE && exchange(&mut search) {
            let (before, now) = (kept.1, state(&search));
            // No division, because there may be no migrations.
            let gain = before.0 - now.0;
            let rate = RATE * (start - before.0).max(0.0);
            if gain > 0.0 && gain * before.1 >= rate * (now.1 - before.1) {
                kept = (search.n_exchanges(), now);
            }
        }
        search.back_to(kept.0);
        (self.totals, self.now) = search.into_parts();
        if kept.0 > 0 {
            self.find_away();
            self.settle(largest(&self.now));
        }
        self
    }
}
