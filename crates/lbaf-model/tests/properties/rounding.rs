// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tight lower bounds are never above the work of a placement in any order of summation, not even by an ulp.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, Ccm, CcmParameters, LoadOnly, Object,
    ObjectMemory, Phase, RankId, Subphases, Synchronised, Units, WorkModel, best_lower_bound, load_bound,
    load_bound_for, lower_bounds, lower_bounds_for, rank_totals, synchronised_bound,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::optima::for_each_placement;

/// Builds a phase of objects with these loads and ranks, of which every fifth is non-migratable if
/// `sentinels` is true.
fn phase(alphas: &[f64], objects: &[(f64, u32)], sentinels: bool) -> Phase {
    let object = |(at, &object): (usize, &(f64, u32))| Object {
        migratable: !sentinels || at % 5 != 4,
        ..object.into()
    };
    let phase = Phase::builder(alphas.len()).alphas(alphas.iter().copied());
    phase.objects(objects.iter().enumerate().map(object)).build().unwrap()
}

/// Builds a phase of objects in blocks, given load, rank and block of each object.
fn in_blocks(n_ranks: usize, objects: &[(f64, u32, u32)]) -> Phase {
    let object = |&(load, rank, block): &(f64, u32, u32)| Object {
        memory: ObjectMemory { block: Some(BlockIdx(block)), ..ObjectMemory::default() },
        ..Object::new(load, RankId(rank))
    };
    let n_blocks = objects.iter().map(|object| object.2 + 1).max().unwrap_or(0);
    let block = |id| Block { id: u64::from(id), size_bytes: 0.0, home: RankId(0) };
    let phase = Phase::builder(n_ranks).objects(objects.iter().map(object));
    phase.blocks((0..n_blocks).map(block)).build().unwrap()
}

/// Returns models that compute work by different sequences of operations.
fn models(alpha: f64) -> [Box<dyn WorkModel>; 3] {
    let affine = AffineParameters { alpha, beta: 0.3, gamma: 0.7, delta: 0.1, bounds: Vec::new() };
    let ccm = CcmParameters { alpha, beta: 0.3, gamma: 0.7, ..CcmParameters::default() };
    [
        Box::new(LoadOnly::new(alpha).unwrap()),
        Box::new(Affine::new(affine).unwrap()),
        Box::new(Ccm::new(ccm).unwrap()),
    ]
}

fn max_work(phase: &Phase, model: &dyn WorkModel, assignment: &Assignment) -> f64 {
    rank_totals(phase, assignment).iter().map(|rank| model.work(rank).cost()).fold(0.0, f64::max)
}

/// Draws units of loads: exact, decimal, huge, and so small that they have few digits.
fn unit() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 0.1, 1e-3, 1.0 / 3.0, 0.7e-6, 1e300, 1e-310, 5e-324])
}

/// Draws a phase in integers, with equal sums of loads on all ranks: load and rank of each object, in random
/// order.
fn even(n_ranks: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    (vec(vec(1..50_u32, 0..8), n_ranks), 400..500_u32).prop_flat_map(|(ranks, total)| {
        let objects: Vec<(u32, u32)> = (0..)
            .zip(ranks)
            .flat_map(|(rank, mut loads): (u32, Vec<u32>)| {
                loads.push(total - loads.iter().sum::<u32>());
                loads.into_iter().map(move |load| (load, rank))
            })
            .collect();
        Just(objects).prop_shuffle()
    })
}

/// Asserts that no bound for whole blocks exceeds the work of the recorded placement, and that the best one is
/// below it only by rounding errors. This placement keeps blocks whole, and all its ranks have the same work in
/// real numbers.
fn check_perfect_blocks(phase: &Phase, model: &dyn WorkModel) -> Result<(), TestCaseError> {
    let at = phase.recorded_assignment();
    let work = max_work(phase, model, at);
    let bounds = lower_bounds_for(phase, model, Units::Clusters(at));
    for bound in &bounds {
        prop_assert!(bound.work <= work, "{bound:?} is above {work} of {}", model.name());
    }
    let best = bounds.iter().map(|bound| bound.work).fold(0.0, f64::max);
    prop_assert!(best >= work * (1.0 - 1e-12) - 2e-320, "{best} of {work}");
    let most = rank_totals(phase, at).iter().map(|rank| rank.load).fold(0.0, f64::max);
    prop_assert!(load_bound_for(phase, Units::Clusters(at)).work <= most);
    Ok(())
}

