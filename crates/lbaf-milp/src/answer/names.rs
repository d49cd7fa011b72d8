// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines `name value`, as Gurobi and SCIP write them, and as anybody can.

use super::{Line, Reading, malformed};
use crate::error::AnswerError;

pub(super) fn read(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), AnswerError> {
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
        // SCIP says behind the value what it costs.
        let mut words = text.split_whitespace().filter(|&word| word != "=");
        let (Some(name), Some(value)) = (words.next(), words.next()) else {
            return Err(malformed(line, "`name value`", text));
        };
        reading.named(line, name, value)?;
    }
    Ok(())
}
