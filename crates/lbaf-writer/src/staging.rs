// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atomic publication of outputs: they appear completely or not at all.

mod disk;
mod durable;
mod exchange;
mod hidden;
mod inputs;
mod journal;
mod listing;
mod recovery;
mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use lbaf_vom::Output;
use sha2::{Digest, Sha256};

use crate::WriteError;
use hidden::{Hidden, alone, unpublished};
use journal::{Journal, trust};

pub use disk::{Change, Disk, Watcher};
pub use hidden::remove_unpublished;
pub use inputs::{IdentifiedInputs, Inputs};
pub use listing::{Touched, touched};
pub use recovery::{restore, set_aside, unfinished};
pub use stream::Stream;

/// File that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, in hexadecimal as `sha256sum` prints it.
    pub sha256: String,
}

/// Hidden directory next to the outputs, in which they are staged until all are complete.
///
/// If it is dropped without [`Staging::publish`], it is removed with its contents, and the output directory is
/// unchanged.
pub struct Staging {
    output_dir: PathBuf,
    hidden: Hidden,
    made_output_dir: Option<PathBuf>,
    disk: Disk,
    written: Mutex<BTreeMap<String, Written>>,
    lists_files: bool,
    published: bool,
}

impl Staging {
    /// Prepares to write into `output_dir`, which is created if necessary. Restores the old files first if a killed
    /// process left a partially replaced result.
    ///
    /// # Errors
    /// If the directory cannot be created, restored or written.
    pub fn new(output_dir: &Path) -> Result<Self, WriteError> {
        Self::on(Disk::default(), output_dir)
    }

    /// As [`Staging::new`], on a disk that may have a watcher.
    ///
    /// # Errors
    /// If the directory cannot be created, restored or written.
    pub fn on(disk: Disk, output_dir: &Path) -> Result<Self, WriteError> {
        let failed = |source| WriteError::Io { path: output_dir.into(), source };
        let made_output_dir = first_missing(output_dir);
        disk.make_directories(output_dir).map_err(|source| {
            if output_dir.ancestors().any(Path::is_file) {
                WriteError::NotADirectory { path: output_dir.into() }
            } else {
                failed(source)
            }
        })?;
        let alone = alone(output_dir);
        recovery::restore_all(output_dir, false, &disk)?;
        recovery::remove_abandoned(output_dir, alone.is_some(), &disk);
        recovery::remove_abandoned_above(output_dir, &disk);
        let hidden = Hidden::new(output_dir).map_err(failed)?;
        drop(alone);
        let output_dir = output_dir.into();
        let written = Mutex::default();
        let (lists_files, published) = (false, false);
        Ok(Staging { output_dir, hidden, made_output_dir, disk, written, lists_files, published })
    }

    /// Requests that [`Staging::publish`] also writes a list of the files with their digests, for [`touched`].
    /// Untouched files in the list of an earlier run are removed if they are not written again. Without this call, an
    /// existing list is only kept up to date.
    pub fn list_files(&mut self) {
        self.lists_files = true;
    }

