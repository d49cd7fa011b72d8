// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges of objects within a group of ranks.

use crate::Cancel;

/// Exchanges for each rank of a group, at most: a few are usual.
const EXCHANGES_PER_RANK: usize = 8;

/// Each exchange looks at all ranks of the group; in large groups there are fewer, so that they take linear time.
const MOST_LOOKS: usize = 1 << 21;

/// What an exchange must leave of the time of the most loaded rank, at most: less would be rounding.
const GAIN: f64 = 1.0 - 1e-9;

/// Ranks of a group, and the objects that they were handed out.
pub(super) struct Group<'a> {
    /// Seconds of work per second of load of each rank.
    pub(super) alphas: &'a [f64],
    /// Load of each rank.
    pub(super) loads: Vec<f64>,
    /// Load of every object.
    pub(super) object_loads: &'a [f64],
    /// Objects of each rank, the largest first.
    pub(super) objects: Vec<Vec<u32>>,
}

/// An object that leaves the most loaded rank, for another one or none.
#[derive(Clone, Copy)]
struct Exchange {
    /// The time of the later of the two ranks afterwards.
    end: f64,
    to: usize,
    given: usize,
    taken: Option<usize>,
}

impl Group<'_> {
    /// Exchanges objects of the most loaded rank for smaller ones, or none, of others until that lowers its time
    /// no more.
    pub(super) fn exchange(&mut self, cancel: &Cancel) {
        let n_ranks = self.alphas.len();
        for _ in 0..(EXCHANGES_PER_RANK * n_ranks).min(MOST_LOOKS / n_ranks.max(1)) {
            if cancel.is_cancelled() {
                return;
            }
            let ranks = 0..self.alphas.len();
            // Of equal ones the first: `max_by` would take the last.
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

    /// The exchange that makes the most of it, if any gains something.
    fn best(&self, from: usize) -> Option<Exchange> {
        let mut best: Option<Exchange> = None;
        let mut limit = self.time(from) * GAIN;
        for to in (0..self.alphas.len()).filter(|&to| to != from) {
            let mut before = None;
            for (given, &object) in self.objects[from].iter().enumerate() {
                // Of equal objects the first stands for all.
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

    /// What to take for an object so that both ranks come nearest to ending together: the objects on both sides
    /// of the ideal, or none.
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

    /// Gives an object to a rank. Positions in the pool ascend as loads descend.
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

    /// Graham's example for two ranks: 3 3 | 2 2 2 is the optimum, and largest first ends at 3 2 2 | 3 2.
    #[test]
    fn an_exchange_reaches_what_handing_out_missed() {
        let loads = [3.0, 3.0, 2.0, 2.0, 2.0];
        assert_eq!(exchanged(&[1.0; 2], &[0.0; 2], &loads, &[&[0, 2, 4], &[1, 3]]), [6.0, 6.0]);
    }

    #[test]
    fn an_object_may_go_for_nothing() {
        assert_eq!(exchanged(&[1.0; 2], &[0.0; 2], &[2.0, 1.0, 1.0], &[&[0, 1, 2], &[]]), [2.0, 2.0]);
    }

    /// The slow rank ends at 2 x 3; with 2 of load less at 2, and the fast one then at 1 + 2.
    #[test]
    fn speeds_count() {
        assert_eq!(exchanged(&[2.0, 1.0], &[0.0, 1.0], &[2.0, 1.0], &[&[0, 1], &[]]), [1.0, 3.0]);
    }

    #[test]
    fn nothing_is_exchanged_without_gain() {
        let loads = [4.0, 4.0, 1.0];
        assert_eq!(exchanged(&[1.0; 2], &[5.0, 0.0], &loads, &[&[2], &[0, 1]]), [6.0, 8.0]);
        assert_eq!(exchanged(&[0.0; 2], &[0.0; 2], &loads, &[&[0, 1], &[2]]), [8.0, 1.0]);
        assert_eq!(exchanged(&[], &[], &[], &[]), [0.0; 0]);
    }
}
