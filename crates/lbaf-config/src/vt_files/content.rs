// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of the two forms a file has, told by what stands in it.

use crate::vt_files::error::{Fault, Position, ScheduleError};
use crate::vt_files::line::{Words, lines};
use crate::vt_files::schedule::BalancerSchedule;
use crate::vt_files::specification::Specification;

/// A file of one of the two forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleFile {
    /// In which phases output is enabled.
    Specification(Specification),
    /// Which balancer runs in which phase.
    Balancers(BalancerSchedule),
}

impl ScheduleFile {
    /// Reads a file of either form. The first line that has more than a phase tells which it is: behind the phase
    /// comes an offset or a name.
    ///
    /// # Errors
    /// At the first byte that is no text and the first word that does not fit, and if no line says anything.
    pub fn parse(bytes: &[u8]) -> Result<Self, ScheduleError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            ScheduleError { position: Position::behind(&valid), fault: Fault::NotUtf8 }
        })?;
        if lines(text).next().is_none() {
            return Err(ScheduleError { position: Position { line: 1, column: 1 }, fault: Fault::Empty });
        }
        match lines(text).find_map(names_balancer) {
            Some(true) => BalancerSchedule::parse(text).map(ScheduleFile::Balancers),
            Some(false) | None => Specification::parse(text).map(ScheduleFile::Specification),
        }
    }
}

/// Whether a line has a name where the other form has an offset, if it goes so far.
fn names_balancer(mut words: Words<'_>) -> Option<bool> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    words.take_percent();
    let first = words.next()?;
    let tells = if is_number(first.text) { words.next()? } else { first };
    Some(tells.text.starts_with(|letter: char| letter.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_the_phase_tells_the_form() {
        let is_specification = |text: &str| match ScheduleFile::parse(text.as_bytes()) {
            Ok(file) => matches!(file, ScheduleFile::Specification(_)),
            Err(error) => panic!("{text}: {error}"),
        };
        for text in ["0 0 10", "%100 -3 3", "\u{feff}\r\n# GreedyLB\n % 7 0 0"] {
            assert!(is_specification(text), "{text}");
        }
        for text in ["0 GreedyLB", "%10 NoLB", "% NoLB", "NoLB", "# 0 0 10\n\n7 RotateLB"] {
            assert!(!is_specification(text), "{text}");
        }
    }

    #[test]
    fn a_line_that_is_cut_short_leaves_it_to_the_next() {
        let fault = |text: &str| ScheduleFile::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(fault("5\n7 GreedyLB").starts_with("line 1, column 2: expected a balancer"));
        assert!(fault("5\n7 0 0").starts_with("line 1, column 2: expected the offset"));
        assert!(fault("5").starts_with("line 1, column 2: expected the offset"));
        assert!(fault("7 0 0\n5 GreedyLB").starts_with("line 2, column 3: expected the offset"));
    }
}
