// SPDX-License-Identifier: MIT OR Apache-2.0
//! A placement with the totals of every rank, and evaluation of transfers without applying them.

mod bundle;
mod edges;

pub use bundle::Bundle;

use crate::sizes::{self, SizeCounts};
use crate::{BlockIdx, BoundScope, Phase, RankId, RankTotals, Slot, Vertex, Work, WorkModel, node_excess};

/// A proposed move of objects from one rank to another, or an exchange if `returned` is not empty.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// The rank that gives `objects`.
    pub from: RankId,
    /// The rank that receives them.
    pub to: RankId,
    /// Objects of `from`, each once.
    pub objects: &'a [Slot],
    /// Objects of `to` that move to `from`, each once.
    pub returned: &'a [Slot],
}

/// A placement with the totals of every rank: the actual one ([`Totals`](crate::Totals)), or one that a rank
/// assumes ([`Belief`](crate::Belief)).
///
/// Evaluating a transfer takes O(degree of the objects) once, to create bundles, and for every destination O(blocks),
/// plus logarithmic time for memory. Only [`View::apply`] changes the placement.
pub trait View {
    /// Returns the phase.
    fn phase(&self) -> &Phase;

    /// Returns the rank that owns an object.
    fn rank_of(&self, slot: Slot) -> RankId;

    /// Returns the totals of a rank.
    fn rank(&self, rank: RankId) -> &RankTotals;

    /// Returns the objects of a rank, ascending.
    fn objects(&self, rank: RankId) -> Vec<Slot>;

    /// Returns the number of objects of a rank that work on a block.
    fn n_holding(&self, block: BlockIdx, rank: RankId) -> u32;

    /// Returns the working memories of the objects of a rank.
    fn working(&self, rank: RankId) -> &SizeCounts;

    /// Returns the serialized sizes of the objects of a rank; sizes of 0 may be missing. The first call costs
    /// O(objects of the rank).
    fn serialized(&self, rank: RankId) -> &SizeCounts;

    /// Returns the numbers of all ranks on the node of a rank.
    fn node_of(&self, rank: RankId) -> &[usize];

    /// Moves an object to another rank without updating totals: a step of [`View::apply`].
    #[doc(hidden)]
    fn hand_over(&mut self, slot: Slot, giver: RankId, taker: RankId);

    /// Sets the totals of a rank: a step of [`View::apply`].
    #[doc(hidden)]
    fn set_totals(&mut self, rank: RankId, totals: RankTotals);

    /// Applies a transfer.
    ///
    /// # Panics
    /// If both ranks are the same, or (in debug builds) an object is not on the rank that gives it.
    fn apply(&mut self, transfer: &Transfer<'_>) {
        let totals = self.after(transfer);
        self.apply_with(transfer, totals);
    }

    /// Applies a transfer, after which the source and the target have the given totals: see [`View::after`] and
    /// [`View::exchange`].
    ///
    /// # Panics
    /// As for [`View::apply`].
    fn apply_with(&mut self, transfer: &Transfer<'_>, (source, target): (RankTotals, RankTotals)) {
        self.place(transfer);
        self.set_totals(transfer.from, source);
        self.set_totals(transfer.to, target);
    }

    /// Moves the objects of a transfer without updating the totals of both ranks, which are then wrong until they are
    /// computed again, for example with [`Totals::renew`](crate::Totals::renew).
    fn place(&mut self, transfer: &Transfer<'_>) {
        let Transfer { from, to, objects, returned } = *transfer;
        for (slots, giver, taker) in [(objects, from, to), (returned, to, from)] {
            for &slot in slots {
                self.hand_over(slot, giver, taker);
            }
        }
    }

    /// Returns the rank of a vertex of the communication graph.
    fn rank_of_vertex(&self, vertex: Vertex) -> RankId {
        match vertex {
            Vertex::Object(slot) => self.rank_of(slot),
            Vertex::Rank(rank) => rank,
        }
    }

    /// Creates a bundle of objects of a rank. O(degree of the objects).
    fn bundle(&self, from: RankId, objects: &[Slot]) -> Bundle {
        Bundle::new(self, from, objects)
    }

    /// Returns the totals of the rank of a bundle after the bundle has left, for any destination. Totals of
    /// third ranks do not change: an edge between a third rank and the bundle is off-rank before and after.
    fn without(&self, bundle: &Bundle) -> RankTotals {
        let mut totals = self.rank(bundle.from).clone();
        bundle.leave(&mut totals);
        self.change_blocks(bundle.from, &mut totals, Some(bundle), None);
        self.change_largest(bundle.from, &mut totals, Some(bundle), None);
        totals
    }

    /// Returns the totals of another rank after it has received a bundle.
    fn with(&self, to: RankId, bundle: &Bundle) -> RankTotals {
        debug_assert_ne!(bundle.from, to, "a transfer needs two different ranks");
        let mut totals = self.rank(to).clone();
        bundle.arrive(&mut totals, to, bundle.volumes_with(to));
        self.change_blocks(to, &mut totals, None, Some(bundle));
        self.change_largest(to, &mut totals, None, Some(bundle));
        totals
    }

