// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs appear whole or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use crate::WriteError;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, in hexadecimal as `sha256sum` prints it.
    pub sha256: String,
}

/// How the bytes of a file reach the disk; tests put failing ones here.
pub type FileWriter = dyn Fn(&Path, &[u8]) -> io::Result<()> + Send + Sync;

/// A hidden directory beside the outputs, in which they are gathered until all are complete.
///
/// Dropped without [`Staging::publish`], it disappears with everything in it and the output directory is as
/// it was.
pub struct Staging {
    output_dir: PathBuf,
    directory: tempfile::TempDir,
    made_output_dir: Option<PathBuf>,
    writer: Box<FileWriter>,
    written: Mutex<BTreeMap<String, Written>>,
    published: bool,
}

impl Staging {
    /// Prepares to write into `output_dir`, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be made or written into.
    pub fn new(output_dir: &Path) -> Result<Self, WriteError> {
        Self::with_writer(output_dir, Box::new(|path, bytes| fs::write(path, bytes)))
    }

    /// As [`Staging::new`], with another way to write a file.
    ///
    /// # Errors
    /// If the directory cannot be made or written into.
    pub fn with_writer(output_dir: &Path, writer: Box<FileWriter>) -> Result<Self, WriteError> {
        let failed = |source| WriteError::Io { path: output_dir.into(), source };
        let made_output_dir = first_missing(output_dir);
        fs::create_dir_all(output_dir).map_err(|source| {
            if output_dir.ancestors().any(Path::is_file) {
                WriteError::NotADirectory { path: output_dir.into() }
            } else {
                failed(source)
            }
        })?;
        let directory = tempfile::Builder::new().prefix(".lbaf-").tempdir_in(output_dir).map_err(failed)?;
        Ok(Staging {
            output_dir: output_dir.into(),
            directory,
            made_output_dir,
            writer,
            written: Mutex::default(),
            published: false,
        })
    }

    /// Writes a file under its final name (which may have directories) into the hidden directory.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let path = self.directory.path().join(name);
        // The user knows the final name, not the hidden one.
        let failed = |source| WriteError::Io { path: self.output_dir.join(name), source };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        (self.writer)(&path, bytes).map_err(failed)?;
        let written = Written { bytes: bytes.len() as u64, sha256: sha256(bytes) };
        self.written
            .lock()
            .expect("no thread panics while it holds the lock")
            .insert(name.to_owned(), written);
        Ok(())
    }

    /// What has been written so far, by name.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn written(&self) -> BTreeMap<String, Written> {
        self.written.lock().expect("no thread panics while it holds the lock").clone()
    }

    /// Moves everything to its place: `last` goes last and its predecessor disappears first, so that it is there
    /// exactly when everything that it lists is. `stale` files of an earlier run disappear.
    ///
    /// # Errors
    /// If an output would replace an input or a directory, or a file cannot be moved.
    pub fn publish(
        mut self,
        last: Option<&str>,
        inputs: &[PathBuf],
        stale: &[String],
    ) -> Result<(), WriteError> {
        let written = self.written();
        let mut names: Vec<&String> = written.keys().collect();
        names.sort_by_key(|name| Some(name.as_str()) == last);
        // Names are compared resolved: an input may have been reached over a link.
        let inputs: BTreeSet<PathBuf> = inputs.iter().filter_map(|input| input.canonicalize().ok()).collect();
        for name in &names {
            check_target(&self.output_dir, name, &inputs)?;
        }
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            |source| WriteError::Io { path, source }
        };
        if let Some(last) = last {
            remove(&self.output_dir.join(last))?;
        }
        for name in stale.iter().filter(|name| !written.contains_key(*name)) {
            let path = self.output_dir.join(name);
            // What the last run wrote may be what this one read.
            if !is_among(&path, &inputs) {
                remove(&path)?;
                self.remove_empty_directories(name);
            }
        }
        for name in &names {
            let target = self.output_dir.join(name);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent).map_err(failed(parent))?;
            }
            fs::rename(self.directory.path().join(name), &target).map_err(failed(&target))?;
        }
        self.published = true;
        Ok(())
    }

    /// Removes the directories in a name that nothing is in any more.
    fn remove_empty_directories(&self, name: &str) {
        let directories = Path::new(name).ancestors().skip(1);
        for directory in directories.filter(|directory| !directory.as_os_str().is_empty()) {
            // It fails for those that are not empty, which is what keeps them.
            let _ = fs::remove_dir(self.output_dir.join(directory));
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // An output directory made for a run that failed goes with it. It may hold others' files by now, so
        // only empty directories are removed.
        if let Some(made) = self.made_output_dir.as_ref().filter(|_| !self.published) {
            let _ = fs::remove_dir_all(self.directory.path());
            for directory in self.output_dir.ancestors().take_while(|ancestor| ancestor.starts_with(made)) {
                let _ = fs::remove_dir(directory);
            }
        }
    }
}

fn first_missing(directory: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .filter(|path| !path.as_os_str().is_empty() && !path.exists())
        .last()
        .map(Path::to_path_buf)
}

/// Refuses what would fail half-way or destroy an input.
fn check_target(output_dir: &Path, name: &str, inputs: &BTreeSet<PathBuf>) -> Result<(), WriteError> {
    let target = output_dir.join(name);
    if target.is_dir() {
        return Err(WriteError::InTheWay { path: target });
    }
    let mut directories = target.ancestors().skip(1).take_while(|directory| *directory != output_dir);
    if let Some(file) = directories.find(|directory| directory.exists() && !directory.is_dir()) {
        return Err(WriteError::NotADirectory { path: file.into() });
    }
    if is_among(&target, inputs) {
        return Err(WriteError::OverwritesInput { path: target });
    }
    Ok(())
}

/// Only what exists can be an input.
fn is_among(path: &Path, inputs: &BTreeSet<PathBuf>) -> bool {
    path.canonicalize().is_ok_and(|path| inputs.contains(&path))
}

fn remove(path: &Path) -> Result<(), WriteError> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match fs::remove_file(path) {
        Err(source) if !matches!(source.kind(), NotFound | NotADirectory) => {
            Err(WriteError::Io { path: path.into(), source })
        }
        _ => Ok(()),
    }
}

/// SHA-256 in hexadecimal, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
