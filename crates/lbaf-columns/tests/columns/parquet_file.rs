// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reader of Parquet after the documents of the format, for tests: it shares nothing with the writer but the
//! decompression, and is as strict as it can.

use crate::thrift::{Fields, Thrift, Value, take};

/// A file as a reader finds it.
pub(crate) struct ParquetFile {
    /// Names and types of the columns.
    pub(crate) columns: Vec<(String, Type)>,
    /// Number of rows, by row group.
    pub(crate) groups: Vec<usize>,
    /// Number of pages, by column.
    pub(crate) n_pages: Vec<usize>,
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

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    List(Vec<i64>),
}

impl Type {
    /// As the documentation calls it.
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
}

impl ParquetFile {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let (rest, size) = bytes[..bytes.len() - 4].split_last_chunk().unwrap();
        let start = rest.len() - u32::from_le_bytes(*size) as usize;
        let mut footer = Thrift(&rest[start..]);
        let file = footer.structure();
        assert!(footer.0.is_empty());
        let columns = columns(file[&2].list());
        assert_eq!(file[&7].list().len(), columns.len());
        let mut read = ParquetFile {
            groups: Vec::new(),
            n_pages: vec![0; columns.len()],
            cells: vec![Vec::new(); columns.len()],
            columns,
        };
        let mut offset = 4;
        for group in file[&4].list() {
            let group = group.fields();
            let n_rows = group[&3].size();
            let (mut uncompressed, before) = (0, read.groups.iter().sum::<usize>());
            for (position, chunk) in group[&1].list().iter().enumerate() {
                let facts = chunk.fields()[&3].fields();
                // Chunks follow each other without a gap.
                assert_eq!(facts[&9].size(), offset);
                let end = offset + facts[&7].size();
                read.column(position, facts, &bytes[offset..end]);
                assert_eq!(read.cells[position].len(), before + n_rows);
                read.check_statistics(position, before, facts[&12].fields());
                offset = end;
                uncompressed += facts[&6].size();
            }
            assert_eq!(group[&2].size(), uncompressed);
            read.groups.push(n_rows);
        }
        assert_eq!(offset, start);
        assert_eq!(file[&3].size(), read.groups.iter().sum::<usize>());
        read
    }

    fn column(&mut self, position: usize, facts: &Fields, mut pages: &[u8]) {
        let (name, kind) = &self.columns[position];
        let path: Vec<&[u8]> = facts[&3].list().iter().map(Value::bytes).collect();
        assert_eq!(path[0], name.as_bytes());
        assert_eq!(path.len(), if *kind == Type::List { 3 } else { 1 });
        assert_eq!(facts[&4].number(), 1, "Snappy");
        let (mut n_values, mut uncompressed) = (0, 0);
        while !pages.is_empty() {
            let mut header = Thrift(pages);
            let fields = header.structure();
            uncompressed += pages.len() - header.0.len();
            let (body, behind) = header.0.split_at(fields[&3].size());
            let body = snap::raw::Decoder::new().decompress_vec(body).unwrap();
            assert_eq!(body.len(), fields[&2].size());
            uncompressed += body.len();
            let data = fields[&5].fields();
            assert_eq!([1, 2, 3, 4].map(|field| data[&field].number())[1..], [0, 3, 3]);
            let n = data[&1].size();
            self.cells[position].extend(cells(*kind, n, &body));
            self.n_pages[position] += 1;
            n_values += n;
            pages = behind;
        }
        assert_eq!(facts[&5].size(), n_values);
        assert_eq!(facts[&6].size(), uncompressed);
    }

    fn check_statistics(&self, position: usize, from: usize, statistics: &Fields) {
        let cells = &self.cells[position][from..];
        let empty = |cell: &&Option<Cell>| match cell {
            None => true,
            Some(Cell::List(list)) => list.is_empty(),
            _ => false,
        };
        assert_eq!(statistics[&3].size(), cells.iter().filter(empty).count());
        let bound =
            |field: &i16| -> Option<[u8; 8]> { Some(statistics.get(field)?.bytes().try_into().unwrap()) };
        let (least, largest) = (bound(&6), bound(&5));
        let unsigned = cells
            .iter()
            .flatten()
            .filter_map(|cell| if let Cell::Unsigned(n) = cell { Some(*n) } else { None });
        let signed = cells
            .iter()
            .flatten()
            .filter_map(|cell| if let Cell::Signed(n) = cell { Some(*n) } else { None });
        match self.columns[position].1 {
            Type::Unsigned => {
                assert_eq!(least.map(u64::from_le_bytes), unsigned.clone().min());
                assert_eq!(largest.map(u64::from_le_bytes), unsigned.max());
            }
            Type::Signed => {
                assert_eq!(least.map(i64::from_le_bytes), signed.clone().min());
                assert_eq!(largest.map(i64::from_le_bytes), signed.max());
            }
            _ => assert_eq!((least, largest), (None, None)),
        }
    }
}

