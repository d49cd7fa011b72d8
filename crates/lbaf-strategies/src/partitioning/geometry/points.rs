// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects as points in a common box.

use std::cmp::Ordering;

use lbaf_model::{Slot, Space};

use crate::{Problem, StrategyError};

/// Largest accepted number of dimensions; memory for each object grows with it.
const MOST_DIMENSIONS: usize = 8;

/// Migratable objects that have an `index`, ascending by slot. A point is a position in this list.
pub(crate) struct Points {
    pub(super) slots: Vec<Slot>,
    /// Load of each point, or 1 if all loads are 0.
    pub(crate) weights: Vec<f64>,
    /// Number of coordinates of a point.
    pub(crate) dimension: usize,
    /// Coordinates of all points, one point after the other.
    numbers: Vec<u64>,
    /// True if weights are counts instead of loads.
    pub(super) are_counted: bool,
}

/// Mapping of a collection into the common box: `(index - least) * to / from` on each axis.
struct Fit {
    least: Vec<i64>,
    from: u64,
    to: u64,
}

impl Points {
    /// Maps all collections into a common box.
    ///
    /// Collections are aligned to one corner. Each is scaled to the length of the longest, by the same factor in
    /// all directions. A collection with fewer dimensions is on a face of the box.
    ///
    /// # Errors
    /// If objects have indices of too many dimensions.
    pub(super) fn new(strategy: &'static str, problem: &Problem<'_>) -> Result<Self, StrategyError> {
        let phase = problem.phase;
        let spaces = phase.coordinates().map_or(&[][..], |coordinates| coordinates.spaces());
        let dimension = spaces.iter().map(|space| space.dimension).max().unwrap_or(0);
        if dimension > MOST_DIMENSIONS {
            let message = format!(
                "there are objects with an `index` of {dimension} numbers; at most {MOST_DIMENSIONS} are supported"
            );
            return Err(StrategyError::Parameters { strategy, message });
        }
        let mut fits: Vec<Fit> = spaces.iter().map(fit).collect();
        let longest = fits.iter().map(|fit| fit.from).max().unwrap_or(0);
        for fit in &mut fits {
            fit.to = longest;
        }
        let (mut slots, mut weights, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            let Some((space, index)) = phase.coordinates().and_then(|coordinates| coordinates.of(slot))
            else {
                continue;
            };
            slots.push(slot);
            weights.push(phase.load(slot));
            let fitted =
                index.iter().zip(&fits[space].least).map(|(&at, &least)| fits[space].number(at, least));
            numbers.extend(fitted);
            numbers.resize(slots.len() * dimension, 0);
        }
        let are_counted = !weights.iter().any(|&load| load > 0.0);
        if are_counted {
            weights.fill(1.0);
        }
        Ok(Points { slots, weights, dimension, numbers, are_counted })
    }

    /// Returns the number of points.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the coordinates of a point.
    pub(crate) fn at(&self, point: u32) -> &[u64] {
        &self.numbers[point as usize * self.dimension..][..self.dimension]
    }

    /// Returns the largest coordinate of any point.
    pub(crate) fn largest(&self) -> u64 {
        self.numbers.iter().copied().max().unwrap_or(0)
    }

    /// Compares points along an axis, then along the following axes, then by number.
    pub(crate) fn compare(&self, axis: usize, a: u32, b: u32) -> Ordering {
        let (at_a, at_b) = (self.at(a), self.at(b));
        let along = |axis: usize| at_a[axis].cmp(&at_b[axis]);
        (axis..self.dimension).chain(0..axis).map(along).find(|order| order.is_ne()).unwrap_or(a.cmp(&b))
    }
}

/// Returns the mapping of a collection without scaling. `from` and `to` are its largest extent along any axis.
fn fit(space: &Space) -> Fit {
    let mut least = vec![i64::MAX; space.dimension];
    let mut most = vec![i64::MIN; space.dimension];
    for index in space.indices() {
        for ((least, most), &at) in least.iter_mut().zip(&mut most).zip(index) {
            (*least, *most) = ((*least).min(at), (*most).max(at));
        }
    }
    let longest = least.iter().zip(&most).map(|(&least, &most)| distance(least, most)).max().unwrap_or(0);
    Fit { least, from: longest, to: longest }
}

/// Returns `at - least`, which may exceed the range of `i64`, for `at` of at least `least`.
fn distance(least: i64, at: i64) -> u64 {
    at.wrapping_sub(least).cast_unsigned()
}

impl Fit {
    fn number(&self, at: i64, least: i64) -> u64 {
        let distance = distance(least, at);
        if self.from == self.to {
            return distance;
        }
        // A collection of a single point has length 0.
        (u128::from(distance) * u128::from(self.to) / u128::from(self.from.max(1))) as u64
    }
}
