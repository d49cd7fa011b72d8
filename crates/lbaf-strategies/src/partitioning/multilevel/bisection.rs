// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bisection of a graph: greedy graph growing, and refinement of the border.

use std::collections::BinaryHeap;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::candidate::Candidate;
use super::coarsening::coarsen;
use super::graph::Graph;

/// Number of vertices at or below which coarsening ends.
const COARSEST: usize = 40;

/// Coarsening also ends once a level keeps at least this fraction of the vertices.
const LEAST_SHRINKING: f64 = 0.95;

/// Number of bisections grown on the coarsest graph.
const TRIES: usize = 10;

/// Maximum number of passes of refinement on each level.
const PASSES: usize = 4;

/// Number of moves without improvement after which a pass ends.
const PATIENCE: usize = 150;

/// Target loads and limits of the two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// First part of side 1: the anchors of this part and of later parts are on side 1.
    pub(super) middle: u32,
    pub(super) targets: [f64; 2],
    pub(super) limits: [f64; 2],
}

impl Sides {
    /// Returns the sum of the loads above the limits.
    fn excess(&self, loads: [f64; 2]) -> f64 {
        (loads[0] - self.limits[0]).max(0.0) + (loads[1] - self.limits[1]).max(0.0)
    }
}

/// Returns the side of every vertex, 0 or 1, by multilevel bisection. O(vertices + edges), plus the operations on
/// heaps of border vertices.
pub(super) fn bisect(graph: &Graph, sides: &Sides, random: &mut ChaCha8Rng) -> Vec<u32> {
    let n_free = graph.n_free();
    let load = graph.total_load();
    let level = (n_free > COARSEST).then(|| coarsen(graph, 1.5 * load / COARSEST as f64, None, random));
    let level = level.filter(|level| (level.graph.n_free() as f64) < LEAST_SHRINKING * n_free as f64);
    // Without additional room, few coarse vertices could change sides.
    let room = load / n_free.max(1) as f64;
    let roomy = Sides { limits: sides.limits.map(|limit| limit + room), ..*sides };
    let Some(level) = level else {
        let tries = (0..TRIES).map(|_| {
            let mut state = grow(graph, &roomy, random);
            state.refine(&roomy);
            state
        });
        let best = tries.min_by(|a, b| {
            roomy.excess(a.loads).total_cmp(&roomy.excess(b.loads)).then(a.cut.total_cmp(&b.cut))
        });
        return best.map_or_else(Vec::new, |best| best.side);
    };
    let of_coarse = bisect(&level.graph, sides, random);
    let side = level.coarse.iter().map(|&coarse| of_coarse[coarse as usize]).collect();
    let mut state = State::new(graph, side);
    state.refine(&roomy);
    state.side
}

/// Greedy graph growing (Karypis & Kumar 1998).
///
/// Side 0 grows from its anchors up to its target load. Each step adds the adjacent vertex that lowers the cut most, or
/// raises it least. If there is none, growth continues at a random vertex and at the vertices after it.
fn grow<'g>(graph: &'g Graph, sides: &Sides, random: &mut ChaCha8Rng) -> State<'g> {
    let n_free = graph.n_free();
    let mut side = vec![1; graph.n_vertices()];
    for (vertex, part) in graph.anchored() {
        side[vertex] = u32::from(part >= sides.middle);
    }
    let mut state = State::new(graph, side);
    let mut heap = BinaryHeap::new();
    for (vertex, _) in graph.anchored().filter(|&(_, part)| part < sides.middle) {
        let near = graph.edges(vertex).filter(|&(other, _)| other < n_free);
        heap.extend(near.map(|(other, _)| state.candidate(other)));
    }
    // Start of the next growth if no candidate is adjacent to side 0.
    let mut seed = if n_free == 0 { 0 } else { random.random_range(0..n_free) };
    let mut n_seeds = 0;
    while state.loads[0] < sides.targets[0] {
        let Some(candidate) = heap.pop() else {
            if n_seeds == n_free {
                break;
            }
            if state.side[seed] == 1 {
                heap.push(state.candidate(seed));
            }
            (seed, n_seeds) = ((seed + 1) % n_free, n_seeds + 1);
            continue;
        };
        let vertex = candidate.vertex as usize;
        if state.side[vertex] == 0 || candidate.gain != state.gains[vertex] {
            continue;
        }
        let after = state.loads[0] + graph.loads[vertex];
        // The load may exceed the limit only if its distance from the target does not grow.
        if after > sides.limits[0] && after - sides.targets[0] > sides.targets[0] - state.loads[0] {
            continue;
        }
        state.flip(vertex);
        for (other, _) in graph.edges(vertex) {
            if other < n_free && state.side[other] == 1 {
                heap.push(state.candidate(other));
            }
        }
    }
    state
}

