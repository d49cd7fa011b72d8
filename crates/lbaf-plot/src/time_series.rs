// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantity over phases or iterations.

use crate::axis::{Axis, Numbers};
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample, remark};
use crate::palette::{BOUND, Look, Pen, pale};
use crate::rank_values::names;
use crate::spread::{Rule, Spread};
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style};

/// Course of a quantity over phases or iterations, with its lower bound.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSeries {
    /// Name of a step on the axis, such as `phase`.
    pub steps: String,
    /// Values by number of the step, ascending. A line is interrupted where two numbers are farther apart than the
    /// typical distance.
    pub series: Vec<Series<Vec<(u64, f64)>>>,
    /// Proven lower bound of the value of a step, where known.
    pub bound: Vec<(u64, f64)>,
    /// Remark about the bound for the legend, such as its scope; may be empty.
    pub bound_remark: String,
    /// Quantity, such as `imbalance (max/mean - 1)`.
    pub quantity: String,
    /// Unit; may be empty. Seconds and bytes (`s`, `B`) get a suitable prefix unless the axis is logarithmic.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Values by number of the step, ascending.
type Points = [(u64, f64)];

/// Minimum width of the chart per step for a marker at every point. Below it, only isolated points have one.
const MARKER_DISTANCE_MM: f64 = 2.5;

impl Chart for TimeSeries {
    fn figure(&self, style: &Style) -> Result<Figure, PlotError> {
        self.figure_with(&[], style)
    }
}

/// Ends of an interval around a value, by number of the step.
pub(crate) type Interval = (u64, [f64; 2]);

impl TimeSeries {
    /// Creates the figure with the confidence intervals of the series, if there are any.
    pub(crate) fn figure_with(
        &self,
        intervals: &[Vec<Interval>],
        style: &Style,
    ) -> Result<Figure, PlotError> {
        let numbers = self.check()?;
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let step = typical_step(&numbers);
        let is_roomy = style.size().width_mm / numbers.len() as f64 >= MARKER_DISTANCE_MM;
        // The bound is a thin line on top, so that it is visible where a strategy reaches it.
        let thin = Look { pen: Pen { dash_mm: None, width_pt: 0.5, ..BOUND.pen }, ..BOUND };
        let mut all: Vec<(Look, &str, String, &Points)> = self
            .series
            .iter()
            .map(|series| (series.state.look(), series.name.as_str(), String::new(), &series.values[..]))
            .collect();
        all.push((thin, "lower bound", remark(&self.bound_remark), &self.bound));
        all.retain(|(.., points)| !points.is_empty());

        let ends = intervals.iter().flatten().flat_map(|(_, ends)| *ends);
        let values = || all.iter().flat_map(|(.., points)| *points).map(|point| point.1).chain(ends.clone());
        let spread = Spread::of(values(), Rule::LINES);
        let unit = Unit::for_axis(&self.unit, spread);
        let is_count =
            self.unit.is_empty() && values().all(|value| value.fract() == 0.0) && spread.most > 0.0;
        let suffix = unit.suffix();
        let (mut legend, mut marks) = (Vec::new(), Vec::new());
        let mut columns =
            vec![CsvColumn::new(self.steps.clone(), numbers.iter().map(|&number| number as f64))];
        for (series, intervals) in self.series.iter().zip(intervals) {
            // Like lines, the band is interrupted where steps are missing.
            for run in intervals.chunk_by(|one, next| next.0 - one.0 <= step) {
                let end = |side: usize| {
                    let point = |(number, ends): &Interval| (*number as f64, ends[side] / unit.size);
                    run.iter().map(point).collect::<Vec<(f64, f64)>>()
                };
                let color = pale(series.state.look().pen.color);
                marks.push(Mark::Band { low: end(0), high: end(1), color });
            }
        }
        for (look, name, remark, points) in &all {
            let mut has_markers = is_roomy;
            for run in runs(points, step) {
                let is_marked = is_roomy || run.len() == 1;
                has_markers |= is_marked;
                let points = run.iter().map(|&(number, value)| (number as f64, value / unit.size)).collect();
                marks.push(Mark::Line { points, look: *look, is_marked });
            }
            let sample = if has_markers { Sample::Points(*look) } else { Sample::Line(look.pen) };
            legend.push(Entry { sample, text: format!("{name}{remark}") });
            columns.push(CsvColumn::with_gaps(format!("{name}{suffix}"), aligned(&numbers, points)));
        }
        for (series, intervals) in self.series.iter().zip(intervals) {
            for (side, end) in ["from", "to"].into_iter().enumerate() {
                let points: Vec<(u64, f64)> =
                    intervals.iter().map(|(number, ends)| (*number, ends[side])).collect();
                let name = format!("{} {end}{suffix}", series.name);
                columns.push(CsvColumn::with_gaps(name, aligned(&numbers, &points)));
            }
        }
        let around = if first == last { 0.5 } else { 0.0 };
        let steps = first as f64 - around..last as f64 + around;
        let label = unit.axis_label(&self.quantity);
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} of each {}: {}", self.quantity, self.steps, names(&self.series)),
            legend,
            x: Axis::around(self.steps.clone(), &steps, Numbers::Whole),
            y: Axis::for_course(
                label,
                spread.scaled(unit.size),
                if is_count { Numbers::Whole } else { Numbers::Real },
            ),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}

