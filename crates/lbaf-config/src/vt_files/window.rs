// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of specifications.

use std::fmt;
use std::str::FromStr;

use crate::vt_files::anchor::Anchor;
use crate::vt_files::error::{Fault, Position, ScheduleError};
use crate::vt_files::line::{Words, lines};

/// Phases around an anchor (a phase, or every multiple of a period): the anchor, `before` earlier and `after` later
/// phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    anchor: Anchor,
    before: u64,
    after: u64,
}

const ANCHOR: [&str; 2] =
    ["a phase, as in `200 -5 5` or `%100 -3 3`", "a whole number after `%`, as in `%100 -3 3`"];
const FIRST: &str = "the offset of the first phase, as -3 in `100 -3 3`";
const SECOND: &str = "the offset of the last phase, as 3 in `100 -3 3`";
const END: &str = "the end of the line after two offsets, as in `100 -3 3`";

impl Window {
    /// Returns the phase or the period.
    pub fn anchor(self) -> Anchor {
        self.anchor
    }

    /// Returns the number of phases before the anchor.
    pub fn before(self) -> u64 {
        self.before
    }

    /// Returns the number of phases after the anchor.
    pub fn after(self) -> u64 {
        self.after
    }

    /// True if a phase is in the window.
    pub fn contains(self, phase: u64) -> bool {
        match self.anchor {
            Anchor::Phase(own) => (own.saturating_sub(self.before)..=own + self.after).contains(&phase),
            Anchor::Every(period) => {
                let since = phase % period;
                since <= self.after || period.get() - since <= self.before
            }
        }
    }

    /// Returns the first and last phase of the interval that contains `phase`, else of the next interval. Overlapping
    /// or adjacent intervals count as one.
    pub(crate) fn span_from(self, phase: u64) -> Option<(u64, u64)> {
        let period = match self.anchor {
            Anchor::Phase(own) => {
                let span = (own.saturating_sub(self.before), own + self.after);
                return Some(span).filter(|&(_, last)| last >= phase);
            }
            Anchor::Every(period) => period.get(),
        };
        // Windows of consecutive multiples overlap or are adjacent.
        if self.before + self.after >= period - 1 {
            return Some((0, u64::MAX));
        }
        let since = phase % period;
        let is_over = since > self.after;
        // A multiple may exceed the largest number, while phases before it do not.
        let multiple = u128::from(phase - since) + if is_over { u128::from(period) } else { 0 };
        let first = u64::try_from(multiple.saturating_sub(self.before.into())).ok()?;
        let last = u64::try_from(multiple + u128::from(self.after)).unwrap_or(u64::MAX);
        Some((first, last))
    }

    /// Parses the words of a whole line.
    pub(crate) fn take(words: &mut Words<'_>) -> Result<Self, ScheduleError> {
        let anchor = words.anchor(ANCHOR)?;
        let word = words.expect(FIRST)?;
        let before = match word.offset(FIRST)? {
            (false, found @ 1..) => return Err(word.fault(Fault::PositiveFirst { found })),
            (_, before) => before,
        };
        let word = words.expect(SECOND)?;
        let after = match word.offset(SECOND)? {
            (true, found @ 1..) => return Err(word.fault(Fault::NegativeSecond { found })),
            (_, after) => after,
        };
        words.expect_end(END)?;
        Ok(Window { anchor, before, after })
    }
}

impl FromStr for Window {
    type Err = ScheduleError;

    /// Reads one line of a specification.
    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let nothing = Fault::Unexpected { expected: ANCHOR[0], found: "nothing".to_owned() };
        let nothing = ScheduleError { position: Position { line: 1, column: 1 }, fault: nothing };
        let mut lines = lines(text);
        let window = Window::take(&mut lines.next().ok_or(nothing)?)?;
        match lines.next().and_then(|mut line| line.next()) {
            Some(word) => Err(word.unexpected("a single line")),
            None => Ok(window),
        }
    }
}

impl fmt::Display for Window {
    /// Formats the window as in a specification.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.anchor {
            Anchor::Phase(phase) => write!(f, "{phase}")?,
            Anchor::Every(period) => write!(f, "%{period}")?,
        }
        let sign = if self.before > 0 { "-" } else { "" };
        write!(f, " {sign}{} {}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(text: &str) -> Window {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_span_is_the_first_that_has_not_ended() {
        let cases = [
            ("200 -5 5", 0, Some((195, 205))),
            ("200 -5 5", 205, Some((195, 205))),
            ("200 -5 5", 206, None),
            ("2 -5 0", 0, Some((0, 2))),
            ("%100 -3 3", 0, Some((0, 3))),
            ("%100 -3 3", 3, Some((0, 3))),
            ("%100 -3 3", 4, Some((97, 103))),
            ("%100 -3 3", 98, Some((97, 103))),
            ("%100 -3 3", 104, Some((197, 203))),
            // `%10 -4 4` leaves out phases 5, 15, 25 and so on; the windows below leave out none.
            ("%10 -4 4", 5, Some((6, 14))),
            ("%10 -5 4", 5, Some((0, u64::MAX))),
            ("%10 -40 0", 5, Some((0, u64::MAX))),
            ("%1 0 0", u64::MAX, Some((0, u64::MAX))),
        ];
        for (text, phase, expected) in cases {
            assert_eq!(window(text).span_from(phase), expected, "{text} from {phase}");
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let last = window("4611686018427387904 -4611686018427387904 4611686018427387904");
        assert!(last.contains(0) && last.contains(1 << 63) && !last.contains((1 << 63) + 1));
        // The multiple is 2^64, beyond the largest phase.
        let every = window("%4 -1 0");
        assert!(every.contains(u64::MAX) && !every.contains(u64::MAX - 1));
        assert_eq!(every.span_from(u64::MAX - 2), Some((u64::MAX, u64::MAX)));
        let large = window("%4611686018427387904 0 1");
        assert_eq!(large.span_from(2), Some((1 << 62, (1 << 62) + 1)));
        assert_eq!(large.span_from(u64::MAX), None);
    }

    #[test]
    fn display_round_trips() {
        for text in ["%100 -3 3", "200 -5 5", "0 0 10", "%1 0 0"] {
            assert_eq!(window(text).to_string(), text);
        }
        assert_eq!(window("\t% 0100 -03 -0 # x").to_string(), "%100 -3 0");
    }
}
