// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs and detectors that say nothing of noise.

use std::collections::BTreeMap;

use lbaf_model::PhaseId;
use lbaf_noise::{Algorithm, Detector, Doubt, Hbos, Labelling, Order, Sstd, Tested};

use crate::made::resting;

fn doubt(loads: &[Vec<f64>], labelling: &Labelling) -> Option<Doubt> {
    let ranks = vec![0; loads[0].len()];
    Doubt::of(&labelling.label(&resting(1, loads, &ranks), &BTreeMap::new()))
}

fn by(algorithm: Algorithm) -> Labelling {
    Labelling { detector: Detector { algorithm, ..Detector::default() }, ..Labelling::default() }
}

/// Ten objects whose times differ from phase to phase by up to 10 %, no two of an object alike.
fn jitter(n_phases: usize) -> Vec<Vec<f64>> {
    let load = |phase: usize, object: usize| 1.0 + 0.1 * ((phase * 61 + object * 17) % 101) as f64 / 101.0;
    (0..n_phases).map(|phase| (0..10).map(|object| load(phase, object)).collect()).collect()
}

#[test]
fn one_phase_says_nothing() {
    assert_eq!(doubt(&jitter(1), &Labelling::default()), Some(Doubt::SinglePhase));
    // Nor does one that is repeated.
    let data = resting(1, &jitter(3), &[0; 10]);
    let repeats = BTreeMap::from([(PhaseId(1), PhaseId(0)), (PhaseId(2), PhaseId(0))]);
    assert_eq!(Doubt::of(&Labelling::default().label(&data, &repeats)), Some(Doubt::SinglePhase));
    assert_eq!(doubt(&jitter(5), &Labelling::default()), None);
}

#[test]
fn a_threshold_that_no_time_can_reach_says_nothing() {
    // Of 37 times none is six standard deviations from the mean of all, however long it takes: 36/√37 = 5.92.
    let mut loads = jitter(37);
    loads[20][3] = 1e6;
    let sstd = by(Algorithm::Sstd(Sstd { sigma: 6.0 }));
    let expected = Tested { n_tasks: 370, n_tested: 0, n_flagged: 0 };
    assert_eq!(doubt(&loads, &sstd), Some(Doubt::FewTested(expected)));
    let mut loads = jitter(38);
    loads[20][3] = 1e6;
    assert_eq!(doubt(&loads, &sstd), None);
    // Phase by phase the first 37 phases of 38 say nothing.
    let online = Labelling { order: Order::Online, ..sstd };
    let expected = Tested { n_tasks: 380, n_tested: 10, n_flagged: 0 };
    assert_eq!(doubt(&loads, &online), Some(Doubt::FewTested(expected)));
}

#[test]
fn a_few_tasks_that_were_judged_say_nothing_of_most() {
    let few = Tested { n_tasks: 40, n_tested: 0, n_flagged: 0 };
    assert_eq!(doubt(&jitter(4), &Labelling::default()), Some(Doubt::FewTested(few)));
    // Skipped times are not judged either: 3 of 5 phases.
    let skipping = Labelling { n_skipped: 3, ..Labelling::default() };
    assert!(matches!(doubt(&jitter(5), &skipping), Some(Doubt::FewTested(_))));
    let half = Labelling { n_skipped: 5, ..Labelling::default() };
    assert_eq!(doubt(&jitter(10), &half), None);
}

#[test]
fn a_detector_that_flags_a_third_of_everything_says_nothing() {
    // Nearly all bins of 200 have one of ten samples at most, so that all of them are as rare as the rarest.
    let detector = Detector { algorithm: Algorithm::Hbos(Hbos::default()), guards: lbaf_noise::Guards::NONE };
    let hbos = Labelling { detector, ..Labelling::default() };
    let Some(Doubt::ManyFlagged(tested)) = doubt(&jitter(10), &hbos) else { panic!("no doubt") };
    assert!(tested.flagged_share() > 1.0 / 3.0 && tested.n_tested == 100, "{tested:?}");
    assert_eq!(doubt(&jitter(10), &Labelling::default()), None);
}
