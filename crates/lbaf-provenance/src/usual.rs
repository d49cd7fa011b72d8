// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tasks usually take, and would have taken without noise.

use lbaf_model::{DataSet, ObjectIdx, Phase};

use crate::rank_effects::RankEffects;
use crate::samples::Bases;
use crate::{Functions, Grouping, Judgement, Label, Order};

/// What nobody learns from and nobody scored is taken for normal.
pub(crate) const SKIPPED: Judgement = Judgement { score: -1.0, label: Label::Normal };

/// What tasks usually take.
#[derive(Clone, Debug)]
pub(crate) struct Usual {
    /// By object, seconds.
    pub(crate) of_objects: Vec<Option<f64>>,
    /// By position of the phase and by slot, what each task would have taken, in seconds; empty for phases that repeat
    /// another.
    pub(crate) denoised: Vec<Vec<f64>>,
}

/// Whose times say what is usual for whom.
struct Means<'f> {
    rank_effects: &'f RankEffects,
    functions: &'f Functions,
    grouping: Grouping,
    of_places: Vec<Mean>,
}

/// Times that are no outliers, and how many are.
#[derive(Clone, Copy, Default)]
struct Mean {
    n: u32,
    seconds: f64,
    n_outliers: u32,
}

impl Usual {
    /// The mean of the times of each object that are no outliers and were not skipped; in the order of phases only of those
    /// until then. O(tasks).
    pub(crate) fn of(
        data: &DataSet,
        bases: &Bases,
        rank_effects: &RankEffects,
        judgements: &[Vec<Judgement>],
        (functions, grouping, order): (&Functions, Grouping, Order),
    ) -> Self {
        let n = if grouping == Grouping::CollectionIndex { functions.len() } else { data.n_objects() };
        let mut means = Means { rank_effects, functions, grouping, of_places: vec![Mean::default(); n] };
        let measured = |at: &usize| bases.is_measured(*at);
        if order == Order::Batch {
            for at in (0..data.phases().len()).filter(measured) {
                means.add(&data.phases()[at], &judgements[at]);
            }
        }
        let mut denoised = vec![Vec::new(); data.phases().len()];
        for at in (0..data.phases().len()).filter(measured) {
            let phase = &data.phases()[at];
            if order == Order::Online {
                means.add(phase, &judgements[at]);
            }
            let would_take = |(slot, judgement): (lbaf_model::Slot, &Judgement)| {
                let is_odd = judgement.label == Label::Outlier;
                let usual = if is_odd { means.of(phase.object(slot)) } else { None };
                usual.map_or_else(|| phase.load(slot), |usual| usual * rank_effects.factor(phase, slot))
            };
            denoised[at] = phase.slots().zip(&judgements[at]).map(would_take).collect();
        }
        let of_objects = (0..data.n_objects()).map(|object| means.of(ObjectIdx::from(object))).collect();
        Usual { of_objects, denoised }
    }
}

/// Whether a task took what is usual, as far as anybody can tell.
fn is_usual(judgement: Judgement) -> bool {
    judgement.label != Label::Outlier && judgement != SKIPPED
}

impl Means<'_> {
    /// Objects that were rebuilt under other ids have the times of their index; all others their own, also where siblings
    /// say what is odd.
    fn place(&self, object: ObjectIdx) -> usize {
        if self.grouping == Grouping::CollectionIndex {
            self.functions.of_object(object)
        } else {
            object.index()
        }
    }

    fn add(&mut self, phase: &Phase, judgements: &[Judgement]) {
        for (slot, judgement) in phase.slots().zip(judgements) {
            let place = self.place(phase.object(slot));
            let mean = &mut self.of_places[place];
            if is_usual(*judgement) {
                mean.n += 1;
                // A mean that is moved by each time, so that equal ones have exactly that mean.
                mean.seconds += (self.rank_effects.time(phase, slot) - mean.seconds) / f64::from(mean.n);
            } else if *judgement != SKIPPED {
                mean.n_outliers += 1;
            }
        }
    }

    /// What is usual for an object, if anything is: what is odd more often than not lasts, and is no noise.
    fn of(&self, object: ObjectIdx) -> Option<f64> {
        let Mean { n, seconds, n_outliers } = self.of_places[self.place(object)];
        (n > 0 && n_outliers <= n).then_some(seconds)
    }
}
