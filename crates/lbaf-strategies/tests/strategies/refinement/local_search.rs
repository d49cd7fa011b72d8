// SPDX-License-Identifier: MIT OR Apache-2.0
//! `LocalSearch` is never worse than the start, keeps its limits, and comes close to the optimum.

use lbaf_model::{Assignment, LoadOnly, WorkModel, best_lower_bound};
use lbaf_strategies::{
    BruteForce, Context, IterationStats, LocalSearch, Observer, Problem, SearchStart, run,
};
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, memory, object, ranks, sentinel};
use crate::posed::{
    assert_same_on_any_number_of_threads, assert_true, is_at_most, is_no_worse, observed, posed, worst,
};

fn largest(made: &Made, assignment: &Assignment) -> f64 {
    worst(made, &LoadOnly::default(), assignment).0
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn is_never_worse_than_the_start_and_reports_correctly((made, model) in posed(), multifit in any::<bool>()) {
        let start = if multifit { SearchStart::Multifit } else { SearchStart::Present };
        let strategy = LocalSearch { start, patience: 3, ..LocalSearch::default() };
        let seen = observed(&made, &strategy, &model, 0);
        assert_true(&made, &model, &seen)?;
        let before = worst(&made, &model, made.phase().recorded_assignment());
        let after = worst(&made, &model, &seen.0.outcome.assignment);
        prop_assert!(is_no_worse(after, before), "{after:?} and {before:?}");
        assert_same_on_any_number_of_threads(&made, &strategy, &model, 0)?;
    }

    #[test]
    fn no_more_objects_migrate_than_allowed((made, model) in posed(), most in 0..6_usize, part in 0.0..1.0_f64) {
        let strategy = LocalSearch {
            max_migrations: Some(most),
            max_migrated_fraction: Some(part),
            ..LocalSearch::default()
        };
        let found = made.run(&strategy, &model, 0).unwrap().outcome;
        let n = found.assignment.migrations_from(made.phase().recorded_assignment()).count();
        prop_assert!(n <= most && n as f64 <= part * made.objects.len() as f64, "{n}");
    }

    #[test]
    fn the_front_ascends_in_migrations_and_descends_in_work((made, model) in posed()) {
        let found = made.run(&LocalSearch::default(), &model, 0).unwrap();
        let front = &found.outcome.front;
        prop_assert!(front.is_sorted_by(|a, b| a.n_migrations < b.n_migrations && a.max_work > b.max_work));
        let last = front.last().unwrap();
        let (cost, _) = worst(&made, &model, &found.outcome.assignment);
        prop_assert!(is_at_most(last.max_work, cost) && is_at_most(cost, last.max_work));
        let n = found.outcome.assignment.migrations_from(made.phase().recorded_assignment()).count();
        prop_assert!(last.n_migrations <= n);
    }

    /// The front contains points of two searches, blocks first and objects first. The result must be the cheapest of
    /// all.
    #[test]
    fn the_result_is_the_point_of_the_front_with_the_least_work_plus_price(
        loads in prop::collection::vec(1..900_u32, 24),
        min_gain_per_migration in 0.0..0.05_f64,
    ) {
        let of = |(at, load): (u32, f64)| Object { block: Some(at % 8), ..object(load, (at % 8) / 4) };
        let objects = (0..).zip(loads.into_iter().map(f64::from)).map(of).collect();
        let made = Made { block_bytes: vec![1.0; 8], ..Made::of(3, objects) };
        let model = memory(4.0);
        let strategy = LocalSearch { min_gain_per_migration, patience: 3, ..LocalSearch::default() };
        let found = made.run(&strategy, &model, 0).unwrap().outcome;
        let price = min_gain_per_migration * best_lower_bound(&made.phase(), &model).work;
        let n = found.assignment.migrations_from(made.phase().recorded_assignment()).count();
        let (work, _) = worst(&made, &model, &found.assignment);
        let told: Vec<f64> = found.iterations.iter().map(|iteration| iteration.max_work).collect();
        prop_assert!(told.is_sorted_by(|a, b| a >= b), "{told:?}");
        prop_assert!(told.last().is_none_or(|&last| is_at_most(last, work) && is_at_most(work, last)));
        prop_assert!(found.iterations.iter().all(|iteration| iteration.n_transfers > 0));
        for point in &found.front {
            prop_assert!(point.n_migrations <= n, "{point:?} has more than {n} migrations");
            let other = point.max_work + price * point.n_migrations as f64;
            prop_assert!(is_at_most(work + price * n as f64, other), "{work} with {n}, {point:?}");
        }
    }

    #[test]
    fn it_ends_as_soon_as_it_is_within_the_gap(loads in prop::collection::vec(1..100_u32, 1..30), gap in 0.0..2.0_f64) {
        let made = Made::of(4, loads.iter().map(|&load| object(f64::from(load), 0)).collect());
        let run = |gap| made.run(&LocalSearch { gap, ..LocalSearch::default() }, &LoadOnly::default(), 0).unwrap();
        let bound = best_lower_bound(&made.phase(), &LoadOnly::default()).work;
        let (wide, narrow) = (run(gap), run(0.0));
        let [wide_work, narrow_work] = [&wide, &narrow].map(|found| largest(&made, &found.outcome.assignment));
        // Without a result within the gap, both searches end at similar works.
        prop_assert!(wide_work <= (bound * (1.0 + gap)).max(narrow_work * 1.2), "{wide_work}, {narrow_work}");
        let stays = wide.outcome.assignment == *made.phase().recorded_assignment();
        let start = largest(&made, made.phase().recorded_assignment());
        prop_assert_eq!(stays, start <= bound * (1.0 + gap) || made.objects.len() == 1);
    }
}

