// SPDX-License-Identifier: MIT OR Apache-2.0
//! The information stage: ranks tell each other of themselves by gossip.

use lbaf_model::RankId;
use rand::seq::index;
use rayon::prelude::*;

use super::rank_set::RankSet;
use super::{InformAndTransfer, Stage};

/// Which ranks each rank knows of, itself among them.
pub(super) struct Knowledge {
    sets: Vec<RankSet>,
    /// Messages that were sent.
    pub(super) n_messages: u64,
}

impl Knowledge {
    /// Every rank tells `fanout` others, drawn from all, of itself; then, `n_rounds - 1` times, all ranks at once
    /// tell what they know to `fanout` of those they know. A rank that heard of nobody tells nobody.
    ///
    /// O(ranks x fanout x rounds) unions of sets, which are lists while they are short.
    pub(super) fn spread(parameters: &InformAndTransfer, n_ranks: usize, stage: Stage) -> Self {
        let fanout = parameters.fanout as usize;
        let mut sets: Vec<RankSet> = (0..n_ranks as u32).map(RankSet::of).collect();
        let mut n_messages = 0;
        // LBAF, too, sends once if there are to be no rounds.
        for round in 0..parameters.n_rounds.max(1) {
            let is_saturated = sets.iter().all(|set| set.len() == n_ranks);
            if is_saturated && round > 0 {
                // Nothing is news any more, but it is sent all the same.
                n_messages += (n_ranks * fanout.min(n_ranks.saturating_sub(1))) as u64;
                continue;
            }
            let receivers: Vec<Vec<u32>> = (sets.par_iter().enumerate())
                .map(|(rank, set)| {
                    let mut random = stage.round(round, rank);
                    match round {
                        0 => others(n_ranks, fanout, rank, &mut random),
                        _ => set.sample(fanout, rank as u32, &mut random),
                    }
                })
                .collect();
            let mut senders: Vec<Vec<u32>> = vec![Vec::new(); n_ranks];
            for (sender, receivers) in receivers.iter().enumerate() {
                n_messages += receivers.len() as u64;
                for &receiver in receivers {
                    senders[receiver as usize].push(sender as u32);
                }
            }
            sets = (senders.par_iter().enumerate())
                .map(|(rank, senders)| {
                    let mut known = sets[rank].clone();
                    for &sender in senders {
                        known.union_with(&sets[sender as usize], n_ranks);
                    }
                    match parameters.max_knowledge {
                        Some(most) if known.len() > most as usize + 1 => {
                            forget(&sets[rank], &known, most as usize + 1, rank, round, stage)
                        }
                        _ => known,
                    }
                })
                .collect();
        }
        Knowledge { sets, n_messages }
    }

    /// The ranks that a rank knows beside itself, ascending.
    pub(super) fn peers(&self, rank: RankId) -> Vec<RankId> {
        let known = self.sets[rank.index()].ranks();
        known.into_iter().filter(|&peer| peer != rank.0).map(RankId).collect()
    }

    /// The part of the other ranks that a rank knows, in the mean.
    pub(super) fn ratio(&self) -> f64 {
        let n_ranks = self.sets.len();
        if n_ranks < 2 {
            return 1.0;
        }
        let known: usize = self.sets.iter().map(|set| set.len() - 1).sum();
        known as f64 / (n_ranks * (n_ranks - 1)) as f64
    }
}

/// `amount` different ranks other than one.
fn others(n_ranks: usize, amount: usize, but: usize, random: &mut rand_chacha::ChaCha8Rng) -> Vec<u32> {
    let n_others = n_ranks - 1;
    let drawn = index::sample(random, n_others, amount.min(n_others));
    drawn.into_iter().map(|other| (other + usize::from(other >= but)) as u32).collect()
}

/// What a rank remembers that was told more than it can: all that it knew, and of the news a random part.
fn forget(before: &RankSet, known: &RankSet, most: usize, rank: usize, round: u32, stage: Stage) -> RankSet {
    let (mut kept, news): (Vec<u32>, Vec<u32>) =
        known.ranks().into_iter().partition(|&known| before.contains(known));
    let room = most.saturating_sub(kept.len());
    let drawn = index::sample(&mut stage.memory(round, rank), news.len(), room.min(news.len()));
    kept.extend(drawn.into_iter().map(|at| news[at]));
    kept.sort_unstable();
    RankSet::from_ascending(kept, stage.n_ranks)
}
