// SPDX-License-Identifier: MIT OR Apache-2.0
//! Additional guarantees of `RecursiveCoordinateBisection`.

use lbaf_model::LoadOnly;
use lbaf_strategies::RecursiveCoordinateBisection;

use crate::made_phase::{Made, object, ranks};
use crate::partitioning::geometry::grid;

fn bisected(made: &Made) -> Vec<u32> {
    let strategy = RecursiveCoordinateBisection { remap: false };
    ranks(&made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment)
}

/// Counts the pairs of grid neighbours on different ranks.
fn n_cut(made: &Made, ranks: &[u32]) -> usize {
    let mut n_cut = 0;
    for (at, index) in made.indices.iter().enumerate() {
        for (other, beside) in made.indices.iter().enumerate().skip(at) {
            let far: u64 = index.iter().zip(beside).map(|(a, b)| a.abs_diff(*b)).sum();
            n_cut += usize::from(far == 1 && ranks[at] != ranks[other]);
        }
    }
    n_cut
}

/// Cuts of 16 x 8 lead to 8 x 8, 4 x 8 and 4 x 4. Between the squares are 3 lines of 8 pairs and a line of 16
/// pairs.
#[test]
fn a_grid_is_cut_into_squares() {
    let made = grid(&[16, 8], 8);
    let found = bisected(&made);
    let expected: Vec<i64> = made.indices.iter().map(|index| 2 * (index[0] / 4) + index[1] / 4).collect();
    assert_eq!(found.iter().map(|&rank| i64::from(rank)).collect::<Vec<_>>(), expected);
    assert_eq!(n_cut(&made, &found), 3 * 8 + 16);
}

/// Between 64 cubes of side 2 are 3 planes of 64 pairs in each of 3 directions.
#[test]
fn a_cube_is_cut_into_cubes() {
    let made = grid(&[8, 8, 8], 64);
    let found = bisected(&made);
    for part in 0..64 {
        let own = made.indices.iter().zip(&found).filter(|&(_, &rank)| rank == part);
        let own: Vec<_> = own.map(|(index, _)| index.iter().map(|at| at / 2).collect::<Vec<_>>()).collect();
        assert!(own.len() == 8 && own.iter().all(|corner| *corner == own[0]), "{own:?}");
    }
    assert_eq!(n_cut(&made, &found), 3 * 3 * 64);
}

/// Three ranks are divided into one and two.
#[test]
fn parts_are_equal_if_the_number_of_ranks_is_not_a_power_of_two() {
    let found = bisected(&grid(&[12, 2], 3));
    assert_eq!(found, (0..24).map(|at| at / 8).collect::<Vec<u32>>());
}

/// The first object has the load of all other objects.
#[test]
fn a_heavy_object_has_a_part_of_its_own() {
    let objects = (0..9).map(|at| object(if at == 0 { 8.0 } else { 1.0 }, 0)).collect();
    let made = Made { indices: (0..9).map(|at| vec![at]).collect(), ..Made::of(2, objects) };
    assert_eq!(bisected(&made), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
}

/// Objects with the same coordinate along the cut are divided by the next coordinate, regardless of their numbers.
#[test]
fn objects_equal_along_the_cut_are_divided_by_other_coordinates() {
    let mut made = grid(&[5, 4], 2);
    // Shuffle the objects.
    made.indices.sort_by_key(|index| (index[0] * 7 + index[1] * 3) % 11);
    let found = bisected(&made);
    let low = |index: &[i64]| index[0] < 2 || (index[0] == 2 && index[1] < 2);
    let expected: Vec<u32> = made.indices.iter().map(|index| u32::from(!low(index))).collect();
    assert_eq!(found, expected);
}
