// SPDX-License-Identifier: MIT OR Apache-2.0
//! LPT against the algorithm written out, the optimum, and where communication and homing cost.

use lbaf_model::{Affine, AffineParameters, LoadOnly};
use lbaf_strategies::Lpt;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::greedy::{alpha, load, longest_first, made, movable, optimum};
use crate::made_phase::{Made, object, ranks};
use crate::posed::{posed, worst};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn hands_out_the_longest_first(made in made(vec(alpha(), 1..12))) {
        let outcome = made.run(&Lpt::default(), &LoadOnly::default(), 0).unwrap().outcome;
        prop_assert_eq!(ranks(&outcome.assignment), longest_first(&made, &movable(&made)));
    }

    #[test]
    fn is_within_grahams_bound_of_the_optimum(n_ranks in 1..5_usize, loads in vec(load(), 1..9)) {
        let made = Made::of(n_ranks, loads.iter().map(|&load| object(load, 0)).collect());
        let checked = made.run(&Lpt::default(), &LoadOnly::default(), 0).unwrap();
        let found = checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
        let mut best = loads.iter().sum::<f64>() * (1.0 + 1e-9) + 1e-9;
        optimum(&loads, &mut vec![0.0; n_ranks], &mut best);
        let factor = 4.0 / 3.0 - 1.0 / (3.0 * n_ranks as f64);
        prop_assert!(found <= factor * best * (1.0 + 1e-12), "{found} is more than {factor} x {best}");
    }

    #[test]
    fn a_start_within_bounds_stays_within_them((made, model) in posed()) {
        let checked = made.run(&Lpt::default(), &model, 0).unwrap();
        let start = worst(&made, &model, made.phase().recorded_assignment());
        let end = worst(&made, &model, &checked.outcome.assignment);
        prop_assert!(start.1 > 0.0 || end.1 == 0.0, "{end:?} after {start:?}");
    }
}

/// Two pairs of objects that talk much, all on rank 0 of two: each pair stays together.
#[test]
fn objects_that_talk_stay_together_where_that_costs() {
    let made = Made {
        edges: vec![(0, 3, 10.0), (1, 2, 10.0)],
        ..Made::of(2, [4.0, 4.0, 3.0, 3.0].map(|load| object(load, 0)).to_vec())
    };
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    let checked = made.run(&Lpt::default(), &model, 0).unwrap();
    let placed = ranks(&checked.outcome.assignment);
    assert_eq!((placed[0], placed[1]), (placed[3], placed[2]), "{placed:?}");
    assert_eq!(checked.works.iter().map(|work| work.cost()).fold(0.0, f64::max), 7.0);
}
