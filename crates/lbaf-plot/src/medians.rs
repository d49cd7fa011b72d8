// SPDX-License-Identifier: MIT OR Apache-2.0
//! Medians over repetitions, with their confidence intervals.

use crate::axis::{Axis, Numbers};
use crate::canvas::mm_of_points;
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::font::fitted_names;
use crate::legend::{Entry, Sample};
use crate::palette::{BETWEEN_ROWS, Look, Pen};
use crate::spread::{Rule, Spread};
use crate::time_series::Interval;
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style, TimeSeries};

/// Medians over steps, each line on a pale area for its confidence interval.
#[derive(Debug, Clone, PartialEq)]
pub struct MedianTimeSeries {
    /// Medians.
    pub medians: TimeSeries,
    /// For each series, the confidence interval of each step.
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

/// Medians and intervals of competitors on one or several problems.
///
/// On a single problem, each competitor has a row with its name. On several problems, each problem has a named row with
/// the competitors in the order of the legend, at small vertical distances. The state of a competitor determines its
/// colour and marker in both cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Medians {
    /// Names of problems, from the top.
    pub problems: Vec<String>,
    /// For each competitor, its result on each problem; `None` without a result.
    pub competitors: Vec<Series<Vec<Option<Trusted>>>>,
    /// Quantity, such as `load imbalance`.
    pub quantity: String,
    /// Unit; may be empty.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Maximum width of the names of rows, as a fraction of the chart's width.
const NAMES: f64 = 0.42;

/// Height of a competitor in the row of a problem, if there are several problems.
const LINE_MM: f64 = 1.9;

/// Fraction of the row of a problem over which its competitors are spread.
const ROW: f64 = 0.8;

impl Chart for Medians {
    fn figure(&self, style: &Style) -> Result<Figure, PlotError> {
        let all = || self.competitors.iter().flat_map(|competitor| &competitor.values).flatten();
        for Trusted { value, low, high } in all() {
            for &number in [value, low, high] {
                check_value(number, || format!("a median of {}", self.quantity))?;
            }
        }
        let n_problems = self.problems.len();
        if all().next().is_none() || self.competitors.iter().any(|one| one.values.len() != n_problems) {
            return Err(PlotError::Empty { item: "medians".to_owned() });
        }
        let numbers = || all().flat_map(|trusted| [trusted.value, trusted.low, trusted.high]);
        let spread = Spread::of(numbers(), Rule::LINES);
        let unit = Unit::for_axis(&self.unit, spread);
        let (mut marks, mut legend, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let n = self.competitors.len();
        let is_alone = n_problems == 1;
        let n_rows = if is_alone { n } else { n_problems };
        if !is_alone {
            // Lines between problems.
            marks.extend((1..n_problems).map(|row| Mark::Level(row as f64 - 0.5, BETWEEN_ROWS)));
            columns.push(CsvColumn::of_words("problem", self.problems.clone()));
        }
        for (at, competitor) in self.competitors.iter().enumerate() {
            let look = competitor.state.look();
            let solid = Look { pen: Pen { dash_mm: None, ..look.pen }, ..look };
            let aside = if n > 1 { ROW * (0.5 - at as f64 / (n - 1) as f64) } else { 0.0 };
            for (problem, trusted) in competitor.values.iter().enumerate() {
                let Some(Trusted { value, low, high }) = trusted else { continue };
                // The first row is at the top.
                let y =
                    if is_alone { (n - 1 - at) as f64 } else { (n_problems - 1 - problem) as f64 + aside };
                let points = |values: &[&f64]| values.iter().map(|&&value| (value / unit.size, y)).collect();
                marks.push(Mark::Line { points: points(&[low, high]), look: solid, is_marked: false });
                marks.push(Mark::Line { points: points(&[value]), look: solid, is_marked: true });
            }
            if !is_alone {
                legend.push(Entry { sample: Sample::Marker(solid), text: competitor.name.clone() });
            }
            let of = |part: fn(&Trusted) -> f64| {
                competitor.values.iter().map(|trusted| trusted.as_ref().map(part)).collect()
            };
            let name = |end: &str| format!("{}{end}{}", competitor.name, unit.suffix());
            columns.push(CsvColumn::with_gaps(name(""), of(|trusted| trusted.value)));
            columns.push(CsvColumn::with_gaps(name(" from"), of(|trusted| trusted.low)));
            columns.push(CsvColumn::with_gaps(name(" to"), of(|trusted| trusted.high)));
        }
        let (em_mm, room_mm) = (mm_of_points(style.font_pt), NAMES * style.size().width_mm);
        let of_competitors = || self.competitors.iter().map(|competitor| &competitor.name);
        let names: Vec<&str> = if is_alone {
            of_competitors().map(String::as_str).collect()
        } else {
            self.problems.iter().map(String::as_str).collect()
        };
        let mut names = fitted_names(&names, em_mm, room_mm);
        names.reverse();
        let label = unit.axis_label(&self.quantity);
        let listed: Vec<&str> = of_competitors().map(String::as_str).collect();
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} of {}", self.quantity, listed.join(", ")),
            legend,
            x: Axis::for_course(label, spread.scaled(unit.size), Numbers::Real),
            y: Axis::exactly(String::new(), -0.5..n_rows as f64 - 0.5, Numbers::Named(names)),
            row_mm: if is_alone { ROW_MM } else { (LINE_MM * (n as f64 + 1.5)).max(ROW_MM) },
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

    fn chart(problems: &[&str], values: [Vec<Option<Trusted>>; 2]) -> Medians {
        let names = ["A", "B"];
        let competitor = |(number, values): (usize, _)| Series {
            name: names[number].to_owned(),
            state: State::Run(number),
            values,
        };
        Medians {
            problems: problems.iter().map(|&name| name.to_owned()).collect(),
            competitors: values.into_iter().enumerate().map(competitor).collect(),
            quantity: "time".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn each_problem_has_a_row_and_each_median_an_interval() {
        let chart = chart(
            &["small", "large"],
            [vec![Some(trusted(3.0)), None], vec![Some(trusted(4.0)), Some(trusted(5.0))]],
        );
        let figure = chart.figure(&Style::default()).unwrap();
        assert_eq!(
            figure.csv(),
            "problem,A_s,A from_s,A to_s,B_s,B from_s,B to_s\nsmall,3,2,5,4,3,6\nlarge,,,,5,4,7\n"
        );
        assert_eq!(figure.y.numbers, Numbers::Named(vec!["large".to_owned(), "small".to_owned()]));
        // A line between the problems, then an interval and a point for each result. The first competitor is above the
        // middle of its row.
        let Mark::Line { points, look, .. } = &figure.marks[2] else { panic!("{:?}", figure.marks) };
        assert_eq!(points[..], [(3.0, 1.4)]);
        assert_eq!(look.marker, State::Run(0).look().marker);
        let legend: Vec<&str> = figure.legend.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(legend, ["A", "B"]);
    }

    /// A competitor has the same look in its own row and in the rows of problems.
    #[test]
    fn competitors_have_rows_on_a_single_problem() {
        let chart = chart(&["small"], [vec![Some(trusted(3.0))], vec![Some(trusted(4.0))]]);
        let figure = chart.figure(&Style::default()).unwrap();
        assert!(figure.legend.is_empty());
        assert_eq!(figure.y.numbers, Numbers::Named(vec!["B".to_owned(), "A".to_owned()]));
        let colors: Vec<_> = (figure.marks.iter())
            .filter_map(|mark| match mark {
                Mark::Line { look, is_marked: true, .. } => Some(look.pen.color),
                _ => None,
            })
            .collect();
        assert_eq!(colors, [0, 1].map(|number| State::Run(number).look().pen.color));
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