    /// Writes a file into the hidden directory under its final name, which may contain directories.
    ///
    /// # Errors
    /// If the name is outside the output directory or the bytes cannot be written.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let path = self.prepare(name)?;
        self.disk.write(&path, bytes).map_err(|source| self.failed(name, source))?;
        self.note(name, Written { bytes: bytes.len() as u64, sha256: sha256(bytes) });
        Ok(())
    }

    /// Starts a file that is written piece by piece. It is published only if it is finished.
    ///
    /// # Errors
    /// If the name is outside the output directory or the file cannot be created.
    pub fn stream(&self, name: &str) -> Result<Stream<'_>, WriteError> {
        let path = self.prepare(name)?;
        let file = self.disk.create(&path).map_err(|source| self.failed(name, source))?;
        Ok(Stream::new(self, name, file))
    }

    /// Writes a file while `print` prints it, as plain text or compressed with a brotli quality: see [`Output`].
    ///
    /// # Errors
    /// If the name is outside the output directory or the file cannot be written.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn print(
        &self,
        name: &str,
        quality: Option<u32>,
        print: impl FnOnce(&mut Output<Stream<'_>>),
    ) -> Result<(), WriteError> {
        let mut out = Output::new(self.stream(name)?, quality);
        print(&mut out);
        let stream = out.finish().map_err(|source| self.failed(name, source))?;
        stream.finish();
        Ok(())
    }

    /// Returns the path of a file until it is published, for checks of its content.
    pub fn hidden(&self, name: &str) -> PathBuf {
        self.hidden.new_files().join(name)
    }

    /// Returns the hidden path of a file, whose directory is created.
    fn prepare(&self, name: &str) -> Result<PathBuf, WriteError> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(WriteError::Outside { name: name.to_owned() });
        }
        let path = self.hidden(name);
        if let Some(parent) = path.parent() {
            self.disk.make_directories(parent).map_err(|source| self.failed(name, source))?;
        }
        Ok(path)
    }

    /// Returns an error with the final name, because users do not know the hidden one.
    fn failed(&self, name: &str, source: io::Error) -> WriteError {
        WriteError::Io { path: self.output_dir.join(name), source }
    }

    /// Records a complete file.
    fn note(&self, name: &str, written: Written) {
        let mut all = self.written.lock().expect("invariant: no thread panics while it holds the lock");
        all.insert(name.to_owned(), written);
    }

    /// Returns the files that were written so far, by name.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn written(&self) -> BTreeMap<String, Written> {
        self.written.lock().expect("invariant: no thread panics while it holds the lock").clone()
    }

    /// Moves all files to their final places, durably and atomically. If the process is killed meanwhile, either the
    /// old or the new files are in place, or a journal from which the next process restores the old files. The file
    /// `last`, a list of all other files, is moved last. `stale` files of an earlier run are removed.
    ///
    /// # Errors
    /// If an output would replace an input or something other than a file, if a file cannot be moved, or if another
    /// process is replacing files.
    pub fn publish(
        mut self,
        last: Option<&str>,
        inputs: &Inputs,
        stale: &[String],
    ) -> Result<(), WriteError> {
        let mut stale = stale.to_vec();
        if self.lists_files {
            stale.extend(listing::untouched(&self.output_dir));
        }
        if self.lists_files || listing::is_listed(&self.output_dir) {
            self.put(listing::LISTING, &listing::with(&self.output_dir, self.written()))?;
        }
        let written = self.written();
        let names: BTreeSet<&str> = written.keys().map(String::as_str).collect();
        let inputs = inputs.identified();
        for name in &names {
            check_target(&self.output_dir, name, &inputs)?;
        }
        durable::sync(&self.disk, &self.hidden.new_files(), &names)
            .map_err(|(name, source)| self.failed(name, source))?;
        // A stale file is kept if it has become an input or is no longer a regular file.
        let is_removed = |name: &&str| {
            let path = self.output_dir.join(name);
            is_file(&path) && !inputs.contains(&path) && trust::in_the_way(&self.output_dir, name).is_none()
        };
        let stale: BTreeSet<&str> = stale.iter().map(String::as_str).filter(is_removed).collect();
        // Keeps other processes from creating hidden directories in the output directory, and delays interrupts.
        let _alone = alone(&self.output_dir);
        let mut unpublished = unpublished();
        let made = self.made_output_dir.clone();
        let Staging { output_dir, hidden, disk, .. } = &mut self;
        // On file systems without directory locks, another process may have started in the meantime.
        if let Some(unfinished) = recovery::unfinished(output_dir) {
            return Err(WriteError::Unfinished(unfinished));
        }
        let failed = |source| WriteError::Io { path: output_dir.clone(), source };
        let in_place = |source| WriteError::InPlace { path: output_dir.clone(), source };
        let of_made = output_dir
            .ancestors()
            .take_while(|path| made.as_ref().is_some_and(|made| path.starts_with(made)));
        for parent in of_made.filter_map(Path::parent) {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            disk.sync_directory(parent).map_err(failed)?;
        }
        let (files, at) = ((&names, &stale), (&*disk, &mut *unpublished));
        if !exchange::swap(output_dir, hidden, files, at)? {
            let journal = Journal::new(output_dir, hidden, &names, last, &stale);
            if let Some((from, to)) = journal.single() {
                let (from, to) = (output_dir.join(from), output_dir.join(to));
                let renamed = disk.rename(&from, &to);
                renamed.map_err(|source| WriteError::Io { path: to, source })?;
                disk.sync_directory(output_dir).map_err(in_place)?;
            } else {
                let own = hidden.path().file_name();
                let unfinished_besides = || recovery::unfinished_besides(output_dir, own);
                journal.carry_out(output_dir, hidden.path(), disk, unfinished_besides)?;
            }
        }
        self.published = true;
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.hidden.remove(&self.disk);
        // Removes an output directory that was created for this failed run. Other processes may have put files there,
        // so only empty directories are removed.
        if let Some(made) = self.made_output_dir.as_ref().filter(|_| !self.published) {
            for directory in self.output_dir.ancestors().take_while(|ancestor| ancestor.starts_with(made)) {
                let _ = self.disk.remove_directory(directory);
            }
        }
    }
}

