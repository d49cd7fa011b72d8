// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication graph of a phase.

use std::sync::Arc;

use petgraph::Directed;
use petgraph::csr::Csr;
use petgraph::visit::EdgeRef;

use crate::shared::shared;
use crate::{RankId, Slot, Volume};

/// One communication, as input for the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Communication {
    /// Sender.
    pub from: Vertex,
    /// Receiver.
    pub to: Vertex,
    /// Bytes and messages.
    pub volume: Volume,
}

/// A vertex of the communication graph. A rank stands for itself, for blocks whose home it is, and for objects
/// without a task in the phase that are assumed to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vertex {
    /// An object of the phase.
    Object(Slot),
    /// A rank.
    Rank(RankId),
}

/// Communication graph in two compressed sparse row matrices, for outgoing and incoming edges.
///
/// Vertices are numbered: objects by slot, then ranks. Parallel edges are summed in the given order.
/// Self-edges are left out, because they are always on-rank. Memory per direction: 20 bytes per edge and, if
/// there are edges, 8 bytes per vertex. Copies share their edges.
#[derive(Clone, Debug)]
pub struct CommGraph {
    /// Rows by sender. An edge has the number of its position in these rows.
    outgoing: Arc<Csr<(), (), Directed, u32>>,
    /// Rows by receiver, with volumes, so that memory is read in order.
    incoming: Arc<Csr<(), Volume, Directed, u32>>,
    /// Volumes of the outgoing rows, by edge.
    volumes: Arc<[Volume]>,
    n_objects: usize,
    n_self_edges: usize,
}

impl CommGraph {
    /// Creates a graph of `n_objects` objects and `n_ranks` ranks. O(V + E log D) for V vertices and E edges, of
    /// which a vertex sends at most D.
    ///
    /// # Panics
    /// If a communication names a slot or rank out of range.
    pub fn new(n_objects: usize, n_ranks: usize, communications: &[Communication]) -> Self {
        Self::from_vec(n_objects, n_ranks, communications.to_vec())
    }

    /// Like [`CommGraph::new`], but reuses the memory of `communications`.
    ///
    /// # Panics
    /// If a communication names a slot or rank out of range.
    pub fn from_vec(n_objects: usize, n_ranks: usize, communications: Vec<Communication>) -> Self {
        let number = |vertex: Vertex| match vertex {
            Vertex::Object(slot) => {
                assert!(slot.index() < n_objects, "a communication names a slot out of range");
                slot.0
            }
            Vertex::Rank(rank) => {
                assert!(rank.index() < n_ranks, "a communication names a rank out of range");
                n_objects as u32 + rank.0
            }
        };
        // Collects in place, because the collected elements are smaller.
        let mut edges: Vec<Edge> = communications
            .into_iter()
            .map(|communication| (number(communication.from), number(communication.to), communication.volume))
            .collect();
        let n_given = edges.len();
        edges.retain(|&(from, to, _)| from != to);
        let n_self_edges = n_given - edges.len();
        let n_vertices = if edges.is_empty() { 0 } else { n_objects + n_ranks };
        edges = grouped(edges, n_vertices, |edge| edge.0);
        // Stable sorts, so that parallel edges are summed in the given order.
        for row in edges.chunk_by_mut(|one, other| one.0 == other.0) {
            row.sort_by_key(|edge| edge.1);
        }
        edges.dedup_by(|next, kept| {
            let parallel = (next.0, next.1) == (kept.0, kept.1);
            if parallel {
                kept.2 += next.2;
            }
            parallel
        });
        let volumes = edges.iter().map(|&(_, _, volume)| volume).collect();
        let outgoing: Vec<(u32, u32, ())> = edges.iter().map(|&(from, to, _)| (from, to, ())).collect();
        let outgoing = Arc::new(rows(&outgoing, n_vertices));
        for edge in &mut edges {
            std::mem::swap(&mut edge.0, &mut edge.1);
        }
        let incoming = Arc::new(rows(&grouped(edges, n_vertices, |edge| edge.0), n_vertices));
        CommGraph { outgoing, incoming, volumes, n_objects, n_self_edges }
    }

    /// Returns the graph. If it has the same edges as `earlier`, both graphs share them in memory, and also their
    /// volumes if these are equal. O(vertices + edges).
    #[must_use]
    pub fn sharing(self, earlier: &Self) -> Self {
        if !self.shares_edges(earlier) && !is_same(&self.outgoing, &earlier.outgoing) {
            return self;
        }
        let volumes = shared(self.volumes, &earlier.volumes);
        // Equal outgoing edges with equal volumes have equal incoming edges.
        let is_equal = Arc::ptr_eq(&volumes, &earlier.volumes);
        let incoming = if is_equal { Arc::clone(&earlier.incoming) } else { self.incoming };
        CommGraph { outgoing: Arc::clone(&earlier.outgoing), incoming, volumes, ..self }
    }

