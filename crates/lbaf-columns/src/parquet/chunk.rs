// SPDX-License-Identifier: MIT OR Apache-2.0
//! One column of one row group: its values in pages.

use std::io;

use super::levels::Levels;
use super::thrift::structure;
use crate::column::{Cell, Column};

/// Pages are closed when they have this many bytes. Readers take a page whole.
const PAGE_BYTES: usize = 1 << 20;

/// Numbers of enumerations of the format.
const DATA_PAGE: i32 = 0;
pub(crate) const PLAIN: i32 = 0;
pub(crate) const RUN_LENGTH: i32 = 3;

/// The pages of a column and what the footer says of them.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// The pages, one behind the other.
    pub(crate) bytes: Vec<u8>,
    /// What the pages would take without compression, headers included.
    pub(crate) uncompressed_bytes: usize,
    /// Values, those that are null included; of a list its elements, of an empty one and of null one.
    pub(crate) n_values: usize,
    /// Values that are null.
    pub(crate) n_null: usize,
    /// The least and the largest value as bytes, where they are numbers with an order that all readers share.
    pub(crate) range: Option<[[u8; 8]; 2]>,
}

impl Chunk {
    /// Writes the cells of all rows.
    ///
    /// # Errors
    /// If a page is too large for the format.
    pub(crate) fn new<R>(column: &Column<R>, parts: &[Vec<R>]) -> io::Result<Self> {
        let rows = parts.iter().flatten();
        let mut pages = Pages::default();
        match column.cell {
            Cell::Unsigned(of) => {
                let range = pages.numbers(rows.map(of), u64::to_le_bytes)?;
                pages.chunk.range = range.map(|range| range.map(u64::to_le_bytes));
            }
            Cell::Signed(of) => {
                let range = pages.numbers(rows.map(of), i64::to_le_bytes)?;
                pages.chunk.range = range.map(|range| range.map(i64::to_le_bytes));
            }
            // What is the least of zeros of two signs is answered differently.
            Cell::Float(of) => pages.values(rows.map(of), |page, number| {
                page.values.extend_from_slice(&number.to_le_bytes());
            })?,
            Cell::Flag(of) => pages.values(rows.map(of), Page::push_flag)?,
            Cell::Text(of) => pages.values(rows.map(of), |page, text| {
                page.values.extend_from_slice(&(text.len() as u32).to_le_bytes());
                page.values.extend_from_slice(text.as_bytes());
            })?,
            Cell::List(of) => pages.lists(rows.map(of))?,
        }
        pages.close()?;
        Ok(pages.chunk)
    }
}

/// Pages of a chunk; the last one is open.
#[derive(Default)]
struct Pages {
    chunk: Chunk,
    page: Page,
}

/// A page that is being filled.
#[derive(Default)]
struct Page {
    n_values: usize,
    n_flags: usize,
    /// Of lists only: whether a value begins a row, 0, or goes on with its list, 1.
    repetition: Option<Levels>,
    definition: Levels,
    /// Values that are there, one behind the other.
    values: Vec<u8>,
}

impl Page {
    /// Flags are bits, the first one the lowest.
    fn push_flag(&mut self, flag: bool) {
        if self.n_flags.is_multiple_of(8) {
            self.values.push(0);
        }
        if let Some(last) = self.values.last_mut() {
            *last |= u8::from(flag) << (self.n_flags % 8);
        }
        self.n_flags += 1;
    }
}

impl Pages {
    /// Adds a column of values, each null or there.
    fn values<T>(
        &mut self,
        values: impl Iterator<Item = Option<T>>,
        mut push: impl FnMut(&mut Page, T),
    ) -> io::Result<()> {
        for value in values {
            self.page.definition.push(u8::from(value.is_some()));
            self.page.n_values += 1;
            match value {
                Some(value) => push(&mut self.page, value),
                None => self.chunk.n_null += 1,
            }
            self.close_if_full()?;
        }
        Ok(())
    }

    /// Adds a column of numbers. Returns the least and the largest.
    fn numbers<T: Ord + Copy>(
        &mut self,
        numbers: impl Iterator<Item = Option<T>>,
        to_bytes: fn(T) -> [u8; 8],
    ) -> io::Result<Option<[T; 2]>> {
        let mut range: Option<[T; 2]> = None;
        self.values(numbers, |page, number| {
            page.values.extend_from_slice(&to_bytes(number));
            let [least, largest] = range.unwrap_or([number, number]);
            range = Some([least.min(number), largest.max(number)]);
        })?;
        Ok(range)
    }

    /// Adds a column of lists: null has definition level 0, an empty list 1, every element of another 2.
    fn lists<'l>(&mut self, lists: impl Iterator<Item = Option<&'l [i64]>>) -> io::Result<()> {
        for list in lists {
            let page = &mut self.page;
            let repetition = page.repetition.get_or_insert_default();
            let elements = list.unwrap_or_default();
            repetition.push(0);
            (1..elements.len()).for_each(|_| repetition.push(1));
            let level = match list {
                None => 0,
                Some([]) => 1,
                Some(_) => 2,
            };
            let n_levels = elements.len().max(1);
            (0..n_levels).for_each(|_| page.definition.push(level));
            page.n_values += n_levels;
            page.values.extend(elements.iter().flat_map(|element| element.to_le_bytes()));
            self.chunk.n_null += usize::from(elements.is_empty());
            self.close_if_full()?;
        }
        Ok(())
    }

    fn close_if_full(&mut self) -> io::Result<()> {
        if self.page.values.len() < PAGE_BYTES { Ok(()) } else { self.close() }
    }

    /// Ends the open page, if something is in it.
    fn close(&mut self) -> io::Result<()> {
        let mut page = std::mem::take(&mut self.page);
        if page.n_values == 0 {
            return Ok(());
        }
        let mut body = Vec::with_capacity(page.values.len() + 64);
        if let Some(repetition) = &mut page.repetition {
            repetition.put_into(&mut body);
        }
        page.definition.put_into(&mut body);
        body.append(&mut page.values);
        let compressed = snap::raw::Encoder::new().compress_vec(&body).map_err(io::Error::other)?;
        let header_at = self.chunk.bytes.len();
        let sizes = [size(body.len())?, size(compressed.len())?, size(page.n_values)?];
        structure(&mut self.chunk.bytes, |header| {
            header.i32(1, DATA_PAGE);
            header.i32(2, sizes[0]);
            header.i32(3, sizes[1]);
            header.structure(5, |header| {
                header.i32(1, sizes[2]);
                header.i32(2, PLAIN);
                header.i32(3, RUN_LENGTH);
                header.i32(4, RUN_LENGTH);
            });
        });
        self.chunk.uncompressed_bytes += self.chunk.bytes.len() - header_at + body.len();
        self.chunk.bytes.extend_from_slice(&compressed);
        self.chunk.n_values += page.n_values;
        Ok(())
    }
}

/// A size or count of a page, which the format keeps in 31 bits.
fn size(size: usize) -> io::Result<i32> {
    i32::try_from(size)
        .map_err(|_| io::Error::other("one value takes more than 2 GiB, which Parquet cannot hold"))
}
