// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the time of a phase.

use lbaf_model::{DataSet, Phase, WorkModel, lower_bounds};
use rayon::prelude::*;

/// The largest lower bounds on the time of a phase, whatever its placement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseBound {
    /// Bound on all placements.
    pub of_all: f64,
    /// Bound on placements within the bounds of the work model; not less.
    pub within_bounds: f64,
}

impl PhaseBound {
    /// Bounds of a phase. Same complexity as [`lower_bounds`].
    pub fn of(phase: &Phase, model: &dyn WorkModel) -> Self {
        let mut largest = PhaseBound::default();
        for bound in lower_bounds(phase, model) {
            largest.within_bounds = largest.within_bounds.max(bound.work);
            if !bound.within_bounds {
                largest.of_all = largest.of_all.max(bound.work);
            }
        }
        largest
    }

    /// Those of all phases, in their order: the same for every way in which they run, so that they are computed once.
    /// Phases are looked at in parallel.
    pub fn of_all(data: &DataSet, model: &dyn WorkModel) -> Vec<Self> {
        data.phases().par_iter().map(|phase| PhaseBound::of(phase, model)).collect()
    }

    /// That which holds for a placement, which is over a bound of the work model or is not.
    pub fn holding(self, is_over: bool) -> f64 {
        if is_over { self.of_all } else { self.within_bounds }
    }
}
