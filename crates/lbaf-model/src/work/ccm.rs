// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computation, communication and memory: the work model of the CCM paper, and of vt.

use crate::{Aspects, LoadFloor, ModelError, RankTotals, UpperBound, Work, WorkModel, WorkTerms};

/// Coefficients of [`Ccm`]; the defaults are vt's: load alone, and nothing bounded.
#[derive(Clone, Debug, PartialEq)]
pub struct CcmParameters {
    /// Factor on the rank's alpha x load.
    pub alpha: f64,
    /// Seconds per byte of the larger of the volumes sent to and received from other ranks.
    pub beta: f64,
    /// Seconds per byte of the volume that stays on the rank. (LBAF's gamma is a constant; see
    /// [`AffineParameters::gamma`](crate::AffineParameters::gamma).)
    pub gamma: f64,
    /// Seconds per byte of blocks that are away from home.
    pub delta: f64,
    /// What exceeding a bound costs: infinity, so that bounds hold, or 0, so that there are none.
    pub epsilon: f64,
    /// Which volume gamma multiplies.
    pub on_rank_volume: OnRankVolume,
    /// Bounds on any quantity of a rank or node; the model's own are on memory, which
    /// [`MaxMemoryUsage`](crate::RankQuantity::MaxMemoryUsage) counts as LBAF does, and
    /// [`MemoryWithSerialized`](crate::RankQuantity::MemoryWithSerialized) as vt.
    pub bounds: Vec<UpperBound>,
}

impl Default for CcmParameters {
    fn default() -> Self {
        CcmParameters {
            alpha: 1.0,
            beta: 0.0,
            gamma: 0.0,
            delta: 0.0,
            epsilon: f64::INFINITY,
            on_rank_volume: OnRankVolume::default(),
            bounds: Vec::new(),
        }
    }
}

/// What the volume on a rank is.
///
/// Messages between two objects of a rank are sent there and received there, so they count once in either
/// reading. The two differ only where one end is the rank itself: partners that have no task in the phase and
/// are taken to be at home, and blocks and ranks that communicate. What an object says to itself is in neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnRankVolume {
    /// The volume between objects of the rank, as in the paper.
    #[default]
    Paper,
    /// The larger of what its objects send and what they receive on the rank, as in vt: what one of them says to
    /// the rank itself is sent and not received. (vt looks at objects that may migrate alone, here all count.)
    Vt,
}

impl OnRankVolume {
    /// Bytes on a rank.
    pub fn of(self, totals: &RankTotals) -> f64 {
        match self {
            OnRankVolume::Paper => totals.on_rank_bytes,
            OnRankVolume::Vt => totals.on_rank_bytes + totals.to_rank_bytes.max(totals.from_rank_bytes),
        }
    }
}

/// `W = alpha x alpha_r x L + beta x max(sent, received) + gamma x V + delta x H + epsilon`, where `V` is the
/// volume that stays on the rank, and epsilon is infinite where a bound is exceeded, else 0.
///
/// J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv 2404.16793. As
/// in [`Affine`](crate::Affine) work beyond a bound is not infinite: the excess is kept beside the cost.
///
/// If gamma is above beta, an object may cost less away from its partners. That contradicts no promise of
/// [`WorkModel`]: of the totals, none lowers the cost when it grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Ccm {
    parameters: CcmParameters,
}

impl Ccm {
    /// The model with these coefficients.
    ///
    /// # Errors
    /// If a coefficient or limit is negative or not finite, or epsilon is neither infinite nor 0.
    pub fn new(mut parameters: CcmParameters) -> Result<Self, ModelError> {
        let CcmParameters { alpha, beta, gamma, delta, epsilon, ref bounds, .. } = parameters;
        for (name, value) in [("alpha", alpha), ("beta", beta), ("gamma", gamma), ("delta", delta)] {
            super::parameter(name, value)?;
        }
        for bound in bounds {
            super::parameter("upper_bounds", bound.limit)?;
        }
        if epsilon == 0.0 {
            parameters.bounds.clear();
        } else if epsilon != f64::INFINITY {
            return Err(ModelError::BadEpsilon { value: epsilon });
        }
        Ok(Ccm { parameters })
    }
}

