// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axes: label, range and ticks.

use std::ops::Range;

use crate::spread::Spread;
use crate::tick::{Tick, decades, listed_ticks, named_ticks, rank_ticks, round_ticks};

/// Axis before its ticks are chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    pub(crate) label: String,
    /// Range of values; positive on a logarithmic axis.
    pub(crate) range: Range<f64>,
    pub(crate) numbers: Numbers,
    /// True for a logarithmic axis.
    pub(crate) is_logarithmic: bool,
    /// Smallest value above the break of a logarithmic axis whose lower end represents zero; `None` without a break.
    pub(crate) above_break: Option<f64>,
}

/// Kind of numbers on an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Measured values.
    Real,
    /// Integers.
    Whole,
    /// Positions of sorted ranks, from 1 to this number.
    Ranks(usize),
    /// Listed numbers, at positions 0, 1, 2 ...
    Listed(Vec<u64>),
    /// Listed names, at positions 0, 1, 2 ..., each with a tick.
    Named(Vec<String>),
}

/// Margin at both ends of an axis by [`Axis::around`], as a fraction of its range, so that axes do not hide data.
const MARGIN: f64 = 0.02;

/// Margin above the largest value, as a fraction of this value. On a logarithmic axis, the margin is a fraction of the
/// distance on the axis between the smallest and the largest value; without zeros, the same margin is left below the
/// smallest value.
const HEADROOM: f64 = 0.05;

/// Space between zero and the smallest other value on a logarithmic axis, as a fraction of the distance on the axis
/// between this value and the largest one. The axis has a break in this space.
const ZERO_ROOM: f64 = 0.2;

/// Minimum ratio of the upper to the lower end of a logarithmic axis, without margins.
const LEAST_RATIO: f64 = 10.0;

impl Axis {
    /// Creates an axis from zero to slightly above the largest value, or to 1 if all values are zero.
    pub(crate) fn from_zero(label: String, largest: f64, numbers: Numbers) -> Self {
        // Smaller than any measurement, and too small for ticks in floating-point numbers.
        let end = if largest < 1e-290 { 1.0 } else { largest * (1.0 + HEADROOM) };
        Self::exactly(label, 0.0..end, numbers)
    }

    /// Creates a logarithmic axis if `spread` is logarithmic, with zeros below a break; otherwise a linear axis that
    /// begins at zero.
    pub(crate) fn for_course(label: String, spread: Spread, numbers: Numbers) -> Self {
        let Spread { least, most, has_zero, is_logarithmic, .. } = spread;
        if !is_logarithmic {
            return Self::from_zero(label, most, numbers);
        }
        let ratio = (most / least).max(LEAST_RATIO);
        let below = libm::pow(ratio, if has_zero { ZERO_ROOM } else { HEADROOM });
        Self {
            label,
            range: least / below..least * ratio * libm::pow(ratio, HEADROOM),
            numbers: Numbers::Real,
            is_logarithmic: true,
            above_break: has_zero.then_some(least),
        }
    }

    /// Creates an axis like [`Axis::for_course`], but a linear axis begins near the smallest value instead of at zero,
    /// unless all values are almost equal.
    pub(crate) fn over(label: String, spread: Spread) -> Self {
        let range = if spread.has_zero { 0.0 } else { spread.least }..spread.most;
        if spread.is_logarithmic {
            return Self::for_course(label, spread, Numbers::Real);
        }
        // Labels of ticks could not distinguish such close values.
        let apart = range.end - range.start;
        if range.end < 1e-290 || apart <= range.end * 1e-3 {
            return Self::from_zero(label, range.end, Numbers::Real);
        }
        Self::around(label, &range, Numbers::Real)
    }

    /// Creates a linear axis over exactly this range.
    pub(crate) const fn exactly(label: String, range: Range<f64>, numbers: Numbers) -> Self {
        Self { label, range, numbers, is_logarithmic: false, above_break: None }
    }

    /// Returns the position of a value as a fraction of the length of the axis, from its lower end. Values below a
    /// logarithmic axis, such as zeros, are at its lower end.
    pub(crate) fn part(&self, value: f64) -> f64 {
        part(&self.range, self.is_logarithmic, value)
    }

    /// Creates a linear axis over a range with a margin on both sides.
    pub(crate) fn around(label: String, range: &Range<f64>, numbers: Numbers) -> Self {
        let margin = (range.end - range.start) * MARGIN;
        Self::exactly(label, range.start - margin..range.end + margin, numbers)
    }

    /// Returns at most `at_most` ticks, or a tick for each name, regardless of the width of labels.
    pub(crate) fn ticks(&self, at_most: u32) -> Vec<Tick> {
        match &self.numbers {
            _ if self.is_logarithmic => {
                let zero = self.above_break.map(|_| Tick { at: 0.0, text: "0".to_owned() });
                let above = self.above_break.unwrap_or(self.range.start)..self.range.end;
                let at_most = at_most.saturating_sub(u32::from(zero.is_some()));
                zero.into_iter().chain(decades(&above, at_most)).collect()
            }
            Numbers::Listed(numbers) => listed_ticks(numbers, at_most as usize),
            Numbers::Named(names) => named_ticks(names, f64::INFINITY, |_| 0.0),
            numbers => round_ticks(&self.range, at_most, *numbers != Numbers::Real),
        }
    }

