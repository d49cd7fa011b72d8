// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work model in which only load counts.

use crate::{Aspects, LoadFloor, ModelError, RankTotals, UpperBound, Work, WorkModel, WorkTerms};

/// `W = alpha x alpha_r x L`: the load `L` in seconds times a factor and the alpha of rank `r`, without other
/// costs or bounds.
///
/// LBAF's model of the same name has no factor; `alpha` = 1 gives the same values on ranks of normal speed.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadOnly {
    alpha: f64,
}

impl LoadOnly {
    /// Creates the model with a factor on load, 1 for plain seconds.
    ///
    /// # Errors
    /// If `alpha` is negative or not finite.
    pub fn new(alpha: f64) -> Result<Self, ModelError> {
        Ok(LoadOnly { alpha: super::parameter("alpha", alpha)? })
    }
}

impl Default for LoadOnly {
    fn default() -> Self {
        LoadOnly { alpha: 1.0 }
    }
}

impl WorkModel for LoadOnly {
    fn name(&self) -> &'static str {
        "LoadOnly"
    }

    fn boxed(&self) -> Box<dyn WorkModel> {
        Box::new(self.clone())
    }

    fn work(&self, totals: &RankTotals) -> Work {
        Work::within(self.alpha * totals.alpha * totals.load)
    }

    fn bounds(&self) -> &[UpperBound] {
        &[]
    }

    fn load_floor(&self) -> LoadFloor {
        LoadFloor { slope: self.alpha, constant: 0.0 }
    }

    fn terms(&self) -> Option<WorkTerms> {
        Some(WorkTerms { load: self.alpha, ..WorkTerms::LOAD })
    }

    fn aspects(&self) -> Aspects {
        Aspects::NONE
    }
}
