// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend, in rows above the chart, where it cannot overlap data.

use plotters::style::RGBColor;

use crate::PlotError;
use crate::canvas::{Canvas, units};
use crate::font::{fitted, readable, text_width};
use crate::palette::{AXIS, Look, Marker, PAPER, Pen, pale, shade};

/// Entry of the legend.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) sample: Sample,
    pub(crate) text: String,
}

/// Sample before the text of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sample {
    /// Edge of an area, filled if the look has a filling.
    Edge(Look),
    /// Line with a point on it.
    Points(Look),
    /// Point.
    Marker(Look),
    /// Line.
    Line(Pen),
    /// Piece of an area.
    Area(RGBColor),
    /// Line in a pale area of its colour.
    Band(Pen),
    /// All shades from the given one to the darkest. The number is the position of the first shade among all shades,
    /// from 0 to 1.
    Ramp(f64),
    /// Piece of the empty page.
    Blank,
    /// No sample; text only.
    Nothing,
}

/// Formats a remark in parentheses after a text of the legend; empty for an empty remark.
pub(crate) fn remark(remark: &str) -> String {
    if remark.trim().is_empty() { String::new() } else { format!(" ({})", remark.trim()) }
}

/// Entries with their horizontal positions in millimetres, row by row.
pub(crate) struct Legend {
    rows: Vec<Vec<(f64, Entry)>>,
    em_mm: f64,
}

const SAMPLE_MM: f64 = 5.0;
const RAMP_MM: f64 = 16.0;
const SAMPLE_GAP_MM: f64 = 1.2;

/// Number of steps of a ramp.
const RAMP_STEPS: u32 = 32;
const ENTRY_GAP_MM: f64 = 3.0;

/// Distance between baselines, in em.
const LEADING: f64 = 1.35;

impl Legend {
    /// Arranges entries in rows of this width. If an entry is too wide, all entries get a smaller font. An entry that
    /// is still too wide is shortened.
    pub(crate) fn new(entries: Vec<Entry>, width_mm: f64, em_mm: f64) -> Self {
        let width_of = |entry: &Entry, em| entry.sample.before_text_mm() + text_width(&entry.text, em);
        let em_mm = readable(em_mm, |em| entries.iter().all(|entry| width_of(entry, em) <= width_mm));
        let mut rows: Vec<Vec<(f64, Entry)>> = Vec::new();
        let mut x = 0.0;
        for Entry { sample, text } in entries {
            let before_text = sample.before_text_mm();
            let text = fitted(&text, em_mm, width_mm - before_text);
            let width = before_text + text_width(&text, em_mm);
            if rows.is_empty() || x + width > width_mm {
                rows.push(Vec::new());
                x = 0.0;
            }
            let row = rows.last_mut().expect("invariant: the first entry adds a row");
            row.push((x, Entry { sample, text }));
            x += width + ENTRY_GAP_MM;
        }
        Self { rows, em_mm }
    }

    /// Returns the height of all rows, in millimetres.
    pub(crate) fn height_mm(&self) -> f64 {
        self.rows.len() as f64 * self.em_mm * LEADING
    }

    /// Returns the font size, in millimetres.
    pub(crate) fn em_mm(&self) -> f64 {
        self.em_mm
    }

