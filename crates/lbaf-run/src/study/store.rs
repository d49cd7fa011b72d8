// SPDX-License-Identifier: MIT OR Apache-2.0
//! Store of cells: one file per cell, named by the hash of all its inputs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use lbaf_writer::WriteError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use super::cell_result::{CellResult, CellTiming, VERSION};
use crate::{Messages, RunError};

const CELLS: &str = "cells";
const TIMINGS: &str = "timings";
/// Subdirectory of claims and leases of processes that share the study.
pub(super) const CLAIMS: &str = "claims";
/// Prefix of the names of incomplete files.
const PART: &str = ".part-";

/// Maximum number of cells that a process stores together. The file of each is open meanwhile.
const AT_ONCE: usize = 8;

/// True for the path of a stored cell or its clock times, complete or not, or of a claim, relative to the output
/// directory of a study.
pub fn is_stored_cell(path: &Path) -> bool {
    if path.parent().is_some_and(|parent| parent == Path::new(CLAIMS)) {
        return true;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_identity = |name: &str| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_name = name.starts_with(PART) || name.strip_suffix(".json").is_some_and(is_identity);
    has_name && path.parent().is_some_and(|parent| parent == Path::new(CELLS) || parent == Path::new(TIMINGS))
}

/// A cell to store.
pub(super) struct Stored<'a> {
    pub(super) identity: &'a str,
    pub(super) result: &'a CellResult,
    pub(super) timing: &'a CellTiming,
}

/// The cells of a study on disk.
#[derive(Clone)]
pub(super) struct CellStore {
    cells: PathBuf,
    timings: PathBuf,
    /// Held by the thread that writes files, which limits the number of open files.
    storing: Arc<Mutex<()>>,
}

