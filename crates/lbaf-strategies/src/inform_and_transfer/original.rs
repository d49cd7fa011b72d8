// SPDX-License-Identifier: MIT OR Apache-2.0
//! Original transfer: single objects of overloaded ranks, each to a peer drawn by how little it has.

use lbaf_model::{RankId, Slot, View, Work};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::turn::Turn;

/// The work that the criterion takes a rank to have while it gives objects away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SenderLoad {
    /// What it has.
    #[default]
    Current,
    /// What it had when its turn began.
    Frozen,
}

/// What happens to the rest of the list after an accepted transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rescan {
    /// It is gone through to its end, once.
    #[default]
    Continue,
    /// The list starts again, with the objects that were rejected; the turn ends when all of it was.
    Restart,
}

/// The work that the criterion takes a destination to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DestLoad {
    /// What it has, as far as the rank can see.
    #[default]
    Live,
    /// What it had when the iteration began.
    Snapshot,
}

/// When the probabilities of destinations are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Destinations with cumulated weights: 1 - work / mean for those below the mean, nothing for the others.
pub(super) struct Distribution(Vec<(f64, RankId)>);

impl Distribution {
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
        let &(total, last) = self.0.last()?;
        if self.0.len() == 1 && last == but {
            return None;
        }
        loop {
            let drawn = random.random::<f64>() * total;
            let at = self.0.partition_point(|&(sum, _)| sum <= drawn);
            let rank = self.0.get(at).map_or(last, |&(_, rank)| rank);
            if rank != but {
                return Some(rank);
            }
        }
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
