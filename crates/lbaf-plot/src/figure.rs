// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a chart consists of: axes, marks, a legend, and the numbers behind them. From it the picture is drawn, and what
//! authors take into their own documents is written.

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

/// A chart, ready to be drawn or written down.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Drawn above everything if the style has titles.
    pub(crate) title: String,
    /// What the picture shows, for whoever cannot see it.
    pub(crate) description: String,
    pub(crate) legend: Vec<Entry>,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// What is drawn, in this order.
    pub(crate) marks: Vec<Mark>,
    /// Whether both axes count the same, so that the place between them is about as high as it is wide.
    pub(crate) is_square: bool,
    /// The numbers behind the marks, in plain units.
    pub(crate) columns: Vec<CsvColumn>,
}

/// Something between the axes, in their units.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// A line, with the area below it if the look has a filling.
    Edge(Vec<(f64, f64)>, Look),
    /// A line, with its points if they are to be marked.
    Line { points: Vec<(f64, f64)>, look: Look, is_marked: bool },
    /// A line from the left end to the right at one height.
    Level(f64, Pen),
    /// The area between two lines.
    Band { low: Vec<(f64, f64)>, high: Vec<(f64, f64)>, color: RGBColor },
    /// Shades in rows and columns.
    Cells(Cells),
}

/// Numbers with a name, or words. Where there is none, nothing stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CsvColumn {
    pub(crate) name: String,
    pub(crate) values: Vec<Option<f64>>,
    /// What stands there instead of numbers.
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

/// The line of a lower bound, and what the legend says of it.
pub(crate) fn lower_bound(bound: f64, note: &str, unit: &Unit) -> (Mark, Entry) {
    let value = unit.with_number(&four_digits(bound / unit.size));
    let text = format!("lower bound {value}{}", remark(note));
    (Mark::Level(bound / unit.size, BOUND.pen), Entry { sample: Sample::Line(BOUND.pen), text })
}

/// What a row with a name of its own takes, and what stands above and below all rows.
const ROW_MM: f64 = 5.0;
const AROUND_ROWS_MM: f64 = 20.0;

/// A square on two columns is no higher than this: a page has room for text, too.
const HIGHEST_SQUARE_MM: f64 = 110.0;

impl Figure {
    /// The size at which a style draws this figure.
    pub(crate) fn size(&self, style: &Style) -> Size {
        let size = style.size();
        match style.height_mm {
            None if self.is_square => Size { height_mm: size.width_mm.min(HIGHEST_SQUARE_MM), ..size },
            None => match &self.y.numbers {
                Numbers::Named(names) => {
                    let rows_mm = ROW_MM * (names.len() as f64 + 1.0);
                    Size { height_mm: (AROUND_ROWS_MM + rows_mm).max(size.height_mm), ..size }
                }
                _ => size,
            },
            Some(_) => size,
        }
    }

    /// Draws the figure at the size that the style asks for.
    ///
    /// # Errors
    ///
    /// [`PlotError::Draw`] when the drawing library fails.
    pub fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        frame::draw(self, style)
    }

    /// The numbers behind the picture as CSV with a line of names: plain units, all digits.
    #[must_use]
    pub fn csv(&self) -> String {
        numbers::csv(&self.columns)
    }

    /// The figure as LaTeX: a `tikzpicture` for the package pgfplots (1.16 or newer) of the width that the style asks for.
    /// What colours are called is defined in it; it needs nothing else.
    #[must_use]
    pub fn pgfplots(&self, style: &Style) -> String {
        pgfplots::text(self, style)
    }
}
