// SPDX-License-Identifier: MIT OR Apache-2.0
//! The columns of a table: a name, a type, and the cell of a row.

use std::borrow::Cow;

/// A column of the table that has a row for each `R`.
pub(crate) struct Column<R> {
    pub(crate) name: Cow<'static, str>,
    pub(crate) cell: Cell<R>,
}

/// The type of a column and where its cells come from; `None` is null.
pub(crate) enum Cell<R> {
    /// Whole numbers from 0 to 2^64 - 1: everything that files may number as they like.
    Unsigned(fn(&R) -> Option<u64>),
    /// Whole numbers of either sign, also where none is negative but readers like them better: counts, ranks.
    Signed(fn(&R) -> Option<i64>),
    /// Finite numbers.
    Float(fn(&R) -> Option<f64>),
    /// True or false.
    Flag(fn(&R) -> Option<bool>),
    /// Text.
    Text(fn(&R) -> Option<&str>),
    /// Lists of whole numbers.
    List(fn(&R) -> Option<&[i64]>),
}

impl<R> Column<R> {
    pub(crate) const fn new(name: &'static str, cell: Cell<R>) -> Self {
        Column { name: Cow::Borrowed(name), cell }
    }
}
