// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest works that may be exceeded by a factor.

use lbaf_model::{Assignment, Work};

use crate::primitives::list_scheduling::longest_first;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem, StrategyError};

/// An error unless a tolerance is a factor from 1 on.
pub(crate) fn check_tolerance(strategy: &'static str, tolerance: f64) -> Result<(), StrategyError> {
    if tolerance >= 1.0 && tolerance.is_finite() {
        return Ok(());
    }
    let message = format!("must be a number from 1 on, not {tolerance}");
    Err(StrategyError::Parameter { strategy, key: "tolerance".to_owned(), message })
}

/// What no rank may have more than, given a placement whose largest work may be exceeded by a factor.
pub(crate) fn limit(problem: &Problem<'_>, placement: &Assignment, tolerance: f64) -> Work {
    /// Sums of the same loads in another order differ.
    const ROUNDING: f64 = 1.0 + 1e-12;
    let largest = largest_work(problem, placement);
    Work::with_excess(largest.cost() * tolerance * ROUNDING, largest.excess())
}

/// Objects handed out, of which those stay that may, if no rank ends above a limit.
pub(crate) fn refined(problem: &Problem<'_>, limit: Work, cancel: &Cancel) -> Option<Assignment> {
    /// Parts of the limit below which objects may stay.
    const PARTS: [f64; 4] = [1.0, 31.0 / 32.0, 7.0 / 8.0, 1.0 / 2.0];
    let mut placements = PARTS.into_iter().map(|part| longest_first(problem, part * limit.cost(), cancel));
    placements.find(|placement| largest_work(problem, placement) <= limit)
}
