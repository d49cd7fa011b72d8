// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accuracy of load models on loads with known predictions.

use lbaf_model::{DataSet, LoadOnly, ObjectKey, Phase};
use lbaf_strategies::{BruteForce, Cancel, Context, NoObserver, run};
use lbaf_study::{Accuracy, Examination, LoadModel, PredictionLoss};

use crate::made::phase;

/// Creates phases from the loads of two objects.
fn data(loads: &[[f64; 2]]) -> DataSet {
    let of_phase =
        |(id, [one, other]): (u64, &[f64; 2])| -> Phase { phase(id, 1, &[(0, *one), (1, *other)], &[]) };
    let keys = (0..2).map(|number| ObjectKey::new(false, number, None)).collect();
    DataSet::new(keys, 1, (0..).zip(loads).map(of_phase).collect())
}

/// Examines a model on all phases, without balancing.
fn accuracy(model: &LoadModel, data: &DataSet, horizon: u32) -> Accuracy {
    let examination = Examination {
        data,
        model: &LoadOnly::default(),
        load_models: std::slice::from_ref(model),
        horizons: &[horizon],
        most_phases: usize::MAX,
        cancel: Cancel::new(),
    };
    examination.run(None).unwrap().remove(0).remove(0)
}

#[test]
fn constant_loads_are_predicted_exactly() {
    let data = data(&[[1.0, 2.0]; 4]);
    let next = accuracy(&LoadModel::naive(), &data, 1);
    assert_eq!((next.n_phases, next.n_predictions), (3, 6));
    assert_eq!((next.mean_error, next.bias), (Some(0.0), Some(0.0)));
    assert_eq!((next.rank_correlation, next.loss), (Some(1.0), None));
    assert_eq!(accuracy(&LoadModel::naive(), &data, 4).n_phases, 0);
    assert_eq!(accuracy(&LoadModel::naive(), &data, 4).bias, None);
}

