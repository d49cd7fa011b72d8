// SPDX-License-Identifier: MIT OR Apache-2.0
//! Common guarantees of `RecursiveCoordinateBisection` and `SpaceFillingCurve`.

use lbaf_model::{Affine, AffineParameters, BoundScope, LoadOnly, RankId, RankQuantity, UpperBound};
use lbaf_strategies::{Curve, RecursiveCoordinateBisection, SpaceFillingCurve, Strategy, StrategyError};
use proptest::collection::vec;
use proptest::prelude::{Strategy as _, prop_assert, proptest};

use crate::made_phase::{Made, Object, object, ranks, sentinel};
use crate::{bounds, cases, posed};

/// Returns an object of load 1 on rank 0 at every grid point of a box. The last index varies fastest.
pub(crate) fn grid(sides: &[i64], n_ranks: usize) -> Made {
    let mut indices = vec![Vec::new()];
    for &side in sides {
        let longer = |index: &Vec<i64>| (0..side).map(|at| [&index[..], &[at]].concat()).collect::<Vec<_>>();
        indices = indices.iter().flat_map(longer).collect();
    }
    let objects = vec![object(1.0, 0); indices.len()];
    Made { indices, ..Made::of(n_ranks, objects) }
}

/// Returns objects at positions on a line.
fn line(objects: Vec<Object>, at: impl IntoIterator<Item = i64>, alphas: &[f64]) -> Made {
    Made {
        alphas: alphas.to_vec(),
        indices: at.into_iter().map(|at| vec![at]).collect(),
        ..Made::of(0, objects)
    }
}

/// Returns strategies that assign parts to ranks in order.
fn in_order() -> [Box<dyn Strategy>; 3] {
    let curve = |curve| Box::new(SpaceFillingCurve { curve, remap: false });
    let bisection = RecursiveCoordinateBisection { remap: false };
    [Box::new(bisection), curve(Curve::Hilbert), curve(Curve::Morton)]
}

fn remapped() -> [Box<dyn Strategy>; 3] {
    let curve = |curve| Box::new(SpaceFillingCurve { curve, ..SpaceFillingCurve::default() });
    let bisection = RecursiveCoordinateBisection::default();
    [Box::new(bisection), curve(Curve::Hilbert), curve(Curve::Morton)]
}

/// Asserts that all strategies of [`in_order`] return the expected placement.
#[track_caller]
fn check_in_order(made: &Made, expected: &[u32]) {
    for strategy in in_order() {
        let checked = made.run(&*strategy, &LoadOnly::default(), 0).unwrap();
        assert_eq!(ranks(&checked.outcome.assignment), expected, "{}", strategy.name());
    }
}

#[test]
fn strategies_that_cut_space_need_coordinates() {
    assert!(in_order().iter().all(|strategy| strategy.needs_coordinates()));
    assert!(!lbaf_strategies::Greedy::default().needs_coordinates());
}

#[test]
fn slower_ranks_get_less() {
    let objects = vec![object(1.0, 0); 9];
    check_in_order(&line(objects.clone(), 0..9, &[1.0, 2.0]), &[0, 0, 0, 0, 0, 0, 1, 1, 1]);
    check_in_order(&line(objects, (0..9).rev(), &[1.0, 0.5]), &[1, 1, 1, 1, 1, 1, 0, 0, 0]);
}

/// Rank 0 gets 4 + 2 x 1 s, rank 1 gets 6 x 1 s.
#[test]
fn load_of_sentinels_reduces_the_share_of_their_rank() {
    let objects = [vec![sentinel(4.0, 0)], vec![object(1.0, 0); 8]].concat();
    check_in_order(&line(objects, 0..9, &[1.0, 1.0]), &[0, 0, 0, 1, 1, 1, 1, 1, 1]);
}

/// Rank 1 has a sentinel of 9 s, and each other rank gets 3 x 1 s.
#[test]
fn a_rank_above_the_level_gets_nothing() {
    let objects = [vec![sentinel(9.0, 1)], vec![object(1.0, 1); 6]].concat();
    check_in_order(&line(objects, 0..7, &[1.0; 3]), &[1, 0, 0, 0, 2, 2, 2]);
}

#[test]
fn whole_numbers_of_any_size_are_positions() {
    let ends = [i64::MIN, i64::MAX];
    let made = Made {
        indices: ends.iter().flat_map(|&x| ends.map(|y| vec![x, y])).collect(),
        ..Made::of(4, vec![object(1.0, 0); 4])
    };
    for strategy in in_order() {
        let checked = made.run(&*strategy, &LoadOnly::default(), 0).unwrap();
        assert!(checked.totals.iter().all(|rank| rank.load == 1.0), "{}", strategy.name());
    }
    let spread = [i64::MIN, -5, -4, 0, 1, i64::MAX];
    check_in_order(&line(vec![object(1.0, 0); 6], spread, &[1.0; 3]), &[0, 0, 1, 1, 2, 2]);
}

/// Only the numbers of the objects differ.
#[test]
fn equal_objects_at_one_position_are_distributed_evenly() {
    for load in [0.0, 2.5] {
        check_in_order(&line(vec![object(load, 0); 8], [7; 8], &[1.0; 4]), &[0, 0, 1, 1, 2, 2, 3, 3]);
    }
}

