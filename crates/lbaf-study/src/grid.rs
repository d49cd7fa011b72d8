// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells of a study. A cell has one choice on each axis.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use thiserror::Error;

/// Combination of choices on several axes into cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combination {
    /// All combinations of choices. The choice on the last axis changes fastest.
    #[default]
    Grid,
    /// The first cell has the first choice on each axis, the second cell the second, and so on. An axis with a
    /// single choice has it in all cells.
    Zip,
    /// Random sample of `n` distinct cells of the grid. With the same seed, a larger sample contains every
    /// smaller one.
    Sample {
        /// Number of cells. If the grid has fewer, the sample is the whole grid.
        n: usize,
        /// Seed of the draw.
        seed: u64,
    },
}

/// Error of combining axes into cells.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// An axis has no choice.
    #[error("axis {axis} (counted from 0) has no values")]
    Empty {
        /// Position of the axis, from 0.
        axis: usize,
    },
    /// Zipped axes have different numbers of choices.
    #[error(
        "axis {axis} (counted from 0) has {length} values, but an earlier axis has {others}; zipped axes must have the \
         same number of values, or a single value"
    )]
    Lengths {
        /// Position of the axis, from 0.
        axis: usize,
        /// Number of its choices.
        length: usize,
        /// Number of choices of the earlier axes with more than one choice.
        others: usize,
    },
    /// The grid or the sample has too many cells.
    #[error(
        "the grid or the sample has more than {most} cells; `combine: {{sample: N}}` draws `N` cells of the grid"
    )]
    TooLarge {
        /// Maximum number of cells.
        most: usize,
    },
}

/// Maximum number of cells of a grid or a sample, because the results of all cells are in memory at the end.
pub const MOST_CELLS: usize = 10_000_000;

/// Returns the cells of a study: for each cell, the position of its choice on each axis. `lengths` contains
/// the number of choices on each axis.
///
/// # Errors
/// If an axis has no choices, if zipped axes with more than one choice differ in length, or if a grid or a
/// sample has more than [`MOST_CELLS`] cells.
pub fn cells(lengths: &[usize], combination: Combination) -> Result<Vec<Vec<usize>>, GridError> {
    if let Some(axis) = lengths.iter().position(|&length| length == 0) {
        return Err(GridError::Empty { axis });
    }
    match combination {
        Combination::Grid => {
            let n = n_cells(lengths).filter(|&n| n <= MOST_CELLS as u128);
            let n = n.ok_or(GridError::TooLarge { most: MOST_CELLS })?;
            Ok((0..n).map(|number| choices(lengths, number)).collect())
        }
        Combination::Zip => zipped(lengths),
        Combination::Sample { n, seed } => {
            if n > MOST_CELLS {
                return Err(GridError::TooLarge { most: MOST_CELLS });
            }
            let all = n_cells(lengths).ok_or(GridError::TooLarge { most: MOST_CELLS })?;
            let numbers = if all <= n as u128 { (0..all).collect() } else { drawn(all, n, seed) };
            Ok(numbers.into_iter().map(|number| choices(lengths, number)).collect())
        }
    }
}

fn n_cells(lengths: &[usize]) -> Option<u128> {
    lengths.iter().try_fold(1_u128, |product, &length| product.checked_mul(length as u128))
}

/// Returns cell `number` of the grid: its choices are the digits of the number in a mixed-radix system.
fn choices(lengths: &[usize], number: u128) -> Vec<usize> {
    let mut rest = number;
    let mut choices = vec![0; lengths.len()];
    for (choice, &length) in choices.iter_mut().zip(lengths).rev() {
        *choice = (rest % length as u128) as usize;
        rest /= length as u128;
    }
    choices
}

fn zipped(lengths: &[usize]) -> Result<Vec<Vec<usize>>, GridError> {
    let n = lengths.iter().copied().find(|&length| length != 1).unwrap_or(1);
    let other = lengths.iter().enumerate().find(|&(_, &length)| length != 1 && length != n);
    if let Some((axis, &length)) = other {
        return Err(GridError::Lengths { axis, length, others: n });
    }
    let cell = |at: usize| lengths.iter().map(|&length| if length == 1 { 0 } else { at }).collect();
    Ok((0..n).map(cell).collect())
}

/// Returns `n` distinct random numbers below `all`, ascending. They are drawn one after the other, so that
/// with the same seed, a larger sample contains every smaller one.
fn drawn(all: u128, n: usize, seed: u64) -> Vec<u128> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers = FxHashSet::default();
    while numbers.len() < n {
        numbers.insert(random.random_range(0..all));
    }
    let mut numbers: Vec<u128> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_every_cell_once_and_the_last_axis_is_fastest() {
        let grid = cells(&[2, 1, 3], Combination::Grid).unwrap();
        assert_eq!(grid, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
        assert_eq!(cells(&[], Combination::Grid).unwrap(), [[0_usize; 0]]);
    }

    #[test]
    fn zipped_axes_advance_together() {
        assert_eq!(cells(&[2, 1, 2], Combination::Zip).unwrap(), [[0, 0, 0], [1, 0, 1]]);
        let error = cells(&[2, 3], Combination::Zip).unwrap_err();
        assert_eq!(error, GridError::Lengths { axis: 1, length: 3, others: 2 });
        assert_eq!(cells(&[2, 0], Combination::Zip).unwrap_err(), GridError::Empty { axis: 1 });
    }

    #[test]
    fn larger_samples_contain_smaller_ones() {
        let sample = |n| cells(&[50, 40, 30], Combination::Sample { n, seed: 7 }).unwrap();
        let (small, large) = (sample(20), sample(200));
        assert_eq!((small.len(), large.len()), (20, 200));
        assert!(small.iter().all(|cell| large.contains(cell)));
        assert!(large.is_sorted());
        assert_ne!(small, cells(&[50, 40, 30], Combination::Sample { n: 20, seed: 8 }).unwrap());
        // A sample larger than the grid is the whole grid.
        assert_eq!(
            cells(&[2, 3], Combination::Sample { n: 9, seed: 0 }).unwrap(),
            cells(&[2, 3], Combination::Grid).unwrap()
        );
    }

    #[test]
    fn huge_grids_can_be_sampled_but_not_listed() {
        let lengths = [1000; 8];
        assert_eq!(cells(&lengths, Combination::Grid).unwrap_err(), GridError::TooLarge { most: MOST_CELLS });
        assert_eq!(cells(&lengths, Combination::Sample { n: 5, seed: 0 }).unwrap().len(), 5);
        assert!(cells(&[usize::MAX; 3], Combination::Sample { n: 5, seed: 0 }).is_err());
    }
}