/// For growing loads, naive persistence predicts the load of the phase `horizon` phases earlier. A
/// least-squares line through two phases is exact.
#[test]
fn growing_loads_are_predicted_too_low() {
    let data = data(&[[1.0, 8.0], [2.0, 8.0], [3.0, 8.0], [4.0, 8.0]]);
    let late = accuracy(&LoadModel::naive(), &data, 1);
    // The relative errors are 1/2, 1/3 and 1/4 for the first object and 0 for the second, in 6 predictions.
    // The sum of predictions is 6 + 24, of measured loads 9 + 24.
    let expected = (0.5 + 1.0 / 3.0 + 0.25) / 6.0;
    assert!((late.mean_error.unwrap() - expected).abs() < 1e-12, "{late:?}");
    assert!((late.bias.unwrap() - (30.0 / 33.0 - 1.0)).abs() < 1e-12, "{late:?}");
    let later = accuracy(&LoadModel::naive(), &data, 2);
    // The relative errors are 2/3 and 2/4 for the first object, in 4 predictions.
    assert!((later.mean_error.unwrap() - (2.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12, "{later:?}");
    // With the first phase alone, the prediction is the load of that phase. A line through two phases is
    // exact.
    let line = LoadModel::LinearModel { n: 2, of: Box::new(LoadModel::Measured) };
    let line = accuracy(&line, &data, 1);
    assert!((line.mean_error.unwrap() - 0.5 / 6.0).abs() < 1e-12, "{line:?}");
}

/// Phases 0, 1, 5 and 6 with an object whose load grows by 1 s with each number. At horizon 1, phase 1 is
/// predicted from phase 0 and phase 6 from phase 5; at horizon 4, phase 5 from phase 1; at horizon 2, no
/// phase. Naive persistence predicts the load of the earlier phase. A line through phases 0 and 1 is exact.
#[test]
fn horizons_are_distances_of_phase_numbers() {
    let numbers = [0_u64, 1, 5, 6];
    let phases: Vec<Phase> = numbers.iter().map(|&id| phase(id, 1, &[(0, 1.0 + id as f64)], &[])).collect();
    let data = DataSet::new(vec![ObjectKey::new(false, 0, None)], 1, phases);
    let naive = |horizon| accuracy(&LoadModel::naive(), &data, horizon);
    assert_eq!([1, 2, 3, 4, 5, 6].map(|horizon| naive(horizon).n_phases), [2, 0, 0, 1, 2, 1]);
    // Relative errors: 1/2 and 1/7 at horizon 1, 4/6 at horizon 4, 5/6 and 5/7 at horizon 5.
    for (horizon, expected) in
        [(1, f64::midpoint(0.5, 1.0 / 7.0)), (4, 4.0 / 6.0), (5, f64::midpoint(5.0 / 6.0, 5.0 / 7.0))]
    {
        let found = naive(horizon).mean_error.unwrap();
        assert!((found - expected).abs() < 1e-12, "{horizon}: {found}");
    }
    let line = LoadModel::LinearModel { n: 2, of: Box::new(LoadModel::Measured) };
    assert_eq!(accuracy(&line, &data, 4).mean_error, Some(0.0));
}

/// A load of 0 has no relative error, but counts in the bias.
#[test]
fn zero_loads_count_in_the_bias_only() {
    let data = data(&[[1.0, 4.0], [0.0, 4.0]]);
    let found = accuracy(&LoadModel::naive(), &data, 1);
    assert_eq!((found.mean_error, found.bias, found.n_predictions), (Some(0.0), Some(0.25), 2));
}

/// A new object has no prediction and does not affect the accuracy.
#[test]
fn new_objects_are_counted_without_an_error() {
    let phases = vec![phase(0, 1, &[(0, 2.0)], &[]), phase(1, 1, &[(0, 3.0), (1, 7.0)], &[])];
    let keys = (0..2).map(|number| ObjectKey::new(false, number, None)).collect();
    let found = accuracy(&LoadModel::naive(), &DataSet::new(keys, 1, phases), 1);
    assert_eq!((found.n_predictions, found.n_unpredicted), (1, 1));
    assert_eq!((found.mean_error, found.bias), (Some(1.0 / 3.0), Some(2.0 / 3.0 - 1.0)));
}

#[test]
fn phases_are_spread_evenly_and_the_last_is_one_of_them() {
    let (data, model) = (data(&[[1.0; 2]; 11]), LoadOnly::default());
    let phases = |most_phases| {
        Examination {
            data: &data,
            model: &model,
            load_models: &[],
            horizons: &[],
            most_phases,
            cancel: Cancel::new(),
        }
        .phases()
    };
    assert_eq!(phases(99), (1..=10).collect::<Vec<_>>());
    assert_eq!(phases(5), [2, 4, 6, 8, 10]);
    assert_eq!((phases(3), phases(1), phases(0)), (vec![3, 6, 10], vec![10], vec![]));
}

/// Runs an examination that balances each phase optimally.
fn balanced(examination: &Examination<'_>) -> Vec<Vec<Accuracy>> {
    let exact = BruteForce::default();
    examination
        .run(Some(&|problem| run(&exact, problem, &mut Context::new(0, 0, &mut NoObserver)).map(Some)))
        .unwrap()
}

/// Regression: a phase without any prediction counted as a phase with a loss of 0.
#[test]
fn phases_without_predictions_have_no_loss() {
    let one = |id, number, load| phase(id, 2, &[(number, load), (number + 1, 1.0)], &[]);
    let keys = (0..4).map(|number| ObjectKey::new(false, number, None)).collect();
    let examination = Examination {
        data: &DataSet::new(keys, 2, vec![one(0, 0, 2.0), one(1, 2, 3.0)]),
        model: &LoadOnly::default(),
        load_models: &[LoadModel::naive()],
        horizons: &[1],
        most_phases: 8,
        cancel: Cancel::new(),
    };
    let found = balanced(&examination);
    let next = &found[0][0];
    assert_eq!((next.n_predictions, next.n_unpredicted, next.loss), (0, 2, None));
}

/// Two ranks, an exact strategy, and loads for which all divisions of the objects into two sets differ in maximum work.
#[test]
fn prediction_loss_is_the_gain_of_perfect_knowledge() {
    let loads = [[8.0, 4.0, 2.0, 1.0], [1.0, 4.0, 2.0, 8.0], [1.0, 4.0, 2.0, 8.0]];
    let of_phase = |(id, loads): (u64, &[f64; 4])| {
        let numbered: Vec<(usize, f64)> = loads.iter().copied().enumerate().collect();
        phase(id, 2, &numbered, &[])
    };
    let keys: Vec<ObjectKey> = (0..4).map(|number| ObjectKey::new(false, number, None)).collect();
    let data = DataSet::new(keys, 2, (0..).zip(&loads).map(of_phase).collect());
    let examination = Examination {
        data: &data,
        model: &LoadOnly::default(),
        load_models: &[LoadModel::naive()],
        horizons: &[1, 2, 3],
        most_phases: 8,
        cancel: Cancel::new(),
    };
    let found = balanced(&examination);
    let [next, after, never] = &found[0][..] else { panic!("{found:?}") };
    // In the best placement, the object of 8 s is alone on a rank: 8 s at a mean of 7.5 s. In phase 0 this is
    // the first object, later the last. If a later phase is predicted from phase 0, the last three objects
    // share a rank and take 14 s: phase 1 at horizon 1, and phase 2 at horizon 2.
    let loss = |predicted: f64| Some(PredictionLoss { predicted, known: 8.0 / 7.5 - 1.0 });
    assert_eq!((next.n_phases, next.loss), (2, loss(f64::midpoint(14.0 / 7.5 - 1.0, 8.0 / 7.5 - 1.0))));
    assert_eq!((after.n_phases, after.loss), (1, loss(14.0 / 7.5 - 1.0)));
    assert_eq!(next.loss.unwrap().lost(), (14.0 - 8.0) / 7.5 / 2.0);
    assert_eq!((never.n_phases, never.loss, never.bias), (0, None, None));
}
