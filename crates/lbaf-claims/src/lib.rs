// SPDX-License-Identifier: MIT OR Apache-2.0
//! Claims of work by processes that share a directory, on one machine or several.
//!
//! Each process [joins](Claims::join) the directory and [claims](Claims::claim) pieces of work by name. Of several
//! processes, exactly one wins a piece. If a process ends before it has marked a claim as [done](Claim::done), another
//! process takes the piece over.
//!
//! | file | content |
//! |---|---|
//! | `<owner>.lease` | the process of an owner, the number of renewals, and a note about its progress |
//! | `<work>-<generation>.claim` | the owner of a piece of work, and `done` after its end |
//! | `<name>.notice` | a text for all processes |
//!
//! Claims are created exclusively (`O_EXCL`), which is atomic on local file systems and on NFS from version 3. Neither
//! locks nor a common clock are needed. A thread of each process renews its lease: it replaces the file by one with a
//! larger number of renewals. An owner counts as gone if
//!
//! - its lease is missing, because it left the directory;
//! - it ran on this machine and its process has ended; or
//! - another process has seen the same number of renewals for the [expiry time](Intervals::expiry) of its own clock.
//!
//! The claim of an owner that is gone is taken over with the next generation, again by exclusive creation. A process
//! that was only suspended may finish work that another has taken over, so computing work twice must be harmless.
//!
//! The last process that leaves the directory removes it, except notices if work is left. Leases of killed processes on
//! other machines prevent this, unless [`Claims::remove_expired`] has removed them; the next user of the directory
//! takes their claims over.
//!
//! ```
//! use lbaf_claims::{Attempt, Claims, Intervals};
//!
//! let directory = tempfile::tempdir()?;
//! let shared = directory.path().join("claims");
//! let one = Claims::join(&shared, "one", Intervals::default(), ())?;
//! let other = Claims::join(&shared, "other", Intervals::default(), ())?;
//!
//! let Attempt::Won(claim) = one.claim("cell7")? else { panic!("nobody has claimed the cell") };
//! assert!(matches!(other.claim("cell7")?, Attempt::Taken));
//! claim.done()?;
//! assert!(matches!(other.claim("cell7")?, Attempt::Done));
//!
//! drop((one, other));
//! assert!(!shared.exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod claim;
mod error;
mod lease;
mod name;
mod process;
mod watch;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::IgnoredAny;

use lease::Renewal;
use watch::Watch;

pub use claim::{Attempt, Claim};
pub use error::ClaimsError;
pub use lease::{Lease, leases};
pub use process::Process;

/// Times of leases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    /// Time between two renewals of a lease.
    pub renewal: Duration,
    /// Time without a renewal after which an owner counts as gone. Several times `renewal`, so that a slow file system
    /// is not mistaken for a killed process.
    pub expiry: Duration,
}

/// Renewal after 10 s, expiry after 60 s.
impl Default for Intervals {
    fn default() -> Self {
        Intervals { renewal: Duration::from_secs(10), expiry: Duration::from_mins(1) }
    }
}

/// A process in a shared directory. Dropping the value leaves the directory; claims that are not done become free.
pub struct Claims<N: Serialize + Send + 'static> {
    directory: PathBuf,
    owner: String,
    renewal: Option<Renewal<N>>,
    watch: Mutex<Watch>,
    /// Claims that were done when this process joined.
    earlier: HashSet<String>,
    /// True if all work is done, so that notices are no longer needed.
    is_complete: AtomicBool,
}

