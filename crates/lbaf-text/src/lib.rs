// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text for people: text of unknown origin, made safe for terminals and spreadsheets, and [`number`]s.
//!
//! Names of files, labels of configurations and texts of data may hold anything. A terminal obeys control characters in
//! them, and a spreadsheet takes some of them for formulas. Everything that prints goes through [`line()`] or [`lines()`],
//! every cell of a CSV table through [`cell()`].
#![forbid(unsafe_code)]

mod cell;
pub mod number;
mod visible;
mod wrap;

pub use cell::cell;
pub use visible::{Shown, is_hidden, line, lines};
pub use wrap::wrapped;
