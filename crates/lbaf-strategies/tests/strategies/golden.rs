// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements of a fixed phase. A change of a placement changes the results of users.

use lbaf_model::{Affine, AffineParameters, BoundScope, LoadOnly, RankQuantity, UpperBound};
use lbaf_strategies::{
    BruteForce, CentralizedPrefixOptimizer, Concurrency, Curve, Diffusion, DiffusionOrder, Greedy,
    GreedyRefine, HierarchicalLB, InformAndTransfer, KarmarkarKarp, Light, LocalSearch, Lpt, Milp, Multifit,
    Multilevel, Pool, RandomLB, RecursiveCoordinateBisection, Refine, SearchStart, SpaceFillingCurve,
    Strategy, TemperedLB, TemperedTransfer, TemperedWMin, VT_SEED, WorkStealing, ZoltanLB,
};

use crate::made_phase::{Made, Object, object, ranks};

/// Returns 24 objects on 5 ranks. The first object of each rank is a sentinel.
fn made() -> Made {
    let object = |at: u32| Object {
        migratable: at >= 5,
        ..object(f64::from(at * at * 37 % 101) / 100.0, if at < 5 { at } else { at % 3 })
    };
    Made::of(5, (0..24).map(object).collect())
}

fn check(strategy: &dyn Strategy, expected: [u32; 24]) {
    let outcome = made().run(strategy, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(ranks(&outcome.assignment), expected);
}

#[test]
fn greedy_with_all_objects_in_the_pool() {
    check(&Greedy::default(), [0, 1, 2, 3, 4, 1, 3, 0, 2, 2, 4, 0, 3, 3, 2, 3, 0, 1, 1, 2, 1, 0, 4, 4]);
}

#[test]
fn greedy_with_the_excess_in_the_pool() {
    let greedy = Greedy { pool: Pool::Excess, min: 0.8, ..Greedy::default() };
    check(&greedy, [0, 1, 2, 3, 4, 0, 2, 1, 2, 2, 0, 1, 0, 3, 4, 0, 1, 2, 0, 1, 3, 4, 4, 3]);
}

/// The same placement as with Greedy.
#[test]
fn longest_processing_time_first() {
    check(&Lpt::default(), [0, 1, 2, 3, 4, 1, 3, 0, 2, 2, 4, 0, 3, 3, 2, 3, 0, 1, 1, 2, 1, 0, 4, 4]);
}

/// Each object has 4/5 of its load in the first subphase, and 1/5 in one of three subphases in rotation.
#[test]
fn longest_processing_time_first_by_subphases() {
    let mut made = made();
    let parts = |(at, object): (usize, &Object)| {
        let mut seconds = vec![object.load * 0.8, 0.0, 0.0];
        seconds[at % 3] += object.load * 0.2;
        seconds
    };
    made.subphases = made.objects.iter().enumerate().map(parts).collect();
    let lpt = Lpt { subphases: true, ..Lpt::default() };
    let outcome = made.run(&lpt, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(
        ranks(&outcome.assignment),
        [0, 1, 2, 3, 4, 0, 3, 0, 2, 0, 1, 0, 1, 3, 3, 3, 2, 4, 2, 2, 0, 4, 4, 1]
    );
}

#[test]
fn multifit() {
    check(&Multifit::default(), [0, 1, 2, 3, 4, 0, 0, 4, 0, 1, 3, 2, 3, 2, 4, 0, 1, 2, 3, 3, 0, 0, 0, 1]);
}

#[test]
fn multifit_with_migration_reduction() {
    check(
        &Multifit { homeward: true, tolerance: 1.05, ..Multifit::default() },
        [0, 1, 2, 3, 4, 2, 0, 1, 3, 3, 3, 2, 0, 1, 2, 0, 4, 2, 0, 4, 3, 0, 1, 4],
    );
}

#[test]
fn karmarkar_karp() {
    check(
        &KarmarkarKarp::default(),
        [0, 1, 2, 3, 4, 2, 3, 0, 1, 1, 4, 0, 2, 3, 2, 2, 0, 1, 3, 1, 3, 0, 4, 4],
    );
}

#[test]
fn greedy_refine() {
    check(&GreedyRefine::default(), [0, 1, 2, 3, 4, 4, 3, 1, 3, 4, 3, 4, 0, 1, 2, 0, 3, 2, 0, 3, 2, 4, 1, 0]);
}

#[test]
fn refine_to_the_lightest_rank() {
    check(&Refine::default(), [0, 1, 2, 3, 4, 0, 0, 4, 2, 0, 3, 2, 4, 1, 3, 0, 1, 3, 0, 1, 2, 0, 1, 2]);
}

#[test]
fn refine_to_any_rank() {
    check(
        &Refine { light: Light::Any, ..Refine::default() },
        [0, 1, 2, 3, 4, 1, 0, 4, 2, 0, 1, 2, 3, 1, 3, 0, 3, 4, 0, 1, 2, 0, 1, 2],
    );
}

#[test]
fn hierarchical_with_and_without_exchanges() {
    let exchanges = HierarchicalLB { arity: 2, ..HierarchicalLB::default() };
    check(&exchanges, [0, 1, 2, 3, 4, 1, 3, 0, 3, 0, 4, 2, 0, 1, 3, 1, 1, 3, 4, 0, 2, 2, 4, 2]);
    check(
        &HierarchicalLB { exchange: false, ..exchanges },
        [0, 1, 2, 3, 4, 1, 3, 0, 3, 0, 4, 2, 1, 1, 2, 1, 0, 3, 4, 0, 2, 2, 4, 3],
    );
}

#[test]
fn random_with_the_seed_of_vt() {
    let random = RandomLB { seed: Some(VT_SEED), ..RandomLB::default() };
    check(&random, [0, 1, 2, 3, 4, 2, 0, 1, 3, 4, 4, 4, 1, 1, 3, 3, 3, 4, 4, 4, 4, 0, 1, 4]);
}

#[test]
fn gossip_with_live_and_snapshot_transfers() {
    let live = InformAndTransfer::default();
    check(&live, [0, 1, 2, 3, 4, 0, 0, 1, 2, 0, 3, 2, 0, 3, 2, 0, 4, 4, 1, 3, 3, 2, 0, 1]);
    check(
        &InformAndTransfer { concurrency: Concurrency::Snapshot, ..live },
        [0, 1, 2, 3, 4, 4, 4, 1, 2, 0, 3, 1, 1, 3, 4, 4, 0, 2, 0, 1, 0, 3, 4, 2],
    );
}

#[test]
fn gossip_with_the_parameters_of_vt() {
    let all_at_once = TemperedLB::default();
    check(&all_at_once, [0, 1, 2, 3, 4, 3, 0, 3, 2, 0, 3, 2, 0, 4, 4, 0, 1, 3, 2, 1, 2, 0, 1, 1]);
    check(
        &TemperedLB { concurrency: Concurrency::Live, homeward: true, ..TemperedLB::default() },
        [0, 1, 2, 3, 4, 2, 0, 3, 2, 0, 3, 2, 0, 1, 4, 0, 1, 4, 3, 1, 2, 0, 1, 2],
    );
    check(
        &TemperedWMin(TemperedLB { gamma: Some(0.25), homeward: true, ..TemperedLB::default() }),
        [0, 1, 2, 3, 4, 2, 0, 3, 2, 0, 1, 4, 3, 4, 4, 0, 1, 2, 0, 1, 2, 0, 1, 3],
    );
}

/// The objects are points of a grid of 5 columns.
#[test]
fn boxes_and_pieces_of_a_curve() {
    let made = Made { indices: (0..24).map(|at| vec![at % 5, at / 5]).collect(), ..made() };
    let check = |strategy: &dyn Strategy, expected: [u32; 24]| {
        let outcome = made.run(strategy, &LoadOnly::default(), 0).unwrap().outcome;
        assert_eq!(ranks(&outcome.assignment), expected);
    };
    check(
        &RecursiveCoordinateBisection::default(),
        [0, 1, 2, 3, 4, 1, 1, 1, 3, 3, 1, 0, 3, 4, 2, 0, 0, 4, 2, 2, 0, 0, 4, 2],
    );
    let curve = |curve| SpaceFillingCurve { curve, ..SpaceFillingCurve::default() };
    check(&curve(Curve::Hilbert), [0, 1, 2, 3, 4, 0, 0, 0, 0, 4, 1, 1, 0, 3, 4, 1, 1, 3, 3, 4, 2, 2, 2, 2]);
    check(&curve(Curve::Morton), [0, 1, 2, 3, 4, 0, 0, 1, 1, 4, 0, 0, 1, 3, 4, 0, 0, 3, 3, 4, 2, 2, 2, 2]);
}

/// Every three migratable objects share a block.
#[test]
fn clusters_swapped_under_locks() {
    let mut made = made();
    for (block, objects) in (0..).zip(made.objects[5..].chunks_mut(3)) {
        for object in objects {
            object.block = Some(block);
        }
    }
    made.block_bytes = vec![1.0; 7];
    let swap =
        TemperedLB { transfer: TemperedTransfer::SwapClusters, homeward: true, ..TemperedLB::default() };
    let outcome = made.run(&swap, &LoadOnly::default(), 0).unwrap().outcome;
    assert_eq!(
        ranks(&outcome.assignment),
        [0, 1, 2, 3, 4, 0, 0, 3, 3, 1, 1, 2, 0, 4, 4, 0, 2, 3, 1, 2, 0, 0, 1, 2]
    );
}

/// Every three migratable objects share a block. The objects communicate along a ring and across it, and the works of
/// ranks have volumes and an upper bound on memory.
#[test]
fn clusters_swapped_by_volume() {
    let mut made = made();
    for (block, objects) in (0..).zip(made.objects[5..].chunks_mut(3)) {
        for object in objects {
            object.block = Some(block);
            object.footprint_bytes = 1.0;
        }
    }
    made.block_bytes = vec![10.0; 7];
    let across = |at| (at, (at + 7) % 24, f64::from(at % 5));
    made.edges =
        (0..24).map(|at| (at, (at + 1) % 24, f64::from(at % 3 + 1))).chain((0..24).map(across)).collect();
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 36.0, scope: BoundScope::Rank };
    let parameters =
        AffineParameters { beta: 0.02, delta: 0.01, bounds: vec![bound], ..AffineParameters::default() };
    let model = Affine::new(parameters).unwrap();
    let placed = |concurrency| {
        let swap =
            TemperedLB { transfer: TemperedTransfer::SwapClusters, concurrency, ..TemperedLB::default() };
        ranks(&made.run(&swap, &model, 0).unwrap().outcome.assignment)
    };
    assert_eq!(
        placed(Concurrency::Live),
        [0, 1, 2, 3, 4, 2, 2, 2, 3, 3, 1, 0, 1, 0, 3, 3, 2, 0, 0, 4, 4, 4, 4, 1]
    );
    assert_eq!(
        placed(Concurrency::Snapshot),
        [0, 1, 2, 3, 4, 0, 4, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 1, 3, 3, 3, 3]
    );
}

#[test]
fn centralized_prefix_optimizer_with_both_stages() {
    let strategy = CentralizedPrefixOptimizer { do_second_stage: true };
    check(&strategy, [0, 1, 2, 3, 4, 2, 1, 4, 3, 0, 1, 2, 0, 1, 2, 0, 4, 2, 0, 1, 3, 3, 1, 3]);
}

#[test]
fn work_stealing_with_its_defaults() {
    check(&WorkStealing::default(), [0, 1, 2, 3, 4, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 4, 4, 0, 3, 3, 3, 4, 3]);
}

#[test]
fn local_search_from_the_initial_placement() {
    check(&LocalSearch::default(), [0, 1, 2, 3, 4, 2, 0, 4, 2, 2, 3, 2, 0, 1, 3, 0, 1, 3, 0, 1, 2, 0, 1, 4]);
}

#[test]
fn local_search_from_multifit() {
    check(
        &LocalSearch { start: SearchStart::Multifit, ..LocalSearch::default() },
        [0, 1, 2, 3, 4, 0, 0, 4, 0, 1, 3, 2, 3, 3, 4, 0, 1, 2, 2, 2, 0, 0, 0, 1],
    );
}

#[test]
fn diffusion_of_the_second_order() {
    check(&Diffusion::default(), [0, 1, 2, 3, 4, 0, 0, 3, 2, 0, 1, 2, 4, 0, 2, 0, 1, 3, 4, 1, 3, 4, 1, 2]);
}

#[test]
fn diffusion_of_the_first_order() {
    check(
        &Diffusion { order: DiffusionOrder::First, ..Diffusion::default() },
        [0, 1, 2, 3, 4, 0, 0, 3, 2, 0, 1, 2, 4, 0, 2, 0, 1, 3, 4, 1, 3, 4, 1, 2],
    );
}

#[test]
fn brute_force() {
    check(&BruteForce::default(), [0, 1, 2, 3, 4, 3, 3, 0, 2, 1, 2, 0, 3, 3, 2, 4, 0, 1, 1, 2, 4, 0, 3, 4]);
}

#[test]
fn milp_cut_off_by_a_limit() {
    let strategy = Milp { max_nodes: 20, ..Milp::default() };
    check(&strategy, [0, 1, 2, 3, 4, 1, 3, 0, 3, 2, 4, 0, 3, 3, 2, 2, 0, 1, 1, 2, 1, 0, 4, 4]);
}

/// The objects communicate along a ring.
#[test]
fn multilevel_from_scratch_and_from_the_current_placement() {
    let edges = (0..24).map(|at| (at, (at + 1) % 24, f64::from(at % 3 + 1))).collect();
    let ring = Made { edges, ..made() };
    let repartition = Multilevel { repartition: true, ..Multilevel::default() };
    let strategies: [&dyn Strategy; 3] = [&Multilevel::default(), &repartition, &ZoltanLB::default()];
    let placements = strategies
        .map(|strategy| ranks(&ring.run(strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment));
    let expected = [
        [0, 1, 2, 3, 4, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 1, 1, 0, 0, 0, 1, 0, 0],
        [0, 1, 2, 3, 4, 4, 0, 3, 0, 0, 1, 3, 1, 2, 2, 2, 1, 4, 4, 0, 0, 0, 3, 3],
        [0, 1, 2, 3, 4, 4, 4, 4, 4, 3, 3, 3, 0, 2, 2, 2, 0, 1, 3, 0, 0, 1, 0, 1],
    ];
    assert_eq!(placements, expected);
}
