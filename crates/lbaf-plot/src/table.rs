// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for papers: rounded measurements, with the best values in bold.
//!
//! A [`Table`] compares entries (runs, phases, before and after) by quantities. Decimals, prefixes of units, bold
//! print and alignment are derived from the numbers, so that all tables of a paper look alike.

mod csv;
mod error;
mod fit;
mod grid;
mod heads;
mod latex;
mod markdown;
mod number;
mod shown;
mod width;

pub use error::TableError;
pub use width::TableWidth;

/// Table of entries and their quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Caption, as a sentence. Empty: no caption.
    pub caption: String,
    /// Label for references in LaTeX, such as `tab:phases`. Letters, digits and `:-._` are kept, all other
    /// characters become `-`. Empty: no label.
    pub label: String,
    /// Head of the first column: the kind of entries, or of quantities if these are rows.
    pub head: String,
    /// Quantities as columns or rows.
    pub layout: Layout,
    /// Compared entries.
    pub entries: Vec<Entry>,
    /// Quantities by which entries are compared.
    pub quantities: Vec<Quantity>,
}

/// Quantities as columns or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A row for each entry and a column for each quantity.
    QuantitiesAcross,
    /// A row for each quantity and a column for each entry; for few entries with many quantities.
    QuantitiesDown,
}

/// Compared entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name.
    pub name: String,
    /// Role in the table.
    pub role: Role,
}

/// Role of an entry in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The entry competes with other entries of this role; the best is in bold.
    Compared,
    /// Reference for the other entries, such as a bound or the initial placement; never in bold.
    Reference,
    /// Total of the other entries: separated by a line, never in bold.
    Total,
}

/// Quantity by which entries are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Name.
    pub name: String,
    /// Name of a group: neighbouring quantities with the same name share this head. Empty: no group.
    pub group: String,
    /// Unit of the numbers. Seconds (`s`) and bytes (`B`) get a suitable prefix: a common one for all seconds
    /// of a table, because they are compared with each other, and a common one for the bytes of a group.
    pub unit: String,
    /// Number of significant digits of real numbers, at least 1. Digits before the point are never rounded.
    pub digits: u8,
    /// Criterion for the best number; `None` if there is no best.
    pub best: Option<Best>,
    /// Value for every entry, in their order.
    pub cells: Vec<Cell>,
}

/// Criterion for the best of several numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// Smallest number.
    Least,
    /// Largest number.
    Greatest,
}

/// Value of a quantity for an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// No value.
    Absent,
    /// Words.
    Text(String),
    /// A count, printed in full.
    Count(u64),
    /// A number.
    Real(f64),
    /// A mean and a deviation: 1.23 ± 0.04.
    Spread {
        /// Mean.
        mean: f64,
        /// Deviation.
        deviation: f64,
    },
    /// A number and an interval that contains it: 1.23 [1.19, 1.30].
    Interval {
        /// Number.
        value: f64,
        /// Lower end of the interval.
        low: f64,
        /// Upper end of the interval.
        high: f64,
    },
}

impl Table {
    /// Prints the table as a LaTeX environment for `booktabs`, with caption and label. It fits into a column or a
    /// page of a document with two columns: the letters get smaller, then the columns are printed in blocks below
    /// each other. Without a width, a table that would need several blocks in a column is as wide as the page.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_latex(&self, width: Option<TableWidth>) -> Result<String, TableError> {
        let grid = grid::Grid::new(self)?;
        let fit = fit::Fit::new(&grid, width);
        Ok(latex::print(&grid, &fit, &self.caption, &self.label))
    }

    /// Prints the table in Markdown below the caption, with aligned columns in the source text.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_markdown(&self) -> Result<String, TableError> {
        Ok(markdown::print(&grid::Grid::new(self)?, &self.caption))
    }

    /// Prints the table as comma-separated values: a row for each entry, exact numbers without prefixes.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_csv(&self) -> Result<String, TableError> {
        error::check(self)?;
        Ok(csv::print(self))
    }
}

impl Entry {
    /// Creates a compared entry.
    pub fn compared(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Compared }
    }

    /// Creates a reference entry.
    pub fn reference(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Reference }
    }

    /// Creates a total of the other entries.
    pub fn total(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Total }
    }
}

impl Cell {
    /// Creates a number, or an absent cell for `None`.
    pub fn of(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::Real)
    }

    /// Returns the numbers of the cell, the compared one first; empty if it has none.
    fn numbers(&self) -> Vec<f64> {
        match *self {
            Self::Absent | Self::Text(_) => Vec::new(),
            Self::Count(count) => vec![count as f64],
            Self::Real(value) => vec![value],
            Self::Spread { mean, deviation } => vec![mean, deviation],
            Self::Interval { value, low, high } => vec![value, low, high],
        }
    }
}
