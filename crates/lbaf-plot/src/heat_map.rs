// SPDX-License-Identifier: MIT OR Apache-2.0
//! Heat map of a quantity: of ranks over phases, or between ranks.

use std::ops::Range;

use crate::axis::{Axis, Numbers};
use crate::cells::{Cells, Shading};
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::tick::four_digits;
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Style};

/// Shades for a quantity in rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Columns, from the left.
    pub x: Side,
    /// Rows, from the bottom.
    pub y: Side,
    /// Values row by row from the bottom; `None` for missing values, whose cells stay white.
    pub values: Vec<Option<f64>>,
    /// Further values that the range of shades includes, so that several maps can be compared.
    pub also: Vec<f64>,
    /// Quantity, such as `load`.
    pub quantity: String,
    /// Unit; may be empty. Seconds and bytes (`s`, `B`) get a suitable prefix.
    pub unit: String,
    /// Remark for the legend, for example about groups of ranks; may be empty.
    pub remark: String,
    /// Title; may be empty.
    pub title: String,
}

/// Rows or columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Name of an item, such as `phase`.
    pub label: String,
    /// First number of each row or column, ascending.
    pub numbers: Vec<u64>,
    /// Number after the last one.
    pub end: u64,
    /// True if each row or column represents several items.
    is_grouped: bool,
}

impl Side {
    /// Creates `n` items in groups of `size`; the last group may be smaller.
    pub fn groups(label: &str, n: usize, size: usize) -> Self {
        let numbers = (0..n).step_by(size.max(1)).map(|first| first as u64).collect();
        Self { label: label.to_owned(), numbers, end: n as u64, is_grouped: size > 1 }
    }

    /// Creates one row or column for each number.
    pub fn listed(label: &str, numbers: Vec<u64>) -> Self {
        let end = numbers.last().map_or(0, |last| last + 1);
        Self { label: label.to_owned(), numbers, end, is_grouped: false }
    }

    /// Returns the name of the CSV column. For groups, it states that a group is numbered by its first item.
    fn column(&self) -> String {
        match self.numbers[..] {
            [first, second, ..] if self.is_grouped => format!("{} (first of {})", self.label, second - first),
            [first] if self.is_grouped => format!("{} (first of {})", self.label, self.end - first),
            _ => self.label.clone(),
        }
    }

    /// Returns the edges of the cells, and the axis. Cells are to scale if the numbers are at equal distances;
    /// otherwise all cells have the same size, and the axis lists the numbers.
    fn axis(&self) -> (Vec<f64>, Axis) {
        let ends = self.numbers.iter().skip(1).copied().chain([self.end]);
        let widths: Vec<u64> =
            self.numbers.iter().zip(ends).map(|(from, to)| to.saturating_sub(*from)).collect();
        let is_even = widths.iter().take(widths.len().saturating_sub(1)).all(|width| *width == widths[0]);
        let last_is_no_wider = widths.last() <= widths.first();
        if is_even && last_is_no_wider {
            // The tick of a number is in the middle of its cell or, in a group, of its item.
            let edges: Vec<f64> =
                self.numbers.iter().chain([&self.end]).map(|&edge| edge as f64 - 0.5).collect();
            let range = ends_of(&edges);
            return (edges, Axis::exactly(self.label.clone(), range, Numbers::Whole));
        }
        let edges: Vec<f64> = (0..=self.numbers.len()).map(|edge| edge as f64 - 0.5).collect();
        let range = ends_of(&edges);
        (edges, Axis::exactly(self.label.clone(), range, Numbers::Listed(self.numbers.clone())))
    }
}

fn ends_of(edges: &[f64]) -> Range<f64> {
    edges[0]..edges[edges.len() - 1]
}

