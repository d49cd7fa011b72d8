// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Multilevel` and `ZoltanLB`: partitions with a known optimum, and general guarantees.

use lbaf_model::{
    Affine, AffineParameters, BoundScope, LoadOnly, RankQuantity, UpperBound, WorkModel, rank_totals,
};
use lbaf_strategies::{Greedy, Multilevel, Strategy, ZoltanLB};
use proptest::collection::vec;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};
use crate::posed::{is_at_most, posed, worst};

const SCRATCH: Multilevel = Multilevel { tolerance: 0.03, repartition: false, migration_cost: 0.01 };
const REPARTITION: Multilevel = Multilevel { repartition: true, ..SCRATCH };

/// Returns objects of load 1 on rank 0, with edges of one byte.
fn units(n_ranks: usize, n: u32, edges: Vec<(u32, u32)>) -> Made {
    let edges = edges.into_iter().map(|(from, to)| (from, to, 1.0)).collect();
    Made { edges, ..Made::of(n_ranks, (0..n).map(|_| object(1.0, 0)).collect()) }
}

fn grid(n_ranks: usize, side: u32) -> Made {
    let right = (0..side).flat_map(|y| (1..side).map(move |x| (y * side + x - 1, y * side + x)));
    let down = (1..side).flat_map(|y| (0..side).map(move |x| ((y - 1) * side + x, y * side + x)));
    units(n_ranks, side * side, right.chain(down).collect())
}

/// Returns the placement, the off-rank volume, and the loads of ranks.
fn placed(made: &Made, strategy: &dyn Strategy) -> (Vec<u32>, f64, Vec<f64>) {
    let checked = made.run(strategy, &LoadOnly::default(), 0).unwrap();
    let volume = checked.totals.iter().map(|rank| rank.sent_bytes).sum();
    let loads = checked.totals.iter().map(|rank| rank.load).collect();
    (ranks(&checked.outcome.assignment), volume, loads)
}

fn n_migrations(made: &Made, placement: &[u32]) -> usize {
    made.objects.iter().zip(placement).filter(|(object, rank)| object.rank != **rank).count()
}

#[test]
fn two_cliques_are_separated_at_their_bridge() {
    let clique = |first: u32| (first..first + 10).flat_map(move |a| (a + 1..first + 10).map(move |b| (a, b)));
    let made = units(2, 20, clique(0).chain(clique(10)).chain([(3, 14)]).collect());
    for strategy in [SCRATCH, REPARTITION] {
        let (placement, volume, loads) = placed(&made, &strategy);
        assert_eq!((volume, loads), (1.0, vec![10.0, 10.0]));
        assert!(placement[..10].iter().all(|&rank| rank == placement[0]));
    }
}

/// The optimum cuts P - 1 edges of a path and P edges of a ring for P ranks.
#[test]
fn paths_and_rings_are_cut_in_pieces() {
    for (n_ranks, n) in [(2, 100), (4, 1000), (8, 4000)] {
        let path: Vec<(u32, u32)> = (1..n).map(|at| (at - 1, at)).collect();
        let (_, volume, loads) = placed(&units(n_ranks, n, path.clone()), &SCRATCH);
        assert!(volume < 1.5 * n_ranks as f64, "{n_ranks} ranks: {volume}");
        assert!(loads.iter().all(|&load| load <= 1.03 * f64::from(n) / n_ranks as f64));
        let ring = path.into_iter().chain([(n - 1, 0)]).collect();
        assert!(placed(&units(n_ranks, n, ring), &SCRATCH).1 >= n_ranks as f64);
    }
}

/// The optimum is four squares with 64 edges between them.
#[test]
fn a_grid_is_cut_nearly_into_squares() {
    let (_, volume, loads) = placed(&grid(4, 32), &SCRATCH);
    assert!(volume <= 1.1 * 64.0, "{volume}");
    assert!(loads.iter().all(|&load| load <= 1.03 * 256.0), "{loads:?}");
    // Sixteen squares: 6 lines of 64 edges.
    let (_, volume, loads) = placed(&grid(16, 64), &SCRATCH);
    assert!(volume <= 1.25 * 384.0, "{volume}");
    assert!(loads.iter().all(|&load| load <= 1.03 * 256.0), "{loads:?}");
}

