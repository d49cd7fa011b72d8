// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files with a name and a value on each line, written by Gurobi, by SCIP or by hand, and solution files of CBC.

use super::{Line, Reading, malformed};
use crate::error::SolutionError;

/// Reads lines `name value`, and the status that SCIP writes.
pub(super) fn read(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), SolutionError> {
    for &(line, text) in lines {
        if text.starts_with('#') || text.starts_with("objective value:") {
            continue;
        }
        if let Some(status) = text.strip_prefix("solution status:") {
            reading.status(line, status.trim())?;
            continue;
        }
        if text.starts_with("no solution") {
            reading.status(line, text)?;
        }
        // SCIP writes the objective coefficient after the value.
        let mut words = text.split_whitespace().filter(|&word| word != "=");
        let (Some(name), Some(value)) = (words.next(), words.next()) else {
            return Err(malformed(line, "`name value`", text));
        };
        reading.named(line, name, value)?;
    }
    Ok(())
}

/// Reads a status, then a line for each variable that is not 0: number, name, value and reduced cost.
pub(super) fn read_cbc(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), SolutionError> {
    let (line, first) = lines[0];
    let status = first.split_once(" - objective value").map_or(first, |(status, _)| status);
    reading.status(line, status)?;
    for &(line, text) in &lines[1..] {
        // Stars mark variables that violate their bounds.
        let mut words = text.split_whitespace().filter(|&word| word != "**");
        let (Some(_), Some(name), Some(value)) = (words.next(), words.next(), words.next()) else {
            return Err(malformed(line, "`number name value`", text));
        };
        reading.named(line, name, value)?;
    }
    Ok(())
}
