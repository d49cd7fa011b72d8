// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges, also of objects that stayed, where the result is far from the bound.

use super::{Homeward, largest};
use crate::primitives::exchange_search::Search;

/// A largest work of so many times the best possible is far from it.
const FAR: f64 = 1.15;

/// An exchange takes this part of the best possible work off the rank that has most, at least.
const LEAST_GAIN: f64 = 0.001;

/// So many exchanges are looked at for each rank, of which several are made: the search takes linear time.
const LOOKS_PER_RANK: usize = 1 << 13;

/// Of what migrations take off the largest work, in the mean, those of the search take this part at least.
const RATE: f64 = 0.5;

/// The search ends when so many exchanges do not do that.
const PATIENCE: usize = 4;

impl Homeward<'_> {
    /// Exchanges where the largest work is far from `bound`, the best possible as far as is known; and wherever they
    /// take about as much off it for each migration as those before them did since `start`. Then returns all that
    /// can.
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
            // gain / migrations, multiplied out: there may be none.
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