impl WorkModel for Ccm {
    fn name(&self) -> &'static str {
        "CCM"
    }

    fn work(&self, totals: &RankTotals) -> Work {
        let CcmParameters { alpha, beta, gamma, delta, on_rank_volume, bounds, .. } = &self.parameters;
        let cost = alpha * totals.alpha * totals.load
            + beta * totals.sent_bytes.max(totals.received_bytes)
            + gamma * on_rank_volume.of(totals)
            + delta * totals.homing_bytes;
        Work::with_excess(cost, super::bound_excess(bounds, totals))
    }

    fn bounds(&self) -> &[UpperBound] {
        &self.parameters.bounds
    }

    /// A rank may have no communication at all: all that it costs for sure is its load.
    fn load_floor(&self) -> LoadFloor {
        LoadFloor { slope: self.parameters.alpha, constant: 0.0 }
    }

    fn terms(&self) -> Option<WorkTerms> {
        let CcmParameters { alpha, beta, gamma, delta, on_rank_volume, .. } = self.parameters;
        let constant = 0.0;
        Some(WorkTerms {
            constant,
            load: alpha,
            off_rank: beta,
            on_rank: gamma,
            on_rank_volume,
            homing: delta,
        })
    }

    fn aspects(&self) -> Aspects {
        let CcmParameters { beta, gamma, delta, bounds, .. } = &self.parameters;
        let communication = *beta > 0.0 || *gamma > 0.0;
        let of_cost = Aspects { communication, homing: *delta > 0.0, ..Aspects::NONE };
        bounds.iter().fold(of_cost, |all, bound| all | bound.quantity.aspects())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundScope, RankQuantity};

    /// Of every quantity another amount.
    fn totals() -> RankTotals {
        RankTotals {
            alpha: 2.0,
            load: 3.0,
            sent_bytes: 10.0,
            received_bytes: 20.0,
            on_rank_bytes: 100.0,
            to_rank_bytes: 5.0,
            from_rank_bytes: 7.0,
            homing_bytes: 1000.0,
            footprint_bytes: 40.0,
            serialized_bytes: 2.0,
            ..RankTotals::default()
        }
    }

    fn cost(parameters: CcmParameters) -> f64 {
        Ccm::new(parameters).unwrap().work(&totals()).cost()
    }

    #[test]
    fn every_term_has_its_coefficient() {
        let none = CcmParameters { alpha: 0.0, ..CcmParameters::default() };
        assert_eq!(cost(CcmParameters::default()), 6.0);
        assert_eq!(cost(CcmParameters { beta: 0.5, ..none.clone() }), 10.0);
        assert_eq!(cost(CcmParameters { gamma: 0.5, ..none.clone() }), 50.0);
        let vt = CcmParameters { gamma: 0.5, on_rank_volume: OnRankVolume::Vt, ..none.clone() };
        assert_eq!(cost(vt), 53.5);
        assert_eq!(cost(CcmParameters { delta: 0.5, ..none }), 500.0);
        let all = CcmParameters { alpha: 0.5, beta: 0.5, gamma: 0.5, delta: 0.5, ..CcmParameters::default() };
        assert_eq!(cost(all), 563.0);
    }

    #[test]
    fn epsilon_decides_whether_bounds_hold() {
        let bound = |quantity, limit| UpperBound { quantity, limit, scope: BoundScope::Rank };
        let excess = |epsilon, bound| {
            let parameters = CcmParameters { epsilon, bounds: vec![bound], ..CcmParameters::default() };
            Ccm::new(parameters).unwrap().work(&totals()).excess()
        };
        assert_eq!(excess(f64::INFINITY, bound(RankQuantity::MaxMemoryUsage, 40.0)), 0.0);
        assert_eq!(excess(f64::INFINITY, bound(RankQuantity::MaxMemoryUsage, 20.0)), 1.0);
        assert_eq!(excess(f64::INFINITY, bound(RankQuantity::MemoryWithSerialized, 40.0)), 0.05);
        assert_eq!(excess(0.0, bound(RankQuantity::MaxMemoryUsage, 20.0)), 0.0);
        let unbounded = CcmParameters { epsilon: 0.0, ..CcmParameters::default() };
        assert!(Ccm::new(unbounded).unwrap().bounds().is_empty());
    }

    #[test]
    fn coefficients_that_make_no_sense_are_refused() {
        let refusal = |parameters| Ccm::new(parameters).unwrap_err().to_string();
        let negative = CcmParameters { gamma: -1.0, ..CcmParameters::default() };
        assert_eq!(refusal(negative), "`gamma` must be a finite number that is not negative, not -1");
        for (epsilon, said) in [(1.5, "1.5"), (-0.5, "-0.5"), (f64::NAN, "NaN")] {
            let refusal = refusal(CcmParameters { epsilon, ..CcmParameters::default() });
            assert_eq!(refusal, format!("`epsilon` is inf (bounds hold) or 0 (they do not), not {said}"));
        }
        let scope = BoundScope::Node;
        let endless = UpperBound { quantity: RankQuantity::Load, limit: f64::INFINITY, scope };
        assert_eq!(
            refusal(CcmParameters { bounds: vec![endless], ..CcmParameters::default() }),
            "`upper_bounds` must be a finite number that is not negative, not inf"
        );
    }
}
