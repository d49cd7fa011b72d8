// SPDX-License-Identifier: MIT OR Apache-2.0
//! Grouping of times into samples, and their labels.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, ObjectIdx, PhaseId, Slot};
use lbaf_noise::{Functions, Grouping, Label, Labelling, Labels, Order};

use crate::made::{rebuilt, resting};

/// Returns the anomalies, as positions of phases and numbers of objects.
fn outliers(labels: &Labels<'_>) -> Vec<(usize, u32)> {
    labels.outliers().map(|(at, Slot(object))| (at, object)).collect()
}

/// Twelve phases of two objects that take 1 and 10 seconds.
fn unlike() -> Vec<Vec<f64>> {
    vec![vec![1.0, 10.0]; 12]
}

fn nothing() -> BTreeMap<PhaseId, PhaseId> {
    BTreeMap::new()
}

#[test]
fn an_object_is_judged_by_its_own_times() {
    let mut loads = unlike();
    loads[3][0] = 3.0;
    let data = resting(1, &loads, &[0, 0]);
    let labels = Labelling::default().label(&data, &nothing());
    assert_eq!(outliers(&labels), [(3, 0)]);
    // Its typical time is that of its other phases.
    assert_eq!(labels.typical_time(ObjectIdx(0)), Some(1.0));
    assert_eq!(labels.denoised_loads(3), [1.0, 10.0]);
    assert_eq!(labels.denoised_loads(2), [1.0, 10.0]);
}

#[test]
fn a_collection_is_judged_by_all_of_its_times() {
    // One of five objects always takes ten times as long as its siblings.
    let loads = vec![vec![1.0, 1.0, 1.0, 1.0, 10.0]; 4];
    let data = resting(1, &loads, &[0; 5]);
    let label = |grouping| Labelling { grouping, ..Labelling::default() }.label(&data, &nothing());
    assert_eq!(outliers(&label(Grouping::Object)), []);
    let of_collection = label(Grouping::Collection);
    assert_eq!(outliers(&of_collection), [(0, 4), (1, 4), (2, 4), (3, 4)]);
    // The slow object has no typical time, so its times are not replaced.
    assert_eq!(of_collection.typical_time(ObjectIdx(4)), None);
    assert_eq!(of_collection.denoised_loads(0), loads[0]);
    assert_eq!(outliers(&label(Grouping::CollectionIndex)), []);
}

