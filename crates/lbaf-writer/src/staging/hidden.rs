// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hidden directory of a process, and the files that show its state to other processes.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::disk::Disk;

/// Prefix of the names of hidden directories.
pub(super) const HIDDEN: &str = ".lbaf-";

/// File in a hidden directory whose lock shows other processes that the owner is running.
pub(super) const LOCK: &str = ".lock";

/// Directory inside the hidden directory that contains the staged files under their final names.
pub(super) const NEW: &str = "new";

/// Name of the journal in the hidden directory until the replacement is complete. The old files can be restored from
/// it.
pub(super) const JOURNAL: &str = "journal.json";

/// Hidden directories of this process that exist.
static UNPUBLISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all files that this process has staged but not published, after an interrupt. Waits for a replacement in
/// progress, and prevents others until the returned value is dropped.
pub fn remove_unpublished() -> impl Drop {
    let directories = unpublished();
    for directory in directories.iter().filter(|directory| !has_journal(directory)) {
        let _ = fs::remove_dir_all(directory);
    }
    directories
}

/// Locks the list of hidden directories of this process, which delays interrupts.
pub(super) fn unpublished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNPUBLISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hidden directory of this process.
pub(super) struct Hidden {
    path: PathBuf,
    /// Lock held while this process runs; `None` if the file system does not support locks.
    lock: Option<File>,
    /// True if the directory was left to the user.
    is_kept: bool,
}

impl Hidden {
    pub(super) fn new(output_dir: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        // Other users who can read the results may also see their replacement.
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

    /// Returns the name of the hidden directory in its parent directory.
    pub(super) fn name(&self) -> &str {
        self.path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("invariant: the name consists of ASCII characters")
    }

    pub(super) fn new_files(&self) -> PathBuf {
        self.path.join(NEW)
    }

    /// Moves the hidden directory into another directory. `unpublished` is the list of hidden directories of this
    /// process, which is locked during publication.
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

    /// Leaves the hidden directory to the user, because it contains files of other programs. Gives it a visible name
    /// if possible.
    pub(super) fn keep(&mut self, disk: &Disk, unpublished: &mut Vec<PathBuf>) {
        self.is_kept = true;
        unpublished.retain(|directory| *directory != self.path);
        // Without its lock file, other processes do not mistake the directory for that of a killed process.
        self.lock.take();
        let _ = disk.remove_file(&self.path.join(LOCK));
        let seen = seen(&self.path, "lbaf-kept-");
        if disk.rename(&self.path, &seen).is_ok() {
            self.path = seen;
        }
    }

    /// Removes the hidden directory, unless it is needed to restore a result or was left to the user.
    pub(super) fn remove(&mut self, disk: &Disk) {
        // On some file systems, an open file prevents the removal of its directory.
        self.lock.take();
        unpublished().retain(|directory| *directory != self.path);
        if !self.is_kept && !has_journal(&self.path) {
            remove(&self.path, disk);
        }
    }
}

/// True if a replacement from this hidden directory has started and not finished.
pub(super) fn has_journal(hidden: &Path) -> bool {
    hidden.join(JOURNAL).symlink_metadata().is_ok()
}

/// Returns a visible name for a hidden directory.
pub(super) fn seen(hidden: &Path, prefix: &str) -> PathBuf {
    let name = hidden.file_name().unwrap_or_default().to_string_lossy();
    hidden.with_file_name(name.replacen(HIDDEN, prefix, 1))
}

/// Removes a hidden directory. If a part of it remains, the next process removes this part. The lock file is removed
/// last, because the next process needs it to recognize that the owner was killed.
pub(super) fn remove(hidden: &Path, disk: &Disk) {
    let _ = disk.remove_tree(hidden, LOCK);
}

/// Locks a new hidden directory while the returned file is open. The file contains the name of this machine.
fn lock(directory: &Path) -> Option<File> {
    let mut file = File::create(directory.join(LOCK)).ok()?;
    file.write_all(&machine()).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Opens a lock file to try its lock. NFS requires write permission for a lock, but the file may belong to another
/// user.
fn open_lock(path: &Path) -> io::Result<File> {
    for_writing_if_allowed(|writes| File::options().read(true).write(writes).open(path))
}

/// Opens a file for writing, or for reading if writing is not allowed.
fn for_writing_if_allowed<T>(open: impl Fn(bool) -> io::Result<T>) -> io::Result<T> {
    open(true).or_else(|error| match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => open(false),
        _ => Err(error),
    })
}

/// Returns the network name of this machine.
#[cfg(unix)]
pub(super) fn machine() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn machine() -> Vec<u8> {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this".to_owned()).into_bytes()
}

/// State of the process that owns a hidden directory.
pub(super) enum Owner {
    /// It was killed. No other process can get the lock while this value exists.
    Dead { _lock: Option<File> },
    /// It is running, or the file system has no locks to show it.
    Running,
    /// It belongs to another machine. On a shared file system, locks may be visible to only one machine.
    Elsewhere { machine: String },
    /// It was killed before it recorded its machine, or the directory does not belong to lbaf.
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
            // The lock file was removed before it could be opened.
            Err(_) => Owner::Unknown,
        }
    }
}

/// Returns all hidden directories in a directory.
pub(super) fn hidden_directories(directory: &Path) -> Vec<PathBuf> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let is_hidden = |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| name.starts_with(HIDDEN));
    let mut found: Vec<PathBuf> =
        entries.filter(|entry| is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Keeps other processes from creating, moving and removing hidden directories in a directory while the returned file
/// is open, at most until this process ends. Returns `None` if the file system does not support this.
pub(super) fn alone(directory: &Path) -> Option<File> {
    loop {
        let file = File::open(directory).ok()?;
        file.lock().ok()?;
        if is_still(&file, directory) {
            return Some(file);
        }
        // The directory was replaced while this process waited.
    }
}

/// As [`alone`], without waiting: `None` also if another process has the lock.
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

    /// NFS requires write access for a lock.
    #[test]
    fn a_lock_is_tried_on_a_file_that_is_open_for_writing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LOCK);
        fs::write(&path, machine()).unwrap();
        open_lock(&path).unwrap().write_all(b"x").unwrap();
        assert_eq!(open_lock(&directory.path().join("gone")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// A user with only read permission can lock too. This test also works for root.
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
