// SPDX-License-Identifier: MIT OR Apache-2.0
//! Predictions of load models, compared with their formulas evaluated by hand.

use std::borrow::Cow;

use lbaf_model::{Coordinates, ObjectIdx, Phase, PhaseId};
use lbaf_study::{History, LoadModel, Measured};
use proptest::prelude::*;

use crate::made::{history, phase};

const OBJECT: ObjectIdx = ObjectIdx(0);

fn median(n: usize) -> LoadModel {
    LoadModel::PersistenceMedianLastN { n, of: Box::new(LoadModel::Measured) }
}

fn linear(n: usize) -> LoadModel {
    LoadModel::LinearModel { n, of: Box::new(LoadModel::Measured) }
}

/// Phases 0, 1, 4 and 8 have loads on the line 1 + 0.5 x number. The prediction is 5.5 for phase 9 and 7 for
/// phase 12, independent of the positions of the phases.
#[test]
fn lines_use_phase_numbers_if_data_have_gaps() {
    let numbers = [0_u64, 1, 4, 8];
    let phases: Vec<Phase> =
        numbers.iter().map(|&id| phase(id, 1, &[(0, 1.0 + 0.5 * id as f64)], &[])).collect();
    let mut history = history(&phases);
    let predicted = |history: &History<'_>, model: &LoadModel, ahead| model.predict(history, OBJECT, ahead);
    assert_eq!([0, 3].map(|ahead| predicted(&history, &linear(4), ahead)), [Some(5.5), Some(7.0)]);
    assert_eq!(predicted(&history, &linear(2), 0), Some(5.5));
    // The next phase of the data has number 12; the three phases from there have 7, 7.5 and 8.
    history.set_next(PhaseId(12));
    let sums = LoadModel::MultiplePhases { n_phases: 3, of: Box::new(linear(4)) };
    assert_eq!([predicted(&history, &linear(4), 0), predicted(&history, &sums, 0)], [Some(7.0), Some(22.5)]);
    assert_eq!(predicted(&history, &LoadModel::naive(), 0), Some(5.0));
}

/// Loads 3 and 2 on a falling line continue with 1, 0, 0, 0: values below 0 do not reduce the sum over
/// several phases.
#[test]
fn inner_models_predict_nothing_below_zero() {
    let falling = || Box::new(linear(2));
    let sums = LoadModel::MultiplePhases { n_phases: 4, of: falling() };
    assert_eq!(predicted(&sums, &[3.0, 2.0]), [1.0, 0.0]);
    // Object 1 sends 30 bytes in 1 message: 0.5 + 0.3 in addition to the load.
    let loads = [3.0, 2.0, 1.0];
    let phases: Vec<Phase> =
        (0..).zip(loads).map(|(id, load)| phase(id, 2, &[(0, load), (1, 2.0)], &[(1, 0, 30.0, 1)])).collect();
    let history = history(&phases);
    let (per_message, per_byte) = (0.5, 0.01);
    let overhead = LoadModel::CommOverhead { per_message, per_byte, of: falling() };
    assert_eq!([0, 1, 4].map(|ahead| overhead.predict(&history, OBJECT, ahead)), [Some(0.8); 3]);
    let weighted = LoadModel::WeightedCommunicationVolume {
        alpha: 2.0,
        beta: 1.0,
        gamma: 0.25,
        of: falling(),
        messages: Box::new(LoadModel::WeightedMessages { per_message, per_byte }),
    };
    assert_eq!(weighted.predict(&history, OBJECT, 3), Some(0.8 + 0.25));
}

/// A sum over several phases is not comparable with the load of one phase, so it is removed at any depth of
/// the model.
#[test]
fn of_one_phase_removes_sums_over_phases() {
    let several = |of| LoadModel::MultiplePhases { n_phases: 3, of: Box::new(of) };
    let overhead = |of| LoadModel::CommOverhead { per_message: 1.0, per_byte: 2.0, of: Box::new(of) };
    let by_collection = |of: LoadModel, default: LoadModel| LoadModel::PerCollection {
        collections: [(7, of)].into(),
        default: Box::new(default),
    };
    let sums = by_collection(several(overhead(several(median(3)))), overhead(several(linear(2))));
    assert_eq!(several(sums).of_one_phase(), by_collection(overhead(median(3)), overhead(linear(2))));
}

/// Returns phases with a single object of these loads.
fn series(loads: &[f64]) -> Vec<Phase> {
    (0..).zip(loads).map(|(id, &load)| phase(id, 1, &[(0, load)], &[])).collect()
}

/// Returns the predictions of a model for the next `N` phases after phases with these loads.
fn predicted<const N: usize>(model: &LoadModel, loads: &[f64]) -> [f64; N] {
    let phases = series(loads);
    let history = history(&phases);
    std::array::from_fn(|ahead| model.predict(&history, OBJECT, ahead as u32).unwrap())
}

