// SPDX-License-Identifier: MIT OR Apache-2.0
//! Common part of the strategies that place objects by their positions in space.

use lbaf_model::RankId;

use crate::primitives::relabelling::relabel;
use crate::{Context, Outcome, Problem, StrategyError};

mod capacity;
mod placement;
mod points;

pub(crate) use capacity::Capacity;
pub(crate) use points::Points;

/// Cuts space into as many parts as there are ranks and assigns one part to each rank.
///
/// `cut` returns the part of each point; its second argument is the capacity of each part's rank. With `remap`,
/// each rank gets a part with which it shares many objects. Otherwise, rank i gets part i.
///
/// # Errors
/// If objects have indices of too many dimensions, or if the run was cancelled.
pub(crate) fn place(
    strategy: &'static str,
    problem: &Problem<'_>,
    remap: bool,
    context: &Context<'_>,
    cut: impl Fn(&Points, &[Capacity]) -> Vec<u32>,
) -> Result<Outcome, StrategyError> {
    let points = Points::new(strategy, problem)?;
    let n_ranks = problem.phase.n_ranks();
    if n_ranks == 0 {
        return Ok(Outcome::at_once(problem.initial.clone()));
    }
    context.check()?;
    let capacities = capacity::capacities(problem, &points);
    let mut order: Vec<RankId> = problem.phase.rank_ids().collect();
    let mut parts = None;
    if remap {
        // A cut needs the capacities of ranks, but ranks are matched with parts after a cut. So the first cut
        // assumes equal ranks.
        let alike = vec![Capacity::ALIKE; n_ranks];
        let first = cut(&points, &alike);
        context.check()?;
        order = order_of_parts(problem, &points, &first);
        parts = (capacities == alike).then_some(first);
    }
    let parts = parts.unwrap_or_else(|| {
        let in_order: Vec<Capacity> = order.iter().map(|rank| capacities[rank.index()]).collect();
        cut(&points, &in_order)
    });
    let outcome = placement::outcome(problem, &points, &parts, &order, context.cancel());
    context.check()?;
    Ok(outcome)
}

/// Returns the rank of each part. Parts and ranks with the most common objects are matched first, so that few
/// objects migrate.
fn order_of_parts(problem: &Problem<'_>, points: &Points, parts: &[u32]) -> Vec<RankId> {
    let common = points.slots.iter().zip(parts);
    let common = common.map(|(&slot, &part)| (RankId(part), problem.initial.rank_of(slot), 1.0));
    relabel(problem.phase.n_ranks(), common, |_| ())
}
