// SPDX-License-Identifier: MIT OR Apache-2.0
//! Balancing of the selected phases.

mod carried;

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lbaf_config::RunConfig;
use lbaf_model::{Assignment, DataSet, Phase, PhaseId, RankTotals, Statistics, Violation, Work};
use lbaf_model::{rank_totals, violations, works};
use lbaf_strategies::{
    Cancel, Checked, Context, IterationStats, Observer, PhaseStepper, Problem, Strategy, StrategyError,
};
use rayon::prelude::*;

use crate::lower_bounds::LowerBounds;
use crate::summary::Start;
use crate::{Messages, Steps};

pub use carried::changes_in_words;

/// Phase in which a strategy failed, and the error.
pub type Failed = (PhaseId, StrategyError);

/// A phase before and after balancing.
pub struct Balanced<'a> {
    /// The phase.
    pub phase: &'a Phase,
    /// Name of the strategy; `None` if the phase is not selected or the configuration has no strategy for it.
    pub strategy: Option<&'static str>,
    /// Origin of the placement before balancing.
    pub start: Start,
    /// Placement before balancing.
    pub initial: Cow<'a, Assignment>,
    /// True if the phase has a strategy that can move objects, even if balancing was skipped.
    pub is_rebalanced: bool,
    /// True if balancing was skipped because work was even enough.
    pub already_balanced: bool,
    /// Totals of ranks before balancing.
    pub totals: Vec<RankTotals>,
    /// Work of ranks before balancing.
    pub works: Vec<Work>,
    /// Result of the strategy, with totals and work of ranks after balancing.
    pub after: Checked,
    /// Upper bounds of the work model that the result exceeds.
    pub violations: Vec<Violation>,
    /// Placement after each iteration; empty unless files or pictures need it.
    pub iterations: Vec<Assignment>,
    /// Lower bounds on work and load.
    pub bounds: LowerBounds,
    /// Wall-clock seconds of the strategy.
    pub seconds: f64,
}

/// Balanced phases of a run.
pub struct BalancedRun<'a> {
    /// The selected phases, ascending; if placements are carried over (`algorithm.placement: carry`), all phases from
    /// the first selected one.
    pub phases: Vec<Balanced<'a>>,
    /// Notes on phases that start in the result of an earlier phase.
    pub notes: Vec<String>,
    pub(crate) took: Duration,
}

/// Balances the selected phases, and returns them in ascending order with notes on their starts. Phases that start in
/// their recorded placement are independent and balanced in parallel; with an external command, the first phase is
/// balanced before the others, so that a command that fails at its start is started only once. If placements are
/// carried over, the other phases after the first selected one are returned too, with all objects in place.
///
/// # Errors
/// If a strategy rejects a phase, or the run was cancelled; the error is that of the first failed phase.
pub fn balance<'a>(
    run: &RunConfig,
    data: &'a DataSet,
    messages: &dyn Messages,
    cancel: &Cancel,
) -> Result<(Vec<Balanced<'a>>, Vec<String>), Failed> {
    let selected: Vec<&Phase> =
        data.phases().iter().filter(|phase| run.balancing.contains(phase.id().0)).collect();
    let steps = Steps::new(messages, "balancing", selected.len());
    if run.balancing.carry {
        return carried::balance(run, data, &steps, cancel);
    }
    let from_recorded = |phase: &'a Phase| {
        let initial = Cow::Borrowed(phase.recorded_assignment());
        let start = (Start::Recorded, initial);
        let balanced = balance_one(run, data, phase, run.strategy_at(phase.id()), start, cancel);
        steps.advance();
        balanced
    };
    let first_failed = AtomicUsize::new(usize::MAX);
    // Phases after a failed one are left out, because the error of the first failed phase is reported.
    let unless_failed = |(position, phase): (usize, &'a Phase)| {
        (first_failed.load(Ordering::Relaxed) > position).then(|| {
            from_recorded(phase).inspect_err(|_| {
                first_failed.fetch_min(position, Ordering::Relaxed);
            })
        })
    };
    let is_external =
        |phase: &&Phase| run.strategy_at(phase.id()).is_some_and(|strategy| strategy.external().is_some());
    let n_before = usize::from(selected.first().is_some_and(is_external));
    let numbered: Vec<(usize, &Phase)> = selected.into_iter().enumerate().collect();
    let (before, others) = numbered.split_at(n_before);
    let mut balanced: Vec<Option<Result<Balanced<'a>, Failed>>> =
        before.iter().copied().map(unless_failed).collect();
    balanced.par_extend(others.par_iter().copied().map(unless_failed));
    Ok((balanced.into_iter().flatten().collect::<Result<_, _>>()?, Vec::new()))
}

