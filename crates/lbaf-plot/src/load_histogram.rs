// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many ranks have which load, before and after.

use crate::axis::{Axis, Numbers};
use crate::bins::Bins;
use crate::error::check_loads;
use crate::frame::Frame;
use crate::legend::{Entry, Sample};
use crate::palette::{AFTER, BEFORE};
use crate::unit::Unit;
use crate::{Chart, PlotError, Style, Svg};

/// Numbers of ranks by load, before and after, in the same bins.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadHistogram {
    /// Value of each rank before, in any order.
    pub before: Vec<f64>,
    /// Value of each rank after, in any order.
    pub after: Vec<f64>,
    /// What is shown, such as `load`.
    pub quantity: String,
    /// Its unit, which may be empty. Seconds (`s`) are shown in the multiple that reads well.
    pub unit: String,
    /// Title, which may be empty: in a paper the caption says it.
    pub title: String,
}

/// More bins would be narrower than the lines around them look good.
const MOST_BINS: usize = 50;

impl Chart for LoadHistogram {
    fn name(&self) -> &'static str {
        "load_histogram"
    }

    fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        check_loads(self.name(), &self.before, &self.after)?;
        let largest = self.before.iter().chain(&self.after).copied().fold(0.0, f64::max);
        let unit = Unit::of(&self.unit, largest);
        let (before, after) = (unit.scaled(&self.before), unit.scaled(&self.after));

        let bins = Bins::over(&[before.as_slice(), &after].concat(), MOST_BINS);
        let series = [(BEFORE, bins.counts(&before)), (AFTER, bins.counts(&after))];
        let highest = series.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(0);
        let entry = |look, text: &str| Entry { sample: Sample::Edge(look), text: text.to_owned() };
        let frame = Frame {
            title: self.title.clone(),
            description: "Numbers of ranks by load before and after load balancing",
            legend: vec![entry(BEFORE, "before"), entry(AFTER, "after")],
            x: Axis::around(unit.axis_label(&self.quantity), &bins.range(), Numbers::Real),
            y: Axis::from_zero("number of ranks".to_owned(), f64::from(highest), Numbers::Whole),
        };
        frame.draw(style, |plot| {
            for (look, counts) in &series {
                for outline in bins.outlines(counts) {
                    plot.edge(&outline, *look)?;
                }
            }
            Ok(())
        })
    }
}
