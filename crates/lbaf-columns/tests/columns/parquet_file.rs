// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parquet files as read by the crate `parquet`, with a check of their metadata.

use std::io::Write;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::page::Page;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::Type as Field;

/// Target size of pages in bytes; a page may exceed it by a few rows.
const PAGE_BYTES: usize = 1 << 20;

/// Content of a Parquet file, as read by the crate `parquet`.
pub(crate) struct ParquetFile {
    /// Names and types of the columns.
    pub(crate) columns: Vec<(String, Type)>,
    /// Number of rows, by row group.
    pub(crate) groups: Vec<usize>,
    /// Number of values in each data page, by column.
    pub(crate) pages: Vec<Vec<u32>>,
    /// Cells by column.
    pub(crate) cells: Vec<Vec<Option<Cell>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Unsigned,
    Signed,
    Float,
    Flag,
    Text,
    List,
}

#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Cell {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    List(Vec<i64>),
}

impl Type {
    /// Returns the name of the type in the documentation.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Unsigned => "uint64",
            Type::Signed => "int64",
            Type::Float => "double",
            Type::Flag => "bool",
            Type::Text => "text",
            Type::List => "list of int64",
        }
    }

    fn of(field: &Field) -> Self {
        assert_eq!(field.get_basic_info().repetition(), Repetition::OPTIONAL);
        let logical = field.get_basic_info().logical_type_ref();
        if field.is_group() {
            assert_eq!(logical, Some(&LogicalType::List));
            let [list] = field.get_fields() else { panic!("{field:?}") };
            let [leaf] = list.get_fields() else { panic!("{list:?}") };
            assert_eq!((list.name(), leaf.name()), ("list", "element"));
            assert_eq!(
                [list, leaf].map(|field| field.get_basic_info().repetition()),
                [Repetition::REPEATED, Repetition::REQUIRED]
            );
            assert_eq!(
                (leaf.get_physical_type(), leaf.get_basic_info().logical_type_ref()),
                (Physical::INT64, None)
            );
            return Type::List;
        }
        match (field.get_physical_type(), logical) {
            (Physical::BOOLEAN, None) => Type::Flag,
            (Physical::INT64, None) => Type::Signed,
            (Physical::INT64, Some(LogicalType::Integer(integer))) => {
                assert_eq!((integer.bit_width, integer.is_signed), (64, false));
                Type::Unsigned
            }
            (Physical::DOUBLE, None) => Type::Float,
            (Physical::BYTE_ARRAY, Some(LogicalType::String)) => Type::Text,
            other => panic!("{other:?}"),
        }
    }
}

impl ParquetFile {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let facts = reader.metadata().file_metadata();
        assert_eq!(facts.created_by(), Some(concat!("lbaf version ", env!("CARGO_PKG_VERSION"))));
        assert_eq!(facts.key_value_metadata(), None);
        let fields = facts.schema().get_fields();
        let mut read = ParquetFile {
            columns: fields.iter().map(|field| (field.name().to_owned(), Type::of(field))).collect(),
            groups: Vec::new(),
            pages: vec![Vec::new(); fields.len()],
            cells: vec![Vec::new(); fields.len()],
        };
        let mut offset = 4;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).unwrap();
            let (n_rows, before) = (size(group.metadata().num_rows()), read.groups.iter().sum::<usize>());
            assert_eq!(group.num_columns(), read.columns.len());
            for position in 0..group.num_columns() {
                // Chunks follow each other without a gap.
                let (start, length) = group.metadata().column(position).byte_range();
                assert_eq!(start, offset);
                offset += length;
                read.column(position, &*group);
                assert_eq!(read.cells[position].len(), before + n_rows);
                read.check_statistics(position, before, group.metadata().column(position));
            }
            read.groups.push(n_rows);
        }
        assert!(offset < bytes.len() as u64);
        assert_eq!(size(facts.num_rows()), read.groups.iter().sum::<usize>());
        read
    }

    fn column(&mut self, position: usize, group: &dyn RowGroupReader) {
        let (name, kind) = &self.columns[position];
        let facts = group.metadata().column(position);
        let path = facts.column_path().parts();
        assert_eq!(path[0], *name);
        assert_eq!(path.len(), if *kind == Type::List { 3 } else { 1 });
        assert_eq!(facts.compression(), Compression::SNAPPY);
        let pages = group.get_column_page_reader(position).unwrap().map(Result::unwrap);
        let pages: Vec<u32> = pages
            .inspect(|page| {
                assert!(page.buffer().len() <= PAGE_BYTES + (64 << 10), "readers load whole pages");
            })
            .filter(|page| !matches!(page, Page::DictionaryPage { .. }))
            .map(|page| page.num_values())
            .collect();
        assert_eq!(i64::from(pages.iter().sum::<u32>()), facts.num_values());
        self.pages[position].extend(pages);
        let n_rows = size(group.metadata().num_rows());
        let of_text = |text: parquet::data_type::ByteArray| Cell::Text(text.as_utf8().unwrap().to_owned());
        let cells = match group.get_column_reader(position).unwrap() {
            ColumnReader::BoolColumnReader(reader) => values(reader, n_rows, Cell::Flag),
            ColumnReader::DoubleColumnReader(reader) => values(reader, n_rows, Cell::Float),
            ColumnReader::ByteArrayColumnReader(reader) => values(reader, n_rows, of_text),
            ColumnReader::Int64ColumnReader(reader) => match kind {
                Type::Unsigned => values(reader, n_rows, |number| Cell::Unsigned(number.cast_unsigned())),
                Type::List => lists(reader, n_rows),
                _ => values(reader, n_rows, Cell::Signed),
            },
            _ => panic!("{name}"),
        };
        self.cells[position].extend(cells);
    }

    /// Asserts that the number of nulls and the least and the largest value in the statistics are those of the cells.
    /// Long texts are shortened in the statistics, so only bounds are checked for texts. Of lists, only the number of
    /// null and empty ones is checked.
    fn check_statistics(&self, position: usize, from: usize, facts: &ColumnChunkMetaData) {
        let cells = &self.cells[position][from..];
        let statistics = facts.statistics().unwrap();
        let kind = self.columns[position].1;
        if kind == Type::List {
            let empty = |cell: &&Option<Cell>| !matches!(cell, Some(Cell::List(list)) if !list.is_empty());
            assert_eq!(statistics.null_count_opt(), Some(cells.iter().filter(empty).count() as u64));
            return;
        }
        let there: Vec<&Cell> = cells.iter().flatten().collect();
        assert_eq!(statistics.null_count_opt(), Some((cells.len() - there.len()) as u64));
        let bound = |bytes: Option<&[u8]>| bytes.map(|bytes| bound(kind, bytes));
        let (least, largest) = (bound(statistics.min_bytes_opt()), bound(statistics.max_bytes_opt()));
        let by_order = |one: &&&Cell, other: &&&Cell| one.partial_cmp(other).unwrap();
        let (min, max) = (there.iter().min_by(by_order), there.iter().max_by(by_order));
        if kind == Type::Text {
            assert_eq!((least.is_some(), largest.is_some()), (min.is_some(), max.is_some()));
            assert!(min.zip(least.as_ref()).is_none_or(|(min, least)| least <= *min));
            assert!(max.zip(largest.as_ref()).is_none_or(|(max, largest)| largest >= *max));
        } else {
            assert_eq!((least.as_ref(), largest.as_ref()), (min.copied(), max.copied()));
        }
    }
}

