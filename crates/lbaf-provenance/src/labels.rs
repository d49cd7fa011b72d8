// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every task of every phase, judged.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, ObjectIdx, Phase, PhaseId, Slot};
use rayon::prelude::*;

use crate::rank_effects::RankEffects;
use crate::samples::{Bases, Samples};
use crate::usual::{SKIPPED, Usual};
use crate::{Detector, Functions, Grouping, Judgement, Label, Model};

/// In which order samples are learnt and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// All are learnt, then all are judged, as Chimbuko does when it prunes its database afterwards.
    #[default]
    Batch,
    /// Phase by phase, as while the application runs: judged by what is known then, this phase among it.
    Online,
}

/// How samples are judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labelling {
    /// By what.
    pub detector: Detector,
    /// What has a model of its own.
    pub grouping: Grouping,
    /// In which order.
    pub order: Order,
    /// So many times of each object are not learnt, because first calls take longer. They are no anomalies, but nor do they
    /// say what is usual.
    pub n_skipped: usize,
    /// Times are judged as measured, as by Chimbuko, and nothing is known of slow ranks. By default effects of ranks are
    /// taken out of times first: a slow rank makes no anomalies. Judged in the order of phases they stay in, because they
    /// are known at the end alone.
    pub as_measured: bool,
}

/// A data set of which every task was judged, in every phase. 24 bytes for each.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    data: &'a DataSet,
    /// By position of the phase, where it has what it repeats.
    bases: Bases,
    functions: Functions,
    models: Vec<Model>,
    rank_effects: RankEffects,
    /// By position of the phase and by slot; empty for phases that repeat another.
    judgements: Vec<Vec<Judgement>>,
    usual: Usual,
}

impl Labelling {
    /// Judges all tasks of a data set. Phases recorded as `identical_to_previous` are no samples of their own: `repeats`
    /// says what they repeat. Functions are judged in parallel; each depends on its own samples alone.
    ///
    /// O(tasks) for a batch; see [`Detector`] for what judging in the order of phases costs.
    ///
    /// # Panics
    /// If there are 2^32 tasks or more.
    pub fn label<'a>(&self, data: &'a DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> Labels<'a> {
        let n_tasks: usize = data.phases().iter().map(Phase::n_objects).sum();
        assert!(n_tasks < u32::MAX as usize, "{n_tasks} tasks; up to 2^32 - 2 can be judged");
        let functions = Functions::of(data, self.grouping);
        let bases = Bases::of(data, repeats);
        let rank_effects = if self.as_measured {
            RankEffects::unknown(data.n_ranks())
        } else {
            let are_taken_out = self.order == Order::Batch;
            RankEffects { are_taken_out, ..RankEffects::of(data, &bases, self.n_skipped) }
        };
        let samples = Samples::of(data, &functions, &bases, &rank_effects, self.n_skipped);
        let judged: Vec<(Model, Vec<Judgement>)> = (0..samples.n_functions())
            .into_par_iter()
            .map(|function| self.judge(&samples, function))
            .collect();
        let mut models = Vec::with_capacity(judged.len());
        let mut by_sample = Vec::with_capacity(samples.values.len());
        for (model, judgements) in judged {
            models.push(model);
            by_sample.extend(judgements);
        }
        let of_phase = |at: usize| {
            samples.of_phase(at).map(|sample| sample.map_or(SKIPPED, |sample| by_sample[sample])).collect()
        };
        let judgements: Vec<Vec<Judgement>> =
            (0..data.phases().len()).into_par_iter().map(of_phase).collect();
        let usual =
            Usual::of(data, &bases, &rank_effects, &judgements, (&functions, self.grouping, self.order));
        Labels { data, bases, functions, models, rank_effects, judgements, usual }
    }

    /// Judges the samples of a function.
    fn judge(&self, samples: &Samples, function: usize) -> (Model, Vec<Judgement>) {
        let mut model = Model::new(&self.detector);
        let values = &samples.values[samples.range(function)];
        let mut judgements = Vec::with_capacity(values.len());
        match self.order {
            Order::Batch => {
                model.learn(values);
                model.judge(values, &mut judgements);
            }
            Order::Online => {
                let mut of_step = Vec::new();
                for step in samples.steps(function) {
                    model.learn(step);
                    model.judge(step, &mut of_step);
                    judgements.append(&mut of_step);
                }
            }
        }
        (model, judgements)
    }
}

impl<'a> Labels<'a> {
    /// The data.
    pub fn data(&self) -> &'a DataSet {
        self.data
    }

    /// What has a model.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The models, by function.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// How much longer work takes on each rank.
    pub(crate) fn rank_effects(&self) -> &RankEffects {
        &self.rank_effects
    }

    /// Whether a phase, by its position among all, is measured and no repetition of another one.
    pub fn is_measured(&self, at: usize) -> bool {
        self.bases.is_measured(at)
    }

    /// What the tasks of a phase were judged to be, by slot; the phase by its position among all.
    pub fn of_phase(&self, at: usize) -> &[Judgement] {
        &self.judgements[self.bases.base(at)]
    }

    /// Whether a task is an anomaly.
    pub fn is_outlier(&self, at: usize, slot: Slot) -> bool {
        self.of_phase(at)[slot.index()].label == Label::Outlier
    }

    /// The phase, by its position among all, that a phase repeats: itself if it repeats none.
    pub fn base(&self, at: usize) -> usize {
        self.bases.base(at)
    }

    /// The mean of the times of an object in seconds that are no outliers, if there are any, and no fewer than those that
    /// are; of its index where indices have models.
    pub fn usual(&self, object: ObjectIdx) -> Option<f64> {
        self.usual.of_objects[object.index()]
    }

    /// The same of a task on the rank that ran it: a slow rank takes longer for the usual.
    pub fn usual_on(&self, at: usize, slot: Slot) -> Option<f64> {
        let phase = &self.data.phases()[at];
        self.usual(phase.object(slot)).map(|usual| usual * self.rank_effects.factor(phase, slot))
    }

    /// What a task would have taken without noise, in seconds: the usual time of its object if this one is an outlier; in the
    /// order of phases, what was usual until then. Where nothing is usual, as among unlike siblings, it is
    /// what was measured.
    pub fn denoised(&self, at: usize, slot: Slot) -> f64 {
        self.denoised_loads(at)[slot.index()]
    }

    /// What all tasks of a phase would have taken, by slot.
    pub fn denoised_loads(&self, at: usize) -> &[f64] {
        &self.usual.denoised[self.bases.base(at)]
    }

    /// Whether a phase, by its position among all, has times that nobody learnt from.
    pub fn has_skipped(&self, at: usize) -> bool {
        self.of_phase(at).contains(&SKIPPED)
    }

    /// The anomalies of measured phases: position of the phase, and slot; ascending.
    pub fn outliers(&self) -> impl Iterator<Item = (usize, Slot)> {
        let of_phase = |at: usize| {
            let judged = self.judgements[at].iter().enumerate();
            let outliers = judged.filter(|(_, judgement)| judgement.label == Label::Outlier);
            outliers.map(move |(slot, _)| (at, Slot::from(slot)))
        };
        (0..self.judgements.len()).flat_map(of_phase)
    }
}
