// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loads of all ranks, sorted, before and after.

use crate::axis::{Axis, Numbers};
use crate::error::{check_loads, check_value};
use crate::frame::Frame;
use crate::legend::{Entry, Sample};
use crate::palette::{AFTER, BEFORE, BOUND, MEAN, Pen};
use crate::tick::four_digits;
use crate::unit::Unit;
use crate::{Chart, PlotError, Style, Svg};

/// Loads of all ranks from the heaviest to the lightest, before and after, with the mean and what is proven to be the least
/// possible maximum.
#[derive(Debug, Clone, PartialEq)]
pub struct RankLoads {
    /// Value of each rank before, in any order.
    pub before: Vec<f64>,
    /// Value of each rank after, in any order.
    pub after: Vec<f64>,
    /// Mean over ranks.
    pub mean: f64,
    /// Proven lower bound of the largest value.
    pub bound: f64,
    /// Where the bound comes from, such as `largest object`; may be empty.
    pub bound_name: String,
    /// What is shown, such as `load`.
    pub quantity: String,
    /// Its unit, which may be empty. Seconds (`s`) are shown in the multiple that reads well.
    pub unit: String,
    /// Title, which may be empty: in a paper the caption says it.
    pub title: String,
}

/// Up to so many ranks, each is shown as a step.
const MOST_STEPS: usize = 64;

/// A mean and a bound closer than this, relative to the mean, are one line.
const EQUAL: f64 = 1e-9;

impl Chart for RankLoads {
    fn name(&self) -> &'static str {
        "rank_loads"
    }

    fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        check_loads(self.name(), &self.before, &self.after)?;
        check_value(self.mean, || "the mean".to_owned())?;
        check_value(self.bound, || "the lower bound".to_owned())?;

        let n_ranks = self.before.len();
        let largest =
            self.before.iter().chain(&self.after).copied().fold(self.mean.max(self.bound), f64::max);
        let unit = Unit::of(&self.unit, largest);
        let lines = self.level_lines(&unit);
        let edge = |look, text: &str| Entry { sample: Sample::Edge(look), text: text.to_owned() };
        let mut legend = vec![edge(BEFORE, "before"), edge(AFTER, "after")];
        legend.extend(
            lines.iter().map(|(_, pen, text)| Entry { sample: Sample::Line(*pen), text: text.clone() }),
        );

        let ranks = 0.5..n_ranks as f64 + 0.5;
        let order = format!("ranks in descending order of {}", self.quantity);
        let frame = Frame {
            title: self.title.clone(),
            description: "Ranks before and after load balancing",
            legend,
            x: Axis::around(order, &ranks, Numbers::Ranks(n_ranks)),
            y: Axis::from_zero(unit.axis_label(&self.quantity), largest / unit.size, Numbers::Real),
        };
        frame.draw(style, |plot| {
            plot.edge(&curve(&unit.scaled(&self.before)), BEFORE)?;
            plot.edge(&curve(&unit.scaled(&self.after)), AFTER)?;
            lines.iter().try_for_each(|(value, pen, _)| plot.level(value / unit.size, *pen))
        })
    }
}

impl RankLoads {
    /// Mean and bound with their texts, as one when they are equal.
    fn level_lines(&self, unit: &Unit) -> Vec<(f64, Pen, String)> {
        let number = |value: f64| {
            // What is tiny on the axis is written in a unit of its own: not 0.02441 ks but 24.41 s.
            let own = Unit::of(&self.unit, value);
            let unit = if value > 0.0 && value / unit.size < 0.1 { &own } else { unit };
            unit.with_number(&four_digits(value / unit.size))
        };
        let (mean, bound) = (self.mean, self.bound);
        if (bound - mean).abs() <= EQUAL * mean {
            return vec![(mean, MEAN, format!("mean = lower bound {}", number(mean)))];
        }
        let source = match self.bound_name.trim() {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        vec![
            (mean, MEAN, format!("mean {}", number(mean))),
            (bound, BOUND.pen, format!("lower bound {}{source}", number(bound))),
        ]
    }
}

/// The line through loads in descending order: a step for each rank when they can be told apart, else a point.
fn curve(loads: &[f64]) -> Vec<(f64, f64)> {
    let mut sorted = loads.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let points = sorted.iter().enumerate().map(|(i, &load)| ((i + 1) as f64, load));
    if sorted.len() > MOST_STEPS {
        return points.collect();
    }
    points.flat_map(|(rank, load)| [(rank - 0.5, load), (rank + 0.5, load)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(mean: f64, bound: f64) -> RankLoads {
        RankLoads {
            before: vec![1.0, 3.0],
            after: vec![2.0, 2.0],
            mean,
            bound,
            bound_name: "largest object".to_owned(),
            quantity: "load".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn sorts_loads_into_steps() {
        assert_eq!(curve(&[1.0, 3.0]), [(0.5, 3.0), (1.5, 3.0), (1.5, 1.0), (2.5, 1.0)]);
    }

    #[test]
    fn joins_many_ranks_by_a_line() {
        let loads: Vec<f64> = (0..65).map(f64::from).collect();
        let curve = curve(&loads);
        assert_eq!(curve.len(), 65);
        assert_eq!((curve[0], curve[64]), ((1.0, 64.0), (65.0, 0.0)));
    }

    #[test]
    fn draws_one_line_when_the_bound_is_the_mean() {
        let unit = Unit::of("s", 3.0);
        let texts = |chart: &RankLoads| -> Vec<String> {
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
    fn refuses_a_mean_that_is_not_a_number() {
        let error = chart(f64::NAN, 2.0).draw(&Style::default()).unwrap_err();
        assert!(error.to_string().starts_with("the mean is NaN"), "{error}");
    }
}
