// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leases: files that show that their owners are alive.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Intervals;
use crate::error::ClaimsError;
use crate::name;
use crate::process::Process;

/// A lease.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lease<N> {
    /// Name of the process for users.
    pub name: String,
    /// The process.
    pub process: Process,
    /// Number of renewals so far; 0 in the first lease.
    pub renewals: u64,
    /// Seconds from the time at which the process joined to the last renewal, by its own clock.
    pub seconds: f64,
    /// Seconds without a renewal after which others take its claims over.
    pub expiry: f64,
    /// Note about its progress.
    pub note: N,
    /// Time since the last renewal by the clocks of this machine and of the file system, which may differ; `None` if it
    /// is unknown.
    #[serde(skip)]
    pub age: Option<Duration>,
}

/// Returns the readable leases in a directory, ordered by name, then by process number; none if there is no directory.
pub fn leases<N: DeserializeOwned>(directory: &Path) -> Vec<Lease<N>> {
    let names = name::listed(directory).into_iter().filter(|name| name.ends_with(name::LEASE));
    let mut leases: Vec<Lease<N>> = names
        .filter_map(|name| {
            let path = directory.join(name);
            let renewed = fs::metadata(&path).and_then(|found| found.modified()).ok();
            let age = renewed.and_then(|renewed| renewed.elapsed().ok());
            Some(Lease { age, ..read(&path).ok()? })
        })
        .collect();
    leases.sort_by(|one, other| (&one.name, one.process.pid).cmp(&(&other.name, other.process.pid)));
    leases
}

/// Reads a lease.
///
/// # Errors
/// If the file is missing (`NotFound`), cannot be read, or is not complete.
pub(crate) fn read<N: DeserializeOwned>(path: &Path) -> io::Result<Lease<N>> {
    serde_json::from_slice(&fs::read(path)?).map_err(io::Error::other)
}

/// Returns a random name of a new owner, and creates the directory if needed.
pub(crate) fn new_owner(directory: &Path) -> Result<String, ClaimsError> {
    let failed = |source| ClaimsError::new(directory, source);
    loop {
        fs::create_dir_all(directory).map_err(failed)?;
        match tempfile::Builder::new().prefix(name::PART).rand_bytes(12).tempfile_in(directory) {
            Ok(part) => {
                let name = part.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
                return Ok(name.trim_start_matches(name::PART).to_owned());
            }
            // The last process that left has just removed the directory.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Writes a file atomically.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    // Processes of other users may read the file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.prefix(name::PART).tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    part.write_all(bytes)?;
    part.persist(path)?;
    Ok(())
}

/// Thread that renews a lease until the value is dropped.
pub(crate) struct Renewal<N> {
    writer: Arc<Writer<N>>,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

struct Writer<N> {
    path: PathBuf,
    name: String,
    process: Process,
    started: Instant,
    expiry: Duration,
    renewals: AtomicU64,
    note: Mutex<N>,
}

impl<N: Serialize + Send + 'static> Renewal<N> {
    pub(crate) fn start(
        directory: &Path,
        owner: &str,
        name: &str,
        intervals: Intervals,
        note: N,
    ) -> Result<Self, ClaimsError> {
        let writer = Arc::new(Writer {
            path: directory.join(name::lease(owner)),
            name: name.to_owned(),
            process: Process::current(),
            started: Instant::now(),
            expiry: intervals.expiry,
            renewals: AtomicU64::new(0),
            note: Mutex::new(note),
        });
        let failed = |source| ClaimsError::new(directory, source);
        // The file appears when it is complete, so a process that is killed here leaves no incomplete lease.
        loop {
            match writer.write() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::create_dir_all(directory).map_err(failed)?;
                }
                written => break written.map_err(failed)?,
            }
        }
        let (end, ended) = mpsc::channel();
        let writing = Arc::clone(&writer);
        let renew = move || {
            while ended.recv_timeout(intervals.renewal) == Err(RecvTimeoutError::Timeout) {
                // The next renewal may succeed. If none does, others take the claims over.
                let _ = writing.write();
            }
        };
        let thread = thread::Builder::new().spawn(renew).map_err(failed)?;
        Ok(Renewal { writer, thread: Some((end, thread)) })
    }

    pub(crate) fn note(&self, change: impl FnOnce(&mut N)) {
        change(&mut self.writer.note.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Writes the lease at once.
    pub(crate) fn renew(&self) -> io::Result<()> {
        self.writer.write()
    }
}

impl<N: Serialize> Writer<N> {
    /// Writes the lease with the next number of renewals.
    fn write(&self) -> io::Result<()> {
        let note = self.note.lock().unwrap_or_else(PoisonError::into_inner);
        let lease = Lease {
            name: self.name.clone(),
            process: self.process.clone(),
            renewals: self.renewals.fetch_add(1, Ordering::Relaxed),
            seconds: self.started.elapsed().as_secs_f64(),
            expiry: self.expiry.as_secs_f64(),
            note: &*note,
            age: None,
        };
        replace(&self.path, &serde_json::to_vec(&lease).map_err(io::Error::other)?)
    }
}

impl<N> Drop for Renewal<N> {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
