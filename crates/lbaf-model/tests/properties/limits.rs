// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases worked by hand, each limited by one kind of lower bound. Cases of the largest object and of
//! sentinels are in `lower_bounds`.

use lbaf_model::{
    Affine, AffineParameters, Block, BlockIdx, BoundScope, Culprit, Limit, LowerBound, Object, ObjectMemory,
    Phase, PhaseColumns, PhaseId, RankId, RankQuantity, Slot, Units, UpperBound, best_lower_bound,
    infeasibility, lower_bounds_for,
};

/// An object: seconds of load, block, and rank if it is non-migratable.
type Facts = (f64, Option<u32>, Option<u32>);

/// Builds a phase with messages between objects. Migratable objects are recorded on rank 0, the home of all
/// blocks, which have 9 bytes each.
fn phase(alphas: &[f64], objects: &[Facts], talk: &[(u32, u32, f64)]) -> Phase {
    let object = |&(load, block, stays): &Facts| Object {
        load,
        rank: RankId(stays.unwrap_or(0)),
        migratable: stays.is_none(),
        memory: ObjectMemory { block: block.map(BlockIdx), ..ObjectMemory::default() },
    };
    let n_blocks = objects.iter().filter_map(|object| object.1).max().map_or(0, |last| last + 1);
    let block = |id| Block { id: u64::from(id), size_bytes: 9.0, home: RankId(0) };
    let phase = Phase::builder(alphas.len()).alphas(alphas.iter().copied()).ranks_per_node(alphas.len());
    let phase = phase.blocks((0..n_blocks).map(block)).communications(talk.iter().copied());
    phase.objects(objects.iter().map(object)).build().unwrap()
}

/// Returns migratable objects without blocks.
fn free(loads: &[f64]) -> Vec<Facts> {
    loads.iter().map(|&load| (load, None, None)).collect()
}

fn affine(beta: f64, delta: f64, bounds: Vec<UpperBound>) -> Affine {
    Affine::new(AffineParameters { beta, delta, bounds, ..AffineParameters::default() }).unwrap()
}

/// Returns a model with an upper bound on the bytes of blocks on every rank.
fn block_bytes(limit: f64) -> Affine {
    let bound = UpperBound { quantity: RankQuantity::SharedMemory, limit, scope: BoundScope::Rank };
    affine(0.0, 0.0, vec![bound])
}

#[track_caller]
fn check(bound: LowerBound, limit: Limit, work: f64) {
    assert_eq!(bound.limit, limit);
    assert!((bound.work - work).abs() < 1e-9, "{} instead of {work}", bound.work);
}

