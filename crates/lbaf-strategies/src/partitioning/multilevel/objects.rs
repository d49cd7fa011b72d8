// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of objects into a graph, and of parts into a placement.

use lbaf_model::{Assignment, ObjectMemory, RankId, Slot, Vertex};

use super::graph::Graph;
use super::partition::{partition, repartition};
use super::refinement::Stay;
use super::relabelling::renamed;
use super::shares::Shares;
use crate::primitives::list_scheduling::RankTree;
use crate::primitives::seconds::Seconds;
use crate::{Cancel, Context, Problem};

/// Graph of a problem.
///
/// The vertices are the migratable objects, then the anchors. A rank has an anchor if it has sentinels or is itself
/// an endpoint of communication.
pub(super) struct Objects<'a> {
    problem: Problem<'a>,
    graph: Graph,
    /// Object of each vertex that can move.
    slots: Vec<Slot>,
    /// Rank of each vertex at the start.
    home: Vec<u32>,
    alpha: Vec<f64>,
}

impl<'a> Objects<'a> {
    /// Builds the graph in O(objects + edges log degree). After a cancellation, edges may be missing.
    pub(super) fn new(problem: &Problem<'a>, cancel: &Cancel) -> Self {
        let phase = problem.phase;
        let slots: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
        let mut home: Vec<u32> = slots.iter().map(|&slot| problem.initial.rank_of(slot).0).collect();
        let mut loads: Vec<f64> = slots.iter().map(|&slot| phase.load(slot)).collect();
        let anchors = anchors(problem);
        let anchor_of = |rank: RankId| {
            // `anchors` contains every such rank.
            (slots.len() + anchors.partition_point(|&anchor| anchor < rank.0)) as u32
        };
        home.extend(&anchors);
        loads.resize(home.len(), 0.0);
        let mut vertices = vec![0; phase.n_objects()];
        for (vertex, slot) in (0..).zip(&slots) {
            vertices[slot.index()] = vertex;
        }
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            let anchor = anchor_of(problem.initial.rank_of(slot));
            vertices[slot.index()] = anchor;
            loads[anchor as usize] += phase.load(slot);
        }
        let vertex = |of: Vertex| match of {
            Vertex::Object(slot) => vertices[slot.index()],
            Vertex::Rank(rank) => anchor_of(rank),
        };
        let talk = cancel.polled(phase.communication().edges());
        let mut edges: Vec<(u32, u32, f64)> =
            talk.map(|(from, to, volume)| (vertex(from), vertex(to), volume.bytes)).collect();
        edges.extend(
            cancel
                .polled(shared_blocks(problem))
                .map(|(one, other, bytes)| (vertex(one), vertex(other), bytes)),
        );
        let graph = Graph::new(loads, anchors, &edges);
        let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
        Objects { problem: *problem, graph, slots, home, alpha }
    }

    /// True if there are fewer than two ranks, or if no migratable object has a load.
    pub(super) fn is_trivial(&self) -> bool {
        let loads = &self.graph.loads[..self.slots.len()];
        self.alpha.len() < 2 || loads.iter().all(|&load| load == 0.0)
    }

    /// Returns a placement from scratch, relabelled to minimize migrations. Objects that do not communicate are placed
    /// by load alone.
    pub(super) fn partitioned(&self, tolerance: f64, context: &Context<'_>) -> Assignment {
        let shares = Shares::new(&self.graph, &self.alpha, tolerance);
        let parts = partition(&self.graph, &shares, context);
        let each = vec![1.0; self.home.len()];
        let stay = Stay { home: &self.home, cost: &each };
        let mut parts = renamed(&self.graph, &shares, stay, parts);
        self.hand_out_silent(&mut parts);
        self.placement(&parts)
    }

    /// Returns a placement that starts from the current placement. `migration_cost` is in bytes of volume per
    /// migrated byte.
    pub(super) fn repartitioned(
        &self,
        tolerance: f64,
        migration_cost: f64,
        context: &Context<'_>,
    ) -> Assignment {
        let shares = Shares::new(&self.graph, &self.alpha, tolerance);
        let costs = self.slots.iter().map(|&slot| migration_cost * bytes(self.problem.phase.memory(slot)));
        let mut costs: Vec<f64> = costs.collect();
        costs.resize(self.home.len(), 0.0);
        let stay = Stay { home: &self.home, cost: &costs };
        self.placement(&repartition(&self.graph, &shares, stay, context))
    }

    /// Evens the loads with objects that do not communicate, which adds no volume.
    ///
    /// Objects are placed in descending order of load, each on the rank where it ends soonest. Objects of load 0 stay
    /// on their initial rank.
    fn hand_out_silent(&self, parts: &mut [u32]) {
        let mut silent: Vec<usize> =
            (0..self.slots.len()).filter(|&vertex| self.graph.degree(vertex) == 0).collect();
        if silent.is_empty() {
            return;
        }
        silent.sort_by_key(|&vertex| (std::cmp::Reverse(Seconds(self.graph.loads[vertex])), vertex));
        let mut loads = vec![0.0; self.alpha.len()];
        for (vertex, &part) in parts.iter().enumerate() {
            if vertex >= self.slots.len() || self.graph.degree(vertex) > 0 {
                loads[part as usize] += self.graph.loads[vertex];
            }
        }
        let mut ranks = RankTree::new(self.alpha.clone(), loads);
        for vertex in silent {
            parts[vertex] = match self.graph.loads[vertex] {
                0.0 => self.home[vertex],
                load => ranks.take(load).0,
            };
        }
    }

    fn placement(&self, parts: &[u32]) -> Assignment {
        let mut assignment = self.problem.initial.clone();
        for (&slot, &part) in self.slots.iter().zip(parts) {
            assignment.set(slot, RankId(part));
        }
        assignment
    }
}

/// Returns the ranks that have sentinels or are themselves endpoints of communication, ascending.
fn anchors(problem: &Problem<'_>) -> Vec<u32> {
    let phase = problem.phase;
    let mut is_anchor = vec![false; phase.n_ranks()];
    for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
        is_anchor[problem.initial.rank_of(slot).index()] = true;
    }
    for end in phase.communication().edges().flat_map(|(from, to, _)| [from, to]) {
        if let Vertex::Rank(rank) = end {
            is_anchor[rank.index()] = true;
        }
    }
    (0..phase.n_ranks() as u32).filter(|&rank| is_anchor[rank as usize]).collect()
}

/// Returns an edge between every two consecutive objects of a block.
///
/// The volume is the size of the block, which a second rank would also have to store. There are no edges if the
/// work model counts neither memory nor homing.
fn shared_blocks<'a>(problem: &Problem<'a>) -> impl Iterator<Item = (Vertex, Vertex, f64)> + use<'a> {
    let phase = problem.phase;
    let aspects = problem.model.aspects();
    let counts = aspects.memory || aspects.homing;
    let mut last: Vec<Option<Slot>> = vec![None; if counts { phase.blocks().len() } else { 0 }];
    phase.slots().filter_map(move |slot| {
        let block = phase.memory(slot).block?;
        let before = last.get_mut(block.index())?.replace(slot)?;
        Some((Vertex::Object(before), Vertex::Object(slot), phase.blocks()[block.index()].size_bytes))
    })
}

/// Returns the bytes that migrate with an object: its serialized size, or else its footprint, or else 1.
fn bytes(memory: &ObjectMemory) -> f64 {
    let known = [memory.serialized_bytes, memory.footprint_bytes];
    known.into_iter().find(|&bytes| bytes > 0.0).unwrap_or(1.0)
}
