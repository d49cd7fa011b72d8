// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies at work between the phases of a run.

use lbaf_model::{Assignment, PhaseId};
use lbaf_strategies::{
    Cancel, Checked, Context, IterationStats, Observer, Problem, Strategy, StrategyError, run,
};

/// A strategy at work on a problem after a phase: its result, and the seconds that it took. Nothing if the run is better
/// left alone, which costs nothing.
pub type Balancer<'a> =
    dyn Fn(PhaseId, &Problem<'_>) -> Result<Option<(Checked, f64)>, StrategyError> + Sync + 'a;

/// Seconds on a clock of the caller, which only runs forward: this crate has none.
pub type Clock<'a> = dyn Fn() -> f64 + Send + Sync + 'a;

/// A [`Balancer`] that runs one strategy, whichever phase ended, and measures it.
///
/// # Errors
/// The balancer returns what [`run`] returns.
pub fn balanced_by<'a>(
    strategy: &'a dyn Strategy,
    seed: u64,
    clock: &'a Clock<'a>,
    cancel: &'a Cancel,
) -> impl Fn(PhaseId, &Problem<'_>) -> Result<Option<(Checked, f64)>, StrategyError> + Sync + 'a {
    move |phase, problem| {
        let began = clock();
        let mut stopwatch = Stopwatch { began, clock };
        let mut context = Context::new(seed, phase.0, &mut stopwatch).with_cancel(cancel);
        let checked = run(strategy, problem, &mut context)?;
        Ok(Some((checked, clock() - began)))
    }
}

/// An observer with a clock, for strategies with a time limit.
struct Stopwatch<'a> {
    began: f64,
    clock: &'a Clock<'a>,
}

impl Observer for Stopwatch<'_> {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}

    fn has_passed(&self, seconds: f64) -> bool {
        (self.clock)() - self.began >= seconds
    }
}
