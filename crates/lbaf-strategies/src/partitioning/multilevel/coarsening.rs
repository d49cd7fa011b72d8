// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coarsening: merges pairs of vertices, preferably those with a heavy edge between them.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::graph::Graph;

/// Number of consecutive vertices that are visited in random order. Small runs stay in the cache.
const RUN: usize = 4096;

/// Minimum number of coarse vertices per parallel task.
const LEAST_PER_TASK: usize = 1 << 14;

/// Maximum number of parallel tasks.
const MOST_TASKS: usize = 8;

const NOBODY: u32 = u32::MAX;

/// Coarser graph, with the coarse vertex of each vertex of the finer graph.
pub(super) struct Level {
    pub(super) graph: Graph,
    pub(super) coarse: Vec<u32>,
}

impl Level {
    /// Returns the value of each coarse vertex. All members of a coarse vertex must have the same value.
    pub(super) fn project(&self, fine: &[u32]) -> Vec<u32> {
        let mut coarse = vec![0; self.graph.n_vertices()];
        for (&vertex, &value) in self.coarse.iter().zip(fine) {
            coarse[vertex as usize] = value;
        }
        coarse
    }

    /// Returns, for each coarse vertex, the sum of the values of its members.
    pub(super) fn sums(&self, fine: &[f64]) -> Vec<f64> {
        let mut coarse = vec![0.0; self.graph.n_vertices()];
        for (&vertex, &value) in self.coarse.iter().zip(fine) {
            coarse[vertex as usize] += value;
        }
        coarse
    }
}

/// Merges pairs of vertices by heavy-edge matching (Karypis & Kumar 1998).
///
/// Each vertex is merged with the unmatched neighbour of highest rating: the squared volume of the edge, divided by
/// the load of the neighbour. Unmatched vertices are then paired if their heaviest edges lead to the same
/// neighbour, like the leaves of a star. Vertices without neighbours are also paired. No pair has more load than
/// `most_load`. With `groups`, only vertices of the same group are merged. Anchors stay single. O(vertices +
/// edges).
pub(super) fn coarsen(
    graph: &Graph,
    most_load: f64,
    groups: Option<&[u32]>,
    random: &mut ChaCha8Rng,
) -> Level {
    let mates = mates(graph, most_load, groups, random);
    contract(graph, &mates, LEAST_PER_TASK)
}

fn mates(graph: &Graph, most_load: f64, groups: Option<&[u32]>, random: &mut ChaCha8Rng) -> Vec<u32> {
    let n_free = graph.n_free();
    let mut mates = vec![NOBODY; graph.n_vertices()];
    let fits = |one: usize, other: usize| {
        graph.loads[one] + graph.loads[other] <= most_load
            && groups.is_none_or(|groups| groups[one] == groups[other])
    };
    let mut order: Vec<u32> = (0..n_free as u32).collect();
    for run in order.chunks_mut(RUN) {
        run.shuffle(random);
    }
    for &vertex in &order {
        let vertex = vertex as usize;
        if mates[vertex] != NOBODY {
            continue;
        }
        let mut best: Option<(usize, f64)> = None;
        for (other, volume) in graph.edges(vertex) {
            // Rating `expansion*2` of Holtgrewe et al. 2010, which prefers light partners. It is infinite for partners
            // without load.
            let load = graph.loads[other];
            // The square of a tiny volume is 0, and 0 / 0 is NaN.
            let rating = if load > 0.0 { volume * volume / load } else { f64::INFINITY };
            let is_better = best.is_none_or(|(_, most)| rating > most);
            if is_better && other < n_free && mates[other] == NOBODY && fits(vertex, other) {
                best = Some((other, rating));
            }
        }
        if let Some((other, _)) = best {
            mates[vertex] = other as u32;
            mates[other] = vertex as u32;
        }
    }
    pair_leftovers(graph, &mut mates, fits);
    mates
}

