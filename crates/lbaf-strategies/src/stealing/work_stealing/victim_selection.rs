// SPDX-License-Identifier: MIT OR Apache-2.0
//! Victim selection.

use std::cmp::Reverse;

use lbaf_model::RankId;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::VictimOrder;
use super::queue::{Queues, Rank};

/// Round of requests of an idle rank, until another rank gives a unit.
///
/// Each rank receives at most one request. The exception is `VictimOrder::MostLoaded` with latency: a rank whose
/// waiting seconds have decreased since its request can receive another one.
#[derive(Clone, Debug)]
pub(super) struct Round {
    order: Next,
    /// Value of `Simulation::n_moves` at the start of the round.
    pub(super) n_moves: u64,
    /// True if a rank that refused earlier in the round may accept now.
    pub(super) is_stale: bool,
}

#[derive(Clone, Debug)]
enum Next {
    /// Ranks in descending order of waiting seconds. The content is the last rank asked.
    LessLoaded(Option<Rank>),
    /// Ranks in steps of `stride` around the ring of ranks, starting at `at`. `left` steps remain.
    Stride { at: usize, stride: usize, left: usize },
}

/// Starting points of rounds.
pub(super) struct Start {
    victim: VictimOrder,
    n_ranks: usize,
    /// First rank that each rank asks around the ring.
    first: Vec<usize>,
    random: Vec<ChaCha8Rng>,
}

impl Start {
    /// Creates the starting points. `stream` returns the random numbers of a rank.
    pub(super) fn new(victim: VictimOrder, n_ranks: usize, stream: impl Fn(u64) -> ChaCha8Rng) -> Self {
        let random = if victim == VictimOrder::Random {
            (0..n_ranks as u64).map(stream).collect()
        } else {
            Vec::new()
        };
        let first = (0..n_ranks).map(|rank| (rank + 1) % n_ranks).collect();
        Start { victim, n_ranks, first, random }
    }

    /// Starts a round of an idle rank.
    pub(super) fn round(&mut self, thief: RankId, n_moves: u64) -> Round {
        let left = self.n_ranks;
        let order = match self.victim {
            VictimOrder::MostLoaded => Next::LessLoaded(None),
            VictimOrder::Ring => Next::Stride { at: self.first[thief.index()], stride: 1, left },
            VictimOrder::Random => {
                let random = &mut self.random[thief.index()];
                let at = random.random_range(0..self.n_ranks as u64) as usize;
                // A stride that is coprime to the number of ranks reaches every rank.
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

    /// Records the victim of a steal.
    pub(super) fn stole_from(&mut self, thief: RankId, victim: RankId) {
        self.first[thief.index()] = victim.index();
    }
}

impl Round {
    /// Returns the next rank to ask, or `None` at the end of the round.
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