/// Rank 1 has room for the object of rank 0 only after its own object has left. Rank 2 has room only for the object
/// of rank 1. An exchange gains nothing, because both objects have the same load.
#[test]
fn a_chain_gains_where_no_move_and_no_exchange_does() {
    let with = |object, footprint_bytes| Object { footprint_bytes, ..object };
    let made = Made::of(
        3,
        vec![
            with(object(3.0, 0), 4.0),
            sentinel(7.0, 0),
            with(object(3.0, 1), 3.0),
            sentinel(4.0, 1),
            with(sentinel(5.0, 2), 1.0),
        ],
    );
    let found = made.run(&LocalSearch::default(), &memory(4.0), 0).unwrap();
    assert_eq!(ranks(&found.outcome.assignment), [1, 0, 2, 1, 2]);
    assert_eq!(found.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [7.0, 7.0, 8.0]);
    assert!(!found.infeasible);
}

/// Loads after the exchange of 10 for 10 x 0.5: 10 + 10 x 0.5 + 1 = 16 on both ranks.
#[test]
fn a_heavy_object_is_exchanged_for_many_light_ones() {
    let mut objects = vec![object(10.0, 0), object(10.0, 0)];
    objects.extend([object(0.5, 1); 20]);
    objects.push(sentinel(1.0, 0));
    objects.push(sentinel(1.0, 1));
    let made = Made::of(2, objects);
    let found = made.run(&LocalSearch::default(), &LoadOnly::default(), 0).unwrap();
    assert_eq!(largest(&made, &found.outcome.assignment), 16.0);
}

/// No rank can hold a third block.
#[test]
fn whole_blocks_are_exchanged_if_memory_is_full() {
    let block = |load, rank, block| Object { block: Some(block), ..object(load, rank) };
    let on_block = |load: f64, rank, number| [block(load / 2.0, rank, number); 2];
    let objects =
        [on_block(6.0, 0, 0), on_block(4.0, 0, 1), on_block(2.0, 1, 2), on_block(1.0, 1, 3)].concat();
    let made = Made { block_bytes: vec![1.0; 4], ..Made::of(2, objects) };
    let found = made.run(&LocalSearch::default(), &memory(2.0), 0).unwrap();
    // The optimum is 6 + 1 and 4 + 2.
    assert_eq!(largest(&made, &found.outcome.assignment), 7.0);
    assert!(!found.infeasible);
}

#[test]
fn violations_are_repaired_first() {
    let with = |load, rank| Object { footprint_bytes: 1.0, ..object(load, rank) };
    let made = Made::of(3, vec![with(1.0, 0); 6]);
    let found = made.run(&LocalSearch::default(), &memory(2.0), 0).unwrap();
    assert!(!found.infeasible);
    assert_eq!(largest(&made, &found.outcome.assignment), 2.0);
}

