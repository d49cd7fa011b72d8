// SPDX-License-Identifier: MIT OR Apache-2.0
//! Original transfer: single objects of overloaded ranks, each to a peer drawn by how little it has.

use lbaf_model::{RankId, Slot, View, Work};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::turn::Turn;

/// The work that the criterion takes a rank to have while it gives objects away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SenderLoad {
    /// What it has.
    #[default]
    Current,
    /// What it had when its turn began.
    Frozen,
}

/// What happens to the rest of the list after an accepted transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rescan {
    /// It is gone through to its end, once.
    #[default]
    Continue,
    /// The list starts again, with the objects that were rejected; the turn ends when all of it was.
    Restart,
}

/// The work that the criterion takes a destination to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DestLoad {
    /// What it has, as far as the rank can see.
    #[default]
    Live,
    /// What it had when the iteration began.
    Snapshot,
}

/// When the probabilities of destinations are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cmf {
    /// After every accepted transfer.
    #[default]
    Transfer,
    /// At the beginning of the turn of each rank.
    Rank,
    /// At the beginning of the iteration, from what gossip told.
    Iteration,
}

/// Destinations, ascending, with cumulated weights: 1 - work / mean for those below the mean, nothing for the
/// others.
pub(super) struct Distribution(Vec<(f64, RankId)>);

impl Distribution {
    /// Of ranks that ascend.
    pub(super) fn new(works: impl Iterator<Item = (RankId, f64)>, mean: f64) -> Self {
        let mut sum = 0.0;
        let weights = works.filter(|&(_, work)| work < mean).map(|(rank, work)| {
            sum += 1.0 - work / mean;
            (sum, rank)
        });
        Distribution(weights.collect())
    }

    /// A rank other than `but`, `None` if all others have the mean work or more.
    fn draw(&self, but: RankId, random: &mut impl rand::Rng) -> Option<RankId> {
        let weights = &self.0;
        let below = |at: usize| at.checked_sub(1).map_or(0.0, |before| weights[before].0);
        let own = weights.binary_search_by_key(&but, |&(_, rank)| rank).ok();
        let (begin, end) = own.map_or((f64::INFINITY, f64::INFINITY), |own| (below(own), below(own + 1)));
        let left_out = if own.is_some() { end - begin } else { 0.0 };
        let mut drawn = random.random::<f64>() * (below(weights.len()) - left_out);
        if drawn >= begin {
            drawn += left_out;
        }
        let at = weights.partition_point(|&(sum, _)| sum <= drawn);
        // Rounding may lead to the one that is left out, or beyond the last: then its neighbour is as likely.
        let others = [Some(at), at.checked_add(1), at.checked_sub(1), at.checked_sub(2)];
        let ranks = others.into_iter().flatten().filter_map(|at| weights.get(at));
        ranks.map(|&(_, rank)| rank).find(|&rank| rank != but)
    }
}

impl<V: View> Turn<'_, V> {
    /// A rank above the mean work offers its objects one by one until it is not, or until all were rejected.
    pub(super) fn original(&mut self) {
        let mean = self.scene.mean_work;
        let began = self.work();
        let parameters = self.scene.parameters;
        let mut left = self.ordered();
        let knows_all = self.peers.len() + 1 == self.scene.heard.len();
        let mut own_distribution = None;
        if parameters.cmf != Cmf::Iteration || !knows_all {
            own_distribution = Some(self.distribution(parameters.cmf == Cmf::Iteration));
        }
        // Objects before this were rejected since the last accepted transfer; the list is taken from its end.
        let mut next = left.len();
        while next > 0 && is_above(self.work(), mean) {
            next -= 1;
            let distribution = own_distribution.as_ref().unwrap_or(self.scene.destinations);
            let Some(peer) = distribution.draw(self.rank, &mut self.random) else { break };
            if !self.accepts(left[next], peer, began) {
                self.deeds.n_rejections += 1;
                continue;
            }
            let object = left.remove(next);
            self.swap(vec![object], peer, Vec::new());
            if parameters.cmf == Cmf::Transfer {
                own_distribution = Some(self.distribution(false));
            }
            if parameters.rescan == Rescan::Restart {
                next = left.len();
            }
        }
    }

    /// Destinations among the peers, by the work that gossip told of or by what the rank sees.
    fn distribution(&self, heard: bool) -> Distribution {
        let works = self.peers.iter().map(|&peer| {
            (peer, if heard { self.scene.heard[peer.index()] } else { self.works.of(peer).cost() })
        });
        Distribution::new(works, self.scene.mean_work)
    }

    fn accepts(&self, object: Slot, peer: RankId, began: Work) -> bool {
        let parameters = self.scene.parameters;
        let offer = self.offer(&[object]);
        let (mut own, mut other) = self.ends(peer);
        let mut after = self.works_after(&offer, peer);
        if parameters.sender_load == SenderLoad::Frozen {
            own = Work::with_excess(began.cost(), own.excess());
        }
        if parameters.dest_load == DestLoad::Snapshot {
            let unheard = other.cost() - self.scene.heard[peer.index()];
            let known = |work: Work| Work::with_excess(work.cost() - unheard, work.excess());
            after.1 = known(after.1);
            other = known(other);
        }
        let breaks = offer.bundle.talks_on_its_rank();
        let gain = self.criterion().gain((own, other), after, self.scene.mean_work, breaks);
        gain.is_some_and(super::Gain::is_positive)
    }
}

/// Whether a rank should give objects away: it has more than its share, or more than a bound allows.
pub(super) fn is_above(work: Work, mean: f64) -> bool {
    work.is_over_bound() || work.cost() > mean
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// How often each of four ranks is drawn in 40,000 times.
    fn counts(works: [f64; 4], but: u32) -> [u32; 4] {
        let mean = works.iter().sum::<f64>() / 4.0;
        let distribution = Distribution::new((0..).map(RankId).zip(works), mean);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            if let Some(rank) = distribution.draw(RankId(but), &mut random) {
                counts[rank.index()] += 1;
            }
        }
        counts
    }

    #[test]
    fn destinations_are_drawn_by_what_they_lack() {
        // The mean is 4: they lack 4, 2 and 1 parts of it.
        let drawn = counts([0.0, 2.0, 3.0, 11.0], 3);
        let expected = [4.0, 2.0, 1.0].map(|part| part / 7.0 * 40_000.0);
        for (drawn, expected) in drawn.into_iter().zip(expected) {
            assert!((f64::from(drawn) - expected).abs() < 500.0, "{drawn}, not {expected}");
        }
        assert_eq!(drawn[3], 0);
    }

    #[test]
    fn a_rank_is_no_destination_of_its_own_however_much_it_lacks() {
        let drawn = counts([0.0, 2.0, 3.0, 11.0], 0);
        assert!(drawn[0] == 0 && (25_000..28_500).contains(&drawn[1]), "{drawn:?}");
        // All but one part in 10^16 of the weight is its own.
        let almost = 4.0 - 4.0 * f64::EPSILON;
        assert_eq!(counts([0.0, almost, 4.0, 8.0], 0)[0], 0);
        assert_eq!(counts([0.0, 4.0, 4.0, 4.0], 0), [0; 4]);
    }
}