    /// Draws the legend with its upper left corner at this position.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>, left_mm: f64, top_mm: f64) -> Result<(), PlotError> {
        for (i, row) in self.rows.iter().enumerate() {
            let baseline = top_mm + (i as f64 * LEADING + 1.0) * self.em_mm;
            for (x, entry) in row {
                let left = left_mm + x;
                self.draw_sample(canvas, entry.sample, left, baseline)?;
                let text_left = left + entry.sample.before_text_mm();
                canvas.text(&entry.text, self.em_mm, (units(text_left), units(baseline)))?;
            }
        }
        Ok(())
    }

    fn draw_sample(
        &self,
        canvas: &Canvas<'_>,
        sample: Sample,
        left: f64,
        baseline: f64,
    ) -> Result<(), PlotError> {
        let right = units(left + SAMPLE_MM);
        let left = units(left);
        // Digits and capitals are about 0.7 em high.
        let (top, middle, bottom) =
            (units(baseline - 0.7 * self.em_mm), units(baseline - 0.35 * self.em_mm), units(baseline));
        match sample {
            // A bar marker would make its line look thicker than in the chart.
            Sample::Line(pen) | Sample::Points(Look { marker: Marker::Bar, pen, .. }) => {
                canvas.line(vec![(left, middle), (right, middle)], pen)
            }
            Sample::Points(look) => {
                canvas.line(vec![(left, middle), (right, middle)], look.pen)?;
                canvas.marker((i32::midpoint(left, right), middle), look.marker, look.pen)
            }
            Sample::Marker(look) => {
                canvas.marker((i32::midpoint(left, right), middle), look.marker, look.pen)
            }
            Sample::Area(color) => {
                canvas.fill(vec![(left, bottom), (left, top), (right, top), (right, bottom)], color)
            }
            Sample::Band(pen) => {
                let corners = vec![(left, bottom), (left, top), (right, top), (right, bottom)];
                canvas.fill(corners, pale(pen.color))?;
                canvas.line(vec![(left, middle), (right, middle)], pen)
            }
            Sample::Ramp(from) => {
                let right = f64::from(left) + f64::from(units(RAMP_MM));
                let side = |step: u32| {
                    let part = f64::from(step) / f64::from(RAMP_STEPS);
                    left + ((right - f64::from(left)) * part).round() as i32
                };
                let lightest = from;
                (0..RAMP_STEPS).try_for_each(|step| {
                    // Steps overlap, so that no viewer shows the page between them.
                    let (from, to) =
                        (side(step), if step + 1 < RAMP_STEPS { side(step + 2) } else { side(step + 1) });
                    let to = to.min(right.round() as i32);
                    let part = f64::from(step) / f64::from(RAMP_STEPS - 1);
                    let color = shade(lightest + (1.0 - lightest) * part);
                    canvas.fill(vec![(from, bottom), (from, top), (to, top), (to, bottom)], color)
                })
            }
            Sample::Blank => {
                let outline =
                    vec![(left, bottom), (left, top), (right, top), (right, bottom), (left, bottom)];
                canvas.fill(outline.clone(), PAPER)?;
                canvas.line(outline, AXIS)
            }
            Sample::Nothing => Ok(()),
            Sample::Edge(look) => {
                let Some(color) = look.fill else {
                    return canvas.line(vec![(left, middle), (right, middle)], look.pen);
                };
                canvas.fill(vec![(left, bottom), (left, top), (right, top), (right, bottom)], color)?;
                canvas.line(vec![(left, top), (right, top)], look.pen)
            }
        }
    }
}

impl Sample {
    /// Returns the distance from the left end of the sample to the text, in millimetres.
    fn before_text_mm(self) -> f64 {
        match self {
            Sample::Nothing => 0.0,
            Sample::Ramp(_) => RAMP_MM + SAMPLE_GAP_MM,
            _ => SAMPLE_MM + SAMPLE_GAP_MM,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::MEAN;

    fn legend(texts: &[&str], width_mm: f64) -> Legend {
        let entry = |text: &&str| Entry { sample: Sample::Line(MEAN), text: (*text).to_owned() };
        Legend::new(texts.iter().map(entry).collect(), width_mm, 2.6)
    }

    #[test]
    fn begins_a_row_when_the_last_is_full() {
        assert_eq!(legend(&["before", "after"], 80.0).rows.len(), 1);
        assert_eq!(legend(&["before", "after"], 20.0).rows.len(), 2);
        assert!(legend(&[], 80.0).rows.is_empty());
    }

    #[test]
    fn keeps_every_entry_within_the_width() {
        let long = "lower bound by the largest object that any rank could ever hold".repeat(3);
        let legend = legend(&["before", &long, "after"], 70.0);
        for (x, entry) in legend.rows.iter().flatten() {
            let width = SAMPLE_MM + SAMPLE_GAP_MM + text_width(&entry.text, legend.em_mm);
            assert!(x + width <= 70.0, "{}", entry.text);
        }
    }
}
