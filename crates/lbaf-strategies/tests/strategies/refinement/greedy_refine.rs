// SPDX-License-Identifier: MIT OR Apache-2.0
//! `GreedyRefine` compared with LPT: no more work than the tolerance allows, and objects that fit stay.

use lbaf_model::LoadOnly;
use lbaf_strategies::{GreedyRefine, Lpt};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::constructive::greedy::{alpha, made};
use crate::made_phase::{Made, object, ranks};
use crate::posed::{is_at_most, is_no_worse, posed, worst};

/// Returns parameters that permit no more work than LPT yields, as in Charm++.
fn exact() -> GreedyRefine {
    GreedyRefine { tolerance: 1.0, ..GreedyRefine::default() }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_rank_has_more_than_the_tolerance_allows(made in made(vec(alpha(), 1..12)), tolerance in 1.0..1.5_f64) {
        let model = LoadOnly::default();
        let refine = GreedyRefine { tolerance, ..GreedyRefine::default() };
        let refined = made.run(&refine, &model, 0).unwrap().outcome.assignment;
        let greedy = made.run(&Lpt::default(), &model, 0).unwrap().outcome.assignment;
        let limit = tolerance * worst(&made, &model, &greedy).0;
        prop_assert!(is_at_most(worst(&made, &model, &refined).0, limit));
        let start = made.phase().recorded_assignment().clone();
        if worst(&made, &model, &start).0 <= limit {
            prop_assert_eq!(refined, start);
        }
    }

    #[test]
    fn is_no_worse_than_lpt_within_bounds((made, model) in posed()) {
        let refined = made.run(&exact(), &model, 0).unwrap().outcome.assignment;
        let greedy = made.run(&Lpt::default(), &model, 0).unwrap().outcome.assignment;
        let [refined, greedy] = [refined, greedy].map(|placement| worst(&made, &model, &placement));
        prop_assert!(is_no_worse(refined, greedy), "{refined:?}, LPT {greedy:?}");
        let start = worst(&made, &model, made.phase().recorded_assignment());
        prop_assert!(start.1 > 0.0 || refined.1 == 0.0);
    }
}

/// LPT yields 8. If the objects of 4 and 3 stayed, rank 1 would have 3 + 2 + 2 + 2 = 9.
#[test]
fn objects_leave_if_others_would_not_fit_otherwise() {
    let made = Made::of(2, [4.0, 3.0, 3.0, 2.0, 2.0, 2.0].map(|load| object(load, 0)).to_vec());
    let checked = made.run(&exact(), &LoadOnly::default(), 0).unwrap();
    assert_eq!(checked.totals.iter().map(|rank| rank.load).collect::<Vec<_>>(), [8.0, 8.0]);
}

/// LPT yields 7. The limit is 1.15 x 7 > 3 + 3 + 2, so only one object must move.
#[test]
fn objects_that_fit_stay() {
    let made = Made::of(
        2,
        [3.0, 3.0, 2.0, 2.0].map(|load| object(load, 0)).iter().copied().chain([object(2.0, 1)]).collect(),
    );
    let refine = GreedyRefine { tolerance: 1.15, ..GreedyRefine::default() };
    let checked = made.run(&refine, &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 0, 1, 1]);
}

#[test]
fn a_tolerance_that_is_below_one_or_not_finite_is_refused() {
    for tolerance in [0.99, -1.0, f64::NAN, f64::INFINITY] {
        let refine = GreedyRefine { tolerance, ..GreedyRefine::default() };
        let error = Made::of(2, Vec::new()).run(&refine, &LoadOnly::default(), 0).unwrap_err();
        let expected =
            format!("GreedyRefine: `tolerance`: must be a finite number of at least 1, not {tolerance}");
        assert_eq!(error.to_string(), expected);
    }
}
