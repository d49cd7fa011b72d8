// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of large tables row by row, to save memory.

use std::path::Path;
use std::str::FromStr;

use csv::StringRecord;
use lbaf_writer::Inputs;

use super::rank_table::{number, unreadable};
use crate::ReportError;
use crate::saved_run;

/// A row of a table, with the positions of the requested columns.
pub(super) struct Row<'t, const N: usize> {
    path: &'t Path,
    record: &'t StringRecord,
    places: [usize; N],
}

impl<const N: usize> Row<'_, N> {
    /// Returns the text in a column, given by its position among the requested columns.
    pub(super) fn text(&self, column: usize) -> &str {
        self.record.get(self.places[column]).unwrap_or_default()
    }

    /// Returns the number in a column, given by its position among the requested columns.
    ///
    /// # Errors
    /// If the cell is not a number.
    pub(super) fn number<T: FromStr>(&self, column: usize) -> Result<T, ReportError> {
        number(self.path, self.record, self.places[column])
    }
}

/// Calls `take` with every row of a table in a run directory. Returns false if the file does not exist.
///
/// # Errors
/// If the table cannot be read or lacks one of the columns, or the error of `take`.
pub(super) fn for_each_row<const N: usize>(
    run_dir: &Path,
    (name, columns): (&str, [&str; N]),
    inputs: &mut Inputs,
    mut take: impl FnMut(&Row<'_, N>) -> Result<(), ReportError>,
) -> Result<bool, ReportError> {
    let path = run_dir.join(name);
    let Some(bytes) = saved_run::file(&path, inputs)? else { return Ok(false) };
    let mut reader = csv::Reader::from_reader(&*bytes);
    let header = reader.headers().map_err(|error| unreadable(&path, &error))?.clone();
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(columns) {
        let found = header.iter().position(|column| column == name);
        *place =
            found.ok_or_else(|| ReportError::Input(format!("{}: no column `{name}`", path.display())))?;
    }
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| unreadable(&path, &error))? {
        take(&Row { path: &path, record: &record, places })?;
    }
    Ok(true)
}
