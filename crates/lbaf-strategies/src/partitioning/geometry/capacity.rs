// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capacities of ranks: the load that each has room for.

use lbaf_model::water_level;

use super::Points;
use crate::Problem;

/// A rank as somebody who gets a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Capacity {
    /// Seconds of work per second of load.
    pub(crate) alpha: f64,
    /// Load of the objects that stay on the rank.
    pub(crate) base: f64,
    /// The load that it should get, as a multiple of what the one that should get most does.
    pub(crate) share: f64,
}

impl Capacity {
    /// A rank among others that are alike.
    pub(crate) const ALIKE: Capacity = Capacity { alpha: 1.0, base: 0.0, share: 1.0 };
}

/// The room of each rank: what fills it up to a work that is the same for all.
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
    // Speeds beyond what floating-point numbers can divide by are taken to be alike.
    let share = |capacity: f64| if largest > 0.0 && largest.is_finite() { capacity / largest } else { 1.0 };
    let facts = alpha.into_iter().zip(base).zip(capacities);
    facts.map(|((alpha, base), capacity)| Capacity { alpha, base, share: share(capacity) }).collect()
}
