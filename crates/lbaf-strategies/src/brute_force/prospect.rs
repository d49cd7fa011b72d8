// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a beginning can still become better than the best that is known.

use lbaf_model::{BoundScope, Work};

use super::case::Case;
use super::partial::Partial;

/// Relative difference below which two sums of the same numbers may be equal.
const ROUNDING: f64 = 1e-12;

/// Whether a work is less than another one by more than rounding, or could be: with a lower bound for `work`,
/// what it bounds cannot be less if this is not.
pub(super) fn beats(work: Work, best: Work) -> bool {
    let margin = ROUNDING * best.excess();
    work.excess() < best.excess() - margin
        || work.excess() <= best.excess() + margin && work.cost() < target(best)
}

fn target(best: Work) -> f64 {
    best.cost() - ROUNDING * best.cost().abs()
}

impl Partial {
    /// A lower bound on the maximum work of every arrangement that begins like this, or `None` if none of them
    /// is better than `best`.
    pub(super) fn prospect(&self, case: &Case<'_>, best: Work) -> Option<Work> {
        let least = self.least(case);
        let may_win = beats(least, best) && self.has_room(case, best) && self.can_keep_bounds(case, best);
        may_win.then_some(least)
    }

    /// The maximum over ranks of what is certain.
    pub(super) fn least(&self, case: &Case<'_>) -> Work {
        if case.nodes.is_empty() {
            return self.ranks.iter().map(|side| side.least).max().unwrap_or_default();
        }
        let mut max = None;
        for members in &case.nodes {
            let of_nodes = case.growing.iter().filter(|need| need.bound.scope == BoundScope::Node);
            let excess = of_nodes.map(|need| {
                let values = members.iter().map(|&rank| need.bound.quantity.of(&self.ranks[rank].totals));
                need.bound.excess(values.sum())
            });
            let excess: f64 = excess.sum();
            for &rank in members {
                let least = self.ranks[rank].least;
                max = max.max(Some(Work::with_excess(least.cost(), least.excess() + excess)));
            }
        }
        max.unwrap_or_default()
    }

    /// Whether the load that is still to be placed fits below the cost of `best`. What a rank has left counts
    /// only if the smallest load to come fits in. (Over bounds, load is no limit.)
    fn has_room(&self, case: &Case<'_>, best: Work) -> bool {
        let (load, smallest) = case.load_ahead[self.depth()];
        if best.is_over_bound() || load <= 0.0 {
            return true;
        }
        let (slope, target) = (case.problem.model.load_floor().slope, target(best));
        let mut room = 0.0;
        for side in &self.ranks {
            let free = (target - side.least.cost()) / (slope * side.totals.alpha);
            // Where load costs nothing there is room for all of it.
            if free.is_nan() || free == f64::INFINITY {
                return true;
            }
            if free * (1.0 + ROUNDING) >= smallest {
                room += free;
            }
        }
        // Less than the margin of `target`, more than sums err.
        room >= load * (1.0 - 0.1 * ROUNDING)
    }

    /// Whether what every arrangement needs in sum can be shared out without more excess than `best` has: one
    /// rank has no less than the mean.
    fn can_keep_bounds(&self, case: &Case<'_>, best: Work) -> bool {
        let depth = self.depth();
        case.growing.iter().filter(|need| !need.ahead.is_empty()).all(|need| {
            let quantity = need.bound.quantity;
            let sum: f64 = self.ranks.iter().map(|side| quantity.of(&side.totals)).sum();
            let n_places = match need.bound.scope {
                BoundScope::Rank => case.n_ranks(),
                BoundScope::Node => case.nodes.iter().filter(|members| !members.is_empty()).count(),
            };
            let mean = (sum + need.ahead[depth]) / n_places as f64;
            beats(Work::with_excess(f64::MIN, need.bound.excess(mean)), best)
        })
    }
}
