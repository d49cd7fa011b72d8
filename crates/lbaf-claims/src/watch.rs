// SPDX-License-Identifier: MIT OR Apache-2.0
//! Observation of the owners of claims by the clock of this process.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

use crate::lease::{self, Lease};
use crate::name;

/// Longest time between two looks at a lease, if the expiry time is not shorter.
const LOOK: Duration = Duration::from_millis(500);

/// Observer of owners.
pub(crate) struct Watch {
    directory: PathBuf,
    expiry: Duration,
    seen: HashMap<String, Seen>,
}

/// The last look at an owner.
struct Seen {
    /// Number of renewals; `None` for an owner that is not known, because its process was killed while it wrote.
    renewals: Option<u64>,
    /// First look with this number of renewals.
    since: Instant,
    looked: Instant,
    is_gone: bool,
}

impl Watch {
    pub(crate) fn new(directory: &Path, expiry: Duration) -> Self {
        Watch { directory: directory.to_path_buf(), expiry, seen: HashMap::new() }
    }

    /// True if an owner is gone.
    pub(crate) fn is_gone(&mut self, owner: &str) -> bool {
        let now = Instant::now();
        if let Some(seen) = self.seen.get(owner)
            && now - seen.looked < LOOK.min(self.expiry / 4)
        {
            return seen.is_gone;
        }
        let lease: Option<Lease<IgnoredAny>> = lease::read(&self.directory.join(name::lease(owner)));
        let has_ended = lease.as_ref().is_none_or(|lease| lease.process.has_ended());
        self.look(owner, lease.map(|lease| lease.renewals), has_ended, now)
    }

    /// True if the claim of an unknown owner is as old as the expiry time.
    pub(crate) fn is_forgotten(&mut self, claim: &str) -> bool {
        self.look(claim, None, false, Instant::now())
    }

    fn look(&mut self, key: &str, renewals: Option<u64>, has_ended: bool, now: Instant) -> bool {
        let before = self.seen.get(key).filter(|seen| seen.renewals == renewals);
        let since = before.map_or(now, |seen| seen.since);
        let is_gone = has_ended || now - since >= self.expiry;
        self.seen.insert(key.to_owned(), Seen { renewals, since, looked: now, is_gone });
        is_gone
    }
}
