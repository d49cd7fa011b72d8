// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refinement of a partition: reduces the volume between parts and the excess over limits.

use std::collections::BinaryHeap;

use lbaf_model::RankId;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::graph::Graph;
use crate::Cancel;
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;

/// Maximum number of passes of refinement on each level.
const PASSES: usize = 8;

/// Number of moves without improvement after which a localized search ends.
const PATIENCE: usize = 15;

/// Largest loss with which a localized search may start, as a fraction of the volume between a vertex and its part.
const WORTH_A_CLIMB: f64 = 0.5;

/// Cost of moving vertices away from their home, the part before repartitioning.
#[derive(Clone, Copy)]
pub(super) struct Stay<'a> {
    /// Home of each vertex.
    pub(super) home: &'a [u32],
    /// Cost of moving each vertex away from its home, as a volume.
    pub(super) cost: &'a [f64],
}

impl Stay<'_> {
    /// Returns the total cost of the vertices away from their home.
    pub(super) fn total(&self, parts: &[u32]) -> f64 {
        let homes = self.home.iter().zip(parts).zip(self.cost);
        homes.filter(|((home, part), _)| home != part).map(|(_, cost)| cost).sum()
    }
}

/// State of a partition during refinement.
pub(super) struct Refinement<'a> {
    graph: &'a Graph,
    limits: &'a [f64],
    stay: Option<Stay<'a>>,
    cancel: &'a Cancel,
    parts: Vec<u32>,
    loads: Vec<f64>,
    /// Volume from the inspected vertex to each part. `near` lists the parts with volume and the home of the
    /// vertex.
    volumes: Vec<f64>,
    near: Vec<u32>,
}

/// Possible move of a vertex, with its gain.
#[derive(Clone, Copy)]
struct Move {
    to: usize,
    gain: f64,
}

