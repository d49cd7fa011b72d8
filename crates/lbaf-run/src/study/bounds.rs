// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on work in the result of a cell.

use crate::summary::PhaseResult;
use crate::summary::bounds::Restriction;
use serde::{Deserialize, Serialize};

/// Name of the lower bound among the quantities of a result.
pub(super) const LOWER_BOUND: &str = "lower_bound";

/// Lower bounds on the maximum work of a phase, for all strategies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Lower bound for all placements.
    pub(super) any: f64,
    /// Lower bound for placements within the upper bounds of the work model; at least `any`.
    pub(super) within: f64,
}

impl Bounds {
    /// Returns the highest lower bounds in the result of a phase that hold without restriction.
    pub(super) fn of(phase: &PhaseResult) -> Self {
        let general = phase.lower_bounds.iter().filter(|bound| bound.restriction.is_none());
        let bounds = general.map(|bound| {
            let any = if bound.within_bounds { 0.0 } else { bound.work };
            Bounds { any, within: bound.work }
        });
        bounds.fold(Bounds { any: 0.0, within: 0.0 }, Bounds::best)
    }

    /// Returns both bounds, each with the name [`LOWER_BOUND`].
    pub(super) fn named(self) -> [(&'static str, f64); 2] {
        [self.any, self.within].map(|bound| (LOWER_BOUND, bound))
    }

    /// Returns the higher of two values for each bound.
    pub(super) fn best(self, other: Self) -> Self {
        Bounds { any: self.any.max(other.any), within: self.within.max(other.within) }
    }
}

/// Returns the lower bound with whole blocks, if any.
pub(super) fn with_whole_blocks(phase: &PhaseResult) -> Option<f64> {
    let restricted = phase.restricted_bound.as_ref()?;
    (restricted.restriction == Restriction::WholeBlocks).then_some(restricted.bound.work)
}
