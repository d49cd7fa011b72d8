// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chart of a quantity with a value for each rank.

use crate::axis::{Axis, Numbers};
use crate::envelope::Envelope;
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample, remark};
use crate::palette::{BOUND, LIMIT, Look, MEAN, Pen, RESTRICTED, pale};
use crate::series::check_series;
use crate::spread::{Rule, Spread};
use crate::tick::four_digits;
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style};

/// Quantity of all ranks, with reference values such as its mean and bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct RankValues {
    /// Order of ranks.
    pub order: RankOrder,
    /// Value of each rank, by number of the rank.
    pub series: Vec<Series<Vec<f64>>>,
    /// Reference values, drawn as horizontal lines. Only the legend lists an upper bound far above the values.
    pub levels: Vec<Level>,
    /// Quantity, such as `load`.
    pub quantity: String,
    /// Unit; may be empty. Seconds and bytes (`s`, `B`) get a suitable prefix unless the axis is logarithmic.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Order of ranks along the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankOrder {
    /// By descending value, independently for each series.
    Descending,
    /// By number of the rank.
    ByNumber,
}

/// Reference value for ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Kind.
    pub kind: LevelKind,
    /// Value.
    pub value: f64,
    /// Remark for the legend, such as the limiting factor of a bound; may be empty.
    pub remark: String,
}

/// Kind of a reference value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelKind {
    /// Mean over ranks.
    Mean,
    /// Proven lower bound on the maximum.
    LowerBound,
    /// Lower bound under a restriction, which the remark describes.
    RestrictedBound,
    /// Upper bound on the value of each rank.
    UpperBound,
}

/// Maximum number of ranks drawn as steps.
const MOST_STEPS: usize = 64;

/// Width of the edges of a band.
const EDGE_PT: f64 = 0.3;

/// Largest relative distance at which mean and lower bound share a line.
const EQUAL: f64 = 1e-9;

/// An upper bound above this multiple of the largest value is only listed in the legend, because its line would squeeze
/// the data.
const FAR: f64 = 3.0;

impl Chart for RankValues {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        check_series(&self.series, "ranks")?;
        for level in &self.levels {
            check_value(level.value, || format!("the {}", level.kind.name()))?;
        }
        let n_ranks = self.series[0].values.len();
        let of_ranks = self.series.iter().flat_map(|series| &series.values).copied().fold(0.0, f64::max);
        let is_near = |level: &&Level| level.kind != LevelKind::UpperBound || level.value <= FAR * of_ranks;
        let shown: Vec<f64> = self.levels.iter().filter(is_near).map(|level| level.value).collect();
        let largest = shown.iter().copied().fold(of_ranks, f64::max);
        // Areas have no meaning on a logarithmic axis, so the axis is logarithmic only if a few outliers would hide all
        // other values.
        let values = self.series.iter().flat_map(|series| &series.values).chain(&shown);
        let spread = Spread::of(values.copied(), Rule::AREAS);
        let unit = Unit::for_axis(&self.unit, spread);
        let lines = self.level_lines(&unit);
        let (x, number) = match self.order {
            RankOrder::Descending => {
                let label = format!("ranks in descending order of {}", self.quantity);
                (Axis::around(label, &(0.5..n_ranks as f64 + 0.5), Numbers::Ranks(n_ranks)), 1.0)
            }
            RankOrder::ByNumber => {
                let range = -0.5..n_ranks as f64 - 0.5;
                (Axis::around("rank".to_owned(), &range, Numbers::Whole), 0.0)
            }
        };
        let (mut legend, mut bands, mut curves) = (Vec::new(), Vec::new(), Vec::new());
        let mut columns = vec![CsvColumn::new(self.order.column(), (0..n_ranks).map(|i| i as f64 + number))];
        for series in &self.series {
            let values = self.ordered(&series.values);
            let name = format!("{}{}", series.name, unit.suffix());
            let scaled = unit.scaled(&values);
            let look = series.state.look();
            let envelope = Envelope::of(&scaled, number).filter(|_| self.order == RankOrder::ByNumber);
            if let Some(Envelope { size, low, mean, high }) = envelope {
                let color = pale(look.pen.color);
                // Edges, because bands have similar brightness in a grey print.
                let edge = Look { pen: Pen { width_pt: EDGE_PT, dash_mm: None, ..look.pen }, ..look };
                let edges = [low.clone(), high.clone()];
                bands.push(Mark::Band { low, high, color });
                curves.extend(edges.map(|points| Mark::Line { points, look: edge, is_marked: false }));
                curves.push(Mark::Line { points: mean, look, is_marked: false });
                let text = format!("{}: mean and range of {size} ranks", series.name);
                legend.push(Entry { sample: Sample::Band(look.pen), text });
            } else {
                let look = if spread.is_logarithmic { Look { fill: None, ..look } } else { look };
                curves.push(Mark::Edge(curve(&scaled, number), look));
                legend.push(Entry { sample: Sample::Edge(look), text: series.name.clone() });
            }
            columns.push(CsvColumn::new(name, values));
        }
        legend.extend(lines.iter().map(|(value, pen, text)| {
            if *value <= largest {
                Entry { sample: Sample::Line(*pen), text: text.clone() }
            } else {
                Entry { sample: Sample::Nothing, text: format!("{text}, above the chart") }
            }
        }));
        // Bands first, so that no band hides a line.
        let mut marks = bands;
        marks.extend(curves);
        let near = lines.iter().filter(|(value, ..)| *value <= largest);
        marks.extend(near.map(|(value, pen, _)| Mark::Level(value / unit.size, *pen)));
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} of {n_ranks} ranks: {}", self.quantity, names(&self.series)),
            legend,
            x,
            y: Axis::for_course(unit.axis_label(&self.quantity), spread.scaled(unit.size), Numbers::Real),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}

