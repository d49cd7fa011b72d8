// SPDX-License-Identifier: MIT OR Apache-2.0
//! Page of a chart, measured in millimetres from its upper left corner.
//!
//! The drawing library rounds to integers, so the page is drawn in hundredths of a millimetre, finer than the dots of a
//! printer. Every size is given explicitly, because the library's defaults, meant for pixels, would be invisible.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use crate::font::FAMILY;
use crate::palette::{INK, Marker, PAPER, Pen, grey};
use crate::{Palette, PlotError};

/// Position on the page, in units of a hundredth of a millimetre.
pub(crate) type Spot = (i32, i32);

/// Whole page as a drawing area of the library.
pub(crate) type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Units in a millimetre.
const UNITS_PER_MM: f64 = 100.0;

/// Millimetres in a typographic point.
const MM_PER_PT: f64 = 25.4 / 72.0;

/// Half the width of a ring, in millimetres. Other markers are up to 15 % narrower or 10 % wider.
const MARKER_MM: f64 = 0.7;

/// Width of the outline of an open marker with straight sides.
const OUTLINE_PT: f64 = 0.7;

/// Page of a chart.
pub(crate) struct Canvas<'a> {
    sheet: Sheet<'a>,
    palette: Palette,
}

impl<'a> Canvas<'a> {
    /// Creates a white page.
    pub(crate) fn new(sheet: Sheet<'a>, palette: Palette) -> Result<Self, PlotError> {
        sheet.fill(&PAPER).map_err(draw_error)?;
        Ok(Self { sheet, palette })
    }

    /// Returns a colour in the palette of this page.
    pub(crate) fn ink(&self, color: RGBColor) -> RGBColor {
        match self.palette {
            Palette::Colour => color,
            Palette::Grey => grey(color),
        }
    }

    /// Returns the drawing area of the page.
    pub(crate) const fn sheet(&self) -> &Sheet<'a> {
        &self.sheet
    }

    /// Draws a line through the spots.
    pub(crate) fn line(&self, spots: Vec<Spot>, pen: Pen) -> Result<(), PlotError> {
        match pen.dash_mm {
            Some(dash_mm) => dashes(&spots, dash_mm).into_iter().try_for_each(|dash| self.stroke(dash, pen)),
            None => self.stroke(spots, pen),
        }
    }

    /// Fills a shape without an outline.
    pub(crate) fn fill(&self, spots: Vec<Spot>, color: RGBColor) -> Result<(), PlotError> {
        self.sheet.draw(&Polygon::new(spots, self.ink(color).filled())).map_err(draw_error)
    }

    /// Draws the marker of a single point.
    pub(crate) fn marker(&self, (x, y): Spot, marker: Marker, pen: Pen) -> Result<(), PlotError> {
        let half = units(MARKER_MM);
        match marker {
            Marker::Circle => {
                // A white disc hides lines inside the ring.
                self.sheet.draw(&Circle::new((x, y), half, PAPER.filled())).map_err(draw_error)?;
                self.sheet.draw(&Circle::new((x, y), half, self.stroke_of(pen))).map_err(draw_error)
            }
            Marker::Square => {
                // A square with the same area as the ring is narrower.
                let half = units(MARKER_MM * 0.85);
                let corners = [(x - half, y - half), (x + half, y + half)];
                self.sheet.draw(&Rectangle::new(corners, self.ink(pen.color).filled())).map_err(draw_error)
            }
            Marker::Disc => {
                let half = units(MARKER_MM * 0.9);
                let color = self.ink(pen.color);
                self.sheet.draw(&Circle::new((x, y), half, color.filled())).map_err(draw_error)
            }
            Marker::Triangle | Marker::Down | Marker::Diamond => {
                self.fill(corners(marker, (x, y)), pen.color)
            }
            Marker::OpenSquare | Marker::OpenTriangle | Marker::OpenDown | Marker::OpenDiamond => {
                let mut outline = corners(marker, (x, y));
                self.fill(outline.clone(), PAPER)?;
                outline.push(outline[0]);
                self.stroke(outline, Pen { width_pt: OUTLINE_PT, ..pen })
            }
            Marker::Plus => {
                self.stroke(vec![(x - half, y), (x + half, y)], pen)?;
                self.stroke(vec![(x, y - half), (x, y + half)], pen)
            }
            Marker::Cross => {
                self.stroke(vec![(x - half, y - half), (x + half, y + half)], pen)?;
                self.stroke(vec![(x - half, y + half), (x + half, y - half)], pen)
            }
            Marker::Bar => self.stroke(vec![(x - half, y), (x + half, y)], pen),
        }
    }

    /// Draws a text. The spot is the left end of its baseline.
    pub(crate) fn text(&self, text: &str, em_mm: f64, (x, y): Spot) -> Result<(), PlotError> {
        // With this anchor, the baseline is 0.76 em below the top in every viewer. The height of centred text would
        // depend on the viewer's `ex`.
        let top = y - units(0.76 * em_mm);
        self.sheet.draw_text(&lbaf_text::line(text), &text_style(em_mm), (x, top)).map_err(draw_error)
    }

    fn stroke(&self, spots: Vec<Spot>, pen: Pen) -> Result<(), PlotError> {
        self.sheet.draw(&PathElement::new(spots, self.stroke_of(pen))).map_err(draw_error)
    }

    /// Returns the style of a line.
    pub(crate) fn stroke_of(&self, pen: Pen) -> ShapeStyle {
        let width = units(mm_of_points(pen.width_pt)).unsigned_abs();
        self.ink(pen.color).stroke_width(width)
    }
}