/// Each rank has two blocks of 500 objects of 0.1 s. The 1000 additions of the work of a rank lose more than
/// the few additions of the bound.
#[test]
fn no_bound_of_whole_blocks_is_above_sums_over_their_objects() {
    let objects: Vec<(f64, u32, u32)> = (0..2000).map(|at| (0.1, at / 1000, at / 500)).collect();
    let phase = in_blocks(2, &objects);
    let work = max_work(&phase, &LoadOnly::default(), phase.recorded_assignment());
    assert!((100.0 - 1e-11..100.0).contains(&work), "{work}");
    check_perfect_blocks(&phase, &LoadOnly::default()).unwrap();
}

/// The sum of the second block is a multiple of 2^-50, but the loads of its objects are not: each load of
/// 2^-53 is lost if it is added after the 1 of the first block.
#[test]
fn sums_of_blocks_do_not_hide_digits_of_their_objects() {
    let mut objects = vec![(1.0, 0, 0)];
    objects.extend([(f64::EPSILON / 2.0, 0, 1); 8]);
    objects.push((1.0, 0, 1));
    let phase = in_blocks(1, &objects);
    assert_eq!(max_work(&phase, &LoadOnly::default(), phase.recorded_assignment()), 2.0);
    check_perfect_blocks(&phase, &LoadOnly::default()).unwrap();
}

/// Asserts that no bound exceeds the work of the recorded placement, which is the same on all ranks in real
/// numbers, and that the best one is below it only by rounding errors.
fn check_perfect(phase: &Phase, model: &dyn WorkModel) -> Result<(), TestCaseError> {
    let work = max_work(phase, model, phase.recorded_assignment());
    for bound in lower_bounds(phase, model) {
        prop_assert!(bound.work <= work, "{bound:?} is above {work} of {}", model.name());
    }
    let best = best_lower_bound(phase, model).work;
    prop_assert!(best >= work * (1.0 - 1e-12) - 1e-320, "{best} of {work}");
    Ok(())
}

