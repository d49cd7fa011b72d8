// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exclusion of a second computation of a study in one process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::RunError;

/// Output directories of the studies that this process computes.
static DIRECTORIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The only computation of this process in a directory. Two of them in one pool of threads could wait for each other
/// forever, because a thread that waits inside a cell of one may run a step of the other.
pub(in crate::study) struct Alone(PathBuf);

impl Alone {
    /// Registers a computation in a directory until the value is dropped.
    ///
    /// # Errors
    /// If this process already computes a study in the directory.
    pub(in crate::study) fn enter(directory: &Path) -> Result<Self, RunError> {
        let path = directory.canonicalize().unwrap_or_else(|_| directory.to_path_buf());
        if DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone()) {
            return Ok(Alone(path));
        }
        Err(RunError::Input(format!(
            "another thread of this process computes a study in {}; use another process or wait for its end",
            directory.display()
        )))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_computation_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let first = Alone::enter(directory.path()).unwrap();
        let error = Alone::enter(&directory.path().join(".")).err().unwrap().to_string();
        assert!(error.contains("another thread of this process computes a study in"), "{error}");
        drop(first);
        Alone::enter(directory.path()).unwrap();
    }
}
