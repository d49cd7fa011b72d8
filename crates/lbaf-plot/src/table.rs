// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for papers: rounded measurements, with the best values in bold.
//!
//! A [`Table`] compares entries (runs, phases, before and after) by quantities. Decimals, unit prefixes, bold print and
//! alignment derive from the numbers, so all tables of a paper look alike.

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
    /// Caption, as a sentence; may be empty.
    pub caption: String,
    /// Label for references in LaTeX, such as `tab:phases`; may be empty. Characters other than ASCII letters, digits
    /// and `:-._` become `-`.
    pub label: String,
    /// Head of the first column: the kind of entries, or of quantities if they are rows.
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
    /// Rows are entries, columns are quantities.
    QuantitiesAcross,
    /// Rows are quantities, columns are entries; for few entries with many quantities.
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

/// Role of an entry in the table. If entries are rows, a line separates neighbours with different roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Competes with the other entries of this role. The best numbers are in bold, unless all are equal.
    Compared,
    /// Reference for the other entries, such as a bound or the initial placement; never in bold.
    Reference,
    /// Total of the other entries; never in bold.
    Total,
}

/// Quantity by which entries are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Name.
    pub name: String,
    /// Head shared by neighbouring quantities with the same group; may be empty.
    pub group: String,
    /// Unit of the numbers. Seconds (`s`) and bytes (`B`) get a suitable prefix. All quantities in seconds have the
    /// same prefix, because readers compare them. Quantities in bytes have the same prefix if they share a group.
    pub unit: String,
    /// Number of significant digits of real numbers, 1 to 17. Below a million, all digits before the point are kept.
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
    /// Count, printed in full unless its unit has a prefix.
    Count(u64),
    /// Number.
    Real(f64),
    /// Mean and deviation: 1.23 ± 0.04.
    Spread {
        /// Mean.
        mean: f64,
        /// Deviation.
        deviation: f64,
    },
    /// Number and interval around it: 1.23 [1.19, 1.30].
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
    /// Prints the table as LaTeX environments for `booktabs`, one for each page, with caption and label. To fit into a
    /// column or a page of a two-column document, the letters get smaller, then the columns of the table are divided
    /// into blocks. Rows are divided where a page is full. Without a width, a table whose columns need several blocks
    /// in a column of text is as wide as the page.
    ///
    /// # Errors
    /// If the table is empty, a quantity does not have one cell for each entry, or a number is not finite.
    pub fn to_latex(&self, width: Option<TableWidth>) -> Result<String, TableError> {
        let grid = grid::Grid::new(self)?;
        let fit = fit::Fit::new(&grid, width);
        Ok(latex::print(&grid, &fit, &self.caption, &self.label))
    }

    /// Prints the table in Markdown below the caption, with columns aligned in the source text.
    ///
    /// # Errors
    /// If the table is empty, a quantity does not have one cell for each entry, or a number is not finite.
    pub fn to_markdown(&self) -> Result<String, TableError> {
        Ok(markdown::print(&grid::Grid::new(self)?, &self.caption))
    }

    /// Prints the table as comma-separated values: a row for each entry, exact numbers without prefixes.
    ///
    /// # Errors
    /// If the table is empty, a quantity does not have one cell for each entry, or a number is not finite.
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
