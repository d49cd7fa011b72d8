// SPDX-License-Identifier: MIT OR Apache-2.0
//! Specification files: phases in which output is enabled.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use crate::vt_files::anchor::Anchor;
use crate::vt_files::error::{Fault, ScheduleError};
use crate::vt_files::line::lines;
use crate::vt_files::ranges::Ranges;
use crate::vt_files::window::Window;

/// Phases in which output is enabled: those in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    windows: Vec<Window>,
}

impl Specification {
    /// Reads lines `[%]<phase> <negative offset> <positive offset>`. Without lines, no phase is enabled.
    ///
    /// # Errors
    /// At the first invalid word, and at a repeated phase or period.
    pub fn parse(text: &str) -> Result<Self, ScheduleError> {
        let mut windows = Vec::new();
        let mut seen: HashMap<Anchor, usize> = HashMap::new();
        for mut words in lines(text) {
            let start = words.start();
            let window = Window::take(&mut words)?;
            let anchor = window.anchor();
            if let Some(first_line) = seen.insert(anchor, start.line) {
                return Err(ScheduleError { position: start, fault: Fault::Twice { anchor, first_line } });
            }
            windows.push(window);
        }
        Ok(Specification { windows })
    }

    /// Returns the windows in the order of their lines.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// True if output is enabled in a phase.
    pub fn contains(&self, phase: u64) -> bool {
        self.windows.iter().any(|window| window.contains(phase))
    }

    /// Returns the enabled phases among `phases` as ascending, non-adjacent ranges, at the cost given for [`Ranges`].
    pub fn ranges(&self, phases: RangeInclusive<u64>) -> Ranges {
        Ranges::new(&self.windows, phases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enabled(text: &str, phases: RangeInclusive<u64>) -> Vec<(u64, u64)> {
        let specification = Specification::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        specification.ranges(phases).map(RangeInclusive::into_inner).collect()
    }

    #[test]
    fn the_example_of_vt_gives_the_documented_phases() {
        let ranges = enabled("0 0 10\n%100 -3 3\n200 -5 5\n", 0..=400);
        assert_eq!(ranges, [(0, 10), (97, 103), (195, 205), (297, 303), (397, 400)]);
        assert_eq!(enabled("%100 -3 3\n", 0..=150), [(0, 3), (97, 103)]);
    }

    #[test]
    fn a_number_can_occur_with_and_without_percent() {
        assert_eq!(enabled("100 0 0\n% 100 0 1\n", 0..=200), [(0, 1), (100, 101), (200, 200)]);
    }

    #[test]
    fn adjacent_windows_are_one_range() {
        assert_eq!(enabled("3 -1 1\n6 -1 1\n10 0 0", 0..=20), [(2, 7), (10, 10)]);
        // Together the windows cover all phases from 0 to 10.
        assert_eq!(enabled("%3 0 1\n%3000 0 0\n2 0 0\n5 0 0\n8 0 0", 0..=10), [(0, 10)]);
    }

    #[test]
    fn ranges_are_cut_at_both_ends() {
        assert_eq!(enabled("10 -5 5", 7..=8), [(7, 8)]);
        assert_eq!(enabled("10 -5 5", 15..=20), [(15, 15)]);
        assert_eq!(enabled("10 -5 5", 16..=20), []);
        assert_eq!(enabled("10 -20 5", 0..=100), [(0, 15)], "there is no phase before 0");
    }

    #[test]
    fn long_ranges_take_one_step() {
        assert_eq!(enabled("%1 0 0", 0..=u64::MAX), [(0, u64::MAX)]);
        assert_eq!(enabled("%4611686018427387904 -1 1", 2..=1 << 62), [((1 << 62) - 1, 1 << 62)]);
        let all_but_one = "0 0 4611686018427387904\n4611686018427387904 0 4611686018427387904";
        assert_eq!(enabled(all_but_one, 0..=u64::MAX), [(0, 1 << 63)]);
    }

    #[test]
    fn comments_alone_enable_no_phase() {
        assert_eq!(enabled("# 0 0 10\n\n", 0..=100), []);
        assert!(!Specification::parse("").unwrap().contains(0));
    }
}
