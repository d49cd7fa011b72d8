// SPDX-License-Identifier: MIT OR Apache-2.0
//! `TemperedLB` and `TemperedWMin`: guarantees for any arguments, and stages in cases computed by hand.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_model::{
    Affine, AffineParameters, BoundScope, LoadOnly, OnRankVolume, RankQuantity, Statistics, UpperBound,
    rank_totals, works,
};
use lbaf_strategies::{
    Concurrency, Inform, Knowledge, Ordering, StrategyError, TemperedCmf, TemperedCriterion, TemperedLB,
    TemperedTransfer, TemperedWMin,
};
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};
use crate::posed::{assert_same_on_any_number_of_threads, assert_true, is_no_worse, observed, posed, worst};

/// Draws valid arguments.
pub(crate) fn arguments() -> impl Strategy<Value = TemperedLB> {
    let reach = prop_oneof![
        Just((Knowledge::Log, None, None)),
        Just((Knowledge::Complete, None, None)),
        (1..4_u32, 1..4_u32).prop_map(|(fanout, rounds)| (
            Knowledge::UserDefined,
            Some(fanout),
            Some(rounds)
        )),
    ];
    let transfer = prop::sample::select(vec![
        TemperedTransfer::Original,
        TemperedTransfer::Recursive,
        TemperedTransfer::SwapClusters,
    ]);
    let ordering = prop::sample::select(vec![
        Ordering::Arbitrary,
        Ordering::ElmId,
        Ordering::FewestMigrations,
        Ordering::SmallObjects,
        Ordering::LargestObjects,
    ]);
    let cmf = prop::sample::select(vec![
        TemperedCmf::Original,
        TemperedCmf::NormByMax,
        TemperedCmf::NormByMaxExcludeIneligible,
    ]);
    let flags = prop::array::uniform7(any::<bool>());
    (reach, transfer, ordering, cmf, flags, 1..3_u32).prop_map(
        |((knowledge, fanout, rounds), transfer, ordering, cmf, flags, trials)| TemperedLB {
            knowledge,
            fanout,
            rounds,
            trials,
            transfer,
            ordering,
            cmf,
            criterion: if flags[0] {
                TemperedCriterion::Grapevine
            } else {
                TemperedCriterion::ModifiedGrapevine
            },
            inform: if flags[1] { Inform::SyncInform } else { Inform::AsyncInform },
            deterministic: flags[2],
            rollback: flags[3],
            targetpole: flags[4],
            concurrency: if flags[5] { Concurrency::Live } else { Concurrency::Snapshot },
            homeward: flags[6],
            migration_weight: Some(0.0),
            ..TemperedLB::default()
        },
    )
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn statistics_of_iterations_describe_their_placements_and_sentinels_stay(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        assert_true(&made, &model, &observed(&made, &arguments, &model, seed))?;
    }

    /// Also without rollback, and with simultaneous decisions.
    #[test]
    fn a_start_within_bounds_stays_within_them(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        let phase = made.phase();
        let start = works(&model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
        prop_assume!(start.iter().all(|work| !work.is_over_bound()));
        let (checked, told) = observed(&made, &arguments, &model, seed);
        for assignment in told.iter().map(|(_, assignment)| assignment).chain([&checked.outcome.assignment]) {
            let works = works(&model, &phase, &rank_totals(&phase, assignment));
            prop_assert!(works.iter().all(|work| !work.is_over_bound()), "{works:?}");
        }
    }

    #[test]
    fn with_rollback_the_result_is_never_worse_than_the_start_or_an_iteration(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        let (checked, told) = observed(&made, &TemperedLB { rollback: true, ..arguments }, &model, seed);
        let result = worst(&made, &model, &checked.outcome.assignment);
        let start = made.phase().recorded_assignment().clone();
        for assignment in told.iter().map(|(_, assignment)| assignment).chain([&start]) {
            let other = worst(&made, &model, assignment);
            prop_assert!(is_no_worse(result, other), "{result:?} and {other:?}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        assert_same_on_any_number_of_threads(&made, &arguments, &model, seed)?;
    }

    #[test]
    fn swapped_clusters_stay_whole_and_the_largest_work_rises_only_to_repair_bounds(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        let arguments = TemperedLB { transfer: TemperedTransfer::SwapClusters, trials: 1, ..arguments };
        let (_, told) = observed(&made, &arguments, &model, seed);
        let mut before = worst(&made, &model, made.phase().recorded_assignment());
        let keeps_bounds = before.1 == 0.0;
        for (_, assignment) in &told {
            let now = worst(&made, &model, assignment);
            // Relief of a rank over a bound may increase the work of another rank.
            prop_assert!(!keeps_bounds || is_no_worse(now, before), "{now:?} after {before:?}");
            before = now;
            let mut whole: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
            for (object, rank) in made.objects.iter().zip(assignment.as_slice()) {
                match object.block {
                    Some(block) if object.migratable => drop(whole.entry((object.rank, block)).or_default().insert(rank.0)),
                    _ => prop_assert_eq!(object.rank, rank.0, "an object without a cluster moved"),
                }
            }
            prop_assert!(whole.values().all(|places| places.len() == 1), "{whole:?}");
        }
    }

    /// Recomputes memory as the sum of footprints and block sizes.
    #[test]
    fn memory_after_cluster_swaps_matches_objects_and_blocks(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        let arguments = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..arguments };
        let (checked, _) = observed(&made, &arguments, &model, seed);
        for (rank, totals) in checked.totals.iter().enumerate() {
            let here = made.objects.iter().zip(checked.outcome.assignment.as_slice());
            let here: Vec<&Object> = here.filter(|(_, at)| at.index() == rank).map(|(object, _)| object).collect();
            let blocks: BTreeSet<u32> = here.iter().filter_map(|object| object.block).collect();
            let footprints: f64 = here.iter().map(|object| object.footprint_bytes).sum();
            let expected = footprints + blocks.iter().map(|&block| made.block_bytes[block as usize]).sum::<f64>();
            prop_assert!((totals.memory_bytes() - expected).abs() <= 1e-9 * expected.max(1.0));
        }
    }

    #[test]
    fn statistics_use_the_work_model_even_if_works_of_objects_are_balanced(
        (made, model) in posed(),
        arguments in arguments(),
        seed in any::<u64>(),
    ) {
        prop_assume!(arguments.transfer != TemperedTransfer::SwapClusters);
        let arguments = TemperedLB { beta: Some(0.5), gamma: Some(0.25), ..arguments };
        let bounds_load = |bound: &UpperBound| bound.quantity == RankQuantity::Load;
        prop_assume!(!lbaf_model::WorkModel::bounds(&model).iter().any(bounds_load));
        let watched = observed(&made, &TemperedWMin(arguments), &model, seed);
        assert_true(&made, &model, &watched)?;
    }
}

pub(crate) fn one_round() -> TemperedLB {
    TemperedLB { knowledge: Knowledge::Complete, iters: 1, ..TemperedLB::default() }
}

/// 64 ranks use 2 rounds of fanout 8. Only ranks below the target begin.
#[test]
fn the_reach_of_gossip_follows_the_number_of_ranks() {
    let messages = |n_ranks: u32, strategy: &TemperedLB| {
        // One rank has all objects.
        let made = Made::of(n_ranks as usize, (0..8).map(|_| object(1.0, 0)).collect());
        let (checked, _) = observed(&made, strategy, &LoadOnly::default(), 0);
        checked.outcome.iterations[0].n_messages
    };
    let log = |fanout, rounds| TemperedLB { fanout, rounds, iters: 1, ..TemperedLB::default() };
    // In the first round, the 63 empty ranks send. In the second round, all ranks send, because each has received a
    // message, and there are still at least 8 ranks that it has not heard of.
    assert_eq!(messages(64, &log(None, None)), 63 * 8 + 64 * 8);
    assert_eq!(messages(16, &log(None, Some(1))), 15 * 15);
    assert_eq!(messages(16, &log(Some(16), None)), 15 * 15);
    assert_eq!(messages(16, &one_round()), 15 * 15);
    let user = TemperedLB { knowledge: Knowledge::UserDefined, ..log(Some(3), Some(1)) };
    assert_eq!(messages(16, &user), 15 * 3);
}

#[test]
fn an_object_may_fill_a_rank_to_the_target_exactly() {
    let made = Made::of(2, vec![object(2.0, 0), object(2.0, 0)]);
    for criterion in [TemperedCriterion::Grapevine, TemperedCriterion::ModifiedGrapevine] {
        let (checked, _) = observed(&made, &TemperedLB { criterion, ..one_round() }, &LoadOnly::default(), 0);
        assert_eq!(Statistics::of(checked.totals.iter().map(|rank| rank.load)).imbalance(), 0.0);
    }
}

/// Mean 4, excess 4: the object of 5 is the smallest that suffices alone.
#[test]
fn fewest_migrations_begins_with_the_smallest_object_that_suffices() {
    let made = Made::of(2, [1.0, 1.0, 5.0, 1.0].map(|load| object(load, 0)).to_vec());
    let (checked, _) = observed(&made, &one_round(), &LoadOnly::default(), 0);
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 1, 0]);
    // Mean 6, excess 6: the smallest objects exceed 6 with 1 + 3 + 3, of which 3 + 3 suffice.
    let made = Made::of(2, [3.0, 3.0, 1.0, 5.0].map(|load| object(load, 0)).to_vec());
    let small = TemperedLB { ordering: Ordering::SmallObjects, ..one_round() };
    let (checked, _) = observed(&made, &small, &LoadOnly::default(), 0);
    assert_eq!(ranks(&checked.outcome.assignment), [1, 1, 0, 0]);
}

