// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turn of one rank.

use lbaf_model::{Bundle, LoadFloor, RankId, RankTotals, Slot, Transfer, View, Work, WorkModel};
use rand_chacha::ChaCha8Rng;

use super::distribution::Distribution;
use super::peer_columns::PeerColumns;
use super::rank_set::RankSet;
use super::{Criterion, Gain, Gossip};
use crate::primitives::works::Ends;
use crate::primitives::works::Works;
use crate::{Cancel, Locks, Problem};

/// Data shared by all turns of an iteration.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) parameters: &'a Gossip,
    pub(super) problem: Problem<'a>,
    /// Work of every rank at the start of the iteration, as spread by gossip.
    pub(super) heard: &'a [f64],
    /// Distribution by `heard`, for ranks that have heard of all others.
    pub(super) destinations: &'a Distribution,
    pub(super) target: Target,
    /// True if bounds apply to nodes, so that a transfer may affect other ranks.
    pub(super) bounds_nodes: bool,
    pub(super) cancel: &'a Cancel,
}

/// Target of a rank in an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Mean work at the start of the iteration, or more with `target_pole`.
    pub(super) work: f64,
    /// Mean load at the start of the iteration, or more with `target_pole`.
    pub(super) load: f64,
    /// Mean and maximum load at the start of the iteration.
    pub(super) mean_load: f64,
    pub(super) max_load: f64,
}

/// Turn of one rank, on its view of the placement.
pub(super) struct Turn<'a, V> {
    pub(super) scene: Scene<'a>,
    pub(super) view: &'a mut V,
    pub(super) works: Works<'a>,
    pub(super) rank: RankId,
    /// Ranks that the rank has heard of, which may include itself.
    pub(super) known: &'a RankSet,
    /// Other ranks that the rank has heard of, ascending. Empty in a turn that draws destinations from `known`.
    pub(super) peers: Vec<RankId>,
    /// Totals of the peers, if gains follow from them and the turn offers objects to all peers.
    pub(super) columns: Option<PeerColumns>,
    /// Memory for the values of gains.
    pub(super) values: Vec<f64>,
    pub(super) random: ChaCha8Rng,
    /// Results of the turn so far.
    pub(super) deeds: Deeds,
}

/// Results of a rank's turn, or their sums over all turns. Sums do not include `transfers`.
#[derive(Clone, Debug, Default)]
pub(super) struct Deeds {
    /// Number of transferred objects. Repeated transfers of an object count each time.
    pub(super) n_transfers: usize,
    /// Number of transfers that were considered and rejected.
    pub(super) n_rejections: usize,
    /// Number of parts of clusters that were not considered.
    pub(super) n_unseen: u64,
    /// Statistics of locks, if ranks lock each other.
    pub(super) locks: Option<Locks>,
    /// Transfers in chronological order.
    pub(super) transfers: Vec<Made>,
}

/// Transfer that was made.
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

/// Objects that a rank offers, and the totals of the rank without them.
pub(super) struct Offer {
    pub(super) bundle: Bundle,
    left: RankTotals,
    /// Work of the rank without the objects. Unused if bounds apply to nodes: it then depends on the destination.
    work_left: Work,
}