/// Returns the corners of a marker with straight sides.
fn corners(marker: Marker, (x, y): Spot) -> Vec<Spot> {
    let half = units(MARKER_MM);
    match marker {
        Marker::Triangle | Marker::OpenTriangle => {
            vec![(x - half, y + half), (x + half, y + half), (x, y - half)]
        }
        Marker::Down | Marker::OpenDown => vec![(x - half, y - half), (x + half, y - half), (x, y + half)],
        Marker::Diamond | Marker::OpenDiamond => {
            let half = units(MARKER_MM * 1.1);
            vec![(x - half, y), (x, y + half), (x + half, y), (x, y - half)]
        }
        _ => {
            let half = units(MARKER_MM * 0.85);
            vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        }
    }
}

/// Converts millimetres to units, rounded.
pub(crate) fn units(mm: f64) -> i32 {
    (mm * UNITS_PER_MM).round() as i32
}

/// Converts points to millimetres.
pub(crate) fn mm_of_points(points: f64) -> f64 {
    points * MM_PER_PT
}

/// Returns the style of black text of a size in millimetres.
pub(crate) fn text_style(em_mm: f64) -> TextStyle<'static> {
    // The library divides the size by 1.24 before writing it.
    let size = em_mm * UNITS_PER_MM * 1.24;
    let font = (FAMILY, size).into_font();
    font.color(&INK).pos(Pos::new(HPos::Left, VPos::Top))
}

/// Converts an error of the drawing library.
#[allow(clippy::needless_pass_by_value, reason = "map_err passes the error by value")]
pub(crate) fn draw_error(error: DrawingAreaErrorKind<std::io::Error>) -> PlotError {
    PlotError::Draw(error.to_string())
}

/// Returns the dashes along a line, each with the corners of the line within it. A dash at the end of the line is cut.
fn dashes(spots: &[Spot], (dash_mm, gap_mm): (f64, f64)) -> Vec<Vec<Spot>> {
    let lengths = [dash_mm * UNITS_PER_MM, gap_mm * UNITS_PER_MM];
    let mut dashes: Vec<Vec<Spot>> = Vec::new();
    // `is_gap` is true in a gap; `left` is the remaining length of the dash or gap.
    let (mut is_gap, mut left) = (false, lengths[0]);
    let Some(&first) = spots.first() else { return dashes };
    let mut dash = vec![first];
    for pair in spots.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = libm::hypot(dx, dy);
        let mut along = 0.0;
        while length - along > left {
            along += left;
            let at = |part: f64| (from.0 + (dx * part).round() as i32, from.1 + (dy * part).round() as i32);
            let here = at(along / length);
            if is_gap {
                dash = vec![here];
            } else {
                dash.push(here);
                dashes.push(std::mem::take(&mut dash));
            }
            is_gap = !is_gap;
            left = lengths[usize::from(is_gap)];
        }
        left -= length - along;
        if !is_gap {
            dash.push(to);
        }
    }
    if dash.len() > 1 && dash[0] != dash[dash.len() - 1] {
        dashes.push(dash);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_the_last_dash_at_the_end_of_the_line() {
        let level = dashes(&[(100, 50), (600, 50)], (2.0, 1.0));
        assert_eq!(level, [vec![(100, 50), (300, 50)], vec![(400, 50), (600, 50)]]);
        let cut = dashes(&[(0, 0), (0, 350)], (2.0, 1.0));
        assert_eq!(cut, [vec![(0, 0), (0, 200)], vec![(0, 300), (0, 350)]]);
    }

    #[test]
    fn dashes_continue_around_corners() {
        let corner = dashes(&[(0, 0), (100, 0), (100, 500)], (2.0, 1.0));
        assert_eq!(corner, [vec![(0, 0), (100, 0), (100, 100)], vec![(100, 200), (100, 400)]]);
    }

    #[test]
    fn draws_no_dash_on_a_line_without_length() {
        assert!(dashes(&[(5, 5), (5, 5)], (2.0, 1.0)).is_empty());
        assert!(dashes(&[], (2.0, 1.0)).is_empty());
    }

    #[test]
    fn a_point_of_print_is_a_72nd_of_an_inch() {
        assert_eq!(units(mm_of_points(72.0)), 2540);
    }
}