/// Mean 3, excess 3: 1 + 2 suffice exactly, as in vt.
#[test]
fn small_objects_whose_sum_equals_the_excess_suffice() {
    let made = Made::of(2, [3.0, 2.0, 1.0].map(|load| object(load, 0)).to_vec());
    let small = TemperedLB { ordering: Ordering::SmallObjects, ..one_round() };
    let (checked, _) = observed(&made, &small, &LoadOnly::default(), 0);
    assert_eq!(ranks(&checked.outcome.assignment), [0, 1, 1]);
}

/// Two ranks request the lock of the same rank.
#[test]
fn conflicting_requests_for_locks_are_counted() {
    let in_block = |load, rank, block| Object { block: Some(block), ..object(load, rank) };
    let objects = vec![
        in_block(4.0, 0, 0),
        in_block(4.0, 0, 1),
        in_block(4.0, 1, 2),
        in_block(4.0, 1, 3),
        object(0.0, 2),
    ];
    let made = Made { block_bytes: vec![1.0; 4], ..Made::of(3, objects) };
    let swap = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..one_round() };
    let (checked, _) = observed(&made, &swap, &LoadOnly::default(), 0);
    let locks = checked.outcome.iterations[0].locks.expect("clusters were swapped");
    // Round 1: ranks 0 and 1 request the lock of rank 2, and one request is refused. Round 2: the refused rank
    // repeats its request, but an exchange would gain nothing.
    assert_eq!((locks.n_rounds, locks.n_requests, locks.n_conflicts, locks.n_retries), (2, 3, 1, 1));
    // Messages: 6 of gossip, 2 for a refused request, 3 for each granted request.
    assert_eq!(checked.outcome.iterations[0].n_messages, 6 + 2 + 2 * 3);
    let alone = TemperedLB { concurrency: Concurrency::Live, ..swap };
    let (checked, _) = observed(&made, &alone, &LoadOnly::default(), 0);
    assert_eq!(checked.outcome.iterations[0].locks.map(|locks| locks.n_conflicts), Some(0));
}

