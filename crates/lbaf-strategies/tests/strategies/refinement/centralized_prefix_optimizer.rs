// SPDX-License-Identifier: MIT OR Apache-2.0
//! `CentralizedPrefixOptimizer`: its moves in cases computed by hand, and the quantities that it never makes
//! worse.

use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel};
use lbaf_model::{rank_totals, works};
use lbaf_strategies::{CentralizedPrefixOptimizer, Checked};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::bounds::{draw, made, tight};
use crate::cases;
use crate::made_phase::{Made, Object, memory, object, ranks, sentinel};

const FIRST: CentralizedPrefixOptimizer = CentralizedPrefixOptimizer { do_second_stage: false };
const BOTH: CentralizedPrefixOptimizer = CentralizedPrefixOptimizer { do_second_stage: true };

/// An object that uses a block.
fn with(load: f64, rank: u32, block: u32) -> Object {
    Object { block: Some(block), ..object(load, rank) }
}

fn loads(checked: &Checked) -> Vec<f64> {
    checked.totals.iter().map(|rank| rank.load).collect()
}

/// Rank 0 has a load of 10, and the mean is 5. The objects of 2 and 3 sum up to 5 and are contiguous in the
/// order of loads.
#[test]
fn the_contiguous_objects_that_bring_the_rank_to_the_mean_are_given() {
    let made = Made::of(2, vec![object(3.0, 0), object(1.0, 0), object(4.0, 0), object(2.0, 0)]);
    let checked = made.run(&FIRST, &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [1, 0, 0, 1]);
    let iterations = &checked.outcome.iterations;
    assert_eq!((iterations.len(), iterations[0].n_transfers, iterations[0].max_work), (1, 2, 5.0));
}

/// Rank 1 is twice as slow: all ranks are busy for 4 s if it has a load of 2 and rank 0 a load of 4.
#[test]
fn slow_ranks_are_given_less() {
    let loads = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let objects = loads.map(|load| object(load, 0)).to_vec();
    let made = Made { alphas: vec![1.0, 2.0], ..Made::of(2, objects) };
    let checked = made.run(&FIRST, &LoadOnly::default(), 0).unwrap();
    assert_eq!(checked.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [4.0, 4.0]);
}

/// Rank 2 is idle, but has no room for the block of the objects; rank 1 has the block already.
#[test]
fn objects_go_to_the_rank_of_their_block_if_they_fit_nowhere_else() {
    let objects = vec![with(4.0, 0, 0), with(4.0, 0, 0), with(1.0, 1, 0), with(0.0, 2, 1)];
    let made = Made { block_bytes: vec![9.0, 5.0], ..Made::of(3, objects) };
    let checked = made.run(&FIRST, &memory(10.0), 0).unwrap();
    assert_eq!(loads(&checked), [4.0, 5.0, 0.0]);
    // If both blocks fit on rank 2, it takes the surplus.
    let checked = made.run(&FIRST, &memory(14.0), 0).unwrap();
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 4.0);
}

/// Each of two ranks has two blocks of 1 byte and cannot hold a third. The loads are 6 + 4 and 3 + 1, so the mean
/// is 7.
#[test]
fn the_second_stage_exchanges_what_cannot_be_given() {
    let objects = vec![with(6.0, 0, 0), with(4.0, 0, 1), with(3.0, 1, 2), with(1.0, 1, 3)];
    let made = Made { block_bytes: vec![1.0; 4], ..Made::of(2, objects) };
    let checked = made.run(&FIRST, &memory(2.0), 0).unwrap();
    assert_eq!(loads(&checked), [10.0, 4.0]);
    let checked = made.run(&BOTH, &memory(2.0), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [1, 0, 0, 1]);
    let iterations = &checked.outcome.iterations;
    assert_eq!((iterations.len(), iterations[0].max_work, iterations[1].max_work), (2, 10.0, 7.0));
    assert_eq!((iterations[0].n_transfers, iterations[1].n_transfers), (0, 2));
}

/// Loads 5 + 4 and 3 + 2, all on one block: only an exchange of two single objects leads to 7 on both ranks.
#[test]
fn single_objects_are_exchanged_too() {
    let objects = vec![with(5.0, 0, 0), with(4.0, 0, 0), with(3.0, 1, 0), with(2.0, 1, 0)];
    let made = Made { block_bytes: vec![1.0], ..Made::of(2, objects) };
    let checked = made.run(&BOTH, &LoadOnly::default(), 0).unwrap();
    assert_eq!(loads(&checked), [7.0, 7.0]);
}