#[test]
fn constant_loads_stay_constant() {
    let sums = LoadModel::MultiplePhases { n_phases: 3, of: Box::new(LoadModel::naive()) };
    for model in [LoadModel::naive(), median(4), linear(4)] {
        assert_eq!(predicted(&model, &[2.5; 6]), [2.5, 2.5, 2.5]);
    }
    assert_eq!(predicted(&sums, &[2.5; 6]), [7.5, 7.5]);
}

#[test]
fn linear_growth_continues() {
    let loads = [1.0, 1.5, 2.0, 2.5, 3.0];
    assert_eq!(predicted(&linear(5), &loads), [3.5, 4.0, 4.5]);
    assert_eq!(predicted(&linear(2), &loads), [3.5, 4.0, 4.5]);
    assert_eq!(predicted(&LoadModel::naive(), &loads), [3.0, 3.0]);
    assert_eq!(predicted(&median(3), &loads), [2.5, 2.5]);
    // 3.5 + 4 + 4.5, then 5 + 5.5 + 6.
    let sums = LoadModel::MultiplePhases { n_phases: 3, of: Box::new(linear(5)) };
    assert_eq!(predicted(&sums, &loads), [12.0, 16.5]);
}

#[test]
fn the_median_of_alternating_loads_is_their_middle() {
    let loads = [1.0, 3.0, 1.0, 3.0];
    assert_eq!(predicted(&LoadModel::naive(), &loads), [3.0]);
    assert_eq!(predicted(&median(4), &loads), [2.0]);
    assert_eq!(predicted(&median(3), &loads), [3.0]);
    // The line through 1, 3, 1, 3 at the times -4 to -1 has the mean 2 at -2.5 and the slope 2 / 5. Its value
    // at time 0 is 2 + 2.5 x 2 / 5 = 3.
    let [next] = predicted(&linear(4), &loads);
    assert!((next - 3.0).abs() < 1e-12, "{next}");
}

/// As documented by vt: least squares over the available phases.
#[test]
fn short_histories_are_used_completely() {
    assert_eq!(predicted(&median(9), &[1.0, 2.0]), [1.5]);
    assert_eq!(predicted(&linear(9), &[1.0, 2.0]), [3.0]);
    assert_eq!(predicted(&linear(9), &[4.0]), [4.0]);
    assert_eq!(LoadModel::naive().predict(&history(&[]), OBJECT, 0), None);
    // Predictions of falling loads stop at 0.
    assert_eq!(predicted(&linear(2), &[2.0, 1.0]), [0.0, 0.0]);
}

#[test]
fn phases_without_the_object_are_skipped() {
    let loads = [&[(0, 1.0), (1, 8.0)][..], &[(1, 9.0)], &[(0, 3.0), (1, 10.0)], &[(0, 4.0), (1, 11.0)]];
    let phases: Vec<Phase> = (0..).zip(loads).map(|(id, loads)| phase(id, 1, loads, &[])).collect();
    let history = history(&phases);
    // 1, absent, 3, 4 lie on a line.
    assert_eq!(linear(4).predict(&history, OBJECT, 0), Some(5.0));
    assert_eq!(median(4).predict(&history, OBJECT, 0), Some(3.0));
    assert_eq!(linear(4).predict(&history, ObjectIdx(7), 0), None);
}

#[test]
fn models_can_be_nested() {
    let loads = [1.0, 2.0, 9.0, 4.0, 5.0];
    // Past values are the measured ones, which an inner model does not change.
    let of_median = LoadModel::LinearModel { n: 2, of: Box::new(median(3)) };
    assert_eq!(predicted(&of_median, &loads), predicted::<2>(&linear(2), &loads));
    let steady = LoadModel::NaivePersistence(Box::new(linear(3)));
    assert_eq!(predicted(&steady, &loads), [5.0, 5.0]);
    assert_eq!((steady.depth(), of_median.depth(), median(4).depth()), (3, 4, 4));
}

/// Three objects on two ranks. The first sends 100 bytes in 2 messages to the second, and receives 30 bytes
/// in 1 message from it. The third is on the rank of the first and sends to it.
#[test]
fn messages_between_ranks_cost() {
    let phases = [phase(
        0,
        2,
        &[(0, 1.0), (1, 2.0), (2, 3.0)],
        &[(0, 1, 100.0, 2), (1, 0, 30.0, 1), (2, 0, 500.0, 9)],
    )];
    let history = history(&phases);
    let (per_message, per_byte) = (0.5, 0.01);
    let overhead = LoadModel::CommOverhead { per_message, per_byte, of: Box::new(LoadModel::naive()) };
    // 1 + 0.5 + 0.3. Messages from the third object, on the same rank, cost nothing.
    assert_eq!(overhead.predict(&history, OBJECT, 0), Some(1.8));
    let messages = LoadModel::WeightedMessages { per_message, per_byte };
    assert_eq!(messages.predict(&history, OBJECT, 0), Some(2.0));
    let weighted = LoadModel::WeightedCommunicationVolume {
        alpha: 2.0,
        beta: 3.0,
        gamma: 0.25,
        of: Box::new(LoadModel::naive()),
        messages: Box::new(messages),
    };
    assert_eq!(weighted.predict(&history, OBJECT, 4), Some(2.0 + 6.0 + 0.25));
}

