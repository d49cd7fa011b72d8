// SPDX-License-Identifier: MIT OR Apache-2.0
//! `InformAndTransfer`: guarantees for any parameters, and stages in cases computed by hand.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Ccm, CcmParameters, LoadOnly, OnRankVolume, Slot, Vertex,
};
use lbaf_strategies::{
    Cmf, Concurrency, Criterion, DestLoad, End, InformAndTransfer, Order, Rescan, SenderLoad,
    TransferStrategy,
};
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, memory, object, ranks, sentinel};
use crate::posed::{assert_same_on_any_number_of_threads, assert_true, is_no_worse, observed, posed, worst};
use crate::without_terms::WithoutTerms;

/// Draws valid parameters.
fn parameters() -> impl Strategy<Value = InformAndTransfer> {
    let order = prop::sample::select(vec![
        Order::Arbitrary,
        Order::ElementId,
        Order::IncreasingLoads,
        Order::DecreasingLoads,
        Order::FewestMigrations,
        Order::SmallObjects,
    ]);
    let transfer = prop::sample::select(vec![
        TransferStrategy::Recursive,
        TransferStrategy::Clustering,
        TransferStrategy::Original,
    ]);
    let criterion = prop::sample::select(vec![
        Criterion::Tempered,
        Criterion::StrictLocalizing,
        Criterion::Grapevine,
        Criterion::ModifiedGrapevine,
    ]);
    let limits = (prop::option::of(1..4_u32), prop::option::of(0..4_u32), prop::option::of(0..3_u32));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let fine = (
        prop::sample::select(vec![SenderLoad::Current, SenderLoad::Frozen]),
        prop::sample::select(vec![Rescan::Continue, Rescan::Restart]),
        prop::sample::select(vec![DestLoad::Live, DestLoad::Snapshot]),
        prop::sample::select(vec![Cmf::Transfer, Cmf::Rank, Cmf::Iteration]),
    );
    let shares = (0.0..0.6_f64, prop_oneof![Just(0.0), 0.0..1.0_f64], prop_oneof![Just(0.0), 0.0..0.3_f64]);
    (order, transfer, criterion, limits, flags, (0..4_u32, 0..4_u32), fine, shares).prop_map(
        |(order_strategy, transfer_strategy, criterion, limits, flags, (n_rounds, fanout), fine, shares)| {
            InformAndTransfer {
                n_iterations: 4,
                n_rounds,
                fanout,
                max_knowledge: limits.2,
                order_strategy,
                order_from: if flags.0 { End::Start } else { End::End },
                transfer_strategy,
                criterion,
                max_objects_per_transfer: limits.0,
                max_subclusters: limits.1,
                deterministic_transfer: flags.1,
                separate_subclustering: flags.2,
                sender_load: fine.0,
                rescan: fine.1,
                dest_load: fine.2,
                cmf: fine.3,
                cluster_swap_rtol: shares.0,
                subclustering_threshold: shares.1,
                subclustering_minimum_improvement: shares.2,
                concurrency: if flags.3 { Concurrency::Snapshot } else { Concurrency::Live },
                homeward: flags.4,
                ..InformAndTransfer::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn gains_from_columns_of_totals_are_those_computed_peer_by_peer(
        (made, _) in posed(),
        parameters in parameters(),
        (beta, gamma, delta) in (0.0..2.0_f64, prop_oneof![Just(0.0), 0.0..2.0_f64], prop_oneof![Just(0.0), Just(0.5)]),
        on_rank_volume in prop::sample::select(vec![OnRankVolume::Paper, OnRankVolume::Vt]),
        seed in any::<u64>(),
    ) {
        let parameters_of_model = CcmParameters { beta, gamma, delta, on_rank_volume, ..CcmParameters::default() };
        let model = Ccm::new(parameters_of_model).unwrap();
        // Migration reduction uses the terms for a lower bound.
        let parameters = InformAndTransfer { homeward: false, ..parameters };
        let (by_columns, told) = observed(&made, &parameters, &model, seed);
        let (by_peer, told_by_peer) = observed(&made, &parameters, &WithoutTerms(model), seed);
        prop_assert_eq!(by_columns.outcome, by_peer.outcome);
        prop_assert_eq!(told, told_by_peer);
    }

    #[test]
    fn statistics_of_iterations_describe_their_placements_and_sentinels_stay(
        (made, model) in posed(),
        parameters in parameters(),
        seed in any::<u64>(),
    ) {
        assert_true(&made, &model, &observed(&made, &parameters, &model, seed))?;
    }

    #[test]
    fn with_tempered_and_live_work_rises_only_to_repair_bounds_and_violations_never_rise(
        (made, model) in posed(),
        parameters in parameters(),
        seed in any::<u64>(),
    ) {
        let parameters = InformAndTransfer {
            criterion: Criterion::Tempered,
            concurrency: Concurrency::Live,
            // With `Snapshot`, a rank ignores objects that a destination already received from other ranks.
            dest_load: DestLoad::Live,
            ..parameters
        };
        let (_, told) = observed(&made, &parameters, &model, seed);
        let mut before = worst(&made, &model, made.phase().recorded_assignment());
        let keeps_bounds = before.1 == 0.0;
        for (_, assignment) in told {
            let now = worst(&made, &model, &assignment);
            // Relief of a rank over a bound may increase the work of another rank.
            let before_cost = if keeps_bounds { before.0 } else { f64::INFINITY };
            prop_assert!(is_no_worse(now, (before_cost, before.1)), "{now:?} after {before:?}");
            before = now;
        }
    }

    #[test]
    fn the_result_is_the_best_iteration_and_never_worse_than_the_start(
        (made, model) in posed(),
        parameters in parameters(),
        seed in any::<u64>(),
    ) {
        let (checked, told) = observed(&made, &parameters, &model, seed);
        let result = &checked.outcome.assignment;
        let (cost, excess) = worst(&made, &model, result);
        let start = made.phase().recorded_assignment().clone();
        for assignment in told.iter().map(|(_, assignment)| assignment).chain([&start]) {
            let other = worst(&made, &model, assignment);
            prop_assert!(is_no_worse((cost, excess), other), "{cost}, {excess} and {other:?}");
        }
        let best = checked.outcome.best_iteration;
        prop_assert_eq!(result, if best == 0 { &start } else { &told[best - 1].1 });
    }

    #[test]
    fn the_number_of_threads_changes_nothing(
        (made, model) in posed(),
        parameters in parameters(),
        seed in any::<u64>(),
    ) {
        assert_same_on_any_number_of_threads(&made, &parameters, &model, seed)?;
    }

    #[test]
    fn strict_localizing_breaks_no_local_edge(
        (made, model) in posed(),
        parameters in parameters(),
        seed in any::<u64>(),
    ) {
        // With simultaneous decisions, two ranks together can cut a local edge.
        let parameters = InformAndTransfer {
            criterion: Criterion::StrictLocalizing,
            concurrency: Concurrency::Live,
            // Migration reduction starts from the best iteration, not from the last.
            homeward: false,
            ..parameters
        };
        let (_, told) = observed(&made, &parameters, &model, seed);
        let phase = made.phase();
        let mut before = phase.recorded_assignment().clone();
        for (_, assignment) in told {
            for (from, to, _) in phase.communication().edges() {
                if let (Vertex::Object(from), Vertex::Object(to)) = (from, to) {
                    let is_local = |assignment: &Assignment| assignment.rank_of(from) == assignment.rank_of(to);
                    prop_assert!(!is_local(&before) || is_local(&assignment));
                }
            }
            before = assignment;
        }
    }
}

/// Returns parameters for recursive and deterministic transfers.
fn recursive() -> InformAndTransfer {
    InformAndTransfer { deterministic_transfer: true, ..InformAndTransfer::default() }
}

#[test]
fn the_best_peer_gets_an_object_and_of_equals_the_lowest() {
    // Loads 6, 0, 0, 2. The last object of rank 0 goes to rank 1, and the object before it to rank 2.
    let objects = [2.0, 2.0, 2.0].map(|load| object(load, 0)).into_iter().chain([object(2.0, 3)]);
    let made = Made::of(4, objects.collect());
    let strategy = InformAndTransfer { n_iterations: 1, ..recursive() };
    let checked = made.run(&strategy, &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [0, 2, 1, 3]);
    assert_eq!(checked.outcome.iterations[0].n_transfers, 2);
    assert_eq!(checked.outcome.iterations[0].load_imbalance, 0.0);
}

#[test]
fn communicating_objects_leave_together_if_one_alone_gains_nothing() {
    // Communication is only within the pairs (0, 1) and (2, 3).
    let made = Made { edges: vec![(0, 1, 8.0), (2, 3, 8.0)], ..Made::of(2, vec![object(1.0, 0); 4]) };
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    let strategy = InformAndTransfer { max_objects_per_transfer: Some(2), ..recursive() };
    let together = (0..20).filter(|&seed| {
        let assignment = made.run(&strategy, &model, seed).unwrap().outcome.assignment;
        let ranks = ranks(&assignment);
        ranks[0] == ranks[1] && ranks[2] == ranks[3] && ranks[0] != ranks[2]
    });
    assert_eq!(together.count(), 20);
    let alone = InformAndTransfer { max_objects_per_transfer: Some(1), ..strategy };
    let stay = made.run(&alone, &model, 0).unwrap().outcome;
    assert_eq!((ranks(&stay.assignment), stay.best_iteration), (vec![0; 4], 0));
}

#[test]
fn clusters_stay_whole_without_subclusters() {
    let shared = |block: u32, rank: u32| Object { block: Some(block), ..object(1.0, rank) };
    let objects =
        vec![shared(0, 0), shared(0, 0), shared(1, 0), shared(1, 0), shared(1, 0), sentinel(1.0, 1)];
    let made = Made { block_bytes: vec![1.0, 1.0], ..Made::of(2, objects) };
    let strategy = InformAndTransfer {
        transfer_strategy: TransferStrategy::Clustering,
        max_subclusters: Some(0),
        ..recursive()
    };
    let whole = made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(ranks(&whole.assignment), [1, 1, 0, 0, 0, 1]);
    // Loads 1 + 4 and 1. A swap of whole blocks leads to 2 and 4, transfers of parts to 3 and 3.
    let objects =
        vec![shared(0, 1), shared(1, 0), shared(1, 0), shared(1, 0), shared(1, 0), sentinel(1.0, 0)];
    let made = Made { block_bytes: vec![1.0, 1.0], ..Made::of(2, objects) };
    let parts = InformAndTransfer { max_subclusters: None, cluster_swap_rtol: 0.5, ..strategy };
    let parts = made.run(&parts, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(parts.iterations.last().unwrap().max_work, 3.0);
}

#[test]
fn phases_without_blocks_have_no_clusters_and_a_note_reports_it() {
    let made = Made::of(2, vec![object(1.0, 0); 4]);
    let strategy = InformAndTransfer { transfer_strategy: TransferStrategy::Clustering, ..recursive() };
    let outcome = made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(ranks(&outcome.assignment), [0; 4]);
    assert!(outcome.notes.iter().any(|note| note.starts_with("no migratable object has a memory block")));
}

#[test]
fn iterations_end_at_the_target_imbalance() {
    let made = Made::of(4, (0..40).map(|at| object(f64::from(at % 7), 0)).collect());
    let to = |target_imbalance| {
        let strategy =
            InformAndTransfer { target_imbalance, max_objects_per_transfer: Some(1), ..recursive() };
        made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.iterations.len()
    };
    assert_eq!((to(10.0), to(0.0)), (1, 8));
}

#[test]
fn gossip_counts_its_messages_and_known_ranks() {
    let made = Made::of(100, vec![object(1.0, 0)]);
    let stats = |n_rounds, fanout, max_knowledge| {
        let strategy = InformAndTransfer {
            n_iterations: 1,
            n_rounds,
            fanout,
            max_knowledge,
            ..InformAndTransfer::default()
        };
        made.run(&strategy, &LoadOnly::default(), 7).unwrap().outcome.iterations[0]
    };
    // In one round, each rank hears of four other ranks on average.
    let one = stats(1, 4, None);
    assert_eq!((one.n_messages, one.knowledge), (400, Some(4.0 / 99.0)));
    // In later rounds, some ranks send fewer messages.
    let three = stats(3, 4, None);
    assert!((1000..=1200).contains(&three.n_messages), "{}", three.n_messages);
    assert!((0.3..0.7).contains(&three.knowledge.unwrap()), "{:?}", three.knowledge);
    assert_eq!(stats(12, 4, None).knowledge, Some(1.0));
    assert!(stats(12, 4, Some(7)).knowledge.unwrap() <= 7.0 / 99.0);
}

#[test]
fn a_fanout_above_the_number_of_other_ranks_is_reduced() {
    let made = Made::of(3, vec![object(1.0, 0); 6]);
    let strategy = InformAndTransfer { fanout: 100, n_rounds: 1, ..recursive() };
    let outcome = made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(
        outcome.notes,
        ["`fanout` 100 exceeds the number of other ranks (2), so each rank sends to every other rank"]
    );
    assert_eq!((outcome.iterations[0].n_messages, outcome.iterations[0].knowledge), (6, Some(1.0)));
    assert_eq!(outcome.iterations.last().unwrap().load_imbalance, 0.0);
}

#[test]
fn orders_are_processed_from_either_end() {
    // The mean is (1 + 5 + 2 + 4) / 2 = 6. An object leaves if rank 1 then has at most the mean.
    let made = Made::of(2, [1.0, 5.0, 2.0, 4.0].map(|load| object(load, 0)).to_vec());
    let gone = |order_strategy, order_from| {
        let strategy = InformAndTransfer {
            order_strategy,
            order_from,
            n_iterations: 1,
            criterion: Criterion::Grapevine,
            max_objects_per_transfer: Some(1),
            ..recursive()
        };
        let assignment = made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment;
        let gone = (0..4_usize).filter(|&slot| assignment.rank_of(Slot::from(slot)).0 == 1);
        gone.map(|slot| made.objects[slot].load).collect::<Vec<f64>>()
    };
    // Loads of the objects that leave, offered from the end and from the start of the order.
    for (order, from_end, from_start) in [
        (Order::Arbitrary, vec![2.0, 4.0], vec![1.0, 5.0]),
        (Order::ElementId, vec![2.0, 4.0], vec![1.0, 5.0]),
        (Order::IncreasingLoads, vec![1.0, 5.0], vec![1.0, 2.0]),
        (Order::DecreasingLoads, vec![1.0, 2.0], vec![1.0, 5.0]),
        // No object has the excess of 6, so the order is 5, 4, 2, 1.
        (Order::FewestMigrations, vec![1.0, 2.0], vec![1.0, 5.0]),
        // The smallest objects exceed 6 with 1 + 2 + 4, so the order is 4, 2, 1, 5.
        (Order::SmallObjects, vec![1.0, 5.0], vec![2.0, 4.0]),
    ] {
        assert_eq!(gone(order, End::End), from_end, "{order:?}");
        assert_eq!(gone(order, End::Start), from_start, "{order:?}");
    }
}

#[test]
fn invalid_parameters_are_refused() {
    let made = Made::of(2, vec![object(1.0, 0)]);
    let usual = InformAndTransfer::default;
    for (strategy, message) in [
        (
            InformAndTransfer { n_rounds: 5000, ..usual() },
            "InformAndTransfer: `n_rounds`: expected at most 1000, found 5000",
        ),
        (
            InformAndTransfer { migration_weight: f64::NAN, ..usual() },
            "InformAndTransfer: `migration_weight`: expected a finite number of at least 0, found NaN",
        ),
        (
            InformAndTransfer { target_imbalance: -1.0, ..usual() },
            "InformAndTransfer: `target_imbalance`: expected a finite number of at least 0, found -1",
        ),
        (
            InformAndTransfer { cluster_swap_rtol: f64::NAN, ..usual() },
            "InformAndTransfer: `cluster_swap_rtol`: expected a finite number of at least 0, found NaN",
        ),
        (
            InformAndTransfer { max_objects_per_transfer: Some(0), ..usual() },
            "InformAndTransfer: `max_objects_per_transfer`: expected at least 1, found 0",
        ),
    ] {
        let error = made.run(&strategy, &LoadOnly::default(), 0).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

/// A permanent violation does not justify a larger maximum work.
#[test]
fn a_rank_that_stays_over_a_bound_does_not_load_others() {
    let mut objects: Vec<Object> = (0..9).map(|at| object(1.0, at % 3)).collect();
    objects.push(Object { footprint_bytes: 10.0, ..sentinel(1.0, 0) });
    let made = Made::of(3, objects);
    let model = memory(5.0);
    for deterministic_transfer in [true, false] {
        let strategy = InformAndTransfer { deterministic_transfer, ..InformAndTransfer::default() };
        let checked = made.run(&strategy, &model, 0).unwrap();
        assert!(checked.infeasible);
        assert!(checked.works.iter().all(|work| work.cost() <= 4.0), "{:?}", checked.works);
        let iterations = &checked.outcome.iterations;
        assert!(iterations.iter().all(|stats| stats.max_work <= 4.0), "{iterations:?}");
    }
}

/// All loads are 0, so only violated bounds require iterations.
#[test]
fn iterations_continue_with_balanced_work_while_bounds_are_violated() {
    let objects = (0..40).map(|_| Object { footprint_bytes: 1.0, ..object(0.0, 0) }).collect();
    let model = memory(10.0);
    let strategy = InformAndTransfer::default();
    let iterations = Made::of(4, objects).run(&strategy, &model, 0).unwrap().outcome.iterations;
    let (last, before) = iterations.split_last().unwrap();
    assert!(before.iter().all(|stats| stats.largest_excess > 0.0));
    assert!(last.largest_excess == 0.0 || iterations.len() == 8);
}

/// Sums of numbers of very different size drift. The driver compares reported with recomputed quantities.
#[test]
fn reported_quantities_do_not_drift() {
    let edges = (0..60_u32).map(|at| (at % 20, (at * 7 + 1) % 20, 0.1 * f64::from(at + 1)));
    let made = Made {
        edges: edges.chain([(0, 1, 1e17)]).collect(),
        ..Made::of(4, (0..20).map(|at| object(0.3, at % 2)).collect())
    };
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    for seed in 0..20 {
        made.run(&InformAndTransfer::default(), &model, seed).unwrap();
    }
}

/// Communication with a sentinel keeps object 2 on rank 0. After object 1 has left, object 0 gains by following its
/// partner. The cached gain of object 0 is then outdated.
#[test]
fn the_cached_gain_of_an_object_is_dropped_when_its_partner_leaves() {
    let objects = vec![object(0.0, 0), object(1.0, 0), object(0.0, 0), sentinel(4.0, 0)];
    let made = Made { edges: vec![(0, 1, 0.5), (0, 3, 0.2), (2, 3, 50.0)], ..Made::of(2, objects) };
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    let strategy = InformAndTransfer {
        n_iterations: 1,
        order_strategy: Order::ElementId,
        max_objects_per_transfer: Some(2),
        ..recursive()
    };
    for seed in 0..20 {
        let outcome = made.run(&strategy, &model, seed).unwrap().outcome;
        assert_eq!(ranks(&outcome.assignment), [1, 1, 0, 0], "seed {seed}");
    }
}