impl RankValues {
    fn ordered(&self, values: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        if self.order == RankOrder::Descending {
            values.sort_by(|a, b| b.total_cmp(a));
        }
        values
    }

    /// Returns the levels with their texts; an equal mean and lower bound are merged.
    fn level_lines(&self, unit: &Unit) -> Vec<(f64, Pen, String)> {
        let number = |value: f64| {
            // A tiny or huge value in the unit of the axis gets its own unit: 24.41 s instead of 0.02441 ks.
            let own = Unit::of(&self.unit, value);
            let unit = if value > 0.0 && !(0.1..1e4).contains(&(value / unit.size)) { &own } else { unit };
            unit.with_number(&four_digits(value / unit.size))
        };
        let of = |kind| self.levels.iter().find(move |level| level.kind == kind).map(|level| level.value);
        let (mean, bound) = (of(LevelKind::Mean), of(LevelKind::LowerBound));
        let same = mean.zip(bound).is_some_and(|(mean, bound)| (bound - mean).abs() <= EQUAL * mean);
        let mut lines = Vec::new();
        for Level { kind, value, remark } in &self.levels {
            let name = match kind {
                LevelKind::Mean if same => "mean = lower bound",
                LevelKind::LowerBound if same => continue,
                kind => kind.name(),
            };
            let remark = self::remark(remark);
            lines.push((*value, kind.pen(), format!("{name} {}{remark}", number(*value))));
        }
        lines
    }
}

impl RankOrder {
    fn column(self) -> &'static str {
        match self {
            Self::Descending => "position",
            Self::ByNumber => "rank",
        }
    }
}

impl LevelKind {
    fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::LowerBound | Self::RestrictedBound => "lower bound",
            Self::UpperBound => "upper bound",
        }
    }

    fn pen(self) -> Pen {
        match self {
            Self::Mean => MEAN,
            Self::LowerBound => BOUND.pen,
            Self::RestrictedBound => RESTRICTED,
            Self::UpperBound => LIMIT,
        }
    }
}

