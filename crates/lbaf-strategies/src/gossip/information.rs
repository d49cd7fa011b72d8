// SPDX-License-Identifier: MIT OR Apache-2.0
//! The information stage: ranks tell each other of themselves by gossip.

use lbaf_model::RankId;
use rand::RngExt;
use rayon::prelude::*;

use super::Stage;
use super::rank_set::RankSet;
use crate::Cancel;

/// How ranks tell each other of themselves.
#[derive(Clone, Debug)]
pub(crate) struct Information {
    pub(crate) n_rounds: u32,
    /// Ranks that a rank tells in a round.
    pub(crate) fanout: usize,
    /// Other ranks that a rank can remember; all without it.
    pub(crate) max_knowledge: Option<usize>,
    pub(crate) manner: Manner,
}

/// Who tells whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As in LBAF. Everybody: in the first round ranks drawn from all, then ranks drawn from those it knows.
    Everybody,
    /// As in vt. Ranks below the target begin, then those go on that were told something in the round before; all
    /// tell ranks that they do not know of.
    Underloaded {
        /// What a rank passes on is what it knew and what the first message of a round brought it, not what all
        /// of them did: it does not wait for the others.
        at_once: bool,
        /// Ranks above the target begin, too.
        all_begin: bool,
    },
}

/// Which ranks each rank knows of, itself perhaps among them.
pub(super) struct Knowledge {
    sets: Vec<RankSet>,
    /// Messages that were sent.
    pub(super) n_messages: u64,
}

impl Knowledge {
    /// Gossip among ranks of which some are `below` the target.
    ///
    /// O(ranks x fanout x rounds) unions of sets, which are lists while they are short.
    pub(super) fn spread(information: &Information, below: &[bool], stage: Stage, cancel: &Cancel) -> Self {
        match information.manner {
            Manner::Everybody => Knowledge::of_everybody(information, stage, cancel),
            Manner::Underloaded { at_once, all_begin } => {
                let begins: Vec<bool> = below.iter().map(|&below| below || all_begin).collect();
                Knowledge::of_some(information, begins, at_once, stage, cancel)
            }
        }
    }

    /// Every rank tells `fanout` others, drawn from all, of itself; then, `n_rounds - 1` times, all ranks at once
    /// tell what they know to `fanout` of those they know. A rank that heard of nobody tells nobody.
    fn of_everybody(information: &Information, stage: Stage, cancel: &Cancel) -> Self {
        let Information { n_rounds, fanout, max_knowledge, .. } = *information;
        let n_ranks = stage.n_ranks;
        let mut sets: Vec<RankSet> = (0..n_ranks as u32).map(RankSet::of).collect();
        let mut n_messages = 0;
        for round in 0..n_rounds {
            if cancel.is_cancelled() {
                break;
            }
            let is_saturated = sets.iter().all(|set| set.len() == n_ranks);
            if is_saturated && round > 0 {
                // Nothing is news any more, but it is sent all the same.
                let of_round = n_ranks as u64 * fanout.min(n_ranks.saturating_sub(1)) as u64;
                let rest = u64::from(n_rounds - round).saturating_mul(of_round);
                n_messages = u64::saturating_add(n_messages, rest);
                break;
            }
            let receivers = |(rank, set): (usize, &RankSet)| {
                let mut random = stage.round(round, rank);
                match round {
                    0 => RankSet::none().sample_others(fanout, rank as u32, n_ranks, &mut random),
                    _ => set.sample(fanout, rank as u32, &mut random),
                }
            };
            let receivers: Vec<Vec<u32>> = sets.par_iter().enumerate().map(receivers).collect();
            n_messages += count(&receivers);
            let senders = senders(&receivers);
            sets = (senders.par_iter().enumerate())
                .map(|(rank, senders)| {
                    let mut known = sets[rank].clone();
                    for &sender in senders {
                        known.union_with(&sets[sender as usize], n_ranks);
                    }
                    remember(max_knowledge, &sets[rank], known, rank, round, stage)
                })
                .collect();
        }
        Knowledge { sets, n_messages }
    }

