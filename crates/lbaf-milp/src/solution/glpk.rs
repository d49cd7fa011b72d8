// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solutions of GLPK: printed tables (`-o`) and raw numbers (`-w`).

use super::{Line, Reading, malformed};
use crate::error::SolutionError;

/// Reads `Status:`, skips the table of rows, and reads the table of columns: number, name, an optional status,
/// activity and bounds of each variable. After a long name, an entry continues on the next line.
pub(super) fn read_table(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), SolutionError> {
    let mut lines = lines.iter().copied();
    for (line, text) in lines.by_ref() {
        if let Some(status) = text.strip_prefix("Status:") {
            reading.status(line, status.trim())?;
        } else if text.contains("Column name") {
            break;
        }
    }
    lines.next(); // The rule below the heading.
    while let Some((line, text)) = lines.next() {
        let mut words = text.split_whitespace();
        // The table ends at the first line that does not begin with a number.
        let Some(_) = words.next().and_then(|number| number.parse::<usize>().ok()) else { break };
        let name = words.next().ok_or_else(|| malformed(line, "the name of a column", text))?;
        let mut rest = words.collect::<Vec<_>>();
        if rest.is_empty() {
            rest = lines.next().map(|(_, more)| more.split_whitespace().collect()).unwrap_or_default();
        }
        let is_status =
            |word: &&str| word.starts_with(|letter: char| letter == '*' || letter.is_ascii_alphabetic());
        let value = rest.iter().copied().find(|word| !is_status(word));
        reading.named(line, name, value.ok_or_else(|| malformed(line, "a value", text))?)?;
    }
    Ok(())
}

/// Reads `s mip rows columns status objective`, then `j number value` for each variable.
pub(super) fn read_raw(lines: &[Line<'_>], reading: &mut Reading<'_>) -> Result<(), SolutionError> {
    for &(line, text) in lines {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["s", "mip", _, _, letter, ..] => {
                let status = match letter {
                    "o" => "optimal",
                    "f" => "feasible",
                    "n" => "infeasible",
                    _ => "undefined",
                };
                reading.status(line, status)?;
            }
            ["s", ..] => return Err(malformed(line, "`s mip` for an integer solution", text)),
            ["j", number, value] => reading.numbered(line, number, value)?,
            ["c" | "i" | "e", ..] => {}
            _ => return Err(malformed(line, "`j number value`", text)),
        }
    }
    Ok(())
}
