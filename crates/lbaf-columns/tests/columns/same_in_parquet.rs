// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parquet files contain the rows of the CSV files, with types.

use lbaf_columns::{Format, Options};
use lbaf_reader::Recorded;

use crate::data_set::{csv, everything, examples, files, read, write};
use crate::parquet_file::{Cell, ParquetFile, Type};

fn parquet(recorded: &Recorded, rows_at_a_time: usize) -> [ParquetFile; 4] {
    let (tables, _) = write(recorded, Options { rows_at_a_time, ..Options::new(Format::Parquet) });
    tables.into_array().map(|table| ParquetFile::read(&table))
}

fn text(cell: Option<&Cell>) -> String {
    match cell {
        None => String::new(),
        Some(Cell::Unsigned(number)) => number.to_string(),
        Some(Cell::Signed(number)) => number.to_string(),
        Some(Cell::Float(number)) => format!("{number:?}"),
        Some(Cell::Flag(flag)) => flag.to_string(),
        Some(Cell::Text(text)) => text.clone(),
        Some(Cell::List(list)) => list.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
    }
}

fn assert_same(csv: &str, parquet: &ParquetFile) {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<&str> = parquet.columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(reader.headers().unwrap(), &names[..]);
    let mut n_rows = 0;
    for (row, record) in reader.records().enumerate() {
        for (position, cell) in record.unwrap().iter().enumerate() {
            assert_eq!(cell, text(parquet.cells[position][row].as_ref()), "{}, row {row}", names[position]);
        }
        n_rows += 1;
    }
    assert_eq!(parquet.groups.iter().sum::<usize>(), n_rows);
}

#[test]
fn parquet_cells_equal_csv_cells() {
    for recorded in [everything()].into_iter().chain(examples().map(|stem| read(&stem))) {
        let (text, _) = csv(&recorded);
        for (text, parquet) in text.into_array().iter().zip(parquet(&recorded, 1 << 17)) {
            assert_same(text, &parquet);
        }
    }
}

#[test]
fn null_and_empty_values_differ() {
    let [tasks, ..] = parquet(&everything(), 100);
    let column = |name: &str| {
        let position = tasks.columns.iter().position(|(other, _)| other == name).unwrap();
        (tasks.columns[position].1, &tasks.cells[position])
    };
    let (kind, cells) = column("resource");
    assert_eq!((kind, &cells[1], &cells[2]), (Type::Text, &Some(Cell::Text(String::new())), &None));
    let (kind, cells) = column("index");
    let lists =
        [Some(Cell::List(vec![0, -1])), None, Some(Cell::List(Vec::new())), Some(Cell::List(vec![2]))];
    assert_eq!((kind, &cells[..4]), (Type::List, &lists[..]));
    let (kind, cells) = column("id");
    assert_eq!((kind, &cells[0], &cells[2]), (Type::Unsigned, &Some(Cell::Unsigned(u64::MAX)), &None));
    assert_eq!(column("home").0, Type::Signed);
    assert_eq!(column("time_s").0, Type::Float);
    assert_eq!(column("migratable").0, Type::Flag);
}

#[test]
fn row_groups_have_the_size_of_batches() {
    let recorded = everything();
    let (text, _) = csv(&recorded);
    // Each phase has five tasks, three on rank 0. A row group consists of whole parts, each with tasks of one rank in
    // one phase.
    for (rows_at_a_time, expected) in
        [(1, vec![1; 10]), (2, vec![2, 1, 2, 2, 1, 2]), (4, vec![3, 2, 3, 2]), (9, vec![8, 2])]
    {
        let files = parquet(&recorded, rows_at_a_time);
        assert_eq!(files[0].groups, expected, "{rows_at_a_time} rows");
        for (text, parquet) in text.clone().into_array().iter().zip(files) {
            assert_same(text, &parquet);
        }
    }
}

#[test]
fn empty_tables_have_no_row_groups() {
    let directory = files(&[r#"{"phases":[]}"#]);
    for file in parquet(&read(&directory.path().join("d")), 100) {
        assert!(file.groups.is_empty() && !file.columns.is_empty());
    }
}

/// Readers load whole pages, so pages of long values must also be small.
#[test]
fn long_columns_have_several_pages() {
    let n = 140_000;
    let long = "long".repeat(60);
    let task = |id: usize| {
        let attributes = format!(r#""attributes":"{id} {long}","#);
        let attributes = if id.is_multiple_of(4) { &attributes } else { "" };
        format!(r#"{{"entity":{{"id":{id},"index":[{id},1],"migratable":true}},{attributes}"time":0.5}}"#)
    };
    let tasks = (0..n).map(task).collect::<Vec<_>>().join(",");
    let directory = files(&[&format!(r#"{{"phases":[{{"id":0,"tasks":[{tasks}]}}]}}"#)]);
    let recorded = read(&directory.path().join("d"));
    let [file, ..] = parquet(&recorded, n);
    assert_eq!(file.groups, [n]);
    for ((name, _), pages) in file.columns.iter().zip(&file.pages) {
        // Each cell of `index` has two integers.
        let n_values = if name == "index" { 2 * n } else { n };
        assert_eq!(pages.iter().sum::<u32>() as usize, n_values, "{name}");
        assert!(pages.len() > 1 && pages.iter().all(|&n| (1..=50_000).contains(&n)), "{name}: {pages:?}");
    }
    assert_same(&csv(&recorded).0.tasks, &file);
}
