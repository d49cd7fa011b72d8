// SPDX-License-Identifier: MIT OR Apache-2.0
//! Information stage: ranks spread information about themselves by gossip.

use lbaf_model::RankId;
use rand::RngExt;
use rayon::prelude::*;

use super::Stage;
use super::rank_set::RankSet;
use crate::Cancel;

/// Parameters of the information stage.
#[derive(Clone, Debug)]
pub(crate) struct Information {
    pub(crate) n_rounds: u32,
    /// Number of ranks to which a rank sends in a round.
    pub(crate) fanout: usize,
    /// Maximum number of other ranks that a rank remembers; `None` for no limit.
    pub(crate) max_knowledge: Option<usize>,
    pub(crate) manner: Manner,
}

/// Choice of senders and receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As in LBAF. All ranks send: in the first round to ranks drawn from all others, in later rounds to ranks they
    /// have heard of.
    All,
    /// As in vt. In the first round, ranks below the target send; in later rounds, ranks that received a message in the
    /// previous round. The receivers are ranks that are not in the knowledge that the sender forwards.
    Underloaded {
        /// True: a rank forwards its previous knowledge and one random message of a round, as if this message had
        /// arrived first. False: it forwards all messages of the round.
        at_once: bool,
        /// True: all ranks send in the first round.
        all_begin: bool,
    },
}

/// Ranks that each rank has heard of, which may include itself.
pub(super) struct Knowledge {
    sets: Vec<RankSet>,
    /// Number of messages sent.
    pub(super) n_messages: u64,
}

impl Knowledge {
    /// Runs the information stage and returns the resulting knowledge. `below` marks the ranks below the target.
    ///
    /// Costs O(ranks x fanout x rounds) unions of sets. Sets with few members are lists.
    pub(super) fn spread(information: &Information, below: &[bool], stage: Stage, cancel: &Cancel) -> Self {
        match information.manner {
            Manner::All => Knowledge::of_all(information, stage, cancel),
            Manner::Underloaded { at_once, all_begin } => {
                let begins: Vec<bool> = below.iter().map(|&below| below || all_begin).collect();
                Knowledge::of_underloaded(information, begins, at_once, stage, cancel)
            }
        }
    }

    /// Spreads information as in [`Manner::All`]. In the first round, every rank sends its own information to `fanout`
    /// ranks drawn from all others. In the other `n_rounds - 1` rounds, all ranks send their knowledge to `fanout` of
    /// the ranks they have heard of, or to all if there are fewer.
    fn of_all(information: &Information, stage: Stage, cancel: &Cancel) -> Self {
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
                // Every rank has heard of all others. Further messages change nothing, but are counted.
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

    /// Spreads information as in [`Manner::Underloaded`]. In the first round, the ranks marked in `begins` send their
    /// own information to `fanout` other ranks. In the other `n_rounds - 1` rounds, ranks that received a message in
    /// the previous round forward their knowledge, or a part of it, to `fanout` ranks that are not in it.
    fn of_underloaded(
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
        // Knowledge that ranks pass on, if it is less than their entire knowledge.
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

    /// Returns the ranks that a rank has heard of, which may include itself.
    pub(super) fn of(&self, rank: RankId) -> &RankSet {
        &self.sets[rank.index()]
    }

    /// Returns the other ranks that a rank has heard of, in ascending order.
    pub(super) fn peers(&self, rank: RankId) -> Vec<RankId> {
        let known = self.of(rank).ranks();
        known.into_iter().filter(|&peer| peer != rank.0).map(RankId).collect()
    }

    /// Returns the fraction of the other ranks that a rank has heard of, averaged over ranks; 1 for a single rank.
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

/// Returns the ranks that send to each rank, in ascending order.
fn senders(receivers: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut senders: Vec<Vec<u32>> = vec![Vec::new(); receivers.len()];
    for (sender, receivers) in receivers.iter().enumerate() {
        for &receiver in receivers {
            senders[receiver as usize].push(sender as u32);
        }
    }
    senders
}

/// Returns the ranks that a rank remembers after a round: those of `before`, and as many of the new ranks, drawn at
/// random, as `max_knowledge` permits. `known` contains `before` and the new ranks.
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
