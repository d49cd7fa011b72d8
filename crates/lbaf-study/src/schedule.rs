// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schedules: the phases after which a run is balanced.

mod adaptive;
mod criterion;
mod standing;

use std::fmt;

pub use adaptive::Adaptive;
pub use criterion::{BalancingCriterion, Published};
pub use standing::Standing;

/// Phases after which a run is balanced.
pub enum Schedule<'a> {
    /// After no phase.
    Never,
    /// After every phase whose number is a multiple of this period, including phase 0, like `%` in vt's LB
    /// configuration files; after no phase if the period is 0.
    Every(u64),
    /// After the chosen phases.
    Chosen(&'a (dyn Fn(u64) -> bool + Sync)),
    /// After each phase whose imbalance of work, or of load in synchronized subphases, exceeds this value.
    Threshold(f64),
    /// As soon as further waiting would cost more than balancing: see [`Adaptive`].
    Adaptive(Adaptive),
    /// After each phase at whose end a published criterion is met.
    Criterion(BalancingCriterion),
    /// The schedule with the shortest run in hindsight, or the best one found if the search is incomplete,
    /// for runs of up to [`MOST_SEARCHED_PHASES`](crate::MOST_SEARCHED_PHASES) phases.
    Best,
}

impl Schedule<'_> {
    /// True if the run is balanced after the phase that ended last. Always false for [`Schedule::Best`].
    pub fn wants(&self, standing: &Standing) -> bool {
        match self {
            // The best schedule is found by a search over all phases, not phase by phase.
            Schedule::Never | Schedule::Best => false,
            Schedule::Every(period) => *period > 0 && standing.phase().is_multiple_of(*period),
            Schedule::Chosen(is_chosen) => is_chosen(standing.phase()),
            Schedule::Threshold(most) => standing.imbalance() > *most,
            Schedule::Adaptive(adaptive) => adaptive.wants(standing),
            Schedule::Criterion(criterion) => criterion.is_met(standing),
        }
    }
}

impl fmt::Debug for Schedule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Never => f.write_str("Never"),
            Schedule::Best => f.write_str("Best"),
            Schedule::Every(period) => f.debug_tuple("Every").field(period).finish(),
            Schedule::Chosen(_) => f.write_str("Chosen(..)"),
            Schedule::Threshold(most) => f.debug_tuple("Threshold").field(most).finish(),
            Schedule::Adaptive(adaptive) => f.debug_tuple("Adaptive").field(adaptive).finish(),
            Schedule::Criterion(criterion) => f.debug_tuple("Criterion").field(criterion).finish(),
        }
    }
}
