// SPDX-License-Identifier: MIT OR Apache-2.0
//! Additional guarantees of `SpaceFillingCurve`.

use lbaf_model::LoadOnly;
use lbaf_strategies::{Curve, SpaceFillingCurve};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, object, ranks};
use crate::partitioning::geometry::grid;

/// A curve fills one cube after the other, if the sides of the grid and of the cubes are powers of two.
#[test]
fn with_as_many_ranks_as_cubes_each_gets_a_cube() {
    for curve in [Curve::Hilbert, Curve::Morton] {
        for (sides, n_ranks, side) in [(&[16, 16][..], 16, 4), (&[8, 8, 8], 8, 4), (&[64], 16, 4)] {
            let made = grid(sides, n_ranks);
            let strategy = SpaceFillingCurve { curve, ..SpaceFillingCurve::default() };
            let found = ranks(&made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment);
            let mut cube_of = vec![None; n_ranks];
            for (index, rank) in made.indices.iter().zip(found) {
                let cube: Vec<i64> = index.iter().map(|at| at / side).collect();
                assert_eq!(*cube_of[rank as usize].get_or_insert(cube.clone()), cube, "{curve:?} {rank}");
            }
        }
    }
}

/// Consecutive pieces of the Hilbert curve touch each other.
#[test]
fn consecutive_ranks_are_neighbours_in_space() {
    let made = grid(&[16, 16], 23);
    let strategy = SpaceFillingCurve { remap: false, ..SpaceFillingCurve::default() };
    let found = ranks(&made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment);
    let places = || made.indices.iter().zip(&found);
    for rank in 1..23 {
        let touch = places().filter(|&(_, &on)| on == rank).any(|(index, _)| {
            places().any(|(other, &on)| {
                on == rank - 1 && index.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).sum::<u64>() == 1
            })
        });
        assert!(touch, "{rank}");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Loads are whole numbers, so sums are exact.
    #[test]
    fn no_rank_has_more_than_the_mean_plus_the_largest_object(
        objects in vec((0..50_u32, vec(-40..40_i64, 1..4)), 1..60),
        n_ranks in 1..12_usize,
        hilbert in any::<bool>(),
    ) {
        let made = Made {
            indices: objects.iter().map(|(_, index)| index.clone()).collect(),
            ..Made::of(n_ranks, objects.iter().map(|&(load, _)| object(f64::from(load), 0)).collect())
        };
        let curve = if hilbert { Curve::Hilbert } else { Curve::Morton };
        let strategy = SpaceFillingCurve { curve, ..SpaceFillingCurve::default() };
        let checked = made.run(&strategy, &LoadOnly::default(), 0).unwrap();
        let most = checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
        let loads = || objects.iter().map(|&(load, _)| load);
        let mean = f64::from(loads().sum::<u32>()) / n_ranks as f64;
        prop_assert!(most <= mean + f64::from(loads().max().unwrap_or(0)), "{most} {mean}");
    }
}
