// SPDX-License-Identifier: MIT OR Apache-2.0
//! Order in which objects are placed, and their edges to vertices that are placed before them.

use std::ops::{ControlFlow, Range};

use lbaf_model::{BlockIdx, Phase, Slot, Vertex, Volume};

/// Objects in the order in which they are placed.
pub(crate) struct PlacingOrder<'a> {
    phase: &'a Phase,
    objects: Vec<Slot>,
    /// Position of each object in `objects`.
    positions: Vec<u32>,
    n_fixed: usize,
}

/// An object that is placed next, with its edges to ranks and to objects that are placed before it: other endpoint and
/// bytes.
#[derive(Clone, Copy)]
pub(super) struct Next<'b> {
    pub(super) slot: Slot,
    pub(super) load: f64,
    pub(super) block: Option<BlockIdx>,
    pub(super) outgoing: &'b [(Vertex, f64)],
    pub(super) incoming: &'b [(Vertex, f64)],
}

/// Number of objects whose edges are gathered at a time. Their edges fit in the cache of a core.
const BATCH: usize = 1024;

/// Consecutive objects with their edges.
#[derive(Default)]
struct Batch {
    objects: Vec<Gathered>,
    edges: Vec<(Vertex, f64)>,
}

/// An object, and the ends of its outgoing and incoming edges in the edges of its batch.
struct Gathered {
    slot: Slot,
    load: f64,
    block: Option<BlockIdx>,
    outgoing_end: usize,
    end: usize,
}

impl<'a> PlacingOrder<'a> {
    /// Creates an order of the non-migratable objects, followed by all migratable objects in the given order.
    pub(crate) fn new(phase: &'a Phase, migratable: &[Slot]) -> Self {
        let mut objects: Vec<Slot> = phase.slots().filter(|&slot| !phase.is_migratable(slot)).collect();
        let n_fixed = objects.len();
        objects.extend_from_slice(migratable);
        let mut positions = vec![0; objects.len()];
        for (position, slot) in (0..).zip(&objects) {
            positions[slot.index()] = position;
        }
        PlacingOrder { phase, objects, positions, n_fixed }
    }