impl CellStore {
    /// Opens the store of an output directory; creates it if needed.
    pub(super) fn open(output_dir: &Path, messages: &dyn Messages) -> Result<Self, RunError> {
        match crate::restore_before(output_dir, messages) {
            // Another process may be writing results, which does not concern the cells.
            Ok(()) | Err(WriteError::Unfinished(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let store = Self::at(output_dir);
        for directory in [&store.cells, &store.timings] {
            fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
        }
        Ok(store)
    }

    /// Returns the store of a directory, which need not exist.
    pub(super) fn at(output_dir: &Path) -> Self {
        CellStore {
            cells: output_dir.join(CELLS),
            timings: output_dir.join(TIMINGS),
            storing: Arc::default(),
        }
    }

    /// True if a directory has a store, which may be empty, as that of a shard to which no cell belongs.
    pub(super) fn is_in(output_dir: &Path) -> bool {
        output_dir.join(CELLS).is_dir()
    }

    /// Returns a stored cell; `None` if it is missing, damaged or of another version.
    pub(super) fn cell(&self, identity: &str) -> Option<CellResult> {
        read::<CellResult>(&file(&self.cells, identity)).filter(|cell| cell.version == VERSION)
    }

    /// True if a cell is stored and its result is final.
    pub(super) fn has(&self, identity: &str) -> bool {
        self.cell(identity).is_some_and(|cell| !cell.may_be_gone)
    }

    /// Returns the identities of all files of cells. On network file systems, listing the directory also makes files
    /// visible that other processes have created since their names were looked up.
    pub(super) fn names(&self) -> impl Iterator<Item = String> + use<> {
        let entries = self.cells.read_dir().into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
    }

    /// Returns the clock times of a stored cell; `None` if they are missing or damaged.
    pub(super) fn timing(&self, identity: &str) -> Option<CellTiming> {
        read(&file(&self.timings, identity))
    }

    /// Removes incomplete files of killed processes. Call it once all cells are stored.
    pub(super) fn tidy(&self) {
        for directory in [&self.cells, &self.timings] {
            for entry in directory.read_dir().into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(|name| name.starts_with(PART)) {
                    // A file that cannot be removed does no harm.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Stores a cell.
    pub(super) fn keep(
        &self,
        identity: &str,
        cell: &CellResult,
        timing: &CellTiming,
    ) -> Result<(), RunError> {
        self.keep_all(&[Stored { identity, result: cell, timing }])
    }

    /// Stores cells durably: their contents are on disk before their names appear, also after a power failure. Clock
    /// times may be lost in a power failure.
    pub(super) fn keep_all(&self, cells: &[Stored<'_>]) -> Result<(), RunError> {
        if cells.is_empty() {
            return Ok(());
        }
        for cells in cells.chunks(AT_ONCE) {
            let _storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner);
            let mut parts = Vec::with_capacity(AT_ONCE);
            for Stored { identity, result, timing } in cells {
                let path = file(&self.timings, identity);
                publish(part(&path, timing)?, &path, timing)?;
                let path = file(&self.cells, identity);
                parts.push((part(&path, result)?, path));
            }
            sync(&parts)?;
            for ((part, path), cell) in parts.into_iter().zip(cells) {
                publish(part, &path, cell.result)?;
            }
        }
        sync_directory(&self.cells).map_err(|source| failed(&self.cells, source))
    }
}

fn file(directory: &Path, identity: &str) -> PathBuf {
    directory.join(format!("{identity}.json"))
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&lbaf_reader::read_file(path).ok()?).ok()
}

/// Writes the content of a file under a temporary name beside it.
fn part(path: &Path, value: &impl Serialize) -> Result<NamedTempFile, RunError> {
    let mut bytes = serde_json::to_vec(value).expect("invariant: keys are strings and numbers finite");
    bytes.push(b'\n');
    let failed = |source| failed(path, source);
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Other users may merge shards, so the file gets the permissions of any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.prefix(PART).tempfile_in(directory).map_err(failed)?;
    part.write_all(&bytes).map_err(failed)?;
    Ok(part)
}

/// Gives a complete file its final name; `value` is its content. Other processes may write the same file.
fn publish(mut part: NamedTempFile, path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    loop {
        match part.persist(path) {
            Ok(_) => return Ok(()),
            // Another process is writing or reading the same cell.
            Err(_) if cfg!(windows) && path.is_file() => return Ok(()),
            // A process with another grid has finished its study in this directory, and has tidied up.
            Err(error) if error.error.kind() == io::ErrorKind::NotFound => part = self::part(path, value)?,
            Err(error) => return Err(failed(path, error.error)),
        }
    }
}

/// Writes the contents of files to the disk. The disk combines concurrent requests.
fn sync(parts: &[(NamedTempFile, PathBuf)]) -> Result<(), RunError> {
    let sync = |(part, path): &(NamedTempFile, PathBuf)| {
        part.as_file().sync_data().map_err(|source| failed(path, source))
    };
    thread::scope(|threads| {
        let (first, others) = parts.split_first().expect("invariant: chunks are not empty");
        let others: Vec<_> = others
            .iter()
            // Without a thread, the request is not concurrent.
            .map(|part| {
                thread::Builder::new().spawn_scoped(threads, move || sync(part)).map_err(|_| sync(part))
            })
            .collect();
        let first = sync(first);
        let others = others.into_iter().map(|other| match other {
            Ok(thread) => thread.join().expect("invariant: synchronization does not panic"),
            Err(synced) => synced,
        });
        others.fold(first, Result::and)
    })
}

/// Makes the names in a directory durable.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    match fs::File::open(directory)?.sync_all() {
        // Some file systems do not synchronize directories.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Windows has no such operation.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

fn failed(path: &Path, source: io::Error) -> RunError {
    WriteError::Io { path: path.to_path_buf(), source }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn panics_become_errors_with_their_message() {
        let panic: Box<dyn std::any::Any + Send> = Box::new("invariant: none".to_owned());
        let cell = CellResult::broken(&*panic);
        assert_eq!(cell.error.as_deref(), Some("a defect of lbaf: invariant: none"));
        assert!(cell.may_be_gone);
    }

    #[test]
    fn damaged_files_and_other_versions_count_as_missing() {
        let directory = tempfile::tempdir().unwrap();
        let store = CellStore::open(directory.path(), &Silent).unwrap();
        let cell = CellResult::failed("no".to_owned());
        store.keep("a", &cell, &CellTiming::default()).unwrap();
        assert_eq!(store.cell("a"), Some(cell.clone()));
        assert_eq!(store.cell("b"), None);
        // The stored file has the permissions of any new file.
        let (cell_file, other) = (directory.path().join("cells/a.json"), directory.path().join("other"));
        fs::write(&other, "").unwrap();
        let permissions = |path: &Path| fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&cell_file), permissions(&other));
        fs::write(directory.path().join("cells/a.json"), "{\"version\": 1, ").unwrap();
        assert_eq!(store.cell("a"), None);
        store.keep("a", &CellResult { version: VERSION + 1, ..cell }, &CellTiming::default()).unwrap();
        assert_eq!(store.cell("a"), None);
    }

    /// Version 1 is older than the option of `TemperedLB` that reduces migrations.
    #[test]
    fn cells_of_version_1_are_computed_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = CellStore::open(directory.path(), &Silent).unwrap();
        let cell = CellResult { version: 1, ..CellResult::of(Vec::new(), Vec::new()) };
        store.keep("a", &cell, &CellTiming::default()).unwrap();
        assert_eq!(store.cell("a"), None);
    }
}
