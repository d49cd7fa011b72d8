// SPDX-License-Identifier: MIT OR Apache-2.0
//! How well load models predict loads that are known by hand.

use lbaf_model::{DataSet, ObjectKey, Phase};
use lbaf_study::{Accuracy, LoadModel};

use crate::made::phase;

/// Two objects with these loads, phase after phase.
fn data(loads: &[[f64; 2]]) -> DataSet {
    let of_phase =
        |(id, [one, other]): (u64, &[f64; 2])| -> Phase { phase(id, 1, &[(0, *one), (1, *other)], &[]) };
    let keys = (0..2).map(|number| ObjectKey::new(false, number, None)).collect();
    DataSet::new(keys, 1, (0..).zip(loads).map(of_phase).collect())
}

#[test]
fn what_stays_is_predicted_exactly() {
    let data = data(&[[1.0, 2.0]; 4]);
    let accuracy = Accuracy::of(&LoadModel::naive(), &data, 1);
    assert_eq!((accuracy.n_phases, accuracy.n_predictions), (3, 6));
    assert_eq!((accuracy.mean_error, accuracy.bias), (Some(0.0), Some(0.0)));
    assert_eq!(accuracy.rank_correlation, Some(1.0));
    assert_eq!(Accuracy::of(&LoadModel::naive(), &data, 4).n_phases, 0);
    assert_eq!(Accuracy::of(&LoadModel::naive(), &data, 4).bias, None);
}

/// Naive persistence is late by as many phases as it looks ahead; a line is not late at all.
#[test]
fn what_drifts_is_predicted_too_low() {
    let data = data(&[[1.0, 8.0], [2.0, 8.0], [3.0, 8.0], [4.0, 8.0]]);
    let late = Accuracy::of(&LoadModel::naive(), &data, 1);
    // 1/2, 1/3 and 1/4 of the first, nothing of the second, of 6 predictions; 6 + 24 against 9 + 24.
    let expected = (0.5 + 1.0 / 3.0 + 0.25) / 6.0;
    assert!((late.mean_error.unwrap() - expected).abs() < 1e-12, "{late:?}");
    assert!((late.bias.unwrap() - (30.0 / 33.0 - 1.0)).abs() < 1e-12, "{late:?}");
    let later = Accuracy::of(&LoadModel::naive(), &data, 2);
    // 2/3 and 2/4 of the first, of 4 predictions.
    assert!((later.mean_error.unwrap() - (2.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12, "{later:?}");
    // With two phases to look at, a line has both; from the first alone it has only a value.
    let line = LoadModel::LinearModel { n: 2, of: Box::new(LoadModel::Measured) };
    let line = Accuracy::of(&line, &data, 1);
    assert!((line.mean_error.unwrap() - 0.5 / 6.0).abs() < 1e-12, "{line:?}");
}

/// What takes no time has no relative error, but a bias.
#[test]
fn zeros_count_where_they_can() {
    let data = data(&[[1.0, 4.0], [0.0, 4.0]]);
    let accuracy = Accuracy::of(&LoadModel::naive(), &data, 1);
    assert_eq!((accuracy.mean_error, accuracy.bias, accuracy.n_predictions), (Some(0.0), Some(0.25), 2));
}
