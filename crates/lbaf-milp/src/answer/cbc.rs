// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solution files of CBC: a status, then columns that are not 0, each as number, name, value, reduced cost.

use super::{Line, Reading, malformed};
use crate::error::AnswerError;

pub(super) fn read(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), AnswerError> {
    let (line, first) = lines[0];
    let status = first.split_once(" - objective value").map_or(first, |(status, _)| status);
    reading.status(line, status)?;
    for &(line, text) in &lines[1..] {
        // What misses a bound has stars before it.
        let mut words = text.split_whitespace().filter(|&word| word != "**");
        let (Some(_), Some(name), Some(value)) = (words.next(), words.next(), words.next()) else {
            return Err(malformed(line, "`number name value`", text));
        };
        reading.named(line, name, value)?;
    }
    Ok(())
}
