// SPDX-License-Identifier: MIT OR Apache-2.0
//! Initial partition of the coarsest graph by recursive bisection.

use std::ops::Range;

use super::bisection::{Sides, bisect};
use super::graph::Graph;
use super::shares::Shares;
use crate::Context;

/// Number of vertices above which halves are divided in parallel.
const WORTH_A_TASK: usize = 2000;

/// Minimum tolerance for the load of a side, as a fraction of its target.
const LEAST_SLACK: f64 = 0.002;

/// Returns the part of every vertex, by recursive bisection.
///
/// Each bisection has its own random stream. O((vertices + edges) log parts).
pub(super) fn recursive_bisection(graph: &Graph, shares: &Shares, context: &Context<'_>) -> Vec<u32> {
    let mut parts = vec![0; graph.n_vertices()];
    let vertices = (0..graph.n_vertices() as u32).collect();
    let split = Split { shares, context };
    for (vertices, part) in split.parts(graph, vertices, 0..shares.targets.len(), 1) {
        for vertex in vertices {
            parts[vertex as usize] = part;
        }
    }
    parts
}

struct Split<'a, 'c> {
    shares: &'a Shares,
    context: &'a Context<'c>,
}

impl Split<'_, '_> {
    /// Returns the vertices of each part. After a cancellation, further bisections are left out.
    ///
    /// `number` identifies the bisection. The first has number 1. The halves of bisection n have the numbers 2n and
    /// 2n + 1.
    fn parts(
        &self,
        graph: &Graph,
        vertices: Vec<u32>,
        parts: Range<usize>,
        number: u64,
    ) -> Vec<(Vec<u32>, u32)> {
        if parts.len() <= 1 || self.context.check().is_err() {
            return vec![(vertices, parts.start as u32)];
        }
        let middle = parts.start + parts.len().div_ceil(2);
        let halves = [parts.start..middle, middle..parts.end];
        let sides = self.sides(graph, &halves);
        let mut random = self.context.stream(number);
        let side = bisect(graph, &sides, &mut random);
        let [left, right] = [0, 1].map(|this| half(graph, &vertices, &side, this));
        let is_worth = vertices.len() > WORTH_A_TASK;
        drop((vertices, side));
        let [left_parts, right_parts] = halves;
        let one = || self.parts(&left.0, left.1, left_parts, 2 * number);
        let other = || self.parts(&right.0, right.1, right_parts, 2 * number + 1);
        let (mut one, other) = if is_worth { rayon::join(one, other) } else { (one(), other()) };
        one.extend(other);
        one
    }

    /// Returns the targets and limits of both halves. The remaining tolerance is divided evenly among the remaining
    /// levels of bisections.
    fn sides(&self, graph: &Graph, halves: &[Range<usize>; 2]) -> Sides {
        let load = graph.total_load();
        let sums = |all: &[f64]| halves.clone().map(|half| all[half].iter().sum::<f64>());
        let (targets, limits) = (sums(&self.shares.targets), sums(&self.shares.limits));
        let total = targets[0] + targets[1];
        let share = |side: usize| if total > 0.0 { load * targets[side] / total } else { load / 2.0 };
        let depth = f64::from((halves[0].len() + halves[1].len()).next_power_of_two().ilog2());
        let allowed = limits[0] + limits[1];
        let slack = if load > 0.0 { libm::pow(allowed / load, depth.recip()) - 1.0 } else { 0.0 };
        let targets = [share(0), share(1)];
        Sides {
            middle: halves[1].start as u32,
            targets,
            limits: targets.map(|target| target * (1.0 + slack.max(LEAST_SLACK))),
        }
    }
}

/// Returns the subgraph of the vertices on side `this`, and their numbers in the whole graph.
///
/// `vertices` contains the number of each vertex of `graph` in the whole graph.
fn half(graph: &Graph, vertices: &[u32], side: &[u32], this: u32) -> (Graph, Vec<u32>) {
    let mut places = vec![0; side.len()];
    let mut names = Vec::new();
    let mut half = Graph { offsets: vec![0], ..Graph::default() };
    let members = || (0..side.len()).filter(|&vertex| side[vertex] == this);
    for (place, vertex) in members().enumerate() {
        places[vertex] = place as u32;
        names.push(vertices[vertex]);
        half.loads.push(graph.loads[vertex]);
    }
    for vertex in members() {
        for (other, volume) in graph.edges(vertex).filter(|&(other, _)| side[other] == this) {
            half.targets.push(places[other]);
            half.volumes.push(volume);
        }
        half.offsets.push(half.targets.len() as u32);
    }
    let anchors = graph.anchored().filter(|&(vertex, _)| side[vertex] == this);
    half.anchors = anchors.map(|(_, part)| part).collect();
    (half, names)
}
