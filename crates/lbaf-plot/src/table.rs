// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for papers: what was measured, rounded for readers, with the best in bold.
//!
//! A [`Table`] compares entries (runs, phases, before and after) by quantities. It says nothing of its looks: digits, prefixes
//! of units, bold print and alignment follow from the numbers, so that two tables of one paper look alike.

mod csv;
mod error;
mod grid;
mod heads;
mod latex;
mod markdown;
mod number;
mod shown;

pub use error::TableError;

/// A table of entries and what is known of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the table shows, as a sentence. Empty: no caption.
    pub caption: String,
    /// What LaTeX refers to it by, as `tab:phases`. Letters, digits and `:-._` are kept, all else becomes `-`. Empty: no
    /// label.
    pub label: String,
    /// What entries are, or quantities where those go down: the head of the first column.
    pub head: String,
    /// What goes across.
    pub layout: Layout,
    /// What is compared.
    pub entries: Vec<Entry>,
    /// By what it is compared.
    pub quantities: Vec<Quantity>,
}

/// Whether quantities are columns or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A row for each entry and a column for each quantity.
    QuantitiesAcross,
    /// A row for each quantity and a column for each entry; for few entries, with many quantities.
    QuantitiesDown,
}

/// Something that is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// What it is in the table.
    pub role: Role,
}

/// What an entry is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// One of those of which the best is in bold.
    Compared,
    /// What the others are measured against, such as a bound or the placement before; never in bold.
    Reference,
    /// What the others come to together: set off by a line, never in bold.
    Total,
}

/// What entries are compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// What it is called.
    pub name: String,
    /// A head above its own, shared with its neighbours of the same group. Empty: none.
    pub group: String,
    /// The unit of its numbers. Seconds (`s`) and bytes (`B`) get a prefix that fits; one for all seconds of a table, since
    /// they are compared with each other, and one for the bytes of a group.
    pub unit: String,
    /// How many significant digits real numbers get, at least 1. Digits before the point are never rounded.
    pub digits: u8,
    /// Which number is the best; nothing if none is.
    pub best: Option<Best>,
    /// What it is for every entry, in their order.
    pub cells: Vec<Cell>,
}

/// Which of several numbers is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// The smallest.
    Least,
    /// The largest.
    Greatest,
}

/// What a quantity is for an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing that could be said.
    Absent,
    /// Words.
    Text(String),
    /// A number of things, printed in full.
    Count(u64),
    /// A number.
    Real(f64),
    /// A mean, and what others deviate from it: 1.23 ± 0.04.
    Spread {
        /// The mean.
        mean: f64,
        /// The deviation.
        deviation: f64,
    },
    /// A number, and the interval that it is in: 1.23 [1.19, 1.30].
    Interval {
        /// The number.
        value: f64,
        /// Lower end of the interval.
        low: f64,
        /// Upper end of the interval.
        high: f64,
    },
}

impl Table {
    /// The table as a LaTeX environment for `booktabs`, with caption and label.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_latex(&self) -> Result<String, TableError> {
        Ok(latex::print(&grid::Grid::new(self)?, &self.caption, &self.label))
    }

    /// The table in Markdown, its columns aligned in the text too, below the caption.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_markdown(&self) -> Result<String, TableError> {
        Ok(markdown::print(&grid::Grid::new(self)?, &self.caption))
    }

    /// The table as comma-separated values: a row for each entry, numbers as exact as they are and without prefixes.
    ///
    /// # Errors
    /// If the table is empty, cells are missing, or a number is not finite.
    pub fn to_csv(&self) -> Result<String, TableError> {
        error::check(self)?;
        Ok(csv::print(self))
    }
}

impl Entry {
    /// One of those that are compared.
    pub fn compared(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Compared }
    }

    /// One that others are measured against.
    pub fn reference(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Reference }
    }

    /// What the others come to together.
    pub fn total(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Total }
    }
}

impl Cell {
    /// A number, or nothing.
    pub fn of(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::Real)
    }

    /// The numbers in it, the one that is compared first; none if it is no number.
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
