// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shaded cells in rows and columns.

use crate::palette::{BESIDE_WHITE, shade};
use crate::spread::{Rule, Spread};
use plotters::style::RGBColor;

/// Grid of values. Edges are in the units of the axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cells {
    /// Left edges of columns, followed by the right edge of the last one.
    pub(crate) x_edges: Vec<f64>,
    /// Lower edges of rows, followed by the upper edge of the last one.
    pub(crate) y_edges: Vec<f64>,
    /// Values row by row from the lowest; `None` for empty cells.
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) shading: Shading,
}

/// Mapping of values to shades, on a linear or a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shading {
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) is_logarithmic: bool,
    /// True if there are zeros, which have the palest shade.
    pub(crate) has_zero: bool,
    /// Palest shade, as a position among the shades, from 0 to 1.
    pub(crate) palest: f64,
}

/// Number of steps between the palest and the darkest shade.
const LEVELS: f64 = 63.0;

impl Shading {
    /// Creates the mapping for finite, non-negative values; it is logarithmic if they are spread widely. If there are
    /// empty cells, which are white, the palest shades are left out.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>, has_empty: bool) -> Self {
        let Spread { least, most, has_zero, is_logarithmic, .. } = Spread::of(values, Rule::SHADES);
        let palest = if has_empty { BESIDE_WHITE } else { 0.0 };
        Self { least: if is_logarithmic { least } else { 0.0 }, most, is_logarithmic, has_zero, palest }
    }

    /// Returns the position of a value between least and most, from 0 to 1, rounded to distinguishable shades.
    pub(crate) fn part(&self, value: f64) -> f64 {
        let part = match self {
            Self { is_logarithmic: true, .. } if value <= 0.0 => 0.0,
            Self { least, most, is_logarithmic: true, .. } => {
                libm::log(value / least) / libm::log(most / least)
            }
            Self { most, .. } if *most > 0.0 => value / most,
            _ => 0.0,
        };
        (part.clamp(0.0, 1.0) * LEVELS).round() / LEVELS
    }
}

impl Cells {
    /// Returns the numbers of neighbouring columns and of rows to merge, so that at most `at_most` of each remain.
    pub(crate) fn steps(&self, at_most: usize) -> [usize; 2] {
        let step = |edges: &[f64]| edges.len().saturating_sub(1).div_ceil(at_most).max(1);
        [step(&self.x_edges), step(&self.y_edges)]
    }

    /// Merges neighbouring cells, so that at most `at_most` columns and rows remain. A merged cell has the largest of
    /// their values; it is empty if all of them are.
    pub(crate) fn coarser(&self, at_most: usize) -> Self {
        let [columns, rows] = self.steps(at_most);
        let edges = |edges: &[f64], step: usize| {
            let (inner, last) = edges.split_at(edges.len().saturating_sub(1));
            inner.iter().step_by(step).chain(last).copied().collect::<Vec<f64>>()
        };
        let n_columns = self.x_edges.len().saturating_sub(1).max(1);
        let n_coarse = n_columns.div_ceil(columns);
        let n_rows = self.values.len() / n_columns;
        let mut values = vec![None; n_coarse * n_rows.div_ceil(rows)];
        for (at, value) in self.values.iter().enumerate() {
            let cell: &mut Option<f64> =
                &mut values[at / n_columns / rows * n_coarse + at % n_columns / columns];
            if let Some(value) = value {
                *cell = Some(cell.map_or(*value, |other| other.max(*value)));
            }
        }
        Self {
            x_edges: edges(&self.x_edges, columns),
            y_edges: edges(&self.y_edges, rows),
            values,
            ..self.clone()
        }
    }

    /// Returns the rectangles (left, right, low, high) of non-empty cells with their shades; neighbours of equal shade
    /// in a row are merged.
    pub(crate) fn rectangles(&self) -> Vec<([f64; 4], RGBColor)> {
        let n_columns = self.x_edges.len().saturating_sub(1);
        let mut rectangles = Vec::new();
        if n_columns == 0 {
            return rectangles;
        }
        for (row, values) in self.values.chunks(n_columns).enumerate() {
            let (low, high) = (self.y_edges[row], self.y_edges[row + 1]);
            let parts: Vec<Option<f64>> =
                values.iter().map(|value| value.map(|value| self.shading.part(value))).collect();
            let mut column = 0;
            for run in parts.chunk_by(|a, b| a == b) {
                let end = column + run.len();
                if let Some(part) = run[0] {
                    let shade = shade(self.shading.palest + (1.0 - self.shading.palest) * part);
                    rectangles.push(([self.x_edges[column], self.x_edges[end], low, high], shade));
                }
                column = end;
            }
        }
        rectangles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::grey;

    #[test]
    fn shades_are_logarithmic_where_values_are_far_apart() {
        let wide = Shading::of([1.0, 1e3, 1e6], false);
        assert!(wide.is_logarithmic);
        assert!((wide.part(1e3) - 0.5).abs() < 0.01);
        assert!(!Shading::of([0.0, 1e6], false).is_logarithmic);
        let near = Shading::of([2.0, 4.0], false);
        assert_eq!((near.least, near.part(4.0)), (0.0, 1.0));
        assert!((near.part(2.0) - 0.5).abs() < 0.01);
    }

    /// On white paper, the palest shade would be hardly visible beside empty cells.
    #[test]
    fn the_palest_shade_beside_white_is_visible() {
        let cells = |empty: Option<f64>| Cells {
            x_edges: vec![0.0, 1.0, 2.0],
            y_edges: vec![0.0, 1.0],
            values: vec![Some(1e-3), empty],
            shading: Shading::of([1e-3, 1.0], empty.is_none()),
        };
        let palest = |cells: &Cells| grey(cells.rectangles()[0].1).0;
        assert!(palest(&cells(None)) < 190);
        assert!(palest(&cells(Some(1.0))) > 210);
    }

    #[test]
    fn shades_a_range_of_zeros() {
        let zero = Shading::of([0.0, 0.0], false);
        assert_eq!(zero.part(0.0), 0.0);
    }

    #[test]
    fn equal_neighbours_are_one_rectangle() {
        let cells = Cells {
            x_edges: vec![0.0, 1.0, 2.0, 3.0],
            y_edges: vec![0.0, 1.0, 2.0],
            values: vec![Some(1.0), Some(1.0), None, None, Some(0.5), Some(1.0)],
            shading: Shading::of([0.0, 1.0], true),
        };
        let places: Vec<[f64; 4]> = cells.rectangles().iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [[0.0, 2.0, 0.0, 1.0], [1.0, 2.0, 1.0, 2.0], [2.0, 3.0, 1.0, 2.0]]);
    }

    #[test]
    fn a_merged_cell_has_the_largest_of_the_values() {
        let cells = Cells {
            x_edges: vec![0.0, 1.0, 2.0, 3.0],
            y_edges: vec![0.0, 1.0, 2.0, 5.0],
            values: vec![Some(1.0), Some(4.0), None, None, Some(2.0), None, Some(7.0), None, Some(9.0)],
            shading: Shading::of([9.0], true),
        };
        let coarse = cells.coarser(2);
        assert_eq!((&coarse.x_edges[..], &coarse.y_edges[..]), (&[0.0, 2.0, 3.0][..], &[0.0, 2.0, 5.0][..]));
        assert_eq!(coarse.values, [Some(4.0), None, Some(7.0), Some(9.0)]);
        assert_eq!(cells.coarser(3), cells);
    }
}
