// SPDX-License-Identifier: MIT OR Apache-2.0
//! Observation of the owners of claims by the clock of this process.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

use crate::lease::{self, Lease};
use crate::name;

/// Shortest time between two looks at a lease, or a quarter of the expiry time if that is shorter.
const LOOK: Duration = Duration::from_millis(500);

/// Longest time between two looks that counts in full as time without a renewal; a longer one counts as this time.
const LONGEST: Duration = Duration::from_secs(5);

/// Observer of owners.
pub(crate) struct Watch {
    directory: PathBuf,
    expiry: Duration,
    seen: HashMap<String, Seen>,
}

/// The last look at an owner.
struct Seen {
    /// Number of renewals; `None` if the lease is missing or cannot be read, or if the owner is unknown, because its
    /// process has not written its name yet or was killed before.
    renewals: Option<u64>,
    /// Time for which this number of renewals was watched.
    watched: Duration,
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
        match lease::read::<IgnoredAny>(&self.directory.join(name::lease(owner))) {
            Ok(Lease { renewals, process, .. }) => self.look(owner, Some(renewals), process.has_ended(), now),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.look(owner, None, true, now),
            // The lease may be readable again later.
            Err(_) => self.look(owner, None, false, now),
        }
    }

    /// True if the claim of an unknown owner was watched for the expiry time.
    pub(crate) fn is_forgotten(&mut self, claim: &str) -> bool {
        self.look(claim, None, false, Instant::now())
    }

    fn look(&mut self, key: &str, renewals: Option<u64>, has_ended: bool, now: Instant) -> bool {
        let before = self.seen.get(key).filter(|seen| seen.renewals == renewals);
        // A long time without a look does not count: this process may have been suspended, perhaps with the owner.
        let watched = before.map_or(Duration::ZERO, |seen| seen.watched + (now - seen.looked).min(LONGEST));
        let is_gone = has_ended || watched >= self.expiry;
        self.seen.insert(key.to_owned(), Seen { renewals, watched, looked: now, is_gone });
        is_gone
    }
}