    /// True if two graphs have their edges in the same memory, with equal or different volumes.
    pub fn shares_edges(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outgoing, &other.outgoing)
    }

    /// Returns the number of edges after merging parallel ones.
    pub fn n_edges(&self) -> usize {
        self.volumes.len()
    }

    /// Returns the number of self-edges, which were left out.
    pub fn n_self_edges(&self) -> usize {
        self.n_self_edges
    }

    /// Returns the outgoing edges of an object. O(degree).
    #[inline]
    pub fn outgoing(&self, slot: Slot) -> impl ExactSizeIterator<Item = (Vertex, Volume)> + '_ {
        self.outgoing_of(slot.0)
    }

    /// Returns the incoming edges of an object. O(degree).
    #[inline]
    pub fn incoming(&self, slot: Slot) -> impl ExactSizeIterator<Item = (Vertex, Volume)> + '_ {
        let volumes = if self.has_row(slot.0) { self.incoming.edges_slice(slot.0) } else { &[] };
        self.partners(&self.incoming, slot.0, volumes)
    }

    /// Returns all edges, ascending by sender, then receiver.
    pub fn edges(&self) -> impl Iterator<Item = (Vertex, Vertex, Volume)> + '_ {
        self.senders().flat_map(|(from, edges)| edges.map(move |(to, volume)| (from, to, volume)))
    }

    /// Returns all vertices, ascending, each with its outgoing edges, ascending by receiver.
    pub(crate) fn senders(
        &self,
    ) -> impl Iterator<Item = (Vertex, impl Iterator<Item = (Vertex, Volume)> + '_)> + '_ {
        (0..self.outgoing.node_count() as u32).map(|from| (self.vertex(from), self.outgoing_of(from)))
    }

    /// Returns the volumes of all edges, in the order of [`edges`](Self::edges).
    pub fn volumes(&self) -> &[Volume] {
        &self.volumes
    }

    /// Returns the sum of the volumes of all edges. O(edges).
    pub fn total(&self) -> Volume {
        self.edges().fold(Volume::default(), |mut total, (_, _, volume)| {
            total += volume;
            total
        })
    }

    #[inline]
    fn outgoing_of(&self, vertex: u32) -> impl ExactSizeIterator<Item = (Vertex, Volume)> + '_ {
        let first = self.has_row(vertex).then(|| self.outgoing.edges(vertex).next()).flatten();
        let volumes = first.map_or(&[][..], |first| &self.volumes[first.id()..]);
        self.partners(&self.outgoing, vertex, volumes)
    }

    /// Returns the other endpoints of the edges in the row of a vertex, with the volumes of these edges.
    #[inline]
    fn partners<'g, E>(
        &'g self,
        rows: &'g Csr<(), E, Directed, u32>,
        vertex: u32,
        volumes: &'g [Volume],
    ) -> impl ExactSizeIterator<Item = (Vertex, Volume)> + 'g {
        let partners = if self.has_row(vertex) { rows.neighbors_slice(vertex) } else { &[] };
        partners.iter().zip(volumes).map(|(&partner, &volume)| (self.vertex(partner), volume))
    }

    /// True if the matrices have a row for the vertex. A graph without edges has no rows.
    #[inline]
    fn has_row(&self, vertex: u32) -> bool {
        (vertex as usize) < self.outgoing.node_count()
    }

    #[inline]
    fn vertex(&self, number: u32) -> Vertex {
        match (number as usize).checked_sub(self.n_objects) {
            None => Vertex::Object(Slot(number)),
            Some(rank) => Vertex::Rank(RankId::from(rank)),
        }
    }
}

/// Sender, receiver and volume; in incoming rows, receiver, sender and volume.
type Edge = (u32, u32, Volume);

/// Groups edges by a vertex, ascending. Edges of a vertex keep their order.
fn grouped(edges: Vec<Edge>, n_vertices: usize, vertex: impl Fn(&Edge) -> u32) -> Vec<Edge> {
    let mut next = vec![0; n_vertices];
    for edge in &edges {
        next[vertex(edge) as usize] += 1;
    }
    let mut sum = 0;
    for count in &mut next {
        sum += std::mem::replace(count, sum);
    }
    let mut grouped = vec![(0, 0, Volume::default()); edges.len()];
    for edge in edges {
        let place = &mut next[vertex(&edge) as usize];
        grouped[*place] = edge;
        *place += 1;
    }
    grouped
}

