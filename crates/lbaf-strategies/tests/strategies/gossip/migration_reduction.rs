// SPDX-License-Identifier: MIT OR Apache-2.0
//! Migration reduction after gossip: cost, savings, and notes.

use lbaf_model::{Affine, AffineParameters, BoundScope, LoadOnly, RankQuantity, UpperBound};
use lbaf_strategies::{
    Concurrency, InformAndTransfer, Ordering, TemperedCmf, TemperedCriterion, TemperedLB, TemperedWMin,
};
use proptest::prelude::*;

use crate::cases;
use crate::gossip::tempered::{arguments, one_round};
use crate::made_phase::{Made, Object, object, sentinel};
use crate::posed::{is_no_worse, observed, posed, worst};

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn migration_reduction_adds_migrations_only_if_the_maximum_work_decreases(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        let [away, home] = [false, true].map(|homeward| {
            let arguments = TemperedLB { homeward, ..arguments.clone() };
            observed(&made, &arguments, &model, seed).0.outcome.assignment
        });
        let works = [&home, &away].map(|assignment| worst(&made, &model, assignment));
        prop_assert!(is_no_worse(works[0], works[1]));
        let start = made.phase().recorded_assignment().clone();
        let n = |assignment: &lbaf_model::Assignment| assignment.migrations_from(&start).count();
        prop_assert!(n(&home) <= n(&away) || works[0].0 < works[1].0, "{} and {}", n(&home), n(&away));
    }

    #[test]
    fn a_migration_weight_saves_migrations_and_costs_at_most_a_twentieth_of_the_gain(
        (made, model) in posed(),
        arguments in arguments(),
        weight in 0.1..8.0,
        seed in any::<u64>(),
    ) {
        let [unweighed, weighed] = [0.0, weight].map(|weight| {
            let arguments = TemperedLB { homeward: true, migration_weight: Some(weight), ..arguments.clone() };
            observed(&made, &arguments, &model, seed).0.outcome.assignment
        });
        let start = made.phase().recorded_assignment().clone();
        let n = |assignment: &lbaf_model::Assignment| assignment.migrations_from(&start).count();
        prop_assert!(n(&weighed) <= n(&unweighed), "{} and {}", n(&weighed), n(&unweighed));
        let worst = |assignment| worst(&made, &model, assignment);
        let (weighed, unweighed, start) = (worst(&weighed), worst(&unweighed), worst(&start));
        prop_assert!(weighed.1 <= unweighed.1 * (1.0 + 1e-9), "{weighed:?} and {unweighed:?}");
        let most = unweighed.0 + 0.05 * (start.0 - unweighed.0).max(0.0);
        prop_assert!(weighed.0 <= most * (1.0 + 1e-9), "{weighed:?}, {unweighed:?} and {start:?}");
    }
}

/// Regression: to relieve a rank over its bound, migration reduction raised the maximum work.
#[test]
fn relief_of_a_rank_in_migration_reduction_does_not_make_the_result_worse() {
    let with = |load, rank, footprint_bytes| Object { footprint_bytes, ..object(load, rank) };
    let still = |rank, footprint_bytes| Object { footprint_bytes, ..sentinel(0.0, rank) };
    let first = Made {
        edges: vec![(2, 0, 39.0)],
        ..Made::of(3, vec![with(38.0, 0, 150.0), still(0, 80.0), with(43.0, 0, 25.0), still(1, 175.0)])
    };
    let second = Made {
        edges: vec![(2, 1, 72.0), (2, 1, 153.0), (2, 0, 1.0)],
        ..Made::of(3, vec![with(194.0, 0, 123.0), still(0, 1.0), with(0.0, 1, 0.0)])
    };
    let excluding = TemperedLB { cmf: TemperedCmf::NormByMaxExcludeIneligible, ..TemperedLB::default() };
    let original = TemperedLB {
        ordering: Ordering::Arbitrary,
        cmf: TemperedCmf::Original,
        rollback: false,
        ..TemperedLB::default()
    };
    for (made, arguments, alpha, limit) in [(first, excluding, 1.0, 51.0), (second, original, 0.0, 24.8)] {
        let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope: BoundScope::Rank };
        let parameters =
            AffineParameters { alpha, beta: 1.0, bounds: vec![bound], ..AffineParameters::default() };
        let model = Affine::new(parameters).unwrap();
        let [away, home] = [false, true].map(|homeward| {
            let arguments = TemperedLB { homeward, migration_weight: Some(0.0), ..arguments.clone() };
            worst(&made, &model, &observed(&made, &arguments, &model, 0).0.outcome.assignment)
        });
        assert!(is_no_worse(home, away), "{home:?} and {away:?}");
    }
}

