// SPDX-License-Identifier: MIT OR Apache-2.0
//! No placement is better than a lower bound, and where a closed form is known, some placement reaches it.

use lbaf_model::{
    Affine, AffineParameters, Ccm, Culprit, Limit, LoadOnly, Object, Phase, PhaseColumns, PhaseId, RankId,
    Slot, WorkModel, best_lower_bound, lower_bounds, rank_totals, water_level,
};
use proptest::prelude::*;

use crate::cases;
use crate::optima::for_each_placement;
use crate::random_phase::{Size, affine_parameters, ccm_parameters, random_phase};

/// Few enough for every placement to be looked at.
const SIZE: Size = Size { ranks: 3, objects: 6 };

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn no_placement_is_better(
        random in random_phase(SIZE),
        parameters in affine_parameters(),
        ccm in ccm_parameters(),
        alpha in prop_oneof![Just(1.0), Just(0.0), 0.0..3.0_f64],
    ) {
        let models: [&dyn WorkModel; 3] =
            [&LoadOnly::new(alpha).unwrap(), &Affine::new(parameters).unwrap(), &Ccm::new(ccm).unwrap()];
        let optima = optima(&random.phase, models);
        for (model, optimum) in models.into_iter().zip(optima) {
            // Those that rest on bounds of the model are in `optima`.
            for bound in lower_bounds(&random.phase, model).iter().filter(|b| !b.within_bounds) {
                prop_assert!(
                    bound.work <= optimum,
                    "{} of {} exceeds the optimum {optimum} of {}", bound.limit, bound.work, model.name()
                );
            }
            let best = best_lower_bound(&random.phase, model);
            let largest = lower_bounds(&random.phase, model).iter().map(|bound| bound.work).fold(0.0, f64::max);
            prop_assert!((best.work - largest).abs() <= 1e-11 * largest);
        }
    }
}

/// What ranks below the level can take up to there is what there is.
#[test]
fn water_fills_the_ranks_below_its_level() {
    assert_eq!(water_level(&[1.0; 4], &[0.0; 4], 10.0), 2.5);
    // One rank starts above the level: the others share the load.
    assert_eq!(water_level(&[1.0; 3], &[0.0, 9.0, 1.0], 5.0), 3.0);
    // 6 / 2 + (6 / 1 - 2): a slow rank takes 3 seconds, the other 4 beside its 2.
    assert_eq!(water_level(&[2.0, 1.0], &[0.0, 2.0], 7.0), 6.0);
    assert_eq!(water_level(&[0.0, 1.0], &[1.0, 2.0], 7.0), 0.0);
    assert_eq!(water_level(&[1.0], &[3.0], 0.0), 0.0);
}

