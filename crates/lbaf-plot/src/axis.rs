// SPDX-License-Identifier: MIT OR Apache-2.0
//! An axis: what it shows, from where to where, and with which ticks.

use std::ops::Range;

use crate::tick::{Tick, rank_ticks, round_ticks};

/// An axis before it is laid out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) range: Range<f64>,
    pub(crate) numbers: Numbers,
}

/// What an axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Measured values.
    Real,
    /// Whole numbers.
    Whole,
    /// So many ranks, counted from one.
    Ranks(usize),
}

/// Room on either side of the data, as a part of the axis: what happens at the ends must not hide behind the axes.
const MARGIN: f64 = 0.02;

/// Room above the data, as a part of the axis.
const HEADROOM: f64 = 0.05;

impl Axis {
    /// An axis from zero to a little above the largest value. Without any value above zero it ends at one.
    pub(crate) fn from_zero(label: String, largest: f64, numbers: Numbers) -> Self {
        // What is below any measurement would leave no room for ticks among the floating-point numbers.
        let end = if largest < 1e-290 { 1.0 } else { largest * (1.0 + HEADROOM) };
        Self { label, range: 0.0..end, numbers }
    }

    /// An axis over a range and a little more on both sides.
    pub(crate) fn around(label: String, range: &Range<f64>, numbers: Numbers) -> Self {
        let margin = (range.end - range.start) * MARGIN;
        Self { label, range: range.start - margin..range.end + margin, numbers }
    }

    /// At most so many ticks, wherever they fit.
    pub(crate) fn ticks(&self, at_most: u32) -> Vec<Tick> {
        round_ticks(&self.range, at_most, self.numbers != Numbers::Real)
    }

    /// The most ticks with labels that stay apart on an axis of a length, given the width of a label.
    pub(crate) fn ticks_for(&self, length: f64, width: impl Fn(&str) -> f64) -> Vec<Tick> {
        // Many numbers of three and four digits in a row are hard on the eye; round ones may stand closer.
        let (candidates, apart) = match self.numbers {
            Numbers::Ranks(n) => (rank_ticks(n), 1.2),
            Numbers::Real | Numbers::Whole => {
                ((2..=12).rev().map(|at_most| self.ticks(at_most)).collect::<Vec<_>>(), 0.7)
            }
        };
        let per_value = length / (self.range.end - self.range.start);
        let stay_apart = |ticks: &Vec<Tick>| {
            ticks.windows(2).all(|pair| {
                let (left, right) = (width(&pair[0].text), width(&pair[1].text));
                let gap = (pair[1].at - pair[0].at) * per_value - f64::midpoint(left, right);
                gap >= apart * left.max(right)
            })
        };
        let sparsest = candidates.last().cloned().unwrap_or_default();
        candidates.into_iter().find(stay_apart).unwrap_or(sparsest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn chooses_ticks_by_the_width_of_their_labels() {
        let axis = Axis::around(String::new(), &(0.5..512.5), Numbers::Ranks(512));
        let digits = |text: &str| text.len() as f64;
        assert_eq!(texts(&axis.ticks_for(45.0, digits)), ["1", "128", "256", "384", "512"]);
        assert_eq!(axis.ticks_for(90.0, digits).len(), 9);
        assert_eq!(texts(&axis.ticks_for(18.0, digits)), ["1", "256", "512"]);
    }

    #[test]
    fn ends_at_one_when_all_is_zero() {
        let axis = Axis::from_zero(String::new(), 0.0, Numbers::Real);
        assert_eq!(axis.range, 0.0..1.0);
    }

    #[test]
    fn leaves_room_above_the_largest_value() {
        let axis = Axis::from_zero(String::new(), 200.0, Numbers::Real);
        assert_eq!(axis.range, 0.0..210.0);
        assert_eq!(texts(&axis.ticks(6)), ["0", "50", "100", "150", "200"]);
    }
}
