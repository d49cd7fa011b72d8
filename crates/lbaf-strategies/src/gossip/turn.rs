// SPDX-License-Identifier: MIT OR Apache-2.0
//! The turn of one rank: its view of the placement, its peers, its transfers.

use lbaf_model::{Bundle, LoadFloor, RankId, RankTotals, Slot, Transfer, View, Work, WorkModel};
use rand_chacha::ChaCha8Rng;

use super::distribution::Distribution;
use super::rank_set::RankSet;
use super::{Criterion, Gain, Gossip};
use crate::primitives::works::Ends;
use crate::primitives::works::Works;
use crate::{Cancel, Locks, Problem};

/// What all turns of an iteration share.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) parameters: &'a Gossip,
    pub(super) problem: Problem<'a>,
    /// Work of every rank when the iteration began: what gossip told of it.
    pub(super) heard: &'a [f64],
    /// Destinations by that work, for ranks that know all others.
    pub(super) destinations: &'a Distribution,
    pub(super) target: Target,
    /// Whether what one rank has may concern others of its node.
    pub(super) bounds_nodes: bool,
    pub(super) cancel: &'a Cancel,
}

/// What a rank should have in an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The mean work when the iteration began, or more.
    pub(super) work: f64,
    /// The same of load.
    pub(super) load: f64,
    /// Mean and largest load when the iteration began.
    pub(super) mean_load: f64,
    pub(super) max_load: f64,
}

/// The turn of one rank on the placement as it sees it.
pub(super) struct Turn<'a, V> {
    pub(super) scene: Scene<'a>,
    pub(super) view: &'a mut V,
    pub(super) works: Works<'a>,
    pub(super) rank: RankId,
    /// The ranks that it knows, itself perhaps among them.
    pub(super) known: &'a RankSet,
    /// The others of them, ascending; none in a turn that draws from `known`.
    pub(super) peers: Vec<RankId>,
    pub(super) random: ChaCha8Rng,
    /// What it did.
    pub(super) deeds: Deeds,
}

/// What a rank did in its turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Deeds {
    /// Objects that changed rank.
    pub(super) n_transfers: usize,
    /// Transfers that were considered and rejected.
    pub(super) n_rejections: usize,
    /// Parts of clusters that were too many to look at.
    pub(super) n_unseen: u64,
    /// What locks it took, where ranks lock each other.
    pub(super) locks: Option<Locks>,
    /// The transfers themselves, in order.
    pub(super) transfers: Vec<Made>,
}

/// A transfer that was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) from: RankId,
    pub(super) to: RankId,
    pub(super) objects: Vec<Slot>,
    pub(super) returned: Vec<Slot>,
}

impl Made {
    pub(super) fn transfer(&self) -> Transfer<'_> {
        Transfer { from: self.from, to: self.to, objects: &self.objects, returned: &self.returned }
    }
}

/// Objects that a rank would give, and what it would have left.
pub(super) struct Offer {
    pub(super) bundle: Bundle,
    left: RankTotals,
    /// Its work then, unless a node is bounded: then it depends on where they go.
    work_left: Work,
}

