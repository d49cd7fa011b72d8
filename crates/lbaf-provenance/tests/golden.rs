// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison with Chimbuko on the same samples: scores, labels, models, and the recorded normal sample.
//!
//! `data/anomaly-detection.json` has the inputs and the results of Chimbuko.
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

use lbaf_noise::{Algorithm, Copod, Detector, Guards, Hbos, Judgement, Label, Model, Sstd, most_normal};
use lbaf_provenance::record::ModelRecord;
use serde::Deserialize;

/// Cases in which COPOD judges equal samples. Chimbuko's threshold is rounding noise for them, so results differ on
/// purpose.
const DEGENERATE: [&str; 3] = ["constant", "zeros", "single_then_more"];

#[derive(Deserialize)]
struct Case {
    algorithm: Parameters,
    name: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Parameters {
    algorithm: String,
    glob_thres: bool,
    hbos_max_bins: usize,
    hbos_thres: f64,
    sstd_sigma: f64,
}

#[derive(Deserialize)]
struct Step {
    labels: Vec<i8>,
    model: Option<ModelRecord>,
    normal_recorded: Option<usize>,
    scores: Vec<f64>,
    values: Vec<f64>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("data/anomaly-detection.json")).expect("golden figures")
}

fn model(parameters: &Parameters) -> Model {
    let threshold = parameters.hbos_thres;
    let algorithm = match parameters.algorithm.as_str() {
        "sstd" => Algorithm::Sstd(Sstd { sigma: parameters.sstd_sigma }),
        "hbos" => Algorithm::Hbos(Hbos {
            threshold,
            global: parameters.glob_thres,
            max_bins: parameters.hbos_max_bins,
        }),
        "copod" => Algorithm::Copod(Copod { threshold }),
        other => panic!("{other} is not an algorithm of Chimbuko"),
    };
    Model::new(&Detector { algorithm, guards: Guards::NONE })
}

fn step(model: &mut Model, values: &[f64]) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    model.learn(values);
    model.judge(values, &mut judgements);
    judgements
}

fn number(label: Label) -> i8 {
    match label {
        Label::Unlabelled => 0,
        Label::Normal => 1,
        Label::Outlier => -1,
    }
}

fn assert_close(ours: f64, theirs: f64, what: &str) {
    let slack = 1e-12 * theirs.abs().max(f64::MIN_POSITIVE);
    assert!((ours - theirs).abs() <= slack, "{what}: {ours} instead of {theirs}");
}

fn assert_same_model(ours: &ModelRecord, theirs: &ModelRecord, what: &str) {
    match (ours, theirs) {
        (ModelRecord::Statistics(ours), ModelRecord::Statistics(theirs)) => {
            assert_eq!(ours.count, theirs.count, "{what}");
            assert_eq!((ours.minimum, ours.maximum), (theirs.minimum, theirs.maximum), "{what}");
            assert_eq!(ours.accumulate, theirs.accumulate, "{what}");
            assert_close(ours.mean, theirs.mean, what);
            assert_close(ours.stddev, theirs.stddev, what);
            assert_close(ours.skewness, theirs.skewness, what);
            assert_close(ours.kurtosis, theirs.kurtosis, what);
        }
        (
            ModelRecord::Histogram { histogram: ours, internal_global_threshold: threshold },
            ModelRecord::Histogram { histogram: theirs, internal_global_threshold: their_threshold },
        ) => {
            assert_eq!(ours.counts, theirs.counts, "{what}");
            assert_eq!((ours.min, ours.max), (theirs.min, theirs.max), "{what}");
            assert_eq!((ours.start, ours.width), (theirs.start, theirs.width), "{what}");
            assert_eq!(threshold, their_threshold, "{what}");
        }
        _ => panic!("{what}: {ours:?} instead of {theirs:?}"),
    }
}

#[test]
fn results_agree_with_chimbuko() {
    let mut n_judged = 0;
    for Case { algorithm, name, steps } in cases() {
        if algorithm.algorithm == "copod" && DEGENERATE.contains(&name.as_str()) {
            continue;
        }
        let mut model = model(&algorithm);
        for (index, expected) in steps.iter().enumerate() {
            let what = format!("{name}, {}, step {index}", algorithm.algorithm);
            let judgements = step(&mut model, &expected.values);
            let labels: Vec<i8> = judgements.iter().map(|judgement| number(judgement.label)).collect();
            assert_eq!(labels, expected.labels, "{what}");
            for (judgement, score) in judgements.iter().zip(&expected.scores) {
                assert_close(judgement.score, *score, &what);
            }
            assert_eq!(most_normal(&judgements), expected.normal_recorded, "{what}");
            let (ours, theirs) =
                (ModelRecord::of(&model).expect(&what), expected.model.as_ref().expect(&what));
            assert_same_model(&ours, theirs, &what);
            n_judged += judgements.len();
        }
    }
    assert!(n_judged > 2000, "only {n_judged} samples were compared");
}

#[test]
fn equal_samples_are_normal_and_move_no_threshold() {
    let start = 1.00001_f64.log2();
    let mut n_degenerate = 0;
    for Case { algorithm, name, steps } in cases() {
        if algorithm.algorithm != "copod" || !DEGENERATE.contains(&name.as_str()) {
            continue;
        }
        n_degenerate += 1;
        let mut model = model(&algorithm);
        for (index, expected) in steps.iter().enumerate() {
            let judgements = step(&mut model, &expected.values);
            let Some(ModelRecord::Histogram { histogram, internal_global_threshold }) =
                ModelRecord::of(&model)
            else {
                panic!("{name}: no histogram")
            };
            if histogram.min == histogram.max {
                assert_eq!(internal_global_threshold, start, "{name}");
                let normal = Judgement { score: 0.0, label: Label::Normal };
                assert!(judgements.iter().all(|judgement| *judgement == normal), "{name}: {judgements:?}");
                continue;
            }
            // From this step on, scores agree with Chimbuko and can reach the threshold.
            assert!(index > 0 && internal_global_threshold < 4.0, "{name}: {internal_global_threshold}");
            for (judgement, score) in judgements.iter().zip(&expected.scores) {
                assert_close(judgement.score, *score, &name);
            }
            let Some(ModelRecord::Histogram { histogram: theirs, .. }) = &expected.model else {
                panic!("{name}: no histogram")
            };
            assert_eq!(&histogram, theirs, "{name}");
        }
    }
    assert_eq!(n_degenerate, DEGENERATE.len());
}
