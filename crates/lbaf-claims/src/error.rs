// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of claims.

use std::io;
use std::path::{Path, PathBuf};

/// A file of the shared directory cannot be read or written, or the system refuses the thread that renews the lease.
#[derive(Debug, thiserror::Error)]
#[error("cannot share work through {}: {source}", path.display())]
pub struct ClaimsError {
    /// The file or the shared directory.
    pub path: PathBuf,
    /// Error of the system.
    pub source: io::Error,
}

impl ClaimsError {
    pub(crate) fn new(path: &Path, source: io::Error) -> Self {
        ClaimsError { path: path.to_path_buf(), source }
    }
}