impl TimeSeries {
    /// Checks the data and returns all numbers of steps, ascending.
    fn check(&self) -> Result<Vec<u64>, PlotError> {
        let bound = ("lower bound", &self.bound);
        let series = self.series.iter().map(|series| (series.name.as_str(), &series.values));
        let mut numbers: Vec<u64> = Vec::new();
        for (name, points) in series.chain([bound]) {
            for pair in points.windows(2) {
                let (first, second) = (pair[0].0, pair[1].0);
                if second <= first {
                    return Err(PlotError::StepsOutOfOrder { steps: self.steps.clone(), first, second });
                }
            }
            for &(number, value) in points {
                check_value(value, || {
                    format!("the {} \u{201c}{name}\u{201d} of {} {number}", self.quantity, self.steps)
                })?;
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            return Err(PlotError::Empty { item: format!("{}s", self.steps) });
        }
        Ok(numbers)
    }
}

/// Returns the typical distance: the lower median of the distances between neighbouring numbers; 1 for a single number.
fn typical_step(numbers: &[u64]) -> u64 {
    let mut steps: Vec<u64> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable();
    steps.get(steps.len().saturating_sub(1) / 2).copied().unwrap_or(1)
}

/// Splits a series where neighbouring numbers are farther apart than the typical step.
fn runs(points: &Points, step: u64) -> impl Iterator<Item = &Points> {
    points.chunk_by(move |a, b| b.0 - a.0 <= step)
}

/// Returns the value for each number; `None` where the series has none.
fn aligned(numbers: &[u64], points: &Points) -> Vec<Option<f64>> {
    let of = |number: &u64| points.binary_search_by_key(number, |point| point.0).ok().map(|at| points[at].1);
    numbers.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MedianTimeSeries;

    fn chart(numbers: &[u64]) -> TimeSeries {
        let points = |value: f64| numbers.iter().map(|&number| (number, value)).collect();
        TimeSeries {
            steps: "phase".to_owned(),
            series: vec![Series::before(points(1.0)), Series::after(points(0.1))],
            bound: Vec::new(),
            bound_remark: String::new(),
            quantity: "imbalance".to_owned(),
            unit: String::new(),
            title: String::new(),
        }
    }

    #[test]
    fn the_typical_step_is_the_lower_median() {
        assert_eq!(typical_step(&[0, 1, 2, 3, 10, 11]), 1);
        assert_eq!(typical_step(&[0, 10, 20, 30]), 10);
        assert_eq!(typical_step(&[1, 2, 5]), 1);
        assert_eq!(typical_step(&[7]), 1);
    }

    #[test]
    fn refuses_phases_out_of_order_and_phases_twice() {
        for numbers in [[0, 5, 3], [0, 5, 5]] {
            let error = chart(&numbers).draw(&Style::default()).unwrap_err();
            assert!(matches!(error, PlotError::StepsOutOfOrder { first: 5, .. }), "{error}");
        }
        assert!(matches!(chart(&[]).draw(&Style::default()), Err(PlotError::Empty { .. })));
    }

    #[test]
    fn refuses_an_undefined_value() {
        let mut chart = chart(&[0, 4]);
        chart.series[1].values[1].1 = f64::NAN;
        let error = chart.draw(&Style::default()).unwrap_err();
        assert!(
            error.to_string().starts_with("the imbalance \u{201c}after\u{201d} of phase 4 is NaN"),
            "{error}"
        );
    }

    /// Regression: the band continued over missing steps, where its line is interrupted.
    #[test]
    fn intervals_end_where_steps_are_missing() {
        let medians = TimeSeries { series: vec![chart(&[0, 1, 2, 7, 8]).series.remove(0)], ..chart(&[]) };
        let intervals = vec![[0, 1, 2, 7, 8].map(|number| (number, [0.5, 1.5])).to_vec()];
        let figure = MedianTimeSeries { medians, intervals }.figure(&Style::default()).unwrap();
        let lengths = figure.marks.iter().filter_map(|mark| match mark {
            Mark::Band { low, .. } => Some(low.len()),
            _ => None,
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [3, 2]);
    }

    #[test]
    fn writes_known_values_and_empty_cells() {
        let mut chart = chart(&[3, 7]);
        chart.bound = vec![(7, 0.05)];
        let csv = chart.figure(&Style::default()).unwrap().csv();
        assert_eq!(csv, "phase,before,after,lower bound\n3,1,0.1,\n7,1,0.1,0.05\n");
    }
}
