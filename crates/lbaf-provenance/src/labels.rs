// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every task of every phase, judged.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, ObjectIdx, Phase, PhaseId, Slot};
use rayon::prelude::*;

use crate::samples::{Samples, bases};
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
    /// say what is usual: without noise, they would have been as the others.
    pub n_skipped: usize,
}

/// A data set of which every task was judged, in every phase. 16 bytes for each, and 32 for each object.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    data: &'a DataSet,
    /// By position of the phase, where it has what it repeats.
    bases: Vec<usize>,
    functions: Functions,
    models: Vec<Model>,
    /// By position of the phase and by slot; empty for phases that repeat another.
    judgements: Vec<Vec<Judgement>>,
    /// By object, the mean of its times in seconds that are no outliers, if there are any.
    usual: Vec<Option<f64>>,
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
        let bases = bases(data, repeats);
        let samples = Samples::of(data, &functions, &bases, self.n_skipped);
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
        let usual = usual(data, &bases, &judgements);
        Labels { data, bases, functions, models, judgements, usual }
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

/// What nobody learns from and nobody scored is taken for normal.
const SKIPPED: Judgement = Judgement { score: -1.0, label: Label::Normal };

/// Whether a task took what is usual, as far as anybody can tell.
fn is_usual(judgement: Judgement) -> bool {
    judgement.label != Label::Outlier && judgement != SKIPPED
}

/// By object, the mean of its times that are no outliers and were not skipped.
fn usual(data: &DataSet, bases: &[usize], judgements: &[Vec<Judgement>]) -> Vec<Option<f64>> {
    // A mean that is moved by each time, so that equal ones have exactly that mean.
    let mut means = vec![(0_u32, 0.0_f64); data.n_objects()];
    for (at, phase) in data.phases().iter().enumerate().filter(|(at, _)| bases[*at] == *at) {
        for (slot, judgement) in phase.slots().zip(&judgements[at]) {
            if is_usual(*judgement) {
                let (n, mean) = &mut means[phase.object(slot).index()];
                *n += 1;
                *mean += (phase.load(slot) - *mean) / f64::from(*n);
            }
        }
    }
    means.into_iter().map(|(n, mean)| (n > 0).then_some(mean)).collect()
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

    /// Whether a phase, by its position among all, is measured and no repetition of another one.
    pub fn is_measured(&self, at: usize) -> bool {
        self.bases[at] == at
    }

    /// What the tasks of a phase were judged to be, by slot; the phase by its position among all.
    pub fn of_phase(&self, at: usize) -> &[Judgement] {
        &self.judgements[self.bases[at]]
    }

    /// Whether a task is an anomaly.
    pub fn is_outlier(&self, at: usize, slot: Slot) -> bool {
        self.of_phase(at)[slot.index()].label == Label::Outlier
    }

    /// The mean of the times of an object in seconds that are no outliers, if there are any.
    pub fn usual(&self, object: ObjectIdx) -> Option<f64> {
        self.usual[object.index()]
    }

    /// What a task would have taken without noise, in seconds: the usual time of its object if this one is an outlier or was
    /// skipped. Where all times of an object are such, as among unlike siblings, nothing says what is usual, and it keeps
    /// them.
    pub fn denoised(&self, at: usize, slot: Slot) -> f64 {
        let phase = &self.data.phases()[at];
        let measured = phase.load(slot);
        if is_usual(self.of_phase(at)[slot.index()]) {
            return measured;
        }
        self.usual(phase.object(slot)).unwrap_or(measured)
    }

    /// What all tasks of a phase would have taken, by slot.
    pub fn denoised_loads(&self, at: usize) -> Vec<f64> {
        self.data.phases()[at].slots().map(|slot| self.denoised(at, slot)).collect()
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