    /// Returns ticks whose labels are apart on an axis of this length: the densest of these ticks or, for ranks, the
    /// most preferred ones. If no candidate has its labels apart, returns the sparsest ticks. On an axis of names, each
    /// name has a tick and is shortened to its space. `width` measures a label in the unit of `length`.
    pub(crate) fn ticks_for(&self, length: f64, width: impl Fn(&str) -> f64) -> Vec<Tick> {
        if let Numbers::Named(names) = &self.numbers {
            let places = self.range.end - self.range.start;
            return named_ticks(names, length / places, width);
        }
        // Numbers of ranks are long and need more distance than round numbers.
        let (candidates, apart) = match &self.numbers {
            Numbers::Ranks(n) => (rank_ticks(*n), 1.2),
            _ => ((2..=12).rev().map(|at_most| self.ticks(at_most)).collect::<Vec<_>>(), 0.7),
        };
        let stay_apart = |ticks: &Vec<Tick>| {
            ticks.windows(2).all(|pair| {
                let (left, right) = (width(&pair[0].text), width(&pair[1].text));
                let distance = (self.part(pair[1].at) - self.part(pair[0].at)) * length;
                let gap = distance - f64::midpoint(left, right);
                gap >= apart * left.max(right)
            })
        };
        let sparsest = candidates.last().cloned().unwrap_or_default();
        candidates.into_iter().find(stay_apart).unwrap_or(sparsest)
    }
}

/// Returns the position of a value in a range as a fraction, 0 at its start and 1 at its end. On a logarithmic scale,
/// values below the range are at its start.
pub(crate) fn part(range: &Range<f64>, is_logarithmic: bool, value: f64) -> f64 {
    if is_logarithmic {
        libm::log(value.max(range.start) / range.start) / libm::log(range.end / range.start)
    } else {
        (value - range.start) / (range.end - range.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spread::Rule;

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
    fn leaves_a_margin_above_the_largest_value() {
        let axis = Axis::from_zero(String::new(), 200.0, Numbers::Real);
        assert_eq!(axis.range, 0.0..210.0);
        assert_eq!(texts(&axis.ticks(6)), ["0", "50", "100", "150", "200"]);
    }

    #[test]
    fn is_logarithmic_where_values_are_spread_widely() {
        let axis = |values: &[f64]| {
            Axis::for_course(String::new(), Spread::of(values.iter().copied(), Rule::LINES), Numbers::Real)
        };
        let wide = axis(&[1e-5, 2.0, 0.3]);
        assert!(wide.is_logarithmic);
        assert!((wide.part(wide.range.start), wide.part(wide.range.end)) == (0.0, 1.0));
        assert_eq!(texts(&wide.ticks(8)), ["1e\u{2212}5", "0.0001", "0.001", "0.01", "0.1", "1"]);
        assert!(!axis(&[0.03, 2.0]).is_logarithmic);
    }

    #[test]
    fn zeros_are_below_the_break_of_a_logarithmic_axis() {
        let spread = Spread::of([0.0, 2e-3, 5.0], Rule::LINES);
        let axis = Axis::for_course(String::new(), spread, Numbers::Real);
        assert_eq!(axis.above_break, Some(2e-3));
        assert_eq!(axis.part(0.0), 0.0);
        assert!(axis.part(2e-3) > 0.1);
        // No tick is between zero and the smallest other value.
        assert_eq!(texts(&axis.ticks(8)), ["0", "0.01", "0.1", "1"]);
        let narrow = Spread::of([1.0, 1.2, 1.1, 1.3, 30.0], Rule::LINES);
        let axis = Axis::for_course(String::new(), narrow, Numbers::Real);
        assert_eq!(texts(&axis.ticks(8)), ["1", "2", "5", "10", "20"]);
    }

    /// A chart is meaningless without its names.
    #[test]
    fn names_are_shortened_to_the_available_width() {
        let names = ["one", "somewhat longer"].map(str::to_owned).to_vec();
        let axis = Axis::exactly(String::new(), -0.5..1.5, Numbers::Named(names));
        let letters = |text: &str| text.chars().count() as f64;
        assert_eq!(texts(&axis.ticks_for(40.0, letters)), ["one", "somewhat longer"]);
        assert_eq!(texts(&axis.ticks_for(20.0, letters)), ["one", "somewhat\u{2026}"]);
        assert_eq!(texts(&axis.ticks(2)), ["one", "somewhat longer"]);
    }

    #[test]
    fn listed_numbers_have_ticks_at_their_positions() {
        let axis = Axis::exactly(String::new(), -0.5..2.5, Numbers::Listed(vec![3, 4, 9]));
        let ticks = axis.ticks(12);
        assert_eq!(texts(&ticks), ["3", "4", "9"]);
        assert_eq!(ticks[2].at, 2.0);
    }
}
