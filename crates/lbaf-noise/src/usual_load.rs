// SPDX-License-Identifier: MIT OR Apache-2.0
//! Typical times of tasks, and times without noise.

use lbaf_model::{DataSet, ObjectIdx};

use crate::levels::Levels;
use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;
use crate::{Functions, Grouping, Judgement, Label, Order};

/// Judgement of skipped tasks, which are neither learnt nor scored: normal.
pub(crate) const SKIPPED: Judgement = Judgement { score: -1.0, label: Label::Normal };

/// Typical times of tasks.
#[derive(Clone, Debug)]
pub(crate) struct Usual {
    /// Typical time at each level, in seconds. `None` if no time counts, or if more times are outliers than count.
    pub(crate) of_levels: Vec<Option<f64>>,
    /// Time of each task without noise, in seconds, by position of the phase and by slot; empty for phases that
    /// repeat another.
    pub(crate) denoised: Vec<Vec<f64>>,
}

/// Map from objects to places, whose times define a typical time. Objects rebuilt under other ids use the times of
/// their index. All others use their own, even if judged by their siblings.
pub(crate) struct Places<'f>(Option<&'f Functions>);

/// Mean of the times that count, and the number of outliers.
#[derive(Clone, Copy, Default)]
struct Mean {
    n: u32,
    seconds: f64,
    n_outliers: u32,
}

impl<'f> Places<'f> {
    pub(crate) fn new(functions: &'f Functions, grouping: Grouping) -> Self {
        Places((grouping == Grouping::CollectionIndex).then_some(functions))
    }

    /// Returns the place of an object.
    pub(crate) fn of(&self, object: ObjectIdx) -> usize {
        self.0.map_or(object.index(), |functions| functions.of_object(object))
    }
}

impl Usual {
    /// Computes the mean of the times at each level, without outliers and skipped times. In phase order, the denoised
    /// time of a task depends only on times that are known in its phase. O(tasks).
    pub(crate) fn of(
        data: &DataSet,
        bases: &Bases,
        rank_effects: &RankEffects,
        judgements: &[Vec<Judgement>],
        (places, levels, order): (&Places<'_>, &Levels, Order),
    ) -> Self {
        let mut means = vec![Mean::default(); levels.len()];
        let level = |at: usize, object: ObjectIdx| match order {
            Order::Batch => levels.at(places.of(object), at),
            Order::Online => levels.known_at(places.of(object), at),
        };
        let add = |means: &mut [Mean], at: usize| {
            let phase = &data.phases()[at];
            for (slot, judgement) in phase.slots().zip(&judgements[at]) {
                means[level(at, phase.object(slot))].add(rank_effects.time(phase, slot), *judgement);
            }
        };
        let measured = |at: &usize| bases.is_measured(*at);
        if order == Order::Batch {
            for at in (0..data.phases().len()).filter(measured) {
                add(&mut means, at);
            }
        }
        let mut denoised = vec![Vec::new(); data.phases().len()];
        for at in (0..data.phases().len()).filter(measured) {
            let phase = &data.phases()[at];
            if order == Order::Online {
                add(&mut means, at);
            }
            let would_take = |(slot, judgement): (lbaf_model::Slot, &Judgement)| {
                let level = level(at, phase.object(slot));
                let usual = if judgement.is_outlier() { means[level].usual() } else { None };
                usual.map_or_else(|| phase.load(slot), |usual| usual * rank_effects.factor(phase, slot))
            };
            denoised[at] = phase.slots().zip(&judgements[at]).map(would_take).collect();
        }
        Usual { of_levels: means.iter().map(Mean::usual).collect(), denoised }
    }
}

/// True if a time counts in the typical time.
fn is_usual(judgement: Judgement) -> bool {
    judgement.label != Label::Outlier && judgement != SKIPPED
}

impl Mean {
    fn add(&mut self, load: f64, judgement: Judgement) {
        if is_usual(judgement) {
            self.n += 1;
            // The incremental mean of equal times is exactly this time.
            self.seconds += (load - self.seconds) / f64::from(self.n);
        } else if judgement != SKIPPED {
            self.n_outliers += 1;
        }
    }

    /// Typical time; `None` if no time counts, or if more times are outliers than count, because such a deviation lasts
    /// and is not noise.
    fn usual(&self) -> Option<f64> {
        (self.n > 0 && self.n_outliers <= self.n).then_some(self.seconds)
    }
}
