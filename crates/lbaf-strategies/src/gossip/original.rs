// SPDX-License-Identifier: MIT OR Apache-2.0
//! Original transfer: overloaded ranks give single objects to peers, preferably to those with little work.

use lbaf_model::{RankId, Slot, View, Work};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Gain;
use super::distribution::Distribution;
use super::turn::{Offer, Turn};

/// Work of the sender that the criterion uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SenderLoad {
    /// Current work.
    #[default]
    Current,
    /// Work at the beginning of the turn of the sender.
    Frozen,
}

/// Treatment of the remaining objects after an accepted transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rescan {
    /// The sender continues with the next object and offers each object once.
    #[default]
    Continue,
    /// The sender restarts the list and offers rejected objects again. The turn ends when all remaining objects
    /// have been rejected in sequence.
    Restart,
}

/// Work of the destination that the criterion uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DestLoad {
    /// Current work, as visible to the sender.
    #[default]
    Live,
    /// Work at the start of the iteration.
    Snapshot,
}

/// Time at which the probabilities of destinations are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cmf {
    /// After every accepted transfer.
    #[default]
    Transfer,
    /// At the beginning of the turn of each rank.
    Rank,
    /// At the start of the iteration, from the information spread by gossip.
    Iteration,
}

/// Possible destinations and their probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destinations {
    /// Ranks below the target, with weight 1 - work / target, computed at the time given by [`Cmf`].
    Below(Cmf),
    /// Ranks below the target at the beginning of the turn, with weight 1 - work / most, where `most` is the
    /// maximum work among them, but at least the target. Computed after every transfer (vt's `NormByMax`).
    NormByMax,
    /// Ranks that the criterion accepts for the object, with weight 1 - work / most, where `most` is the maximum
    /// work among them, but at least the target (vt's `NormByMaxExcludeIneligible`).
    Eligible,
}

impl<V: View> Turn<'_, V> {
    /// Offers the objects one by one until the rank is no longer above the target, no destination can be drawn, or all
    /// remaining objects were rejected. With [`Destinations::Eligible`], an object without a destination counts as
    /// rejected.
    pub(super) fn original(&mut self) {
        let began = self.work();
        let mut left = self.ordered();
        let mut sampler = Sampler::new(self);
        // Objects are taken from the end of the list. Those from position `next` on were rejected; after an accepted
        // transfer, `Rescan::Restart` offers them again.
        let mut next = left.len();
        while next > 0 && is_above(self.work(), self.scene.target.work) && !self.scene.cancel.is_cancelled() {
            next -= 1;
            let object = left[next];
            let Some(peer) = self.draw(&mut sampler, object) else {
                if self.scene.parameters.destinations == Destinations::Eligible {
                    self.deeds.n_rejections += 1;
                    continue;
                }
                break;
            };
            if !self.accepts(&self.offer(&[object]), peer, began) {
                self.deeds.n_rejections += 1;
                continue;
            }
            left.remove(next);
            self.swap(vec![object], peer, Vec::new());
            sampler.renew(self, peer);
            if self.scene.parameters.rescan == Rescan::Restart {
                next = left.len();
            }
        }
    }

    fn draw(&mut self, sampler: &mut Sampler<'_>, object: Slot) -> Option<RankId> {
        match sampler {
            Sampler::Shared(distribution) => distribution.draw(self.rank, &mut self.random),
            Sampler::Own(distribution) => distribution.draw(self.rank, &mut self.random),
            Sampler::Underloaded(underloaded) => self.draw_underloaded(underloaded),
            Sampler::Eligible => self.draw_eligible(object),
        }
    }

    /// Returns the distribution over peers, by the works spread by gossip if `heard` is true, otherwise by the current
    /// works.
    fn distribution(&self, heard: bool) -> Distribution {
        let works = self.peers.iter().map(|&peer| {
            (peer, if heard { self.scene.heard[peer.index()] } else { self.works.of(peer).cost() })
        });
        Distribution::new(works, self.scene.target.work)
    }

    /// Draws one of the known ranks that were below the target at the beginning of the turn, if any.
    ///
    /// Rejection sampling: a known rank is drawn uniformly and accepted with a probability equal to its weight, which
    /// avoids an inspection of all ranks. After `TRIES` rejections, all known ranks are inspected, and the distribution
    /// is used until the next transfer.
    fn draw_underloaded(&mut self, underloaded: &mut Underloaded) -> Option<RankId> {
        const TRIES: usize = 64;
        let tries = if underloaded.all.is_some() { 0 } else { TRIES };
        for _ in 0..tries {
            let peer = RankId(self.known.draw(&mut self.random)?);
            let kept = self.random.random::<f64>();
            if self.is_underloaded(peer, underloaded)
                && kept < 1.0 - self.works.of(peer).cost() / underloaded.most
            {
                return Some(peer);
            }
        }
        let (all, only) = underloaded.all.take().unwrap_or_else(|| {
            let peers = self.known.ranks().into_iter().map(RankId);
            let peers: Vec<RankId> = peers.filter(|&peer| self.is_underloaded(peer, underloaded)).collect();
            let works = peers.iter().map(|&peer| (peer, self.works.of(peer).cost()));
            let only = if let [only] = peers[..] { Some(only) } else { None };
            (Distribution::new(works, underloaded.most), only)
        });
        let drawn = all.draw(self.rank, &mut self.random);
        underloaded.all = Some((all, only));
        // A single candidate is the destination even if its weight is 0.
        drawn.or(only)
    }

    fn is_underloaded(&self, peer: RankId, underloaded: &Underloaded) -> bool {
        let is_below = || self.works.of(peer).cost() < self.scene.target.work;
        peer != self.rank && (is_below() || underloaded.given.contains(&peer))
    }

    /// Draws one of the peers that the criterion accepts for the object.
    fn draw_eligible(&mut self, object: Slot) -> Option<RankId> {
        let began = self.work();
        let offer = self.offer(&[object]);
        let eligible = self.peers.iter().copied().filter(|&peer| self.accepts(&offer, peer, began));
        let works: Vec<(RankId, f64)> = eligible.map(|peer| (peer, self.works.of(peer).cost())).collect();
        let most = works.iter().map(|&(_, work)| work).fold(self.scene.target.work, f64::max);
        let drawn = Distribution::new(works.iter().copied(), most).draw(self.rank, &mut self.random);
        // If all eligible peers have the maximum work, their weights are 0.
        drawn.or_else(|| works.first().map(|&(peer, _)| peer))
    }

    fn accepts(&self, offer: &Offer, peer: RankId, began: Work) -> bool {
        let parameters = self.scene.parameters;
        let (mut own, mut other) = self.ends(peer);
        let mut after = self.works_after(offer, peer);
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
        let gain = self.criterion().gain((own, other), after, self.scene.target.work, breaks);
        let enough = |gain: Gain| gain.is_positive() || (parameters.accepts_ties && !gain.is_negative());
        gain.is_some_and(enough)
    }
}

