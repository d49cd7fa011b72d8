// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements of one fixed phase, literally: a change of any of them is a change of results that users see.

use lbaf_model::LoadOnly;
use lbaf_strategies::{
    BruteForce, CentralizedPrefixOptimizer, Concurrency, Curve, Diffusion, DiffusionOrder, Greedy,
    GreedyRefine, HierarchicalLB, InformAndTransfer, KarmarkarKarp, Light, LocalSearch, Lpt, Milp, Multifit,
    Multilevel, Pool, RandomLB, RecursiveCoordinateBisection, Refine, SearchStart, SpaceFillingCurve,
    Strategy, TemperedLB, TemperedTransfer, TemperedWMin, VT_SEED, WorkStealing, ZoltanLB,
};

use crate::made_phase::{Made, Object, object, ranks};

/// 24 objects on 5 ranks, loads in hundredths, the first of each rank a sentinel.
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
fn greedy_with_everything_in_the_pool() {
    check(&Greedy::default(), [0, 1, 2, 3, 4, 1, 3, 0, 2, 2, 4, 0, 3, 3, 2, 3, 0, 1, 1, 2, 1, 0, 4, 4]);
}

#[test]
fn greedy_with_the_excess_in_the_pool() {
    let greedy = Greedy { pool: Pool::Excess, min: 0.8, ..Greedy::default() };
    check(&greedy, [0, 1, 2, 3, 4, 0, 2, 1, 2, 2, 0, 1, 0, 3, 4, 0, 1, 2, 0, 1, 3, 4, 4, 3]);
}

/// On load alone it is greedy with everything in the pool.
#[test]
fn longest_processing_time_first() {
    check(&Lpt::default(), [0, 1, 2, 3, 4, 1, 3, 0, 2, 2, 4, 0, 3, 3, 2, 3, 0, 1, 1, 2, 1, 0, 4, 4]);
}

/// A fifth of each object in another subphase, in turn; of equal ranks it stays at home.
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
fn packed_into_the_least_capacity() {
    check(&Multifit::default(), [0, 1, 2, 3, 4, 0, 0, 4, 0, 1, 3, 2, 3, 2, 4, 0, 1, 2, 3, 3, 0, 0, 0, 1]);
}

#[test]
fn packed_into_the_least_capacity_near_home() {
    check(
        &Multifit { homeward: true, tolerance: 1.05, ..Multifit::default() },
        [0, 1, 2, 3, 4, 2, 0, 1, 3, 3, 3, 2, 0, 1, 2, 0, 4, 2, 0, 4, 3, 0, 1, 4],
    );
}

#[test]
fn differences_joined() {
    check(
        &KarmarkarKarp::default(),
        [0, 1, 2, 3, 4, 2, 3, 0, 1, 1, 4, 0, 2, 3, 2, 2, 0, 1, 3, 1, 3, 0, 4, 4],
    );
}

#[test]
fn greedy_that_leaves_objects_where_they_fit() {
    check(&GreedyRefine::default(), [0, 1, 2, 3, 4, 4, 3, 1, 3, 4, 3, 4, 0, 1, 2, 0, 3, 2, 0, 3, 2, 4, 1, 0]);
}

#[test]
fn off_overloaded_ranks_to_the_lightest() {
    check(&Refine::default(), [0, 1, 2, 3, 4, 0, 0, 4, 2, 0, 3, 2, 4, 1, 3, 0, 1, 3, 0, 1, 2, 0, 1, 2]);
}

#[test]
fn off_overloaded_ranks_to_any() {
    check(
        &Refine { light: Light::Any, ..Refine::default() },
        [0, 1, 2, 3, 4, 1, 0, 4, 2, 0, 1, 2, 3, 1, 3, 0, 3, 4, 0, 1, 2, 0, 1, 2],
    );
}

#[test]
fn a_tree_with_exchanges_and_without() {
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
fn gossip_one_after_the_other_and_all_at_once() {
    let live = InformAndTransfer::default();
    check(&live, [0, 1, 2, 3, 4, 0, 0, 1, 2, 0, 3, 2, 0, 3, 2, 0, 4, 4, 1, 3, 3, 2, 0, 1]);
    check(
        &InformAndTransfer { concurrency: Concurrency::Snapshot, ..live },
        [0, 1, 2, 3, 4, 4, 4, 1, 2, 0, 3, 1, 1, 3, 4, 4, 0, 2, 0, 1, 0, 3, 4, 2],
    );
}

#[test]
fn gossip_in_the_words_of_vt() {
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

/// On a grid of 5 columns.
#[test]
fn boxes_and_pieces_of_curves() {
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

/// Blocks of three objects each.
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
fn local_search_from_where_objects_are() {
    check(&LocalSearch::default(), [0, 1, 2, 3, 4, 2, 0, 4, 2, 2, 3, 2, 0, 1, 3, 0, 1, 3, 0, 1, 2, 0, 1, 4]);
}

#[test]
fn local_search_from_elsewhere() {
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
fn the_best_there_is() {
    check(&BruteForce::default(), [0, 1, 2, 3, 4, 3, 3, 0, 2, 1, 2, 0, 3, 3, 2, 4, 0, 1, 1, 2, 4, 0, 3, 4]);
}

#[test]
fn a_program_that_is_cut_short() {
    let strategy = Milp { max_nodes: 20, ..Milp::default() };
    check(&strategy, [0, 1, 2, 3, 4, 1, 3, 0, 3, 2, 4, 0, 3, 3, 2, 2, 0, 1, 1, 2, 1, 0, 4, 4]);
}

/// A ring of the same objects.
#[test]
fn parts_of_a_ring_from_scratch_and_from_where_they_are() {
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
