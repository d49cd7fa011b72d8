// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plot area between the axes, in the units of the data.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use plotters::backend::SVGBackend;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;

use crate::PlotError;
use crate::axis::Axis;
use crate::canvas::{Canvas, Spot, mm_of_points, units};
use crate::cells::Cells;
use crate::figure::Mark;
use crate::palette::{AXIS, Look, PAPER, Pen};
use crate::scale::Scale;
use crate::thinning::thinned;

type Axes = Cartesian2d<Scale, Scale>;

/// Plot area of a chart.
pub(crate) struct Plot<'a, 'b> {
    area: &'b DrawingArea<SVGBackend<'a>, Axes>,
    canvas: &'b Canvas<'a>,
    /// Paths of shades, which come first on the page.
    shades: RefCell<String>,
}

/// Overlap of neighbouring cells, in units, so that no viewer shows the page between them.
const OVERLAP: i32 = 3;

/// Cells have a minimum size if they form fewer rectangles than this and fill at most the fraction [`SPARSE`] of the
/// grid.
const FEW_CELLS: usize = 200;
const SPARSE: f64 = 0.1;
const LEAST_CELL_MM: f64 = 0.5;

/// Size of the break of an axis.
const BREAK_MM: f64 = 1.6;

/// Returns start and length of a cell in one direction, extended around its middle to the minimum length, inside the
/// axes.
fn widened(start: i32, length: i32, least: i32, inside: &Range<i32>) -> (i32, i32) {
    if length >= least {
        return (start, length);
    }
    let last = (inside.end - least).max(inside.start);
    ((start - (least - length) / 2).clamp(inside.start, last), least)
}

impl<'a, 'b> Plot<'a, 'b> {
    pub(crate) fn new(area: &'b DrawingArea<SVGBackend<'a>, Axes>, canvas: &'b Canvas<'a>) -> Self {
        Self { area, canvas, shades: RefCell::new(String::new()) }
    }

    /// Returns the shades, which lie below all other marks.
    pub(crate) fn into_shades(self) -> String {
        self.shades.into_inner()
    }

    /// Draws a mark.
    pub(crate) fn mark(&self, mark: &Mark) -> Result<(), PlotError> {
        match mark {
            Mark::Edge(points, look) => self.edge(points, *look),
            Mark::Line { points, look, is_marked } => {
                if points.len() > 1 {
                    self.line(points, look.pen)?;
                }
                if *is_marked {
                    let spots = points.iter().map(|&point| self.spot(point));
                    for spot in spots {
                        self.canvas.marker(spot, look.marker, look.pen)?;
                    }
                }
                Ok(())
            }
            Mark::Level(y, pen) => {
                let x = self.area.get_x_range();
                self.line(&[(x.start, *y), (x.end, *y)], *pen)
            }
            Mark::Band { low, high, color } => {
                let mut outline = self.spots(high);
                outline.extend(self.spots(low).into_iter().rev());
                self.canvas.fill(outline, *color)
            }
            Mark::Cells(cells) => {
                self.cells(cells);
                Ok(())
            }
        }
    }

    /// Draws the upper and the right side of the area between the axes.
    pub(crate) fn frame(&self) -> Result<(), PlotError> {
        let (across, along) = self.area.get_pixel_range();
        let corners = [(across.start, along.start), (across.end, along.start), (across.end, along.end)];
        self.canvas.line(corners.to_vec(), AXIS)
    }

    /// Draws the breaks of axes, as two strokes across a gap.
    pub(crate) fn breaks(&self, x: &Axis, y: &Axis) -> Result<(), PlotError> {
        let (across, along) = self.area.get_pixel_range();
        let half = units(BREAK_MM / 2.0);
        // The middle of the space between zero and the smallest value.
        let middle = |axis: &Axis, length: i32| {
            axis.above_break.map(|least| (axis.part(least) / 2.0 * f64::from(length)).round() as i32)
        };
        let draw = |place: Spot, (dx, dy): Spot| {
            let side = |sign: i32| {
                let (x, y) = (place.0 + sign * dx, place.1 + sign * dy);
                // Slanted against the axis.
                vec![(x - half, y + half), (x + half, y - half)]
            };
            let [below, above] = [side(-1), side(1)];
            let gap = vec![below[0], below[1], above[1], above[0]];
            self.canvas.fill(gap, PAPER)?;
            self.canvas.line(below, AXIS)?;
            self.canvas.line(above, AXIS)
        };
        let apart = units(BREAK_MM / 4.0);
        if let Some(middle) = middle(x, across.end - across.start) {
            draw((across.start + middle, along.end), (apart, 0))?;
        }
        if let Some(middle) = middle(y, along.end - along.start) {
            draw((across.start, along.end - middle), (0, apart))?;
        }
        Ok(())
    }

    /// Draws cells as one path for each shade, because single rectangles would make files many times larger. Dark
    /// cells, which have the largest values, cover light ones.
    fn cells(&self, cells: &Cells) {
        let mut paths: BTreeMap<(u8, u8, u8), String> = BTreeMap::new();
        let rectangles = cells.rectangles();
        // A few scattered tiny cells would be invisible.
        let n_filled = cells.values.iter().flatten().count();
        let is_sparse = rectangles.len() < FEW_CELLS && n_filled as f64 <= SPARSE * cells.values.len() as f64;
        let least = if is_sparse { units(LEAST_CELL_MM) } else { 0 };
        let (across, along) = self.area.get_pixel_range();
        for ([left, right, low, high], color) in rectangles {
            let color = self.canvas.ink(color);
            let ((x, bottom), (x_end, top)) = (self.spot((left, low)), self.spot((right, high)));
            let (x, width) = widened(x, x_end - x + OVERLAP, least, &across);
            let (top, height) = widened(top, bottom - top + OVERLAP, least, &along);
            let path = paths.entry((color.0, color.1, color.2)).or_default();
            write!(path, "M{x} {top}h{width}v{height}h-{width}z")
                .expect("invariant: writing to memory does not fail");
        }
        let mut shades = self.shades.borrow_mut();
        for ((red, green, blue), path) in paths.into_iter().rev() {
            writeln!(shades, "<path fill=\"#{red:02X}{green:02X}{blue:02X}\" d=\"{path}\"/>")
                .expect("invariant: writing to memory does not fail");
        }
    }

    /// Draws a line through points, with the area below it if the look has a filling.
    fn edge(&self, points: &[(f64, f64)], look: Look) -> Result<(), PlotError> {
        let line = self.spots(points);
        if let (Some(color), Some(&(left, _)), Some(&(right, _))) = (look.fill, line.first(), line.last()) {
            // The filling ends at the upper edge of the axis line, so as not to cover half of it.
            let base = self.spot((0.0, 0.0)).1 - units(mm_of_points(AXIS.width_pt / 2.0));
            let mut outline = vec![(left, base)];
            outline.extend(line.iter().map(|&(x, y)| (x, y.min(base))));
            outline.push((right, base));
            self.canvas.fill(outline, color)?;
        }
        self.canvas.line(line, look.pen)
    }

    /// Draws a line through points.
    fn line(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), PlotError> {
        self.canvas.line(self.spots(points), pen)
    }

    fn spot(&self, point: (f64, f64)) -> Spot {
        self.area.map_coordinate(&point)
    }

    fn spots(&self, points: &[(f64, f64)]) -> Vec<Spot> {
        let spots: Vec<Spot> = points.iter().map(|&point| self.spot(point)).collect();
        thinned(&spots)
    }
}
