// SPDX-License-Identifier: MIT OR Apache-2.0
//! Medians over repetitions, with their confidence intervals.

use crate::axis::{Axis, Numbers};
use crate::canvas::mm_of_points;
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark};
use crate::font::fitted;
use crate::legend::{Entry, Sample};
use crate::palette::{Look, Pen};
use crate::time_series::Interval;
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style, TimeSeries};

/// Medians over steps; a pale area behind each line is the confidence interval.
#[derive(Debug, Clone, PartialEq)]
pub struct MedianTimeSeries {
    /// Medians.
    pub medians: TimeSeries,
    /// Confidence interval of each step, for each series.
    pub intervals: Vec<Vec<Interval>>,
}

impl Chart for MedianTimeSeries {
    fn figure(&self, style: &Style) -> Result<Figure, PlotError> {
        for (number, ends) in self.intervals.iter().flatten() {
            for &end in ends {
                check_value(end, || format!("an interval of {} {number}", self.medians.steps))?;
            }
        }
        self.medians.figure_with(&self.intervals, style)
    }
}

/// Median with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trusted {
    /// Median.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Medians and intervals of competitors, one row for each competitor. A row contains the results of all
/// problems, with a small vertical distance between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Medians {
    /// Names of competitors, from the top.
    pub competitors: Vec<String>,
    /// For each problem, the results of all competitors.
    pub problems: Vec<Series<Vec<Option<Trusted>>>>,
    /// Quantity, such as `load imbalance`.
    pub quantity: String,
    /// Unit, which may be empty.
    pub unit: String,
    /// Title, which may be empty: in a paper the caption replaces it.
    pub title: String,
}

/// Maximum width of the names of competitors, as a fraction of the chart's width. Longer names are shortened.
const NAMES: f64 = 0.42;

/// Fraction of the height of a row over which its problems are spread.
const ROW: f64 = 0.5;

impl Chart for Medians {
    fn figure(&self, style: &Style) -> Result<Figure, PlotError> {
        let all = || self.problems.iter().flat_map(|problem| &problem.values).flatten();
        for Trusted { value, low, high } in all() {
            for &number in [value, low, high] {
                check_value(number, || format!("a median of {}", self.quantity))?;
            }
        }
        let n = self.competitors.len();
        if all().next().is_none() || self.problems.iter().any(|problem| problem.values.len() != n) {
            return Err(PlotError::Empty { item: "medians".to_owned() });
        }
        let numbers = || all().flat_map(|trusted| [trusted.value, trusted.low, trusted.high]);
        let largest = numbers().fold(0.0, f64::max);
        let least = numbers().fold(largest, f64::min);
        let unit = Unit::for_axis(&self.unit, least, largest);
        let (mut marks, mut legend) = (Vec::new(), Vec::new());
        let mut columns = Vec::new();
        let n_problems = self.problems.len();
        for (at, problem) in self.problems.iter().enumerate() {
            let look = problem.state.look();
            let aside = if n_problems > 1 { ROW * (0.5 - at as f64 / (n_problems - 1) as f64) } else { 0.0 };
            for (row, trusted) in problem.values.iter().enumerate() {
                let Some(Trusted { value, low, high }) = trusted else { continue };
                // The first competitor is at the top.
                let y = (n - 1 - row) as f64 + aside;
                let points = |values: &[&f64]| values.iter().map(|&&value| (value / unit.size, y)).collect();
                let solid = Look { pen: Pen { dash_mm: None, ..look.pen }, ..look };
                marks.push(Mark::Line { points: points(&[low, high]), look: solid, is_marked: false });
                marks.push(Mark::Line { points: points(&[value]), look, is_marked: true });
            }
            legend.push(Entry { sample: Sample::Points(look), text: problem.name.clone() });
            let of = |part: fn(&Trusted) -> f64| {
                problem.values.iter().map(|trusted| trusted.as_ref().map(part)).collect()
            };
            let name = |end: &str| format!("{}{end}{}", problem.name, unit.suffix());
            columns.push(CsvColumn::with_gaps(name(""), of(|trusted| trusted.value)));
            columns.push(CsvColumn::with_gaps(name(" from"), of(|trusted| trusted.low)));
            columns.push(CsvColumn::with_gaps(name(" to"), of(|trusted| trusted.high)));
        }
        if n_problems == 1 {
            legend.clear();
        }
        let (em_mm, room_mm) = (mm_of_points(style.font_pt), NAMES * style.size().width_mm);
        let names: Vec<String> =
            self.competitors.iter().rev().map(|name| fitted(name, em_mm, room_mm)).collect();
        let label = unit.axis_label(&self.quantity);
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} of {}", self.quantity, self.competitors.join(", ")),
            legend,
            x: Axis::for_course(label, numbers().map(|number| number / unit.size), Numbers::Real),
            y: Axis::exactly(String::new(), -0.5..n as f64 - 0.5, Numbers::Named(names)),
            marks,
            is_square: false,
            columns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;

    fn trusted(value: f64) -> Trusted {
        Trusted { value, low: value - 1.0, high: value + 2.0 }
    }

    #[test]
    fn rows_have_names_and_numbers_their_intervals() {
        let problem =
            |name: &str, number, values| Series { name: name.to_owned(), state: State::Run(number), values };
        let chart = Medians {
            competitors: vec!["A".to_owned(), "B".to_owned()],
            problems: vec![
                problem("small", 0, vec![Some(trusted(3.0)), Some(trusted(4.0))]),
                problem("large", 1, vec![None, Some(trusted(5.0))]),
            ],
            quantity: "time".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        };
        let figure = chart.figure(&Style::default()).unwrap();
        assert_eq!(
            figure.csv(),
            "small_s,small from_s,small to_s,large_s,large from_s,large to_s\n3,2,5,,,\n4,3,6,5,4,7\n"
        );
        assert_eq!(figure.y.numbers, Numbers::Named(vec!["B".to_owned(), "A".to_owned()]));
        // The first problem is above the middle of the top row.
        let Mark::Line { points, .. } = &figure.marks[1] else { panic!("{:?}", figure.marks) };
        assert_eq!(points[..], [(3.0, 1.25)]);
    }

    #[test]
    fn intervals_are_drawn_behind_their_lines() {
        let medians = TimeSeries {
            steps: "iteration".to_owned(),
            series: vec![Series {
                name: "6".to_owned(),
                state: State::Run(0),
                values: vec![(0, 4.0), (1, 2.0)],
            }],
            bound: Vec::new(),
            bound_remark: String::new(),
            quantity: "imbalance".to_owned(),
            unit: String::new(),
            title: String::new(),
        };
        let chart = MedianTimeSeries { medians, intervals: vec![vec![(0, [4.0, 4.0]), (1, [1.0, 8.0])]] };
        let figure = chart.figure(&Style::default()).unwrap();
        assert!(matches!(&figure.marks[0], Mark::Band { high, .. } if high[1] == (1.0, 8.0)));
        assert!(figure.y.range.end > 8.0, "the axis includes the intervals");
        assert_eq!(figure.csv(), "iteration,6,6 from,6 to\n0,4,4,4\n1,2,1,8\n");
    }
}
