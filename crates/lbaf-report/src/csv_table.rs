// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a study, read from CSV.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use csv::StringRecord;
use lbaf_writer::Inputs;

use crate::{ReportError, SavedResults, saved_run};

/// A table with named columns.
pub(crate) struct CsvTable {
    path: PathBuf,
    columns: BTreeMap<String, usize>,
    rows: Vec<StringRecord>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct CsvRow<'t> {
    table: &'t CsvTable,
    row: &'t StringRecord,
}

impl CsvTable {
    /// Reads a table of an output directory, and adds its file to `inputs`.
    ///
    /// # Errors
    /// If the file is missing or malformed.
    pub(crate) fn read(results: &SavedResults, name: &str, inputs: &mut Inputs) -> Result<Self, ReportError> {
        let (path, bytes) = results.bytes(name, inputs)?;
        Self::parse(path, &bytes)
    }

    /// Reads an optional table; `None` if the output directory does not have it.
    ///
    /// # Errors
    /// If the file is malformed.
    pub(crate) fn read_optional(
        results: &SavedResults,
        name: &str,
        inputs: &mut Inputs,
    ) -> Result<Option<Self>, ReportError> {
        let path = results.directory.join(name);
        saved_run::file(&path, inputs)?.map(|bytes| Self::parse(path, &bytes)).transpose()
    }

    fn parse(path: PathBuf, bytes: &[u8]) -> Result<Self, ReportError> {
        let unreadable = |error: csv::Error| ReportError::Input(format!("{}: {error}", path.display()));
        let mut reader = csv::Reader::from_reader(bytes);
        let names = reader.headers().map_err(unreadable)?.iter().map(str::to_owned);
        let columns = names.zip(0..).collect();
        let rows = reader.records().collect::<Result<_, _>>().map_err(unreadable)?;
        Ok(CsvTable { path, columns, rows })
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = CsvRow<'_>> {
        self.rows.iter().map(|row| CsvRow { table: self, row })
    }
}

impl<'t> CsvRow<'t> {
    /// Returns the text of a cell; `None` if it is empty or the table lacks the column.
    pub(crate) fn text(self, column: &str) -> Option<&'t str> {
        let at = *self.table.columns.get(column)?;
        self.row.get(at).filter(|text| !text.is_empty())
    }

    /// Returns the value of a cell; `None` if it is empty or the table lacks the column.
    ///
    /// # Errors
    /// If the cell has another type.
    pub(crate) fn value<T: FromStr>(self, column: &str) -> Result<Option<T>, ReportError> {
        let parse =
            |text: &str| text.parse().map_err(|_| self.wrong(&format!("`{text}` in column {column}")));
        self.text(column).map(parse).transpose()
    }

    /// Returns the number in a cell; `None` if it is empty or the table lacks the column.
    ///
    /// # Errors
    /// If the cell is not a finite number.
    pub(crate) fn number(self, column: &str) -> Result<Option<f64>, ReportError> {
        match self.value::<f64>(column)? {
            Some(number) if !number.is_finite() => Err(self.wrong(&format!("`{number}` in column {column}"))),
            number => Ok(number),
        }
    }

    /// Returns the value of a required cell.
    ///
    /// # Errors
    /// If the cell is empty or has another type.
    pub(crate) fn required<T: FromStr>(self, column: &str) -> Result<T, ReportError> {
        self.value(column)?.ok_or_else(|| self.wrong(&format!("empty cell in column {column}")))
    }

    /// Returns an error that names the file and the line of the row. `found` is the unexpected content.
    pub(crate) fn wrong(self, found: &str) -> ReportError {
        let line = self.row.position().map_or(0, csv::Position::line);
        ReportError::Input(format!(
            "{}, line {line}: unexpected {found}; repeat the command that wrote the file",
            self.table.path.display()
        ))
    }
}
