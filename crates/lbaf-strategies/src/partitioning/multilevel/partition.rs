// SPDX-License-Identifier: MIT OR Apache-2.0
//! Driver of multilevel partitioning: coarsening, initial partition, refinement.

use super::coarsening::{Level, coarsen};
use super::graph::Graph;
use super::initial::recursive_bisection;
use super::refinement::{Refinement, Stay};
use super::relabelling::renamed;
use super::shares::Shares;
use crate::{Cancel, Context, NoObserver};

/// Coarsening ends at this number of vertices for each part, but at no fewer than `COARSEST` in total.
const COARSEST_PER_PART: usize = 30;
const COARSEST: usize = 1000;

/// Coarsening also ends once a level keeps more than this fraction of the vertices.
const LEAST_SHRINKING: f64 = 0.95;

/// Random stream of coarsening. Streams of bisections have numbers from 1.
const COARSENING: u64 = 0;

/// Returns a partition from scratch. O((vertices + edges) log parts).
pub(super) fn partition(graph: &Graph, shares: &Shares, context: &Context<'_>) -> Vec<u32> {
    let levels = hierarchy(graph, shares, None, context);
    let coarsest = levels.last().map_or(graph, |level| &level.graph);
    let parts = recursive_bisection(coarsest, shares, context);
    uncoarsen(graph, &levels, shares, None, parts, context.cancel())
}

/// Returns a partition that starts from the current partition, `stay.home`.
///
/// Coarsening merges only vertices of the same part. As in `ParMETIS` (Schloegel, Karypis & Kumar 1997), there are
/// two candidates: the refined current partition, and a relabelled partition from scratch. The result is the
/// candidate with the smaller excess over limits. If the excesses are equal, it is the candidate with the smaller
/// sum of cut and cost of moves. O((vertices + edges) log parts).
pub(super) fn repartition(graph: &Graph, shares: &Shares, stay: Stay<'_>, context: &Context<'_>) -> Vec<u32> {
    let levels = hierarchy(graph, shares, Some(stay.home), context);
    let mut stays: Vec<(Vec<u32>, Vec<f64>)> = Vec::new();
    for level in &levels {
        let finer = stays.last().map_or(stay, |(home, cost)| Stay { home, cost });
        stays.push((level.project(finer.home), level.sums(finer.cost)));
    }
    let coarsest = levels.last().map_or(graph, |level| &level.graph);
    let at_coarsest = stays.last().map_or(stay, |(home, cost)| Stay { home, cost });
    let scratch = recursive_bisection(coarsest, shares, context);
    let scratch = renamed(coarsest, shares, at_coarsest, scratch);
    let candidates = [at_coarsest.home.to_vec(), scratch].map(|parts| {
        let parts = uncoarsen(graph, &levels, shares, Some((stay, &stays)), parts, context.cancel());
        (shares.excess(graph, &parts), graph.cut(&parts) + stay.total(&parts), parts)
    });
    let [diffused, scratch] = candidates;
    let is_better = scratch.0.total_cmp(&diffused.0).then(scratch.1.total_cmp(&diffused.1)).is_lt();
    if is_better { scratch.2 } else { diffused.2 }
}

type Stays<'a> = (Stay<'a>, &'a [(Vec<u32>, Vec<f64>)]);

/// Projects a partition of the coarsest graph to the finest graph, with refinement on every level. After a
/// cancellation, the result may be meaningless: all vertices in part 0.
fn uncoarsen(
    graph: &Graph,
    levels: &[Level],
    shares: &Shares,
    stays: Option<Stays<'_>>,
    mut parts: Vec<u32>,
    cancel: &Cancel,
) -> Vec<u32> {
    for at in (0..=levels.len()).rev() {
        if cancel.is_cancelled() {
            return vec![0; graph.n_vertices()];
        }
        if let Some(level) = levels.get(at) {
            parts = level.coarse.iter().map(|&coarse| parts[coarse as usize]).collect();
        }
        let graph = at.checked_sub(1).map_or(graph, |at| &levels[at].graph);
        let stay = stays.map(|(finest, coarser)| {
            at.checked_sub(1).map_or(finest, |at| Stay { home: &coarser[at].0, cost: &coarser[at].1 })
        });
        // Additional room lets large vertices move (Sanders & Schulz 2011).
        let roomy = shares.with_room(graph);
        let is_finest = at == 0;
        if !is_finest || shares.is_tight(graph) {
            parts = Refinement::new(graph, &roomy, stay, parts, cancel).refined();
        }
        if is_finest {
            parts = Refinement::new(graph, &shares.limits, stay, parts, cancel).refined();
        }
    }
    parts
}

/// Returns the coarser graphs, the finest first. With `groups`, only vertices of the same group are merged.
fn hierarchy(graph: &Graph, shares: &Shares, groups: Option<&[u32]>, context: &Context<'_>) -> Vec<Level> {
    let mut random = context.stream(COARSENING);
    let enough = (COARSEST_PER_PART * shares.targets.len()).max(COARSEST);
    let most_load = 1.5 * graph.total_load() / enough as f64;
    let mut levels: Vec<Level> = Vec::new();
    let mut groups = groups.map(<[u32]>::to_vec);
    loop {
        let finest = levels.last().map_or(graph, |level| &level.graph);
        if finest.n_free() <= enough || context.check().is_err() {
            return levels;
        }
        let level = coarsen(finest, most_load, groups.as_deref(), &mut random);
        if level.graph.n_free() as f64 > LEAST_SHRINKING * finest.n_free() as f64 {
            return levels;
        }
        groups = groups.map(|groups| level.project(&groups));
        levels.push(level);
    }
}

/// Returns the part of each vertex, for comparisons with other partitioners. Loads of parts are equal within
/// `tolerance`, a fraction of the mean, where loads of vertices permit. There is no relabelling and no repair.
pub fn equal_parts(graph: &Graph, n_parts: usize, tolerance: f64, seed: u64) -> Vec<u32> {
    let shares = Shares::new(graph, &vec![1.0; n_parts], tolerance);
    partition(graph, &shares, &Context::new(seed, 0, &mut NoObserver))
}
