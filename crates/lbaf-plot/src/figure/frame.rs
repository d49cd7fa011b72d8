// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frame of a chart: title, legend, axes, and their layout on the page.

use plotters::backend::SVGBackend;
use plotters::chart::ChartBuilder;
use plotters::drawing::IntoDrawingArea;

use super::plot::Plot;
use crate::axis::{Axis, Numbers};
use crate::canvas::{Canvas, draw_error, mm_of_points, text_style, units};
use crate::font::{fitted, readable, text_width};
use crate::legend::Legend;
use crate::palette::AXIS;
use crate::scale::Scale;
use crate::tick::Tick;
use crate::{Figure, PlotError, Size, Style, Svg};

// Font sizes relative to that of axis labels.
const TICK: f64 = 0.9375;
const TITLE: f64 = 1.125;

// Lengths in millimetres.
const EDGE_MM: f64 = 0.6;
const GAP_MM: f64 = 1.0;
const TICK_MM: f64 = 0.7;
/// Space on the right, into which half of the last tick label extends.
const RIGHT_MM: f64 = 4.0;

/// Maximum number of vertical ticks, and their usual minimum distance in em. Square charts and named rows have other
/// ticks.
const MOST_TICKS_UP: u32 = 8;
const TICK_DISTANCE: f64 = 1.9;

/// Font sizes, in millimetres.
struct Letters {
    tick: f64,
    label: f64,
    title: f64,
}

/// Layout of a chart, in millimetres.
struct Layout {
    legend: Legend,
    /// Title and its font size.
    title: (String, f64),
    title_mm: f64,
    top_mm: f64,
    /// Space on the left of the label of the vertical axis.
    beside_mm: f64,
    left_mm: f64,
    /// Left end of the legend.
    legend_mm: f64,
    bottom_mm: f64,
    right_mm: f64,
    /// Size of the whole chart.
    size: Size,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
}

/// Draws a figure with its frame.
pub(crate) fn draw(figure: &Figure, style: &Style) -> Result<Svg, PlotError> {
    let label_em = mm_of_points(style.font_pt);
    let letters = Letters { tick: label_em * TICK, label: label_em, title: label_em * TITLE };
    let layout = Layout::new(figure, style, &letters);
    let size = layout.size;
    let Size { width_mm, height_mm } = size;
    let mut picture = String::new();
    let shades;
    {
        let units_of = |mm| units(mm).unsigned_abs();
        let sheet = SVGBackend::with_string(&mut picture, (units_of(width_mm), units_of(height_mm)))
            .into_drawing_area();
        let canvas = Canvas::new(sheet, style.palette)?;
        shades = draw_on(&canvas, figure, layout, &letters)?;
        canvas.sheet().present().map_err(draw_error)?;
    }
    // Replaces the library's root element, whose size is not in millimetres. Shades are inserted after the white page,
    // which is the first shape.
    let body = picture.split_once('\n').map_or("", |(_, body)| body);
    let body = body.trim_end().trim_end_matches("</svg>");
    let (page, rest) = body.split_once('\n').unwrap_or((body, ""));
    let title = if figure.title.trim().is_empty() { &figure.description } else { &figure.title };
    let about = fitted(title, mm_of_points(style.font_pt), f64::INFINITY);
    Ok(Svg::new(&about, size, &format!("{page}\n{shades}{rest}")))
}

fn draw_on(
    canvas: &Canvas<'_>,
    figure: &Figure,
    layout: Layout,
    letters: &Letters,
) -> Result<String, PlotError> {
    let Size { width_mm, height_mm } = layout.size;
    let (title, title_em) = &layout.title;
    if !title.is_empty() {
        let place = (units(layout.left_mm), units(EDGE_MM + letters.title));
        canvas.text(title, *title_em, place)?;
    }
    layout.legend.draw(canvas, layout.legend_mm, EDGE_MM + layout.title_mm)?;

    let (x_label, x_em) = label(&figure.x, width_mm - layout.left_mm - layout.right_mm, letters.label);
    let (y_label, y_em) = label(&figure.y, height_mm - layout.top_mm - layout.bottom_mm, letters.label);
    let scale =
        |axis: &Axis, ticks| Scale { range: axis.range.clone(), is_logarithmic: axis.is_logarithmic, ticks };

    let mut chart = ChartBuilder::on(canvas.sheet())
        .margin_left(units(layout.beside_mm))
        .margin_bottom(units(EDGE_MM))
        .margin_right(units(layout.right_mm))
        .margin_top(units(layout.top_mm))
        .y_label_area_size(units(layout.left_mm - layout.beside_mm))
        .x_label_area_size(units(layout.bottom_mm - EDGE_MM))
        .build_cartesian_2d(scale(&figure.x, layout.x_ticks), scale(&figure.y, layout.y_ticks))
        .map_err(draw_error)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(canvas.stroke_of(AXIS))
        .set_all_tick_mark_size(units(TICK_MM))
        .label_style(text_style(letters.tick))
        .axis_desc_style(text_style(x_em.min(y_em)))
        // The library centres on 0.25 em above the baseline, but digits are 0.72 em high.
        .y_label_offset(units(0.11 * letters.tick))
        .x_desc(x_label)
        .y_desc(y_label)
        .draw()
        .map_err(draw_error)?;
    let plot = Plot::new(chart.plotting_area(), canvas);
    for mark in &figure.marks {
        plot.mark(mark)?;
    }
    if figure.is_square {
        plot.frame()?;
    }
    plot.breaks(&figure.x, &figure.y)?;
    Ok(plot.into_shades())
}

