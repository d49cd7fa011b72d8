// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacked bar chart.

use crate::axis::{Axis, Numbers};
use crate::bar_axis::BarAxis;
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::palette::{Look, Marker, PARTS, Pen};
use crate::{Chart, Figure, PlotError, Style};

/// Stacked bars side by side, all with the same parts.
#[derive(Debug, Clone, PartialEq)]
pub struct StackedBars {
    /// Name of each bar, in a word or two.
    pub names: Vec<String>,
    /// Name of each part and its value in each bar; at most four parts, from the bottom up.
    pub parts: Vec<(String, Vec<f64>)>,
    /// Proven lower bound on the height of a bar.
    pub bound: Option<f64>,
    /// Remark about the bound for the legend; may be empty.
    pub bound_remark: String,
    /// Quantity on the axis, such as `time`.
    pub quantity: String,
    /// Unit of the values; may be empty.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Half the width of a bar, relative to the distance between bars.
const HALF: f64 = 0.32;

impl Chart for StackedBars {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        let n = self.names.len();
        if n == 0 {
            return Err(PlotError::Empty { item: "bars".to_owned() });
        }
        if self.parts.len() > PARTS.len() {
            return Err(PlotError::ManyParts { n: self.parts.len(), most: PARTS.len() });
        }
        for (name, values) in &self.parts {
            if values.len() != n {
                return Err(PlotError::DifferentBars { part: name.clone(), n_bars: n, found: values.len() });
            }
            for (pile, &value) in self.names.iter().zip(values) {
                check_value(value, || format!("the part \u{201c}{name}\u{201d} of \u{201c}{pile}\u{201d}"))?;
            }
        }
        check_value(self.bound.unwrap_or(0.0), || "the lower bound".to_owned())?;

        let wholes: Vec<f64> =
            (0..n).map(|at| self.parts.iter().map(|(_, values)| values[at]).sum()).collect();
        let axis = BarAxis::new(&self.unit, wholes.iter().copied(), self.bound);
        let unit = &axis.unit;
        let (mut marks, mut edges, mut legend, mut columns) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut below = vec![0.0; n];
        for ((name, values), &color) in self.parts.iter().zip(&PARTS) {
            for (at, (low, value)) in below.iter_mut().zip(values).enumerate() {
                let sides = [at as f64 - HALF, at as f64 + HALF];
                let level = |height: f64| sides.map(|side| (side, axis.place(height))).to_vec();
                let high = *low + value;
                marks.push(Mark::Band { low: level(*low), high: level(high), color });
                // Without an edge, parts thinner than a pixel would be invisible.
                if *value > 0.0 && !axis.is_above(high) {
                    let pen = Pen { color, width_pt: 0.5, dash_mm: None };
                    let look = Look { pen, marker: Marker::Bar, fill: None };
                    edges.push(Mark::Line { points: level(high), look, is_marked: false });
                }
                *low = high;
            }
            legend.push(Entry { sample: Sample::Area(color), text: name.clone() });
            columns.push(CsvColumn::new(format!("{name}{}", unit.suffix()), values.iter().copied()));
        }
        // Edges of lower parts are on top, because higher parts may be very thin.
        edges.reverse();
        marks.extend(edges);
        // The legend lists parts from the top, as in the chart.
        legend.reverse();
        for (at, (name, &whole)) in self.names.iter().zip(&wholes).enumerate() {
            if axis.is_above(whole) {
                marks.push(axis.gap(at as f64 - HALF, at as f64 + HALF));
                legend.push(axis.entry_above(name, whole));
            }
        }
        if let Some(bound) = self.bound {
            let (mark, entry) = axis.bound(bound, &self.bound_remark);
            marks.extend(mark);
            legend.push(entry);
        }
        columns.insert(0, CsvColumn::of_words("pile", self.names.clone()));
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} of {}", self.quantity, self.names.join(", ")),
            legend,
            x: Axis::exactly(String::new(), -0.5..n as f64 - 0.5, Numbers::Named(self.names.clone())),
            y: axis.axis(&self.quantity),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> StackedBars {
        StackedBars {
            names: vec!["never".to_owned(), "always".to_owned()],
            parts: vec![("phases".to_owned(), vec![8.0, 5.0]), ("strategy".to_owned(), vec![0.0, 2.0])],
            bound: Some(4.0),
            bound_remark: String::new(),
            quantity: "time".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn parts_lie_on_each_other() {
        let figure = chart().figure(&Style::default()).unwrap();
        assert_eq!(figure.csv(), "pile,phases_s,strategy_s\nnever,8,0\nalways,5,2\n");
        let Mark::Band { low, high, .. } = &figure.marks[3] else { panic!("{:?}", figure.marks) };
        assert_eq!((low[0].1, high[0].1), (5.0, 7.0));
        assert_eq!((low[0].0, low[1].0), (1.0 - HALF, 1.0 + HALF));
        // Four bands, the bound, and an edge for each value above zero.
        assert_eq!(figure.marks.len(), 4 + 1 + 3);
    }

    /// A run of 100 s would flatten four runs of 4 to 6 s.
    #[test]
    fn a_bar_that_flattens_the_rest_is_cut() {
        let chart = StackedBars {
            names: ["never", "a", "b", "c", "d"].map(str::to_owned).to_vec(),
            parts: vec![("phases".to_owned(), vec![100.0, 6.0, 5.0, 4.0, 4.0])],
            ..chart()
        };
        let figure = chart.figure(&Style::default()).unwrap();
        assert!(figure.y.range.end < 10.0, "{:?}", figure.y.range);
        let legend: Vec<&str> = figure.legend.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(legend, ["phases", "never 100.0 s, above the chart", "lower bound 4.000 s"]);
        let is_inside = |mark: &Mark| match mark {
            Mark::Band { high, .. } => high.iter().all(|&(_, y)| y <= figure.y.range.end),
            _ => true,
        };
        assert!(figure.marks.iter().all(is_inside));
        assert!(figure.csv().contains("never,100\n"));
    }

    #[test]
    fn refuses_a_part_without_a_value_for_each_bar() {
        let mut chart = chart();
        chart.parts[1].1.pop();
        let error = chart.figure(&Style::default()).unwrap_err();
        assert_eq!(error.to_string(), "the part \u{201c}strategy\u{201d} has 1 value for 2 bars");
        assert!(matches!(
            StackedBars { names: Vec::new(), ..chart }.draw(&Style::default()),
            Err(PlotError::Empty { .. })
        ));
    }

    #[test]
    fn too_many_parts_are_not_reported_as_missing_bars() {
        let mut chart = chart();
        let part = chart.parts[0].clone();
        chart.parts = vec![part; PARTS.len() + 1];
        let error = chart.figure(&Style::default()).unwrap_err();
        assert_eq!(error.to_string(), "the chart has 5 parts, but at most 4 can be distinguished");
    }
}
