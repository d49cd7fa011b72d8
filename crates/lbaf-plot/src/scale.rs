// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axis for the drawing library: a scale with given ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::axis::part;
use crate::tick::Tick;

/// Scale over a non-empty range.
pub(crate) struct Scale {
    pub(crate) range: Range<f64>,
    pub(crate) is_logarithmic: bool,
    pub(crate) ticks: Vec<Tick>,
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = part(&self.range, self.is_logarithmic, *value);
        from + (f64::from(to - from) * part).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Light points are for a finer grid, which no chart has.
        let ticks = if hint.weight().allow_light_points() { &[] } else { self.ticks.as_slice() };
        ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.at == *value);
        tick.map_or_else(String::new, |tick| tick.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_the_ends_of_the_range_in_both_directions() {
        let scale = Scale { range: 2.0..4.0, is_logarithmic: false, ticks: Vec::new() };
        assert_eq!([2.0, 2.5, 4.0].map(|value| scale.map(&value, (100, 300))), [100, 150, 300]);
        assert_eq!([2.0, 2.5, 4.0].map(|value| scale.map(&value, (300, 100))), [300, 250, 100]);
    }

    #[test]
    fn maps_equal_ratios_to_equal_distances() {
        let scale = Scale { range: 1.0..100.0, is_logarithmic: true, ticks: Vec::new() };
        assert_eq!([1.0, 10.0, 100.0].map(|value| scale.map(&value, (0, 200))), [0, 100, 200]);
    }
}
