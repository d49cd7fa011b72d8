// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which objects are handed out anew.

use std::cmp::Reverse;

use lbaf_model::{Slot, Statistics, rank_totals, works};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::seconds::Seconds;
use crate::{Problem, StrategyError};

/// Which objects are handed out anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// All that may migrate.
    #[default]
    All,
    /// Of each rank its smallest objects, until what remains is within the threshold.
    Excess,
}

/// What users say of the pool.
#[derive(Clone, Copy)]
pub(crate) struct Pooling {
    pub(crate) pool: Pool,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) auto: bool,
}

/// Objects that are handed out anew, and what ranks have without them.
pub(crate) struct Pooled {
    /// The largest first, of equal ones the first.
    pub(crate) objects: Vec<Slot>,
    /// Load of the other objects of each rank.
    pub(crate) loads: Vec<f64>,
}

impl Pooling {
    pub(crate) fn check(&self, strategy: &'static str) -> Result<(), StrategyError> {
        let Pooling { min, max, auto, .. } = *self;
        // Nothing looks at the upper limit of a threshold that is given.
        let message = match auto {
            true if !(min >= 0.0 && min <= max && max.is_finite()) => {
                format!("`min` {min} and `max` {max} must satisfy 0 <= min <= max")
            }
            false if !(min >= 0.0 && min.is_finite()) => {
                format!("`min` must be a number that is not negative, not {min}")
            }
            _ => return Ok(()),
        };
        Err(StrategyError::Parameters { strategy, message })
    }

    /// Those that ranks offer, unless they have no load and gain nothing by moving; and everything on a rank
    /// over a bound, which may have to give up anything.
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
        let mut objects: Vec<Slot> = phase.slots().filter(|slot| is_pooled[slot.index()]).collect();
        objects.par_sort_unstable_by_key(|&slot| (Reverse(Seconds(phase.load(slot))), slot));
        let mut loads = vec![0.0; phase.n_ranks()];
        for slot in phase.slots().filter(|slot| !is_pooled[slot.index()]) {
            loads[initial.rank_of(slot).index()] += phase.load(slot);
        }
        Pooled { objects, loads }
    }

    /// The objects that ranks offer, in no particular order.
    fn offers(&self, problem: &Problem<'_>) -> Vec<Slot> {
        let phase = problem.phase;
        let migratable = phase.slots().filter(|&slot| phase.is_migratable(slot));
        match self.pool {
            Pool::All => migratable.collect(),
            Pool::Excess => self.excess(problem, migratable),
        }
    }

    /// Each rank offers its smallest objects first, until its work is within the threshold.
    fn excess(&self, problem: &Problem<'_>, migratable: impl Iterator<Item = Slot>) -> Vec<Slot> {
        let Problem { phase, initial, .. } = *problem;
        let mut loads = vec![0.0; phase.n_ranks()];
        for slot in phase.slots() {
            loads[initial.rank_of(slot).index()] += phase.load(slot);
        }
        let alpha = |rank: usize| phase.ranks()[rank].alpha;
        let works = Statistics::of(loads.iter().enumerate().map(|(rank, load)| alpha(rank) * load));
        let threshold = self.threshold(works.imbalance()) * works.mean();
        let mut ascending: Vec<Slot> = migratable.collect();
        ascending.par_sort_unstable_by_key(|&slot| (Seconds(phase.load(slot)), slot));
        ascending.retain(|&slot| {
            let rank = initial.rank_of(slot).index();
            let offers = alpha(rank) * loads[rank] > threshold;
            if offers {
                loads[rank] -= phase.load(slot);
            }
            offers
        });
        ascending
    }

    /// The work that a rank may keep, as a multiple of the mean.
    fn threshold(&self, imbalance: f64) -> f64 {
        if self.auto { (1.0 - imbalance).clamp(self.min, self.max) } else { self.min }
    }
}
