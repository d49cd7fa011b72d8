// SPDX-License-Identifier: MIT OR Apache-2.0
//! Overall numbers of a run: sums and maxima over phases.

use super::rounding::same;
use crate::summary::{Migrations, Moments, PhaseResult, Snapshot, Summary};

/// Numbers of all phases together.
#[derive(Clone, Debug)]
pub struct Overall {
    /// Quantities before balancing.
    pub before: Side,
    /// Quantities after balancing.
    pub after: Side,
    /// Lower bounds without the restriction of the strategy.
    pub lower_bound: BoundSums,
    /// Restriction of the strategy as a verb, and the lower bound on maximum work under it; `None` unless this bound is
    /// higher than `lower_bound`.
    pub restricted_bound: Option<(String, f64)>,
    /// Objects that changed rank.
    pub migrations: Migrations,
    /// True if work equals load in every phase.
    pub work_is_load: bool,
    /// True if no start exceeds upper bounds, so that the lower bound also holds before balancing.
    pub bounds_start: bool,
}

/// Quantities of a run before or after balancing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Sum over phases of the maximum work.
    pub max_work: f64,
    /// Sum over phases of the maximum load, in seconds.
    pub max_load: f64,
    /// Sum over phases of the mean load, in seconds.
    pub mean_load: f64,
    /// Off-rank volume in bytes, summed over ranks and phases.
    pub off_rank_bytes: f64,
    /// Bytes of blocks away from home, summed over ranks and phases.
    pub homing_bytes: f64,
    /// Largest memory of a rank in any phase, in bytes.
    pub max_memory: f64,
    /// Largest number of ranks over upper bounds in a phase.
    pub n_ranks_over_bounds: usize,
}

/// Lower bounds, summed over phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundSums {
    /// Lower bound on the sum of maximum work.
    pub max_work: f64,
    /// Lower bound on the sum of maximum loads, in seconds.
    pub max_load: f64,
}

impl Overall {
    /// Returns the numbers of a run.
    pub fn of(summary: &Summary) -> Self {
        let phases = &summary.phases;
        let work_is_load = phases.iter().all(work_is_load);
        let sum = |of: fn(&PhaseResult) -> f64| phases.iter().map(of).sum::<f64>();
        let max_work = sum(|phase| phase.lower_bound.work);
        Overall {
            before: Side::of(phases, |phase| &phase.before),
            after: Side::of(phases, |phase| &phase.after),
            lower_bound: BoundSums {
                max_work,
                // If work is load, a bound on work also bounds load, and may be higher than the bound on load alone.
                max_load: if work_is_load { max_work } else { sum(|phase| phase.lower_bound.max_load) },
            },
            restricted_bound: restricted_bound(phases),
            migrations: Migrations {
                count: phases.iter().map(|phase| phase.migrations.count).sum(),
                load: sum(|phase| phase.migrations.load),
                bytes: sum(|phase| phase.migrations.bytes),
            },
            work_is_load,
            bounds_start: phases.iter().all(|phase| phase.before.n_ranks_over_bounds == 0),
        }
    }

    /// Returns the gap of the result; `None` if the result has work but the lower bound is 0.
    pub fn gap(&self) -> Option<f64> {
        gap(self.after.max_work, self.lower_bound.max_work)
    }

    /// Returns the gap of the start; `None` without a lower bound that holds for the start.
    pub fn gap_before(&self) -> Option<f64> {
        gap(self.before.max_work, self.lower_bound.max_work).filter(|_| self.bounds_start)
    }

    /// Returns the lower bound on the load imbalance over the run.
    pub fn least_imbalance(&self) -> f64 {
        imbalance(self.lower_bound.max_load, self.after.mean_load)
    }
}

impl Side {
    fn of(phases: &[PhaseResult], side: fn(&PhaseResult) -> &Snapshot) -> Self {
        let snapshots = || phases.iter().map(side);
        let sum = |of: fn(&Snapshot) -> f64| snapshots().map(of).sum::<f64>();
        Side {
            max_work: sum(|snapshot| snapshot.work.max),
            max_load: sum(|snapshot| snapshot.load.max),
            mean_load: sum(|snapshot| snapshot.load.mean),
            off_rank_bytes: sum(|snapshot| snapshot.sent_volume.sum),
            homing_bytes: sum(|snapshot| snapshot.homing.sum),
            max_memory: snapshots().map(|snapshot| snapshot.memory.max).fold(0.0, f64::max),
            n_ranks_over_bounds: snapshots().map(|snapshot| snapshot.n_ranks_over_bounds).max().unwrap_or(0),
        }
    }

    /// Returns the load imbalance over the run: mean waiting time for critical ranks as a fraction of the mean load.
    pub fn load_imbalance(&self) -> f64 {
        imbalance(self.max_load, self.mean_load)
    }
}

fn imbalance(max: f64, mean: f64) -> f64 {
    // Sums in different orders must not round to a negative imbalance.
    if mean > 0.0 { (max / mean - 1.0).max(0.0) } else { 0.0 }
}

fn gap(max_work: f64, bound: f64) -> Option<f64> {
    match bound {
        0.0 => (max_work == 0.0).then_some(0.0),
        _ => Some((max_work / bound - 1.0).max(0.0)).filter(|gap| gap.is_finite()),
    }
}

/// Returns the restriction of the strategy as a verb, and the sum of the lower bounds under it; `None` unless it raises
/// the bound of at least one phase.
pub fn restricted_bound(phases: &[PhaseResult]) -> Option<(String, f64)> {
    let restricted = || phases.iter().filter_map(|phase| phase.restricted_bound.as_ref());
    // Each restriction includes the weaker ones, so all bounds hold under the strictest.
    let strictest = restricted().map(|bound| bound.restriction).max()?;
    let keeps = strictest.in_words(restricted().any(|bound| bound.within_bounds));
    let bound = |phase: &PhaseResult| {
        phase.restricted_bound.as_ref().map_or(&phase.lower_bound, |own| &own.bound).work
    };
    Some((keeps, phases.iter().map(bound).sum()))
}

/// True if the work of a phase is its load, in seconds.
pub fn work_is_load(phase: &PhaseResult) -> bool {
    let alike = |work: &Moments, load: &Moments| same(work.max, load.max) && same(work.mean, load.mean);
    [&phase.before, &phase.after].into_iter().all(|snapshot| alike(&snapshot.work, &snapshot.load))
}
