// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capacities of ranks: the migratable load that each rank should get.

use lbaf_model::water_level;

use super::Points;
use crate::Problem;

/// Capacity of a rank that receives a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Capacity {
    /// Seconds of work per second of load.
    pub(crate) alpha: f64,
    /// Load of the non-migratable objects on the rank.
    pub(crate) base: f64,
    /// Migratable load that the rank should get, relative to the rank that should get most.
    pub(crate) share: f64,
}

impl Capacity {
    /// Capacity of each rank if all ranks are equal.
    pub(crate) const ALIKE: Capacity = Capacity { alpha: 1.0, base: 0.0, share: 1.0 };
}

/// Returns the capacity of each rank.
///
/// The share is proportional to the load that raises the work of the rank to a level common to all ranks. The share
/// is 0 if the non-migratable objects alone reach this level. Ranks with `alpha` 0, if there are any, share all
/// load evenly. If weights are counts instead of loads, all ranks have equal capacities.
pub(super) fn capacities(problem: &Problem<'_>, points: &Points) -> Vec<Capacity> {
    let phase = problem.phase;
    let alpha: Vec<f64> = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let mut base = vec![0.0; alpha.len()];
    for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
        base[problem.initial.rank_of(slot).index()] += phase.load(slot);
    }
    if points.are_counted {
        return vec![Capacity::ALIKE; alpha.len()];
    }
    let level = water_level(&alpha, &base, points.weights.iter().sum());
    let takes_everything = alpha.contains(&0.0);
    let capacity = |(&alpha, &base): (&f64, &f64)| {
        if takes_everything { f64::from(u8::from(alpha == 0.0)) } else { (level / alpha - base).max(0.0) }
    };
    let capacities: Vec<f64> = alpha.iter().zip(&base).map(capacity).collect();
    let largest = capacities.iter().copied().fold(0.0, f64::max);
    // Overflow or underflow can leave no positive finite capacity.
    let share = |capacity: f64| if largest > 0.0 && largest.is_finite() { capacity / largest } else { 1.0 };
    let facts = alpha.into_iter().zip(base).zip(capacities);
    facts.map(|((alpha, base), capacity)| Capacity { alpha, base, share: share(capacity) }).collect()
}