fn rows<E: Copy>(edges: &[(u32, u32, E)], n_vertices: usize) -> Csr<(), E, Directed, u32> {
    let mut rows = Csr::from_sorted_edges(edges).expect("invariant: the edges were sorted and summed above");
    while rows.node_count() < n_vertices {
        rows.add_node(());
    }
    rows
}

/// True if two matrices have the same edges.
fn is_same(one: &Csr<(), (), Directed, u32>, other: &Csr<(), (), Directed, u32>) -> bool {
    (one.node_count(), one.edge_count()) == (other.node_count(), other.edge_count())
        && (0..one.node_count() as u32)
            .all(|vertex| one.neighbors_slice(vertex) == other.neighbors_slice(vertex))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn object(slot: u32) -> Vertex {
        Vertex::Object(Slot(slot))
    }

    fn send(from: Vertex, to: Vertex, bytes: f64) -> Communication {
        Communication { from, to, volume: Volume { bytes, messages: 1 } }
    }

    #[test]
    fn sums_parallel_edges_and_leaves_self_edges_out() {
        let graph = CommGraph::new(
            3,
            2,
            &[
                send(object(2), object(0), 1.0),
                send(object(0), object(1), 2.0),
                send(object(2), object(0), 4.0),
                send(object(1), object(1), 8.0),
            ],
        );
        let edges: Vec<_> = graph.edges().collect();
        assert_eq!(
            edges,
            [
                (object(0), object(1), Volume { bytes: 2.0, messages: 1 }),
                (object(2), object(0), Volume { bytes: 5.0, messages: 2 }),
            ]
        );
        assert_eq!(graph.n_self_edges(), 1);
    }

    proptest! {
        /// Volumes are powers of two with a large ratio, so that their sums depend on the order.
        #[test]
        fn parallel_edges_are_summed_in_the_given_order(
            ends in prop::collection::vec((0_u32..7, 0_u32..7, 0_i32..80), 0..200),
        ) {
            let vertex = |at: u32| if at < 4 { object(at) } else { Vertex::Rank(RankId(at - 4)) };
            let sends: Vec<Communication> = ends
                .iter()
                .map(|&(from, to, power)| send(vertex(from), vertex(to), 2_f64.powi(power)))
                .collect();
            let mut sums: BTreeMap<(Vertex, Vertex), Volume> = BTreeMap::new();
            for Communication { from, to, volume } in sends.iter().filter(|send| send.from != send.to) {
                *sums.entry((*from, *to)).or_default() += *volume;
            }
            let graph = CommGraph::new(4, 3, &sends);
            let expected: Vec<_> = sums.iter().map(|(&(from, to), &volume)| (from, to, volume)).collect();
            prop_assert_eq!(graph.edges().collect::<Vec<_>>(), expected);
            for slot in (0..4).map(Slot) {
                let into = sums.iter().filter(|((_, to), _)| *to == Vertex::Object(slot));
                let into: Vec<_> = into.map(|(&(from, _), &volume)| (from, volume)).collect();
                prop_assert_eq!(graph.incoming(slot).collect::<Vec<_>>(), into);
            }
        }
    }

    #[test]
    fn the_sum_of_messages_saturates() {
        let many = |messages| Communication {
            volume: Volume { bytes: 0.5, messages },
            ..send(object(0), object(1), 0.5)
        };
        let graph = CommGraph::new(2, 1, &[many(u64::MAX), many(1), many(u64::MAX)]);
        let edges: Vec<_> = graph.edges().collect();
        assert_eq!(edges, [(object(0), object(1), Volume { bytes: 1.5, messages: u64::MAX })]);
    }

    #[test]
    fn an_edge_is_found_from_both_endpoints() {
        let rank = Vertex::Rank(RankId(1));
        let graph = CommGraph::new(2, 2, &[send(object(0), rank, 3.0), send(rank, object(1), 7.0)]);
        assert_eq!(graph.outgoing(Slot(0)).collect::<Vec<_>>(), [(rank, Volume { bytes: 3.0, messages: 1 })]);
        assert_eq!(graph.incoming(Slot(1)).collect::<Vec<_>>(), [(rank, Volume { bytes: 7.0, messages: 1 })]);
        assert_eq!(graph.incoming(Slot(0)).count() + graph.outgoing(Slot(1)).count(), 0);
    }

    #[test]
    fn a_phase_without_communication_has_no_rows() {
        let graph = CommGraph::new(1_000_000, 1000, &[]);
        assert_eq!(graph.n_edges(), 0);
        assert_eq!(graph.outgoing(Slot(999_999)).count(), 0);
        assert_eq!(graph.outgoing.node_count(), 0);
    }
}
