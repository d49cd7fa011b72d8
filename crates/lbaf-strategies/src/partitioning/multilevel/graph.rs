// SPDX-License-Identifier: MIT OR Apache-2.0
//! The graph that is partitioned: loads on vertices, volumes on edges, both directions of an edge together.

/// Vertices with loads, and who talks to whom: every edge in the rows of both its ends, no self-edges.
///
/// The last vertices are *anchors*: each stands for all that cannot leave one part, and is never moved.
/// 12 bytes for each end of an edge, and 12 for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Where the row of each vertex begins, and after the last where it ends.
    pub(super) offsets: Vec<u32>,
    /// The other ends.
    pub(super) targets: Vec<u32>,
    /// What crosses each edge, in both directions.
    pub(super) volumes: Vec<f64>,
    /// Load of each vertex.
    pub(super) loads: Vec<f64>,
    /// The part of each anchor; they are the last vertices.
    pub(super) anchors: Vec<u32>,
}

impl Graph {
    /// A graph from its undirected edges (one end, the other, volume). Parallel edges are summed in the order given,
    /// self-edges and those without volume left out. `anchors` are the parts of the last vertices. O(vertices + edges log degree).
    ///
    /// # Panics
    /// If an edge names a vertex that has no load, or there are 2^32 ends of edges.
    pub fn new(loads: Vec<f64>, anchors: Vec<u32>, edges: &[(u32, u32, f64)]) -> Self {
        let edges = edges.iter().filter(|(one, other, volume)| one != other && *volume > 0.0);
        let mut ends = vec![0_u32; loads.len() + 1];
        for &(one, other, _) in edges.clone() {
            for vertex in [one, other] {
                let count = &mut ends[vertex as usize + 1];
                *count = count.strict_add(1);
            }
        }
        for vertex in 0..loads.len() {
            ends[vertex + 1] = ends[vertex + 1].strict_add(ends[vertex]);
        }
        let mut row: Vec<(u32, f64)> = vec![(0, 0.0); ends[loads.len()] as usize];
        let mut next = ends.clone();
        for &(one, other, volume) in edges {
            for (vertex, target) in [(one, other), (other, one)] {
                let at = &mut next[vertex as usize];
                row[*at as usize] = (target, volume);
                *at += 1;
            }
        }
        let mut graph = Graph { loads, anchors, ..Graph::without_vertices() };
        for bounds in ends.windows(2) {
            let row = &mut row[bounds[0] as usize..bounds[1] as usize];
            row.sort_by_key(|&(target, _)| target);
            for of_target in row.chunk_by(|one, other| one.0 == other.0) {
                graph.targets.push(of_target[0].0);
                graph.volumes.push(of_target.iter().map(|&(_, volume)| volume).sum());
            }
            graph.offsets.push(graph.targets.len() as u32);
        }
        graph
    }

    /// No rows yet: the first begins where everything does.
    pub(super) fn without_vertices() -> Self {
        Graph { offsets: vec![0], ..Graph::default() }
    }

    /// The rows of this graph and then those of another piece; vertices of both are numbered through.
    pub(super) fn followed_by(mut self, piece: Graph) -> Self {
        let start = self.targets.len() as u32;
        self.offsets.extend(piece.offsets.iter().skip(1).map(|end| start + end));
        self.targets.extend(piece.targets);
        self.volumes.extend(piece.volumes);
        self.loads.extend(piece.loads);
        self
    }

    /// Number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.loads.len()
    }

    /// Number of vertices that may move: the first.
    pub(super) fn n_free(&self) -> usize {
        self.loads.len() - self.anchors.len()
    }

    /// The anchors, each with its part.
    pub(super) fn anchored(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        (self.n_free()..).zip(self.anchors.iter().copied())
    }

    #[inline]
    pub(super) fn degree(&self, vertex: usize) -> usize {
        (self.offsets[vertex + 1] - self.offsets[vertex]) as usize
    }

    /// Who a vertex talks to, and how much.
    #[inline]
    pub(super) fn edges(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        self.targets[row.clone()].iter().map(|&target| target as usize).zip(self.volumes[row].iter().copied())
    }

    pub(super) fn total_load(&self) -> f64 {
        self.loads.iter().sum()
    }

    /// What crosses between parts.
    pub fn cut(&self, parts: &[u32]) -> f64 {
        let of_vertex = |vertex: usize| {
            let crossing = self.edges(vertex).filter(|&(other, _)| parts[other] != parts[vertex]);
            crossing.map(|(_, volume)| volume).sum::<f64>()
        };
        (0..self.n_vertices()).map(of_vertex).sum::<f64>() / 2.0
    }
}
