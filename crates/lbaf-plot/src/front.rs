// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pareto front of two quantities, such as cost and quality.

use plotters::style::RGBColor;

use crate::axis::{Axis, Numbers};
use crate::error::check_value;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::palette::{BOUND, Look, Marker, Pen};
use crate::spread::{Rule, Spread};
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style};

/// Points by two quantities to be minimized. A staircase joins the points on the Pareto front.
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    /// Points with a name in the legend.
    pub points: Vec<Series<FrontPoint>>,
    /// Points without a name, which share the legend entry `others`, because long legends are not readable.
    pub others: Vec<FrontPoint>,
    /// Horizontal quantity, with its unit.
    pub across: (String, String),
    /// Vertical quantity, with its unit.
    pub up: (String, String),
    /// Title; may be empty.
    pub title: String,
}

/// Point of a [`Front`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontPoint {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// True for a point on the Pareto front. The caller determines it, because incomplete and infeasible results are
    /// not on the front.
    pub is_on_front: bool,
}

/// Look of points without a name.
const OTHERS: Look = Look {
    pen: Pen { color: RGBColor(150, 150, 150), width_pt: 0.5, dash_mm: None },
    marker: Marker::Circle,
    fill: None,
};

impl Chart for Front {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        if self.points.is_empty() && self.others.is_empty() {
            return Err(PlotError::Empty { item: "points".to_owned() });
        }
        let all = || self.points.iter().map(|point| &point.values).chain(&self.others);
        let values = |of: fn(&FrontPoint) -> f64| all().map(of);
        for (quantity, of) in [(&self.across.0, (|p| p.x) as fn(&FrontPoint) -> f64), (&self.up.0, |p| p.y)] {
            for value in values(of) {
                check_value(value, || format!("the {quantity} of a point"))?;
            }
        }
        let unit = |(_, unit): &(String, String), of: fn(&FrontPoint) -> f64| {
            Unit::for_axis(unit, Spread::of(values(of), Rule::LINES))
        };
        let (x_unit, y_unit) = (unit(&self.across, |p| p.x), unit(&self.up, |p| p.y));
        let place = |point: &FrontPoint| (point.x / x_unit.size, point.y / y_unit.size);
        let mut front: Vec<(f64, f64)> = all().filter(|point| point.is_on_front).map(place).collect();
        front.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Between two points, the front stays at the height of the left one.
        let corner = |pair: &[(f64, f64)]| [(pair[1].0, pair[0].1), pair[1]];
        let stairs: Vec<(f64, f64)> =
            front.first().copied().into_iter().chain(front.windows(2).flat_map(corner)).collect();
        // A single point has no staircase.
        let has_stairs = stairs.len() > 1;
        let (mut marks, mut legend) = (Vec::new(), Vec::new());
        if has_stairs {
            marks.push(Mark::Line { points: stairs, look: BOUND, is_marked: false });
        }
        for point in &self.others {
            marks.push(Mark::Line { points: vec![place(point)], look: OTHERS, is_marked: true });
        }
        for point in &self.points {
            let look: Look = point.state.look();
            marks.push(Mark::Line { points: vec![place(&point.values)], look, is_marked: true });
            legend.push(Entry { sample: Sample::Marker(look), text: point.name.clone() });
        }
        if !self.others.is_empty() {
            legend.push(Entry { sample: Sample::Marker(OTHERS), text: "others".to_owned() });
        }
        if has_stairs {
            legend.push(Entry { sample: Sample::Line(BOUND.pen), text: "Pareto front".to_owned() });
        }
        let axis = |(name, _): &(String, String), unit: &Unit, of: fn(&FrontPoint) -> f64| {
            let spread = Spread::of(values(of), Rule::LINES).scaled(unit.size);
            Axis::for_course(unit.axis_label(name), spread, Numbers::Real)
        };
        let column = |(name, _): &(String, String), unit: &Unit, of: fn(&FrontPoint) -> f64| {
            CsvColumn::new(format!("{name}{}", unit.suffix()), values(of))
        };
        Ok(Figure {
            title: self.title.clone(),
            description: format!("{} against {}", self.up.0, self.across.0),
            legend,
            x: axis(&self.across, &x_unit, |p| p.x),
            y: axis(&self.up, &y_unit, |p| p.y),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns: vec![column(&self.across, &x_unit, |p| p.x), column(&self.up, &y_unit, |p| p.y)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;

    #[test]
    fn the_front_is_joined_in_order() {
        let point = |number, x, y, is_on_front| Series {
            name: format!("s{number}"),
            state: State::Run(number),
            values: FrontPoint { x, y, is_on_front },
        };
        let chart = Front {
            others: vec![FrontPoint { x: 4.0, y: 0.9, is_on_front: false }],
            points: vec![point(0, 9.0, 0.1, true), point(1, 5.0, 0.7, false), point(2, 1.0, 0.6, true)],
            across: ("migrations".to_owned(), String::new()),
            up: ("imbalance".to_owned(), String::new()),
            title: String::new(),
        };
        let figure = chart.figure(&Style::default()).unwrap();
        let Mark::Line { points, .. } = &figure.marks[0] else { panic!("{:?}", figure.marks) };
        assert_eq!(points[..], [(1.0, 0.6), (9.0, 0.6), (9.0, 0.1)]);
        assert_eq!(figure.csv(), "migrations,imbalance\n9,0.1\n5,0.7\n1,0.6\n4,0.9\n");
        // A front of a single point has no staircase and no legend entry.
        let is_stairs = |entry: &Entry| entry.text == "Pareto front";
        assert_eq!(figure.legend.iter().filter(|entry| is_stairs(entry)).count(), 1);
        let alone = Front { points: vec![point(0, 1.0, 0.1, true), point(1, 5.0, 0.7, false)], ..chart };
        let figure = alone.figure(&Style::default()).unwrap();
        assert!(!figure.legend.iter().any(is_stairs));
    }
}
