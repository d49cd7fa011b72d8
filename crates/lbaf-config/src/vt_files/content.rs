// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection of the file format from the contents.

use crate::vt_files::error::{Fault, Position, ScheduleError};
use crate::vt_files::line::{Words, lines};
use crate::vt_files::schedule::BalancerSchedule;
use crate::vt_files::specification::Specification;

/// File in one of the two formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleFile {
    /// Phases in which output is enabled.
    Specification(Specification),
    /// Balancers of phases.
    Balancers(BalancerSchedule),
}

impl ScheduleFile {
    /// Reads a file in either format. The first line with more than a phase determines the format: an offset for a
    /// specification, a name for an LB configuration file.
    ///
    /// # Errors
    /// At the first byte that is not UTF-8, else at the first invalid word or repeated phase or period, or if the file
    /// has only blank lines and comments.
    pub fn parse(bytes: &[u8]) -> Result<Self, ScheduleError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            ScheduleError { position: Position::after(&valid), fault: Fault::NotUtf8 }
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

/// True for a line with a name at its start or after the phase, as in an LB configuration file. `None` if nothing
/// follows the phase.
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
    fn the_word_after_the_phase_determines_the_format() {
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
    fn the_first_complete_line_determines_the_format() {
        let fault = |text: &str| ScheduleFile::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(fault("5\n7 GreedyLB").starts_with("line 1, column 2: expected a balancer"));
        assert!(fault("5\n7 0 0").starts_with("line 1, column 2: expected the offset"));
        assert!(fault("5").starts_with("line 1, column 2: expected the offset"));
        assert!(fault("7 0 0\n5 GreedyLB").starts_with("line 2, column 3: expected the offset"));
    }
}
