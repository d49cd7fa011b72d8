// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place between the axes, where data are drawn in their own units.

use plotters::backend::SVGBackend;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;

use crate::PlotError;
use crate::canvas::{Canvas, Spot, mm_of_points, units};
use crate::palette::{AXIS, Look, Marker, Pen};
use crate::scale::Scale;
use crate::thinning::thinned;

type Axes = Cartesian2d<Scale, Scale>;

/// The drawing area of a chart.
pub(crate) struct Plot<'a, 'b> {
    area: &'b DrawingArea<SVGBackend<'a>, Axes>,
    canvas: &'b Canvas<'a>,
}

impl<'a, 'b> Plot<'a, 'b> {
    pub(crate) const fn new(area: &'b DrawingArea<SVGBackend<'a>, Axes>, canvas: &'b Canvas<'a>) -> Self {
        Self { area, canvas }
    }

    /// A line through points, with the area below it if the look has a filling.
    pub(crate) fn edge(&self, points: &[(f64, f64)], look: Look) -> Result<(), PlotError> {
        let line = self.spots(points);
        if let (Some(color), Some(&(left, _)), Some(&(right, _))) = (look.fill, line.first(), line.last()) {
            // The filling ends above the axis instead of covering half of it.
            let base = self.spot((0.0, 0.0)).1 - units(mm_of_points(AXIS.width_pt / 2.0));
            let mut outline = vec![(left, base)];
            outline.extend(line.iter().map(|&(x, y)| (x, y.min(base))));
            outline.push((right, base));
            self.canvas.fill(outline, color)?;
        }
        self.canvas.line(line, look.pen)
    }

    /// A line through points.
    pub(crate) fn line(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), PlotError> {
        self.canvas.line(self.spots(points), pen)
    }

    /// A line from the left end to the right at one height.
    pub(crate) fn level(&self, y: f64, pen: Pen) -> Result<(), PlotError> {
        let x = self.area.get_x_range();
        self.line(&[(x.start, y), (x.end, y)], pen)
    }

    /// A single point.
    pub(crate) fn marker(&self, point: (f64, f64), marker: Marker, pen: Pen) -> Result<(), PlotError> {
        self.canvas.marker(self.spot(point), marker, pen)
    }

    fn spot(&self, point: (f64, f64)) -> Spot {
        self.area.map_coordinate(&point)
    }

    fn spots(&self, points: &[(f64, f64)]) -> Vec<Spot> {
        let spots: Vec<Spot> = points.iter().map(|&point| self.spot(point)).collect();
        thinned(&spots)
    }
}