#[test]
fn sentinels_stay_and_hold_their_block() {
    let objects = vec![
        Object { block: Some(0), ..sentinel(9.0, 0) },
        with(2.0, 0, 0),
        with(1.0, 0, 0),
        sentinel(1.0, 1),
    ];
    let made = Made { block_bytes: vec![1.0], ..Made::of(2, objects) };
    let checked = made.run(&BOTH, &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [0, 1, 1, 1]);
}

/// Three blocks of 4 bytes on rank 0 of three, with a bound of 8 bytes for each rank.
#[test]
fn a_start_over_its_bounds_is_brought_within_them() {
    let objects = vec![with(1.0, 0, 0), with(1.0, 0, 0), with(1.0, 0, 1), with(1.0, 0, 2)];
    let made = Made { block_bytes: vec![4.0; 3], ..Made::of(3, objects) };
    let checked = made.run(&FIRST, &memory(8.0), 0).unwrap();
    assert!(!checked.infeasible);
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 2.0);
}

/// Runs both stages and asserts that neither the maximum work nor the largest excess is larger than at the start.
fn check(made: &Made, model: &dyn WorkModel) -> Result<(), TestCaseError> {
    let phase = made.phase();
    let before = works(model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
    let checked = made.run(&BOTH, model, 0).unwrap();
    let most = |works: &[lbaf_model::Work], value: fn(lbaf_model::Work) -> f64| {
        works.iter().map(|&work| value(work)).fold(0.0, f64::max)
    };
    let [cost, excess]: [fn(lbaf_model::Work) -> f64; 2] = [|work| work.cost(), |work| work.excess()];
    // The strategy updates work incrementally, so its sums differ by rounding from the recomputed work.
    prop_assert!(most(&checked.works, cost) <= most(&before, cost) * (1.0 + 1e-9));
    if before.iter().all(|work| !work.is_over_bound()) {
        prop_assert!(!checked.infeasible, "{:?} under {:?}", checked.works, model.bounds());
    }
    prop_assert!(most(&checked.works, excess) <= most(&before, excess) * (1.0 + 1e-9));
    let [first, second] = &checked.outcome.iterations[..] else {
        panic!("expected an iteration for each of two stages")
    };
    prop_assert!(second.max_work <= first.max_work * (1.0 + 1e-9));
    Ok(())
}

/// Coefficients of communication and homing, and speeds of ranks.
fn costs() -> impl Strategy<Value = (f64, f64, Vec<f64>)> {
    let alpha = prop::sample::select(vec![0.0, 0.5, 1.0, 1.0, 3.0]);
    (prop_oneof![Just(0.0), 0.0..1.0], prop_oneof![Just(0.0), 0.0..1.0], vec(alpha, 6))
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn neither_work_nor_excess_rises(
        made in made(|byte| f64::from(byte) / 7.0 + 0.1),
        (beta, delta, alphas) in costs(),
        bounds in prop_oneof![vec(draw(), 0..4), (draw(), 0.3..1.0_f64)
            .prop_map(|((quantity, scope, slack), factor)| vec![(quantity, scope, slack * factor)])],
    ) {
        let made = Made { alphas: alphas[..made.alphas.len()].to_vec(), ..made };
        let bounds = bounds.into_iter().map(|(quantity, scope, slack)| tight(&made, quantity, scope, slack));
        let parameters = AffineParameters { beta, delta, bounds: bounds.collect(), ..AffineParameters::default() };
        check(&made, &Affine::new(parameters).unwrap())?;
    }

    /// Without bounds, the most loaded rank exceeds the mean by at most the largest object.
    #[test]
    fn small_objects_are_balanced_close_to_the_mean(
        loads in vec(0.5..1.0_f64, 1..200),
        n_ranks in 1..300_usize,
    ) {
        let objects = loads.iter().map(|&load| object(load, 0)).collect();
        let checked = Made::of(n_ranks, objects).run(&FIRST, &LoadOnly::default(), 0).unwrap();
        let mean = loads.iter().sum::<f64>() / n_ranks as f64;
        let most = checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
        prop_assert!(most <= mean + 1.0, "{most} with a mean of {mean}");
    }
}
