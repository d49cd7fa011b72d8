// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which objects are handed out anew.

use lbaf_model::{Slot, Statistics, rank_totals, works};

use super::{Greedy, Pool};
use crate::Problem;
use crate::seconds::Seconds;

impl Greedy {
    /// Which objects are handed out anew, by slot: those that ranks offer, unless they have no load and gain
    /// nothing by moving; and everything on a rank over a bound, which may have to give up anything.
    pub(super) fn pooled(&self, problem: &Problem<'_>) -> Vec<bool> {
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
        is_pooled
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
        ascending.sort_by_key(|&slot| (Seconds(phase.load(slot)), slot));
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
