// SPDX-License-Identifier: MIT OR Apache-2.0
//! No placement has less work than a lower bound. In cases with a known closed form, a placement reaches it.

use lbaf_model::{
    Affine, AffineParameters, Ccm, Culprit, Limit, LoadOnly, Object, Phase, PhaseColumns, PhaseId, RankId,
    Slot, WorkModel, best_lower_bound, lower_bounds, rank_totals, water_level,
};
use proptest::prelude::*;

use crate::cases;
use crate::optima::for_each_placement;
use crate::random_phase::{Size, affine_parameters, ccm_parameters, random_phase};

/// Small enough to enumerate all placements.
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
            // Lower bounds that hold only within upper bounds are tested in `optima`.
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

/// The load fills the capacities of the ranks below the level.
#[test]
fn water_fills_the_ranks_below_its_level() {
    assert_eq!(water_level(&[1.0; 4], &[0.0; 4], 10.0), 2.5);
    // One rank starts above the level: the others share the load.
    assert_eq!(water_level(&[1.0; 3], &[0.0, 9.0, 1.0], 5.0), 3.0);
    // At level 6, the slow rank takes 6 / 2 = 3 seconds, the other rank 6 - 2 = 4.
    assert_eq!(water_level(&[2.0, 1.0], &[0.0, 2.0], 7.0), 6.0);
    assert_eq!(water_level(&[0.0, 1.0], &[1.0, 2.0], 7.0), 0.0);
    assert_eq!(water_level(&[1.0], &[3.0], 0.0), 0.0);
}

/// Returns the least maximum cost of any placement for each model, ignoring upper bounds.
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

/// Builds a phase with loads only. The second element of an object is its rank if it is non-migratable.
fn phase(alphas: &[f64], objects: &[(f64, Option<u32>)]) -> Phase {
    let object = |&(load, stays): &(f64, Option<u32>)| match stays {
        Some(rank) => Object::sentinel(load, RankId(rank)),
        None => Object::new(load, RankId(0)),
    };
    let phase = Phase::builder(alphas.len()).alphas(alphas.iter().copied());
    phase.objects(objects.iter().map(object)).build().unwrap()
}

/// Asserts the limiting factor and the value of the best bound, and that a placement reaches it.
#[track_caller]
fn check_tight(phase: &Phase, limit: Limit, work: f64) {
    let model = LoadOnly::default();
    let best = best_lower_bound(phase, &model);
    assert_eq!((best.limit, best.work), (limit, work));
    assert_eq!(optima(phase, [&model]), [work]);
}

