// SPDX-License-Identifier: MIT OR Apache-2.0
//! `KarmarkarKarp` compared with a reference implementation and with the optimum, and within bounds.

use lbaf_model::LoadOnly;
use lbaf_strategies::KarmarkarKarp;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::constructive::greedy::{assert_within_factor, grahams_factor, load};
use crate::made_phase::{Made, object, sentinel};
use crate::posed::{assert_stays_within_bounds, posed};

/// Returns the loads of ranks in ascending order.
fn placed(made: &Made) -> Vec<f64> {
    let checked = made.run(&KarmarkarKarp::default(), &LoadOnly::default(), 0).unwrap();
    let mut loads: Vec<f64> = checked.totals.iter().map(|rank| rank.load).collect();
    loads.sort_by(f64::total_cmp);
    loads
}

/// Reference implementation with a sum for every rank in every tuple. The two tuples with the largest differences
/// are added, one in reverse order.
fn full_tuples(n_ranks: usize, loads: &[f64]) -> Vec<f64> {
    let mut tuples: Vec<Vec<f64>> = (loads.iter())
        .map(|&load| {
            let mut tuple = vec![0.0; n_ranks];
            tuple[n_ranks - 1] = load;
            tuple
        })
        .collect();
    while tuples.len() > 1 {
        tuples.sort_by(|a, b| (a[n_ranks - 1] - a[0]).total_cmp(&(b[n_ranks - 1] - b[0])));
        let (first, second) = (tuples.pop().unwrap(), tuples.pop().unwrap());
        let mut sum: Vec<f64> = first.iter().zip(second.iter().rev()).map(|(a, b)| a + b).collect();
        sum.sort_by(f64::total_cmp);
        tuples.push(sum);
    }
    tuples.pop().unwrap_or_else(|| vec![0.0; n_ranks])
}

proptest! {
    #![proptest_config(cases(300))]

    /// Loads have no ties.
    #[test]
    fn result_equals_that_of_full_tuples(n_ranks in 1..9_usize, loads in vec(0.01..1.0_f64, 0..40)) {
        let made = Made::of(n_ranks, loads.iter().map(|&load| object(load, 0)).collect());
        let (found, expected) = (placed(&made), full_tuples(n_ranks, &loads));
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((found - expected).abs() <= 1e-9, "{found} instead of {expected}");
        }
    }

    #[test]
    fn is_within_four_thirds_of_the_optimum(n_ranks in 1..5_usize, loads in vec(load(), 1..9)) {
        assert_within_factor(&KarmarkarKarp::default(), n_ranks, &loads, grahams_factor(n_ranks))?;
    }

    #[test]
    fn a_start_within_bounds_stays_within_them((made, model) in posed()) {
        assert_stays_within_bounds(&KarmarkarKarp::default(), &made, &model)?;
    }
}

/// Example of the literature: 8 - 7 = 1, 6 - 5 = 1, 4 - 1 = 3, 3 - 1 = 2.
#[test]
fn two_ranks_differ_by_two_in_the_example() {
    let made = Made::of(2, [8.0, 7.0, 6.0, 5.0, 4.0].map(|load| object(load, 0)).to_vec());
    assert_eq!(placed(&made), [14.0, 16.0]);
}

#[test]
fn sentinels_are_parts_with_a_fixed_rank() {
    let mut objects = vec![sentinel(5.0, 1), sentinel(3.0, 2)];
    objects.extend([object(4.0, 1), object(2.0, 1), object(1.0, 1)]);
    assert_eq!(placed(&Made::of(3, objects)), [5.0, 5.0, 5.0]);
}

#[test]
fn a_slow_rank_gets_less() {
    let made = Made { alphas: vec![1.0, 2.0], ..Made::of(0, vec![object(1.0, 0); 9]) };
    let checked = made.run(&KarmarkarKarp::default(), &LoadOnly::default(), 0).unwrap();
    assert_eq!(checked.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [6.0, 6.0]);
}