/// Objects with an index of one number and objects with an index of two numbers count as separate collections, each
/// scaled to the whole box.
#[test]
fn collections_share_a_box() {
    let mut made = line(vec![object(1.0, 0); 8], (0..4).map(|at| 100 * at), &[1.0; 2]);
    made.indices.extend((0..4).map(|at| vec![at - 7, 3]));
    check_in_order(&made, &[0, 0, 1, 1, 0, 0, 1, 1]);
}

/// Of the objects with an index, rank 0 gets 1 s and rank 1 gets 2 s. Then the object of 3 s goes to rank 0, and
/// the object of 2 s to rank 1.
#[test]
fn objects_without_an_index_are_placed_by_load_and_counted() {
    let objects = [vec![object(1.0, 0); 3], vec![object(2.0, 0), object(3.0, 0), object(0.0, 1)]].concat();
    let mut made = line(objects, 0..3, &[1.0; 2]);
    check_in_order(&made, &[0, 1, 1, 1, 0, 1]);
    let note = |made: &Made| {
        let outcome = made.run(&SpaceFillingCurve::default(), &LoadOnly::default(), 0).unwrap().outcome;
        outcome.notes
    };
    let sentence =
        |n| format!("{n} of 6 migratable objects have no `index`; those with load are placed by load alone");
    assert_eq!(note(&made), [sentence(3)]);
    made.indices.clear();
    assert_eq!(note(&made), [sentence(6)]);
    made.indices = (0..6).map(|at| vec![at]).collect();
    assert!(note(&made).is_empty());
}

#[test]
fn more_dimensions_than_eight_are_refused() {
    let error = grid(&[1; 9], 2).run(&SpaceFillingCurve::default(), &LoadOnly::default(), 0).unwrap_err();
    let message = "there are objects with an `index` of 9 numbers; at most 8 are supported".to_owned();
    assert_eq!(error, StrategyError::Parameters { strategy: "SpaceFillingCurve", message });
    assert!(grid(&[2; 8], 2).run(&SpaceFillingCurve::default(), &LoadOnly::default(), 0).is_ok());
}

/// Ranks already hold the parts in another order. With relabelling, no object moves.
#[test]
fn parts_are_assigned_to_the_ranks_that_have_them() {
    let names = [3, 0, 4, 2, 5, 1];
    for (strategy, in_order) in remapped().iter().zip(in_order()) {
        let mut made = grid(&[9, 7], names.len());
        let parts = made.run(&*in_order, &LoadOnly::default(), 0).unwrap().outcome.assignment;
        for (object, part) in made.objects.iter_mut().zip(parts.as_slice()) {
            object.rank = names[part.index()];
        }
        let remapped = made.run(&**strategy, &LoadOnly::default(), 0).unwrap();
        assert_eq!(remapped.outcome.iterations[0].n_transfers, 0, "{}", strategy.name());
        assert!(made.run(&*in_order, &LoadOnly::default(), 0).unwrap().outcome.iterations[0].n_transfers > 0);
    }
}

/// Each rank can hold 7 bytes, so one of the first four objects of 2 bytes goes to rank 1.
#[test]
fn objects_that_a_rank_cannot_hold_go_to_its_neighbour() {
    let with = |footprint_bytes| Object { footprint_bytes, ..object(1.0, 0) };
    let made = line([vec![with(2.0); 4], vec![with(0.5); 4]].concat(), 0..8, &[1.0; 2]);
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 7.0, scope: BoundScope::Rank };
    let model = Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    for strategy in in_order() {
        let checked = made.run(&*strategy, &model, 0).unwrap();
        assert!(!checked.infeasible);
        assert_eq!(ranks(&checked.outcome.assignment), [1, 0, 0, 0, 1, 1, 1, 1]);
    }
}

/// Adds an index of up to three numbers to each object.
fn indexed(
    made: impl proptest::strategy::Strategy<Value = Made>,
) -> impl proptest::strategy::Strategy<Value = Made> {
    (made, vec(vec(-3..4_i64, 0..4), 24)).prop_map(|(made, indices)| Made { indices, ..made })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_start_within_bounds_stays_within_them(
        made in indexed(bounds::made(|byte| f64::from(byte) / 7.0 + 0.1)),
        bounds in vec(bounds::draw(), 1..4),
        which in 0..3_usize,
    ) {
        bounds::check(&made, &bounds, &*remapped()[which])?;
    }

    #[test]
    fn threads_change_nothing_and_sentinels_stay(
        (made, model) in posed::posed(),
        indices in vec(vec(-3..4_i64, 0..4), 24),
        which in 0..3_usize,
    ) {
        let made = Made { indices, ..made };
        let strategy = &remapped()[which];
        posed::assert_same_on_any_number_of_threads(&made, &**strategy, &model, 0)?;
        let checked = made.run(&**strategy, &model, 0).unwrap();
        for (object, &rank) in made.objects.iter().zip(checked.outcome.assignment.as_slice()) {
            prop_assert!(object.migratable || RankId(object.rank) == rank);
        }
    }
}
