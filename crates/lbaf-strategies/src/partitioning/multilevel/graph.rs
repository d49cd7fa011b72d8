// SPDX-License-Identifier: MIT OR Apache-2.0
//! Graph to partition.

/// Graph with loads on vertices and volumes on undirected edges, without self-edges. Every edge is in the rows of
/// both endpoints.
///
/// The last vertices are *anchors*, which never move. An anchor represents all load that cannot leave a part.
/// Memory: 12 bytes for each endpoint of an edge and 12 bytes for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Start of the row of each vertex, and the end of the last row.
    pub(super) offsets: Vec<u32>,
    /// Other endpoint of each edge, row by row.
    pub(super) targets: Vec<u32>,
    /// Volume of each edge, both directions added.
    pub(super) volumes: Vec<f64>,
    /// Load of each vertex.
    pub(super) loads: Vec<f64>,
    /// Part of each anchor.
    pub(super) anchors: Vec<u32>,
}

impl Graph {
    /// Builds a graph from undirected edges (endpoint, endpoint, volume).
    ///
    /// Parallel edges are summed in the given order. Self-edges and edges without volume are left out. `anchors`
    /// are the parts of the last vertices. O(vertices + edges log degree).
    ///
    /// # Panics
    /// If an edge names a vertex without a load, or if there are 2^32 or more endpoints of edges.
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

    /// Returns a graph without rows.
    pub(super) fn without_vertices() -> Self {
        Graph { offsets: vec![0], ..Graph::default() }
    }

    /// Appends the rows of another piece, whose vertices follow the vertices of this graph.
    pub(super) fn followed_by(mut self, piece: Graph) -> Self {
        let start = self.targets.len() as u32;
        self.offsets.extend(piece.offsets.iter().skip(1).map(|end| start + end));
        self.targets.extend(piece.targets);
        self.volumes.extend(piece.volumes);
        self.loads.extend(piece.loads);
        self
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.loads.len()
    }

    /// Returns the number of vertices that can move, which come before the anchors.
    pub(super) fn n_free(&self) -> usize {
        self.loads.len() - self.anchors.len()
    }

    /// Iterates over the anchors with their parts.
    pub(super) fn anchored(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        (self.n_free()..).zip(self.anchors.iter().copied())
    }

    #[inline]
    pub(super) fn degree(&self, vertex: usize) -> usize {
        (self.offsets[vertex + 1] - self.offsets[vertex]) as usize
    }

    /// Iterates over the neighbours of a vertex, with the volume of the edge to each.
    #[inline]
    pub(super) fn edges(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        self.targets[row.clone()].iter().map(|&target| target as usize).zip(self.volumes[row].iter().copied())
    }

    pub(super) fn total_load(&self) -> f64 {
        self.loads.iter().sum()
    }

    /// Returns the total volume of the edges between different parts.
    pub fn cut(&self, parts: &[u32]) -> f64 {
        let of_vertex = |vertex: usize| {
            let crossing = self.edges(vertex).filter(|&(other, _)| parts[other] != parts[vertex]);
            crossing.map(|(_, volume)| volume).sum::<f64>()
        };
        (0..self.n_vertices()).map(of_vertex).sum::<f64>() / 2.0
    }
}
