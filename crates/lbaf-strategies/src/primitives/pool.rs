// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pool of objects that are placed anew.

use std::cmp::Reverse;

use lbaf_model::{Slot, Statistics, rank_totals, works};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::primitives::seconds::Seconds;
use crate::{Problem, StrategyError};

/// Objects that are handed out anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// All migratable objects.
    #[default]
    All,
    /// Of each rank, as many objects as are needed to bring it within the threshold.
    Excess,
}

/// Order in which a rank above the threshold offers objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OfferOrder {
    /// Smallest first.
    #[default]
    LoadOverLessThan,
    /// Largest first.
    LoadOverGreaterThan,
    /// One of each size in turn, from the smallest size up. Loads with the same power of two have the same size.
    LoadOverOneEach,
}

/// Parameters of the pool.
#[derive(Clone, Copy)]
pub(crate) struct Pooling {
    pub(crate) pool: Pool,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) auto: bool,
    pub(crate) order: OfferOrder,
}

/// Objects that are handed out anew, and loads of ranks without them.
pub(crate) struct Pooled {
    /// Pooled objects, the largest load first; of equal loads, the lowest slot first.
    pub(crate) objects: Vec<Slot>,
    /// Load of each pooled object.
    pub(crate) object_loads: Vec<f64>,
    /// Load of the other objects of each rank.
    pub(crate) loads: Vec<f64>,
}

impl Pooled {
    /// Returns a pool of all migratable objects with load above 0, and of those without load on ranks over a bound.
    pub(crate) fn with_load(problem: &Problem<'_>) -> Self {
        let pool = Pool::All;
        Pooling { pool, min: 0.0, max: 0.0, auto: false, order: OfferOrder::default() }.fill(problem)
    }

    /// Returns a pool of all migratable objects.
    pub(crate) fn all(problem: &Problem<'_>) -> Self {
        let phase = problem.phase;
        let is_pooled: Vec<bool> = phase.slots().map(|slot| phase.is_migratable(slot)).collect();
        Pooled::new(problem, &is_pooled)
    }

    /// Returns the objects with their loads, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, f64)> {
        self.objects.iter().copied().zip(self.object_loads.iter().copied())
    }

    /// Creates a pool of the marked objects; `is_pooled` is indexed by slot.
    pub(crate) fn new(problem: &Problem<'_>, is_pooled: &[bool]) -> Self {
        let Problem { phase, initial, .. } = *problem;
        let pooled = phase.slots().filter(|slot| is_pooled[slot.index()]);
        let mut by_load: Vec<_> = pooled.map(|slot| (Reverse(Seconds(phase.load(slot))), slot)).collect();
        by_load.par_sort_unstable();
        let (object_loads, objects) = by_load.into_iter().map(|(Reverse(load), slot)| (load.0, slot)).unzip();
        let mut loads = vec![0.0; phase.n_ranks()];
        for slot in phase.slots().filter(|slot| !is_pooled[slot.index()]) {
            loads[initial.rank_of(slot).index()] += phase.load(slot);
        }
        Pooled { objects, object_loads, loads }
    }
}

impl Pooling {
    pub(crate) fn check(&self, strategy: &'static str) -> Result<(), StrategyError> {
        let Pooling { min, max, auto, .. } = *self;
        // If `auto` is false, `max` has no effect.
        let message = match auto {
            true if !(min >= 0.0 && min <= max && max.is_finite()) => {
                format!("`min` {min} and `max` {max} must be finite, with 0 <= min <= max")
            }
            false if !(min >= 0.0 && min.is_finite()) => {
                format!("`min` must be a finite, non-negative number, not {min}")
            }
            _ => return Ok(()),
        };
        Err(StrategyError::Parameters { strategy, message })
    }