/// With an infinite sum, means and imbalances would be nan.
#[test]
fn loads_whose_sum_overflows_are_rejected() {
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
fn the_work_of_a_single_object_on_the_fastest_rank_is_a_bound() {
    check_tight(&phase(&[1.0; 4], &[(3.0, None)]), Limit::LargestObject, 3.0);
    check_tight(&phase(&[4.0, 0.5, 2.0], &[(3.0, None)]), Limit::LargestObject, 1.5);
}

#[test]
fn the_work_of_sentinels_on_their_rank_is_a_bound() {
    let sentinels = [(6.0, Some(0)), (1.0, Some(1))];
    let with = |n: usize| [&sentinels[..], &vec![(1.0, None); n]].concat();
    // Below the level of rank 0, ranks 1 and 2 have capacity for 5 + 6 seconds.
    for n_movable in [0, 1, 4] {
        check_tight(&phase(&[1.0; 3], &with(n_movable)), Limit::Sentinels, 6.0);
    }
    // 2 seconds on a rank with alpha 4 cost 8. The other ranks have capacity for five more seconds far below
    // that level.
    let slow = [(2.0, Some(0)), (1.0, Some(1))];
    let objects = [&slow[..], &[(1.0, None); 5]].concat();
    check_tight(&phase(&[4.0, 1.0, 1.0], &objects), Limit::Sentinels, 8.0);
    // 11 seconds fill the ranks up to level 6, and 3 more raise the level of all three: the mean limits
    // again.
    let bounds = lower_bounds(&phase(&[1.0; 3], &with(14)), &LoadOnly::default());
    let level = |limit| bounds.iter().find(|bound| bound.limit == limit).unwrap().work;
    assert_eq!([Limit::Mean, Limit::LargestObject, Limit::Sentinels].map(level), [7.0, 1.0, 7.0]);
    // Of thirteen of these objects, either some rank has seven, or all three ranks have some, so that one
    // joins the sentinel of rank 0.
    assert_eq!(level(Limit::LargeObjects), 7.0);
}

#[test]
fn large_objects_and_sentinels_give_a_bound_together() {
    // Both ranks have a sentinel, so the large object joins one.
    let one = [(4.0, None), (2.0, Some(0)), (1.0, Some(1)), (0.5, None)];
    check_tight(&phase(&[1.0; 2], &one), Limit::LargeObjects, 5.0);
    // If no two of the three large objects share a rank, one of them is on rank 2. The mean is 4.
    let three = [(4.0, None), (3.5, None), (3.0, None), (1.5, Some(2))];
    check_tight(&phase(&[1.0; 3], &three), Limit::LargeObjects, 4.5);
    // Two of four objects share one of three ranks. The mean is 4.
    check_tight(&phase(&[1.0; 3], &[(3.0, None); 4]), Limit::LargeObjects, 6.0);
    let culprit = |phase: &Phase| best_lower_bound(phase, &LoadOnly::default()).culprit;
    assert_eq!(culprit(&phase(&[1.0; 2], &one)), Some((Culprit::Object(Slot(0)), 4.0)));
    assert_eq!(culprit(&phase(&[1.0; 3], &three)), Some((Culprit::Objects(3), 3.0)));
    assert_eq!(culprit(&phase(&[1.0; 3], &[(3.0, None); 4])), Some((Culprit::Objects(4), 3.0)));
}

#[test]
fn the_culprit_is_named() {
    let culprit = |phase: &Phase| best_lower_bound(phase, &LoadOnly::default()).culprit;
    // 2 seconds on a rank with alpha 4 cost more than 6 on another.
    let sentinels = [(6.0, Some(1)), (2.0, Some(0)), (1.0, None)];
    assert_eq!(culprit(&phase(&[4.0, 1.0, 1.0], &sentinels)), Some((Culprit::Rank(RankId(0)), 2.0)));
    // The culprit is the first of equal objects.
    let objects = [(1.0, None), (3.0, None), (3.0, None)];
    assert_eq!(culprit(&phase(&[1.0; 4], &objects)), Some((Culprit::Object(Slot(1)), 3.0)));
    assert_eq!(culprit(&phase(&[1.0; 2], &[(1.0, None); 4])), None);
}

#[test]
fn ranks_share_load_in_proportion_to_their_speeds() {
    // Two objects of 1 s on the rank of alpha 1, and one on the rank of alpha 2, take 2 s each.
    check_tight(&phase(&[1.0, 2.0], &[(1.0, None); 3]), Limit::Mean, 2.0);
    // Four, two and one objects on ranks of alpha 1, 2 and 4 take 4 s on each rank.
    check_tight(&phase(&[1.0, 2.0, 4.0], &[(1.0, None); 7]), Limit::Mean, 4.0);
}

#[test]
fn a_rank_of_alpha_0_takes_all_migratable_load() {
    check_tight(&phase(&[1.0, 0.0], &[(5.0, None), (7.0, None)]), Limit::Mean, 0.0);
    check_tight(&phase(&[1.0, 0.0], &[(5.0, Some(0)), (7.0, None)]), Limit::Sentinels, 5.0);
}

#[test]
fn an_empty_phase_costs_the_constant_of_the_model() {
    let parameters = AffineParameters { gamma: 0.25, ..AffineParameters::default() };
    let model = Affine::new(parameters).unwrap();
    let best = best_lower_bound(&phase(&[1.0; 3], &[]), &model);
    assert_eq!((best.limit, best.work), (Limit::Mean, 0.25));
}
