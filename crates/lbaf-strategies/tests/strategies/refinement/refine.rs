// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a feasible start, `Refine` never raises the maximum work, and objects leave only overloaded ranks.

use lbaf_model::{LoadOnly, WorkModel, rank_totals, works};
use lbaf_strategies::{Light, Lpt, Refine};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::constructive::greedy::{alpha, made};
use crate::made_phase::{Made, Object, memory, object, ranks};
use crate::posed::{is_at_most, is_no_worse, posed, worst};

fn light() -> impl Strategy<Value = Light> {
    prop_oneof![Just(Light::Any), Just(Light::Lightest)]
}

/// Asserts that the result is no worse than the start. If the start is feasible, also asserts that objects leave
/// only overloaded ranks.
fn check(made: &Made, model: &dyn WorkModel, refine: &Refine) -> Result<(), TestCaseError> {
    let phase = made.phase();
    let start = phase.recorded_assignment();
    let refined = made.run(refine, model, 0).unwrap().outcome.assignment;
    let lpt = made.run(&Lpt::default(), model, 0).unwrap().outcome.assignment;
    let [before, after, greedy] = [start, &refined, &lpt].map(|placement| worst(made, model, placement));
    prop_assert!(is_no_worse(after, before), "{after:?} after {before:?}");
    prop_assert!(before.1 > 0.0 || after.1 == 0.0);
    if before.1 > 0.0 {
        // The repair of bounds may overload other ranks.
        return Ok(());
    }
    let works = works(model, &phase, &rank_totals(&phase, start));
    for migration in refined.migrations_from(start) {
        let cost = works[migration.from.index()].cost();
        prop_assert!(
            !is_at_most(cost, greedy.0 * refine.tolerance * (1.0 - 1e-9)),
            "an object left a rank with a work of {cost}, which is not overloaded"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn only_overloaded_ranks_lose_objects(made in made(vec(alpha(), 1..12)), light in light(), tolerance in 1.0..1.2_f64) {
        check(&made, &LoadOnly::default(), &Refine { light, tolerance })?;
    }

    #[test]
    fn is_never_worse_than_the_start_if_communication_and_homing_count((made, model) in posed(), light in light()) {
        check(&made, &model, &Refine { light, tolerance: 1.0 })?;
    }
}

/// LPT yields 4. Within 4, the object of 2 fits on rank 1, with room for 3, and on rank 2, with room for 2.
#[test]
fn the_two_choices_of_rank_differ() {
    let objects = [(4.0, 0), (2.0, 0), (1.0, 1), (2.0, 2)];
    let made = Made::of(3, objects.map(|(load, rank)| object(load, rank)).to_vec());
    let placed = |light| {
        let refine = Refine { light, tolerance: 1.0 };
        ranks(&made.run(&refine, &LoadOnly::default(), 0).unwrap().outcome.assignment)
    };
    assert_eq!(placed(Light::Lightest), [0, 1, 1, 2]);
    assert_eq!(placed(Light::Any), [0, 2, 1, 2]);
}

/// Rank 1 has the least work, but is too slow for any object of rank 0.
#[test]
fn a_slow_rank_does_not_hide_a_faster_one() {
    let objects = [(0.5, 0), (0.5, 0), (0.5, 0), (0.05, 2)];
    let made = Made {
        alphas: vec![1.0, 10.0, 1.0],
        ..Made::of(3, objects.map(|(load, rank)| object(load, rank)).to_vec())
    };
    let refined = made.run(&Refine::default(), &LoadOnly::default(), 0).unwrap();
    let most = refined.works.iter().map(|work| work.cost()).fold(0.0, f64::max);
    // Either two objects stay, or rank 2 takes two: 2 x 0.5 or 2 x 0.5 + 0.05.
    assert!((1.0..=1.05).contains(&most), "{:?}", refined.works);
}

/// There are more idle ranks without free memory than the strategy evaluates for an object.
#[test]
fn full_ranks_do_not_hide_a_rank_with_free_memory() {
    let full = |rank| Object { footprint_bytes: 5.0, ..object(0.0, rank) };
    let mut objects: Vec<Object> = (1..=40).map(full).collect();
    objects.extend([Object { footprint_bytes: 0.5, ..object(1.0, 0) }; 4]);
    objects.push(object(1.0, 41));
    let made = Made::of(42, objects);
    for light in [Light::Any, Light::Lightest] {
        let refined = made.run(&Refine { light, tolerance: 1.0 }, &memory(5.0), 0).unwrap();
        let most = refined.works.iter().max().unwrap();
        assert!(!refined.infeasible && most.cost() == 3.0, "{light:?}: {most:?}");
    }
}

#[test]
fn a_start_over_its_bounds_is_brought_within_them() {
    let made = Made::of(3, vec![Object { footprint_bytes: 3.0, ..object(1.0, 0) }; 4]);
    let refined = made.run(&Refine::default(), &memory(6.0), 0).unwrap();
    assert!(!refined.infeasible, "{:?}", refined.works);
}
