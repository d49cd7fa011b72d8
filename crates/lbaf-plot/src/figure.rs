// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures: axes, marks, legend and numbers of a chart, for pictures, LaTeX and CSV.

mod frame;
mod numbers;
mod pgfplots;
mod plot;

use crate::axis::{Axis, Numbers};
use crate::cells::Cells;
use crate::legend::{Entry, Sample, remark};
use crate::palette::{BOUND, Look, Pen};
use crate::tick::four_digits;
use crate::unit::Unit;
use crate::{PlotError, Size, Style, Svg};
use plotters::style::RGBColor;

/// Chart ready to be drawn or written.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Title, drawn at the top if the style has titles.
    pub(crate) title: String,
    /// Description: title of the SVG if the chart has no title, and a comment in LaTeX.
    pub(crate) description: String,
    pub(crate) legend: Vec<Entry>,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Marks in drawing order.
    pub(crate) marks: Vec<Mark>,
    /// True if both axes have the same numbers, so that the plot area is a square.
    pub(crate) is_square: bool,
    /// Height of each row, if rows have names.
    pub(crate) row_mm: f64,
    /// Columns of the CSV, with numbers in units without prefixes.
    pub(crate) columns: Vec<CsvColumn>,
}

/// Mark between the axes, in their units.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// Line, with the area below it if the look has a filling.
    Edge(Vec<(f64, f64)>, Look),
    /// Line, with markers at its points if `is_marked`.
    Line { points: Vec<(f64, f64)>, look: Look, is_marked: bool },
    /// Horizontal line over the whole width.
    Level(f64, Pen),
    /// Area between two lines.
    Band { low: Vec<(f64, f64)>, high: Vec<(f64, f64)>, color: RGBColor },
    /// Shaded cells in rows and columns.
    Cells(Cells),
}

/// Named column of numbers or words. `None` gives an empty cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CsvColumn {
    pub(crate) name: String,
    pub(crate) values: Vec<Option<f64>>,
    /// Words, if the column has no numbers.
    pub(crate) words: Vec<String>,
}

impl CsvColumn {
    pub(crate) fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        Self::with_gaps(name, values.into_iter().map(Some).collect())
    }

    pub(crate) fn with_gaps(name: impl Into<String>, values: Vec<Option<f64>>) -> Self {
        Self { name: name.into(), values, words: Vec::new() }
    }

    pub(crate) fn of_words(name: impl Into<String>, words: Vec<String>) -> Self {
        Self { name: name.into(), values: Vec::new(), words }
    }
}

/// Creates the line of a lower bound and its legend entry.
pub(crate) fn lower_bound(bound: f64, note: &str, unit: &Unit) -> (Mark, Entry) {
    let value = unit.with_number(&four_digits(bound / unit.size));
    let text = format!("lower bound {value}{}", remark(note));
    (Mark::Level(bound / unit.size, BOUND.pen), Entry { sample: Sample::Line(BOUND.pen), text })
}

/// Usual height of a named row, and height of the space above and below all rows together.
pub(crate) const ROW_MM: f64 = 5.0;
const AROUND_ROWS_MM: f64 = 20.0;

/// Maximum height of a square chart on two columns, which leaves space for text.
pub(crate) const HIGHEST_SQUARE_MM: f64 = 110.0;

impl Figure {
    /// Returns the size of this figure in a style. For a square chart in a style without a height, the height is a
    /// maximum.
    pub(crate) fn size(&self, style: &Style) -> Size {
        let size = style.size();
        match style.height_mm {
            None if self.is_square => Size { height_mm: size.width_mm.min(HIGHEST_SQUARE_MM), ..size },
            None => match &self.y.numbers {
                Numbers::Named(names) => {
                    let rows_mm = self.row_mm * names.len() as f64 + ROW_MM;
                    Size { height_mm: (AROUND_ROWS_MM + rows_mm).max(size.height_mm), ..size }
                }
                _ => size,
            },
            Some(_) => size,
        }
    }

    /// Draws the figure at the width of the style. In a style without a height, square charts and charts with named
    /// rows have their own height.
    ///
    /// # Errors
    ///
    /// Returns [`PlotError::Draw`] if the drawing library fails.
    pub fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        frame::draw(self, style)
    }

    /// Returns the numbers of the figure as CSV with a header line, unrounded and in units without prefixes.
    #[must_use]
    pub fn csv(&self) -> String {
        numbers::csv(&self.columns)
    }

    /// Returns the figure as LaTeX: a self-contained `tikzpicture` for pgfplots 1.16 or newer. It is as wide as a line
    /// of text (`\linewidth`), except that the sides of a square are at most 85 mm long. Its ticks and legend are
    /// arranged for a column or a page, depending on the width of the style.
    #[must_use]
    pub fn pgfplots(&self, style: &Style) -> String {
        pgfplots::text(self, style)
    }
}
