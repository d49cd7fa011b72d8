// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parquet files, compressed with Snappy, which common readers support.

mod chunk;
mod schema;

use std::io;
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;

use crate::column::Column;

/// Parquet file while it is written.
pub(crate) struct Parquet<'w>(SerializedFileWriter<&'w mut (dyn io::Write + Send)>);

impl<'w> Parquet<'w> {
    /// Begins a file.
    pub(crate) fn new<'c, R: 'c>(
        sink: &'w mut (dyn io::Write + Send),
        columns: impl IntoIterator<Item = &'c Column<R>>,
    ) -> io::Result<Self> {
        // Without date and machine, equal data give equal bytes.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("lbaf version ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let schema = schema::schema(columns).map_err(error)?;
        SerializedFileWriter::new(sink, schema, Arc::new(properties)).map(Parquet).map_err(error)
    }

    /// Adds the rows of all parts as a row group, unless there are none.
    pub(crate) fn add<R>(&mut self, columns: &[Column<R>], parts: &[Vec<R>]) -> io::Result<()> {
        if parts.iter().all(Vec::is_empty) {
            return Ok(());
        }
        self.group(columns, parts).map_err(error)
    }

    fn group<R>(&mut self, columns: &[Column<R>], parts: &[Vec<R>]) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        for column in columns {
            let mut chunk = group.next_column()?.expect("invariant: the schema is made from the columns");
            // Copies the cells of one part at a time for the writer. Parts are short, so this needs little memory.
            for rows in parts.iter().filter(|rows| !rows.is_empty()) {
                chunk::write(&mut chunk, &column.cell, rows)?;
            }
            chunk.close()?;
        }
        group.close().map(drop)
    }

    /// Adds a row group of whole columns, each with a cell for every row.
    pub(crate) fn add_columns<V>(&mut self, columns: &[(Column<V>, Vec<V>)]) -> io::Result<()> {
        let mut write = || {
            let mut group = self.0.next_row_group()?;
            for (column, values) in columns {
                let mut chunk = group.next_column()?.expect("invariant: the schema is made from the columns");
                chunk::write(&mut chunk, &column.cell, values)?;
                chunk.close()?;
            }
            group.close().map(drop)
        };
        write().map_err(error)
    }

    /// Ends the file with its footer.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.0.close().map(drop).map_err(error)
    }
}

/// Converts an error; an error of the sink is returned itself.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => {
            source.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
        }
        error => io::Error::other(error),
    }
}
