// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes to the file system as single operations. Tests can stop the process after any of them.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file is written or created.
    Write,
    /// A directory is created.
    MakeDirectory,
    /// A file or directory is renamed.
    Rename,
    /// Two directories swap names.
    Exchange,
    /// A file is removed.
    RemoveFile,
    /// An empty directory is removed.
    RemoveDirectory,
    /// A file or directory is made durable.
    Sync,
}

/// Function that is called before each change with the affected path. An error prevents the change.
pub type Watcher = dyn Fn(Change, &Path) -> io::Result<()> + Send + Sync;

/// Operations that change the file system.
#[derive(Default)]
pub struct Disk {
    watcher: Option<Box<Watcher>>,
}

impl Disk {
    /// Creates a disk that first passes its changes to a watcher.
    pub fn watched(watcher: Box<Watcher>) -> Self {
        Disk { watcher: Some(watcher) }
    }

    fn announce(&self, change: Change, path: &Path) -> io::Result<()> {
        self.watcher.as_ref().map_or(Ok(()), |watcher| watcher(change, path))
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.announce(Change::Write, path)?;
        fs::write(path, bytes)
    }

    pub(super) fn create(&self, path: &Path) -> io::Result<File> {
        self.announce(Change::Write, path)?;
        File::create(path)
    }

    /// Creates a directory and its missing parents.
    pub(super) fn make_directories(&self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            self.make_directories(parent)?;
        }
        self.announce(Change::MakeDirectory, path)?;
        match fs::create_dir(path) {
            // Another process may have created it first.
            Err(_) if path.is_dir() => Ok(()),
            outcome => outcome,
        }
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.announce(Change::Rename, to)?;
        fs::rename(from, to)
    }

    /// Swaps the names of two directories atomically.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    pub(super) fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        self.announce(Change::Exchange, b)?;
        Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub(super) fn exchange(&self, _: &Path, b: &Path) -> io::Result<()> {
        self.announce(Change::Exchange, b)?;
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.announce(Change::RemoveFile, path)?;
        fs::remove_file(path)
    }

    /// Removes an empty directory.
    pub(super) fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.announce(Change::RemoveDirectory, path)?;
        fs::remove_dir(path)
    }

    /// Removes a directory with its contents, the file `last` after all others.
    pub(super) fn remove_tree(&self, path: &Path, last: &str) -> io::Result<()> {
        let mut entries = path.read_dir()?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(|entry| entry.file_name() == last);
        for entry in entries {
            if entry.file_type()?.is_dir() {
                self.remove_tree(&entry.path(), "")?;
            } else {
                self.remove_file(&entry.path())?;
            }
        }
        self.remove_directory(path)
    }

    /// Waits until the bytes of a file are on the disk.
    pub(super) fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.announce(Change::Sync, path)?;
        // Windows can flush only files that are open for writing.
        tolerant(File::options().read(true).write(cfg!(windows)).open(path)?.sync_all())
    }

    /// Waits until the names in a directory are on the disk, on Unix.
    pub(super) fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.announce(Change::Sync, path)?;
        if cfg!(unix) { tolerant(File::open(path)?.sync_all()) } else { Ok(()) }
    }
}

/// Ignores errors of file systems that do not support synchronization.
fn tolerant(outcome: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    outcome
        .or_else(|error| if matches!(error.kind(), InvalidInput | Unsupported) { Ok(()) } else { Err(error) })
}
