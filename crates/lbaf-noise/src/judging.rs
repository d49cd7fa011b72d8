// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judging of the samples of one function.

use std::ops::Range;

use crate::levels::{self, Level};
use crate::median::median;
use crate::samples::Samples;
use crate::{Detector, Grouping, Guards, Judgement, Label, Labelling, Model, Order};

/// Judged samples of a function.
pub(crate) struct Judged {
    /// Model of the samples of all levels together.
    pub(crate) model: Model,
    /// Judgement of each sample.
    pub(crate) judgements: Vec<Judgement>,
    /// Levels of the samples, if they are a time series.
    pub(crate) levels: Vec<Level>,
    /// Number of samples that the detector could flag.
    pub(crate) n_tested: usize,
    /// Number of samples that the detector flagged, including those that form a level.
    pub(crate) n_flagged: usize,
}

impl Judged {
    /// Judges the samples of a function by its model. A time series is first rescaled to one level, unless times are
    /// judged as measured.
    pub(crate) fn of(labelling: &Labelling, samples: &Samples, function: usize) -> Self {
        let Labelling { detector, order, .. } = labelling;
        let values = &samples.values[samples.range(function)];
        let mut judged = Judged {
            model: Model::new(detector),
            judgements: Vec::with_capacity(values.len()),
            levels: vec![Level::FIRST],
            n_tested: n_tested(labelling, samples, function),
            n_flagged: 0,
        };
        // Siblings have no order, and each has its own level.
        let is_series = !labelling.as_measured
            && labelling.grouping != Grouping::Collection
            && samples.is_series(function);
        if is_series {
            judged.levels = levels::levels(values, *order, &detector.guards);
        }
        if judged.levels.len() == 1 {
            let steps = samples.steps(function);
            judge(&mut judged.model, *order, (values, steps), &mut judged.judgements);
        } else {
            judged.by_levels(detector, *order, values);
        }
        judged.n_flagged = judged.judgements.iter().filter(|judgement| judgement.is_outlier()).count();
        if is_series {
            judged.add_levels_of_outliers(values, *order, &detector.guards);
        }
        judged
    }

    /// Judges samples rescaled to one level, with a temporary model. The model of the function still learns the
    /// recorded samples.
    fn by_levels(&mut self, detector: &Detector, order: Order, values: &[f64]) {
        let steps = values.chunks(1);
        judge(&mut self.model, order, (values, steps), &mut self.judgements);
        self.judgements.clear();
        // The guard `min_severity` is applied afterwards, to the recorded times: it has no meaning for rescaled times.
        let min_severity = detector.guards.min_severity;
        let guards = Guards { min_severity: 0.0, ..detector.guards };
        let mut model = Model::new(&Detector { guards, ..*detector });
        let aligned = levels::aligned(values, &self.levels, order);
        judge(&mut model, order, (&aligned, aligned.chunks(1)), &mut self.judgements);
        let severe = Guards { min_severity, ..Guards::NONE };
        for (judgement, &value) in self.judgements.iter_mut().zip(values) {
            *judgement = severe.apply(*judgement, value, 0.0);
        }
    }

    /// Turns successive outliers on the same side into a level: they are no longer anomalies. The detector can flag
    /// samples in which the search for levels found no change. Two outliers that differ from each other stay anomalies
    /// if times then return to the previous level. In phase order, the outliers before the one that confirms the level
    /// also stay anomalies.
    fn add_levels_of_outliers(&mut self, values: &[f64], order: Order, guards: &Guards) {
        let is_level = |run: &Range<usize>, level: &Range<usize>| {
            let returns = level.start < run.start && run.end < level.end;
            let are_alike = || levels::are_alike(values[run.start], values[run.start + 1], values, guards);
            run.len() > 2 || !returns || are_alike()
        };
        let n_successive = levels::n_successive(order);
        let mut found = Vec::new();
        let mut run = 0..0;
        let mut was_above = false;
        for at in 0..=values.len() {
            let level = self.levels.partition_point(|level| level.known <= at).max(1) - 1;
            let is_outlier = self.judgements.get(at).is_some_and(Judgement::is_outlier);
            let is_above = is_outlier && {
                let until = if order == Order::Batch { self.end(level, values) } else { at + 1 };
                let of_level = &values[self.levels[level].since..until];
                median(&mut of_level.to_vec()).is_some_and(|median| values[at] > median)
            };
            let goes_on = is_outlier
                && run.end == at
                && !run.is_empty()
                && was_above == is_above
                && self.levels[level].known <= run.start;
            if goes_on {
                run.end = at + 1;
            } else {
                if run.len() >= n_successive {
                    let before = self.levels.partition_point(|level| level.known <= run.start).max(1) - 1;
                    let of_level = self.levels[before].since..self.end(before, values);
                    found.extend(Some(run).filter(|run| is_level(run, &of_level)));
                }
                run = at..at + usize::from(is_outlier);
                was_above = is_above;
            }
        }
        for run in found {
            let known = run.start + if order == Order::Batch { 0 } else { n_successive - 1 };
            for judgement in &mut self.judgements[known..run.end] {
                judgement.label = Label::Normal;
            }
            let starts = [Level { since: run.start, known }, Level { since: run.end, known: run.end }];
            for start in starts.into_iter().filter(|start| start.since > 0 && start.since < values.len()) {
                let place = self.levels.partition_point(|level| level.since < start.since);
                if self.levels.get(place).is_none_or(|level| level.since != start.since) {
                    self.levels.insert(place, start);
                }
            }
        }
    }

    /// Returns the end of a level, exclusive.
    fn end(&self, level: usize, values: &[f64]) -> usize {
        self.levels.get(level + 1).map_or(values.len(), |next| next.since)
    }
}

/// Returns the number of samples that the detector can flag: those judged when the model has learnt enough.
fn n_tested(labelling: &Labelling, samples: &Samples, function: usize) -> usize {
    let needed = usize::try_from(labelling.detector.samples_needed()).unwrap_or(usize::MAX);
    let all = samples.range(function).len();
    match labelling.order {
        Order::Batch if all >= needed => all,
        Order::Batch => 0,
        Order::Online => {
            let mut known = 0;
            let of_step = |step: &[f64]| {
                known += step.len();
                if known >= needed { step.len() } else { 0 }
            };
            samples.steps(function).map(of_step).sum()
        }
    }
}

/// Learns and judges samples in the given order.
fn judge<'v>(
    model: &mut Model,
    order: Order,
    (values, steps): (&[f64], impl Iterator<Item = &'v [f64]>),
    judgements: &mut Vec<Judgement>,
) {
    match order {
        Order::Batch => {
            model.learn(values);
            model.judge(values, judgements);
        }
        Order::Online => {
            let mut of_step = Vec::new();
            for step in steps {
                model.learn(step);
                model.judge(step, &mut of_step);
                judgements.append(&mut of_step);
            }
        }
    }
}
