// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of ranks by part.

use crate::axis::{Axis, Numbers};
use crate::bar_axis::BarAxis;
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::palette::{Look, Marker, PARTS, Pen};
use crate::{Chart, Figure, PlotError, Style};

/// Work of all ranks in descending order, as stacked bars of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkParts {
    /// Name of each part and its value on each rank; at most four parts, from the bottom up.
    pub parts: Vec<(String, Vec<f64>)>,
    /// Work of the same ranks at other times, for a common range of axes of several charts.
    pub also: Vec<f64>,
    /// Proven lower bound on the maximum.
    pub bound: Option<f64>,
    /// Remark about the bound for the legend, such as its scope; may be empty.
    pub bound_remark: String,
    /// Unit of the values; may be empty.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

impl Chart for WorkParts {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        let n_ranks = self.parts.first().map_or(0, |(_, values)| values.len());
        if n_ranks == 0 {
            return Err(PlotError::Empty { item: "ranks".to_owned() });
        }
        if self.parts.len() > PARTS.len() {
            return Err(PlotError::ManyParts { n: self.parts.len(), most: PARTS.len() });
        }
        for (name, values) in &self.parts {
            if values.len() != n_ranks {
                return Err(PlotError::DifferentRanks { first: n_ranks, second: values.len() });
            }
            for (rank, &value) in values.iter().enumerate() {
                check_value(value, || format!("the part \u{201c}{name}\u{201d} of rank {rank}"))?;
            }
        }
        check_value(self.bound.unwrap_or(0.0), || "the lower bound".to_owned())?;
        for &value in &self.also {
            check_value(value, || "the work of a rank at another time".to_owned())?;
        }

        let whole: Vec<f64> =
            (0..n_ranks).map(|rank| self.parts.iter().map(|(_, values)| values[rank]).sum()).collect();
        let mut order: Vec<usize> = (0..n_ranks).collect();
        order.sort_by(|&a, &b| whole[b].total_cmp(&whole[a]));
        let axis = BarAxis::new(&self.unit, whole.iter().chain(&self.also).copied(), self.bound);
        let unit = &axis.unit;

        let (mut marks, mut edges, mut legend) = (Vec::new(), Vec::new(), Vec::new());
        let mut columns = vec![CsvColumn::new("rank", order.iter().map(|&rank| rank as f64))];
        let mut below = vec![0.0; n_ranks];
        for ((name, values), &color) in self.parts.iter().zip(&PARTS) {
            let above: Vec<f64> = order.iter().zip(&below).map(|(&rank, low)| low + values[rank]).collect();
            let high = steps(&above, &axis);
            marks.push(Mark::Band { low: steps(&below, &axis), high: high.clone(), color });
            // Without an edge, a bar narrower than a pixel would be hardly visible.
            let pen = Pen { color, width_pt: 0.5, dash_mm: None };
            let look = Look { pen, marker: Marker::Bar, fill: None };
            edges.push(Mark::Line { points: high, look, is_marked: false });
            legend.push(Entry { sample: Sample::Area(color), text: name.clone() });
            columns.push(CsvColumn::new(
                format!("{name}{}", unit.suffix()),
                order.iter().map(|&rank| values[rank]),
            ));
            below = above;
        }
        // Edges of lower parts are on top, because higher parts may be very thin.
        edges.reverse();
        marks.extend(edges);
        // The legend lists parts from the top, as in the chart.
        legend.reverse();
        // Ranks are in descending order, so those with cut bars come first.
        let n_cut = whole.iter().filter(|&&work| axis.is_above(work)).count();
        if n_cut > 0 {
            marks.push(axis.gap(0.5, n_cut as f64 + 0.5));
            legend.push(axis.entry_above("maximum", whole[order[0]]));
        }
        if let Some(bound) = self.bound {
            let (mark, entry) = axis.bound(bound, &self.bound_remark);
            marks.extend(mark);
            legend.push(entry);
        }
        let ranks = 0.5..n_ranks as f64 + 0.5;
        Ok(Figure {
            title: self.title.clone(),
            description: format!("Work of {n_ranks} ranks by part"),
            legend,
            x: Axis::around("ranks in descending order of work".to_owned(), &ranks, Numbers::Ranks(n_ranks)),
            y: axis.axis("work"),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}

/// Returns the outline with a step for each rank.
fn steps(values: &[f64], axis: &BarAxis) -> Vec<(f64, f64)> {
    let step = |(i, &value): (usize, &f64)| [0.5, 1.5].map(|side| (i as f64 + side, axis.place(value)));
    values.iter().enumerate().flat_map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_parts_in_the_order_of_the_total() {
        let parts = vec![("load".to_owned(), vec![1.0, 2.0]), ("homing".to_owned(), vec![4.0, 1.0])];
        let chart = WorkParts {
            parts,
            also: Vec::new(),
            bound: Some(4.0),
            bound_remark: String::new(),
            unit: "s".to_owned(),
            title: String::new(),
        };
        let figure = chart.figure(&Style::default()).unwrap();
        assert_eq!(figure.csv(), "rank,load_s,homing_s\n0,1,4\n1,2,1\n");
        let Mark::Band { low, high, .. } = &figure.marks[1] else { panic!("{:?}", figure.marks) };
        assert_eq!(low[..2], [(0.5, 1.0), (1.5, 1.0)]);
        assert_eq!(high[..], [(0.5, 5.0), (1.5, 5.0), (1.5, 3.0), (2.5, 3.0)]);
    }
}
