// SPDX-License-Identifier: MIT OR Apache-2.0
//! `LPT` compared with a reference implementation and with the optimum, within bounds, and with communication.

use lbaf_model::{Affine, AffineParameters, Ccm, CcmParameters, LoadOnly, OnRankVolume, WorkModel};
use lbaf_strategies::{KarmarkarKarp, Lpt};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::constructive::greedy::{
    alpha, assert_within_factor, grahams_factor, load, longest_first, made, movable,
};
use crate::made_phase::{Made, Object, memory, object, ranks, sentinel};
use crate::posed::{assert_stays_within_bounds, posed};
use crate::without_terms::WithoutTerms;

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn places_the_longest_first(made in made(vec(alpha(), 1..12))) {
        let outcome = made.run(&Lpt::default(), &LoadOnly::default(), 0).unwrap().outcome;
        prop_assert_eq!(ranks(&outcome.assignment), longest_first(&made, &movable(&made)));
    }

    #[test]
    fn is_within_grahams_bound_of_the_optimum(n_ranks in 1..5_usize, loads in vec(load(), 1..9)) {
        assert_within_factor(&Lpt::default(), n_ranks, &loads, grahams_factor(n_ranks))?;
    }

    #[test]
    fn a_start_within_bounds_stays_within_them((made, model) in posed()) {
        assert_stays_within_bounds(&Lpt::default(), &made, &model)?;
    }

    /// Costs are sums of terms if the model has terms.
    #[test]
    fn terms_give_the_placement_of_their_model(
        (made, _) in posed(),
        (beta, gamma, delta) in (0.0..2.0_f64, 0.0..2.0_f64, 0.0..2.0_f64),
        on_rank_volume in prop::sample::select(vec![OnRankVolume::Paper, OnRankVolume::Vt]),
        limit in prop::option::of(1.0..9.0_f64),
    ) {
        let bounds = limit.map(|limit| memory(limit).bounds().to_vec()).unwrap_or_default();
        let model =
            Ccm::new(CcmParameters { beta, gamma, delta, on_rank_volume, bounds, ..CcmParameters::default() });
        let model = model.unwrap();
        for strategy in [&Lpt::default() as &dyn lbaf_strategies::Strategy, &KarmarkarKarp::default()] {
            let [with, without]: [&dyn WorkModel; 2] = [&model, &WithoutTerms(model.clone())];
            let [with, without] = [with, without].map(|model| made.run(strategy, model, 0).unwrap().outcome);
            prop_assert_eq!(with, without);
        }
    }
}

#[test]
fn communicating_objects_stay_together_if_communication_costs() {
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

/// A hundred ranks are idle but full. Communication adds to work, but the objects that must move do not
/// communicate.
#[test]
fn full_ranks_do_not_hide_a_rank_with_free_memory() {
    let full = |rank| Object { footprint_bytes: 5.0, ..sentinel(0.0, rank) };
    let mut objects: Vec<Object> = (1..=100).map(full).collect();
    objects.extend([Object { footprint_bytes: 2.0, ..object(1.0, 0) }; 4]);
    objects.push(sentinel(0.5, 101));
    let edges = vec![(0, 1, 1.0)];
    let made = Made { edges, ..Made::of(102, objects) };
    let bounds = memory(5.0).bounds().to_vec();
    let model = Affine::new(AffineParameters { beta: 1.0, bounds, ..AffineParameters::default() }).unwrap();
    let checked = made.run(&Lpt::default(), &model, 0).unwrap();
    assert!(!checked.infeasible, "{:?}", checked.works[0]);
    assert_eq!(checked.works[101].cost(), 2.5);
}