/// Leaves of the schema, with lists as one column.
fn columns(schema: &[Value]) -> Vec<(String, Type)> {
    let text = |value: &Value| String::from_utf8(value.bytes().to_vec()).unwrap();
    let mut elements = schema.iter().map(Value::fields);
    let n_children = elements.next().unwrap()[&5].size();
    let mut columns = Vec::new();
    while let Some(element) = elements.next() {
        assert_eq!(element[&3].number(), 1, "optional");
        let number = |field: i16| element.get(&field).map(Value::number);
        let kind = match (number(1), number(6)) {
            (Some(0), None) => Type::Flag,
            (Some(2), None) => Type::Signed,
            (Some(2), Some(14)) => {
                let integer = element[&10].fields()[&10].fields();
                assert_eq!((integer[&1].number(), &integer[&2]), (64, &Value::Flag(false)));
                Type::Unsigned
            }
            (Some(5), None) => Type::Float,
            (Some(6), Some(0)) => {
                assert!(element[&10].fields()[&1].fields().is_empty());
                Type::Text
            }
            (None, Some(3)) => {
                assert!(element[&10].fields()[&3].fields().is_empty());
                let [list, leaf] = [elements.next().unwrap(), elements.next().unwrap()];
                assert_eq!((list[&3].number(), list[&5].number(), list[&4].bytes()), (2, 1, &b"list"[..]));
                assert_eq!((leaf[&3].number(), leaf[&1].number(), leaf[&4].bytes()), (0, 2, &b"element"[..]));
                Type::List
            }
            other => panic!("{other:?}"),
        };
        columns.push((text(&element[&4]), kind));
    }
    assert_eq!(columns.len(), n_children);
    columns
}

fn cells(kind: Type, n: usize, mut body: &[u8]) -> Vec<Option<Cell>> {
    if kind == Type::List {
        let repetition = levels(&mut body, n);
        let definition = levels(&mut body, n);
        let mut lists: Vec<Option<Cell>> = Vec::new();
        for (repetition, definition) in repetition.into_iter().zip(definition) {
            match (repetition, definition) {
                (0, 0) => lists.push(None),
                (0, 1) => lists.push(Some(Cell::List(Vec::new()))),
                (0, 2) => lists.push(Some(Cell::List(vec![i64::from_le_bytes(take(&mut body))]))),
                (1, 2) => match lists.last_mut() {
                    Some(Some(Cell::List(list))) => list.push(i64::from_le_bytes(take(&mut body))),
                    _ => panic!("nothing goes on"),
                },
                other => panic!("levels {other:?}"),
            }
        }
        assert!(body.is_empty());
        return lists;
    }
    let is_there: Vec<bool> = levels(&mut body, n).into_iter().map(|level| level == 1).collect();
    let n_flags = is_there.iter().filter(|&&is_there| is_there).count();
    let (mut flag, flags) = (0, body);
    if kind == Type::Flag {
        assert_eq!(body.len(), n_flags.div_ceil(8));
        body = &[];
    }
    let mut cell = || match kind {
        Type::Unsigned => Cell::Unsigned(u64::from_le_bytes(take(&mut body))),
        Type::Signed => Cell::Signed(i64::from_le_bytes(take(&mut body))),
        Type::Float => Cell::Float(f64::from_le_bytes(take(&mut body))),
        Type::Flag => {
            flag += 1;
            Cell::Flag(flags[(flag - 1) / 8] >> ((flag - 1) % 8) & 1 == 1)
        }
        Type::Text => {
            let length = u32::from_le_bytes(take(&mut body)) as usize;
            let (text, rest) = body.split_at(length);
            body = rest;
            Cell::Text(String::from_utf8(text.to_vec()).unwrap())
        }
        Type::List => unreachable!("lists were read above"),
    };
    let cells = is_there.into_iter().map(|is_there| is_there.then(&mut cell)).collect();
    assert!(body.is_empty());
    cells
}

/// Levels in runs, of which the writer makes only those of equal levels.
fn levels(body: &mut &[u8], n: usize) -> Vec<u8> {
    let size = u32::from_le_bytes(take(body)) as usize;
    let (runs, rest) = body.split_at(size);
    *body = rest;
    let mut runs = Thrift(runs);
    let mut levels = Vec::new();
    while !runs.0.is_empty() {
        let header = runs.varint();
        assert_eq!(header & 1, 0, "a run of equal levels");
        let [level] = take(&mut runs.0);
        levels.extend(std::iter::repeat_n(level, (header >> 1) as usize));
    }
    assert_eq!(levels.len(), n);
    levels
}
