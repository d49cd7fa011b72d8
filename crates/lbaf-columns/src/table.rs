// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table, written to a file batch by batch.

use std::io;

use rayon::prelude::*;

use crate::column::Column;
#[cfg(feature = "parquet")]
use crate::parquet::Parquet;
use crate::{ColumnsError, Format, csv};

/// Table with rows of type `R`.
pub(crate) struct Table<'w, R> {
    name: &'static str,
    columns: Vec<Column<R>>,
    file: File<'w>,
    n_rows: u64,
}

/// File in one of the formats.
enum File<'w> {
    Csv(&'w mut dyn io::Write),
    #[cfg(feature = "parquet")]
    Parquet(Parquet<'w>),
}

impl<'w, R: Sync> Table<'w, R> {
    /// Begins the file.
    pub(crate) fn new(
        name: &'static str,
        columns: Vec<Column<R>>,
        format: Format,
        sink: &'w mut (dyn io::Write + Send),
    ) -> Result<Self, ColumnsError> {
        let begun = match format {
            Format::Csv => sink.write_all(&csv::header(&columns)).map(|()| File::Csv(sink)),
            #[cfg(feature = "parquet")]
            Format::Parquet => Parquet::new(sink, &columns).map(File::Parquet),
        };
        let file = begun.map_err(|source| ColumnsError::Write { table: name, source })?;
        Ok(Table { name, columns, file, n_rows: 0 })
    }

    /// Adds the rows of all parts in order. In Parquet, they form one row group.
    pub(crate) fn add(&mut self, parts: &[Vec<R>]) -> Result<(), ColumnsError> {
        self.n_rows += parts.iter().map(|part| part.len() as u64).sum::<u64>();
        let added = match &mut self.file {
            File::Csv(sink) => {
                let texts: Vec<Vec<u8>> =
                    parts.par_iter().map(|rows| csv::lines(&self.columns, rows)).collect();
                texts.iter().try_for_each(|text| sink.write_all(text))
            }
            #[cfg(feature = "parquet")]
            File::Parquet(parquet) => parquet.add(&self.columns, parts),
        };
        added.map_err(|source| ColumnsError::Write { table: self.name, source })
    }

    /// Ends the file and returns the number of rows.
    pub(crate) fn finish(self) -> Result<u64, ColumnsError> {
        let finished = match self.file {
            File::Csv(sink) => sink.flush(),
            #[cfg(feature = "parquet")]
            File::Parquet(parquet) => parquet.finish(),
        };
        finished.map_err(|source| ColumnsError::Write { table: self.name, source })?;
        Ok(self.n_rows)
    }
}