    /// Returns the totals of the ranks of two bundles after they are exchanged, first the rank of `given`.
    ///
    /// # Panics
    /// If both bundles are on the same rank.
    fn exchange(&self, given: &Bundle, returned: &Bundle) -> (RankTotals, RankTotals) {
        let (from, to) = (given.from, returned.from);
        assert_ne!(from, to, "a transfer needs two different ranks");
        let (there, back) = volumes_between(self, given, returned);
        let moved = |rank: RankId, leaving: &Bundle, arriving: &Bundle, sent: f64, received: f64| {
            let mut totals = self.rank(rank).clone();
            leaving.leave(&mut totals);
            // The volume between the two bundles stays off-rank, so it is subtracted. Only volume between
            // arriving objects and objects that stay becomes on-rank.
            arriving.arrive(&mut totals, rank, arriving.volumes_with(rank).without(sent, received));
            self.change_blocks(rank, &mut totals, Some(leaving), Some(arriving));
            self.change_largest(rank, &mut totals, Some(leaving), Some(arriving));
            totals
        };
        (moved(from, given, returned, back, there), moved(to, returned, given, there, back))
    }

    /// Returns the totals of source and destination after a transfer.
    ///
    /// # Panics
    /// As for [`View::apply`].
    fn after(&self, transfer: &Transfer<'_>) -> (RankTotals, RankTotals) {
        assert_ne!(transfer.from, transfer.to, "a transfer needs two different ranks");
        let given = self.bundle(transfer.from, transfer.objects);
        let returned = self.bundle(transfer.to, transfer.returned);
        self.exchange(&given, &returned)
    }

    /// Returns the work of a rank, including the excess of its node.
    fn work(&self, model: &dyn WorkModel, rank: RankId) -> Work {
        self.work_if(model, rank, self.rank(rank), &[])
    }

    /// Returns the work of source and destination after a transfer.
    fn works_after(&self, model: &dyn WorkModel, transfer: &Transfer<'_>) -> (Work, Work) {
        let (from, to) = self.after(transfer);
        self.works_if(model, (transfer.from, &from), (transfer.to, &to))
    }

    /// Returns the work of two ranks with the given totals.
    fn works_if(
        &self,
        model: &dyn WorkModel,
        source: (RankId, &RankTotals),
        target: (RankId, &RankTotals),
    ) -> (Work, Work) {
        let changed = [source, target];
        (self.work_if(model, source.0, source.1, &changed), self.work_if(model, target.0, target.1, &changed))
    }

    /// Returns the work of a rank with the given totals. In the excess of its node, ranks in `changed` count with the
    /// totals given there.
    fn work_if(
        &self,
        model: &dyn WorkModel,
        rank: RankId,
        totals: &RankTotals,
        changed: &[(RankId, &RankTotals)],
    ) -> Work {
        let work = model.work(totals);
        if model.bounds().iter().all(|bound| bound.scope == BoundScope::Rank) {
            return work;
        }
        let members = self.node_of(rank).iter().map(|&member| {
            let replaced = changed.iter().find(|(rank, _)| rank.index() == member);
            replaced.map_or_else(|| self.rank(RankId::from(member)), |&(_, totals)| totals)
        });
        Work::with_excess(work.cost(), work.excess() + node_excess(model, &members))
    }

    /// Updates the totals of a rank for blocks that leave it with their last object, and for new blocks.
    #[doc(hidden)]
    fn change_blocks(
        &self,
        rank: RankId,
        totals: &mut RankTotals,
        leaving: Option<&Bundle>,
        arriving: Option<&Bundle>,
    ) {
        if self.phase().blocks().is_empty() {
            return;
        }
        let mut change = |block: BlockIdx, gone: u32, come: u32| {
            let before = self.n_holding(block, rank);
            let (had, has) = (before > 0, before - gone + come > 0);
            if had != has {
                let facts = self.phase().blocks()[block.index()];
                totals.count_block(rank, facts.size_bytes, facts.home, has);
            }
        };
        for &(block, gone) in leaving.iter().flat_map(|bundle| &bundle.blocks) {
            change(block, gone, arriving.map_or(0, |bundle| bundle.n_on(block)));
        }
        for &(block, come) in arriving.iter().flat_map(|bundle| &bundle.blocks) {
            if leaving.is_none_or(|bundle| bundle.n_on(block) == 0) {
                change(block, 0, come);
            }
        }
    }

    /// Updates the largest working memory and the largest serialized size of a rank after `leaving` has left
    /// and `arriving` has arrived.
    #[doc(hidden)]
    fn change_largest(
        &self,
        rank: RankId,
        totals: &mut RankTotals,
        leaving: Option<&Bundle>,
        arriving: Option<&Bundle>,
    ) {
        let now = self.rank(rank);
        let [gone, come] = [leaving, arriving].map(|bundle| bundle.map(|bundle| &bundle.working));
        totals.working_bytes = sizes::largest(now.working_bytes, gone, come, || self.working(rank));
        let [gone, come] = [leaving, arriving].map(|bundle| bundle.map(|bundle| &bundle.serialized));
        totals.serialized_bytes = sizes::largest(now.serialized_bytes, gone, come, || self.serialized(rank));
    }
}

/// Returns the bytes that the objects of `given` send to those of `returned`, and the bytes in the other
/// direction.
fn volumes_between(view: &(impl View + ?Sized), given: &Bundle, returned: &Bundle) -> (f64, f64) {
    let (mut there, mut back) = (0.0, 0.0);
    let apart = given.edges_with(returned.from).is_none() || returned.edges_with(given.from).is_none();
    if apart {
        return (there, back);
    }
    let graph = view.phase().communication();
    let swapped = given.objects.len() > returned.objects.len();
    let (few, many) = if swapped { (returned, given) } else { (given, returned) };
    for &slot in &few.objects {
        let sent = graph.outgoing(slot).filter(|&(other, _)| many.has(other));
        there += sent.map(|(_, volume)| volume.bytes).sum::<f64>();
        let received = graph.incoming(slot).filter(|&(other, _)| many.has(other));
        back += received.map(|(_, volume)| volume.bytes).sum::<f64>();
    }
    if swapped { (back, there) } else { (there, back) }
}
