// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on work in the result of a cell.

use crate::summary::PhaseResult;
use crate::summary::bounds::Restriction;
use serde::{Deserialize, Serialize};

/// Name of the bound among the quantities of a result.
pub(super) const LOWER_BOUND: &str = "lower_bound";

/// Lower bounds on the maximum work of a phase, for all strategies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Bound for all placements.
    pub(super) any: f64,
    /// Bound for placements that satisfy the upper bounds of the work model.
    pub(super) within: f64,
}

impl Bounds {
    /// Returns the bounds of a result.
    pub(super) fn of(phase: &PhaseResult) -> Self {
        let general = phase.lower_bounds.iter().filter(|bound| bound.restriction.is_none());
        let bounds = general.map(|bound| {
            let any = if bound.within_bounds { 0.0 } else { bound.work };
            Bounds { any, within: bound.work }
        });
        bounds.fold(Bounds { any: 0.0, within: 0.0 }, Bounds::best)
    }

    /// Returns the bounds as quantities of a result.
    pub(super) fn named(self) -> [(&'static str, f64); 2] {
        [self.any, self.within].map(|bound| (LOWER_BOUND, bound))
    }

    /// Returns the higher bounds of both.
    pub(super) fn best(self, other: Self) -> Self {
        Bounds { any: self.any.max(other.any), within: self.within.max(other.within) }
    }
}

/// Returns the bound under the restriction that blocks stay whole, if there is one.
pub(super) fn with_whole_blocks(phase: &PhaseResult) -> Option<f64> {
    let restricted = phase.restricted_bound.as_ref()?;
    (restricted.restriction == Restriction::WholeBlocks).then_some(restricted.bound.work)
}
