// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers in files of solvers.

/// The shortest spelling that reads back as the same number, with an exponent where there would be many zeros.
pub(crate) fn spelled(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}
