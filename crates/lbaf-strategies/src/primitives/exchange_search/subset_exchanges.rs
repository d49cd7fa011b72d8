// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges of several objects between two ranks, found in sorted lists of the loads of subsets.
//!
//! E. Horowitz, S. Sahni, Computing partitions with applications to the knapsack problem, J. ACM 21 (1974),
//! doi:10.1145/321812.321823. All subsets would yield the best partition between two ranks. Here the subsets are
//! small, because exchanged objects migrate.

use std::cmp::Ordering;
use std::sync::Arc;

use lbaf_model::{RankId, Slot, Transfer};
use rayon::prelude::*;

use super::Search;
use super::exchanges::worth;
use super::subset_sums::{Subset, SubsetSums};

/// Extent of a search over pairs of ranks.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Number of ranks with the least work that are tried as receivers.
    pub(crate) n_ranks: usize,
    /// Approximate number of subsets of the objects of each rank.
    pub(crate) n_subsets: usize,
}

/// Maximum number of exchanges with each rank that are evaluated completely.
const ASKED_OF_RANK: usize = 3;

/// Possible exchange of subsets of objects, with the gain by load alone.
struct Candidate {
    to: usize,
    given: Subset,
    taken: Subset,
    gain: f64,
    more_away: isize,
}

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        let worth = |candidate: &Self| worth(candidate.gain, candidate.more_away);
        worth(other).total_cmp(&worth(self)).then(self.more_away.cmp(&other.more_away))
    }
}

impl Search<'_> {
    /// Exchanges subsets of objects between the rank with the most work and another rank. Conditions and result are
    /// as for [`exchange`](Search::exchange).
    ///
    /// O(subsets) for each of the ranks, and O(subsets log subsets) for ranks whose objects changed. Ranks are
    /// evaluated in parallel.
    pub(crate) fn exchange_subsets(&mut self, reach: Reach, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let ranks = self.ladder.ascending().filter(|&to| to != from).take(reach.n_ranks);
        let mut ranks: Vec<RankId> = ranks.take_while(|&to| self.cost(to) < self.cost(from)).collect();
        ranks.push(from);
        let mut theirs = self.subset_sums(&ranks, reach.n_subsets);
        let Some(ours) = theirs.pop() else { return false };
        let candidates = |(to, theirs): (usize, &Arc<SubsetSums>)| {
            self.candidates((from, ranks[to]), (&ours, theirs), to, least_gain)
        };
        let found: Vec<Vec<Candidate>> = theirs.par_iter().enumerate().map(candidates).collect();
        let mut found: Vec<Candidate> = found.into_iter().flatten().collect();
        found.sort_by(Candidate::order);
        found.into_iter().any(|Candidate { to, given, taken, .. }| {
            let (objects, returned) = (ours.members(given), theirs[to].members(taken));
            let transfer = Transfer { from, to: ranks[to], objects: &objects, returned: &returned };
            self.attempt(&transfer, least_gain)
        })
    }

    /// Returns the subsets of ranks. Lists that are not kept are made in parallel.
    fn subset_sums(&mut self, ranks: &[RankId], most: usize) -> Vec<Arc<SubsetSums>> {
        let phase = self.problem.phase;
        let list = |&rank: &RankId| {
            let kept = self.kept_sums.of(rank, most);
            kept.unwrap_or_else(|| {
                let objects = &self.objects[rank.index()];
                Arc::new(SubsetSums::new(objects, most, |slot| phase.load(slot)))
            })
        };
        let sums: Vec<Arc<SubsetSums>> = ranks.par_iter().map(list).collect();
        self.kept_sums.keep(ranks, most, &sums);
        sums
    }

    /// Returns up to `ASKED_OF_RANK` best exchanges of two ranks, at most one for each pair of a number of given and a
    /// number of taken objects.
    fn candidates(
        &self,
        (from, to): (RankId, RankId),
        (ours, theirs): (&SubsetSums, &SubsetSums),
        number: usize,
        least_gain: f64,
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for given in ours.by_size() {
            for taken in theirs.by_size() {
                found.extend(self.nearest_pair((from, to), (given, taken), number, least_gain));
            }
        }
        let away = |slots: Vec<Slot>, from, to| -> isize {
            slots.into_iter().map(|slot| self.more_away(slot, from, to)).sum()
        };
        for candidate in &mut found {
            candidate.more_away = away(ours.members(candidate.given), from, to)
                + away(theirs.members(candidate.taken), to, from);
        }
        found.sort_by(Candidate::order);
        found.truncate(ASKED_OF_RANK);
        found
    }

    /// Returns the pair of subsets whose exchange gains most by load alone, or `None` below `least_gain`.
    fn nearest_pair(
        &self,
        (from, to): (RankId, RankId),
        (given, taken): (&[Subset], &[Subset]),
        number: usize,
        least_gain: f64,
    ) -> Option<Candidate> {
        let slopes = (self.slopes[from.index()], self.slopes[to.index()]);
        let costs = (self.cost(from), self.cost(to));
        let ideal = (costs.0 - costs.1) / (slopes.0 + slopes.1);
        let (mut best, mut gain) = (None, 0.0);
        let mut at = 0;
        for &subset in given {
            while taken.get(at).is_some_and(|other| other.load < subset.load - ideal) {
                at += 1;
            }
            for &other in &taken[at.saturating_sub(1)..taken.len().min(at + 1)] {
                let moved = subset.load - other.load;
                let ends = (costs.0 - slopes.0 * moved, costs.1 + slopes.1 * moved);
                let gained = costs.0 - ends.0.max(ends.1).max(self.goal);
                if gained > gain {
                    (best, gain) = (Some((subset, other)), gained);
                }
            }
        }
        let (given, taken) = best.filter(|_| gain >= least_gain)?;
        Some(Candidate { to: number, given, taken, gain, more_away: 0 })
    }
}
