// SPDX-License-Identifier: MIT OR Apache-2.0
//! Driver: runs a strategy and checks the promises that all strategies make, so strategies do not check their results.

use lbaf_model::{Assignment, RankTotals, Work, check_work, rank_totals, works};

use crate::iteration_stats::{largest_excess, load_imbalance, max_work};
use crate::{Communication, Context, IterationStats, Outcome, Problem, Strategy, StrategyError};

/// Largest allowed relative difference between reported and recomputed statistics; absolute for values below 1.
/// Statistics that are updated incrementally have rounding errors.
const DRIFT: f64 = 1e-9;

/// Checked result of a strategy, with recomputed totals and works.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Outcome that the strategy returned, with an iteration added by the driver if it had none.
    pub outcome: Outcome,
    /// Totals of every rank.
    pub totals: Vec<RankTotals>,
    /// Work of every rank.
    pub works: Vec<Work>,
    /// True if the strategy promises to keep bounds and its result violates one. Another placement may still be within
    /// all bounds.
    pub infeasible: bool,
    /// Messages and bytes that ranks of a real run would exchange to obtain the result.
    pub communication: Communication,
}

/// Runs `strategy` on `problem` and checks the result.
///
/// ```
/// use lbaf_model::{LoadOnly, Phase};
/// use lbaf_strategies::{Context, Lpt, NoObserver, Problem, run};
///
/// // Four objects of 1, 2, 3 and 4 s, all on the first of two ranks.
/// let phase = Phase::builder(2).objects([(1.0, 0), (2.0, 0), (3.0, 0), (4.0, 0)]).build()?;
/// let model = LoadOnly::default();
/// let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model: &model, keys: &[] };
/// let checked = run(&Lpt::default(), &problem, &mut Context::new(42, 0, &mut NoObserver))?;
/// assert_eq!(checked.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [5.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the work of some placement may exceed the range of floating-point numbers; if the run was cancelled; if the
/// strategy returns an error; or if its result breaks a promise: every object is on an existing rank, non-migratable
/// objects stay, and the best iteration exists and agrees with the assignment in imbalance, maximum work and excess. If
/// the best iteration is 0, no object may have moved.
pub fn run(
    strategy: &dyn Strategy,
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Result<Checked, StrategyError> {
    check_work(problem.phase, problem.model)
        .map_err(|error| StrategyError::Work { message: error.to_string() })?;
    context.check()?;
    let mut outcome = strategy.rebalance(problem, context)?;
    // A strategy that was cancelled may have returned a partial result.
    context.check()?;
    let broken = |message| StrategyError::Broken { strategy: strategy.name(), message };
    check_assignment(problem, &outcome.assignment).map_err(broken)?;
    let totals = rank_totals(problem.phase, &outcome.assignment);
    let works = works(problem.model, problem.phase, &totals);
    if outcome.iterations.is_empty() {
        // Recorded as one iteration, so that later code needs no special case.
        let stats = IterationStats::with_totals(problem, &outcome.assignment, &totals, &works);
        context.iteration(&stats, &outcome.assignment);
        outcome.iterations.push(stats);
        outcome.best_iteration = 1;
    } else {
        check_best(problem, &outcome, &totals, &works).map_err(broken)?;
    }
    let infeasible = strategy.honours_bounds() && works.iter().any(|work| work.is_over_bound());
    let communication = outcome.communication(problem);
    Ok(Checked { outcome, totals, works, infeasible, communication })
}

fn check_assignment(problem: &Problem<'_>, assignment: &Assignment) -> Result<(), String> {
    let Problem { phase, initial, .. } = *problem;
    if assignment.len() != phase.n_objects() {
        return Err(format!(
            "the assignment has {} objects, but the phase has {}",
            assignment.len(),
            phase.n_objects()
        ));
    }
    for slot in phase.slots() {
        let rank = assignment.rank_of(slot);
        if rank.index() >= phase.n_ranks() {
            return Err(format!(
                "object {} is on rank {rank}, but the phase has {} ranks",
                phase.object(slot),
                phase.n_ranks()
            ));
        }
        if !phase.is_migratable(slot) && rank != initial.rank_of(slot) {
            return Err(format!("non-migratable object {} changed rank", phase.object(slot)));
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
        let message = "the best iteration is 0, the start, but objects changed rank";
        return if stays { Ok(()) } else { Err(message.to_owned()) };
    };
    match outcome.iterations.get(before) {
        Some(best) => check_statistics(best, totals, works),
        None => Err(format!("the best iteration is {}, which does not exist", outcome.best_iteration)),
    }
}

fn check_statistics(stats: &IterationStats, totals: &[RankTotals], works: &[Work]) -> Result<(), String> {
    let pairs = [
        ("imbalance", stats.load_imbalance, load_imbalance(totals)),
        ("maximum work", stats.max_work, max_work(works)),
        ("excess over bounds", stats.largest_excess, largest_excess(works)),
    ];
    for (quantity, reported, recomputed) in pairs {
        if (reported - recomputed).abs() > DRIFT * recomputed.abs().max(1.0) {
            return Err(format!(
                "the reported {quantity} is {reported}, but that of the assignment is {recomputed}"
            ));
        }
    }
    Ok(())
}