#[test]
fn a_memory_limit_keeps_clusters_apart() {
    let in_block = |load, rank, block| Object { block: Some(block), ..object(load, rank) };
    let objects = vec![in_block(3.0, 0, 0), in_block(1.5, 0, 1), in_block(0.5, 1, 2), in_block(0.5, 1, 3)];
    let made = Made { block_bytes: vec![9.0; 4], ..Made::of(2, objects) };
    let swap = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..one_round() };
    let blocks_and_work = |limit| {
        let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope: BoundScope::Rank };
        let model =
            Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
        let (checked, _) = observed(&made, &swap, &model, 0);
        let blocks: Vec<u32> = checked.totals.iter().map(|rank| rank.n_blocks).collect();
        (blocks, checked.works.iter().map(|work| work.cost()).fold(0.0, f64::max))
    };
    // Loads 4.5 and 1. If a third block fits on rank 1, rank 0 gives 1.5. Otherwise the best exchange is 1.5 for
    // 0.5: 4.5 - 1 = 3.5.
    assert_eq!(blocks_and_work(27.0), (vec![1, 3], 3.0));
    assert_eq!(blocks_and_work(26.9), (vec![2, 2], 3.5));
}

#[test]
fn arguments_describe_a_work_model_if_clusters_are_swapped() {
    let swap = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..TemperedLB::default() };
    assert_eq!(swap.work_model(), Ok(None));
    let given = TemperedLB { beta: Some(0.5), memory_threshold: Some(8e9), ..swap.clone() };
    let model = given.work_model().unwrap().expect("coefficients are given");
    assert_eq!((model.alpha, model.beta, model.on_rank_volume), (1.0, 0.5, OnRankVolume::Vt));
    let bounds: Vec<_> = model.bounds.iter().map(|bound| (bound.quantity, bound.limit)).collect();
    assert_eq!(bounds, [(RankQuantity::MemoryWithSerialized, 8e9)]);
    let unlimited = TemperedLB { memory_threshold: Some(0.0), ..swap };
    assert_eq!(unlimited.work_model().unwrap().map(|model| model.bounds.len()), Some(0));
    for (wrong, key) in [
        (TemperedLB { gamma: Some(f64::NAN), ..given.clone() }, "gamma"),
        (TemperedLB { memory_threshold: Some(-1.0), ..given.clone() }, "memory_threshold"),
        (TemperedLB { epsilon: Some(5.0), ..given }, "epsilon"),
    ] {
        let error = wrong.work_model().unwrap_err();
        assert!(matches!(&error, StrategyError::Parameter { key: named, .. } if named == key), "{error}");
    }
    let original = TemperedLB { beta: Some(0.5), ..TemperedLB::default() };
    assert_eq!(original.work_model(), Ok(None));
    let (checked, _) = observed(&Made::of(2, Vec::new()), &original, &LoadOnly::default(), 0);
    assert_eq!(
        checked.outcome.notes,
        ["without `transfer: SwapClusters`, these parameters have no effect, as in vt: beta; `work_model` \
          defines work"]
    );
}