#[test]
fn a_weight_without_migration_reduction_is_reported_as_unused() {
    let made = Made::of(2, vec![object(2.0, 0), object(1.0, 0)]);
    let notes = |strategy: &dyn lbaf_strategies::Strategy| {
        made.run(strategy, &LoadOnly::default(), 0).unwrap().outcome.notes
    };
    let away = || TemperedLB { fanout: Some(1), rounds: Some(1), ..TemperedLB::default() };
    let weighed = TemperedLB { migration_weight: Some(2.0), ..away() };
    let said = ["`migration_weight` has no effect without `homeward`"];
    assert_eq!(notes(&weighed), said);
    assert_eq!(notes(&TemperedWMin(weighed.clone())), said);
    assert_eq!(
        notes(&InformAndTransfer { migration_weight: 2.0, fanout: 1, ..InformAndTransfer::default() }),
        said
    );
    for silent in [away(), TemperedLB { homeward: true, ..weighed }, TemperedLB { homeward: true, ..away() }]
    {
        assert!(notes(&silent).is_empty(), "{silent:?}");
    }
}

/// The increase is relative to migration reduction without a weight.
#[test]
fn the_increase_of_the_maximum_work_by_a_weight_is_reported() {
    let objects = (0..200_u32).map(|n| object(1.0 + f64::from(n * 7919 % 101) / 25.0, n % 3)).collect();
    let made = Made::of(12, objects);
    let model = Affine::new(AffineParameters::default()).unwrap();
    let run = |weight| {
        let arguments = TemperedLB {
            homeward: true,
            migration_weight: Some(weight),
            concurrency: Concurrency::Live,
            ..TemperedLB::default()
        };
        observed(&made, &arguments, &model, 0).0.outcome
    };
    let (unweighed, weighed) = (run(0.0), run(1e6));
    let n = |outcome: &lbaf_strategies::Outcome| {
        outcome.assignment.migrations_from(made.phase().recorded_assignment()).count()
    };
    let cost = |outcome: &lbaf_strategies::Outcome| worst(&made, &model, &outcome.assignment).0;
    assert_eq!(
        weighed.notes,
        [format!(
            "phase 3: `migration_weight` saves {} of {} migrations; the maximum work is {:.2} % larger than without it",
            n(&unweighed) - n(&weighed),
            n(&unweighed),
            100.0 * (cost(&weighed) / cost(&unweighed) - 1.0),
        )]
    );
    assert!(cost(&weighed) > cost(&unweighed) && unweighed.notes.is_empty());
}

/// A transfer would lead to 2 + 3 = 5, above the mean of 4. An exchange of 3 for 1 leads to 4 and 4.
#[test]
fn ranks_exchange_objects_even_if_gossip_finds_no_transfer() {
    let made =
        Made::of(2, [(3.0, 0), (3.0, 0), (1.0, 1), (1.0, 1)].map(|(load, rank)| object(load, rank)).to_vec());
    let strict = TemperedLB { criterion: TemperedCriterion::Grapevine, ..one_round() };
    for (homeward, most) in [(false, 6.0), (true, 4.0)] {
        let arguments = TemperedLB { homeward, ..strict.clone() };
        let (checked, told) = observed(&made, &arguments, &LoadOnly::default(), 0);
        assert_eq!(checked.works.iter().map(|work| work.cost()).fold(0.0, f64::max), most);
        assert_eq!(told.len(), 1 + usize::from(homeward));
        assert_eq!(checked.outcome.best_iteration, if homeward { 2 } else { 0 });
    }
}

/// Regression: a large weight saved no migrations, because the weighted sum of every placement was infinite.
#[test]
fn a_larger_weight_never_adds_migrations() {
    let objects = (0..200_u32).map(|n| object(1.0 + f64::from(n * 7919 % 101) / 25.0, n % 3)).collect();
    let made = Made::of(12, objects);
    let model = Affine::new(AffineParameters::default()).unwrap();
    let counts: Vec<usize> = [0.0, 0.5, 1.0, 2.0, 8.0, 100.0, 1e4, 1e300]
        .into_iter()
        .map(|weight| {
            let arguments =
                TemperedLB { homeward: true, migration_weight: Some(weight), ..TemperedLB::default() };
            let assignment = observed(&made, &arguments, &model, 0).0.outcome.assignment;
            assignment.migrations_from(made.phase().recorded_assignment()).count()
        })
        .collect();
    assert!(counts.is_sorted_by(|a, b| a >= b) && counts[0] > counts[7], "{counts:?}");
}
