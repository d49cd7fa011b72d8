// SPDX-License-Identifier: MIT OR Apache-2.0
//! A placement with totals of every rank, and what-if without a change.

mod bundle;

pub use bundle::Bundle;

use crate::sizes::{self, SizeCounts};
use crate::{BlockIdx, BoundScope, Phase, RankId, RankTotals, Slot, Vertex, Work, WorkModel, node_excess};

/// A proposed exchange of objects between two ranks; a gift when nothing is `returned`.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// The rank that gives `objects`.
    pub from: RankId,
    /// The rank that gets them.
    pub to: RankId,
    /// Objects of `from`, each once.
    pub objects: &'a [Slot],
    /// Objects of `to` that go the other way, each once.
    pub returned: &'a [Slot],
}

/// A placement with the totals of every rank: the true one ([`Totals`](crate::Totals)), or what one rank takes it
/// to be ([`Belief`](crate::Belief)).
///
/// What-if questions cost O(degree of the objects) once, to bundle them, and after that O(blocks) for every
/// destination, with a logarithm for memory. They change nothing.
pub trait View {
    /// The phase.
    fn phase(&self) -> &Phase;

    /// The rank that owns an object.
    fn rank_of(&self, slot: Slot) -> RankId;

    /// Totals of a rank.
    fn rank(&self, rank: RankId) -> &RankTotals;

    /// Objects of a rank, ascending.
    fn objects(&self, rank: RankId) -> Vec<Slot>;

    /// How many objects of a rank work on a block.
    fn n_holding(&self, block: BlockIdx, rank: RankId) -> u32;

    /// Working memories of the objects of a rank.
    fn working(&self, rank: RankId) -> &SizeCounts;

    /// Serialized sizes of the objects of a rank; perhaps without those that are 0. O(objects of the rank) when it
    /// is asked for the first time.
    fn serialized(&self, rank: RankId) -> &SizeCounts;

    /// The ranks of a rank's node, by number.
    fn node_of(&self, rank: RankId) -> &[usize];

    /// Gives an object to another rank, without a change of totals: a part of [`View::apply`].
    #[doc(hidden)]
    fn hand_over(&mut self, slot: Slot, giver: RankId, taker: RankId);

    /// Sets the totals of a rank: a part of [`View::apply`].
    #[doc(hidden)]
    fn set_totals(&mut self, rank: RankId, totals: RankTotals);

    /// Makes a transfer.
    ///
    /// # Panics
    /// If the ranks are the same, or (in debug builds) an object is not on the rank that gives it.
    fn apply(&mut self, transfer: &Transfer<'_>) {
        let (source, target) = self.after(transfer);
        let Transfer { from, to, objects, returned } = *transfer;
        for (slots, giver, taker) in [(objects, from, to), (returned, to, from)] {
            for &slot in slots {
                self.hand_over(slot, giver, taker);
            }
        }
        self.set_totals(from, source);
        self.set_totals(to, target);
    }

    /// The rank that a vertex of the communication graph is on.
    fn rank_of_vertex(&self, vertex: Vertex) -> RankId {
        match vertex {
            Vertex::Object(slot) => self.rank_of(slot),
            Vertex::Rank(rank) => rank,
        }
    }

    /// Objects of a rank, taken together. O(degree of the objects).
    fn bundle(&self, from: RankId, objects: &[Slot]) -> Bundle {
        Bundle::new(self, from, objects)
    }

    /// Totals of its rank when a bundle is gone, wherever it goes: an edge to a third rank stays off-rank for
    /// that rank wherever its other end is, so nobody else's totals change.
    fn without(&self, bundle: &Bundle) -> RankTotals {
        let mut totals = self.rank(bundle.from).clone();
        bundle.leave(&mut totals);
        self.change_blocks(bundle.from, &mut totals, Some(bundle), None);
        self.change_largest(bundle.from, &mut totals, Some(bundle), None);
        totals
    }

    /// Totals of another rank when it has got a bundle.
    fn with(&self, to: RankId, bundle: &Bundle) -> RankTotals {
        debug_assert_ne!(bundle.from, to, "a transfer needs two ranks");
        let mut totals = self.rank(to).clone();
        bundle.arrive(&mut totals, to, bundle.volumes_with(to));
        self.change_blocks(to, &mut totals, None, Some(bundle));
        self.change_largest(to, &mut totals, None, Some(bundle));
        totals
    }

    /// Totals of the ranks of two bundles when they are exchanged, that of `given` first.
    ///
    /// # Panics
    /// If the bundles are of one rank.
    fn exchange(&self, given: &Bundle, returned: &Bundle) -> (RankTotals, RankTotals) {
        let (from, to) = (given.from, returned.from);
        assert_ne!(from, to, "a transfer needs two ranks");
        let (there, back) = volumes_between(self, given, returned);
        let moved = |rank: RankId, leaving: &Bundle, arriving: &Bundle, sent: f64, received: f64| {
            let mut totals = self.rank(rank).clone();
            leaving.leave(&mut totals);
            // What arrives meets those that stay: what passes between the two bundles is none of it.
            arriving.arrive(&mut totals, rank, arriving.volumes_with(rank).without(sent, received));
            self.change_blocks(rank, &mut totals, Some(leaving), Some(arriving));
            self.change_largest(rank, &mut totals, Some(leaving), Some(arriving));
            totals
        };
        (moved(from, given, returned, back, there), moved(to, returned, given, there, back))
    }

    /// Totals of source and destination if a transfer were made.
    ///
    /// # Panics
    /// As [`View::apply`].
    fn after(&self, transfer: &Transfer<'_>) -> (RankTotals, RankTotals) {
        assert_ne!(transfer.from, transfer.to, "a transfer needs two ranks");
        let given = self.bundle(transfer.from, transfer.objects);
        let returned = self.bundle(transfer.to, transfer.returned);
        self.exchange(&given, &returned)
    }

    /// Work of a rank, with the excess of its node.
    fn work(&self, model: &dyn WorkModel, rank: RankId) -> Work {
        self.work_if(model, rank, self.rank(rank), &[])
    }

    /// Work of source and destination if a transfer were made.
    fn works_after(&self, model: &dyn WorkModel, transfer: &Transfer<'_>) -> (Work, Work) {
        let (from, to) = self.after(transfer);
        self.works_if(model, (transfer.from, &from), (transfer.to, &to))
    }

    /// Work of two ranks if they had these totals.
    fn works_if(
        &self,
        model: &dyn WorkModel,
        source: (RankId, &RankTotals),
        target: (RankId, &RankTotals),
    ) -> (Work, Work) {
        let changed = [source, target];
        (self.work_if(model, source.0, source.1, &changed), self.work_if(model, target.0, target.1, &changed))
    }

    /// Work of a rank if it had these totals and other ranks those that are `changed`.
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

    /// Counts blocks that leave a rank for good, or come to it.
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

    /// Finds the largest working memory and serialized size of a rank without `leaving` and with `arriving`.
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

/// Bytes that the objects of one bundle send to those of the other, and those that come back.
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
