// SPDX-License-Identifier: MIT OR Apache-2.0
//! Claims: files that are created exclusively.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::error::ClaimsError;
use crate::name;
use crate::watch::Watch;

/// Line at the end of a claim whose work is done.
const DONE: &str = "done";
/// Pause before an attempt is repeated.
const PAUSE: Duration = Duration::from_millis(1);

/// Result of an attempt to claim a piece of work.
#[derive(Debug)]
pub enum Attempt {
    /// This process has it.
    Won(Claim),
    /// Another process has it, or this process claimed it before.
    Taken,
    /// It is done.
    Done,
}

/// A claim of this process.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// True if the work was taken over from a process that is gone and left it unfinished. Always false if that
    /// process had not yet written its name into its claim.
    pub is_taken_over: bool,
}

impl Claim {
    /// Marks the work as done, so that no process claims it again.
    ///
    /// # Errors
    /// If the claim exists but cannot be written.
    pub fn done(self) -> Result<(), ClaimsError> {
        let mark =
            || File::options().append(true).open(&self.path)?.write_all(format!("{DONE}\n").as_bytes());
        match mark() {
            // The directory was removed, by hand or after the lease of this process had expired. Results of the work
            // are stored elsewhere.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            marked => marked.map_err(|source| ClaimsError::new(&self.path, source)),
        }
    }
}

/// State of a claim file.
struct State {
    /// The owner; `None` if its process has not written its name yet, or was killed before.
    owner: Option<String>,
    is_done: bool,
}

impl State {
    fn read(path: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(path)?;
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let owner = lines.next().map(str::to_owned);
        Ok(State { owner, is_done: lines.any(|line| line == DONE) })
    }
}

/// Attempts to claim a piece of work for an owner. `earlier` lists the claims that were done when this process joined;
/// their work can be claimed again if their owners are gone.
pub(crate) fn attempt(
    directory: &Path,
    owner: &str,
    work: &str,
    earlier: &HashSet<String>,
    watch: &mut Watch,
) -> Result<Attempt, ClaimsError> {
    let mut gone: Option<String> = None;
    let mut generation = 0;
    loop {
        let name = name::claim(work, generation);
        let path = directory.join(&name);
        match File::options().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(format!("{owner}\n").as_bytes())
                    .map_err(|source| ClaimsError::new(&path, source))?;
                if let Some(gone) = &gone {
                    // The lease is removed at once, so that other processes need not wait until it expires.
                    let _ = fs::remove_file(directory.join(name::lease(gone)));
                }
                return Ok(Attempt::Won(Claim { path, is_taken_over: gone.is_some() }));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(ClaimsError::new(&path, source)),
        }
        let state = match State::read(&path) {
            Ok(state) => state,
            // The last process that left the directory has just removed the claim.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(source) => return Err(ClaimsError::new(&path, source)),
        };
        let is_gone = match &state.owner {
            _ if state.is_done && !earlier.contains(&name) => false,
            Some(owner) => watch.is_gone(owner),
            None => watch.is_forgotten(&name),
        };
        match (state.is_done, is_gone) {
            (true, false) => return Ok(Attempt::Done),
            (false, false) => return Ok(Attempt::Taken),
            (true, true) => {}
            (false, true) => gone = state.owner,
        }
        generation += 1;
    }
}

/// Returns the names of all claims in a directory whose work is done.
pub(crate) fn done_in(directory: &Path) -> Result<HashSet<String>, ClaimsError> {
    let mut done = HashSet::new();
    for name in name::listed(directory).into_iter().filter(|name| name.ends_with(name::CLAIM)) {
        let path = directory.join(&name);
        match State::read(&path) {
            Ok(state) if state.is_done => drop(done.insert(name)),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(ClaimsError::new(&path, source)),
        }
    }
    Ok(done)
}
