// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hidden directory of a process, and signs from which others tell its state.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::disk::Disk;

/// The beginning of the names of hidden directories.
pub(super) const HIDDEN: &str = ".lbaf-";

/// The file in a hidden directory by whose lock others see that its process lives.
pub(super) const LOCK: &str = ".lock";

/// Staged files under their final names, inside the hidden directory.
pub(super) const NEW: &str = "new";

/// The journal in the hidden directory as long as the old files count.
pub(super) const JOURNAL: &str = "journal.json";

/// Hidden directories of this process that exist right now.
static UNPUBLISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes everything that this process has staged and not published, for when it is interrupted. Waits for files that are
/// just being replaced, and no more are replaced until the result is dropped.
pub fn remove_unpublished() -> impl Drop {
    let directories = unpublished();
    for directory in directories.iter().filter(|directory| !has_journal(directory)) {
        let _ = fs::remove_dir_all(directory);
    }
    directories
}

/// Holds off interrupts.
pub(super) fn unpublished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNPUBLISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The hidden directory of this process.
pub(super) struct Hidden {
    path: PathBuf,
    /// Held as long as this process lives; nothing where the file system knows no locks.
    lock: Option<File>,
    /// True if it is the user's from now on.
    is_kept: bool,
}

impl Hidden {
    pub(super) fn new(output_dir: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        // Others who may read the results may know that they are being replaced.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let path = builder.prefix(HIDDEN).tempdir_in(output_dir)?.keep();
        let lock = lock(&path);
        unpublished().push(path.clone());
        Ok(Hidden { path, lock, is_kept: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its name in the directory above it.
    pub(super) fn name(&self) -> &str {
        self.path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("invariant: the name is of random letters")
    }

    pub(super) fn new_files(&self) -> PathBuf {
        self.path.join(NEW)
    }

    /// Moves it into another directory; `unpublished` is held while files are published.
    pub(super) fn move_into(
        &mut self,
        directory: &Path,
        disk: &Disk,
        unpublished: &mut [PathBuf],
    ) -> io::Result<()> {
        let path = directory.join(self.name());
        disk.rename(&self.path, &path)?;
        for known in unpublished.iter_mut().filter(|known| **known == self.path) {
            known.clone_from(&path);
        }
        self.path = path;
        Ok(())
    }

    /// Leaves it to the user, with files of others in it, under a name that is seen if it can get one.
    pub(super) fn keep(&mut self, disk: &Disk, unpublished: &mut Vec<PathBuf>) {
        self.is_kept = true;
        unpublished.retain(|directory| *directory != self.path);
        // With a lock it would pass for what a killed process left.
        self.lock.take();
        let _ = disk.remove_file(&self.path.join(LOCK));
        let seen = seen(&self.path, "lbaf-kept-");
        if disk.rename(&self.path, &seen).is_ok() {
            self.path = seen;
        }
    }

    /// Removes it, unless it has what is needed to restore a result or belongs to others.
    pub(super) fn remove(&mut self, disk: &Disk) {
        // A file that is open stays in its directory on some file systems, which then cannot be removed.
        self.lock.take();
        unpublished().retain(|directory| *directory != self.path);
        if !self.is_kept && !has_journal(&self.path) {
            remove(&self.path, disk);
        }
    }
}

/// True if the replacement of files has begun from this hidden directory and has not ended.
pub(super) fn has_journal(hidden: &Path) -> bool {
    hidden.join(JOURNAL).symlink_metadata().is_ok()
}

/// A name that is seen, instead of a hidden one.
pub(super) fn seen(hidden: &Path, prefix: &str) -> PathBuf {
    let name = hidden.file_name().unwrap_or_default().to_string_lossy();
    hidden.with_file_name(name.replacen(HIDDEN, prefix, 1))
}

/// Removes a hidden directory. What cannot be removed now is removed by the next process: the lock, by which it knows that it
/// may, goes last.
pub(super) fn remove(hidden: &Path, disk: &Disk) {
    let _ = disk.remove_tree(hidden, LOCK);
}

/// Locks a new hidden directory, as long as the file is open, which says on which machine that is.
fn lock(directory: &Path) -> Option<File> {
    let mut file = File::create(directory.join(LOCK)).ok()?;
    file.write_all(&machine()).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Opens a lock to try it. NFS gives it only to those who may write, and its owner may be another user.
fn open_lock(path: &Path) -> io::Result<File> {
    for_writing_if_allowed(|writes| File::options().read(true).write(writes).open(path))
}

/// Opens for writing, or for reading where writing is not allowed.
fn for_writing_if_allowed<T>(open: impl Fn(bool) -> io::Result<T>) -> io::Result<T> {
    open(true).or_else(|error| match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => open(false),
        _ => Err(error),
    })
}

/// The name of this machine in its network.
#[cfg(unix)]
pub(super) fn machine() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn machine() -> Vec<u8> {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this".to_owned()).into_bytes()
}

/// The process that a hidden directory belongs to.
pub(super) enum Owner {
    /// It was killed; no other process has the lock while this is kept.
    Dead { _lock: Option<File> },
    /// It runs, or the file system cannot tell.
    Running,
    /// On a file system that several machines share, locks may be known to one of them alone.
    Elsewhere { machine: String },
    /// It was killed before it said where it is, or this is no directory of ours.
    Unknown,
}

impl Owner {
    pub(super) fn of(hidden: &Path) -> Self {
        let path = hidden.join(LOCK);
        let is_of = fs::read(&path).unwrap_or_default();
        if is_of.is_empty() {
            return Owner::Unknown;
        }
        if is_of != machine() {
            return Owner::Elsewhere { machine: String::from_utf8_lossy(&is_of).into_owned() };
        }
        match open_lock(&path).map(|file| (file.try_lock(), file)) {
            Ok((Ok(()), file)) => Owner::Dead { _lock: Some(file) },
            Ok((Err(TryLockError::WouldBlock | TryLockError::Error(_)), _)) => Owner::Running,
            // It has just been removed.
            Err(_) => Owner::Unknown,
        }
    }
}

/// All hidden directories in a directory.
pub(super) fn hidden_directories(directory: &Path) -> Vec<PathBuf> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let is_hidden = |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| name.starts_with(HIDDEN));
    let mut found: Vec<PathBuf> =
        entries.filter(|entry| is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Keeps other processes from making, moving and removing hidden directories in a directory, as long as it is kept; nothing
/// where the file system cannot. Let go at the latest when this process ends.
pub(super) fn alone(directory: &Path) -> Option<File> {
    loop {
        let file = File::open(directory).ok()?;
        file.lock().ok()?;
        if is_still(&file, directory) {
            return Some(file);
        }
        // It was replaced while this waited.
    }
}

/// The same without waiting.
pub(super) fn alone_at_once(directory: &Path) -> Option<File> {
    let file = File::open(directory).ok()?;
    file.try_lock().ok()?;
    is_still(&file, directory).then_some(file)
}

#[cfg(unix)]
fn is_still(file: &File, directory: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (locked, there) = (file.metadata().map(identity), directory.metadata().map(identity));
    matches!((locked, there), (Ok(locked), Ok(there)) if locked == there)
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As NFS wants it.
    #[test]
    fn a_lock_is_tried_on_a_file_that_is_open_for_writing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LOCK);
        fs::write(&path, machine()).unwrap();
        open_lock(&path).unwrap().write_all(b"x").unwrap();
        assert_eq!(open_lock(&directory.path().join("gone")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// A user who may only read learns as much as before, also where root may write everything.
    #[test]
    fn a_lock_of_another_user_is_tried_for_reading() {
        use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
        let opened = |fault: io::ErrorKind| {
            for_writing_if_allowed(|writes| if writes { Err(fault.into()) } else { Ok("for reading") })
                .map_err(|error| error.kind())
        };
        assert_eq!(opened(PermissionDenied), Ok("for reading"));
        assert_eq!(opened(ReadOnlyFilesystem), Ok("for reading"));
        assert_eq!(opened(NotFound), Err(NotFound));
    }
}