    /// Ranks that begin tell `fanout` others of themselves; then, `n_rounds - 1` times, those that were told
    /// something in the round before tell what they know to `fanout` ranks that they do not know of.
    fn of_some(
        information: &Information,
        begins: Vec<bool>,
        at_once: bool,
        stage: Stage,
        cancel: &Cancel,
    ) -> Self {
        let Information { n_rounds, fanout, max_knowledge, .. } = *information;
        let n_ranks = stage.n_ranks;
        let begin = |(rank, &begins): (u32, &bool)| if begins { RankSet::of(rank) } else { RankSet::none() };
        let mut sets: Vec<RankSet> = (0..).zip(&begins).map(begin).collect();
        // What ranks pass on, where that is not all they know.
        let mut passed: Option<Vec<RankSet>> = None;
        let mut tells = begins;
        let mut n_messages = 0;
        for round in 0..n_rounds {
            if cancel.is_cancelled() {
                break;
            }
            let told = passed.as_ref().unwrap_or(&sets);
            let receivers = |rank: usize| {
                let mut random = stage.round(round, rank);
                if tells[rank] {
                    told[rank].sample_others(fanout, rank as u32, n_ranks, &mut random)
                } else {
                    Vec::new()
                }
            };
            let receivers: Vec<Vec<u32>> = (0..n_ranks).into_par_iter().map(receivers).collect();
            n_messages += count(&receivers);
            let senders = senders(&receivers);
            let learn = |(rank, senders): (usize, &Vec<u32>)| {
                let mut known = sets[rank].clone();
                for &sender in senders {
                    known.union_with(&told[sender as usize], n_ranks);
                }
                remember(max_knowledge, &sets[rank], known, rank, round, stage)
            };
            let pass = |(rank, senders): (usize, &Vec<u32>)| {
                let mut known = sets[rank].clone();
                if !senders.is_empty() {
                    let first = stage.memory(round, rank).random_range(0..senders.len());
                    known.union_with(&told[senders[first] as usize], n_ranks);
                }
                known
            };
            let is_last = round + 1 == n_rounds;
            let next_passed =
                (at_once && !is_last).then(|| senders.par_iter().enumerate().map(pass).collect());
            sets = senders.par_iter().enumerate().map(learn).collect();
            passed = next_passed;
            tells = senders.iter().map(|senders| !senders.is_empty()).collect();
        }
        Knowledge { sets, n_messages }
    }

    /// The ranks that a rank knows, itself perhaps among them.
    pub(super) fn of(&self, rank: RankId) -> &RankSet {
        &self.sets[rank.index()]
    }

    /// The others of them, ascending.
    pub(super) fn peers(&self, rank: RankId) -> Vec<RankId> {
        let known = self.of(rank).ranks();
        known.into_iter().filter(|&peer| peer != rank.0).map(RankId).collect()
    }

    /// The part of the other ranks that a rank knows, in the mean.
    pub(super) fn ratio(&self) -> f64 {
        let n_ranks = self.sets.len();
        if n_ranks < 2 {
            return 1.0;
        }
        let others = |(rank, set): (u32, &RankSet)| set.len() - usize::from(set.contains(rank));
        let known: usize = (0..).zip(&self.sets).map(others).sum();
        known as f64 / (n_ranks * (n_ranks - 1)) as f64
    }
}

fn count(receivers: &[Vec<u32>]) -> u64 {
    receivers.iter().map(|receivers| receivers.len() as u64).sum()
}

/// Who tells each rank, ascending.
fn senders(receivers: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut senders: Vec<Vec<u32>> = vec![Vec::new(); receivers.len()];
    for (sender, receivers) in receivers.iter().enumerate() {
        for &receiver in receivers {
            senders[receiver as usize].push(sender as u32);
        }
    }
    senders
}

/// What a rank remembers that was told more than it can: all that it knew, and of the news a random part.
fn remember(
    max_knowledge: Option<usize>,
    before: &RankSet,
    known: RankSet,
    rank: usize,
    round: u32,
    stage: Stage,
) -> RankSet {
    let Some(most) = max_knowledge.map(|most| most + 1).filter(|&most| known.len() > most) else {
        return known;
    };
    let (mut kept, news): (Vec<u32>, Vec<u32>) =
        known.ranks().into_iter().partition(|&known| before.contains(known));
    let room = most.saturating_sub(kept.len()).min(news.len());
    let drawn = rand::seq::index::sample(&mut stage.memory(round, rank), news.len(), room);
    kept.extend(drawn.into_iter().map(|at| news[at]));
    kept.sort_unstable();
    RankSet::from_ascending(kept, stage.n_ranks)
}