    /// Calls `take` for each non-migratable object.
    pub(super) fn for_fixed(&self, mut take: impl FnMut(Next<'_>) + Send) {
        let _ = self.try_for_each(0..self.n_fixed, |next| {
            take(next);
            ControlFlow::Continue(())
        });
    }

    /// Calls `take` for each migratable object, until it breaks.
    pub(super) fn try_for_migratable(
        &self,
        take: impl FnMut(Next<'_>) -> ControlFlow<()> + Send,
    ) -> ControlFlow<()> {
        self.try_for_each(self.n_fixed..self.objects.len(), take)
    }

    /// Gathers the edges of the next objects while the caller handles the current ones: rows of the graph are far apart
    /// in memory, so gathering takes as long as placing.
    fn try_for_each(
        &self,
        positions: Range<usize>,
        mut take: impl FnMut(Next<'_>) -> ControlFlow<()> + Send,
    ) -> ControlFlow<()> {
        let mut batches = self.objects[positions].chunks(BATCH);
        let (mut ready, mut following) = (Batch::default(), Batch::default());
        self.gather(batches.next().unwrap_or_default(), &mut ready);
        while !ready.objects.is_empty() {
            let objects = batches.next().unwrap_or_default();
            let gather = || self.gather(objects, &mut following);
            let (flow, ()) = rayon::join(|| ready.iter().try_for_each(&mut take), gather);
            flow?;
            std::mem::swap(&mut ready, &mut following);
        }
        ControlFlow::Continue(())
    }

    fn gather(&self, slots: &[Slot], batch: &mut Batch) {
        batch.objects.clear();
        let graph = self.phase.communication();
        // Rows are far apart in memory. Their beginnings are read first, because a processor overlaps these reads.
        let rows = slots.iter().map(|&slot| (slot, graph.outgoing(slot), graph.incoming(slot)));
        let rows: Vec<_> = rows.collect();
        let mut end = 0;
        for (slot, outgoing, incoming) in rows {
            let before = self.positions[slot.index()];
            end = self.keep_earlier(outgoing, before, &mut batch.edges, end);
            let outgoing_end = end;
            end = self.keep_earlier(incoming, before, &mut batch.edges, end);
            let (load, block) = (self.phase.load(slot), self.phase.memory(slot).block);
            batch.objects.push(Gathered { slot, load, block, outgoing_end, end });
        }
    }

    /// Stores in `kept`, from `end` on, the edges to ranks and to objects that are placed before `position`. Returns
    /// the new end.
    ///
    /// About half of the edges are kept, in no predictable pattern, so a branch for each edge would take longer than
    /// storing the edge.
    fn keep_earlier(
        &self,
        edges: impl ExactSizeIterator<Item = (Vertex, Volume)>,
        position: u32,
        kept: &mut Vec<(Vertex, f64)>,
        mut end: usize,
    ) -> usize {
        let most = end + edges.len();
        if kept.len() < most {
            kept.resize(most.next_power_of_two(), (Vertex::Object(Slot(0)), 0.0));
        }
        for (vertex, volume) in edges {
            kept[end] = (vertex, volume.bytes);
            let is_earlier = match vertex {
                Vertex::Object(other) => self.positions[other.index()] < position,
                Vertex::Rank(_) => true,
            };
            end += usize::from(is_earlier);
        }
        end
    }
}

impl Batch {
    fn iter(&self) -> impl Iterator<Item = Next<'_>> {
        let mut start = 0;
        self.objects.iter().map(move |&Gathered { slot, load, block, outgoing_end, end }| {
            let outgoing = &self.edges[start..outgoing_end];
            start = end;
            Next { slot, load, block, outgoing, incoming: &self.edges[outgoing_end..end] }
        })
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::{Object, RankId};
    use proptest::prelude::*;

    use super::*;

    type Edges = Vec<(Vertex, f64)>;

    /// Edges to ranks and to `placed` objects, from the list of all edges.
    fn edges_to(phase: &Phase, placed: &[Slot], slot: Slot) -> (Edges, Edges) {
        let here = Vertex::Object(slot);
        let is_placed = |vertex: Vertex| match vertex {
            Vertex::Object(other) => placed.contains(&other),
            Vertex::Rank(_) => true,
        };
        let edges = || phase.communication().edges();
        let outgoing = edges().filter(|&(from, to, _)| from == here && is_placed(to));
        let incoming = edges().filter(|&(from, to, _)| to == here && is_placed(from));
        let outgoing = outgoing.map(|(_, to, volume)| (to, volume.bytes)).collect();
        (outgoing, incoming.map(|(from, _, volume)| (from, volume.bytes)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        /// More objects than in a batch.
        #[test]
        fn objects_come_in_order_with_edges_to_ranks_and_earlier_objects(
            fixed in prop::collection::vec(any::<bool>(), BATCH + 1..2 * BATCH + 9),
            ends in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..100),
            n_until_break in 0_usize..2 * BATCH,
        ) {
            let n_objects = fixed.len();
            let objects = fixed.iter().map(|&is_fixed| Object { migratable: !is_fixed, ..Object::new(1.0, RankId(0)) });
            let end = |index: &prop::sample::Index| index.index(n_objects) as u32;
            let edges = ends.iter().zip(1..).map(|([from, to], bytes)| (end(from), end(to), f64::from(bytes)));
            let phase = Phase::builder(1).objects(objects).communications(edges).build().unwrap();
            let mut migratable: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
            migratable.reverse();
            let order = PlacingOrder::new(&phase, &migratable);
            let (mut placed, mut found) = (Vec::new(), Vec::new());
            let mut take = |next: Next<'_>| {
                found.push((next.outgoing.to_vec(), next.incoming.to_vec()));
                placed.push(next.slot);
            };
            order.for_fixed(&mut take);
            let mut n_taken = 0;
            let flow = order.try_for_migratable(|next| {
                take(next);
                n_taken += 1;
                if n_taken > n_until_break { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            prop_assert_eq!(flow.is_break(), n_until_break < migratable.len());
            let fixed = phase.slots().filter(|&slot| !phase.is_migratable(slot));
            let expected: Vec<Slot> = fixed.chain(migratable.into_iter().take(n_until_break + 1)).collect();
            prop_assert_eq!(&placed, &expected);
            for (at, edges) in found.iter().enumerate().filter(|(at, edges)| at % 16 == 0 || !edges.0.is_empty()) {
                prop_assert_eq!(edges, &edges_to(&phase, &placed[..at], placed[at]));
            }
        }
    }
}
