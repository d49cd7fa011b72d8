// SPDX-License-Identifier: MIT OR Apache-2.0
//! `CentralizedPrefixOptimizer`: cases computed by hand, and quantities that never rise.

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

/// Returns an object that uses a block.
fn with(load: f64, rank: u32, block: u32) -> Object {
    Object { block: Some(block), ..object(load, rank) }
}

fn loads(checked: &Checked) -> Vec<f64> {
    checked.totals.iter().map(|rank| rank.load).collect()
}

/// The mean is 5 = 2 + 3, two objects that are contiguous in the order of loads.
#[test]
fn the_contiguous_objects_that_bring_the_rank_to_the_mean_are_given() {
    let made = Made::of(2, vec![object(3.0, 0), object(1.0, 0), object(4.0, 0), object(2.0, 0)]);
    let checked = made.run(&FIRST, &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [1, 0, 0, 1]);
    let iterations = &checked.outcome.iterations;
    assert_eq!((iterations.len(), iterations[0].n_transfers, iterations[0].max_work), (1, 2, 5.0));
}

/// Rank 1 is half as fast: 1 x 4 s = 2 x 2 s.
#[test]
fn slow_ranks_are_given_less() {
    let loads = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let objects = loads.map(|load| object(load, 0)).to_vec();
    let made = Made { alphas: vec![1.0, 2.0], ..Made::of(2, objects) };
    let checked = made.run(&FIRST, &LoadOnly::default(), 0).unwrap();
    assert_eq!(checked.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [4.0, 4.0]);
}

/// Rank 2 is idle, but has no room for the block of the objects. Rank 1 already holds the block.
#[test]
fn objects_go_to_the_rank_of_their_block_if_they_fit_nowhere_else() {
    let objects = vec![with(4.0, 0, 0), with(4.0, 0, 0), with(1.0, 1, 0), with(0.0, 2, 1)];
    let made = Made { block_bytes: vec![9.0, 5.0], ..Made::of(3, objects) };
    let checked = made.run(&FIRST, &memory(10.0), 0).unwrap();
    assert_eq!(loads(&checked), [4.0, 5.0, 0.0]);
    // Both blocks fit on rank 2.
    let checked = made.run(&FIRST, &memory(14.0), 0).unwrap();
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 4.0);
}

/// No rank can hold a third block. The loads are 6 + 4 and 3 + 1, and 3 + 4 and 6 + 1 after the exchange.
#[test]
fn the_second_stage_exchanges_objects_that_cannot_be_given() {
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

/// All objects share a block. The loads are 5 + 4 and 3 + 2, and 5 + 2 and 3 + 4 after the exchange.
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

/// Rank 0 has 3 x 4 bytes, with a bound of 8 bytes.
#[test]
fn a_start_over_its_bounds_is_brought_within_them() {
    let objects = vec![with(1.0, 0, 0), with(1.0, 0, 0), with(1.0, 0, 1), with(1.0, 0, 2)];
    let made = Made { block_bytes: vec![4.0; 3], ..Made::of(3, objects) };
    let checked = made.run(&FIRST, &memory(8.0), 0).unwrap();
    assert!(!checked.infeasible);
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 2.0);
}

/// Asserts that neither the maximum work nor the largest excess rises, and that the second stage does not raise the
/// maximum work.
fn check(made: &Made, model: &dyn WorkModel) -> Result<(), TestCaseError> {
    let phase = made.phase();
    let before = works(model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
    let checked = made.run(&BOTH, model, 0).unwrap();
    let most = |works: &[lbaf_model::Work], value: fn(lbaf_model::Work) -> f64| {
        works.iter().map(|&work| value(work)).fold(0.0, f64::max)
    };
    let [cost, excess]: [fn(lbaf_model::Work) -> f64; 2] = [|work| work.cost(), |work| work.excess()];
    // Incrementally updated work differs from recomputed work by rounding.
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

/// Draws coefficients of communication and homing, and `alpha` of ranks.
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

    /// Every object has a load below 1.
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