impl<'a, V: View> Turn<'a, V> {
    pub(super) fn model(&self) -> &'a dyn WorkModel {
        self.scene.problem.model
    }

    /// Returns the current work of the rank.
    pub(super) fn work(&self) -> Work {
        self.works.of(self.rank)
    }

    /// Returns the current load of the rank in seconds.
    pub(super) fn load(&self) -> f64 {
        self.view.rank(self.rank).load
    }

    /// Returns the migratable objects of a rank, ascending.
    pub(super) fn migratable(&self, rank: RankId) -> Vec<Slot> {
        let mut objects = self.view.objects(rank);
        objects.retain(|&slot| self.view.phase().is_migratable(slot));
        objects
    }

    /// Returns the migratable objects of the rank in the order of offers; the last is offered first.
    pub(super) fn ordered(&self) -> Vec<Slot> {
        let mut objects = self.migratable(self.rank);
        let Gossip { order, order_from, order_marginal, .. } = self.scene.parameters;
        let excess = self.load() - self.scene.target.load;
        order.list(&mut objects, &self.scene.problem, excess, *order_marginal);
        if *order_from == super::End::Start {
            objects.reverse();
        }
        objects
    }

    /// Creates an offer of objects of the rank.
    pub(super) fn offer(&self, objects: &[Slot]) -> Offer {
        let bundle = self.view.bundle(self.rank, objects);
        Offer::new(self, bundle)
    }

    /// Returns the gain of giving an offer to a peer, or `None` if the transfer does not keep bounds.
    pub(super) fn gain(&self, offer: &Offer, peer: RankId) -> Option<Gain> {
        self.gain_between(offer, peer, self.ends(peer))
    }

    /// Returns the gain of giving an offer to a peer, for known current works of both ranks.
    pub(super) fn gain_between(&self, offer: &Offer, peer: RankId, ends: Ends) -> Option<Gain> {
        let after = self.works_after(offer, peer);
        let breaks = self.criterion() == Criterion::StrictLocalizing && offer.bundle.talks_on_its_rank();
        self.criterion().gain(ends, after, self.scene.target.work, breaks)
    }

    /// Returns the current works of the rank and a peer.
    pub(super) fn ends(&self, peer: RankId) -> Ends {
        (self.work(), self.works.of(peer))
    }

    /// Returns the works of the rank and of the receiver after a transfer.
    pub(super) fn works_after(&self, offer: &Offer, to: RankId) -> Ends {
        let got = self.view.with(to, &offer.bundle);
        if self.scene.bounds_nodes {
            return self.view.works_if(self.model(), (self.rank, &offer.left), (to, &got));
        }
        (offer.work_left, self.model().work(&got))
    }

    /// Returns an upper limit, from loads alone, of the gain of an exchange that lowers the own load by `load`.
    /// Infinite if a rank exceeds a bound or the criterion is not [`Criterion::Tempered`].
    pub(super) fn best_conceivable(&self, load: f64, peer: RankId, (own, other): Ends) -> f64 {
        if self.criterion() != Criterion::Tempered || own.is_over_bound() || other.is_over_bound() {
            return f64::INFINITY;
        }
        most_by_load(&*self.view, self.model(), (self.rank, peer), load, (own, other))
    }

    /// Gives an offer to a peer.
    pub(super) fn give(&mut self, offer: &Offer, to: RankId) {
        self.swap(offer.bundle.objects().to_vec(), to, Vec::new());
    }

    /// Exchanges objects with a peer.
    pub(super) fn swap(&mut self, objects: Vec<Slot>, to: RankId, returned: Vec<Slot>) {
        let made = Made { from: self.rank, to, objects, returned };
        self.view.apply(&made.transfer());
        self.deeds.n_transfers += made.objects.len() + made.returned.len();
        self.deeds.transfers.push(made);
        self.works.update(&*self.view, self.scene.problem.model, [self.rank, to]);
        if let Some(columns) = &mut self.columns
            && let Ok(at) = self.peers.binary_search(&to)
        {
            columns.read(at, self.view.rank(to), self.works.of(to));
        }
    }

    pub(super) fn criterion(&self) -> Criterion {
        self.scene.parameters.criterion
    }
}

/// Returns an upper limit, from loads alone, of the decrease of the larger work of two ranks when `load` seconds move
/// from the first to the second.
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
    // Incremental sums have rounding errors.
    conceivable + 1e-9 * conceivable.abs()
}

impl Offer {
    /// Returns the work of the rank without the objects, in models without bounds on nodes.
    pub(super) fn work_left(&self) -> Work {
        self.work_left
    }

    pub(super) fn new<V: View>(turn: &Turn<'_, V>, bundle: Bundle) -> Self {
        let left = turn.view.without(&bundle);
        let work_left = turn.model().work(&left);
        Offer { bundle, left, work_left }
    }
}
