// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the time of a phase.

use lbaf_model::{DataSet, Phase, WorkModel, lower_bounds};
use rayon::prelude::*;

/// Lower bounds on the time of a phase, each the largest of several proven bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseBound {
    /// Lower bound that holds for all placements.
    pub of_all: f64,
    /// Lower bound that holds for placements within the upper bounds of the work model; at least `of_all`.
    pub within_bounds: f64,
}

impl PhaseBound {
    /// Computes the bounds of a phase. Complexity as for [`lower_bounds`].
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

    /// Computes the bounds of all phases in parallel, and returns them in order.
    pub fn of_all(data: &DataSet, model: &dyn WorkModel) -> Vec<Self> {
        data.phases().par_iter().map(|phase| PhaseBound::of(phase, model)).collect()
    }

    /// Returns the lower bound that applies to a placement. `is_over` is true if the placement exceeds an
    /// upper bound of the work model.
    pub fn holding(self, is_over: bool) -> f64 {
        if is_over { self.of_all } else { self.within_bounds }
    }
}
