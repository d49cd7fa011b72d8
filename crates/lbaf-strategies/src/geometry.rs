// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements by where objects are in their collections: what strategies that cut space have in common.

use lbaf_model::RankId;

use crate::{Context, Outcome, Problem, StrategyError};

mod placement;
mod points;
mod remap;
mod room;

pub(crate) use points::Points;
pub(crate) use room::Room;

/// Cuts space into as many parts as there are ranks and gives each rank one. `cut` says in which part every point
/// is, given the room of the rank of each part. With `remap` ranks get parts of which they have much already, else
/// parts in order.
///
/// # Errors
/// If objects have indices of more dimensions than can be taken, or if it was cancelled.
pub(crate) fn place(
    strategy: &'static str,
    problem: &Problem<'_>,
    remap: bool,
    context: &Context<'_>,
    cut: impl Fn(&Points, &[Room]) -> Vec<u32>,
) -> Result<Outcome, StrategyError> {
    let points = Points::new(strategy, problem)?;
    let n_ranks = problem.phase.n_ranks();
    if n_ranks == 0 {
        return Ok(Outcome::at_once(problem.initial.clone()));
    }
    context.check()?;
    let rooms = room::rooms(problem, &points);
    let mut order: Vec<RankId> = problem.phase.rank_ids().collect();
    let mut parts = None;
    if remap {
        // What a rank has room for is known when its part is, so the parts are those of ranks that are alike first.
        let alike = vec![Room::ALIKE; n_ranks];
        let first = cut(&points, &alike);
        context.check()?;
        order = remap::order(problem, &points, &first);
        parts = (rooms == alike).then_some(first);
    }
    let parts = parts.unwrap_or_else(|| {
        let in_order: Vec<Room> = order.iter().map(|rank| rooms[rank.index()]).collect();
        cut(&points, &in_order)
    });
    let outcome = placement::outcome(problem, &points, &parts, &order, context.cancel());
    context.check()?;
    Ok(outcome)
}