    /// Returns a pool of the offered objects with load above 0, and of all migratable objects of ranks over a bound,
    /// because any of these may have to leave.
    pub(crate) fn fill(&self, problem: &Problem<'_>) -> Pooled {
        let Problem { phase, initial, model, .. } = *problem;
        let mut is_pooled = vec![false; phase.n_objects()];
        for slot in self.offers(problem) {
            is_pooled[slot.index()] = phase.load(slot) > 0.0;
        }
        if !model.bounds().is_empty() {
            let works = works(model, phase, &rank_totals(phase, initial));
            for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
                is_pooled[slot.index()] |= works[initial.rank_of(slot).index()].is_over_bound();
            }
        }
        Pooled::new(problem, &is_pooled)
    }

    /// Returns the objects that ranks offer, in no particular order.
    fn offers(&self, problem: &Problem<'_>) -> Vec<Slot> {
        let phase = problem.phase;
        let migratable = phase.slots().filter(|&slot| phase.is_migratable(slot));
        match self.pool {
            Pool::All => migratable.collect(),
            Pool::Excess => self.excess(problem, migratable),
        }
    }

    /// Returns the objects that ranks offer until their remaining work, alpha x load, is within the threshold.
    fn excess(&self, problem: &Problem<'_>, migratable: impl Iterator<Item = Slot>) -> Vec<Slot> {
        let Problem { phase, initial, .. } = *problem;
        let mut loads = initial_loads(problem);
        let alpha = |rank: usize| phase.ranks()[rank].alpha;
        let works = works_of_load(problem, &loads);
        let threshold = self.threshold(works.imbalance()) * works.mean();
        let mut offered = self.order.of(problem, migratable.collect());
        offered.retain(|&slot| {
            let rank = initial.rank_of(slot).index();
            let offers = alpha(rank) * loads[rank] > threshold;
            if offers {
                loads[rank] -= phase.load(slot);
            }
            offers
        });
        offered
    }

    /// Returns the threshold for the initial placement, as a multiple of the mean work.
    pub(crate) fn initial_threshold(&self, problem: &Problem<'_>) -> f64 {
        self.threshold(works_of_load(problem, &initial_loads(problem)).imbalance())
    }

    /// Returns the work that a rank may keep, as a multiple of the mean work.
    fn threshold(&self, imbalance: f64) -> f64 {
        if self.auto { (1.0 - imbalance).clamp(self.min, self.max) } else { self.min }
    }
}

impl OfferOrder {
    /// Sorts objects so that each rank offers its objects in the right order.
    fn of(self, problem: &Problem<'_>, mut objects: Vec<Slot>) -> Vec<Slot> {
        let load = |slot: Slot| problem.phase.load(slot);
        match self {
            OfferOrder::LoadOverLessThan => {
                objects.par_sort_unstable_by_key(|&slot| (Seconds(load(slot)), slot));
                objects
            }
            OfferOrder::LoadOverGreaterThan => {
                objects.par_sort_unstable_by_key(|&slot| (Reverse(Seconds(load(slot))), slot));
                objects
            }
            OfferOrder::LoadOverOneEach => {
                let rank = |slot: Slot| problem.initial.rank_of(slot);
                objects.par_sort_unstable_by_key(|&slot| (rank(slot), Seconds(load(slot)), slot));
                let mut turns = Vec::with_capacity(objects.len());
                for of_one_size in
                    objects.chunk_by(|&a, &b| rank(a) == rank(b) && size(load(a)) == size(load(b)))
                {
                    turns.extend((0..).zip(of_one_size).map(|(turn, &slot): (u32, _)| (turn, slot)));
                }
                turns.par_sort_unstable_by_key(|&(turn, slot)| (turn, Seconds(load(slot)), slot));
                turns.into_iter().map(|(_, slot)| slot).collect()
            }
        }
    }
}

/// Returns the size class of a load, its power of two.
fn size(load: f64) -> u64 {
    load.to_bits() >> (f64::MANTISSA_DIGITS - 1)
}

/// Returns the initial load of each rank.
fn initial_loads(problem: &Problem<'_>) -> Vec<f64> {
    let Problem { phase, initial, .. } = *problem;
    let mut loads = vec![0.0; phase.n_ranks()];
    for slot in phase.slots() {
        loads[initial.rank_of(slot).index()] += phase.load(slot);
    }
    loads
}

/// Returns statistics of the work that loads cause on their ranks.
fn works_of_load(problem: &Problem<'_>, loads: &[f64]) -> Statistics {
    let ranks = problem.phase.ranks();
    Statistics::of(ranks.iter().zip(loads).map(|(rank, load)| rank.alpha * load))
}