#[test]
fn pieces_without_communication_between_them_mostly_stay_whole() {
    let pieces = (0..40_u32).flat_map(|piece| (1..25).map(move |at| (25 * piece, 25 * piece + at)));
    let (_, volume, loads) = placed(&units(8, 1000, pieces.collect()), &SCRATCH);
    assert!(volume <= 24.0, "{volume}");
    assert!(loads.iter().all(|&load| load <= 1.03 * 125.0), "{loads:?}");
}

/// About an eighth of the leaves can be with the hub, so the volume is about 4000 x 7 / 8 = 3500.
#[test]
fn a_star_is_even_and_keeps_the_leaves_of_its_hub() {
    let (_, volume, loads) = placed(&units(8, 4000, (1..4000).map(|leaf| (0, leaf)).collect()), &SCRATCH);
    assert!(loads.iter().all(|&load| load <= 515.0), "{loads:?}");
    assert!(volume <= 3520.0, "{volume}");
}

#[test]
fn without_communication_it_is_greedy() {
    let made = Made::of(7, (0..100_u32).map(|at| object(f64::from(at * at % 37 + 1), at % 3)).collect());
    assert_eq!(placed(&made, &SCRATCH), placed(&made, &Greedy::default()));
}

#[test]
fn few_objects_on_many_ranks_get_a_rank_each() {
    let made = units(50, 5, vec![(0, 1), (1, 2), (2, 3), (3, 4)]);
    for strategy in [&SCRATCH as &dyn Strategy, &REPARTITION, &ZoltanLB::default()] {
        assert!(placed(&made, strategy).2.iter().all(|&load| load <= 1.0));
    }
}

#[test]
fn a_slow_rank_gets_less() {
    let made = Made { alphas: vec![1.0, 1.0, 2.0], ..grid(3, 30) };
    let (_, _, loads) = placed(&made, &SCRATCH);
    assert!(loads[0] <= 1.03 * 360.0 && loads[1] <= 1.03 * 360.0 && loads[2] <= 1.03 * 180.0, "{loads:?}");
}

/// The endpoints of a path are sentinels, against the order of ranks. Each half must go to its sentinel.
#[test]
fn sentinels_attract_their_partners() {
    let mut made = units(2, 200, (1..200).map(|at| (at - 1, at)).collect());
    made.objects[0] = sentinel(1.0, 1);
    made.objects[199] = sentinel(1.0, 0);
    let (placement, volume, _) = placed(&made, &SCRATCH);
    assert_eq!((placement[0], placement[199], volume), (1, 0, 1.0));
}

/// Each rank already holds a square.
#[test]
fn a_good_placement_stays() {
    let mut made = grid(4, 16);
    for (at, object) in (0_u32..).zip(&mut made.objects) {
        object.rank = 3 - (2 * (at / 128) + at % 16 / 8);
    }
    assert_eq!(n_migrations(&made, &placed(&made, &REPARTITION).0), 0);
    let scratch = placed(&made, &SCRATCH);
    assert!(
        n_migrations(&made, &scratch.0) < 80,
        "each part is assigned to the rank that has most of its objects"
    );
}

/// Ranks have 500, 400, 350 and 350 objects in rows. The limit is 1.03 x 400 = 412.
#[test]
fn if_migrations_are_expensive_only_as_many_migrate_as_balance_needs() {
    let mut made = grid(4, 40);
    for (at, object) in (0_u32..).zip(&mut made.objects) {
        object.rank = [500, 900, 1250].iter().filter(|&&first| at >= first).count() as u32;
    }
    let dear = Multilevel { migration_cost: 1e6, ..REPARTITION };
    let (placement, _, loads) = placed(&made, &dear);
    assert!(loads.iter().all(|&load| load <= 412.0), "{loads:?}");
    // The excess of rank 0: 500 - 412.
    assert_eq!(n_migrations(&made, &placement), 88);
    let cheap = n_migrations(&made, &placed(&made, &Multilevel { migration_cost: 0.0, ..REPARTITION }).0);
    let scratch = n_migrations(&made, &placed(&made, &SCRATCH).0);
    assert!(88 <= cheap && 88 < scratch, "{cheap}, {scratch}");
}

