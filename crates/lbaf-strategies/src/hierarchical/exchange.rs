// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges of objects within a group of ranks.

use crate::Cancel;

/// Maximum number of exchanges in a group, per rank. A few exchanges in all are typical.
const EXCHANGES_PER_RANK: usize = 8;

/// Maximum number of inspections of ranks in a group. Each exchange inspects all ranks, so without a limit, time would
/// grow with the square of the number of ranks.
const MOST_LOOKS: usize = 1 << 21;

/// An exchange is accepted if the later of its two ranks then ends before this fraction of the end of the last rank.
/// Smaller gains may be rounding errors.
const GAIN: f64 = 1.0 - 1e-9;

/// Ranks of a group with the objects assigned to them.
pub(super) struct Group<'a> {
    /// Alpha of each rank: seconds of work per second of load.
    pub(super) alphas: &'a [f64],
    /// Load of each rank.
    pub(super) loads: Vec<f64>,
    /// Load of every object, by its position in the pool.
    pub(super) object_loads: &'a [f64],
    /// Objects of each rank, the largest first.
    pub(super) objects: Vec<Vec<u32>>,
}

/// Move of an object from the rank that ends last to another rank, with an optional object in return.
#[derive(Clone, Copy)]
struct Exchange {
    /// Time of the later of the two ranks after the exchange.
    end: f64,
    to: usize,
    given: usize,
    taken: Option<usize>,
}

impl Group<'_> {
    /// Exchanges an object of the rank that ends last for a smaller object of another rank, or for none. Repeats this
    /// until no exchange lets both ranks end earlier than this rank, until the maximum number of exchanges is reached,
    /// or until the run is cancelled.
    pub(super) fn exchange(&mut self, cancel: &Cancel) {
        let n_ranks = self.alphas.len();
        for _ in 0..(EXCHANGES_PER_RANK * n_ranks).min(MOST_LOOKS / n_ranks.max(1)) {
            if cancel.is_cancelled() {
                return;
            }
            let ranks = 0..self.alphas.len();
            // The first of equal ranks; `max_by` alone returns the last.
            let Some(from) = ranks.rev().max_by(|&a, &b| self.time(a).total_cmp(&self.time(b))) else {
                return;
            };
            let Some(best) = self.best(from) else { return };
            self.apply(from, best);
        }
    }

    fn time(&self, rank: usize) -> f64 {
        self.alphas[rank] * self.loads[rank]
    }

    fn load(&self, object: u32) -> f64 {
        self.object_loads[object as usize]
    }

    /// Returns the exchange of an object of rank `from` after which the later of the two ranks ends earliest. `None` if
    /// no exchange lets both ranks end earlier than `from` ends now.
    fn best(&self, from: usize) -> Option<Exchange> {
        let mut best: Option<Exchange> = None;
        let mut limit = self.time(from) * GAIN;
        for to in (0..self.alphas.len()).filter(|&to| to != from) {
            let mut before = None;
            for (given, &object) in self.objects[from].iter().enumerate() {
                // Equal objects give equal exchanges: only the first is tried.
                let load = self.load(object);
                if before.replace(load) == Some(load) {
                    continue;
                }
                for taken in self.matches(from, to, load) {
                    let difference = load - taken.map_or(0.0, |at| self.load(self.objects[to][at]));
                    let left = self.alphas[from] * (self.loads[from] - difference);
                    let end = left.max(self.alphas[to] * (self.loads[to] + difference));
                    if end < limit {
                        limit = end;
                        best = Some(Exchange { end, to, given, taken });
                    }
                }
            }
        }
        best.filter(|best| best.end.is_finite())
    }

    /// Returns candidates that rank `to` can give in return for an object of `load` seconds: no object, and the objects
    /// just above and at or just below the ideal load, with which both ranks would end at the same time.
    fn matches(&self, from: usize, to: usize, load: f64) -> impl Iterator<Item = Option<usize>> + use<> {
        let alphas = self.alphas[from] + self.alphas[to];
        let ideal = load - (self.time(from) - self.time(to)) / alphas;
        let objects = &self.objects[to];
        let after = objects.partition_point(|&object| self.load(object) > ideal);
        let sides = [after.checked_sub(1), Some(after).filter(|&after| after < objects.len())];
        std::iter::once(None).chain(sides.into_iter().flatten().map(Some))
    }

    fn apply(&mut self, from: usize, Exchange { to, given, taken, .. }: Exchange) {
        let given = self.objects[from].remove(given);
        let taken = taken.map(|at| self.objects[to].remove(at));
        self.insert(to, given);
        self.loads[from] -= self.load(given);
        if let Some(taken) = taken {
            self.insert(from, taken);
            self.loads[to] -= self.load(taken);
        }
    }

    /// Adds an object to a rank, after the larger ones. Positions in the pool ascend as loads descend.
    fn insert(&mut self, rank: usize, object: u32) {
        let at = self.objects[rank].partition_point(|&other| other < object);
        self.objects[rank].insert(at, object);
        self.loads[rank] += self.load(object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchanged(alphas: &[f64], fixed: &[f64], object_loads: &[f64], objects: &[&[u32]]) -> Vec<f64> {
        let objects: Vec<Vec<u32>> = objects.iter().map(|of_rank| of_rank.to_vec()).collect();
        let load = |of_rank: &Vec<u32>| of_rank.iter().map(|&at| object_loads[at as usize]).sum::<f64>();
        let loads = fixed.iter().zip(&objects).map(|(fixed, of_rank)| fixed + load(of_rank)).collect();
        let mut group = Group { alphas, loads, object_loads, objects };
        group.exchange(&Cancel::new());
        group.loads
    }

    /// Graham's example for two ranks: 3 3 | 2 2 2 is optimal, and largest first results in 3 2 2 | 3 2.
    #[test]
    fn exchanges_improve_on_greedy() {
        let loads = [3.0, 3.0, 2.0, 2.0, 2.0];
        assert_eq!(exchanged(&[1.0; 2], &[0.0; 2], &loads, &[&[0, 2, 4], &[1, 3]]), [6.0, 6.0]);
    }

    #[test]
    fn an_object_can_move_without_return() {
        assert_eq!(exchanged(&[1.0; 2], &[0.0; 2], &[2.0, 1.0, 1.0], &[&[0, 1, 2], &[]]), [2.0, 2.0]);
    }

    /// The slow rank ends at 2 x 3. With 2 less load it ends at 2, and the fast rank at 1 + 2.
    #[test]
    fn speeds_are_taken_into_account() {
        assert_eq!(exchanged(&[2.0, 1.0], &[0.0, 1.0], &[2.0, 1.0], &[&[0, 1], &[]]), [1.0, 3.0]);
    }

    #[test]
    fn exchanges_without_gain_are_not_made() {
        let loads = [4.0, 4.0, 1.0];
        assert_eq!(exchanged(&[1.0; 2], &[5.0, 0.0], &loads, &[&[2], &[0, 1]]), [6.0, 8.0]);
        assert_eq!(exchanged(&[0.0; 2], &[0.0; 2], &loads, &[&[0, 1], &[2]]), [8.0, 1.0]);
        assert_eq!(exchanged(&[], &[], &[], &[]), [0.0; 0]);
    }
}