#[test]
fn one_of_two_ranks_has_three_of_five_equal_objects() {
    let best = best_lower_bound(&phase(&[1.0; 2], &free(&[1.0; 5]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::LargeObjects, 3.0);
    assert_eq!(best.culprit, Some((Culprit::Objects(5), 1.0)));
    // With 2.5 s of sentinels on rank 1, either both ranks have one of the two largest objects, so that rank
    // 1 has 3 + 2.5, or one rank has both, 3 + 3. The smaller maximum is 3 + 2.5.
    let beside = [free(&[3.0, 3.0, 0.5]), vec![(2.5, None, Some(1))]].concat();
    let best = best_lower_bound(&phase(&[1.0; 2], &beside, &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::LargeObjects, 5.5);
}

#[test]
fn slow_ranks_do_not_help_with_the_largest_objects() {
    let slow = vec![1000.0; 100];
    let loads = [0.09, 0.093, 0.096, 0.099, 0.1, 0.102, 0.103, 0.104, 0.106, 0.107];
    let best = best_lower_bound(
        &phase(&[&[1.0, 1.0][..], &slow].concat(), &free(&loads), &[]),
        &affine(0.0, 0.0, vec![]),
    );
    // Ten objects are on at most ten ranks, of which at most two are fast.
    check(best, Limit::FastestRanks, loads.iter().sum::<f64>() / (2.0 + 8.0 / 1000.0));
    assert_eq!(best.culprit, Some((Culprit::Objects(10), 0.09)));
}

#[test]
fn objects_cannot_be_packed_beside_a_large_one() {
    // The mean is 9. If the maximum is below 10, no object of 4 s is on the rank of the object of 6 s, so the
    // other rank has all three of them, 12 s.
    let best =
        best_lower_bound(&phase(&[1.0; 2], &free(&[6.0, 4.0, 4.0, 4.0]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::Packing, 10.0);
    // On ranks of speed 1 and 1/2, a maximum below 5 s allows four of the seven objects on the fast rank and
    // two on the slow one.
    let best = best_lower_bound(&phase(&[1.0, 2.0], &free(&[1.0; 7]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::Packing, 5.0);
}

#[test]
fn blocks_that_fit_only_once_are_not_shared() {
    let objects = [vec![(0.25, Some(0), None); 24], vec![(0.25, Some(1), None); 8]].concat();
    // Two blocks with 6 s and 2 s, and two ranks with memory for one block each.
    check(best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &block_bytes(9.0)), Limit::Memory, 6.0);
    // Three ranks have memory for a copy of one of the blocks.
    check(best_lower_bound(&phase(&[1.0; 3], &objects, &[]), &block_bytes(9.0)), Limit::Memory, 3.0);
    // With memory for both blocks on each rank, only the mean limits.
    check(best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &block_bytes(18.0)), Limit::Mean, 4.0);
}

#[test]
fn three_blocks_do_not_fit_on_two_ranks() {
    let objects: Vec<Facts> = (0..3).map(|block| (1.0, Some(block), None)).collect();
    let phase = phase(&[1.0; 2], &objects, &[]);
    assert!(infeasibility(&phase, &block_bytes(17.0)).is_some());
    assert!(infeasibility(&phase, &block_bytes(18.0)).is_none());
    // An upper bound that no placement satisfies yields no lower bound on work.
    check(best_lower_bound(&phase, &block_bytes(17.0)), Limit::LargeObjects, 2.0);
}

#[test]
fn objects_kept_together_limit_like_a_single_object() {
    let best_of = |phase: &Phase| {
        let units = Units::Clusters(phase.recorded_assignment());
        LowerBound::best_of(lower_bounds_for(phase, &affine(0.0, 0.0, vec![]), units)).unwrap()
    };
    let block = |block: u32, n: usize| vec![(1.0, Some(block), None); n];
    let one = best_of(&phase(&[1.0; 4], &[block(0, 5), block(1, 1)].concat(), &[]));
    check(one, Limit::LargestBlock, 5.0);
    assert_eq!(one.culprit, Some((Culprit::Block(BlockIdx(0)), 5.0)));
    let three = best_of(&phase(&[1.0; 2], &[block(0, 3), block(1, 3), block(2, 3)].concat(), &[]));
    check(three, Limit::LargeBlocks, 6.0);
    assert_eq!(three.culprit, Some((Culprit::Objects(3), 3.0)));
}

#[test]
fn a_block_away_from_home_reduces_the_capacity_for_load() {
    // The home of the block is rank 0. On rank 1 it costs 0.9, so two ranks share 4 s and 0.9.
    let objects = [0.7, 0.75, 0.5, 0.5, 0.75, 0.8].map(|load| (load, Some(0), None));
    let best = best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &affine(0.0, 0.1, vec![]));
    check(best, Limit::Homing, 2.45);
}

#[test]
fn unavoidable_communication_is_the_limiting_factor() {
    let beta = affine(1.0, 0.0, vec![]);
    // Two sentinels on different ranks, and an object whose load is negligible.
    let sentinels = [(0.5, None, Some(0)), (0.5, None, Some(1)), (0.1, None, None)];
    check(best_lower_bound(&phase(&[1.0; 3], &sentinels, &[(0, 1, 3.0)]), &beta), Limit::Communication, 3.5);
    // The object sends two bytes to each sentinel. On the rank of one of them, two bytes are off-rank, on the
    // third rank four.
    let best = best_lower_bound(&phase(&[1.0; 3], &sentinels, &[(2, 0, 2.0), (2, 1, 2.0)]), &beta);
    check(best, Limit::Communication, 2.6);
    assert_eq!(best.culprit, Some((Culprit::Object(Slot(2)), 0.1)));
    // On one rank, the two objects have 4 s; on two ranks, each has 2 s and three bytes off-rank.
    let best = best_lower_bound(&phase(&[1.0; 4], &free(&[2.0, 2.0]), &[(0, 1, 3.0)]), &beta);
    check(best, Limit::Communication, 4.0);
    assert_eq!(best.culprit, Some((Culprit::Pair(Slot(0), Slot(1)), 4.0)));
}

#[test]
fn empty_and_degenerate_phases_have_a_bound_of_zero() {
    let costs = affine(
        1.0,
        1.0,
        vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 0.0, scope: BoundScope::Node }],
    );
    for objects in [vec![], free(&[0.0; 3]), vec![(0.0, Some(0), None)], vec![(0.0, None, Some(0))]] {
        for alphas in [&[1.0][..], &[0.0], &[1.0, 0.0], &[1.0; 3]] {
            let phase = phase(alphas, &objects, &[]);
            check(best_lower_bound(&phase, &costs), Limit::Mean, 0.0);
            assert_eq!(
                infeasibility(&phase, &costs).is_some(),
                objects.iter().any(|object| object.1.is_some())
            );
        }
    }
}

/// The home of two blocks is rank 0, and one of them leaves. In the large unit, a product of load and size
/// would overflow.
#[test]
fn the_homing_bound_does_not_depend_on_the_unit() {
    let bound = |unit: f64| {
        let objects: Vec<Facts> =
            [(3.0, 0), (6.0, 1), (4.0, 1)].map(|(load, block)| (load * unit, Some(block), None)).to_vec();
        let phase = phase(&[1.0; 3], &objects, &[]);
        let columns = PhaseColumns {
            blocks: phase.blocks().iter().map(|block| Block { size_bytes: 5.0 * unit, ..*block }).collect(),
            ..phase.columns().clone()
        };
        let phase = Phase::new(PhaseId(0), columns).unwrap();
        let homing = lower_bounds_for(&phase, &affine(0.0, 0.3, vec![]), Units::Objects);
        homing.iter().find(|bound| bound.limit == Limit::Homing).unwrap().work / unit
    };
    assert!((bound(1e299) - bound(1.0)).abs() < 1e-9, "{} {}", bound(1e299), bound(1.0));
}
