// SPDX-License-Identifier: MIT OR Apache-2.0
//! Labels: the judgement of every task in every phase.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, ObjectIdx, Phase, PhaseId, Slot};
use rayon::prelude::*;

use crate::judging::Judged;
use crate::levels::{self, Level, Levels};
use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;
use crate::samples::Samples;
use crate::usual_load::{Places, SKIPPED, Usual};
use crate::{Functions, Grouping, Judgement, Label, Labelling, Model, Order, Tested};

/// Data set with a judgement of every task in every phase. 24 bytes per task, plus the models.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    data: &'a DataSet,
    /// Phase that each phase repeats, by position.
    bases: Bases,
    functions: Functions,
    grouping: Grouping,
    order: Order,
    models: Vec<Model>,
    rank_effects: RankEffects,
    tested: Tested,
    /// Judgement of each task, by position of the phase and slot; empty for phases that repeat another.
    judgements: Vec<Vec<Judgement>>,
    levels: Levels,
    typical_times: Usual,
}

/// Returns the levels of all places: objects, or indices if functions are indices of collections.
fn levels_of(
    labelling: &Labelling,
    data: &DataSet,
    bases: &Bases,
    rank_effects: &RankEffects,
    samples: &Samples,
    judged: &[Judged],
) -> Levels {
    if labelling.grouping != Grouping::Collection {
        let series = judged.iter().enumerate();
        return Levels::of(series.map(|(at, judged)| (&judged.levels[..], samples.phases(at))));
    }
    let objects = Functions::of(data, Grouping::Object);
    let samples = Samples::of(data, &objects, bases, rank_effects, labelling.n_skipped);
    let levels: Vec<Vec<Level>> = (0..samples.n_functions())
        .into_par_iter()
        .map(|object| {
            let times = &samples.values[samples.range(object)];
            if labelling.as_measured {
                vec![Level::FIRST]
            } else {
                levels::levels(times, labelling.order, &labelling.detector.guards)
            }
        })
        .collect();
    Levels::of(levels.iter().enumerate().map(|(object, levels)| (&levels[..], samples.phases(object))))
}

impl<'a> Labels<'a> {
    /// Judges all tasks of a data set. The effects of ranks are first removed from the times if
    /// `rank_effects.are_taken_out`.
    ///
    /// # Panics
    /// If there are 2^32 - 1 tasks or more.
    pub(crate) fn of(
        labelling: &Labelling,
        data: &'a DataSet,
        repeats: &BTreeMap<PhaseId, PhaseId>,
        rank_effects: RankEffects,
    ) -> Self {
        let n_tasks: usize = data.phases().iter().map(Phase::n_objects).sum();
        assert!(n_tasks < u32::MAX as usize, "there are {n_tasks} tasks, but at most 2^32 - 2 can be judged");
        let functions = Functions::of(data, labelling.grouping);
        let bases = Bases::of(data, repeats);
        let samples = Samples::of(data, &functions, &bases, &rank_effects, labelling.n_skipped);
        let judged: Vec<Judged> = (0..samples.n_functions())
            .into_par_iter()
            .map(|function| Judged::of(labelling, &samples, function))
            .collect();
        let levels = levels_of(labelling, data, &bases, &rank_effects, &samples, &judged);
        let measured = data.phases().iter().enumerate().filter(|(at, _)| bases.is_measured(*at));
        let tested = Tested {
            n_tasks: measured.map(|(_, phase)| phase.n_objects()).sum(),
            n_tested: judged.iter().map(|judged| judged.n_tested).sum(),
            n_flagged: judged.iter().map(|judged| judged.n_flagged).sum(),
        };
        let mut models = Vec::with_capacity(judged.len());
        let mut by_sample = Vec::with_capacity(samples.values.len());
        for of_function in judged {
            models.push(of_function.model);
            by_sample.extend(of_function.judgements);
        }
        let of_phase = |at: usize| {
            samples.of_phase(at).map(|sample| sample.map_or(SKIPPED, |sample| by_sample[sample])).collect()
        };
        let judgements: Vec<Vec<Judgement>> =
            (0..data.phases().len()).into_par_iter().map(of_phase).collect();
        let places = Places::new(&functions, labelling.grouping);
        let typical_times =
            Usual::of(data, &bases, &rank_effects, &judgements, (&places, &levels, labelling.order));
        Labels {
            data,
            bases,
            functions,
            grouping: labelling.grouping,
            order: labelling.order,
            models,
            rank_effects,
            tested,
            judgements,
            levels,
            typical_times,
        }
    }