impl Chart for HeatMap {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        let (columns, rows) = (self.x.numbers.len(), self.y.numbers.len());
        if columns == 0 || rows == 0 || self.values.len() != columns * rows {
            return Err(PlotError::Empty {
                item: format!("values by {} and {}", self.x.label, self.y.label),
            });
        }
        for value in self.values.iter().flatten().chain(&self.also) {
            check_value(*value, || format!("a {}", self.quantity))?;
        }
        let has_empty = self.values.iter().any(Option::is_none);
        let shading = Shading::of(self.values.iter().flatten().chain(&self.also).copied(), has_empty);
        let unit = Unit::of(&self.unit, shading.most);
        let (x_edges, x) = self.x.axis();
        let (y_edges, y) = self.y.axis();
        let number = |value: f64| {
            let own = Unit::of(&self.unit, value);
            let scaled = value / own.size;
            // Counts below a million, and zero, are written as integers.
            let is_count = scaled == 0.0 || (own.name.is_empty() && scaled.fract() == 0.0 && scaled < 1e6);
            own.with_number(&if is_count { scaled.to_string() } else { four_digits(scaled) })
        };
        let scale = if shading.is_logarithmic { " (log scale)" } else { "" };
        let is_there = self.values.iter().any(Option::is_some);
        let entry = |sample, text| Entry { sample, text };
        let mut legend = Vec::new();
        if is_there {
            let (least, most) = (number(shading.least), number(shading.most));
            let zero = if shading.is_logarithmic && shading.has_zero { "0, " } else { "" };
            legend.push(entry(Sample::Ramp(shading.palest), format!("{zero}{least} to {most}")));
            legend.push(entry(Sample::Nothing, format!("{}{scale}", self.quantity)));
        }
        if has_empty {
            let none = if is_there { "none".to_owned() } else { format!("no {}", self.quantity) };
            legend.push(entry(Sample::Blank, none));
        }
        if !self.remark.is_empty() {
            legend.push(entry(Sample::Nothing, self.remark.clone()));
        }
        // The CSV has one line for each cell with a value.
        let shown = || self.values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
        let number_at = |side: &Side, at: usize| side.numbers[at] as f64;
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} by {} and {}", self.quantity, self.x.label, self.y.label),
            legend,
            x,
            y,
            row_mm: ROW_MM,
            is_square: self.x.numbers == self.y.numbers && self.x.end == self.y.end,
            columns: vec![
                CsvColumn::new(self.x.column(), shown().map(|(at, _)| number_at(&self.x, at % columns))),
                CsvColumn::new(self.y.column(), shown().map(|(at, _)| number_at(&self.y, at / columns))),
                CsvColumn::new(
                    format!("{}{}", self.quantity, unit.suffix()),
                    shown().map(|(_, value)| value),
                ),
            ],
            marks: vec![Mark::Cells(Cells { x_edges, y_edges, values: self.values.clone(), shading })],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(x: Side, y: Side, values: Vec<Option<f64>>) -> HeatMap {
        HeatMap {
            x,
            y,
            values,
            also: Vec::new(),
            quantity: "load".to_owned(),
            unit: "s".to_owned(),
            remark: String::new(),
            title: String::new(),
        }
    }

    #[test]
    fn is_to_scale_unless_numbers_have_gaps() {
        let (edges, axis) = Side::groups("rank", 10, 4).axis();
        assert_eq!(edges, [-0.5, 3.5, 7.5, 9.5]);
        assert_eq!(axis.numbers, Numbers::Whole);
        let (edges, axis) = Side::listed("phase", vec![3, 4, 9]).axis();
        assert_eq!(edges, [-0.5, 0.5, 1.5, 2.5]);
        assert_eq!(axis.numbers, Numbers::Listed(vec![3, 4, 9]));
    }

    #[test]
    fn writes_cells_that_have_a_value() {
        let chart =
            map(Side::listed("phase", vec![5]), Side::groups("rank", 3, 1), vec![Some(1.5), None, Some(0.0)]);
        let figure = chart.figure(&Style::default()).unwrap();
        assert_eq!(figure.csv(), "phase,rank,load_s\n5,0,1.5\n5,2,0\n");
        let texts: Vec<&str> = figure.legend.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["0 s to 1.500 s", "load", "none"]);
    }

    #[test]
    fn refuses_values_that_do_not_fill_all_rows() {
        let chart = map(Side::groups("rank", 2, 1), Side::groups("rank", 2, 1), vec![Some(1.0); 3]);
        assert!(matches!(chart.figure(&Style::default()), Err(PlotError::Empty { .. })));
    }
}
