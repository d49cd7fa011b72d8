// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything of a chart but its data: title, legend, axes, and the place of each on the page.

use plotters::backend::SVGBackend;
use plotters::chart::ChartBuilder;
use plotters::drawing::IntoDrawingArea;

use crate::axis::Axis;
use crate::canvas::{Canvas, draw_error, mm_of_points, stroke_of, text_style, units};
use crate::font::{fitted, text_width};
use crate::legend::{Entry, Legend};
use crate::palette::AXIS;
use crate::plot::Plot;
use crate::scale::Scale;
use crate::tick::Tick;
use crate::{PlotError, Size, Style, Svg};

/// A chart without its data.
pub(crate) struct Frame {
    /// Drawn above everything unless empty.
    pub(crate) title: String,
    /// What the file says it is when there is no title.
    pub(crate) description: &'static str,
    pub(crate) legend: Vec<Entry>,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

// Sizes of print in points, none below 7.
const TICK_PT: f64 = 7.5;
const LABEL_PT: f64 = 8.0;
const TITLE_PT: f64 = 9.0;

// Lengths in millimetres.
const EDGE_MM: f64 = 0.6;
const GAP_MM: f64 = 1.0;
const TICK_MM: f64 = 0.7;
/// Room on the right for half of the last label.
const RIGHT_MM: f64 = 4.0;

const MOST_TICKS_UP: u32 = 8;

/// Where the pieces go, in millimetres.
struct Layout {
    legend: Legend,
    title_mm: f64,
    top_mm: f64,
    left_mm: f64,
    bottom_mm: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
}

impl Frame {
    /// Draws the frame and has the data drawn into it.
    pub(crate) fn draw(
        self,
        style: &Style,
        data: impl FnOnce(&Plot<'_, '_>) -> Result<(), PlotError>,
    ) -> Result<Svg, PlotError> {
        let size = style.width.size();
        let Size { width_mm, height_mm } = size;
        let title = if self.title.trim().is_empty() { self.description } else { self.title.as_str() };
        let title = fitted(title, mm_of_points(TITLE_PT), width_mm - 2.0 * EDGE_MM);
        let mut picture = String::new();
        {
            let units_of = |mm| units(mm).unsigned_abs();
            let sheet = SVGBackend::with_string(&mut picture, (units_of(width_mm), units_of(height_mm)))
                .into_drawing_area();
            let canvas = Canvas::new(sheet)?;
            self.draw_on(&canvas, width_mm, height_mm, data)?;
            canvas.sheet().present().map_err(draw_error)?;
        }
        // The library's own root element knows no millimetres.
        let body = picture.split_once('\n').map_or("", |(_, body)| body);
        let body = body.trim_end().trim_end_matches("</svg>");
        Ok(Svg::new(&title, size, body))
    }

    fn draw_on(
        mut self,
        canvas: &Canvas<'_>,
        width_mm: f64,
        height_mm: f64,
        data: impl FnOnce(&Plot<'_, '_>) -> Result<(), PlotError>,
    ) -> Result<(), PlotError> {
        let layout = Layout::new(&mut self, width_mm);
        let em_mm = mm_of_points(TITLE_PT);
        let title = fitted(&self.title, em_mm, width_mm - layout.left_mm - EDGE_MM);
        if !title.is_empty() {
            canvas.text(&title, em_mm, (units(layout.left_mm), units(EDGE_MM + em_mm)))?;
        }
        layout.legend.draw(canvas, layout.left_mm, EDGE_MM + layout.title_mm)?;

        let label = |text: &str, length_mm: f64| fitted(text, mm_of_points(LABEL_PT), length_mm);
        let x_label = label(&self.x.label, width_mm - layout.left_mm - RIGHT_MM);
        let y_label = label(&self.y.label, height_mm - layout.top_mm - layout.bottom_mm);

        let mut chart = ChartBuilder::on(canvas.sheet())
            .margin_left(units(EDGE_MM))
            .margin_bottom(units(EDGE_MM))
            .margin_right(units(RIGHT_MM))
            .margin_top(units(layout.top_mm))
            .y_label_area_size(units(layout.left_mm - EDGE_MM))
            .x_label_area_size(units(layout.bottom_mm - EDGE_MM))
            .build_cartesian_2d(
                Scale { range: self.x.range, ticks: layout.x_ticks },
                Scale { range: self.y.range, ticks: layout.y_ticks },
            )
            .map_err(draw_error)?;
        let em_mm = mm_of_points(TICK_PT);
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(stroke_of(AXIS))
            .set_all_tick_mark_size(units(TICK_MM))
            .label_style(text_style(em_mm))
            .axis_desc_style(text_style(mm_of_points(LABEL_PT)))
            // The library centres on 0.25 em above the baseline, but digits are 0.72 em high.
            .y_label_offset(units(0.11 * em_mm))
            .x_desc(x_label)
            .y_desc(y_label)
            .draw()
            .map_err(draw_error)?;
        data(&Plot::new(chart.plotting_area(), canvas))
    }
}

impl Layout {
    fn new(frame: &mut Frame, width_mm: f64) -> Self {
        let (tick_em, label_em) = (mm_of_points(TICK_PT), mm_of_points(LABEL_PT));
        let width = |text: &str| text_width(text, tick_em);

        let y_ticks = frame.y.ticks(MOST_TICKS_UP);
        let widest = y_ticks.iter().map(|tick| width(&tick.text)).fold(0.0, f64::max);
        // The library sets labels off from the axis by twice the length of a tick.
        let left_mm = EDGE_MM + label_em + GAP_MM + widest + 2.0 * TICK_MM;
        let bottom_mm = 2.0 * TICK_MM + tick_em + GAP_MM + label_em + EDGE_MM;

        let length = width_mm - left_mm - RIGHT_MM;
        let mut x_ticks = frame.x.ticks_for(length, width);
        let start = frame.x.range.start;
        let per_value = length / (frame.x.range.end - start);
        x_ticks.retain(|tick| {
            let overhang = (tick.at - start) * per_value + width(&tick.text) / 2.0 - length;
            overhang <= RIGHT_MM
        });

        let title_mm = if frame.title.trim().is_empty() { 0.0 } else { mm_of_points(TITLE_PT) * 1.5 };
        let entries = std::mem::take(&mut frame.legend);
        let legend = Legend::new(entries, width_mm - left_mm - EDGE_MM, tick_em);
        let top_mm = EDGE_MM + title_mm + legend.height_mm() + GAP_MM;
        Self { legend, title_mm, top_mm, left_mm, bottom_mm, x_ticks, y_ticks }
    }
}
