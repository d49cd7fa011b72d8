// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refine: the largest work never rises, and objects leave overloaded ranks alone.

use lbaf_model::{LoadOnly, WorkModel, rank_totals, works};
use lbaf_strategies::{Light, Lpt, Refine};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::greedy::{alpha, made};
use crate::made_phase::{Made, object, ranks};
use crate::posed::{is_at_most, is_no_worse, posed, worst};

fn light() -> impl Strategy<Value = Light> {
    prop_oneof![Just(Light::Any), Just(Light::Lightest)]
}

/// Asserts what is promised of the ranks that objects leave.
fn check(made: &Made, model: &dyn WorkModel, refine: &Refine) -> Result<(), TestCaseError> {
    let phase = made.phase();
    let start = phase.recorded_assignment();
    let refined = made.run(refine, model, 0).unwrap().outcome.assignment;
    let lpt = made.run(&Lpt::default(), model, 0).unwrap().outcome.assignment;
    let [before, after, greedy] = [start, &refined, &lpt].map(|placement| worst(made, model, placement));
    prop_assert!(is_no_worse(after, before), "{after:?} after {before:?}");
    prop_assert!(before.1 > 0.0 || after.1 == 0.0);
    let works = works(model, &phase, &rank_totals(&phase, start));
    for migration in refined.migrations_from(start) {
        let cost = works[migration.from.index()].cost();
        prop_assert!(
            !is_at_most(cost, greedy.0 * refine.tolerance * (1.0 - 1e-9)),
            "{cost} is not overloaded"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn moves_objects_off_overloaded_ranks_alone(made in made(vec(alpha(), 1..12)), light in light(), tolerance in 1.0..1.2_f64) {
        check(&made, &LoadOnly::default(), &Refine { light, tolerance })?;
    }

    #[test]
    fn never_raises_the_largest_work_where_all_counts((made, model) in posed(), light in light()) {
        check(&made, &model, &Refine { light, tolerance: 1.0 })?;
    }
}

/// 9 on rank 0; LPT comes to 5. The 3 is the largest that fits the lightest rank, and the second that either has.
#[test]
fn the_two_ways_choose_another_rank() {
    let objects = [(3.0, 0), (3.0, 0), (3.0, 0), (2.0, 1), (1.0, 2), (1.0, 3), (4.0, 3)];
    let made = Made::of(4, objects.map(|(load, rank)| object(load, rank)).to_vec());
    let placed = |light| {
        let refine = Refine { light, tolerance: 1.0 };
        ranks(&made.run(&refine, &LoadOnly::default(), 0).unwrap().outcome.assignment)
    };
    assert_eq!(placed(Light::Lightest)[3..], [1, 2, 3, 3]);
    assert_eq!(placed(Light::Any)[3..], [1, 2, 3, 3]);
    let mut of_three: Vec<u32> = placed(Light::Lightest)[..3].to_vec();
    of_three.sort_unstable();
    assert_eq!(of_three, [0, 1, 2]);
}
