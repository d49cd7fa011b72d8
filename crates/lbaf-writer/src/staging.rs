// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs appear whole or not at all.

mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use crate::WriteError;

pub use stream::Stream;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, in hexadecimal as `sha256sum` prints it.
    pub sha256: String,
}

/// Hidden directories of this process that exist right now.
static UNPUBLISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes everything that this process has staged and not published, for when it is interrupted.
pub fn remove_unpublished() {
    let directories = UNPUBLISHED.lock().map(|directories| directories.clone()).unwrap_or_default();
    for directory in directories {
        let _ = fs::remove_dir_all(directory);
    }
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
    /// Held as long as this process lives; nothing where the file system knows no locks.
    lock: Option<File>,
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
        // Nobody else makes or removes a hidden directory meanwhile; let go at the latest when this process ends.
        let alone = File::open(output_dir).ok().filter(|directory| directory.lock().is_ok());
        if alone.is_some() {
            remove_abandoned(output_dir);
        }
        let directory = tempfile::Builder::new().prefix(HIDDEN).tempdir_in(output_dir).map_err(failed)?;
        let lock = lock(directory.path());
        drop(alone);
        if let Ok(mut unpublished) = UNPUBLISHED.lock() {
            unpublished.push(directory.path().into());
        }
        Ok(Staging {
            output_dir: output_dir.into(),
            directory,
            made_output_dir,
            writer,
            written: Mutex::default(),
            published: false,
            lock,
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
        let path = self.prepare(name)?;
        (self.writer)(&path, bytes).map_err(|source| self.failed(name, source))?;
        self.note(name, Written { bytes: bytes.len() as u64, sha256: sha256(bytes) });
        Ok(())
    }

    /// Begins a file that is written piece by piece; it is published only if it was finished.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn stream(&self, name: &str) -> Result<Stream<'_>, WriteError> {
        let path = self.prepare(name)?;
        let file = fs::File::create(&path).map_err(|source| self.failed(name, source))?;
        Ok(Stream::new(self, name, file))
    }

    /// Where a file is until it is published, for checks of what was written.
    pub fn hidden(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The hidden place of a file, in a directory that is there.
    fn prepare(&self, name: &str) -> Result<PathBuf, WriteError> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(WriteError::Outside { name: name.to_owned() });
        }
        let path = self.hidden(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| self.failed(name, source))?;
        }
        Ok(path)
    }

    /// The user knows the final name, not the hidden one.
    fn failed(&self, name: &str, source: io::Error) -> WriteError {
        WriteError::Io { path: self.output_dir.join(name), source }
    }

    /// Notes a file that is complete.
    fn note(&self, name: &str, written: Written) {
        let mut all = self.written.lock().expect("no thread panics while it holds the lock");
        all.insert(name.to_owned(), written);
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
        // What was there is set aside until everything is in its place; the list of files first of all.
        let mut moves = Moves::default();
        let aside = self.directory.path().join(ASIDE);
        let of_last = names.iter().filter(|name| Some(name.as_str()) == last).copied();
        for name in of_last.chain(stale).chain(names.iter().copied()) {
            // A stale file can be an input: it stays.
            if !is_among(&self.output_dir.join(name), &inputs) {
                moves.set_aside(&self.output_dir.join(name), &aside)?;
            }
        }
        for name in &names {
            moves.make(&self.directory.path().join(name), &self.output_dir.join(name))?;
        }
        moves.keep();
        for directory in stale.iter().filter_map(|name| Path::new(name).parent()) {
            // Only what the stale files leave empty; the rest stays.
            if directory != Path::new("") {
                let _ = fs::remove_dir(self.output_dir.join(directory));
            }
        }
        self.published = true;
        Ok(())
    }
}

/// What names of hidden directories begin with.
const HIDDEN: &str = ".lbaf-";

/// The file in a hidden directory by whose lock others see that its process lives.
const LOCK: &str = ".lock";

/// Locks a new hidden directory, as long as the file is open, which says on which machine that is.
fn lock(directory: &Path) -> Option<File> {
    let mut file = File::create(directory.join(LOCK)).ok()?;
    file.write_all(&machine()).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes hidden directories of processes that were killed: nobody holds their locks any more. On a file system that several
/// machines share, locks may be known to one of them alone; what another machine left is for that to remove.
fn remove_abandoned(output_dir: &Path) {
    for entry in output_dir.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_none_or(|name| !name.starts_with(HIDDEN)) {
            continue;
        }
        let lock = entry.path().join(LOCK);
        let is_of = fs::read(&lock).unwrap_or_default();
        let is_held = || File::open(&lock).is_ok_and(|lock| lock.try_lock().is_err());
        // What cannot be removed harms nobody.
        if is_of.is_empty() {
            // Killed before it said where it is, with nothing else in it; or nothing of ours.
            if entry.path().read_dir().is_ok_and(|files| files.count() <= usize::from(lock.exists())) {
                let _ = fs::remove_dir_all(entry.path());
            }
        } else if is_of == machine() && !is_held() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The name of this machine in its network.
#[cfg(unix)]
fn machine() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

#[cfg(not(unix))]
fn machine() -> Vec<u8> {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this".to_owned()).into_bytes()
}

/// Where files that are replaced wait, inside the hidden directory.
const ASIDE: &str = ".aside";

/// Renamings that are taken back unless all of them succeed.
#[derive(Default)]
struct Moves {
    made: Vec<(PathBuf, PathBuf)>,
}

impl Moves {
    fn make(&mut self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let failed = |source| WriteError::Io { path: to.into(), source };
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::rename(from, to).map_err(failed)?;
        self.made.push((from.into(), to.into()));
        Ok(())
    }

    /// Moves a file out of the way, if there is one.
    fn set_aside(&mut self, file: &Path, aside: &Path) -> Result<(), WriteError> {
        if file.symlink_metadata().is_err() {
            return Ok(());
        }
        let place = aside.join(self.made.len().to_string());
        self.make(file, &place).map_err(|error| match error {
            WriteError::Io { source, .. } => WriteError::Io { path: file.into(), source },
            error => error,
        })
    }

    fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Moves {
    fn drop(&mut self) {
        for (from, to) in self.made.iter().rev() {
            // Going back the way one came; what fails here failed before.
            let _ = fs::rename(to, from);
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // A file that is open stays in its directory on some file systems, which then cannot be removed.
        self.lock.take();
        if let Ok(mut unpublished) = UNPUBLISHED.lock() {
            unpublished.retain(|directory| directory != self.directory.path());
        }
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

/// SHA-256 in hexadecimal, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Killed before and after it had its lock, one that lives, one of another machine, and what is not ours.
    #[test]
    fn hidden_directories_of_the_dead_go_and_those_of_the_living_stay() {
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