/// Converts a size or count, which is signed in the format.
fn size(count: i64) -> usize {
    usize::try_from(count).unwrap()
}

/// Decodes the least or largest value of a column.
fn bound(kind: Type, bytes: &[u8]) -> Cell {
    let number = || bytes.try_into().unwrap();
    match kind {
        Type::Unsigned => Cell::Unsigned(u64::from_le_bytes(number())),
        Type::Signed | Type::List => Cell::Signed(i64::from_le_bytes(number())),
        Type::Float => Cell::Float(f64::from_le_bytes(number())),
        Type::Flag => Cell::Flag(bytes == [1]),
        Type::Text => Cell::Text(String::from_utf8(bytes.to_vec()).unwrap()),
    }
}

/// Reads the levels and values of a chunk.
fn read<T: DataType>(mut reader: ColumnReaderImpl<T>, n_rows: usize) -> (Vec<i16>, Vec<i16>, Vec<T::T>) {
    let (mut repetition, mut definition, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut n_read = 0;
    loop {
        let (levels, lists) = (Some(&mut definition), Some(&mut repetition));
        let (n, ..) = reader.read_records(n_rows + 1 - n_read, levels, lists, &mut values).unwrap();
        if n == 0 {
            break;
        }
        n_read += n;
    }
    assert_eq!(n_read, n_rows);
    (repetition, definition, values)
}

fn values<T: DataType>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
    cell: impl Fn(T::T) -> Cell,
) -> Vec<Option<Cell>> {
    let (_, definition, values) = read(reader, n_rows);
    let mut values = values.into_iter();
    let cells = definition.into_iter().map(|level| (level == 1).then(|| cell(values.next().unwrap())));
    let cells = cells.collect();
    assert!(values.next().is_none());
    cells
}

fn lists(reader: ColumnReaderImpl<parquet::data_type::Int64Type>, n_rows: usize) -> Vec<Option<Cell>> {
    let (repetition, definition, values) = read(reader, n_rows);
    assert_eq!(repetition.len(), definition.len());
    let mut values = values.into_iter();
    let mut lists: Vec<Option<Cell>> = Vec::new();
    for (repetition, definition) in repetition.into_iter().zip(definition) {
        match (repetition, definition) {
            (0, 0) => lists.push(None),
            (0, 1) => lists.push(Some(Cell::List(Vec::new()))),
            (0, 2) => lists.push(Some(Cell::List(vec![values.next().unwrap()]))),
            (1, 2) => match lists.last_mut() {
                Some(Some(Cell::List(list))) => list.push(values.next().unwrap()),
                _ => panic!("no list to continue"),
            },
            other => panic!("levels {other:?}"),
        }
    }
    assert!(values.next().is_none());
    lists
}