#[test]
fn invalid_arguments_are_refused() {
    let made = Made::of(2, vec![object(1.0, 0)]);
    let default = TemperedLB::default;
    let user = || TemperedLB { knowledge: Knowledge::UserDefined, ..default() };
    for (arguments, key) in [
        (user(), "fanout"),
        (TemperedLB { fanout: Some(2), ..user() }, "rounds"),
        (TemperedLB { fanout: Some(0), ..default() }, "fanout"),
        (TemperedLB { rounds: Some(0), ..default() }, "rounds"),
        (TemperedLB { rounds: Some(1001), ..default() }, "rounds"),
        (TemperedLB { trials: 0, ..default() }, "trials"),
        (TemperedLB { iters: 0, ..default() }, "iters"),
        (TemperedLB { trials: 1001, iters: 1000, ..default() }, "iters"),
        (TemperedLB { migration_weight: Some(-1.0), ..default() }, "migration_weight"),
        (TemperedLB { migration_weight: Some(f64::NAN), ..default() }, "migration_weight"),
        (TemperedLB { migration_weight: Some(f64::INFINITY), ..default() }, "migration_weight"),
    ] {
        let error = made.run(&arguments, &LoadOnly::default(), 0).unwrap_err();
        let StrategyError::Parameter { key: named, .. } = error else { panic!("{error}") };
        assert_eq!(named, key, "{arguments:?}");
    }
    let swaps = TemperedWMin(TemperedLB { transfer: TemperedTransfer::SwapClusters, ..default() });
    made.run(&swaps, &LoadOnly::default(), 0).unwrap_err();
    let negative = TemperedWMin(TemperedLB { beta: Some(-1.0), ..default() });
    made.run(&negative, &LoadOnly::default(), 0).unwrap_err();
}

