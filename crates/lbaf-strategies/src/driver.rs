// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a strategy and checks what it returns: the promises that all strategies make are checked here, after
//! every run, and not by the strategies themselves.

use lbaf_model::{Assignment, RankTotals, Statistics, Work, check_work, rank_totals, works};

use crate::{Communication, Context, IterationStats, Outcome, Problem, Strategy, StrategyError};

/// Relative difference allowed between statistics that a strategy kept incrementally and the true ones.
const DRIFT: f64 = 1e-9;

/// A checked result, with totals derived anew from the assignment.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What the strategy returned.
    pub outcome: Outcome,
    /// Totals of every rank.
    pub totals: Vec<RankTotals>,
    /// Work of every rank.
    pub works: Vec<Work>,
    /// Whether the strategy promises bounds and could not keep them, though the start or another placement
    /// might have.
    pub infeasible: bool,
    /// What ranks of a real run would exchange to find it.
    pub communication: Communication,
}

/// Runs `strategy` on `problem`.
///
/// # Errors
/// If numbers may not hold the work of some placement, if the strategy refuses, or breaks a promise: every object on a rank that exists, objects that may not
/// migrate where they were, statistics that are those of the assignment.
pub fn run(
    strategy: &dyn Strategy,
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Result<Checked, StrategyError> {
    check_work(problem.phase, problem.model)
        .map_err(|error| StrategyError::Work { message: error.to_string() })?;
    let mut outcome = strategy.rebalance(problem, context)?;
    let broken = |message| StrategyError::Broken { strategy: strategy.name(), message };
    check_assignment(problem, &outcome.assignment).map_err(broken)?;
    let totals = rank_totals(problem.phase, &outcome.assignment);
    let works = works(problem.model, problem.phase, &totals);
    if outcome.iterations.is_empty() {
        let stats = only_iteration(problem, &outcome.assignment, &totals, &works);
        context.iteration(&stats, &outcome.assignment);
        outcome.iterations.push(stats);
        outcome.best_iteration = 1;
    } else {
        check_best(problem, &outcome, &totals, &works).map_err(broken)?;
    }
    let infeasible = strategy.honours_bounds() && works.iter().any(|work| work.is_over_bound());
    let communication = Communication::of(problem, &outcome);
    Ok(Checked { outcome, totals, works, infeasible, communication })
}

/// A strategy that places everything at once is one iteration, so that there is no special case behind it.
fn only_iteration(
    problem: &Problem<'_>,
    assignment: &Assignment,
    totals: &[RankTotals],
    works: &[Work],
) -> IterationStats {
    IterationStats {
        iteration: 1,
        load_imbalance: load_imbalance(totals),
        max_work: max_work(works),
        largest_excess: largest_excess(works),
        n_transfers: assignment.migrations_from(problem.initial).count(),
        n_rejections: 0,
        n_messages: 0,
        knowledge: None,
        locks: None,
    }
}

/// Statistics of an assignment, as if a single iteration had led from the start to it.
pub fn standing(problem: &Problem<'_>, assignment: &Assignment) -> IterationStats {
    let totals = rank_totals(problem.phase, assignment);
    let works = works(problem.model, problem.phase, &totals);
    only_iteration(problem, assignment, &totals, &works)
}

fn load_imbalance(totals: &[RankTotals]) -> f64 {
    Statistics::of(totals.iter().map(|rank| rank.load)).imbalance()
}

fn max_work(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}

fn largest_excess(works: &[Work]) -> f64 {
    works.iter().map(|work| work.excess()).fold(0.0, f64::max)
}

fn check_assignment(problem: &Problem<'_>, assignment: &Assignment) -> Result<(), String> {
    let Problem { phase, initial, .. } = *problem;
    if assignment.len() != phase.n_objects() {
        return Err(format!("{} of {} objects have a rank", assignment.len(), phase.n_objects()));
    }
    for slot in phase.slots() {
        let rank = assignment.rank_of(slot);
        if rank.index() >= phase.n_ranks() {
            return Err(format!("object {} is on rank {rank} of {}", phase.object(slot), phase.n_ranks()));
        }
        if !phase.is_migratable(slot) && rank != initial.rank_of(slot) {
            return Err(format!("object {} may not migrate, but did", phase.object(slot)));
        }
    }
    Ok(())
}

fn check_best(
    problem: &Problem<'_>,
    outcome: &Outcome,
    totals: &[RankTotals],
    works: &[Work],
) -> Result<(), String> {
    let Some(before) = outcome.best_iteration.checked_sub(1) else {
        let stays = outcome.assignment == *problem.initial;
        return if stays { Ok(()) } else { Err("it moved objects in no iteration".to_owned()) };
    };
    match outcome.iterations.get(before) {
        Some(best) => check_statistics(best, totals, works),
        None => Err(format!("its best iteration is {}, which it did not make", outcome.best_iteration)),
    }
}

fn check_statistics(stats: &IterationStats, totals: &[RankTotals], works: &[Work]) -> Result<(), String> {
    let pairs = [
        ("imbalance", stats.load_imbalance, load_imbalance(totals)),
        ("maximum work", stats.max_work, max_work(works)),
        ("excess over bounds", stats.largest_excess, largest_excess(works)),
    ];
    for (what, reported, recomputed) in pairs {
        if (reported - recomputed).abs() > DRIFT * recomputed.abs().max(1.0) {
            return Err(format!("it reports {what} {reported}, but that of its assignment is {recomputed}"));
        }
    }
    Ok(())
}