impl<'a, V: View> Turn<'a, V> {
    pub(super) fn model(&self) -> &'a dyn WorkModel {
        self.scene.problem.model
    }

    /// Work of the rank as it stands.
    pub(super) fn work(&self) -> Work {
        self.works.of(self.rank)
    }

    /// Load of the rank as it stands, in seconds.
    pub(super) fn load(&self) -> f64 {
        self.view.rank(self.rank).load
    }

    /// The objects of a rank that may move, ascending.
    pub(super) fn migratable(&self, rank: RankId) -> Vec<Slot> {
        let mut objects = self.view.objects(rank);
        objects.retain(|&slot| self.view.phase().is_migratable(slot));
        objects
    }

    /// The objects of the rank that may move, in the order in which they are offered: the last comes first.
    pub(super) fn ordered(&self) -> Vec<Slot> {
        let mut objects = self.migratable(self.rank);
        let Gossip { order, order_from, order_marginal, .. } = self.scene.parameters;
        let Problem { phase, keys, .. } = self.scene.problem;
        order.list(&mut objects, phase, keys, self.load() - self.scene.target.load, *order_marginal);
        if *order_from == super::End::Start {
            objects.reverse();
        }
        objects
    }

    /// Objects of the rank, to be offered.
    pub(super) fn offer(&self, objects: &[Slot]) -> Offer {
        let bundle = self.view.bundle(self.rank, objects);
        Offer::new(self, bundle)
    }

    /// What a gift to a peer is worth.
    pub(super) fn gain(&self, offer: &Offer, peer: RankId) -> Option<Gain> {
        self.gain_between(offer, peer, self.ends(peer))
    }

    /// The same, with the work of the ends as it stands.
    pub(super) fn gain_between(&self, offer: &Offer, peer: RankId, ends: Ends) -> Option<Gain> {
        let after = self.works_after(offer, peer);
        let breaks = self.criterion() == Criterion::StrictLocalizing && offer.bundle.talks_on_its_rank();
        self.criterion().gain(ends, after, self.scene.target.work, breaks)
    }

    /// Work of the rank and of a peer as it stands.
    pub(super) fn ends(&self, peer: RankId) -> Ends {
        (self.work(), self.works.of(peer))
    }

    /// Work of both ends after a gift.
    pub(super) fn works_after(&self, offer: &Offer, to: RankId) -> Ends {
        let got = self.view.with(to, &offer.bundle);
        if self.scene.bounds_nodes {
            return self.view.works_if(self.model(), (self.rank, &offer.left), (to, &got));
        }
        (offer.work_left, self.model().work(&got))
    }

    /// The greatest value that an exchange with a peer can have which lowers the own load by `load`: what load
    /// alone costs is known without a look at edges.
    pub(super) fn best_conceivable(&self, load: f64, peer: RankId, (own, other): Ends) -> f64 {
        if self.criterion() != Criterion::Tempered || own.is_over_bound() || other.is_over_bound() {
            return f64::INFINITY;
        }
        most_by_load(&*self.view, self.model(), (self.rank, peer), load, (own, other))
    }

    /// Makes a gift to a peer.
    pub(super) fn give(&mut self, offer: &Offer, to: RankId) {
        self.swap(offer.bundle.objects().to_vec(), to, Vec::new());
    }

    /// Makes an exchange with a peer.
    pub(super) fn swap(&mut self, objects: Vec<Slot>, to: RankId, returned: Vec<Slot>) {
        let made = Made { from: self.rank, to, objects, returned };
        self.view.apply(&made.transfer());
        self.deeds.n_transfers += made.objects.len() + made.returned.len();
        self.deeds.transfers.push(made);
        self.works.update(&*self.view, self.scene.problem.model, [self.rank, to]);
    }

    pub(super) fn criterion(&self) -> Criterion {
        self.scene.parameters.criterion
    }
}

/// By how much the larger work of two ranks can fall at most when `load` seconds go from the first to the second: what
/// load alone costs is known without a look at anything else.
pub(super) fn most_by_load(
    view: &impl View,
    model: &dyn WorkModel,
    (from, to): (RankId, RankId),
    load: f64,
    ends: Ends,
) -> f64 {
    let LoadFloor { slope, constant } = model.load_floor();
    let floor = |totals: &RankTotals, load: f64| slope * totals.alpha * load + constant;
    let (source, target) = (view.rank(from), view.rank(to));
    let least = floor(source, source.load - load).max(floor(target, target.load + load));
    let conceivable = ends.0.max(ends.1).cost() - least;
    // Sums that are kept up to date differ by rounding.
    conceivable + 1e-9 * conceivable.abs()
}

impl Offer {
    pub(super) fn new<V: View>(turn: &Turn<'_, V>, bundle: Bundle) -> Self {
        let left = turn.view.without(&bundle);
        let work_left = turn.model().work(&left);
        Offer { bundle, left, work_left }
    }
}