/// The sentinel of rank 0 determines the maximum work. In the first iteration, ranks 1 and 2 give one object each.
/// If both objects go to rank 3, its load of 8 exceeds the mean of 6, and the second iteration moves an object.
#[test]
fn of_iterations_with_equal_maximum_work_the_first_is_used_and_with_homeward_all_objects_return() {
    let mut objects = vec![sentinel(10.0, 0)];
    for (rank, n) in [(1, 4), (2, 4), (3, 2)] {
        objects.extend(vec![object(2.0, rank); n]);
    }
    let made = Made::of(5, objects);
    let mut n_later = 0;
    for seed in 0..200 {
        let (checked, told) = observed(&made, &TemperedLB::default(), &LoadOnly::default(), seed);
        assert_eq!(checked.outcome.best_iteration, 1);
        assert_eq!(checked.outcome.assignment, told[0].1);
        n_later += usize::from(told.iter().any(|(_, later)| *later != told[0].1));
        // All objects can return without a larger maximum work.
        let homeward = TemperedLB { homeward: true, ..TemperedLB::default() };
        let (checked, _) = observed(&made, &homeward, &LoadOnly::default(), seed);
        assert_eq!(checked.outcome.assignment.migrations_from(made.phase().recorded_assignment()).count(), 0);
    }
    assert!(n_later > 0);
}

/// Like vt, the strategy prefers an iteration that moved objects to a start with equal maximum work.
#[test]
fn an_iteration_as_good_as_the_start_is_used_if_it_moves_something() {
    let result = |made: &Made, criterion| {
        let arguments = TemperedLB { criterion, ..one_round() };
        let outcome = observed(made, &arguments, &LoadOnly::default(), 0).0.outcome;
        (outcome.best_iteration, ranks(&outcome.assignment))
    };
    // Mean 4, excess 1 of rank 1: the smallest object that suffices is 1.5.
    let objects = vec![sentinel(6.0, 0), object(2.0, 1), object(1.5, 1), object(1.5, 1), object(1.0, 2)];
    let sunk = result(&Made::of(3, objects), TemperedCriterion::ModifiedGrapevine);
    assert_eq!(sunk, (1, vec![0, 1, 2, 1, 2]));
    let crowded = Made::of(2, vec![object(3.0, 0), object(3.0, 0), object(2.0, 1)]);
    assert_eq!(result(&crowded, TemperedCriterion::Grapevine), (0, vec![0, 0, 1]));
}

