// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of every rank, kept up to date as a rank sees it.

use lbaf_model::{Assignment, BoundScope, RankId, View, Work, WorkModel, node_excess, rank_totals, works};
use rustc_hash::FxHashMap;

use crate::Problem;

/// The largest cost of a rank in a placement, with the largest excess over bounds, from nothing. O(objects + edges +
/// ranks).
pub(crate) fn largest_work(problem: &Problem<'_>, placement: &Assignment) -> Work {
    let works = works(problem.model, problem.phase, &rank_totals(problem.phase, placement));
    let largest = |of: fn(Work) -> f64| works.iter().map(|&work| of(work)).fold(0.0, f64::max);
    Work::with_excess(largest(Work::cost), largest(Work::excess))
}

/// Whether a rank is further over a bound than before, beyond rounding of sums that are kept up to date.
pub(crate) fn gets_over(before: Work, after: Work) -> bool {
    after.excess() > before.excess() * (1.0 + 1e-12)
}

/// Work of source and destination of a transfer.
pub(crate) type Ends = (Work, Work);

/// True if no end is further over a bound than it was, unless the larger violation of the two becomes smaller.
pub(crate) fn keeps_bounds(before: Ends, after: Ends) -> bool {
    let is_worse = gets_over(before.0, after.0) || gets_over(before.1, after.1);
    !is_worse || is_relief(relief(before, after), before)
}

/// By how much the larger violation of two ends becomes smaller.
pub(crate) fn relief(before: Ends, after: Ends) -> f64 {
    largest_excess(before) - largest_excess(after)
}

/// True if that is more than rounding.
pub(crate) fn is_relief(relief: f64, before: Ends) -> bool {
    relief > 1e-9 * largest_excess(before)
}

fn largest_excess(ends: Ends) -> f64 {
    ends.0.excess().max(ends.1.excess())
}

/// Whether the work of a rank depends on what its node has.
pub(crate) fn bounds_nodes(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.scope == BoundScope::Node)
}

/// Whether what leaves a rank may help it on some ranks only: on those of its partners, and nowhere without a rank.
pub(crate) fn bounds_communication(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.quantity.aspects().communication)
}

/// The ranks whose work changes when two exchange something.
pub(crate) fn concerned(view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) -> Vec<RankId> {
    if !bounds_nodes(model) {
        return ends.to_vec();
    }
    nodes(view, ends).flatten().copied().map(RankId::from).collect()
}

/// Their works. O(ranks of the nodes), where nodes are bounded.
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

/// The ranks of the node of each end; once, if it is the same.
fn nodes(view: &impl View, ends: [RankId; 2]) -> impl Iterator<Item = &[usize]> {
    let [first, second] = ends.map(|end| view.node_of(end));
    let is_same = first.first() == second.first();
    std::iter::once(first).chain((!is_same).then_some(second))
}

/// Work of every rank.
pub(crate) enum Works<'a> {
    /// As it is.
    Live(&'a mut [Work]),
    /// As it was, but for what the rank itself changed.
    Believed(&'a [Work], FxHashMap<RankId, Work>),
}

impl Works<'_> {
    pub(crate) fn of(&self, rank: RankId) -> Work {
        match self {
            Works::Live(works) => works[rank.index()],
            Works::Believed(works, changed) => changed.get(&rank).copied().unwrap_or(works[rank.index()]),
        }
    }

    /// Two ranks exchanged objects; where nodes are bounded, that concerns the ranks beside them too.
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
