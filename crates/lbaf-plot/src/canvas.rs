// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a chart, measured in millimetres from its upper left corner.
//!
//! The drawing library rounds to whole units, so the page is drawn in hundredths of a millimetre, far below what a printer
//! resolves. Its own defaults are meant for pixels and would vanish at that scale: every size is given explicitly.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use crate::PlotError;
use crate::font::FAMILY;
use crate::palette::{INK, Marker, PAPER, Pen};

/// A place on the page in units.
pub(crate) type Spot = (i32, i32);

/// The drawing library's view of the whole page.
pub(crate) type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Units in a millimetre.
const UNITS_PER_MM: f64 = 100.0;

/// Millimetres in a point of print.
const MM_PER_PT: f64 = 25.4 / 72.0;

/// Half the width of a marker, in millimetres.
const MARKER_MM: f64 = 0.7;

/// The page.
pub(crate) struct Canvas<'a> {
    sheet: Sheet<'a>,
}

impl<'a> Canvas<'a> {
    /// A white page.
    pub(crate) fn new(sheet: Sheet<'a>) -> Result<Self, PlotError> {
        sheet.fill(&PAPER).map_err(draw_error)?;
        Ok(Self { sheet })
    }

    /// The page as the drawing library knows it.
    pub(crate) const fn sheet(&self) -> &Sheet<'a> {
        &self.sheet
    }

    /// A line through the spots. Dashes are kept to straight lines, which are those of two spots.
    pub(crate) fn line(&self, spots: Vec<Spot>, pen: Pen) -> Result<(), PlotError> {
        match (pen.dash_mm, spots.as_slice()) {
            (Some(dash_mm), &[from, to]) => {
                for (start, end) in dashes(from, to, dash_mm) {
                    self.stroke(vec![start, end], pen)?;
                }
                Ok(())
            }
            _ => self.stroke(spots, pen),
        }
    }

    /// A filled shape without an outline.
    pub(crate) fn fill(&self, spots: Vec<Spot>, color: RGBColor) -> Result<(), PlotError> {
        self.sheet.draw(&Polygon::new(spots, color.filled())).map_err(draw_error)
    }

    /// A single point of a series.
    pub(crate) fn marker(&self, (x, y): Spot, marker: Marker, pen: Pen) -> Result<(), PlotError> {
        let half = units(MARKER_MM);
        match marker {
            Marker::Circle => {
                // A white disc first: a line that passes below the ring must not show inside.
                self.sheet.draw(&Circle::new((x, y), half, PAPER.filled())).map_err(draw_error)?;
                self.sheet.draw(&Circle::new((x, y), half, stroke_of(pen))).map_err(draw_error)
            }
            Marker::Square => {
                // Of equal area with the ring, a square is narrower.
                let half = units(MARKER_MM * 0.85);
                let corners = [(x - half, y - half), (x + half, y + half)];
                self.sheet.draw(&Rectangle::new(corners, pen.color.filled())).map_err(draw_error)
            }
            Marker::Bar => self.stroke(vec![(x - half, y), (x + half, y)], pen),
        }
    }

    /// A text that begins at `spot`, the left end of its baseline.
    pub(crate) fn text(&self, text: &str, em_mm: f64, (x, y): Spot) -> Result<(), PlotError> {
        // The library places the baseline 0.76 em below the top of a text, in every viewer alike; its centred text
        // depends on the height that a viewer takes for an `ex`.
        let top = y - units(0.76 * em_mm);
        self.sheet.draw_text(text, &text_style(em_mm), (x, top)).map_err(draw_error)
    }

    fn stroke(&self, spots: Vec<Spot>, pen: Pen) -> Result<(), PlotError> {
        self.sheet.draw(&PathElement::new(spots, stroke_of(pen))).map_err(draw_error)
    }
}

/// Units in a length in millimetres, rounded.
pub(crate) fn units(mm: f64) -> i32 {
    (mm * UNITS_PER_MM).round() as i32
}

/// Millimetres in a length in points.
pub(crate) fn mm_of_points(points: f64) -> f64 {
    points * MM_PER_PT
}

/// Black text of a size in millimetres.
pub(crate) fn text_style(em_mm: f64) -> TextStyle<'static> {
    // The library divides the size by 1.24 before it writes it.
    let size = em_mm * UNITS_PER_MM * 1.24;
    let font = (FAMILY, size).into_font();
    font.color(&INK).pos(Pos::new(HPos::Left, VPos::Top))
}

/// An outline.
pub(crate) fn stroke_of(pen: Pen) -> ShapeStyle {
    let width = units(mm_of_points(pen.width_pt)).unsigned_abs();
    pen.color.stroke_width(width)
}

/// An error of the drawing library as ours.
#[allow(clippy::needless_pass_by_value, reason = "map_err hands over the error itself")]
pub(crate) fn draw_error(error: DrawingAreaErrorKind<std::io::Error>) -> PlotError {
    PlotError::Draw(error.to_string())
}

/// The dashes of a straight line. The last one is cut off at its end.
fn dashes(from: Spot, to: Spot, (dash_mm, gap_mm): (f64, f64)) -> Vec<(Spot, Spot)> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    let (dash, period) = (dash_mm * UNITS_PER_MM, (dash_mm + gap_mm) * UNITS_PER_MM);
    let at = |along: f64| {
        let part = along / length;
        (from.0 + (dx * part).round() as i32, from.1 + (dy * part).round() as i32)
    };
    let starts = (0..).map(|i| f64::from(i) * period).take_while(|&start| start < length);
    starts.map(|start| (at(start), at((start + dash).min(length)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_the_last_dash_at_the_end_of_the_line() {
        let level = dashes((100, 50), (600, 50), (2.0, 1.0));
        assert_eq!(level, [((100, 50), (300, 50)), ((400, 50), (600, 50))]);
        let cut = dashes((0, 0), (0, 350), (2.0, 1.0));
        assert_eq!(cut, [((0, 0), (0, 200)), ((0, 300), (0, 350))]);
    }

    #[test]
    fn draws_no_dash_on_a_line_without_length() {
        assert!(dashes((5, 5), (5, 5), (2.0, 1.0)).is_empty());
    }

    #[test]
    fn a_point_of_print_is_a_72nd_of_an_inch() {
        assert_eq!(units(mm_of_points(72.0)), 2540);
    }
}