#[test]
fn functions_are_numbered_in_the_order_of_their_keys() {
    let data = resting(1, &[vec![1.0; 3]], &[0; 3]);
    let names = |grouping| {
        let functions = Functions::of(&data, grouping);
        functions.keys().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(names(Grouping::Object), ["object 0", "object 1", "object 2"]);
    assert_eq!(names(Grouping::Collection), ["collection 7"]);
    assert_eq!(
        names(Grouping::CollectionIndex),
        ["collection 7 [0]", "collection 7 [1]", "collection 7 [2]"]
    );
}

#[test]
fn phases_that_repeat_another_add_no_samples() {
    // Two different times are too few to be judged; phases that repeat them add no samples.
    let mut loads = vec![vec![1.0]; 12];
    loads[0][0] = 9.0;
    let data = resting(1, &loads, &[0]);
    let repeats = (2..12).map(|phase| (PhaseId(phase), PhaseId(1))).collect();
    let labels = Labelling::default().label(&data, &repeats);
    assert_eq!(outliers(&labels), []);
    assert!(labels.of_phase(0).iter().all(|judgement| judgement.label == Label::Unlabelled));
    assert!(labels.is_measured(1) && !labels.is_measured(2));
    // Repeating phases are judged like the phase that they repeat.
    let mut loads = vec![vec![1.0]; 12];
    loads[10][0] = 9.0;
    loads[11][0] = 9.0;
    let data = resting(1, &loads, &[0]);
    let labels = Labelling::default().label(&data, &BTreeMap::from([(PhaseId(11), PhaseId(10))]));
    assert_eq!(outliers(&labels), [(10, 0)]);
    assert!(labels.is_outlier(11, Slot(0)));
    assert_eq!(labels.denoised_loads(11), [1.0]);
}

/// Regression: if the repeated phase was not read, each phase that repeats it was a sample.
#[test]
fn phases_that_repeat_a_missing_phase_are_one_sample() {
    let loads = [5.0, 5.0, 5.0, 1.0, 1.0, 1.0, 1.0].map(|load| vec![load]);
    let data = resting(1, &loads, &[0]);
    let repeats = (0..3).map(|phase| (PhaseId(phase), PhaseId(100))).collect();
    let labels = Labelling::default().label(&data, &repeats);
    assert_eq!(labels.models()[0].n_samples(), 5);
    assert_eq!(outliers(&labels), [(0, 0)]);
    assert!(labels.is_outlier(2, Slot(0)) && !labels.is_measured(2));
}

/// One object takes longer than its siblings in all phases except phase 7. Regression: its time in phase 7 was its
/// typical time and replaced all others.
#[test]
fn tasks_that_are_outliers_in_most_phases_keep_their_times() {
    let mut loads = vec![vec![1.0, 1.0, 1.0, 1.0, 10.0]; 20];
    loads[7][4] = 1.05;
    let data = resting(1, &loads, &[0; 5]);
    let labels =
        Labelling { grouping: Grouping::Collection, ..Labelling::default() }.label(&data, &nothing());
    assert_eq!(outliers(&labels).len(), 19);
    assert_eq!(labels.typical_time(ObjectIdx(4)), None);
    assert_eq!(labels.denoised_loads(0), loads[0]);
}

/// Regression: objects rebuilt under other ids had no typical time, because each existed in one phase only.
#[test]
fn rebuilt_objects_have_the_typical_time_of_their_index() {
    let loads: Vec<f64> = (0..12).map(|phase| if phase == 5 { 8.0 } else { 1.0 }).collect();
    let data = rebuilt(&loads);
    let of_index = Labelling { grouping: Grouping::CollectionIndex, ..Labelling::default() };
    let labels = of_index.label(&data, &nothing());
    assert_eq!(labels.outliers().collect::<Vec<_>>(), [(5, Slot(0))]);
    assert_eq!(labels.denoised_loads(5), [1.0]);
    // Each single object has too few samples to be judged.
    assert_eq!(outliers(&Labelling::default().label(&data, &nothing())), []);
}

#[test]
fn first_times_can_be_skipped() {
    // The first call is slow: an anomaly, unless skipped.
    let mut loads = vec![vec![1.0]; 12];
    loads[0][0] = 5.0;
    let data = resting(1, &loads, &[0]);
    assert_eq!(outliers(&Labelling::default().label(&data, &nothing())), [(0, 0)]);
    let labels = Labelling { n_skipped: 1, ..Labelling::default() }.label(&data, &nothing());
    assert_eq!(outliers(&labels), []);
    assert_eq!(labels.of_phase(0)[0].label, Label::Normal);
    assert_eq!(labels.models()[0].n_samples(), 11);
    // Skipped times do not count in the typical time.
    assert_eq!(labels.typical_time(ObjectIdx(0)), Some(1.0));
    assert_eq!(labels.denoised_loads(0), [5.0]);
}

#[test]
fn judging_phase_by_phase_uses_no_later_phases() {
    // The time rises permanently in phase 10. In phase order, the first two longer times are anomalies; the third
    // confirms the change.
    let loads: Vec<Vec<f64>> = (0..40).map(|phase| vec![if phase < 10 { 1.0 } else { 2.0 }]).collect();
    let data: DataSet = resting(1, &loads, &[0]);
    let online = Labelling { order: Order::Online, ..Labelling::default() }.label(&data, &nothing());
    assert_eq!(outliers(&online), [(10, 0), (11, 0)]);
    let denoised: Vec<f64> = (9..14).map(|at| online.denoised_loads(at)[0]).collect();
    assert_eq!(denoised, [1.0, 1.0, 1.0, 2.0, 2.0]);
    let batch = Labelling::default().label(&data, &nothing());
    assert_eq!(outliers(&batch), []);
}

#[test]
fn labels_do_not_depend_on_the_number_of_threads() {
    let loads: Vec<Vec<f64>> = (0..20_u32)
        .map(|phase| (0..50_u32).map(|task| f64::from((phase * 31 + task * 17) % 23 + 20)).collect())
        .collect();
    let data = resting(2, &loads, &[vec![0; 25], vec![1; 25]].concat());
    let judged = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let labels = Labelling::default().label(&data, &nothing());
            (0..20).map(|at| labels.of_phase(at).to_vec()).collect::<Vec<_>>()
        })
    };
    assert_eq!(judged(1), judged(3));
}