    /// Returns the data set.
    pub fn data(&self) -> &'a DataSet {
        self.data
    }

    /// Returns the functions, whose tasks share a model.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Returns the model of each function.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Returns the factors by which work takes longer on each rank.
    pub(crate) fn rank_effects(&self) -> &RankEffects {
        &self.rank_effects
    }

    /// Returns the numbers of tasks, of tested samples and of flagged samples.
    pub fn tested(&self) -> Tested {
        self.tested
    }

    /// True if a phase, by position, was measured and does not repeat another one.
    pub fn is_measured(&self, at: usize) -> bool {
        self.bases.is_measured(at)
    }

    /// Returns the judgements of the tasks of a phase, by slot. `at` is the position of the phase.
    pub fn of_phase(&self, at: usize) -> &[Judgement] {
        &self.judgements[self.bases.base(at)]
    }

    /// True if a task is an anomaly.
    pub fn is_outlier(&self, at: usize, slot: Slot) -> bool {
        self.of_phase(at)[slot.index()].label == Label::Outlier
    }

    /// Returns the phase that a phase repeats, by position; the phase itself if it repeats none.
    pub fn repeated_phase(&self, at: usize) -> usize {
        self.bases.base(at)
    }

    /// Typical time of an object at the end of the run, in seconds on the median rank: the mean of its times since its
    /// last lasting change, without outliers and skipped times. `None` if no time counts, or if more times are outliers
    /// than count. With [`Grouping::CollectionIndex`], all times of the index count. If the effects of ranks are not
    /// removed, times count as measured.
    pub fn typical_time(&self, object: ObjectIdx) -> Option<f64> {
        let levels = self.levels.of_place(self.place(object));
        self.typical_times.of_levels[levels.end - 1]
    }

    /// Typical time of an object in a phase, by position: as [`typical_time`](Self::typical_time), but between the two
    /// lasting changes around this phase. In phase order, only changes that are known in this phase count.
    pub fn typical_time_at(&self, at: usize, object: ObjectIdx) -> Option<f64> {
        let (place, at) = (self.place(object), self.bases.base(at));
        self.typical_times.of_levels[match self.order {
            Order::Batch => self.levels.at(place, at),
            Order::Online => self.levels.known_at(place, at),
        }]
    }

    /// Typical time at a level, by its number.
    pub(crate) fn typical_time_of_level(&self, level: usize) -> Option<f64> {
        self.typical_times.of_levels[level]
    }

    /// Level of an object in a phase, by position: a number that changes when the times of the object change for good.
    pub fn level(&self, at: usize, object: ObjectIdx) -> usize {
        self.levels.at(self.place(object), self.bases.base(at))
    }

    /// Number of lasting changes of the times of an object.
    pub fn n_changes(&self, object: ObjectIdx) -> usize {
        self.levels.of_place(self.place(object)).len() - 1
    }

    fn place(&self, object: ObjectIdx) -> usize {
        Places::new(&self.functions, self.grouping).of(object)
    }

    /// Typical time of a task on the rank that ran it: longer on a slow rank.
    pub fn typical_time_on(&self, at: usize, slot: Slot) -> Option<f64> {
        let phase = &self.data.phases()[at];
        self.typical_time_at(at, phase.object(slot))
            .map(|typical| typical * self.rank_effects.factor(phase, slot))
    }

    /// Time of a task without noise, in seconds: for an outlier the typical time of its object on this rank, otherwise
    /// the measured time. In phase order, the typical time is the one known in that phase. An outlier without typical
    /// time, for example of an object that differs from its siblings, keeps its measured time.
    pub fn denoised(&self, at: usize, slot: Slot) -> f64 {
        self.denoised_loads(at)[slot.index()]
    }

    /// Returns the times of all tasks of a phase without noise, by slot.
    pub fn denoised_loads(&self, at: usize) -> &[f64] {
        &self.typical_times.denoised[self.bases.base(at)]
    }

    /// True if a phase, by position, has skipped times, which were not learnt.
    pub fn has_skipped(&self, at: usize) -> bool {
        self.of_phase(at).contains(&SKIPPED)
    }

    /// Returns the anomalies of measured phases as position of the phase and slot, ascending.
    pub fn outliers(&self) -> impl Iterator<Item = (usize, Slot)> {
        let of_phase = |at: usize| {
            let judged = self.judgements[at].iter().enumerate();
            let outliers = judged.filter(|(_, judgement)| judgement.label == Label::Outlier);
            outliers.map(move |(slot, _)| (at, Slot::from(slot)))
        };
        (0..self.judgements.len()).flat_map(of_phase)
    }
}