/// Objects 0 and 1 are in collection 7, and object 1 has no index. Object 2 is in collection 9, object 3 in
/// no collection.
#[test]
fn each_collection_has_its_own_model() {
    let loads: [&[(usize, f64)]; 3] = [
        &[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)],
        &[(0, 2.0), (1, 3.0), (2, 9.0), (3, 9.0)],
        &[(0, 3.0), (1, 5.0), (2, 2.0), (3, 2.0)],
    ];
    let phases = |are_known: bool| -> Vec<Phase> {
        let phase = |(id, loads): (u64, &&[(usize, f64)])| {
            let phase = phase(id, 1, loads, &[]);
            let collections: [Option<(Option<u64>, &[i64])>; 4] =
                [Some((Some(7), &[4])), Some((Some(7), &[])), Some((Some(9), &[0, 1])), None];
            if are_known {
                phase.with_coordinates(collections.into_iter().collect::<Coordinates>()).unwrap()
            } else {
                phase
            }
        };
        (0..).zip(&loads).map(phase).collect()
    };
    let model = LoadModel::PerCollection {
        collections: [(7, linear(3)), (9, median(3))].into(),
        default: Box::new(LoadModel::naive()),
    };
    let predicted = |phases: &[Phase]| {
        let history = history(phases);
        [0, 1, 2, 3].map(|object| model.predict(&history, ObjectIdx(object), 0).unwrap())
    };
    assert_eq!(predicted(&phases(true)), [4.0, 7.0, 2.0, 2.0]);
    // If coordinates were not read, all objects use the default.
    assert_eq!(predicted(&phases(false)), [3.0, 5.0, 2.0, 2.0]);
    assert_eq!((model.depth(), model.parts().len()), (3, 7));
    // In collection 7, the line through the loads 1, 2 and 3 of object 0 continues with 4 and 5.
    let of = Box::new(model.clone());
    let ahead = LoadModel::MultiplePhases { n_phases: 2, of };
    assert_eq!(ahead.predict(&history(&phases(true)), OBJECT, 0), Some(4.0 + 5.0));
}

#[test]
fn names_state_deviations_from_the_default() {
    let weighted = LoadModel::WeightedCommunicationVolume {
        alpha: 1.0,
        beta: 0.5,
        gamma: 0.0,
        of: Box::new(median(3)),
        messages: Box::new(LoadModel::WeightedMessages { per_message: 1e-6, per_byte: 0.0 }),
    };
    let by_collection = LoadModel::PerCollection {
        collections: [(7, linear(3))].into(),
        default: Box::new(LoadModel::naive()),
    };
    for (model, name) in [
        (LoadModel::naive(), "NaivePersistence"),
        (
            LoadModel::LinearModel { n: 4, of: Box::new(median(2)) },
            "LinearModel n=4 of=(PersistenceMedianLastN n=2)",
        ),
        (by_collection, "PerCollection 7=(LinearModel n=3) default=(NaivePersistence)"),
        (
            weighted,
            "WeightedCommunicationVolume alpha=1 beta=0.5 gamma=0 per_message=0.000001 per_byte=0 \
             of=(PersistenceMedianLastN n=3)",
        ),
    ] {
        assert_eq!(model.to_string(), name);
    }
}

#[test]
fn load_models_with_different_models_of_messages_have_different_names() {
    let name = |messages: LoadModel| {
        let (of, messages) = (Box::new(LoadModel::naive()), Box::new(messages));
        let model =
            LoadModel::WeightedCommunicationVolume { alpha: 1.0, beta: 0.5, gamma: 0.0, of, messages };
        model.to_string()
    };
    assert_eq!(
        name(median(3)),
        "WeightedCommunicationVolume alpha=1 beta=0.5 gamma=0 messages=(PersistenceMedianLastN n=3)"
    );
    assert_ne!(name(median(3)), name(LoadModel::naive()));
}