#[test]
fn a_partition_from_scratch_is_used_if_all_objects_are_on_one_rank() {
    let (_, volume, loads) = placed(&grid(16, 64), &REPARTITION);
    assert!(volume <= 1.25 * 384.0, "{volume}");
    assert!(loads.iter().all(|&load| load <= 1.03 * 256.0), "{loads:?}");
}

#[test]
fn a_model_with_communication_gives_no_more_work_than_load_alone() {
    let made = grid(9, 30);
    let model = Affine::new(AffineParameters { beta: 0.5, ..AffineParameters::default() }).unwrap();
    let largest = |placement: &lbaf_model::Assignment| {
        let totals = rank_totals(&made.phase(), placement);
        totals.iter().map(|rank| model.work(rank).cost()).fold(0.0, f64::max)
    };
    let by = |model: &dyn WorkModel| made.run(&SCRATCH, model, 0).unwrap().outcome.assignment;
    assert!(largest(&by(&model)) <= largest(&by(&LoadOnly::default())));
}

/// Two blocks fit on a rank, and objects communicate across blocks.
#[test]
fn bounds_on_memory_are_kept() {
    let objects = (0..64).map(|at| Object { block: Some(at / 8), ..object(1.0, at / 16) }).collect();
    let edges = (8..64).map(|at| (at - 8, at, 1.0)).collect();
    let made = Made { block_bytes: vec![8.0; 8], edges, ..Made::of(4, objects) };
    for scope in [BoundScope::Rank, BoundScope::Node] {
        let bounds = vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 16.0, scope }];
        let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() }).unwrap();
        for strategy in [SCRATCH, REPARTITION] {
            let checked = made.run(&strategy, &model, 0).unwrap();
            assert!(!checked.infeasible);
            assert!(checked.totals.iter().all(|rank| rank.memory_bytes() <= 16.0 && rank.load <= 16.5));
        }
    }
}

#[test]
fn invalid_parameters_are_refused() {
    let made = grid(2, 4);
    let wrong: [(&dyn Strategy, &str); 6] = [
        (
            &Multilevel { tolerance: -0.1, ..SCRATCH },
            "Multilevel: `tolerance`: must be a number of at least 0, not -0.1",
        ),
        (
            &Multilevel { migration_cost: f64::NAN, ..SCRATCH },
            "Multilevel: `migration_cost`: must be a number of at least 0, not NaN",
        ),
        (
            &ZoltanLB { imbalance_tolerance: 0.9, ..ZoltanLB::default() },
            "ZoltanLB: `imbalance_tolerance`: must be a number of at least 1, not 0.9",
        ),
        (
            &ZoltanLB { repart_multiplier: 0.0, ..ZoltanLB::default() },
            "ZoltanLB: `repart_multiplier`: must be a finite number above 0 with a finite reciprocal, not 0.0",
        ),
        (
            &ZoltanLB { repart_multiplier: f64::INFINITY, ..ZoltanLB::default() },
            "ZoltanLB: `repart_multiplier`: must be a finite number above 0 with a finite reciprocal, not inf",
        ),
        (
            &ZoltanLB { repart_multiplier: 1e-310, ..ZoltanLB::default() },
            "ZoltanLB: `repart_multiplier`: must be a finite number above 0 with a finite reciprocal, not 1e-310",
        ),
    ];
    for (strategy, message) in wrong {
        assert_eq!(made.run(strategy, &LoadOnly::default(), 0).unwrap_err().to_string(), message);
    }
}

