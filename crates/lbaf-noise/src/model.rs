// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the samples of one function.

mod copod;
mod distance;
mod hbos;
mod spread;
mod threshold;

use copod::CopodModel;
use hbos::HbosModel;
use spread::KeptSamples;

use crate::{Algorithm, BinWidth, Detector, Guards, Histogram, Judgement, Mad, RunStats, Sstd};

/// Model that learns the samples of one function or object, and judges samples.
///
/// To judge in phase order, as Chimbuko does: [`learn`](Self::learn) the samples of a step, then
/// [`judge`](Self::judge) the same samples. To fit the model to all samples first, learn all steps before judging.
///
/// Samples are kept, 8 bytes each, only if their median is needed: by the algorithm `mad` or the guard `min_relative`.
#[derive(Clone, Debug)]
pub struct Model {
    guards: Guards,
    knowledge: Knowledge,
    n_samples: u64,
    /// All samples if their median is needed, otherwise empty.
    samples: KeptSamples,
    keeps_samples: bool,
}

/// Summary of learnt samples, with which an algorithm compares the samples to be judged. Medians, moments and bins are
/// in the unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate<'m> {
    /// Summary of [`Mad`]: median, and median of the absolute deviations from it.
    Robust {
        /// The median.
        median: f64,
        /// Median of the absolute deviations from the median.
        mad: f64,
        /// Moments of the same samples.
        moments: &'m RunStats,
    },
    /// Summary of [`Sstd`].
    Moments(&'m RunStats),
    /// Summary of [`Hbos`](crate::Hbos) and [`Copod`](crate::Copod).
    Histogram {
        /// Counts of the samples.
        histogram: &'m Histogram,
        /// Lower bound on the threshold, the score at which outliers begin. No effect for [`Hbos`](crate::Hbos) with
        /// `global: false`.
        threshold: f64,
    },
}

/// State of the model of each algorithm.
#[derive(Clone, Debug)]
enum Knowledge {
    Mad(Mad, RunStats),
    Sstd(Sstd, RunStats),
    Hbos(HbosModel),
    Copod(CopodModel),
}

impl Model {
    /// Creates an empty model.
    pub fn new(detector: &Detector) -> Self {
        let Detector { algorithm, guards } = *detector;
        let knowledge = match algorithm {
            Algorithm::Mad(mad) => Knowledge::Mad(mad, RunStats::default()),
            Algorithm::Sstd(sstd) => Knowledge::Sstd(sstd, RunStats::default()),
            Algorithm::Hbos(hbos) => Knowledge::Hbos(HbosModel::new(hbos)),
            Algorithm::Copod(copod) => Knowledge::Copod(CopodModel::new(copod)),
        };
        let keeps_samples = guards.want_median() || matches!(knowledge, Knowledge::Mad(..));
        Model { guards, knowledge, n_samples: 0, samples: KeptSamples::default(), keeps_samples }
    }

    /// Adds samples, finite and in any unit: a model of these samples alone is merged into this one. O(samples), plus
    /// O(bins) for models with bins.
    pub fn learn(&mut self, values: &[f64]) {
        if values.is_empty() {
            return;
        }
        self.n_samples += values.len() as u64;
        if self.keeps_samples {
            self.samples.extend(values);
        }
        match &mut self.knowledge {
            Knowledge::Mad(_, stats) | Knowledge::Sstd(_, stats) => stats.merge(&RunStats::of(values)),
            Knowledge::Hbos(HbosModel { histogram, parameters, .. }) => {
                let rule = BinWidth::Fixed(parameters.max_bins);
                histogram.merge(&Histogram::of(values, rule), rule);
            }
            Knowledge::Copod(CopodModel { histogram, .. }) => {
                histogram.merge(&Histogram::of(values, BinWidth::Scott), BinWidth::Scott);
            }
        }
    }

    /// Judges samples. Replaces the contents of `out` with the judgement of each sample, in order.
    ///
    /// Each call can move the thresholds of HBOS and COPOD. O(samples), plus O(bins) for models with bins. If the
    /// model keeps samples, the first call after learning is O(all samples).
    pub fn judge(&mut self, values: &[f64], out: &mut Vec<Judgement>) {
        out.clear();
        if self.n_samples == 0 || self.n_samples < self.guards.min_samples {
            out.resize(values.len(), Judgement::UNLABELLED);
            return;
        }
        let spread = self.samples.spread();
        match &mut self.knowledge {
            Knowledge::Mad(mad, _) => distance::from_median(*mad, spread, values, out),
            Knowledge::Sstd(sstd, stats) => distance::from_mean(*sstd, stats, values, out),
            Knowledge::Hbos(hbos) => hbos.judge(values, out),
            Knowledge::Copod(copod) => copod.judge(values, out),
        }
        for (judgement, value) in out.iter_mut().zip(values) {
            *judgement = self.guards.apply(*judgement, *value, spread.median);
        }
    }

