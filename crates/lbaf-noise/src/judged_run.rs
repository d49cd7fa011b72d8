// SPDX-License-Identifier: MIT OR Apache-2.0
//! Labelling of a whole run: estimates the effects of ranks, then judges the times without them.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, PhaseId};

use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;
use crate::{Labelling, Labels, Order, SlowSpell, Tolerance};

impl Labelling {
    /// Judges all tasks of a data set. Phases recorded as `identical_to_previous` add no samples; `repeats` maps them
    /// to the phases that they repeat. Functions are judged in parallel, each from its own samples only.
    ///
    /// O(tasks) in batch order. In phase order, the search for levels is quadratic in the number of times of an
    /// object, and the algorithm adds its cost for each step; see [`Algorithm`](crate::Algorithm).
    ///
    /// # Panics
    /// If there are 2^32 - 1 tasks or more.
    pub fn label<'a>(&self, data: &'a DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> Labels<'a> {
        Labels::of(self, data, repeats, self.rank_effects(data, repeats))
    }

    /// Estimates the effects of ranks on the times to be judged. Ranks that are slow in only a part of the run, found
    /// from the recorded times, get no effect. Effects are removed from times only in batch order. With `as_measured`,
    /// they are unknown.
    fn rank_effects(&self, data: &DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> RankEffects {
        if self.as_measured {
            return RankEffects::unknown(data.n_ranks());
        }
        let effects = RankEffects::of(data, &Bases::of(data, repeats), self.n_skipped);
        if !effects.are_any() {
            return effects;
        }
        let as_recorded = Labels::of(self, data, repeats, RankEffects::unknown(data.n_ranks()));
        let spells = SlowSpell::of(&as_recorded, Tolerance::default().slowdown);
        let effects = effects.without(spells.iter().map(|spell| spell.rank));
        RankEffects { are_taken_out: self.order == Order::Batch, ..effects }
    }
}
