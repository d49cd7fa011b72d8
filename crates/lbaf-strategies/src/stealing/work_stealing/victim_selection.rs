// SPDX-License-Identifier: MIT OR Apache-2.0
//! Victim selection: the ranks that an idle rank asks, one after the other.

use std::cmp::Reverse;

use lbaf_model::RankId;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::VictimOrder;
use super::queue::{Queues, Rank};

/// The ranks that an idle rank asks until one has something for it: each other rank once.
#[derive(Clone, Debug)]
pub(super) struct Round {
    order: Next,
    /// How often units had gone to wait elsewhere before the round.
    pub(super) n_moves: u64,
    /// Whether somebody who refused may think better of it by now.
    pub(super) is_stale: bool,
}

#[derive(Clone, Debug)]
enum Next {
    /// Those with less waiting than the last one asked.
    LessLoaded(Option<Rank>),
    /// So many more, in steps around the ring of all ranks.
    Stride { at: usize, stride: usize, left: usize },
}

/// Where rounds begin.
pub(super) struct Start {
    victim: VictimOrder,
    n_ranks: usize,
    /// For each rank, whom it asks first: its neighbour, later whom it stole from last.
    first: Vec<usize>,
    random: Vec<ChaCha8Rng>,
}

impl Start {
    /// `stream` gives the random numbers of each rank.
    pub(super) fn new(victim: VictimOrder, n_ranks: usize, stream: impl Fn(u64) -> ChaCha8Rng) -> Self {
        let random = if victim == VictimOrder::Random {
            (0..n_ranks as u64).map(stream).collect()
        } else {
            Vec::new()
        };
        let first = (0..n_ranks).map(|rank| (rank + 1) % n_ranks).collect();
        Start { victim, n_ranks, first, random }
    }

    /// A round of an idle rank.
    pub(super) fn round(&mut self, thief: RankId, n_moves: u64) -> Round {
        let left = self.n_ranks;
        let order = match self.victim {
            VictimOrder::MostLoaded => Next::LessLoaded(None),
            VictimOrder::Ring => Next::Stride { at: self.first[thief.index()], stride: 1, left },
            VictimOrder::Random => {
                let random = &mut self.random[thief.index()];
                let at = random.random_range(0..self.n_ranks as u64) as usize;
                // Steps that have no factor in common with the number of ranks come to each of them.
                let stride = loop {
                    let stride = random.random_range(1..=self.n_ranks as u64) as usize;
                    if greatest_common_divisor(stride, self.n_ranks) == 1 {
                        break stride;
                    }
                };
                Next::Stride { at, stride, left }
            }
        };
        Round { order, n_moves, is_stale: false }
    }

    /// Remembers whom a rank stole from.
    pub(super) fn stole_from(&mut self, thief: RankId, victim: RankId) {
        self.first[thief.index()] = victim.index();
    }
}

impl Round {
    /// The next rank to ask, `None` after all were asked.
    pub(super) fn next(&mut self, thief: RankId, queues: &Queues, n_ranks: usize) -> Option<RankId> {
        match &mut self.order {
            Next::LessLoaded(below) => {
                *below = Some(queues.most_loaded(*below)?);
                below.map(|(_, Reverse(rank))| rank)
            }
            Next::Stride { at, stride, left } => loop {
                *left = left.checked_sub(1)?;
                let victim = RankId::from(*at);
                *at = (*at + *stride) % n_ranks;
                if victim != thief {
                    return Some(victim);
                }
            },
        }
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