/// If another rank exceeded its bound to relieve rank 0, no rank could relieve that rank.
#[test]
fn no_rank_exceeds_a_bound_to_relieve_another() {
    let of = |(load, footprint_bytes)| Object { footprint_bytes, ..object(load, 0) };
    let made = Made::of(3, [(1.0, 2.0), (0.0, 3.0), (0.0, 2.0), (1.0, 3.0)].map(of).to_vec());
    let found = made.run(&LocalSearch::default(), &memory(5.5), 0).unwrap();
    assert!(!found.infeasible);
}

/// Each of 200 objects without load fills the memory of a rank.
#[test]
fn objects_spread_over_more_ranks_than_are_tried_for_one_object() {
    let made = Made::of(300, vec![Object { footprint_bytes: 5.0, ..object(0.0, 0) }; 200]);
    let found = made.run(&LocalSearch::default(), &memory(5.0), 0).unwrap();
    assert!(!found.infeasible);
}

/// Perturbations and the exchanges after them must also gain their price.
#[test]
fn no_object_that_gains_less_than_its_price_migrates() {
    let made = Made::of(2, vec![object(1.0, 0); 20]);
    let dear = LocalSearch { min_gain_per_migration: 1000.0, ..LocalSearch::default() };
    let found = made.run(&dear, &LoadOnly::default(), 0).unwrap();
    assert_eq!(found.outcome.assignment, *made.phase().recorded_assignment());
}

/// Only an exchange repairs rank 0, with a bound of 10 bytes: 6 + 5 becomes 6 + 4 bytes, and rank 2 has 4 + 5 bytes
/// and 9 + 10 s. Then the nine objects of rank 1 leave one by one.
#[test]
fn a_front_has_no_infeasible_point_if_one_is_feasible() {
    let with = |object, footprint_bytes| Object { footprint_bytes, ..object };
    let mut objects = vec![
        with(sentinel(10.0, 0), 6.0),
        with(object(10.0, 0), 5.0),
        with(sentinel(9.0, 2), 4.0),
        with(object(4.0, 2), 4.0),
    ];
    objects.extend([1, 3, 4].map(|rank| with(sentinel(0.0, rank), 6.0)));
    objects.extend([object(5.0, 1); 9]);
    let found = Made::of(5, objects).run(&LocalSearch::default(), &memory(10.0), 0).unwrap();
    assert!(!found.infeasible);
    for point in &found.outcome.front {
        let n_others = point.n_migrations.checked_sub(2).expect("both exchanged objects migrate");
        let least = (45.0 - 5.0 * n_others as f64).max(19.0);
        assert!(
            point.max_work >= least,
            "{point:?} has less work than {least}, the least of a feasible placement"
        );
    }
}

/// Clock that always shows 2 s.
struct Late;

impl Observer for Late {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}

    fn has_passed(&self, seconds: f64) -> bool {
        seconds <= 2.0
    }
}

#[test]
fn a_search_that_is_cut_off_reports_it() {
    assert_cut_off(&LoadOnly::default());
}

#[test]
fn the_repair_of_bounds_is_cut_off_too() {
    assert_cut_off(&memory(2.0));
}

fn assert_cut_off(model: &dyn WorkModel) {
    let made = Made::of(2, vec![Object { footprint_bytes: 1.0, ..object(1.0, 0) }; 4]);
    let (phase, keys) = (made.phase(), made.keys());
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model, keys: &keys };
    let found = |time_limit| {
        let strategy = LocalSearch { time_limit, ..LocalSearch::default() };
        run(&strategy, &problem, &mut Context::new(0, 0, &mut Late)).unwrap().outcome
    };
    let cut = found(Some(2.0));
    assert_eq!(ranks(&cut.assignment), [0; 4]);
    assert_eq!(cut.notes, ["the search was stopped after 2 s; another run may find a different placement"]);
    for time_limit in [None, Some(3.0)] {
        let whole = found(time_limit);
        assert_eq!(largest(&made, &whole.assignment), 2.0);
        assert!(whole.notes.is_empty());
    }
}