/// Balances a phase from `initial`. Without a strategy, all objects stay in place.
pub(crate) fn balance_one<'a>(
    run: &RunConfig,
    data: &DataSet,
    phase: &'a Phase,
    configured: Option<&dyn Strategy>,
    (start, initial): (Start, Cow<'a, Assignment>),
    cancel: &Cancel,
) -> Result<Balanced<'a>, Failed> {
    cancel.check().map_err(|cancelled| (phase.id(), cancelled.into()))?;
    let model = &*run.model;
    let totals = rank_totals(phase, &initial);
    let works = works(model, phase, &totals);
    let problem = Problem { phase, initial: &initial, model, keys: data.keys() };
    let drawn = run.visualization.as_ref().is_some_and(|visualization| visualization.iterations);
    let wanted = drawn || run.files.as_ref().is_some_and(|files| files.lb_iterations);
    let mut iterations = Iterations::new(wanted);
    let mut context = Context::new(run.seed, phase.id().0, &mut iterations).with_cancel(cancel);
    let already_balanced = configured.is_some() && is_even(run, &works);
    let is_rebalanced = configured.is_some_and(|strategy| !strategy.keeps_placement());
    let strategy = configured.filter(|_| !already_balanced).unwrap_or(&PhaseStepper {});
    let began = Instant::now();
    let mut after =
        lbaf_strategies::run(strategy, &problem, &mut context).map_err(|error| (phase.id(), error))?;
    let seconds = began.elapsed().as_secs_f64();
    if configured.is_none() {
        (after.outcome.iterations, after.outcome.best_iteration) = (Vec::new(), 0);
    }
    Ok(Balanced {
        strategy: configured.map(Strategy::name),
        bounds: LowerBounds::new(&problem, strategy, &after),
        violations: violations(model, phase, &after.totals),
        iterations: iterations.assignments,
        phase,
        start,
        initial,
        is_rebalanced,
        already_balanced,
        totals,
        works,
        after,
        seconds,
    })
}

/// True if balancing is skipped because work is even enough: its imbalance is at most `algorithm.min_imbalance`, which
/// is above 0, and no rank exceeds an upper bound.
pub fn is_even(run: &RunConfig, works: &[Work]) -> bool {
    let imbalance = || Statistics::of(works.iter().map(|work| work.cost())).imbalance();
    run.balancing.min_imbalance > 0.0
        && imbalance() <= run.balancing.min_imbalance
        && !works.iter().any(|work| work.is_over_bound())
}

/// Returns the imbalance for the maximum load `max_load` and the mean of `loads`; 0 if the mean is 0.
pub(crate) fn imbalance_at(max_load: f64, loads: &Statistics) -> f64 {
    /// Smaller imbalances are rounding errors, because bound and mean are summed in different orders.
    const ROUNDING: f64 = 1e-12;
    let imbalance = if loads.mean() > 0.0 { max_load / loads.mean() - 1.0 } else { 0.0 };
    if imbalance < ROUNDING { 0.0 } else { imbalance }
}

/// Records the placements of iterations, and measures time for strategies with a time limit.
pub(crate) struct Iterations {
    wanted: bool,
    assignments: Vec<Assignment>,
    began: Instant,
}

impl Iterations {
    pub(crate) fn new(wanted: bool) -> Self {
        Iterations { wanted, assignments: Vec::new(), began: Instant::now() }
    }
}

impl Observer for Iterations {
    fn iteration(&mut self, _: &IterationStats, assignment: &Assignment) {
        if self.wanted {
            self.assignments.push(assignment.clone());
        }
    }

    fn has_passed(&self, seconds: f64) -> bool {
        self.began.elapsed().as_secs_f64() >= seconds
    }
}
