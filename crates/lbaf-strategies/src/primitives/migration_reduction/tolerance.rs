// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits on the maximum work, with a tolerance factor.

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

/// Returns the largest work allowed for a rank: the maximum work of a placement times a tolerance.
pub(crate) fn limit(problem: &Problem<'_>, placement: &Assignment, tolerance: f64) -> Work {
    /// Sums of the same loads in a different order differ by rounding.
    const ROUNDING: f64 = 1.0 + 1e-12;
    let largest = largest_work(problem, placement);
    Work::with_excess(largest.cost() * tolerance * ROUNDING, largest.excess())
}

/// Hands out objects, largest first; an object stays if the work of its rank then does not exceed a fraction of
/// the limit. Tries several fractions in descending order, and returns the first placement in which no rank
/// exceeds the limit, or `None` if there is none.
pub(crate) fn refined(problem: &Problem<'_>, limit: Work, cancel: &Cancel) -> Option<Assignment> {
    /// Fractions of the limit below which objects may stay.
    const PARTS: [f64; 4] = [1.0, 31.0 / 32.0, 7.0 / 8.0, 1.0 / 2.0];
    let mut placements = PARTS.into_iter().map(|part| longest_first(problem, part * limit.cost(), cancel));
    placements.find(|placement| largest_work(problem, placement) <= limit)
}