/// Checks that outputs with these names can be written into a directory, which need not exist. Writes nothing.
///
/// # Errors
/// If the directory cannot be created or written, or if an output would replace an input or something other than a
/// file.
pub fn check_targets(
    output_dir: &Path,
    names: impl IntoIterator<Item = String>,
    inputs: &Inputs,
) -> Result<(), WriteError> {
    let named =
        |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_path_buf() };
    let existing = output_dir.ancestors().map(named).find(|path| path.exists());
    let existing = existing.unwrap_or_else(|| PathBuf::from("."));
    if !existing.is_dir() {
        return Err(WriteError::NotADirectory { path: output_dir.into() });
    }
    #[cfg(unix)]
    rustix::fs::access(&existing, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|error| WriteError::Io { path: output_dir.into(), source: error.into() })?;
    let inputs = inputs.identified();
    names.into_iter().try_for_each(|name| check_target(output_dir, &name, &inputs))
}

fn first_missing(directory: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .filter(|path| !path.as_os_str().is_empty() && !path.exists())
        .last()
        .map(Path::to_path_buf)
}

/// Rejects a target at which publication would fail half-way or destroy an input, a device or a link.
fn check_target(output_dir: &Path, name: &str, inputs: &IdentifiedInputs) -> Result<(), WriteError> {
    let target = output_dir.join(name);
    if target.is_dir() {
        return Err(WriteError::InTheWay { path: target });
    }
    if let Some(path) = trust::in_the_way(output_dir, name) {
        return Err(WriteError::NotADirectory { path });
    }
    if inputs.contains(&target) {
        return Err(WriteError::OverwritesInput { path: target });
    }
    if target.symlink_metadata().is_ok() && !is_file(&target) {
        return Err(WriteError::NotAFile { path: target });
    }
    Ok(())
}

/// True for a regular file; false for a link, a device or a FIFO.
fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Returns the SHA-256 in hexadecimal, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of a file, read piece by piece.
///
/// # Errors
/// If the file cannot be read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut digest, mut piece) = (File::open(path)?, Sha256::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            n => digest.update(&piece[..n]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::hidden::{LOCK, machine};
    use super::*;

    /// The hidden directories have five owners: processes killed before and after they locked their directory, a
    /// running process, a process on another machine, and a program other than lbaf.
    #[test]
    fn only_hidden_directories_of_killed_processes_are_removed() {
        let output = tempfile::tempdir().unwrap();
        let path = |name: &str| output.path().join(name);
        for dead in [".lbaf-early", ".lbaf-late"] {
            fs::create_dir(path(dead)).unwrap();
        }
        fs::write(path(".lbaf-late").join(LOCK), machine()).unwrap();
        fs::write(path(".lbaf-late").join("table.csv"), "").unwrap();
        for kept in [".lbaf-there", ".lbaf-mine"] {
            fs::create_dir(path(kept)).unwrap();
            fs::write(path(kept).join("table.csv"), "").unwrap();
        }
        fs::write(path(".lbaf-there").join(LOCK), "another machine").unwrap();
        fs::write(path("kept.csv"), "").unwrap();
        let living = Staging::new(output.path()).unwrap();
        living.put("table.csv", b"1\n").unwrap();
        let _another = Staging::new(output.path()).unwrap();
        assert!(living.hidden("table.csv").is_file());
        assert!(!path(".lbaf-early").exists() && !path(".lbaf-late").exists());
        assert!(path("kept.csv").is_file());
        assert!(path(".lbaf-there/table.csv").is_file() && path(".lbaf-mine/table.csv").is_file());
    }
}
