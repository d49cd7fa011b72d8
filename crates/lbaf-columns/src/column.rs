// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns of a table: name, type, and function for the cell of a row.

use std::borrow::Cow;

/// Column of a table with rows of type `R`.
pub(crate) struct Column<R> {
    pub(crate) name: Cow<'static, str>,
    pub(crate) cell: Cell<R>,
}

/// Type of a column, and function for its cells; `None` is null.
pub(crate) enum Cell<R> {
    /// Integers from 0 to 2^64 - 1, such as ids in files.
    Unsigned(fn(&R) -> Option<u64>),
    /// Signed integers, also for phases, ranks and computed counts, because many readers support signed integers
    /// better.
    Signed(fn(&R) -> Option<i64>),
    /// Finite floating-point numbers.
    Float(fn(&R) -> Option<f64>),
    /// True or false.
    Flag(fn(&R) -> Option<bool>),
    /// Text.
    Text(fn(&R) -> Option<&str>),
    /// Lists of integers.
    List(fn(&R) -> Option<&[i64]>),
}

impl<R> Column<R> {
    pub(crate) const fn new(name: &'static str, cell: Cell<R>) -> Self {
        Column { name: Cow::Borrowed(name), cell }
    }
}
