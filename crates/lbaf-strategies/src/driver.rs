// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a strategy and checks what it returns: the promises that all strategies make are checked here, after
//! every run, and not by the strategies themselves.

use lbaf_model::{Assignment, RankTotals, Statistics, Work, rank_totals, works};

use crate::{Context, IterationStats, Outcome, Problem, Strategy, StrategyError};

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
}

/// Runs `strategy` on `problem`.
///
/// # Errors
/// If the strategy refuses, or breaks a promise: every object on a rank that exists, objects that may not
/// migrate where they were, statistics that are those of the assignment.
pub fn run(
    strategy: &dyn Strategy,
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Result<Checked, StrategyError> {
    let mut outcome = strategy.rebalance(problem, context)?;
    let broken = |message| StrategyError::Broken { strategy: strategy.name(), message };
    check_assignment(problem, &outcome.assignment).map_err(broken)?;
    let totals = rank_totals(problem.phase, &outcome.assignment);
    let works = works(problem.model, problem.phase, &totals);
    if let Some(last) = outcome.iterations.last() {
        check_statistics(last, &totals, &works).map_err(broken)?;
    } else {
        let stats = only_iteration(problem, &outcome.assignment, &totals, &works);
        context.iteration(&stats, &outcome.assignment);
        outcome.iterations.push(stats);
    }
    let infeasible = strategy.honours_bounds() && works.iter().any(|work| work.is_over_bound());
    Ok(Checked { outcome, totals, works, infeasible })
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
        n_transfers: assignment.migrations_from(problem.initial).count(),
        n_rejections: 0,
    }
}

fn load_imbalance(totals: &[RankTotals]) -> f64 {
    Statistics::of(totals.iter().map(|rank| rank.load)).imbalance()
}

fn max_work(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
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

fn check_statistics(stats: &IterationStats, totals: &[RankTotals], works: &[Work]) -> Result<(), String> {
    let (imbalance, max_work) = (load_imbalance(totals), max_work(works));
    let pairs = [("imbalance", stats.load_imbalance, imbalance), ("maximum work", stats.max_work, max_work)];
    for (what, reported, recomputed) in pairs {
        if (reported - recomputed).abs() > DRIFT * recomputed.abs().max(1.0) {
            return Err(format!("it reports {what} {reported}, but that of its assignment is {recomputed}"));
        }
    }
    Ok(())
}