impl<'a> Refinement<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        limits: &'a [f64],
        stay: Option<Stay<'a>>,
        parts: Vec<u32>,
        cancel: &'a Cancel,
    ) -> Self {
        let n_parts = limits.len();
        let mut loads = vec![0.0; n_parts];
        for (&part, &load) in parts.iter().zip(&graph.loads) {
            loads[part as usize] += load;
        }
        Refinement {
            graph,
            limits,
            stay,
            cancel,
            parts,
            loads,
            volumes: vec![0.0; n_parts],
            near: Vec::new(),
        }
    }

    /// Balances the loads, then lowers the cut. O(edges), plus the operations on heaps of border vertices.
    pub(super) fn refined(mut self) -> Vec<u32> {
        self.balance();
        let mut active = self.border();
        for _ in 0..PASSES {
            active = self.pass(&active);
            if active.is_empty() {
                break;
            }
        }
        self.climb();
        self.parts
    }

    /// Localized search (Sanders & Schulz 2011).
    ///
    /// A search starts at each border vertex, unless the first move would lose too much ([`WORTH_A_CLIMB`]).
    /// Vertices move one after the other, even at a loss. Then the moves after the best state are undone. A vertex
    /// moves in at most one search.
    fn climb(&mut self) {
        let mut is_done = vec![false; self.graph.n_free()];
        for seed in self.cancel.polled(self.border()) {
            if is_done[seed as usize] {
                continue;
            }
            let Some(best) = self.best_move(seed as usize, true) else { continue };
            let kept = self.volumes[self.parts[seed as usize] as usize];
            if best.gain >= -WORTH_A_CLIMB * kept {
                self.climb_from(Candidate { gain: best.gain, vertex: seed }, &mut is_done);
            }
        }
    }

    fn climb_from(&mut self, seed: Candidate, is_done: &mut [bool]) {
        let mut heap = BinaryHeap::from([seed]);
        let mut moved: Vec<(usize, usize)> = Vec::new();
        let (mut gained, mut most, mut n_most) = (0.0, 0.0, 0);
        while moved.len() < n_most + PATIENCE {
            let Some(candidate) = heap.pop() else { break };
            let vertex = candidate.vertex as usize;
            if is_done[vertex] {
                continue;
            }
            let Some(best) = self.best_move(vertex, true) else { continue };
            if best.gain < candidate.gain {
                heap.push(Candidate { gain: best.gain, ..candidate });
                continue;
            }
            is_done[vertex] = true;
            moved.push((vertex, self.parts[vertex] as usize));
            self.make(vertex, best.to);
            gained += best.gain;
            if gained > most {
                (most, n_most) = (gained, moved.len());
            }
            for (other, _) in self.graph.edges(vertex) {
                if other < is_done.len() && !is_done[other] {
                    let best = self.best_move(other, true);
                    heap.extend(best.map(|best| Candidate { gain: best.gain, vertex: other as u32 }));
                }
            }
        }
        for &(vertex, from) in moved[n_most..].iter().rev() {
            self.make(vertex, from);
        }
    }

    /// Returns the vertices that communicate with other parts or are away from their home.
    fn border(&self) -> Vec<u32> {
        let on_border = |vertex: usize| {
            self.graph.edges(vertex).any(|(other, _)| self.parts[other] != self.parts[vertex])
                || self.stay.is_some_and(|stay| stay.home[vertex] != self.parts[vertex])
        };
        (0..self.graph.n_free() as u32).into_par_iter().filter(|&vertex| on_border(vertex as usize)).collect()
    }

    /// Moves vertices of `active` without loss, the largest gain first. Returns the vertices for the next pass: the
    /// moved vertices and their neighbours.
    fn pass(&mut self, active: &[u32]) -> Vec<u32> {
        let mut heap: BinaryHeap<Candidate> =
            active.iter().filter_map(|&vertex| self.candidate(vertex)).collect();
        let mut moved = Vec::new();
        while let Some(candidate) = heap.pop().filter(|_| !self.cancel.is_cancelled()) {
            let vertex = candidate.vertex as usize;
            let Some(best) = self.best_move(vertex, false) else { continue };
            if best.gain < candidate.gain {
                heap.push(Candidate { gain: best.gain, ..candidate });
                continue;
            }
            self.make(vertex, best.to);
            moved.push(candidate.vertex);
        }
        let n_free = self.graph.n_free();
        let near = moved.iter().flat_map(|&vertex| self.graph.edges(vertex as usize)).map(|(other, _)| other);
        let mut touched: Vec<u32> = near.filter(|&other| other < n_free).map(|other| other as u32).collect();
        touched.extend(moved);
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    fn candidate(&mut self, vertex: u32) -> Option<Candidate> {
        self.best_move(vertex as usize, false).map(|best| Candidate { gain: best.gain, vertex })
    }

    /// Returns the move of a vertex with the largest gain, or `None` if no move is possible.
    ///
    /// The vertex moves to an adjacent part or to its home, within the limit of that part. Unless `any` is true,
    /// the gain must be positive, or 0 if the loads become more even.
    fn best_move(&mut self, vertex: usize, any: bool) -> Option<Move> {
        self.look(vertex);
        let from = self.parts[vertex] as usize;
        let load = self.graph.loads[vertex];
        let kept = self.volumes[from] + self.pull(vertex, from);
        let mut best: Option<Move> = None;
        for &to in &self.near {
            let to = to as usize;
            if to == from || self.loads[to] + load > self.limits[to] {
                continue;
            }
            let gain = self.volumes[to] + self.pull(vertex, to) - kept;
            let is_better = match best {
                Some(best) => {
                    gain > best.gain || (gain == best.gain && self.fill(to, 0.0) < self.fill(best.to, 0.0))
                }
                None => any || gain > 0.0 || (gain == 0.0 && self.fill(to, load) < self.fill(from, 0.0)),
            };
            if is_better {
                best = Some(Move { to, gain });
            }
        }
        best
    }

    /// Sums the volume of the edges between a vertex and each part.
    fn look(&mut self, vertex: usize) {
        for part in self.near.drain(..) {
            self.volumes[part as usize] = 0.0;
        }
        for (other, volume) in self.graph.edges(vertex) {
            let part = self.parts[other];
            let known = &mut self.volumes[part as usize];
            if *known == 0.0 {
                self.near.push(part);
            }
            *known += volume;
        }
        if let Some(stay) = self.stay
            && self.volumes[stay.home[vertex] as usize] == 0.0
        {
            self.near.push(stay.home[vertex]);
        }
    }

    /// Returns the cost that a vertex saves in a part: 0 except at home.
    fn pull(&self, vertex: usize, part: usize) -> f64 {
        self.stay.filter(|stay| stay.home[vertex] as usize == part).map_or(0.0, |stay| stay.cost[vertex])
    }

    /// Returns the load of a part relative to its limit, with `more` load added.
    fn fill(&self, part: usize, more: f64) -> f64 {
        fill(self.loads[part] + more, self.limits[part])
    }

    fn make(&mut self, vertex: usize, to: usize) {
        let from = self.parts[vertex] as usize;
        self.parts[vertex] = to as u32;
        self.loads[from] -= self.graph.loads[vertex];
        self.loads[to] += self.graph.loads[vertex];
    }

    /// Moves vertices out of parts that exceed their limit, the smallest loss relative to load first.
    ///
    /// A vertex moves to an adjacent part or to its home, within the limit, or to the least full part. The least full
    /// part may exceed its limit if it is then less full than the source was.
    fn balance(&mut self) {
        let is_over = |loads: &[f64], part: usize| loads[part] > self.limits[part];
        if !(0..self.loads.len()).any(|part| is_over(&self.loads, part)) {
            return;
        }
        let fills = (0..self.loads.len()).map(|part| Seconds(self.fill(part, 0.0)));
        let mut ladder = RankOrder::new(fills);
        let crowded: Vec<u32> = (0..self.graph.n_free() as u32)
            .filter(|&vertex| {
                self.graph.loads[vertex as usize] > 0.0
                    && is_over(&self.loads, self.parts[vertex as usize] as usize)
            })
            .collect();
        let mut heap: BinaryHeap<Candidate> = BinaryHeap::with_capacity(crowded.len());
        for vertex in crowded {
            let relief = self.relief(vertex as usize, &ladder);
            heap.extend(relief.map(|relief| Candidate { gain: relief.gain, vertex }));
        }
        while let Some(candidate) = heap.pop().filter(|_| !self.cancel.is_cancelled()) {
            let vertex = candidate.vertex as usize;
            let from = self.parts[vertex] as usize;
            if self.loads[from] <= self.limits[from] {
                continue;
            }
            let Some(relief) = self.relief(vertex, &ladder) else { continue };
            if relief.gain < candidate.gain {
                heap.push(Candidate { gain: relief.gain, ..candidate });
                continue;
            }
            self.make(vertex, relief.to);
            for part in [from, relief.to] {
                ladder.renew(RankId::from(part), Seconds(self.fill(part, 0.0)));
            }
            // The remaining neighbours can now leave at a smaller loss.
            for (other, _) in self.graph.edges(vertex) {
                if other < self.graph.n_free()
                    && self.parts[other] as usize == from
                    && self.graph.loads[other] > 0.0
                {
                    let near = self.relief(other, &ladder);
                    heap.extend(near.map(|relief| Candidate { gain: relief.gain, vertex: other as u32 }));
                }
            }
        }
    }

    /// Returns the best move of a vertex out of a part above its limit, or `None` if no part can receive the vertex.
    /// The gain favours vertices with much load: a loss is divided by the load, a positive gain is multiplied by it.
    fn relief(&mut self, vertex: usize, ladder: &RankOrder<Seconds>) -> Option<Move> {
        self.look(vertex);
        let from = self.parts[vertex] as usize;
        let load = self.graph.loads[vertex];
        let has_room = |loads: &[f64], to: usize| loads[to] + load <= self.limits[to];
        let emptiest = ladder.ascending().next().map(RankId::index);
        let mut best: Option<Move> = None;
        for to in self.near.iter().map(|&to| to as usize).chain(emptiest) {
            let is_last_resort = Some(to) == emptiest && self.fill(to, load) < self.fill(from, 0.0);
            if to == from || !(has_room(&self.loads, to) || is_last_resort) {
                continue;
            }
            let lost =
                self.volumes[from] + self.pull(vertex, from) - self.volumes[to] - self.pull(vertex, to);
            let gain = if lost > 0.0 { -lost / load } else { -lost * load };
            let is_better = best.is_none_or(|best| {
                gain > best.gain || (gain == best.gain && self.fill(to, 0.0) < self.fill(best.to, 0.0))
            });
            if is_better {
                best = Some(Move { to, gain });
            }
        }
        best
    }
}

/// Returns a load divided by a limit: 0 without load, otherwise infinite for a limit of 0.
fn fill(load: f64, limit: f64) -> f64 {
    if load > 0.0 { load / limit } else { 0.0 }
}