    /// Returns the summary of the samples; `None` before the first one. O(1), but O(all samples) for the algorithm
    /// `mad` if no samples were judged since the last one was learnt.
    pub fn estimate(&self) -> Option<Estimate<'_>> {
        if self.n_samples == 0 {
            return None;
        }
        Some(match &self.knowledge {
            Knowledge::Mad(_, moments) => {
                let spread = self.samples.known_spread();
                Estimate::Robust { median: spread.median, mad: spread.mad, moments }
            }
            Knowledge::Sstd(_, moments) => Estimate::Moments(moments),
            Knowledge::Hbos(HbosModel { histogram, threshold, .. })
            | Knowledge::Copod(CopodModel { histogram, threshold, .. }) => {
                Estimate::Histogram { histogram, threshold: threshold.value() }
            }
        })
    }

    /// Number of samples learnt.
    pub fn n_samples(&self) -> u64 {
        self.n_samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hbos, Label};

    fn model(algorithm: Algorithm, guards: Guards, values: &[f64]) -> Model {
        let mut model = Model::new(&Detector { algorithm, guards });
        model.learn(values);
        model
    }

    fn judged(model: &mut Model, values: &[f64]) -> Vec<Judgement> {
        let mut out = vec![Judgement::default(); 99];
        model.judge(values, &mut out);
        out
    }

    #[test]
    fn samples_are_kept_only_for_their_median() {
        let none = Guards::NONE;
        let only_relative = Guards { min_relative: 0.1, ..none };
        for name in Algorithm::NAMES {
            let algorithm = Algorithm::from_name(name).unwrap();
            assert_eq!(model(algorithm, none, &[1.0]).keeps_samples, name == "mad", "{name}");
            assert!(model(algorithm, only_relative, &[1.0]).keeps_samples, "{name}");
        }
    }

    /// The median is 10, the median distance from it 1, so the distance of 14 is 4/1.4826 robust standard deviations.
    #[test]
    fn distances_are_from_the_median() {
        let values = [8.0, 9.0, 10.0, 11.0, 14.0];
        let algorithm = Algorithm::Mad(Mad { threshold: 2.0 });
        let judgements = judged(&mut model(algorithm, Guards::default(), &values), &values);
        let labels: Vec<Label> = judgements.iter().map(|judgement| judgement.label).collect();
        assert!((judgements[4].score - 4.0 / 1.4826).abs() < 1e-15);
        assert_eq!(labels, [Label::Normal, Label::Normal, Label::Normal, Label::Normal, Label::Outlier]);
    }

    #[test]
    fn the_robust_standard_deviation_is_at_least_a_thousandth_of_the_median() {
        let values = [1000.0, 1000.0, 1000.0, 1000.0, 1005.0];
        let mut model = model(Algorithm::default(), Guards::NONE, &values);
        assert_eq!(judged(&mut model, &values)[4], Judgement { score: 5.0, label: Label::Normal });
    }

    #[test]
    fn bursts_of_idle_objects_are_not_anomalies() {
        let values = [0.0, 0.0, 0.0, 0.0, 0.0, 700.0];
        let mut model = model(Algorithm::default(), Guards::default(), &values);
        let normal = Judgement { score: 0.0, label: Label::Normal };
        assert_eq!(judged(&mut model, &values), [normal; 6]);
    }

    #[test]
    fn few_samples_are_not_labelled_and_move_no_threshold() {
        for name in Algorithm::NAMES {
            let algorithm = Algorithm::from_name(name).unwrap();
            let mut model = model(algorithm, Guards::default(), &[1.0, 1.0, 1.0, 9.0]);
            let before = model.clone();
            assert_eq!(judged(&mut model, &[1.0, 9.0]), [Judgement::UNLABELLED; 2], "{name}");
            assert_eq!(model.estimate(), before.estimate(), "{name}");
            model.learn(&[1.0]);
            assert_ne!(judged(&mut model, &[1.0])[0], Judgement::UNLABELLED, "{name}");
        }
    }

    #[test]
    fn thresholds_fall_only_where_they_are_not_global() {
        let values = [1.0, 2.0, 2.0, 2.0];
        let more = [1.0, 1.0];
        for (global, expected) in [(true, Label::Normal), (false, Label::Outlier)] {
            let algorithm = Algorithm::Hbos(Hbos { global, max_bins: 2, ..Hbos::default() });
            let mut model = model(algorithm, Guards::NONE, &values);
            assert_eq!(judged(&mut model, &values)[0].label, Label::Outlier);
            model.learn(&more);
            // Both bins are now equally full: all samples are as rare as the rarest.
            assert_eq!(judged(&mut model, &more)[0].label, expected);
        }
    }

    #[test]
    fn empty_models_do_not_judge() {
        for name in Algorithm::NAMES {
            let mut model = model(Algorithm::from_name(name).unwrap(), Guards::NONE, &[]);
            assert_eq!((model.n_samples(), model.estimate()), (0, None));
            assert_eq!(judged(&mut model, &[1.0]), [Judgement::UNLABELLED]);
            assert_eq!(judged(&mut model, &[]), []);
        }
    }
}
