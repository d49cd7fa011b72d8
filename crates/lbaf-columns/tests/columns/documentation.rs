// SPDX-License-Identifier: MIT OR Apache-2.0
//! `docs/columns.md` names every column of every table, in order, with its type.

use lbaf_columns::{Format, Options, Tables};

use crate::data_set::{everything, root, write};
use crate::parquet_file::ParquetFile;

/// Returns names and types of columns in the section of a table. A `from_` column also stands for a `to_` column.
fn documented(document: &str, table: &str) -> Vec<(String, String)> {
    let section = document.split("\n## ").find(|section| section.starts_with(&format!("`{table}`")));
    let rows = section.expect("each table has a section").lines().filter(|line| line.starts_with("| `"));
    let mut columns: Vec<(String, String)> = rows
        .map(|row| {
            let mut cells = row.split('|').map(str::trim).skip(1);
            (cells.next().unwrap().trim_matches('`').to_owned(), cells.next().unwrap().to_owned())
        })
        .collect();
    let of_sender = |(name, _): &(String, String)| name.starts_with("from_");
    if let Some(next) = columns.iter().rposition(of_sender).map(|last| last + 1) {
        let of_receiver: Vec<_> = (columns.iter().filter(|column| of_sender(column)))
            .map(|(name, kind)| (name.replace("from_", "to_"), kind.clone()))
            .collect();
        columns.splice(next..next, of_receiver);
    }
    columns
}

#[test]
fn every_column_is_described() {
    let document = std::fs::read_to_string(root().join("docs/columns.md")).unwrap();
    let (tables, _) = write(&everything(), Options::new(Format::Parquet));
    for (name, table) in Tables::NAMES.into_array().into_iter().zip(tables.into_array()) {
        let columns = ParquetFile::read(&table).columns;
        let columns: Vec<_> =
            columns.into_iter().map(|(name, kind)| (name, kind.name().to_owned())).collect();
        assert_eq!(documented(&document, name), columns, "{name}");
    }
}