/// Returns the names of series, separated by commas.
pub(crate) fn names<T>(series: &[Series<T>]) -> String {
    series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Returns the line through the values of ranks, the first at position `first`: steps for few ranks, otherwise points.
fn curve(values: &[f64], first: f64) -> Vec<(f64, f64)> {
    let points = values.iter().enumerate().map(|(i, &value)| (i as f64 + first, value));
    if values.len() > MOST_STEPS {
        return points.collect();
    }
    points.flat_map(|(rank, value)| [(rank - 0.5, value), (rank + 0.5, value)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(mean: f64, bound: f64) -> RankValues {
        let level = |kind, value, remark: &str| Level { kind, value, remark: remark.to_owned() };
        RankValues {
            order: RankOrder::Descending,
            series: vec![Series::before(vec![1.0, 3.0]), Series::after(vec![2.0, 2.0])],
            levels: vec![
                level(LevelKind::Mean, mean, ""),
                level(LevelKind::LowerBound, bound, "largest object"),
            ],
            quantity: "load".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn sorts_values_into_steps() {
        let sorted = chart(2.0, 2.0).ordered(&[1.0, 3.0]);
        assert_eq!(curve(&sorted, 1.0), [(0.5, 3.0), (1.5, 3.0), (1.5, 1.0), (2.5, 1.0)]);
    }

    #[test]
    fn keeps_the_numbers_of_ranks_on_request() {
        let by_number = RankValues { order: RankOrder::ByNumber, ..chart(2.0, 2.0) };
        let csv = by_number.figure(&Style::default()).unwrap().csv();
        assert_eq!(csv, "rank,before_s,after_s\n0,1,2\n1,3,2\n");
        let csv = chart(2.0, 2.0).figure(&Style::default()).unwrap().csv();
        assert_eq!(csv, "position,before_s,after_s\n1,3,2\n2,1,2\n");
    }

    #[test]
    fn joins_many_ranks_by_a_line() {
        let values: Vec<f64> = (0..65).rev().map(f64::from).collect();
        let curve = curve(&values, 1.0);
        assert_eq!(curve.len(), 65);
        assert_eq!((curve[0], curve[64]), ((1.0, 64.0), (65.0, 0.0)));
    }

    #[test]
    fn draws_one_line_when_the_bound_is_the_mean() {
        let unit = Unit::of("s", 3.0);
        let texts = |chart: &RankValues| -> Vec<String> {
            chart.level_lines(&unit).into_iter().map(|(.., text)| text).collect()
        };
        assert_eq!(texts(&chart(2.0, 2.0 + 1e-10)), ["mean = lower bound 2.000 s"]);
        let two = ["mean 2.000 s", "lower bound 2.500 s (largest object)"];
        assert_eq!(texts(&chart(2.0, 2.5)), two);
    }

    #[test]
    fn writes_a_tiny_mean_in_its_own_unit() {
        let lines = chart(24.414, 24.414).level_lines(&Unit::of("s", 1e5));
        assert_eq!(lines[0].2, "mean = lower bound 24.41 s");
    }

    #[test]
    fn lists_a_bound_far_above_only_in_the_legend() {
        let mut chart = chart(2.0, 2.0);
        chart.levels.push(Level { kind: LevelKind::UpperBound, value: 9e9, remark: String::new() });
        let figure = chart.figure(&Style::default()).unwrap();
        assert!(figure.y.range.end < 4.0, "{:?}", figure.y);
        assert_eq!(figure.legend.last().unwrap().text, "upper bound 9.000e9 s, above the chart");
    }

    #[test]
    fn one_loaded_rank_needs_a_logarithmic_axis_without_areas() {
        let mut loads = vec![1.0; 30];
        loads[7] = 100.0;
        let series = vec![Series::before(loads), Series::after(vec![4.3; 30])];
        let figure = RankValues { series, ..chart(4.3, 4.3) }.figure(&Style::default()).unwrap();
        assert!(figure.y.is_logarithmic);
        let is_filled = |mark: &Mark| matches!(mark, Mark::Edge(_, Look { fill: Some(_), .. }));
        assert!(!figure.marks.iter().any(is_filled));
    }

    #[test]
    fn draws_an_envelope_of_many_ranks_only_in_order_of_number() {
        let loads: Vec<f64> = (0..4096).map(|rank| f64::from(rank % 7)).collect();
        let many = RankValues { series: vec![Series::after(loads)], ..chart(3.0, 3.0) };
        let has_band = |chart: &RankValues| {
            let figure = chart.figure(&Style::default()).unwrap();
            assert_eq!(figure.csv().lines().count(), 4097, "the table has every rank");
            figure.marks.iter().any(|mark| matches!(mark, Mark::Band { .. }))
        };
        assert!(!has_band(&many));
        assert!(has_band(&RankValues { order: RankOrder::ByNumber, ..many }));
    }

    #[test]
    fn refuses_a_mean_that_is_not_a_number() {
        let error = chart(f64::NAN, 2.0).draw(&Style::default()).unwrap_err();
        assert!(error.to_string().starts_with("the mean is NaN"), "{error}");
    }
}