/// Bisection of a graph, with the gain of moving each vertex to the other side.
struct State<'g> {
    graph: &'g Graph,
    side: Vec<u32>,
    gains: Vec<f64>,
    loads: [f64; 2],
    cut: f64,
}

impl<'g> State<'g> {
    fn new(graph: &'g Graph, side: Vec<u32>) -> Self {
        let mut loads = [0.0; 2];
        let mut gains = vec![0.0; side.len()];
        let mut cut = 0.0;
        for (vertex, gain) in gains.iter_mut().enumerate() {
            loads[side[vertex] as usize] += graph.loads[vertex];
            for (other, volume) in graph.edges(vertex) {
                let crosses = side[other] != side[vertex];
                *gain += if crosses { volume } else { -volume };
                cut += if crosses { volume / 2.0 } else { 0.0 };
            }
        }
        State { graph, side, gains, loads, cut }
    }

    fn candidate(&self, vertex: usize) -> Candidate {
        Candidate { gain: self.gains[vertex], vertex: vertex as u32 }
    }

    fn flip(&mut self, vertex: usize) {
        let from = self.side[vertex];
        self.side[vertex] = 1 - from;
        self.cut -= self.gains[vertex];
        self.gains[vertex] = -self.gains[vertex];
        self.loads[from as usize] -= self.graph.loads[vertex];
        self.loads[1 - from as usize] += self.graph.loads[vertex];
        for (other, volume) in self.graph.edges(vertex) {
            self.gains[other] += if self.side[other] == from { 2.0 * volume } else { -2.0 * volume };
        }
    }

    fn refine(&mut self, sides: &Sides) {
        for _ in 0..PASSES {
            if !self.pass(sides) {
                return;
            }
        }
    }

    /// Runs a pass of Fiduccia & Mattheyses (1982) and returns true if it improved the bisection.
    ///
    /// Each vertex changes sides at most once, the largest gain first, even at a loss. Then the moves after the
    /// best state are undone.
    fn pass(&mut self, sides: &Sides) -> bool {
        let n_free = self.graph.n_free();
        let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
        let is_over = sides.excess(self.loads) > 0.0;
        for vertex in 0..n_free {
            let on_border = self.graph.edges(vertex).any(|(other, _)| self.side[other] != self.side[vertex]);
            if on_border || is_over {
                heaps[self.side[vertex] as usize].push(self.candidate(vertex));
            }
        }
        let mut is_done = vec![false; n_free];
        let mut moved = Vec::new();
        let start = (sides.excess(self.loads), self.cut);
        let mut best = (start.0, start.1, 0);
        while moved.len() < best.2 + PATIENCE {
            let Some(vertex) = self.next(&mut heaps, &is_done, sides) else { break };
            is_done[vertex] = true;
            moved.push(vertex);
            self.flip(vertex);
            let excess = sides.excess(self.loads);
            if excess < best.0 || (excess == best.0 && self.cut < best.1) {
                best = (excess, self.cut, moved.len());
            }
            for (other, _) in self.graph.edges(vertex) {
                if other < n_free && !is_done[other] {
                    heaps[self.side[other] as usize].push(self.candidate(other));
                }
            }
        }
        for &vertex in moved[best.2..].iter().rev() {
            self.flip(vertex);
        }
        // Gains within rounding errors do not count.
        best.0 < start.0 || best.1 < start.1 - 1e-9 * start.1
    }

    /// Returns the vertex whose allowed move has the largest gain.
    ///
    /// A move is allowed if it keeps the limits or lowers the excess over the limits. Outdated and forbidden
    /// candidates are removed from the top of each heap.
    fn next(&self, heaps: &mut [BinaryHeap<Candidate>; 2], is_done: &[bool], sides: &Sides) -> Option<usize> {
        let excess = sides.excess(self.loads);
        let tops = [0, 1].map(|side: usize| {
            while let Some(&top) = heaps[side].peek() {
                let vertex = top.vertex as usize;
                let is_current =
                    !is_done[vertex] && self.side[vertex] as usize == side && self.gains[vertex] == top.gain;
                let load = self.graph.loads[vertex];
                let mut after = self.loads;
                after[side] -= load;
                after[1 - side] += load;
                let after = sides.excess(after);
                if is_current && (after == 0.0 || after < excess) {
                    return Some(top);
                }
                heaps[side].pop();
            }
            None
        });
        tops.into_iter().flatten().max().map(|top| top.vertex as usize)
    }
}
