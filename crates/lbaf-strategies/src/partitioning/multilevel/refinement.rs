// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refinement of many parts: vertices on borders go where they talk more, and off parts that have too much.

use std::collections::BinaryHeap;

use lbaf_model::RankId;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::graph::Graph;
use crate::Cancel;
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;

/// Passes of refinement on each level.
const PASSES: usize = 8;

/// Moves of a localized search that may fail to better it.
const PATIENCE: usize = 15;

/// A localized search may begin with a loss of this part of what the vertex talks within its part.
const WORTH_A_CLIMB: f64 = 0.5;

/// What it costs not to be in a certain part.
#[derive(Clone, Copy)]
pub(super) struct Stay<'a> {
    /// The part that each vertex should stay in.
    pub(super) home: &'a [u32],
    /// The volume that being elsewhere counts as.
    pub(super) cost: &'a [f64],
}

impl Stay<'_> {
    /// What a partition costs.
    pub(super) fn total(&self, parts: &[u32]) -> f64 {
        let homes = self.home.iter().zip(parts).zip(self.cost);
        homes.filter(|((home, part), _)| home != part).map(|(_, cost)| cost).sum()
    }
}

/// A partition that gets better.
pub(super) struct Refinement<'a> {
    graph: &'a Graph,
    limits: &'a [f64],
    stay: Option<Stay<'a>>,
    cancel: &'a Cancel,
    parts: Vec<u32>,
    loads: Vec<f64>,
    /// Volume to each part from the vertex that is looked at, and the parts where that is not 0.
    volumes: Vec<f64>,
    near: Vec<u32>,
}

/// Where a vertex could go, and what that gains.
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

    /// Balances, then lowers the cut. O(edges), and the heaps of borders.
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

    /// Localized search (Sanders & Schulz 2011): from each vertex on a border vertices move one after the other, also
    /// where that loses; what came after the best moment is taken back. A vertex moves in one of the searches alone.
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

    /// The vertices that talk to other parts, or are not where they should stay.
    fn border(&self) -> Vec<u32> {
        let on_border = |vertex: usize| {
            self.graph.edges(vertex).any(|(other, _)| self.parts[other] != self.parts[vertex])
                || self.stay.is_some_and(|stay| stay.home[vertex] != self.parts[vertex])
        };
        (0..self.graph.n_free() as u32).into_par_iter().filter(|&vertex| on_border(vertex as usize)).collect()
    }

    /// Moves vertices, those that gain most first and each once, as long as that loses nothing. Returns those for
    /// which that changed something.
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

    /// The move of a vertex that gains most, to a part that it talks to and that has room: `any`, or one that loses
    /// nothing, and evens loads where it gains nothing.
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

    /// Finds the volumes between a vertex and the parts.
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

    /// What it is worth that a vertex is in a part, its volumes apart.
    fn pull(&self, vertex: usize, part: usize) -> f64 {
        self.stay.filter(|stay| stay.home[vertex] as usize == part).map_or(0.0, |stay| stay.cost[vertex])
    }

    /// How full a part is with some more load.
    fn fill(&self, part: usize, more: f64) -> f64 {
        fill(self.loads[part] + more, self.limits[part])
    }

    fn make(&mut self, vertex: usize, to: usize) {
        let from = self.parts[vertex] as usize;
        self.parts[vertex] = to as u32;
        self.loads[from] -= self.graph.loads[vertex];
        self.loads[to] += self.graph.loads[vertex];
    }

    /// Takes vertices off parts that have more than they may, those that lose least for their load first: to parts
    /// that have room and that they talk to, else to the emptiest, if that has less then than the part had.
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
            // What is near it now leaves more easily.
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

    /// The best way for a vertex off a part that has too much; the gain is for the load that it takes along.
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

/// Load relative to a limit; of a part that may have nothing, infinitely much of anything.
fn fill(load: f64, limit: f64) -> f64 {
    if load > 0.0 { load / limit } else { 0.0 }
}