#[test]
fn invalid_limits_are_refused() {
    let refusal = |strategy: LocalSearch| {
        let made = Made::of(2, vec![object(1.0, 0); 4]);
        made.run(&strategy, &LoadOnly::default(), 0).unwrap_err().to_string()
    };
    let search = LocalSearch::default();
    assert_eq!(
        refusal(LocalSearch { gap: -1.0, ..search.clone() }),
        "LocalSearch: `gap`: must be a finite, non-negative number"
    );
    assert_eq!(
        refusal(LocalSearch { max_migrated_fraction: Some(5.0), ..search.clone() }),
        "LocalSearch: `max_migrated_fraction`: must be a number from 0 to 1"
    );
    assert_eq!(
        refusal(LocalSearch { start: SearchStart::Multifit, max_migrations: Some(3), ..search }),
        "LocalSearch: `start`: a limit on migrations requires `present`, because MULTIFIT migrates nearly all objects"
    );
}

#[test]
fn most_small_cases_end_at_the_optimum() {
    let mut state = 7_u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut n_optimal, mut worst_ratio) = (0, 1.0_f64);
    for _ in 0..200 {
        let objects = (0..9).map(|_| object(1.0 + next(1000) as f64, next(3) as u32)).collect();
        let made = Made::of(3, objects);
        let [found, best] = [
            &LocalSearch { gap: 0.0, ..LocalSearch::default() } as &dyn lbaf_strategies::Strategy,
            &BruteForce::default(),
        ]
        .map(|strategy| made.run(strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment);
        let ratio = largest(&made, &found) / largest(&made, &best);
        n_optimal += u32::from(ratio < 1.0 + 1e-12);
        worst_ratio = worst_ratio.max(ratio);
    }
    assert!(n_optimal >= 120 && worst_ratio < 1.1, "{n_optimal} of 200, at worst {worst_ratio}");
}

/// Rank 0 has 8 objects, with a bound of 3. The steps of the repair are not counted.
#[test]
fn steps_are_counted_after_the_repair_of_bounds() {
    let loads = [5.0, 4.0, 3.0, 3.0, 3.0, 2.0, 2.0, 0.5];
    let made = Made::of(3, loads.map(|load| Object { footprint_bytes: 1.0, ..object(load, 0) }).to_vec());
    let found = |max_steps| {
        let search = LocalSearch { max_steps, ..LocalSearch::default() };
        let checked = made.run(&search, &memory(3.0), 0).unwrap();
        assert!(!checked.infeasible);
        checked.works.iter().max().unwrap().cost()
    };
    let [none, one, all] = [Some(0), Some(1), None].map(found);
    assert!(one < none && all == 8.0, "{none} {one} {all}");
}

/// Each of four ranks has memory for three of six blocks.
#[test]
fn a_higher_limit_on_migrations_never_gives_more_work() {
    let in_block = |at: u32| Object { block: Some(at % 6), ..object(f64::from(1 + at * 7 % 5), at % 6 / 3) };
    let made = Made { block_bytes: vec![4.0; 6], ..Made::of(4, (0..36).map(in_block).collect()) };
    let found = |n: usize| {
        let search = LocalSearch { max_migrations: Some(n), ..LocalSearch::default() };
        made.run(&search, &memory(13.0), 0).unwrap().works.iter().max().unwrap().cost()
    };
    let ends: Vec<f64> = (0..20).map(found).collect();
    assert!(ends.windows(2).all(|pair| pair[1] <= pair[0]), "{ends:?}");
}

/// Steps after the best placement are undone, and do not count as migrations.
#[test]
fn the_front_ends_with_the_result() {
    let loads = (0..60).map(|at| object(f64::from(1 + at * 13 % 17), 0));
    let made = Made::of(7, loads.collect());
    let found =
        made.run(&LocalSearch { gap: 0.0, ..LocalSearch::default() }, &LoadOnly::default(), 0).unwrap();
    let last = *found.outcome.front.last().unwrap();
    let n_away = found.outcome.assignment.migrations_from(made.phase().recorded_assignment()).count();
    assert_eq!((last.n_migrations, last.max_work), (n_away, found.works.iter().max().unwrap().cost()));
}
