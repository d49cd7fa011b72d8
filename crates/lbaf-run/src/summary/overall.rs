// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a whole: its phases, one after the other, in a few numbers.

use super::rounding::same;
use crate::summary::{Migrations, Moments, PhaseResult, Snapshot, Summary};

/// All phases of a run together: times, volumes and migrations are sums over phases.
#[derive(Clone, Debug)]
pub struct Overall {
    pub before: Side,
    pub after: Side,
    /// What no placements can beat.
    pub lower_bound: Bounds,
    /// What no placements can beat that keep what the strategy keeps, on maximum work, where that is more.
    pub restricted_bound: Option<(String, f64)>,
    pub migrations: Migrations,
    /// Whether work is load, so that there is but one of them to speak of.
    pub work_is_load: bool,
    /// Whether the lower bound is one for the placements before too.
    pub bounds_start: bool,
}

/// What is known of all placements before, or of all after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    pub max_work: f64,
    pub max_load: f64,
    pub mean_load: f64,
    /// Sent from rank to rank, by all ranks.
    pub off_rank_bytes: f64,
    pub homing_bytes: f64,
    /// Of any rank in any phase, for memory is not used up.
    pub max_memory: f64,
    /// Of any phase.
    pub n_ranks_over_bounds: usize,
}

/// Lower bounds, summed like what they bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub max_work: f64,
    pub max_load: f64,
}

impl Overall {
    pub fn of(summary: &Summary) -> Self {
        let phases = &summary.phases;
        let work_is_load = phases.iter().all(work_is_load);
        let sum = |of: fn(&PhaseResult) -> f64| phases.iter().map(of).sum::<f64>();
        let max_work = sum(|phase| phase.lower_bound.work);
        Overall {
            before: Side::of(phases, |phase| &phase.before),
            after: Side::of(phases, |phase| &phase.after),
            lower_bound: Bounds {
                max_work,
                // What is proven of work is proven of load then, and may be more.
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

    /// How far the placements after are above the lower bound, relative to it; nothing without a lower bound.
    pub fn gap(&self) -> Option<f64> {
        gap(self.after.max_work, self.lower_bound.max_work)
    }

    /// The same of the placements before, if the bound holds for them.
    pub fn gap_before(&self) -> Option<f64> {
        gap(self.before.max_work, self.lower_bound.max_work).filter(|_| self.bounds_start)
    }

    /// The smallest load imbalance that is not ruled out.
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

    /// Imbalance of load over the run: the time that ranks wait for the last one, relative to the mean.
    pub fn load_imbalance(&self) -> f64 {
        imbalance(self.max_load, self.mean_load)
    }
}

fn imbalance(max: f64, mean: f64) -> f64 {
    // Sums in different orders: rounding must not make their difference negative.
    if mean > 0.0 { (max / mean - 1.0).max(0.0) } else { 0.0 }
}

fn gap(max_work: f64, bound: f64) -> Option<f64> {
    match bound {
        0.0 => (max_work == 0.0).then_some(0.0),
        _ => Some((max_work / bound - 1.0).max(0.0)).filter(|gap| gap.is_finite()),
    }
}

/// The sum of the bounds that hold under the restriction of a strategy, where one of them is above that for all placements.
pub fn restricted_bound(phases: &[PhaseResult]) -> Option<(String, f64)> {
    let restricted = || phases.iter().filter_map(|phase| phase.restricted_bound.as_ref());
    // Whatever gathers blocks keeps them whole, so that the stricter restriction is that of all bounds.
    let strictest = restricted().map(|bound| bound.restriction).max()?;
    let keeps = strictest.in_words(restricted().any(|bound| bound.within_bounds));
    let bound = |phase: &PhaseResult| {
        phase.restricted_bound.as_ref().map_or(&phase.lower_bound, |own| &own.bound).work
    };
    Some((keeps, phases.iter().map(bound).sum()))
}

/// Whether work of a phase is its load, in seconds; else it has no unit that everybody would agree on.
pub fn work_is_load(phase: &PhaseResult) -> bool {
    let alike = |work: &Moments, load: &Moments| same(work.max, load.max) && same(work.mean, load.mean);
    [&phase.before, &phase.after].into_iter().all(|snapshot| alike(&snapshot.work, &snapshot.load))
}
