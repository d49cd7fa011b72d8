// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits on the maximum work with a tolerance.

use lbaf_model::{Assignment, Work};

use crate::primitives::list_scheduling::longest_first;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem, StrategyError};

/// Checks that a tolerance is a finite factor of at least 1.
pub(crate) fn check_tolerance(strategy: &'static str, tolerance: f64) -> Result<(), StrategyError> {
    if tolerance >= 1.0 && tolerance.is_finite() {
        return Ok(());
    }
    let message = format!("must be a finite number of at least 1, not {tolerance}");
    Err(StrategyError::Parameter { strategy, key: "tolerance".to_owned(), message })
}

/// Returns the maximum work of a placement, with its cost multiplied by a tolerance and its excess unchanged.
pub(crate) fn limit(problem: &Problem<'_>, placement: &Assignment, tolerance: f64) -> Work {
    /// Sums in a different order differ by rounding.
    const ROUNDING: f64 = 1.0 + 1e-12;
    let largest = largest_work(problem, placement);
    Work::with_excess(largest.cost() * tolerance * ROUNDING, largest.excess())
}

/// Returns a placement within the limit by list scheduling, or `None`.
///
/// Objects stay as long as the work of their rank is within a fraction of the limit. Fractions are tried in
/// descending order.
pub(crate) fn refined(problem: &Problem<'_>, limit: Work, cancel: &Cancel) -> Option<Assignment> {
    /// Fractions of the limit below which objects may stay.
    const PARTS: [f64; 4] = [1.0, 31.0 / 32.0, 7.0 / 8.0, 1.0 / 2.0];
    let mut placements = PARTS.into_iter().map(|part| longest_first(problem, part * limit.cost(), cancel));
    placements.find(|placement| largest_work(problem, placement) <= limit)
}
