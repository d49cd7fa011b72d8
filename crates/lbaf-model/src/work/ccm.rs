// SPDX-License-Identifier: MIT OR Apache-2.0
//! The work model of the CCM paper and of vt: computation, communication and memory.

use crate::{Aspects, LoadFloor, ModelError, RankTotals, UpperBound, Work, WorkModel, WorkTerms};

/// Coefficients of [`Ccm`]. By default, only load counts, as in vt, and there are no bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct CcmParameters {
    /// Factor on the rank's alpha x load.
    pub alpha: f64,
    /// Seconds per byte of the larger of the volumes sent to and received from other ranks.
    pub beta: f64,
    /// Seconds per byte of the on-rank volume. (LBAF's gamma is a constant; see
    /// [`AffineParameters::gamma`](crate::AffineParameters::gamma).)
    pub gamma: f64,
    /// Seconds per byte of blocks that are away from home.
    pub delta: f64,
    /// Cost of exceeding a bound: infinity (bounds apply) or 0 (bounds are ignored).
    pub epsilon: f64,
    /// Definition of the volume that gamma multiplies.
    pub on_rank_volume: OnRankVolume,
    /// Upper bounds on quantities of a rank or node. The model of the paper has one upper bound, on memory:
    /// [`MaxMemoryUsage`](crate::RankQuantity::MaxMemoryUsage) as counted by LBAF, or
    /// [`MemoryWithSerialized`](crate::RankQuantity::MemoryWithSerialized) as counted by vt.
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

/// Definition of the on-rank volume.
///
/// Both definitions count messages between two objects of a rank once, although they are sent and received
/// there. They differ only in edges between an object and the rank itself. Such an edge represents
/// communication with a block, with a rank, or with a partner that has no task in the phase and is assumed to
/// be at home. Messages of an object to itself never count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnRankVolume {
    /// The volume between objects of the rank, as in the paper.
    #[default]
    Paper,
    /// The larger of the volumes that objects of the rank send and receive on the rank, as in vt. A message
    /// from an object to the rank itself is sent but not received. (vt counts only migratable objects; here
    /// all count.)
    Vt,
}

impl OnRankVolume {
    /// Returns the on-rank volume of a rank in bytes.
    #[inline]
    pub fn of(self, totals: &RankTotals) -> f64 {
        match self {
            OnRankVolume::Paper => totals.on_rank_bytes,
            OnRankVolume::Vt => totals.on_rank_bytes + totals.to_rank_bytes.max(totals.from_rank_bytes),
        }
    }
}

/// `W = alpha x alpha_r x L + beta x max(sent, received) + gamma x V + delta x H + epsilon`, where `alpha_r`,
/// `L`, `V` and `H` are alpha, load, on-rank volume and homing volume of rank `r`, and epsilon is infinite if
/// a bound is exceeded, else 0.
///
/// J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv 2404.16793.
/// As in [`Affine`](crate::Affine), the excess over bounds is kept separately from the cost, which stays
/// finite.
///
/// If gamma exceeds beta, an object may cost less away from its partners. This does not contradict
/// [`WorkModel`]: the cost still never falls when one of the totals grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Ccm {
    parameters: CcmParameters,
}

impl Ccm {
    /// Creates the model with these coefficients.
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

    fn boxed(&self) -> Box<dyn WorkModel> {
        Box::new(self.clone())
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

    /// Only load has a guaranteed cost, because a rank may have no communication.
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

    /// Totals with load, communication and memory.
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
    fn bounds_apply_only_if_epsilon_is_infinite() {
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
    fn invalid_coefficients_are_rejected() {
        let refusal = |parameters| Ccm::new(parameters).unwrap_err().to_string();
        let negative = CcmParameters { gamma: -1.0, ..CcmParameters::default() };
        assert_eq!(refusal(negative), "`gamma` must be a finite non-negative number, not -1");
        for (epsilon, said) in [(1.5, "1.5"), (-0.5, "-0.5"), (f64::NAN, "NaN")] {
            let refusal = refusal(CcmParameters { epsilon, ..CcmParameters::default() });
            assert_eq!(
                refusal,
                format!("`epsilon` must be inf (bounds apply) or 0 (bounds are ignored), not {said}")
            );
        }
        let scope = BoundScope::Node;
        let endless = UpperBound { quantity: RankQuantity::Load, limit: f64::INFINITY, scope };
        assert_eq!(
            refusal(CcmParameters { bounds: vec![endless], ..CcmParameters::default() }),
            "`upper_bounds` must be a finite non-negative number, not inf"
        );
    }
}
