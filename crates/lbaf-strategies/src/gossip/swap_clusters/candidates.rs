// SPDX-License-Identifier: MIT OR Apache-2.0
//! Choice of the peer from which a rank requests an exchange.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use lbaf_model::{LoadFloor, RankId, View};

use super::{Heard, exchange};
use crate::gossip::Gain;
use crate::gossip::information::Knowledge;
use crate::gossip::turn::Scene;

/// Peers from which a rank can request an exchange, in descending order of gain.
///
/// Upper limits of the gain follow from the loads of ranks, and more closely from the loads of their clusters. The
/// closer limit, and then the exact gain, are computed only for peers at the top of the order.
pub(super) struct Candidates {
    rank: RankId,
    /// Peers that may be first in the order.
    peers: BinaryHeap<Candidate>,
    /// Peers that follow in the order; the first of them is at the end. A heap of all would exceed the cache.
    later: Vec<Candidate>,
    /// Peers that refused, in the order of refusals. They are asked again after all others.
    refused: Vec<Candidate>,
    /// True if all remaining peers have refused before.
    retries: bool,
    /// Number of consecutive locks without an exchange, which occur because information spread by gossip is out of
    /// date.
    n_fruitless: u32,
}

/// Answer to the request for a lock.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Refused,
    /// The lock was granted, with or without an exchange.
    Granted {
        exchanged: bool,
    },
}

/// Number of consecutive fruitless locks after which a rank stops requesting until the next iteration.
const MOST_FRUITLESS: u32 = 16;

/// Number of later peers that are added at once.
const N_ADDED: usize = 128;

struct Candidate {
    gain: Gain,
    precision: Precision,
    peer: RankId,
}

/// Meaning of the gain of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// Gain of the best exchange.
    Exact,
    /// Upper limit by the loads of clusters.
    ByClusters,
    /// Upper limit by the loads of the two ranks.
    ByRanks,
}

impl Candidates {
    pub(super) fn new(rank: RankId, scene: Scene<'_>, heard: &Heard<'_>, knowledge: &Knowledge) -> Self {
        let candidate = |peer: RankId| {
            let gain = conceivable(scene, heard, rank, peer);
            Candidate { gain, precision: Precision::ByRanks, peer }
        };
        let peers = knowledge.peers(rank).into_iter().map(candidate);
        let later = peers.filter(|candidate| candidate.gain.is_positive()).collect();
        let peers = BinaryHeap::new();
        Candidates { rank, peers, later, refused: Vec::new(), retries: false, n_fruitless: 0 }
    }

    /// Returns the requesting rank.
    pub(super) fn rank(&self) -> RankId {
        self.rank
    }

    /// Returns the largest gain, its peer, and true if the peer has refused before. `None` if no exchange with a
    /// remaining peer has a gain, or after [`MOST_FRUITLESS`] consecutive locks without an exchange.
    pub(super) fn best(&mut self, scene: Scene<'_>, heard: &Heard<'_>) -> Option<(Gain, RankId, bool)> {
        if self.n_fruitless >= MOST_FRUITLESS {
            return None;
        }
        loop {
            self.add_later();
            let Some(first) = self.peers.peek() else {
                if self.refused.is_empty() {
                    return None;
                }
                self.retries = true;
                self.peers.extend(self.refused.drain(..));
                continue;
            };
            if first.precision == Precision::Exact {
                return Some((first.gain, first.peer, self.retries));
            }
            let Candidate { gain: limit, precision, peer } = self.peers.pop()?;
            let ends = (heard.works[self.rank.index()], heard.works[peer.index()]);
            if precision == Precision::ByRanks {
                let [own, others] = [self.rank, peer].map(|rank| (rank, &heard.loads[rank.index()][..]));
                let closer = exchange::most_conceivable(scene, &heard.totals, ends, own, others);
                let gain = Gain { value: limit.value.min(closer), ..limit };
                if gain.is_positive() {
                    self.peers.push(Candidate { gain, precision: Precision::ByClusters, peer });
                }
            } else {
                let [own, others] = [self.rank, peer].map(|rank| &heard.clusters[rank.index()]);
                let best = exchange::best_of(scene, &heard.totals, ends, own, others);
                let exact = best.map(|(gain, ..)| Candidate { gain, precision: Precision::Exact, peer });
                self.peers.extend(exact);
            }
        }
    }

    /// Adds later peers until the first one in the order is among `peers`.
    fn add_later(&mut self) {
        while let Some(next) = self.later.last()
            && self.peers.peek().is_none_or(|first| first < next)
        {
            let n = self.later.len().saturating_sub(N_ADDED);
            if let Some(last) = n.checked_sub(1) {
                self.later.select_nth_unstable(last);
            }
            self.peers.extend(self.later.drain(n..));
        }
    }

    /// Records the answer of the peer returned by [`best`](Candidates::best).
    pub(super) fn answered(&mut self, answer: Answer) {
        match answer {
            Answer::Refused => self.refused.extend(self.peers.pop()),
            Answer::Granted { exchanged } => {
                self.peers.pop();
                self.n_fruitless = if exchanged { 0 } else { self.n_fruitless + 1 };
            }
        }
    }
}

/// Returns an upper limit of the gain of any exchange between two ranks: the gain if, by load alone, both works were
/// equal after it. Infinite if a rank exceeds a bound.
fn conceivable(scene: Scene<'_>, heard: &Heard<'_>, rank: RankId, peer: RankId) -> Gain {
    let (own, other) = (heard.works[rank.index()], heard.works[peer.index()]);
    if own.is_over_bound() || other.is_over_bound() {
        return Gain { excess: f64::INFINITY, value: f64::INFINITY };
    }
    let LoadFloor { slope, constant } = scene.problem.model.load_floor();
    let (source, target) = (heard.totals.rank(rank), heard.totals.rank(peer));
    let load = source.load + target.load;
    let speeds = 1.0 / source.alpha + 1.0 / target.alpha;
    let even = if speeds.is_finite() { slope * load / speeds } else { 0.0 };
    let most = own.max(other).cost();
    Gain { excess: 0.0, value: most - even - constant + 1e-9 * most }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    /// Compares gains. Of equal gains, an upper limit is greater than an exact gain; then the lower rank is greater.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.cmp(&other.gain);
        by_gain.then(self.precision.cmp(&other.precision)).then(other.peer.cmp(&self.peer))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Gains have few values, so many are equal.
        #[test]
        fn peers_come_in_the_order_of_a_sort(gains in prop::collection::vec(0_u8..9, 0..5 * N_ADDED)) {
            let candidates = || {
                (0..).zip(&gains).map(|(peer, &value)| Candidate {
                    gain: Gain { excess: 0.0, value: f64::from(value) },
                    precision: Precision::ByRanks,
                    peer: RankId(peer),
                })
            };
            let mut expected: Vec<Candidate> = candidates().collect();
            expected.sort_unstable();
            let mut all = Candidates {
                rank: RankId(0),
                peers: BinaryHeap::new(),
                later: candidates().collect(),
                refused: Vec::new(),
                retries: false,
                n_fruitless: 0,
            };
            while let Some(next) = expected.pop() {
                all.add_later();
                prop_assert!(all.peers.len() <= 2 * N_ADDED);
                prop_assert_eq!(all.peers.pop().map(|found| found.peer), Some(next.peer));
            }
            all.add_later();
            prop_assert!(all.peers.is_empty() && all.later.is_empty());
        }
    }
}
