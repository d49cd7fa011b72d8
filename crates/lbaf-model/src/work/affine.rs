// SPDX-License-Identifier: MIT OR Apache-2.0
//! Affine combination of load, communication and homing, within bounds.

use crate::{Aspects, LoadFloor, ModelError, RankTotals, UpperBound, Work, WorkModel, WorkTerms};

/// Coefficients of [`Affine`].
#[derive(Clone, Debug, PartialEq)]
pub struct AffineParameters {
    /// Factor on the rank's alpha x load.
    pub alpha: f64,
    /// Seconds per byte of the larger of the volumes sent to and received from other ranks.
    pub beta: f64,
    /// Seconds added to the work of every rank. (In the CCM model, gamma is the factor of a volume.)
    pub gamma: f64,
    /// Seconds per byte of blocks that are away from home.
    pub delta: f64,
    /// Upper bounds on quantities of a rank or node.
    pub bounds: Vec<UpperBound>,
}

impl Default for AffineParameters {
    fn default() -> Self {
        AffineParameters { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0, bounds: Vec::new() }
    }
}

/// `W = alpha x alpha_r x L + beta x max(sent, received) + gamma + delta x H`, LBAF's `AffineCombination`.
/// `alpha_r`, `L` and `H` are alpha, load and homing volume of rank `r`.
///
/// In LBAF, work beyond an upper bound is infinite, and differences become nan. Here the excess is kept
/// separately from the cost, and work with an excess orders after all work without one.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine {
    parameters: AffineParameters,
}

impl Affine {
    /// Creates the model.
    ///
    /// # Errors
    /// If a coefficient or limit is negative or not finite.
    pub fn new(parameters: AffineParameters) -> Result<Self, ModelError> {
        super::parameter("alpha", parameters.alpha)?;
        super::parameter("beta", parameters.beta)?;
        super::parameter("gamma", parameters.gamma)?;
        super::parameter("delta", parameters.delta)?;
        for bound in &parameters.bounds {
            super::parameter("upper_bounds", bound.limit)?;
        }
        Ok(Affine { parameters })
    }
}

impl WorkModel for Affine {
    fn name(&self) -> &'static str {
        "AffineCombination"
    }

    fn boxed(&self) -> Box<dyn WorkModel> {
        Box::new(self.clone())
    }

    fn work(&self, totals: &RankTotals) -> Work {
        let AffineParameters { alpha, beta, gamma, delta, bounds } = &self.parameters;
        let cost = alpha * totals.alpha * totals.load
            + beta * totals.sent_bytes.max(totals.received_bytes)
            + gamma
            + delta * totals.homing_bytes;
        Work::with_excess(cost, super::bound_excess(bounds, totals))
    }

    fn bounds(&self) -> &[UpperBound] {
        &self.parameters.bounds
    }

    fn load_floor(&self) -> LoadFloor {
        LoadFloor { slope: self.parameters.alpha, constant: self.parameters.gamma }
    }

    fn terms(&self) -> Option<WorkTerms> {
        let AffineParameters { alpha, beta, gamma, delta, .. } = self.parameters;
        Some(WorkTerms { constant: gamma, load: alpha, off_rank: beta, homing: delta, ..WorkTerms::LOAD })
    }

    fn aspects(&self) -> Aspects {
        let AffineParameters { beta, delta, bounds, .. } = &self.parameters;
        let of_cost = Aspects { communication: *beta > 0.0, homing: *delta > 0.0, ..Aspects::NONE };
        bounds.iter().fold(of_cost, |all, bound| all | bound.quantity.aspects())
    }
}
