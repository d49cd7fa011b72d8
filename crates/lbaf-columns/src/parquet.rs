// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parquet files, version 1 of the format, as `parquet.thrift` of the project describes them: row groups of
//! columns in plain encoding, compressed with Snappy, and the footer that says where they are.
//!
//! Written by hand, because so little of the format is needed: the crate `parquet` would double the time that
//! this crate and all it depends on take to build, and bring a licence that `deny.toml` does not allow.

mod chunk;
mod levels;
mod thrift;

use std::io;

use rayon::prelude::*;

use crate::column::{Cell, Column};
use chunk::{Chunk, PLAIN, RUN_LENGTH};
use thrift::{Fields, structure};

/// What a file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// Numbers of enumerations of the format.
mod number {
    pub(super) const BOOLEAN: i32 = 0;
    pub(super) const INT64: i32 = 2;
    pub(super) const DOUBLE: i32 = 5;
    pub(super) const BYTE_ARRAY: i32 = 6;
    pub(super) const REQUIRED: i32 = 0;
    pub(super) const OPTIONAL: i32 = 1;
    pub(super) const REPEATED: i32 = 2;
    pub(super) const UTF8: i32 = 0;
    pub(super) const LIST: i32 = 3;
    pub(super) const UINT_64: i32 = 14;
    pub(super) const SNAPPY: i32 = 1;
}

/// A file that is being written.
pub(crate) struct Parquet<'w> {
    sink: &'w mut dyn io::Write,
    n_bytes: u64,
    groups: Vec<Group>,
}

/// What the footer says of a row group.
struct Group {
    n_rows: usize,
    /// Each without its bytes, which are in the file, but with where they begin there.
    chunks: Vec<(Chunk, u64, usize)>,
}

impl<'w> Parquet<'w> {
    /// Begins a file.
    pub(crate) fn new(sink: &'w mut dyn io::Write) -> io::Result<Self> {
        sink.write_all(MAGIC)?;
        Ok(Parquet { sink, n_bytes: MAGIC.len() as u64, groups: Vec::new() })
    }

    /// Adds a row group, if there are rows.
    pub(crate) fn add<R: Sync>(&mut self, columns: &[Column<R>], parts: &[Vec<R>]) -> io::Result<()> {
        let n_rows = parts.iter().map(Vec::len).sum();
        if n_rows == 0 {
            return Ok(());
        }
        let chunks: Vec<_> = columns.par_iter().map(|column| Chunk::new(column, parts)).collect();
        let mut group = Group { n_rows, chunks: Vec::with_capacity(chunks.len()) };
        for chunk in chunks {
            let mut chunk = chunk?;
            let bytes = std::mem::take(&mut chunk.bytes);
            self.sink.write_all(&bytes)?;
            group.chunks.push((chunk, self.n_bytes, bytes.len()));
            self.n_bytes += bytes.len() as u64;
        }
        self.groups.push(group);
        Ok(())
    }

    /// Ends the file with its footer.
    pub(crate) fn finish<R>(self, columns: &[Column<R>]) -> io::Result<()> {
        let mut footer = Vec::new();
        structure(&mut footer, |file| {
            file.i32(1, 1);
            let elements: Vec<Element> = elements(columns);
            file.structures(2, &elements, |fields, element| element.put_into(fields));
            file.i64(3, signed(self.groups.iter().map(|group| group.n_rows as u64).sum()));
            file.structures(4, &self.groups, |fields, group| group.put_into(fields, columns));
            file.bytes(6, concat!("lbaf version ", env!("CARGO_PKG_VERSION")).as_bytes());
            // The order of each column is that of its type.
            file.structures(7, columns, |order, _| order.structure(1, |_| ()));
        });
        let size = u32::try_from(footer.len()).map_err(io::Error::other)?;
        footer.extend_from_slice(&size.to_le_bytes());
        footer.extend_from_slice(MAGIC);
        self.sink.write_all(&footer)?;
        self.sink.flush()
    }
}

impl Group {
    fn put_into<R>(&self, group: &mut Fields<'_>, columns: &[Column<R>]) {
        let columns: Vec<_> = columns.iter().zip(&self.chunks).collect();
        group.structures(1, &columns, |fields, (column, (chunk, offset, n_bytes))| {
            fields.i64(2, 0);
            fields.structure(3, |facts| put_chunk(facts, column, chunk, *offset, *n_bytes));
        });
        let uncompressed: usize = self.chunks.iter().map(|(chunk, ..)| chunk.uncompressed_bytes).sum();
        group.i64(2, signed(uncompressed as u64));
        group.i64(3, signed(self.n_rows as u64));
    }
}

