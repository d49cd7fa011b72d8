// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MULTIFIT` compared with LPT, with the start and with the optimum, and within bounds.

use lbaf_model::LoadOnly;
use lbaf_strategies::{Lpt, Multifit};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::constructive::greedy::{alpha, assert_within_factor, load, made};
use crate::made_phase::{Made, object};
use crate::posed::{assert_same_on_any_number_of_threads, is_no_worse, posed, worst};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn is_within_thirteen_elevenths_of_the_optimum(n_ranks in 1..5_usize, loads in vec(load(), 1..10)) {
        assert_within_factor(&Multifit::default(), n_ranks, &loads, 13.0 / 11.0 * (1.0 + 1e-6))?;
    }

    #[test]
    fn is_never_worse_than_lpt_or_the_start(made in made(vec(alpha(), 1..12))) {
        let model = LoadOnly::default();
        let [lpt, multifit] = [
            made.run(&Lpt::default(), &model, 0).unwrap(),
            made.run(&Multifit::default(), &model, 0).unwrap(),
        ]
        .map(|checked| worst(&made, &model, &checked.outcome.assignment).0);
        let start = worst(&made, &model, made.phase().recorded_assignment()).0;
        prop_assert!(multifit <= lpt && multifit <= start, "{multifit}, LPT {lpt}, start {start}");
    }

    #[test]
    fn is_no_worse_than_the_start_and_keeps_its_bounds((made, model) in posed()) {
        let [lpt, multifit] = [
            made.run(&Lpt::default(), &model, 0).unwrap(),
            made.run(&Multifit::default(), &model, 0).unwrap(),
        ]
        .map(|checked| worst(&made, &model, &checked.outcome.assignment));
        let start = worst(&made, &model, made.phase().recorded_assignment());
        prop_assert!(start.1 > 0.0 || multifit.1 == 0.0);
        prop_assert!(is_no_worse(multifit, start), "{multifit:?} after {start:?}");
        prop_assert!(lpt.1 > 0.0 || is_no_worse(multifit, lpt), "{multifit:?}, LPT {lpt:?}");
        assert_same_on_any_number_of_threads(&made, &Multifit::default(), &model, 0)?;
    }
}

#[test]
fn finds_the_optimum_of_grahams_example() {
    let made = Made::of(2, [3.0, 3.0, 2.0, 2.0, 2.0].map(|load| object(load, 0)).to_vec());
    let largest =
        |checked: lbaf_strategies::Checked| checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
    assert_eq!(largest(made.run(&Lpt::default(), &LoadOnly::default(), 0).unwrap()), 7.0);
    assert_eq!(largest(made.run(&Multifit::default(), &LoadOnly::default(), 0).unwrap()), 6.0);
}
