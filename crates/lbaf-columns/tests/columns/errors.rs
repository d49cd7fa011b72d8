// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors and their messages.

use std::io;

use lbaf_columns::{ColumnsError, Format, Options, Tables};
use lbaf_reader::{Document, Recorded, Request};

use crate::data_set::{EVERYTHING, everything, files, read_as};

fn error(recorded: &Recorded) -> String {
    let mut sinks = Tables::<Vec<u8>>::default();
    lbaf_columns::write(recorded, Options::new(Format::Csv), &mut sinks).unwrap_err().to_string()
}

#[test]
fn data_sets_without_records_are_rejected() {
    let recorded = Recorded { records: None, ..everything() };
    assert_eq!(
        error(&recorded),
        "the data set has no records in memory, but tables need them; set `Request::records`, and not `RecordOverflow::Park`"
    );
}

#[test]
fn a_file_that_changed_since_it_was_read_is_rejected() {
    let directory = files(&EVERYTHING);
    let request = Request { records: true, record_memory_bytes: 0, ..Request::default() };
    let recorded = read_as(&directory.path().join("d"), &request);
    let path = directory.path().join("d.1.json");
    std::fs::write(&path, EVERYTHING[1].replace("0.125", "0.625")).unwrap();
    assert_eq!(
        error(&recorded),
        format!("{}: the file changed since it was read; run again", path.display())
    );
}

/// The reader rejects invalid JSON, but a document may change after it was read.
#[test]
fn an_invalid_record_is_named() {
    let mut recorded = everything();
    let file = &mut recorded.records.as_mut().unwrap().files[1];
    file.document = Document::Memory(EVERYTHING[1].replace(r#""entity":"#, r#""entity" "#).into());
    assert_eq!(
        error(&recorded),
        "cannot parse a record of phase 0 in the file of rank 1: expected `:` at line 1 column 11"
    );
}

/// Sink that fails after a number of bytes.
#[derive(Default)]
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_of_the_table() {
    const PLENTY: usize = 1 << 20;
    let recorded = everything();
    for &format in Format::ALL {
        for (position, name) in Tables::NAMES.into_array().into_iter().enumerate() {
            // The sink fails at the beginning or in the middle.
            for room in [0, 100] {
                let sink = |table: usize| Full(if table == position { room } else { PLENTY });
                let mut sinks =
                    Tables { tasks: sink(0), subphases: sink(1), communications: sink(2), ranks: sink(3) };
                let error = lbaf_columns::write(&recorded, Options::new(format), &mut sinks).unwrap_err();
                assert!(matches!(error, ColumnsError::Write { table, .. } if table == name), "{error}");
                assert_eq!(error.to_string(), format!("cannot write the table `{name}`: no storage space"));
            }
        }
    }
}
