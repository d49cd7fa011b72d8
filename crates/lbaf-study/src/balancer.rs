// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of strategies between the phases of a simulated run.

use lbaf_model::{Assignment, PhaseId};
use lbaf_strategies::{
    Cancel, Checked, Context, IterationStats, Observer, Problem, Strategy, StrategyError, run,
};

/// Function that runs a strategy after a phase, and returns its result and its time in seconds. `None` means
/// that balancing is skipped: the placement stays unchanged, without cost.
pub type Balancer<'a> =
    dyn Fn(PhaseId, &Problem<'_>) -> Result<Option<(Checked, f64)>, StrategyError> + Sync + 'a;

/// Monotonic clock in seconds, provided by the caller because this crate reads no clock.
pub type Clock<'a> = dyn Fn() -> f64 + Send + Sync + 'a;

/// Returns a [`Balancer`] that runs the same strategy at each call and measures its time.
///
/// # Errors
/// The balancer returns the errors of [`run`].
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

/// Observer that measures the time since the start of a strategy, for strategies with a time limit.
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
