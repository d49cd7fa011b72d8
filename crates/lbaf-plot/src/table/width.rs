// SPDX-License-Identifier: MIT OR Apache-2.0
//! Width of printed tables.

use std::str::FromStr;

use crate::PlotError;

/// Width of a table for LaTeX, as in the class `article` with two columns on A4 paper; other common classes have wider
/// columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableWidth {
    /// Column of text, 78 mm.
    Column,
    /// Both columns, 159 mm.
    Page,
}

impl TableWidth {
    /// Returns the width in points of TeX.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            Self::Column => 221.0,
            Self::Page => 452.0,
        }
    }

    /// Returns the word in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Page => "page",
        }
    }
}

impl FromStr for TableWidth {
    type Err = PlotError;

    fn from_str(word: &str) -> Result<Self, PlotError> {
        match word {
            "column" => Ok(Self::Column),
            "page" => Ok(Self::Page),
            _ => Err(PlotError::UnknownWord {
                kind: "width of tables",
                given: word.to_owned(),
                expected: "`column` or `page`",
            }),
        }
    }
}