/// Pairs unmatched vertices whose heaviest edges lead to the same neighbour, and vertices without neighbours.
fn pair_leftovers(graph: &Graph, mates: &mut [u32], fits: impl Fn(usize, usize) -> bool) {
    let nothing = graph.n_vertices();
    let mut waiting = vec![NOBODY; graph.n_vertices() + 1];
    for vertex in 0..graph.n_free() {
        if mates[vertex] != NOBODY {
            continue;
        }
        let heaviest = graph.edges(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        let place = &mut waiting[heaviest.map_or(nothing, |(other, _)| other)];
        let other = *place as usize;
        if *place != NOBODY && fits(vertex, other) {
            mates[vertex] = *place;
            mates[other] = vertex as u32;
            *place = NOBODY;
        } else {
            *place = vertex as u32;
        }
    }
}

/// Builds the graph in which each matched pair is one vertex.
///
/// Coarse vertices are ordered by their first member. Rows are built in parallel, in pieces of at least
/// `least_per_task` vertices.
fn contract(graph: &Graph, mates: &[u32], least_per_task: usize) -> Level {
    let mut coarse = vec![0; mates.len()];
    let mut members: Vec<[u32; 2]> = Vec::with_capacity(mates.len());
    for (vertex, &mate) in mates.iter().enumerate() {
        if mate == NOBODY || vertex < mate as usize {
            coarse[vertex] = members.len() as u32;
            members.push([vertex as u32, mate]);
        } else {
            coarse[vertex] = coarse[mate as usize];
        }
    }
    let n_coarse = members.len();
    let n_tasks = (n_coarse / least_per_task).clamp(1, MOST_TASKS);
    let bounds = |task: usize| task * n_coarse / n_tasks..(task + 1) * n_coarse / n_tasks;
    let make =
        |vertices: Range<usize>| rows(graph, &coarse, &members[vertices.clone()], vertices.start, n_coarse);
    let pieces: Vec<Graph> = if n_tasks == 1 {
        vec![make(0..n_coarse)]
    } else {
        (0..n_tasks).into_par_iter().map(|task| make(bounds(task))).collect()
    };
    let joined = pieces.into_iter().reduce(Graph::followed_by).unwrap_or_default();
    Level { graph: Graph { anchors: graph.anchors.clone(), ..joined }, coarse }
}

/// Returns the rows of a range of coarse vertices, which starts at `first`.
///
/// `members` lists the members of each coarse vertex of the range. Edges may lead to vertices outside the range.
fn rows(graph: &Graph, coarse: &[u32], members: &[[u32; 2]], first: usize, n_coarse: usize) -> Graph {
    let mut rows = Graph::without_vertices();
    let n_ends: usize = members
        .iter()
        .flatten()
        .filter(|&&member| member != NOBODY)
        .map(|&member| graph.degree(member as usize))
        .sum();
    rows.targets.reserve(n_ends);
    rows.volumes.reserve(n_ends);
    rows.offsets.reserve(members.len());
    // Last edge to each coarse vertex. Positions before the current row are outdated.
    let mut places = vec![NOBODY; n_coarse];
    for (this, members) in (first..).zip(members) {
        let start = rows.targets.len();
        let mut load = 0.0;
        for &member in members.iter().filter(|&&member| member != NOBODY) {
            load += graph.loads[member as usize];
            for (other, volume) in graph.edges(member as usize) {
                let target = coarse[other];
                let place = places[target as usize];
                if target as usize == this {
                    continue;
                }
                if place == NOBODY || (place as usize) < start {
                    places[target as usize] = rows.targets.len() as u32;
                    rows.targets.push(target);
                    rows.volumes.push(volume);
                } else {
                    rows.volumes[place as usize] += volume;
                }
            }
        }
        rows.loads.push(load);
        rows.offsets.push(rows.targets.len() as u32);
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;

    use super::*;

    /// Returns the total load, and twice the total volume.
    fn sums(graph: &Graph) -> (f64, f64) {
        (graph.total_load(), graph.volumes.iter().sum())
    }

    /// Returns twice the volume between matched vertices.
    fn inner_volume(graph: &Graph, level: &Level) -> f64 {
        let inner = |vertex: usize| {
            let edges = graph.edges(vertex);
            edges.filter(move |&(other, _)| level.coarse[other] == level.coarse[vertex]).map(|edge| edge.1)
        };
        (0..graph.n_vertices()).flat_map(inner).sum()
    }

    /// Returns a graph in which the first `n_silent` vertices have no edges.
    fn silent_beginning(n_vertices: u32, n_silent: u32, n_anchors: u32) -> Graph {
        let edges: Vec<(u32, u32, f64)> =
            (n_silent + 1..n_vertices).map(|at| (at - 1, at, f64::from(at % 5))).collect();
        let loads = (0..n_vertices).map(|at| f64::from(at % 7)).collect();
        Graph::new(loads, (0..n_anchors).collect(), &edges)
    }

    #[test]
    fn contraction_in_pieces_gives_the_same_graph() {
        for n_silent in [0, 1, 7, 8, 9, 16, 39, 40] {
            let graph = silent_beginning(40, n_silent, 2);
            let mates = mates(&graph, f64::INFINITY, None, &mut ChaCha8Rng::seed_from_u64(7));
            let whole = contract(&graph, &mates, usize::MAX);
            assert!(whole.graph.n_vertices() >= 20);
            for least_per_task in 1..=41 {
                let level = contract(&graph, &mates, least_per_task);
                assert_eq!(level.graph, whole.graph, "{n_silent} silent, pieces of {least_per_task}");
                assert_eq!(level.graph.offsets.len(), level.graph.n_vertices() + 1);
                assert_eq!(level.coarse, whole.coarse);
            }
        }
    }

    #[test]
    fn the_rating_of_a_neighbour_without_load_is_not_nan_for_a_tiny_volume() {
        let graph = Graph::new(vec![1.0, 1.0, 0.0], vec![], &[(0, 1, 1.0), (0, 2, 1e-170)]);
        for seed in 0..8 {
            let mut order = [0, 1, 2];
            order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            let expected = if order[0] == 1 { [1, 0, NOBODY] } else { [2, NOBODY, 0] };
            let mates = mates(&graph, f64::INFINITY, None, &mut ChaCha8Rng::seed_from_u64(seed));
            assert_eq!(mates, expected, "{order:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        /// Loads and volumes are whole numbers, so sums are exact.
        #[test]
        fn contraction_conserves_load_and_volume(
            loads in vec(0..9_u8, 1..60),
            edges in vec((any::<u32>(), any::<u32>(), 0..9_u8), 0..80),
            n_silent in 0..60_u32,
            least_per_task in 1..20_usize,
            seed in any::<u64>(),
        ) {
            let n = loads.len() as u32;
            let talking = n.saturating_sub(n_silent);
            let edges: Vec<(u32, u32, f64)> = edges
                .into_iter()
                .filter(|_| talking > 0)
                .map(|(from, to, bytes)| (n - 1 - from % talking, n - 1 - to % talking, f64::from(bytes)))
                .collect();
            let graph = Graph::new(loads.into_iter().map(f64::from).collect(), vec![0], &edges);
            let mates = mates(&graph, 9.0, None, &mut ChaCha8Rng::seed_from_u64(seed));
            let level = contract(&graph, &mates, least_per_task);
            let ((load, volume), (fine_load, fine_volume)) = (sums(&level.graph), sums(&graph));
            prop_assert_eq!(load, fine_load);
            prop_assert_eq!(volume + inner_volume(&graph, &level), fine_volume);
            prop_assert_eq!(level.graph.offsets.len(), level.graph.n_vertices() + 1);
            prop_assert!(level.coarse.iter().all(|&vertex| (vertex as usize) < level.graph.n_vertices()));
        }
    }
}
