// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solution files of HiGHS. They contain a status, columns, rows and duals; only the status and the columns are read.

use super::{Line, Reading, malformed};
use crate::error::SolutionError;

pub(super) fn read(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), SolutionError> {
    let last = lines.last().map_or(0, |&(line, _)| line);
    let mut lines = lines.iter().copied().skip(1);
    let (line, status) = lines.next().ok_or(SolutionError::Empty)?;
    reading.status(line, status)?;
    let mut n_variables = None;
    for (line, text) in lines.by_ref() {
        if text == "None" {
            return Err(SolutionError::NoSolution { line, status: status.to_owned() });
        }
        if let Some(number) = text.strip_prefix("# Columns") {
            n_variables = Some(
                number.trim().parse::<usize>().map_err(|_| malformed(line, "a number of columns", text))?,
            );
            break;
        }
    }
    let n_variables = n_variables.ok_or(SolutionError::Empty)?;
    for found in 0..n_variables {
        let cut = SolutionError::Cut { line: last, found, expected: n_variables };
        let (line, text) = lines.next().ok_or(cut)?;
        let (name, value) =
            text.split_once(char::is_whitespace).ok_or_else(|| malformed(line, "`name value`", text))?;
        reading.named(line, name, value.trim())?;
    }
    Ok(())
}