impl<N: Serialize + Send + 'static> Claims<N> {
    /// Joins a directory, which is created if needed. `name` is shown to users; `note` is the first note of the lease.
    ///
    /// # Errors
    /// If the directory cannot be created or written, or the system refuses a thread.
    pub fn join(directory: &Path, name: &str, intervals: Intervals, note: N) -> Result<Self, ClaimsError> {
        let owner = lease::new_owner(directory)?;
        let renewal = Renewal::start(directory, &owner, name, intervals, note)?;
        let earlier = claim::done_in(directory)?;
        let watch = Mutex::new(Watch::new(directory, intervals.expiry));
        let (directory, is_complete) = (directory.to_path_buf(), AtomicBool::new(false));
        Ok(Claims { directory, owner, renewal: Some(renewal), watch, earlier, is_complete })
    }

    /// Claims a piece of work. Names consist of ASCII letters and digits.
    ///
    /// Work that was done before this process joined can be claimed again if the process that did it is gone: this
    /// process joined because it needs the result, which may have been removed meanwhile.
    ///
    /// # Errors
    /// If the directory cannot be read or written.
    ///
    /// # Panics
    /// If the name is empty or has other characters.
    pub fn claim(&self, work: &str) -> Result<Attempt, ClaimsError> {
        assert!(name::is_work(work), "the name of work {work:?} consists of ASCII letters and digits");
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match claim::attempt(&self.directory, &self.owner, work, &self.earlier, &mut watch) {
                Err(error) if error.source.kind() == io::ErrorKind::NotFound => match self.rejoin() {
                    // The next attempt creates the directory again.
                    Err(error) if error.source.kind() == io::ErrorKind::NotFound => {}
                    rejoined => rejoined?,
                },
                attempt => return attempt,
            }
        }
    }

    /// Creates the directory and the lease again. They were removed by hand, or by others because this process was
    /// suspended for so long that its lease expired.
    fn rejoin(&self) -> Result<(), ClaimsError> {
        let created = fs::create_dir_all(&self.directory);
        let renewed = created.and_then(|()| self.renewal.as_ref().map_or(Ok(()), Renewal::renew));
        renewed.map_err(|source| ClaimsError::new(&self.directory, source))
    }

    /// Removes leases of owners that are gone, so that they do not keep the directory. A lease expires only if repeated
    /// calls, over the expiry time, find the same number of renewals.
    pub fn remove_expired(&self) {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let names = name::listed(&self.directory).into_iter();
        let owners = names.filter_map(|name| name.strip_suffix(name::LEASE).map(str::to_owned));
        for owner in owners.filter(|owner| *owner != self.owner) {
            if watch.is_gone(&owner) {
                let _ = fs::remove_file(self.directory.join(name::lease(&owner)));
            }
        }
    }

    /// Changes the note in the lease of this process. Others see it after the next renewal.
    pub fn note(&self, change: impl FnOnce(&mut N)) {
        if let Some(renewal) = &self.renewal {
            renewal.note(change);
        }
    }

    /// Renews the lease at once, so that others see the note.
    ///
    /// # Errors
    /// If the lease cannot be written.
    pub fn renew(&self) -> Result<(), ClaimsError> {
        let renewed = self.renewal.as_ref().map_or(Ok(()), Renewal::renew);
        renewed.map_err(|source| ClaimsError::new(&self.directory, source))
    }

    /// States that all work is done. If the last process that leaves has not stated this, notices are kept for the next
    /// process that joins.
    pub fn complete(&self) {
        self.is_complete.store(true, Ordering::Relaxed);
    }

    /// Writes a text for all processes, in place of another one of this name.
    ///
    /// # Errors
    /// If the text cannot be written.
    pub fn notice(&self, name: &str, text: &str) -> Result<(), ClaimsError> {
        let path = self.directory.join(name::notice(name));
        if fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        lease::replace(&path, text.as_bytes()).map_err(|source| ClaimsError::new(&path, source))
    }
}

/// Returns a text that [`Claims::notice`] wrote; `None` if there is none or it cannot be read.
pub fn notice(directory: &Path, name: &str) -> Option<String> {
    fs::read_to_string(directory.join(name::notice(name))).ok()
}

/// Leaves the directory. Files that cannot be removed stay, without an error.
impl<N: Serialize + Send + 'static> Drop for Claims<N> {
    fn drop(&mut self) {
        drop(self.renewal.take());
        let _ = fs::remove_file(self.directory.join(name::lease(&self.owner)));
        // The lease of a process that joins from now on is not in this list, so it is not removed.
        let listed = name::listed(&self.directory);
        // On a network file system, the content of a lease may be visible late, so an unreadable one counts as alive.
        let is_alive = |name: &String| {
            let lease = lease::read::<IgnoredAny>(&self.directory.join(name));
            name.ends_with(name::LEASE) && !lease.is_ok_and(|lease| lease.process.has_ended())
        };
        if !listed.iter().any(is_alive) {
            let is_complete = self.is_complete.load(Ordering::Relaxed);
            for name in listed.iter().filter(|name| is_complete || !name.ends_with(name::NOTICE)) {
                let _ = fs::remove_file(self.directory.join(name));
            }
            let _ = fs::remove_dir(&self.directory);
        }
    }
}
