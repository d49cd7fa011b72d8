// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds of partial placements, for pruning.

use lbaf_model::{BoundScope, Work};

use super::comparison::{ROUNDING, beats, largest, target};
use super::instance::{Instance, Need};
use super::partial::Partial;
use super::remaining_load::LoadAhead;

/// Relative tolerance, larger than the rounding error of sums and smaller than the margin of [`beats`].
const ERROR: f64 = 1e-13;

impl Partial {
    /// Returns a lower bound on the maximum work of every completion, or `None` if certainly no completion is better
    /// than `best`.
    pub(super) fn bound(&self, instance: &Instance<'_>, best: Work) -> Option<Work> {
        let least = self.least(instance);
        let may_win =
            beats(least, best) && self.has_room(instance, best) && self.can_keep_bounds(instance, best);
        may_win.then_some(least)
    }

    /// Returns the largest of the lower bounds on the work of each rank in every completion. If there are bounds on
    /// nodes, the excess of a rank includes the excess of its node.
    pub(super) fn least(&self, instance: &Instance<'_>) -> Work {
        if instance.nodes.is_empty() {
            return largest(self.ranks.iter().map(|side| side.least));
        }
        largest(instance.nodes.iter().flat_map(|members| {
            let of_nodes = instance.growing.iter().filter(|need| need.bound.scope == BoundScope::Node);
            let excess = of_nodes.map(|need| {
                let values = members.iter().map(|&rank| need.bound.quantity.of(&self.ranks[rank].totals));
                need.bound.excess(values.sum())
            });
            let excess: f64 = excess.sum();
            members.iter().map(move |&rank| {
                let least = self.ranks[rank].least;
                Work::with_excess(least.cost(), least.excess() + excess)
            })
        }))
    }

    /// True if the ranks may be able to take the remaining load with costs below that of `best`. The free capacity of
    /// a rank counts only if the smallest remaining load fits. This capacity is rounded down to a multiple of the
    /// common divisor of the remaining loads, if one is known. Always true if `best` exceeds an upper bound, because
    /// a completion with less excess is then better at any cost.
    fn has_room(&self, instance: &Instance<'_>, best: Work) -> bool {
        let LoadAhead { sum, smallest, grain } = instance.load_ahead[self.depth()];
        if best.is_over_bound() || sum <= 0.0 {
            return true;
        }
        let (slope, target) = (instance.problem.model.load_floor().slope, target(best));
        let mut room = 0.0;
        for side in &self.ranks {
            let seconds = 1.0 / (slope * side.totals.alpha);
            let free = (target - side.least.cost() + ERROR * target) * seconds;
            // If load adds nothing to work, the capacity is unlimited.
            if !free.is_finite() {
                return true;
            }
            if free >= smallest {
                room += if grain > 0.0 { (free / grain).floor() * grain } else { free };
            }
        }
        room >= sum * (1.0 - ERROR)
    }

    /// True unless the quantities that every completion needs cause more excess than that of `best`. Excess is
    /// convex, so its mean over ranks is at least the excess of the mean quantity, and some rank has at least the
    /// mean excess. The same applies to nodes if all nodes have the same number of ranks. If `best` is within bounds,
    /// blocks must also fit (see [`can_take_blocks`](Self::can_take_blocks)).
    fn can_keep_bounds(&self, instance: &Instance<'_>, best: Work) -> bool {
        let mut excess = 0.0;
        for need in instance.growing.iter().filter(|need| !need.ahead.is_empty()) {
            let quantity = need.bound.quantity;
            let sum: f64 = self.ranks.iter().map(|side| quantity.of(&side.totals)).sum();
            let n_places = match need.bound.scope {
                BoundScope::Rank => instance.n_ranks(),
                BoundScope::Node => instance.n_even_nodes,
            };
            if n_places > 0 {
                excess += need.bound.excess((sum + need.ahead[self.depth()]) / n_places as f64);
            }
            if !best.is_over_bound() && !self.can_take_blocks(instance, need) {
                return false;
            }
        }
        beats(Work::with_excess(f64::MIN, excess), best)
    }

    /// True if all blocks that no rank has yet would fit within a bound if each were as small as the smallest of them.
    /// Blocks are indivisible, so the free capacity of a rank or node is rounded down to whole blocks.
    fn can_take_blocks(&self, instance: &Instance<'_>, need: &Need) -> bool {
        let Some(&(n_blocks, size_bytes)) = need.new_blocks.get(self.depth()) else { return true };
        if n_blocks == 0.0 || size_bytes == 0.0 {
            return true;
        }
        let value = |rank: usize| need.bound.quantity.of(&self.ranks[rank].totals);
        let room = |used: f64| {
            ((need.bound.limit * (1.0 + ROUNDING) - used) / size_bytes * (1.0 + ROUNDING)).floor().max(0.0)
        };
        let rooms: f64 = match need.bound.scope {
            BoundScope::Rank => (0..instance.n_ranks()).map(|rank| room(value(rank))).sum(),
            BoundScope::Node => {
                let of_node = |members: &Vec<usize>| members.iter().map(|&rank| value(rank)).sum();
                instance.nodes.iter().map(|members| room(of_node(members))).sum()
            }
        };
        rooms >= n_blocks
    }
}