fn put_chunk<R>(facts: &mut Fields<'_>, column: &Column<R>, chunk: &Chunk, offset: u64, n_bytes: usize) {
    let (kind, is_list) = (physical_type(&column.cell), matches!(column.cell, Cell::List(_)));
    facts.i32(1, kind);
    facts.i32s(2, &[PLAIN, RUN_LENGTH]);
    let path = [column.name, "list", "element"];
    facts.texts(3, if is_list { &path } else { &path[..1] });
    facts.i32(4, number::SNAPPY);
    facts.i64(5, signed(chunk.n_values as u64));
    facts.i64(6, signed(chunk.uncompressed_bytes as u64));
    facts.i64(7, signed(n_bytes as u64));
    facts.i64(9, signed(offset));
    facts.structure(12, |statistics| {
        statistics.i64(3, signed(chunk.n_null as u64));
        if let Some([least, largest]) = &chunk.range {
            statistics.bytes(5, largest);
            statistics.bytes(6, least);
        }
    });
}

/// A node of the schema, which is a tree in the order in which one walks it.
#[derive(Default)]
struct Element {
    name: &'static str,
    kind: Option<i32>,
    repetition: Option<i32>,
    n_children: Option<i32>,
    /// What the type stands for, in the older and in the newer way.
    converted: Option<i32>,
    logical: Option<fn(&mut Fields<'_>)>,
}

fn elements<R>(columns: &[Column<R>]) -> Vec<Element> {
    let root =
        Element { name: "schema", n_children: i32::try_from(columns.len()).ok(), ..Element::default() };
    let mut elements = vec![root];
    for Column { name, cell } in columns {
        let optional = Element { name, repetition: Some(number::OPTIONAL), ..Element::default() };
        let kind = Some(physical_type(cell));
        match cell {
            Cell::Unsigned(_) => elements.push(Element {
                kind,
                converted: Some(number::UINT_64),
                logical: Some(|logical| {
                    logical.structure(10, |integer| {
                        integer.byte(1, 64);
                        integer.flag(2, false);
                    });
                }),
                ..optional
            }),
            Cell::Text(_) => elements.push(Element {
                kind,
                converted: Some(number::UTF8),
                logical: Some(|logical| logical.structure(1, |_| ())),
                ..optional
            }),
            Cell::Signed(_) | Cell::Float(_) | Cell::Flag(_) => elements.push(Element { kind, ..optional }),
            Cell::List(_) => {
                let one_child = |name, repetition| Element {
                    name,
                    repetition: Some(repetition),
                    n_children: Some(1),
                    ..Element::default()
                };
                elements.push(Element {
                    converted: Some(number::LIST),
                    logical: Some(|logical| logical.structure(3, |_| ())),
                    ..one_child(name, number::OPTIONAL)
                });
                elements.push(one_child("list", number::REPEATED));
                elements.push(Element {
                    name: "element",
                    kind,
                    repetition: Some(number::REQUIRED),
                    ..Element::default()
                });
            }
        }
    }
    elements
}

impl Element {
    fn put_into(&self, fields: &mut Fields<'_>) {
        let put = |fields: &mut Fields<'_>, field: u8, value: Option<i32>| {
            if let Some(value) = value {
                fields.i32(field, value);
            }
        };
        put(fields, 1, self.kind);
        put(fields, 3, self.repetition);
        fields.bytes(4, self.name.as_bytes());
        put(fields, 5, self.n_children);
        put(fields, 6, self.converted);
        if let Some(logical) = self.logical {
            fields.structure(10, logical);
        }
    }
}

fn physical_type<R>(cell: &Cell<R>) -> i32 {
    match cell {
        Cell::Unsigned(_) | Cell::Signed(_) | Cell::List(_) => number::INT64,
        Cell::Float(_) => number::DOUBLE,
        Cell::Flag(_) => number::BOOLEAN,
        Cell::Text(_) => number::BYTE_ARRAY,
    }
}

/// Sizes and counts are signed in the format.
fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("invariant: no file has 2^63 bytes")
}