/// Returns the label of an axis and its font size. A long label is printed smaller, then shortened, but keeps its unit.
fn label(axis: &Axis, length_mm: f64, em_mm: f64) -> (String, f64) {
    let em = readable(em_mm, |em| text_width(&axis.label, em) <= length_mm);
    if text_width(&axis.label, em) <= length_mm {
        return (fitted(&axis.label, em, length_mm), em);
    }
    let (words, unit) = match axis.label.rfind(" (") {
        Some(at) => axis.label.split_at(at),
        None => (&axis.label[..], ""),
    };
    (fitted(words, em, length_mm - text_width(unit, em)) + unit, em)
}

impl Layout {
    fn new(figure: &Figure, style: &Style, letters: &Letters) -> Self {
        let Size { width_mm, height_mm } = figure.size(style);
        let width = |text: &str| text_width(text, letters.tick);
        let x_label_mm = if figure.x.label.is_empty() { 0.0 } else { GAP_MM + letters.label };
        let bottom_mm = 2.0 * TICK_MM + letters.tick + x_label_mm + EDGE_MM;

        // The width of the legend depends on the labels of vertical ticks, the height of the axis depends on the
        // legend, and the ticks depend on this height. So the layout is computed twice, the second time with the height
        // of the first legend.
        let title_text = if style.has_titles { figure.title.trim() } else { "" };
        let title_mm = if title_text.is_empty() { 0.0 } else { letters.title * 1.5 };
        let (mut left_mm, mut legend_mm, mut top_mm) = (0.0, 0.0, EDGE_MM + title_mm + GAP_MM);
        let mut y_ticks = Vec::new();
        let mut legend = Legend::new(Vec::new(), width_mm, letters.tick);
        for _ in 0..2 {
            let height = height_mm - top_mm - bottom_mm;
            let room = height / (TICK_DISTANCE * letters.tick);
            let at_most = (2..=MOST_TICKS_UP).rev().find(|&n| f64::from(n) <= room).unwrap_or(2);
            // Requests more ticks if there is only one, which does not define a scale.
            let mut denser = (at_most..=MOST_TICKS_UP).map(|at_most| figure.y.ticks(at_most));
            y_ticks = denser.find(|ticks| ticks.len() > 1).unwrap_or_else(|| figure.y.ticks(at_most));
            let widest = y_ticks.iter().map(|tick| width(&tick.text)).fold(0.0, f64::max);
            // The library places labels two tick lengths from the axis.
            left_mm = EDGE_MM + letters.label + GAP_MM + widest + 2.0 * TICK_MM;
            // Names of rows take much space, so the legend begins at their left end.
            legend_mm = if matches!(figure.y.numbers, Numbers::Named(_)) { EDGE_MM } else { left_mm };
            legend = Legend::new(figure.legend.clone(), width_mm - legend_mm - EDGE_MM, letters.tick);
            top_mm = EDGE_MM + title_mm + legend.height_mm() + GAP_MM;
        }

        let mut length = width_mm - left_mm - RIGHT_MM;
        let (mut beside_mm, mut right_mm) = (EDGE_MM, RIGHT_MM);
        let mut size = Size { width_mm, height_mm };
        if figure.is_square {
            // If the chart is wider than the square, the square is in its middle.
            let side = length.min(height_mm - top_mm - bottom_mm);
            let around = length - side;
            for margin_mm in [&mut beside_mm, &mut left_mm, &mut right_mm] {
                *margin_mm += around / 2.0;
            }
            length = side;
            if style.height_mm.is_none() {
                size.height_mm = f64::from(units(top_mm + side + bottom_mm)) / f64::from(units(1.0));
            }
            // The legend begins at the left side of the square if it needs neither more height nor smaller letters
            // there.
            let above = Legend::new(figure.legend.clone(), width_mm - left_mm - EDGE_MM, letters.tick);
            if above.height_mm() <= legend.height_mm() && above.em_mm() >= legend.em_mm() {
                (legend, legend_mm) = (above, left_mm);
            }
            y_ticks = figure.y.ticks_for(side, |_| letters.tick);
        }
        let mut x_ticks = figure.x.ticks_for(length, width);
        x_ticks.retain(|tick| {
            let overhang = figure.x.part(tick.at) * length + width(&tick.text) / 2.0 - length;
            overhang <= right_mm
        });
        let length = width_mm - left_mm - EDGE_MM;
        let title_em = readable(letters.title, |em| text_width(title_text, em) <= length);
        let title = (fitted(title_text, title_em, length), title_em);
        Self {
            legend,
            title,
            title_mm,
            top_mm,
            beside_mm,
            left_mm,
            legend_mm,
            bottom_mm,
            right_mm,
            size,
            x_ticks,
            y_ticks,
        }
    }
}
