// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output files written piece by piece, because they can be too large for memory.

use std::fs::File;
use std::io;

use sha2::{Digest, Sha256};

use super::{Staging, Written, hexadecimal};
use crate::WriteError;

/// File in the hidden staging directory, written piece by piece.
pub struct Stream<'a> {
    staging: &'a Staging,
    name: String,
    file: File,
    digest: Sha256,
    n_bytes: u64,
}

impl<'a> Stream<'a> {
    pub(super) fn new(staging: &'a Staging, name: &str, file: File) -> Self {
        Stream { staging, name: name.to_owned(), file, digest: Sha256::new(), n_bytes: 0 }
    }

    /// Returns the name of the published file, relative to the output directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a write error with the path of the published file.
    pub fn failed(&self, source: io::Error) -> WriteError {
        self.staging.failed(&self.name, source)
    }

    /// Marks the file as complete; only complete files are published. Returns its size and digest.
    ///
    /// # Panics
    /// If another thread panicked while writing.
    pub fn finish(self) -> Written {
        let written = Written { bytes: self.n_bytes, sha256: hexadecimal(&self.digest.finalize()) };
        self.staging.note(&self.name, written.clone());
        written
    }
}

/// Writes without a buffer, because pieces are large.
impl io::Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.digest.update(&bytes[..n]);
        self.n_bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
