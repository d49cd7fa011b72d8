// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs and detectors that cannot separate noise.

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

/// Ten objects whose times vary between phases by up to 10 %, without equal times of an object.
fn jitter(n_phases: usize) -> Vec<Vec<f64>> {
    let load = |phase: usize, object: usize| 1.0 + 0.1 * ((phase * 61 + object * 17) % 101) as f64 / 101.0;
    (0..n_phases).map(|phase| (0..10).map(|object| load(phase, object)).collect()).collect()
}

#[test]
fn a_single_phase_is_in_doubt() {
    assert_eq!(doubt(&jitter(1), &Labelling::default()), Some(Doubt::SinglePhase));
    // Phases that repeat another one are not enough either.
    let data = resting(1, &jitter(3), &[0; 10]);
    let repeats = BTreeMap::from([(PhaseId(1), PhaseId(0)), (PhaseId(2), PhaseId(0))]);
    assert_eq!(Doubt::of(&Labelling::default().label(&data, &repeats)), Some(Doubt::SinglePhase));
    assert_eq!(doubt(&jitter(5), &Labelling::default()), None);
}

#[test]
fn a_threshold_that_no_time_can_reach_is_in_doubt() {
    // None of 37 times can be six standard deviations from their mean: (37 - 1)/√37 = 5.92.
    let mut loads = jitter(37);
    loads[20][3] = 1e6;
    let sstd = by(Algorithm::Sstd(Sstd { sigma: 6.0 }));
    let expected = Tested { n_tasks: 370, n_tested: 0, n_flagged: 0 };
    assert_eq!(doubt(&loads, &sstd), Some(Doubt::FewTested(expected)));
    let mut loads = jitter(38);
    loads[20][3] = 1e6;
    assert_eq!(doubt(&loads, &sstd), None);
    // In phase order the first 37 phases of 38 cannot be tested.
    let online = Labelling { order: Order::Online, ..sstd };
    let expected = Tested { n_tasks: 380, n_tested: 10, n_flagged: 0 };
    assert_eq!(doubt(&loads, &online), Some(Doubt::FewTested(expected)));
}

#[test]
fn few_tested_tasks_are_in_doubt() {
    let few = Tested { n_tasks: 40, n_tested: 0, n_flagged: 0 };
    assert_eq!(doubt(&jitter(4), &Labelling::default()), Some(Doubt::FewTested(few)));
    // Skipped times are not judged: 3 of 5 phases.
    let skipping = Labelling { n_skipped: 3, ..Labelling::default() };
    assert!(matches!(doubt(&jitter(5), &skipping), Some(Doubt::FewTested(_))));
    let half = Labelling { n_skipped: 5, ..Labelling::default() };
    assert_eq!(doubt(&jitter(10), &half), None);
}

#[test]
fn a_detector_that_flags_a_third_of_all_tasks_is_in_doubt() {
    // The ten samples of an object fall into 200 bins. Nearly every sample is alone in its bin, so as rare as the
    // rarest.
    let detector = Detector { algorithm: Algorithm::Hbos(Hbos::default()), guards: lbaf_noise::Guards::NONE };
    let hbos = Labelling { detector, ..Labelling::default() };
    let Some(Doubt::ManyFlagged(tested)) = doubt(&jitter(10), &hbos) else { panic!("no doubt") };
    assert!(tested.flagged_share() > 1.0 / 3.0 && tested.n_tested == 100, "{tested:?}");
    assert_eq!(doubt(&jitter(10), &Labelling::default()), None);
}
