// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axis of stacked bars, from zero. A few bars that would flatten the others are cut.

use crate::axis::{Axis, Numbers};
use crate::figure::{Mark, lower_bound};
use crate::legend::{Entry, Sample};
use crate::palette::PAPER;
use crate::spread::{Rule, Spread};
use crate::tick::four_digits;
use crate::unit::Unit;

/// Axis of stacked bars.
#[derive(Debug)]
pub(crate) struct BarAxis {
    /// Largest height that is shown.
    top: f64,
    /// True if higher bars are cut.
    is_cut: bool,
    pub(crate) unit: Unit,
}

/// Height of cut bars, and lower and upper end of the slanted gap that marks a cut bar, relative to the largest bar
/// that is not an outlier.
const CUT: f64 = 1.25;
const GAP: [f64; 2] = [1.1, 1.14];

/// Slope of the gap: rise from its left to its right end, relative to the largest bar that is not an outlier.
const SLOPE: f64 = 0.04;

impl BarAxis {
    /// Creates the axis for bars of these heights. Unless bars are cut, it also covers `bound`, a lower bound.
    pub(crate) fn new(unit: &str, heights: impl IntoIterator<Item = f64>, bound: Option<f64>) -> Self {
        let spread = Spread::of(heights, Rule::AREAS);
        let whole = spread.most.max(bound.unwrap_or(0.0));
        let top = spread.rest.map_or(whole, |rest| rest * CUT);
        Self { top, is_cut: spread.rest.is_some(), unit: Unit::of(unit, top) }
    }

    /// Returns a height in the unit of the axis, cut at the top.
    pub(crate) fn place(&self, height: f64) -> f64 {
        height.min(self.top) / self.unit.size
    }

    pub(crate) fn is_above(&self, height: f64) -> bool {
        self.is_cut && height > self.top
    }

    /// Returns the gap in cut bars between two horizontal positions.
    pub(crate) fn gap(&self, left: f64, right: f64) -> Mark {
        let level = |part: f64| {
            let at = part * self.top / CUT / self.unit.size;
            vec![(left, at), (right, at + SLOPE * self.top / CUT / self.unit.size)]
        };
        Mark::Band { low: level(GAP[0]), high: level(GAP[1]), color: PAPER }
    }

    /// Returns the entry of the legend for a cut bar.
    pub(crate) fn entry_above(&self, name: &str, height: f64) -> Entry {
        let text = self.unit.with_number(&four_digits(height / self.unit.size));
        Entry { sample: Sample::Nothing, text: format!("{name} {text}, above the chart") }
    }

    /// Returns the legend entry of a lower bound, and its line unless it is above the chart.
    pub(crate) fn bound(&self, bound: f64, remark: &str) -> (Option<Mark>, Entry) {
        let (mark, entry) = lower_bound(bound, remark, &self.unit);
        if self.is_above(bound) {
            (None, Entry { sample: Sample::Nothing, text: format!("{}, above the chart", entry.text) })
        } else {
            (Some(mark), entry)
        }
    }

    pub(crate) fn axis(&self, quantity: &str) -> Axis {
        Axis::from_zero(self.unit.axis_label(quantity), self.top / self.unit.size, Numbers::Real)
    }
}
