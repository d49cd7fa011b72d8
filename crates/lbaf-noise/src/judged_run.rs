// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run judged: the effects of its ranks first, then every task without them.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, PhaseId};

use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;
use crate::{Labelling, Labels, Order, SlowSpell, Tolerance};

impl Labelling {
    /// Judges all tasks of a data set. Phases recorded as `identical_to_previous` are no samples of their own: `repeats`
    /// says what they repeat. Functions are judged in parallel; each depends on its own samples alone.
    ///
    /// O(tasks) for a batch; see [`Detector`](crate::Detector) for what judging in the order of phases costs.
    ///
    /// # Panics
    /// If there are 2^32 tasks or more.
    pub fn label<'a>(&self, data: &'a DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> Labels<'a> {
        Labels::of(self, data, repeats, self.rank_effects(data, repeats))
    }

    /// Effects of ranks on the times to be judged. Ranks that are slow in a part of the run are found by the times as they are.
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
