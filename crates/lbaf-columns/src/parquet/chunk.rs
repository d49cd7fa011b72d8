// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells of one column for the crate `parquet`: values that are not null, and levels that mark nulls and boundaries of
//! lists.

use std::io;

use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::writer::SerializedColumnWriter;

use crate::column::Cell;

/// Largest size of a cell in bytes. A page must be smaller than 2 GiB, compressed and uncompressed, which the crate
/// `parquet` does not check. This limit makes larger pages unlikely but not impossible: a page can have several cells.
const CELL_BYTES: usize = 1 << 29;

/// Adds the cells of some rows to their column.
///
/// # Errors
/// If a cell is too large for the format or the sink fails.
pub(super) fn write<R>(
    chunk: &mut SerializedColumnWriter<'_>,
    cell: &Cell<R>,
    rows: &[R],
) -> Result<(), ParquetError> {
    match cell {
        Cell::Unsigned(of) => {
            values::<Int64Type>(chunk, rows.iter().map(|row| Ok(of(row).map(u64::cast_signed))))
        }
        Cell::Signed(of) => values::<Int64Type>(chunk, rows.iter().map(|row| Ok(of(row)))),
        Cell::Float(of) => values::<DoubleType>(chunk, rows.iter().map(|row| Ok(of(row)))),
        Cell::Flag(of) => values::<BoolType>(chunk, rows.iter().map(|row| Ok(of(row)))),
        Cell::Text(of) => values::<ByteArrayType>(
            chunk,
            rows.iter().map(|row| {
                let text = of(row);
                check_size(text.map_or(0, str::len))?;
                Ok(text.map(ByteArray::from))
            }),
        ),
        Cell::List(of) => lists(chunk, rows.iter().map(of)),
    }
}

/// Adds values. Definition level: 0 for null, 1 for other values.
fn values<T: DataType>(
    chunk: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Result<Option<T::T>, ParquetError>>,
) -> Result<(), ParquetError> {
    let (mut there, mut definition) = (Vec::new(), Vec::new());
    for cell in cells {
        let cell = cell?;
        definition.push(i16::from(cell.is_some()));
        there.extend(cell);
    }
    chunk.typed::<T>().write_batch(&there, Some(&definition), None).map(drop)
}

/// Adds lists. Definition level: 0 for null, 1 for an empty list, 2 for elements. Repetition level: 0 for the first
/// element, null and empty lists, 1 for other elements.
fn lists<'l>(
    chunk: &mut SerializedColumnWriter<'_>,
    lists: impl Iterator<Item = Option<&'l [i64]>>,
) -> Result<(), ParquetError> {
    let (mut elements, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        let there = list.unwrap_or_default();
        check_size(size_of_val(there))?;
        elements.extend_from_slice(there);
        let level = match list {
            None => 0,
            Some([]) => 1,
            Some(_) => 2,
        };
        repetition.push(0);
        repetition.resize(repetition.len() + there.len().saturating_sub(1), 1);
        definition.resize(repetition.len(), level);
    }
    chunk.typed::<Int64Type>().write_batch(&elements, Some(&definition), Some(&repetition)).map(drop)
}

fn check_size(n_bytes: usize) -> Result<(), ParquetError> {
    if n_bytes <= CELL_BYTES {
        return Ok(());
    }
    let message = "one value takes more than 512 MiB, the limit for Parquet files of lbaf; choose CSV";
    Err(ParquetError::External(Box::new(io::Error::other(message))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_too_large_are_rejected() {
        assert!(check_size(CELL_BYTES).is_ok());
        assert_eq!(
            crate::parquet::error(check_size(CELL_BYTES + 1).unwrap_err()).to_string(),
            "one value takes more than 512 MiB, the limit for Parquet files of lbaf; choose CSV"
        );
    }
}