/// Objects are too large for an even partition without exchanges.
#[test]
fn large_objects_are_even_within_the_tolerance() {
    let loads = (0..96_u32).map(|at| object(1.0 + f64::from(at * 37 % 101) / 20.0, at % 3)).collect();
    let edges = (0..96).map(|at| (at, (at + 7) % 96, f64::from(at % 5 + 1))).collect();
    let made = Made { edges, ..Made::of(8, loads) };
    for repartition in [false, true] {
        let strategy = Multilevel { repartition, ..Multilevel::default() };
        let checked = made.run(&strategy, &LoadOnly::default(), 0).unwrap();
        let loads: Vec<f64> = checked.totals.iter().map(|rank| rank.load).collect();
        let mean = loads.iter().sum::<f64>() / 8.0;
        assert!(loads.iter().all(|&load| load <= 1.03 * mean), "{loads:?}");
    }
}

/// The multiplier of 100 is a migration cost of 0.01.
#[test]
fn zoltan_is_repartitioning() {
    let made = grid(5, 20);
    let same = Multilevel { tolerance: 0.0, repartition: true, migration_cost: 0.01 };
    assert_eq!(placed(&made, &ZoltanLB::default()), placed(&made, &same));
}

proptest! {
    #![proptest_config(cases(64))]

    /// No rank exceeds the tolerance by more than the largest object, with one or two threads.
    #[test]
    fn no_load_exceeds_the_tolerance_by_more_than_the_largest_object(
        loads in vec(0.0..4.0_f64, 1..200),
        edges in vec((0..200_u32, 0..200_u32, 0.0..9.0_f64), 0..600),
        n_ranks in 1..12_usize,
        repartition: bool,
    ) {
        let n = loads.len() as u32;
        let largest = loads.iter().copied().fold(0.0, f64::max);
        let mean = loads.iter().sum::<f64>() / n_ranks as f64;
        let objects = (0..).zip(loads).map(|(at, load)| object(load, at % n_ranks as u32)).collect();
        let edges = edges.into_iter().map(|(from, to, bytes)| (from % n, to % n, bytes)).collect();
        let made = Made { edges, ..Made::of(n_ranks, objects) };
        let strategy = Multilevel { repartition, ..SCRATCH };
        let [one, two] = [1, 2].map(|n| {
            rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| placed(&made, &strategy))
        });
        prop_assert!(one.2.iter().all(|&load| load <= 1.03 * mean + largest), "{:?}", one.2);
        prop_assert_eq!(one, two);
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// For starts within bounds. A placement that saves volume may have more maximum work within the tolerance, for
    /// example because of homing.
    #[test]
    fn work_and_volume_are_not_both_more_than_before((made, model) in posed(), repartition: bool) {
        let strategy = Multilevel { repartition, ..Multilevel::default() };
        let checked = made.run(&strategy, &model, 0).unwrap();
        let phase = made.phase();
        let start = phase.recorded_assignment();
        let volume = |placement| rank_totals(&phase, placement).iter().map(|rank| rank.sent_bytes).sum::<f64>();
        let [before, after] = [start, &checked.outcome.assignment].map(|placement| (worst(&made, &model, placement), volume(placement)));
        let is_worse = !is_at_most(after.0.0, before.0.0) && !is_at_most(after.1, before.1);
        prop_assert!(before.0.1 > 0.0 || !is_worse, "{after:?} after {before:?}");
        let most = before.0.0 * (1.0 + strategy.tolerance);
        prop_assert!(before.0.1 > 0.0 || is_at_most(after.0.0, most), "{after:?} after {before:?}");
    }
}

/// Coarse graphs are built in pieces of at least 16384 vertices. In these cases, the first piece has no edges.
#[test]
fn objects_without_communication_are_placed_at_sizes_around_those_of_pieces() {
    for (n, n_silent) in [(66_000, 66_000), (65_535, 65_535), (65_536, 65_536), (70_000, 40_000)] {
        let path = (n_silent + 1..n).map(|at| (at - 1, at)).collect();
        let made = units(16, n, path);
        for strategy in [&SCRATCH as &dyn Strategy, &REPARTITION, &ZoltanLB::default()] {
            let (_, _, loads) = placed(&made, strategy);
            assert_eq!(loads.iter().sum::<f64>(), f64::from(n));
            let most = 1.1 * f64::from(n) / 16.0;
            assert!(
                loads.iter().all(|&load| load <= most),
                "{n} objects, {n_silent} without communication: {loads:?}"
            );
        }
    }
}