/// All objects have the same times in every subphase, and both ranks have the same number of objects, so the
/// placement is perfect in each subphase.
#[test]
fn no_synchronised_bound_is_above_times_that_sum_up_to_whole_numbers() {
    for (parts, n) in [(vec![0.9, 0.1], 500), (vec![0.6, 0.4], 5000), (vec![0.1, 0.4, 0.5], 1000)] {
        let objects: Vec<(f64, u32)> = (0..2 * n).map(|at| (parts.iter().sum(), at / n)).collect();
        let times: Vec<(u32, f64)> = (0..).zip(parts.iter().copied()).collect();
        let subphases: Subphases = objects.iter().map(|_| times.clone()).collect();
        let phase = phase(&[1.0, 1.0], &objects, false).with_subphases(subphases).unwrap();
        let taken = Synchronised::of(&phase, phase.recorded_assignment()).unwrap().seconds();
        let bound = synchronised_bound(&phase).unwrap();
        assert!(bound.seconds() <= taken, "{} of {taken}", bound.seconds());
        assert!(bound.seconds() >= taken * (1.0 - 4e-12), "{} of {taken}", bound.seconds());
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn no_bound_is_above_a_perfect_placement(
        objects in (2..6_usize).prop_flat_map(even),
        unit in unit(),
        alpha in prop::sample::select(vec![1.0, 0.1, 0.3, 4.0]),
        sentinels in any::<bool>(),
    ) {
        let n_ranks = objects.iter().map(|object| object.1).max().unwrap() as usize + 1;
        let loads: Vec<(f64, u32)> = objects.iter().map(|&(load, rank)| (f64::from(load) * unit, rank)).collect();
        let phase = phase(&vec![1.0; n_ranks], &loads, sentinels);
        for model in models(alpha) {
            check_perfect(&phase, &*model)?;
        }
        let loads = rank_totals(&phase, phase.recorded_assignment());
        let most = loads.iter().map(|rank| rank.load).fold(0.0, f64::max);
        prop_assert!(load_bound(&phase).work <= most);
    }

    /// The load of each rank is in proportion to its speed.
    #[test]
    fn no_bound_is_above_a_perfect_placement_on_ranks_of_several_speeds(
        objects in (2..5_usize).prop_flat_map(even),
        slowness in vec(1..8_u32, 5),
        unit in prop::sample::select(vec![1.0, 0.1, 1e-3]),
        sentinels in any::<bool>(),
    ) {
        let n_ranks = objects.iter().map(|object| object.1).max().unwrap() as usize + 1;
        let alphas: Vec<f64> = slowness[..n_ranks].iter().map(|&slow| f64::from(slow)).collect();
        let loads: Vec<(f64, u32)> = (objects.iter())
            .map(|&(load, rank)| (f64::from(load) * unit / alphas[rank as usize], rank))
            .collect();
        let phase = phase(&alphas, &loads, sentinels);
        for model in models(0.1) {
            check_perfect(&phase, &*model)?;
        }
    }

    /// Compares the bounds with the optimum of all placements.
    #[test]
    fn no_bound_is_above_the_best_placement(
        loads in vec((0..6_u32, 0..2_u32), 1..7),
        unit in unit(),
        mixed in any::<bool>(),
        alphas in vec(prop::sample::select(vec![1.0, 1.0, 0.3, 2.0, 1e-300]), 1..4),
        alpha in prop::sample::select(vec![1.0, 0.1]),
        sentinels in any::<bool>(),
    ) {
        let n_ranks = alphas.len() as u32;
        let load = |at: usize, load: u32| f64::from(load) * if mixed && at == 0 { 1e300 } else { unit };
        let objects: Vec<(f64, u32)> = (loads.iter().enumerate())
            .map(|(at, &(of, rank))| (load(at, of), rank % n_ranks))
            .collect();
        let phase = phase(&alphas, &objects, sentinels);
        for model in models(alpha) {
            let mut optimum = f64::INFINITY;
            for_each_placement(&phase, |assignment| {
                optimum = optimum.min(max_work(&phase, &*model, assignment));
            });
            for bound in lower_bounds(&phase, &*model) {
                prop_assert!(bound.work <= optimum, "{bound:?} is above {optimum} of {}", model.name());
            }
        }
    }

    /// All ranks have equal blocks, of up to hundreds of objects in any order.
    #[test]
    fn no_bound_of_whole_blocks_is_above_a_perfect_placement(
        n_ranks in 1..4_u32,
        blocks in vec((1..200_u32, 1..9_u32, 0..9_u32), 1..4),
        unit in unit(),
        alpha in prop::sample::select(vec![1.0, 0.1]),
        (is_mixed, seed) in any::<(bool, u64)>(),
    ) {
        let n_blocks = blocks.len() as u32;
        let mut objects: Vec<(f64, u32, u32)> = (0..n_ranks)
            .flat_map(|rank| (0..).zip(&blocks).flat_map(move |(block, &(n, load, step))| {
                let load = move |at: u32| f64::from(load + at * step % 11) * unit;
                (0..n).map(move |at| (load(at), rank, rank * n_blocks + block))
            }))
            .collect();
        prop_assume!(objects.iter().map(|object| object.0).sum::<f64>() < 1e305);
        if is_mixed {
            let mut order: Vec<(u64, usize)> =
                (0..objects.len()).map(|at| ((at as u64 + 1).wrapping_mul(seed | 1) >> 7, at)).collect();
            order.sort_unstable();
            objects = order.into_iter().map(|(_, at)| objects[at]).collect();
        }
        let phase = in_blocks(n_ranks as usize, &objects);
        for model in models(alpha) {
            check_perfect_blocks(&phase, &*model)?;
        }
    }

    /// In each subphase, all objects have the same share of their time, so the placement is perfect there
    /// too.
    #[test]
    fn no_synchronised_bound_is_above_a_perfect_placement(
        objects in (2..5_usize).prop_flat_map(even),
        parts in vec(1..9_u32, 1..5),
        unit in unit(),
    ) {
        let n_ranks = objects.iter().map(|object| object.1).max().unwrap() as usize + 1;
        let seconds = |load: u32, part: u32| f64::from(load * part) * unit;
        let loads: Vec<(f64, u32)> =
            (objects.iter()).map(|&(load, rank)| (seconds(load, parts.iter().sum()), rank)).collect();
        let subphases: Subphases = (objects.iter())
            .map(|&(load, _)| {
                (0..).zip(&parts).map(|(at, &part)| (at, seconds(load, part))).collect::<Vec<(u32, f64)>>()
            })
            .collect();
        // Sums of loads near the largest number may overflow.
        prop_assume!(loads.iter().map(|load| load.0).sum::<f64>() < 1e305);
        let phase = phase(&vec![1.0; n_ranks], &loads, false).with_subphases(subphases).unwrap();
        let taken = Synchronised::of(&phase, phase.recorded_assignment()).unwrap();
        let bound = synchronised_bound(&phase).unwrap();
        prop_assert!(bound.seconds() <= taken.seconds(), "{} of {}", bound.seconds(), taken.seconds());
        for (bound, &most) in bound.by_subphase.iter().zip(&taken.maxima) {
            prop_assert!(bound.work <= most);
        }
    }
}
