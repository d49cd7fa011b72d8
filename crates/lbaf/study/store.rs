// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where cells are kept from one start of a study to the next: a file for each, under the digest of all that decides it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lbaf_writer::WriteError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::cell::{Cell, Timing, VERSION};
use crate::error::Error;

const CELLS: &str = "cells";
const TIMINGS: &str = "timings";
/// What names of files begin with that are not complete.
const PART: &str = ".part-";

/// The cells of a study on disk.
pub(super) struct Store {
    cells: PathBuf,
    timings: PathBuf,
}

impl Store {
    /// Makes the directories if need be.
    pub(super) fn open(output_dir: &Path) -> Result<Self, Error> {
        crate::restore::before(output_dir)?;
        let store = Self::at(output_dir);
        for directory in [&store.cells, &store.timings] {
            fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
        }
        Ok(store)
    }

    /// One that may not be there.
    pub(super) fn at(output_dir: &Path) -> Self {
        Store { cells: output_dir.join(CELLS), timings: output_dir.join(TIMINGS) }
    }

    /// A cell that was kept. What is damaged, or of another version, is as good as not there.
    pub(super) fn cell(&self, identity: &str) -> Option<Cell> {
        read::<Cell>(&file(&self.cells, identity)).filter(|cell| cell.version == VERSION)
    }

    /// The clock times of a cell that was kept.
    pub(super) fn timing(&self, identity: &str) -> Option<Timing> {
        read(&file(&self.timings, identity))
    }

    /// Removes what processes left half-written that were killed. Once all cells are kept, nobody needs what is left.
    pub(super) fn tidy(&self) {
        for directory in [&self.cells, &self.timings] {
            for entry in directory.read_dir().into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(|name| name.starts_with(PART)) {
                    // What cannot be removed harms nobody.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Keeps a cell. The times come first, so that whatever has a cell has them too.
    pub(super) fn keep(&self, identity: &str, cell: &Cell, timing: &Timing) -> Result<(), Error> {
        write(&file(&self.timings, identity), timing)?;
        write(&file(&self.cells, identity), cell)
    }
}

fn file(directory: &Path, identity: &str) -> PathBuf {
    directory.join(format!("{identity}.json"))
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&lbaf_reader::read_file(path).ok()?).ok()
}

/// Writes a file that is there whole or not at all, whoever else writes the same one.
fn write(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec(value).expect("invariant: keys are strings and numbers finite");
    bytes.push(b'\n');
    let failed = |source| failed(path, source);
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Parts may be merged by somebody else: as readable as any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.prefix(PART).tempfile_in(directory).map_err(failed)?;
    part.write_all(&bytes).map_err(failed)?;
    match part.persist(path) {
        Ok(_) => Ok(()),
        // Somebody else had it first, and cleaned up: what is there is the same.
        Err(_) if path.is_file() => Ok(()),
        Err(error) => Err(failed(error.error)),
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    WriteError::Io { path: path.to_path_buf(), source }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_have_their_words() {
        let panic: Box<dyn std::any::Any + Send> = Box::new("invariant: none".to_owned());
        let cell = Cell::broken(&*panic);
        assert_eq!(cell.error.as_deref(), Some("a defect of lbaf: invariant: none"));
        assert!(cell.may_be_gone);
    }

    #[test]
    fn what_is_damaged_or_of_another_version_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        let cell = Cell::failed("no".to_owned());
        store.keep("a", &cell, &Timing::default()).unwrap();
        assert_eq!(store.cell("a"), Some(cell.clone()));
        assert_eq!(store.cell("b"), None);
        // Whoever may read other files may read this one.
        let (cell_file, other) = (directory.path().join("cells/a.json"), directory.path().join("other"));
        fs::write(&other, "").unwrap();
        let permissions = |path: &Path| fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&cell_file), permissions(&other));
        fs::write(directory.path().join("cells/a.json"), "{\"version\": 1, ").unwrap();
        assert_eq!(store.cell("a"), None);
        store.keep("a", &Cell { version: VERSION + 1, ..cell }, &Timing::default()).unwrap();
        assert_eq!(store.cell("a"), None);
    }

    /// Version 1 is from before the way home of `TemperedLB` became an option.
    #[test]
    fn cells_of_version_1_are_computed_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        let cell = Cell { version: 1, ..Cell::of(Vec::new(), Vec::new()) };
        store.keep("a", &cell, &Timing::default()).unwrap();
        assert_eq!(store.cell("a"), None);
    }
}