/// Phases beyond the depth of a model do not matter.
#[test]
fn a_history_of_the_depth_of_a_model_suffices() {
    let loads = [5.0, 1.0, 4.0, 2.0, 8.0, 6.0];
    let phases = series(&loads);
    for model in [LoadModel::naive(), median(3), linear(4), LoadModel::NaivePersistence(Box::new(median(2)))]
    {
        let mut short = History::keeping(model.depth());
        for phase in &phases {
            let assignment = Cow::Borrowed(phase.recorded_assignment());
            short.push(Measured { phase, assignment });
        }
        assert_eq!(short.len(), model.depth());
        for ahead in 0..3 {
            let all = model.predict(&history(&phases), OBJECT, ahead);
            assert_eq!(model.predict(&short, OBJECT, ahead), all, "{model}");
        }
    }
}

proptest! {
    /// The least-squares line through any number of loads on a line is this line, also far ahead.
    #[test]
    fn lines_are_predicted_exactly(
        start in 0.0..10.0_f64, slope in 0.0..2.0_f64, n_phases in 2_usize..12, n in 2_usize..12, ahead in 0_u32..5,
    ) {
        let loads: Vec<f64> = (0..n_phases).map(|phase| start + slope * phase as f64).collect();
        let phases = series(&loads);
        let expected = start + slope * (n_phases as f64 + f64::from(ahead));
        let found = linear(n).predict(&history(&phases), OBJECT, ahead).unwrap();
        prop_assert!((found - expected).abs() <= 1e-10 * expected.max(1.0), "{} {}", found, expected);
    }

    /// At most half of the values are below the median, and at most half above it.
    #[test]
    fn medians_split_values(loads in prop::collection::vec(0.0..9.0_f64, 1..12), n in 1_usize..12) {
        let phases = series(&loads);
        let found = median(n).predict(&history(&phases), OBJECT, 0).unwrap();
        let last = &loads[loads.len().saturating_sub(n)..];
        let below = last.iter().filter(|&&load| load < found).count();
        let above = last.iter().filter(|&&load| load > found).count();
        prop_assert!(2 * below <= last.len() && 2 * above <= last.len());
    }
}

/// The only object has 2 s in phase 0, of which 1 s in subphase 0; and 20 s in phase 1, of which 3, 4 and 12
/// s in subphases 0, 2 and 5.
fn in_subphases() -> [Phase; 2] {
    let first = phase(0, 1, &[(0, 2.0)], &[]).with_subphases([[(0, 1.0)]].into_iter().collect()).unwrap();
    let times = [[(0, 3.0), (2, 4.0), (5, 12.0)]];
    let last = phase(1, 1, &[(0, 20.0)], &[]).with_subphases(times.into_iter().collect()).unwrap();
    [first, last]
}

#[test]
fn norms_of_subphases() {
    let phases = in_subphases();
    let history = history(&phases);
    let norm = |p: f64| LoadModel::Norm { p };
    let of = |model: &LoadModel| model.predict(&history, OBJECT, 0).unwrap();
    // The squares add up to 9 + 16 + 144 = 169, with root 13; the cubes to 27 + 64 + 1728 = 1819.
    assert_eq!([1.0, 2.0, f64::INFINITY].map(|p| of(&norm(p))), [19.0, 13.0, 12.0]);
    assert!((of(&norm(3.0)).powi(3) - 1819.0).abs() < 1e-9);
    assert!((of(&norm(1e300)) - 12.0).abs() < 1e-12);
    // The median of 1 and 13 s, the norms of the two past phases.
    assert_eq!(of(&LoadModel::PersistenceMedianLastN { n: 2, of: Box::new(norm(2.0)) }), 7.0);
    assert_eq!(of(&LoadModel::NaivePersistence(Box::new(norm(2.0)))), 13.0);
    assert!(LoadModel::NaivePersistence(Box::new(norm(2.0))).needs_subphases());
    assert!(!LoadModel::naive().needs_subphases());
}

#[test]
fn some_subphases_are_selected() {
    let phases = in_subphases();
    let history = history(&phases);
    let of = |subphases: &[u32]| {
        LoadModel::SelectSubphases { subphases: subphases.to_vec() }.predict(&history, OBJECT, 3).unwrap()
    };
    assert_eq!([of(&[0]), of(&[5, 2]), of(&[2, 2, 7]), of(&[1])], [3.0, 16.0, 4.0, 0.0]);
}

/// Without subphases, `Norm` counts the whole load of an object as one subphase, and `SelectSubphases` finds
/// no load.
#[test]
fn the_norm_without_subphases_is_the_load() {
    let phases = series(&[2.5]);
    let history = history(&phases);
    assert_eq!(LoadModel::Norm { p: 3.0 }.predict(&history, OBJECT, 0), Some(2.5));
    assert_eq!(LoadModel::SelectSubphases { subphases: vec![0] }.predict(&history, OBJECT, 0), Some(0.0));
    assert_eq!(LoadModel::Norm { p: 3.0 }.predict(&history, ObjectIdx(7), 0), None);
}