/// Without rollback, the result is the last iteration, unless this iteration is worse than the start.
#[test]
fn without_rollback_the_result_is_not_worse_than_the_start() {
    // Mean 5. Ranks 0 and 1 simultaneously give their objects of 4 to rank 2: 1 + 4 + 4 = 9.
    let objects = vec![object(4.0, 0), object(3.0, 0), object(4.0, 1), object(3.0, 1), sentinel(1.0, 2)];
    let made = Made::of(3, objects);
    let last = TemperedLB { rollback: false, ordering: Ordering::LargestObjects, ..one_round() };
    let (checked, told) = observed(&made, &last, &LoadOnly::default(), 0);
    assert_eq!(told[0].0.max_work, 9.0);
    assert_eq!(
        (checked.outcome.best_iteration, ranks(&checked.outcome.assignment)),
        (0, vec![0, 0, 1, 1, 2])
    );
    // In sequence, rank 1 knows no rank below the mean when its turn comes, so the maximum work stays.
    let live = TemperedLB { concurrency: Concurrency::Live, ..last };
    let (checked, told) = observed(&made, &live, &LoadOnly::default(), 0);
    assert_eq!((checked.outcome.best_iteration, told.len()), (1, 1));
}

/// As in vt. Rank 0 has 12, and the mean is 3. The object of 4 lifts an empty rank above the mean. If rank 0 knows
/// only this rank, the next object of 3 also goes there: 4 + 3 = 7.
#[test]
fn the_only_known_rank_remains_the_destination() {
    let made = Made::of(4, [4.0, 3.0, 3.0, 2.0].map(|load| object(load, 0)).to_vec());
    let fanout = TemperedLB { fanout: Some(1), rounds: Some(1), iters: 1, ..TemperedLB::default() };
    let mut n_single = 0;
    for seed in 0..40 {
        let placement = ranks(&observed(&made, &fanout, &LoadOnly::default(), seed).0.outcome.assignment);
        let destinations: BTreeSet<u32> = placement.iter().copied().filter(|&rank| rank != 0).collect();
        if let [only] = *Vec::from_iter(destinations) {
            n_single += 1;
            assert_eq!(placement, [only, only, 0, 0]);
        }
    }
    assert!(n_single > 0);
}

/// Works of objects: 1 + 4 x 1 and 1 on rank 0, 3 + 4 x 1 and 3 on rank 1. The mean of ranks is (6 + 10) / 2 = 8.
#[test]
fn works_of_objects_count_off_rank_communication() {
    let objects = vec![object(1.0, 0), object(1.0, 0), object(3.0, 1), object(3.0, 1)];
    // The edge within rank 0 adds no work.
    let edges = vec![(0, 2, 1.0), (0, 1, 50.0)];
    let made = Made { edges, ..Made::of(2, objects) };
    let weighted = TemperedWMin(TemperedLB { beta: Some(4.0), ..one_round() });
    // The excess of rank 1 is 2, so the object of 3 suffices.
    let (checked, _) = observed(&made, &weighted, &LoadOnly::default(), 0);
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 1, 0]);
    // Without edges, both objects of rank 1 have a work of 3, and the first object moves.
    let silent = Made { edges: Vec::new(), ..made.clone() };
    let (checked, _) = observed(&silent, &weighted, &LoadOnly::default(), 0);
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 0, 1]);
}

/// Regression: bounds on loads were compared with works.
#[test]
fn bounds_on_loads_are_refused_if_works_are_not_loads() {
    let mut objects = vec![object(5.0, 0)];
    objects.extend((0..5).map(|_| object(1.0, 1)));
    let made = Made::of(2, objects);
    let bound = UpperBound { quantity: RankQuantity::Load, limit: 5.0, scope: BoundScope::Rank };
    let model = Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    let weighted = TemperedWMin(TemperedLB { alpha: Some(0.0), gamma: Some(1.0), ..one_round() });
    let error = made.run(&weighted, &model, 0).unwrap_err();
    assert!(error.to_string().contains("bound on load"), "{error}");
    made.run(&TemperedWMin(one_round()), &model, 0).unwrap();
}
