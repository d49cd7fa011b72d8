// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of every rank, and comparison of works before and after a transfer.

use lbaf_model::{Assignment, BoundScope, RankId, View, Work, WorkModel, node_excess, rank_totals, works};
use rustc_hash::FxHashMap;

use crate::Problem;

/// Returns the largest cost and the largest excess of any rank in a placement, possibly of different ranks. O(objects +
/// edges + ranks).
pub(crate) fn largest_work(problem: &Problem<'_>, placement: &Assignment) -> Work {
    let works = works(problem.model, problem.phase, &rank_totals(problem.phase, placement));
    let largest = |of: fn(Work) -> f64| works.iter().map(|&work| of(work)).fold(0.0, f64::max);
    Work::with_excess(largest(Work::cost), largest(Work::excess))
}

/// True if the excess of a rank over bounds has grown, beyond the rounding of incrementally updated sums.
pub(crate) fn gets_over(before: Work, after: Work) -> bool {
    after.excess() > before.excess() * (1.0 + 1e-12)
}

/// Works of the source and the destination of a transfer.
pub(crate) type Ends = (Work, Work);

/// True if neither excess over bounds grows, or if the larger excess of the two ranks decreases.
pub(crate) fn keeps_bounds(before: Ends, after: Ends) -> bool {
    let is_worse = gets_over(before.0, after.0) || gets_over(before.1, after.1);
    !is_worse || is_relief(relief(before, after), before)
}

/// Returns the decrease of the larger excess of two ranks.
pub(crate) fn relief(before: Ends, after: Ends) -> f64 {
    largest_excess(before) - largest_excess(after)
}

/// True if a decrease of the larger excess is beyond rounding.
pub(crate) fn is_relief(relief: f64, before: Ends) -> bool {
    relief > 1e-9 * largest_excess(before)
}

fn largest_excess(ends: Ends) -> f64 {
    ends.0.excess().max(ends.1.excess())
}

/// True if the model bounds nodes. The excess of a rank then depends on its whole node.
pub(crate) fn bounds_nodes(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.scope == BoundScope::Node)
}

/// True if a bound includes communication.
///
/// If an object leaves a node, the excess of the node may then fall only if the object goes to the rank of a partner.
/// An evaluation without a destination does not show this.
pub(crate) fn bounds_communication(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.quantity.aspects().communication)
}

/// Returns the ranks whose work can change when two ranks exchange objects: these two ranks or, with bounds on nodes,
/// all ranks of their nodes.
pub(crate) fn concerned(view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) -> Vec<RankId> {
    if !bounds_nodes(model) {
        return ends.to_vec();
    }
    nodes(view, ends).flatten().copied().map(RankId::from).collect()
}

/// Returns the new works of the [`concerned`] ranks after two ranks exchanged objects. O(ranks of the
/// nodes) if nodes have bounds.
pub(crate) fn works_concerned(
    view: &impl View,
    model: &dyn WorkModel,
    ends: [RankId; 2],
) -> Vec<(RankId, Work)> {
    if !bounds_nodes(model) {
        return ends.map(|rank| (rank, view.work(model, rank))).to_vec();
    }
    let mut works = Vec::new();
    for node in nodes(view, ends) {
        let totals = node.iter().map(|&rank| view.rank(RankId::from(rank)));
        let excess = node_excess(model, &totals);
        works.extend(node.iter().zip(totals).map(|(&rank, totals)| {
            let work = model.work(totals);
            (RankId::from(rank), Work::with_excess(work.cost(), work.excess() + excess))
        }));
    }
    works
}

/// Iterates over the nodes of two ranks, without duplicates.
fn nodes(view: &impl View, ends: [RankId; 2]) -> impl Iterator<Item = &[usize]> {
    let [first, second] = ends.map(|end| view.node_of(end));
    let is_same = first.first() == second.first();
    std::iter::once(first).chain((!is_same).then_some(second))
}

/// Work of every rank, either current or as known to one rank.
pub(crate) enum Works<'a> {
    /// Current work.
    Live(&'a mut [Work]),
    /// Works as known to one rank: earlier works of all ranks, and newer works of the ranks that it changed.
    Believed(&'a [Work], FxHashMap<RankId, Work>),
}

impl Works<'_> {
    pub(crate) fn of(&self, rank: RankId) -> Work {
        match self {
            Works::Live(works) => works[rank.index()],
            Works::Believed(works, changed) => changed.get(&rank).copied().unwrap_or(works[rank.index()]),
        }
    }

    /// Updates the works of two ranks that exchanged objects, and of their nodes if nodes have bounds.
    pub(crate) fn update(&mut self, view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) {
        for (rank, work) in works_concerned(view, model, ends) {
            self.set(rank, work);
        }
    }

    fn set(&mut self, rank: RankId, work: Work) {
        match self {
            Works::Live(works) => works[rank.index()] = work,
            Works::Believed(_, changed) => drop(changed.insert(rank, work)),
        }
    }
}
