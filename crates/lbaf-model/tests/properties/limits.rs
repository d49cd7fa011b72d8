// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case worked by hand for each kind of lower bound, in which it is the best.

use lbaf_model::{
    Affine, AffineParameters, Block, BlockIdx, BoundScope, Culprit, Limit, LowerBound, Object, ObjectMemory,
    Phase, PhaseColumns, PhaseId, RankId, RankQuantity, Slot, Units, UpperBound, best_lower_bound,
    infeasibility, lower_bounds_for,
};

/// An object: seconds of load, block, and the rank that it may not leave.
type Facts = (f64, Option<u32>, Option<u32>);

/// Objects recorded on rank 0 if they may leave, blocks of 9 bytes at home there, and messages between objects.
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

/// Objects that may go anywhere.
fn free(loads: &[f64]) -> Vec<Facts> {
    loads.iter().map(|&load| (load, None, None)).collect()
}

fn affine(beta: f64, delta: f64, bounds: Vec<UpperBound>) -> Affine {
    Affine::new(AffineParameters { beta, delta, bounds, ..AffineParameters::default() }).unwrap()
}

/// So many bytes of blocks on every rank.
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
fn of_five_equal_objects_two_ranks_do_not_have_two_each() {
    let best = best_lower_bound(&phase(&[1.0; 2], &free(&[1.0; 5]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::LargeObjects, 3.0);
    assert_eq!(best.culprit, Some((Culprit::Objects(5), 1.0)));
    // Beside a second of sentinels on rank 1 the two largest are on both ranks, or one has 3 + 2.
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
    // Ten objects are on ten ranks at most: two fast ones and eight slow ones.
    check(best, Limit::FastestRanks, loads.iter().sum::<f64>() / (2.0 + 8.0 / 1000.0));
    assert_eq!(best.culprit, Some((Culprit::Objects(10), 0.09)));
}

#[test]
fn objects_cannot_be_packed_beside_a_large_one() {
    // Half of the total is 9, but 6 has no room beside it for a 4, and the other rank has 8 of the 12.
    let best =
        best_lower_bound(&phase(&[1.0; 2], &free(&[6.0, 4.0, 4.0, 4.0]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::Packing, 10.0);
    // On a rank of speed 1 and one of speed 1/2: with 4.5 s on both, the fast one has four of the five.
    let best = best_lower_bound(&phase(&[1.0, 2.0], &free(&[1.0; 7]), &[]), &affine(0.0, 0.0, vec![]));
    check(best, Limit::Packing, 5.0);
}

#[test]
fn blocks_that_have_no_room_twice_are_not_shared() {
    let objects = [vec![(0.25, Some(0), None); 24], vec![(0.25, Some(1), None); 8]].concat();
    // Six seconds and two of two blocks, on two ranks that have room for one block each.
    check(best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &block_bytes(9.0)), Limit::Memory, 6.0);
    // On three ranks there is room for one of them twice.
    check(best_lower_bound(&phase(&[1.0; 3], &objects, &[]), &block_bytes(9.0)), Limit::Memory, 3.0);
    // Where both have room everywhere, nothing but the mean limits.
    check(best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &block_bytes(18.0)), Limit::Mean, 4.0);
}

#[test]
fn three_blocks_have_no_room_on_two_ranks() {
    let objects: Vec<Facts> = (0..3).map(|block| (1.0, Some(block), None)).collect();
    let phase = phase(&[1.0; 2], &objects, &[]);
    assert!(infeasibility(&phase, &block_bytes(17.0)).is_some());
    assert!(infeasibility(&phase, &block_bytes(18.0)).is_none());
    // A bound that nothing keeps bounds no work.
    check(best_lower_bound(&phase, &block_bytes(17.0)), Limit::LargeObjects, 2.0);
}

#[test]
fn what_stays_together_limits_as_one() {
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
fn a_block_away_from_home_costs_in_the_place_of_load() {
    // All is at home on rank 0. With W on both, rank 1 has 0.9 of it for the block: 2 W = 4 + 0.9.
    let objects = [0.7, 0.75, 0.5, 0.5, 0.75, 0.8].map(|load| (load, Some(0), None));
    let best = best_lower_bound(&phase(&[1.0; 2], &objects, &[]), &affine(0.0, 0.1, vec![]));
    check(best, Limit::Homing, 2.45);
}

#[test]
fn communication_that_cannot_be_avoided_limits() {
    let beta = affine(1.0, 0.0, vec![]);
    // Two sentinels on different ranks, and an object that is nothing beside what they say.
    let sentinels = [(0.5, None, Some(0)), (0.5, None, Some(1)), (0.1, None, None)];
    check(best_lower_bound(&phase(&[1.0; 3], &sentinels, &[(0, 1, 3.0)]), &beta), Limit::Communication, 3.5);
    // An object that says two bytes to each: beside one of them it says two across, elsewhere four.
    let best = best_lower_bound(&phase(&[1.0; 3], &sentinels, &[(2, 0, 2.0), (2, 1, 2.0)]), &beta);
    check(best, Limit::Communication, 2.6);
    assert_eq!(best.culprit, Some((Culprit::Object(Slot(2)), 0.1)));
    // Two that are together with 4 s, or apart with 2 s and three bytes each.
    let best = best_lower_bound(&phase(&[1.0; 4], &free(&[2.0, 2.0]), &[(0, 1, 3.0)]), &beta);
    check(best, Limit::Communication, 4.0);
    assert_eq!(best.culprit, Some((Culprit::Pair(Slot(0), Slot(1)), 4.0)));
}

#[test]
fn nothing_to_bound_is_no_reason_to_fail() {
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

/// Four seconds of two blocks at home on rank 0, of which one can go: the same in any unit.
#[test]
fn homing_limits_the_same_in_units_of_the_largest_numbers() {
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
