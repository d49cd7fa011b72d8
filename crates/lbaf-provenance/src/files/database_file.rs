// SPDX-License-Identifier: MIT OR Apache-2.0
//! File of a database, written record by record: a database can exceed memory.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Folder, spelling};
use crate::record::Collection;

/// File of a database: its path below the directory, and its records, created during writing.
pub struct DatabaseFile<'a> {
    pub(super) path: PathBuf,
    is_indented: bool,
    records: Box<dyn Iterator<Item = Value> + 'a>,
}

impl<'a> DatabaseFile<'a> {
    /// Creates the file of a tree with the records of a collection for one rank and step.
    pub(crate) fn of_step(folder: Folder, records: impl Iterator<Item = Value> + 'a) -> Self {
        let (pid, rid, step, collection) = folder;
        let path = [pid.to_string(), rid.to_string(), format!("{step}.{}.json", collection.name())];
        DatabaseFile { path: path.iter().collect(), is_indented: true, records: Box::new(records) }
    }

    /// Creates the file of a tree for a collection of the whole run; `None` without records.
    pub(crate) fn global(collection: Collection, records: impl Iterator<Item = Value> + 'a) -> Option<Self> {
        let mut records = records.peekable();
        records.peek()?;
        let prefix = if collection == Collection::AdModel { "" } else { "global_" };
        let path = PathBuf::from(format!("{prefix}{}.json", collection.name()));
        Some(DatabaseFile { path, is_indented: false, records: Box::new(records) })
    }

    /// Creates the file of a collection with numbered records, as queries print it.
    pub(crate) fn flat(collection: Collection, records: impl Iterator<Item = Value> + 'a) -> Self {
        let path = PathBuf::from(format!("{}.json", collection.name()));
        let numbered = records.enumerate().map(|(id, mut record)| {
            if let Value::Object(members) = &mut record {
                members.shift_insert(0, "__id".to_owned(), id.into());
                members.sort_keys();
            }
            record
        });
        DatabaseFile { path, is_indented: true, records: Box::new(numbered) }
    }

    /// Returns the path below the directory of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file, in many small pieces.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_indented {
            spelling::indented(self.records, out)
        } else {
            spelling::compact(self.records, out)
        }
    }

    pub(super) fn in_memory(self) -> (PathBuf, Vec<u8>) {
        let (path, mut bytes) = (self.path.clone(), Vec::new());
        self.write(&mut bytes).expect("invariant: values have string keys and memory takes any write");
        (path, bytes)
    }
}

impl fmt::Debug for DatabaseFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseFile").field("path", &self.path).finish_non_exhaustive()
    }
}