/// Sampler of the destinations of a turn.
enum Sampler<'a> {
    /// Distribution shared by all ranks.
    Shared(&'a Distribution),
    Own(Distribution),
    Underloaded(Underloaded),
    Eligible,
}

/// Known ranks that were below the target at the beginning of the turn, weighted by their current work.
struct Underloaded {
    /// Ranks among them that have received objects in this turn.
    given: Vec<RankId>,
    /// The target, or the largest work of a rank of `given` after a transfer to it, if that is larger.
    most: f64,
    /// Distribution over all known ranks that were below the target, and the only such rank if there is just one.
    /// `None` until needed, and after each transfer.
    all: Option<(Distribution, Option<RankId>)>,
}

impl<'a> Sampler<'a> {
    fn new<V: View>(turn: &Turn<'a, V>) -> Self {
        let scene = turn.scene;
        match scene.parameters.destinations {
            Destinations::Below(cmf) => {
                let knows_all = || turn.peers.len() + 1 == scene.heard.len();
                if cmf == Cmf::Iteration && knows_all() {
                    return Sampler::Shared(scene.destinations);
                }
                Sampler::Own(turn.distribution(cmf == Cmf::Iteration))
            }
            Destinations::NormByMax => {
                Sampler::Underloaded(Underloaded { given: Vec::new(), most: scene.target.work, all: None })
            }
            Destinations::Eligible => Sampler::Eligible,
        }
    }

    /// Updates the sampler after a transfer to a peer.
    fn renew<V: View>(&mut self, turn: &Turn<'_, V>, peer: RankId) {
        match self {
            Sampler::Own(distribution)
                if turn.scene.parameters.destinations == Destinations::Below(Cmf::Transfer) =>
            {
                *distribution = turn.distribution(false);
            }
            Sampler::Underloaded(underloaded) => {
                if !underloaded.given.contains(&peer) {
                    underloaded.given.push(peer);
                }
                underloaded.most = underloaded.most.max(turn.works.of(peer).cost());
                underloaded.all = None;
            }
            _ => {}
        }
    }
}

/// True if a rank should give objects away: its work is above the target, or exceeds a bound.
pub(super) fn is_above(work: Work, target: f64) -> bool {
    work.is_over_bound() || work.cost() > target
}