/// The least possible maximum cost, bounds aside, for each model.
fn optima<const N: usize>(phase: &Phase, models: [&dyn WorkModel; N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for_each_placement(phase, |assignment| {
        let totals = rank_totals(phase, assignment);
        for (best, model) in best.iter_mut().zip(models) {
            let maximum = totals.iter().map(|rank| model.work(rank).cost()).fold(0.0, f64::max);
            *best = best.min(maximum);
        }
    });
    best
}

/// A phase of loads alone; the second part of an object is the rank it may not leave.
fn phase(alphas: &[f64], objects: &[(f64, Option<u32>)]) -> Phase {
    let object = |&(load, stays): &(f64, Option<u32>)| match stays {
        Some(rank) => Object::sentinel(load, RankId(rank)),
        None => Object::new(load, RankId(0)),
    };
    let phase = Phase::builder(alphas.len()).alphas(alphas.iter().copied());
    phase.objects(objects.iter().map(object)).build().unwrap()
}

/// Asserts what limits and how far, and that a placement reaches it.
#[track_caller]
fn check_tight(phase: &Phase, limit: Limit, work: f64) {
    let model = LoadOnly::default();
    let best = best_lower_bound(phase, &model);
    assert_eq!((best.limit, best.work), (limit, work));
    assert_eq!(optima(phase, [&model]), [work]);
}

/// Finite loads whose sum is not would make nan of means and imbalances.
#[test]
fn loads_whose_sum_overflows_are_refused() {
    let whole = phase(&[1.0], &[(1.0, None); 2]);
    let with_loads = |loads: [f64; 2]| {
        Phase::new(PhaseId(7), PhaseColumns { load: loads.to_vec(), ..whole.columns().clone() })
    };
    let error = with_loads([1.5e308, 1.5e308]).unwrap_err().to_string();
    assert_eq!(error, "phase 7: the sum of loads times alpha is too large for a floating-point number");
    assert!(with_loads([1.5e308, 1.0]).is_ok());
}

#[test]
fn equal_loads_are_limited_by_the_mean() {
    check_tight(&phase(&[1.0; 4], &[(2.5, None); 8]), Limit::Mean, 5.0);
}

#[test]
fn one_object_is_limited_by_itself_on_the_fastest_rank() {
    check_tight(&phase(&[1.0; 4], &[(3.0, None)]), Limit::LargestObject, 3.0);
    check_tight(&phase(&[4.0, 0.5, 2.0], &[(3.0, None)]), Limit::LargestObject, 1.5);
}

#[test]
fn objects_that_may_not_move_limit_where_they_are() {
    let sentinels = [(6.0, Some(0)), (1.0, Some(1))];
    let with = |n: usize| [&sentinels[..], &vec![(1.0, None); n]].concat();
    // Ranks 1 and 2 take up to 5 + 6 without passing rank 0.
    for n_movable in [0, 1, 4] {
        check_tight(&phase(&[1.0; 3], &with(n_movable)), Limit::Sentinels, 6.0);
    }
    // Two seconds on a rank that takes four times as long; the others hold five more far below 8.
    let slow = [(2.0, Some(0)), (1.0, Some(1))];
    let objects = [&slow[..], &[(1.0, None); 5]].concat();
    check_tight(&phase(&[4.0, 1.0, 1.0], &objects), Limit::Sentinels, 8.0);
    // 11 fill them to the brim, and 3 more raise the level of all three: the mean limits again.
    let bounds = lower_bounds(&phase(&[1.0; 3], &with(14)), &LoadOnly::default());
    let level = |limit| bounds.iter().find(|bound| bound.limit == limit).unwrap().work;
    assert_eq!([Limit::Mean, Limit::LargestObject, Limit::Sentinels].map(level), [7.0, 1.0, 7.0]);
    // Beside them, of thirteen objects no rank has seven, or they are on all three, and one joins rank 0.
    assert_eq!(level(Limit::LargeObjects), 7.0);
}

#[test]
fn large_objects_limit_beside_those_that_may_not_move() {
    // The object fits nowhere but beside a sentinel.
    let one = [(4.0, None), (2.0, Some(0)), (1.0, Some(1)), (0.5, None)];
    check_tight(&phase(&[1.0; 2], &one), Limit::LargeObjects, 5.0);
    // Three objects of which no two share a rank: one of them is on rank 2. The mean is 4.
    let three = [(4.0, None), (3.5, None), (3.0, None), (1.5, Some(2))];
    check_tight(&phase(&[1.0; 3], &three), Limit::LargeObjects, 4.5);
    // Four on three ranks: two share one. The mean is 4.
    check_tight(&phase(&[1.0; 3], &[(3.0, None); 4]), Limit::LargeObjects, 6.0);
    let culprit = |phase: &Phase| best_lower_bound(phase, &LoadOnly::default()).culprit;
    assert_eq!(culprit(&phase(&[1.0; 2], &one)), Some((Culprit::Object(Slot(0)), 4.0)));
    assert_eq!(culprit(&phase(&[1.0; 3], &three)), Some((Culprit::Objects(3), 3.0)));
    assert_eq!(culprit(&phase(&[1.0; 3], &[(3.0, None); 4])), Some((Culprit::Objects(4), 3.0)));
}

#[test]
fn what_limits_is_named() {
    let culprit = |phase: &Phase| best_lower_bound(phase, &LoadOnly::default()).culprit;
    // Two seconds on a rank that takes four times as long cost more than six on another.
    let sentinels = [(6.0, Some(1)), (2.0, Some(0)), (1.0, None)];
    assert_eq!(culprit(&phase(&[4.0, 1.0, 1.0], &sentinels)), Some((Culprit::Rank(RankId(0)), 2.0)));
    // Of equal objects the first.
    let objects = [(1.0, None), (3.0, None), (3.0, None)];
    assert_eq!(culprit(&phase(&[1.0; 4], &objects)), Some((Culprit::Object(Slot(1)), 3.0)));
    assert_eq!(culprit(&phase(&[1.0; 2], &[(1.0, None); 4])), None);
}

#[test]
fn ranks_of_different_speed_share_by_speed() {
    // W = L on rank 0 and 2 L on rank 1: three units end at 2 everywhere.
    check_tight(&phase(&[1.0, 2.0], &[(1.0, None); 3]), Limit::Mean, 2.0);
    // Speeds 1, 1/2 and 1/4: 7 units end at 4.
    check_tight(&phase(&[1.0, 2.0, 4.0], &[(1.0, None); 7]), Limit::Mean, 4.0);
}

#[test]
fn a_rank_on_which_load_costs_nothing_takes_all_that_moves() {
    check_tight(&phase(&[1.0, 0.0], &[(5.0, None), (7.0, None)]), Limit::Mean, 0.0);
    check_tight(&phase(&[1.0, 0.0], &[(5.0, Some(0)), (7.0, None)]), Limit::Sentinels, 5.0);
}

#[test]
fn no_objects_cost_the_constant_of_the_model() {
    let parameters = AffineParameters { gamma: 0.25, ..AffineParameters::default() };
    let model = Affine::new(parameters).unwrap();
    let best = best_lower_bound(&phase(&[1.0; 3], &[]), &model);
    assert_eq!((best.limit, best.work), (Limit::Mean, 0.25));
}
