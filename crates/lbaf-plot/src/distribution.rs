// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cumulative distribution of a quantity over ranks or objects.

use crate::axis::{Axis, Numbers};
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::rank_values::names;
use crate::spread::{Rule, Spread};
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style};

/// Cumulative distributions: steps from the smallest value to the largest.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Values in any order, each with its number of occurrences.
    pub series: Vec<Series<Vec<(f64, f64)>>>,
    /// Items with these values, such as `ranks`.
    pub of: String,
    /// Quantity, such as `load`.
    pub quantity: String,
    /// Unit; may be empty. Seconds and bytes (`s`, `B`) get a suitable prefix unless the axis is logarithmic.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Distinct values in ascending order, each with the number of items at or below it.
type Steps = Vec<(f64, f64)>;

impl Chart for Distribution {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        let mut all: Vec<Steps> = Vec::new();
        for series in &self.series {
            for &(value, count) in &series.values {
                check_value(value, || format!("a value of \u{201c}{}\u{201d}", series.name))?;
                check_value(count, || format!("a count of \u{201c}{}\u{201d}", series.name))?;
            }
            all.push(steps(&series.values));
        }
        if all.is_empty() || all.iter().any(Vec::is_empty) {
            return Err(PlotError::Empty { item: self.of.clone() });
        }
        let values = || all.iter().flatten().map(|(value, _)| *value);
        let spread = Spread::of(values(), Rule::DISTRIBUTIONS);
        let unit = Unit::for_axis(&self.unit, spread);
        let x = Axis::over(unit.axis_label(&self.quantity), spread.scaled(unit.size));
        let (mut marks, mut columns) = (Vec::new(), Vec::new());
        for (series, steps) in self.series.iter().zip(&all) {
            let n = steps[steps.len() - 1].1;
            let mut line = vec![(x.range.start, 0.0)];
            for &(value, count) in steps {
                let below = line[line.len() - 1].1;
                line.extend([(value / unit.size, below), (value / unit.size, 100.0 * count / n)]);
            }
            line.push((x.range.end, 100.0));
            let look = series.state.look();
            // Areas below the curves would cover each other.
            marks.push(Mark::Line { points: line, look, is_marked: false });
            let is_single = self.series.len() == 1;
            let named =
                |what: &str| if is_single { what.to_owned() } else { format!("{} {what}", series.name) };
            columns.push(CsvColumn::new(
                format!("{}{}", named(&self.quantity), unit.suffix()),
                steps.iter().map(|(value, _)| *value),
            ));
            columns.push(CsvColumn::new(
                named(&format!("{} at or below", self.of)),
                steps.iter().map(|(_, n)| *n),
            ));
        }
        let entry = |series: &Series<_>| Entry {
            sample: Sample::Line(series.state.look().pen),
            text: series.name.clone(),
        };
        Ok(Figure {
            title: self.title.clone(),
            description: format!("Share of {} by {}: {}", self.of, self.quantity, names(&self.series)),
            // A single curve needs no legend, because the axes describe it.
            legend: if self.series.len() > 1 { self.series.iter().map(entry).collect() } else { Vec::new() },
            x,
            y: Axis::from_zero(format!("share of {} (%)", self.of), 100.0, Numbers::Real),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}

/// Returns the steps of values in any order. Values without occurrences are left out.
fn steps(values: &[(f64, f64)]) -> Steps {
    let mut sorted: Vec<(f64, f64)> = values.iter().copied().filter(|(_, count)| *count > 0.0).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps: Steps = Vec::new();
    let mut n = 0.0;
    for (value, count) in sorted {
        n += count;
        match steps.last_mut() {
            Some(last) if last.0 == value => last.1 = n,
            _ => steps.push((value, n)),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_values_at_or_below_each_step() {
        let counted = steps(&[(3.0, 1.0), (1.0, 2.0), (3.0, 1.0), (2.0, 0.0)]);
        assert_eq!(counted, [(1.0, 2.0), (3.0, 4.0)]);
    }

    #[test]
    fn ends_at_one_hundred_percent() {
        let chart = Distribution {
            series: vec![Series::after(vec![(2.0, 1.0), (1.0, 3.0)])],
            of: "objects".to_owned(),
            quantity: "load".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        };
        let figure = chart.figure(&Style::default()).unwrap();
        let Mark::Line { points, .. } = &figure.marks[0] else { panic!("{:?}", figure.marks) };
        assert_eq!(points[1..5], [(1.0, 0.0), (1.0, 75.0), (2.0, 75.0), (2.0, 100.0)]);
        assert_eq!(figure.csv(), "load_s,objects at or below\n1,3\n2,4\n");
        let none = Distribution { series: vec![Series::after(vec![])], ..chart };
        assert!(matches!(none.figure(&Style::default()), Err(PlotError::Empty { .. })));
    }
}
