// SPDX-License-Identifier: MIT OR Apache-2.0
//! Temporary file for pieces of data that leave memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// File without a name in the system's directory for temporary files (`TMPDIR`). It is created for the first piece, and
/// the system removes it when it is closed.
#[derive(Debug, Default)]
pub struct TemporaryFile(OnceLock<Mutex<File>>);

/// Place of a piece in a [`TemporaryFile`].
#[derive(Clone, Copy, Debug)]
pub struct Place {
    start: u64,
    length: usize,
}

impl TemporaryFile {
    /// Stores a piece.
    ///
    /// # Errors
    /// If the file cannot be created or written.
    ///
    /// # Panics
    /// If another thread panicked during a call.
    pub fn put(&self, piece: &[u8]) -> io::Result<Place> {
        if self.0.get().is_none() {
            // Another thread may be faster; its file is then used.
            let _ = self.0.set(Mutex::new(tempfile::tempfile()?));
        }
        let mut file = self.lock();
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(piece)?;
        Ok(Place { start, length: piece.len() })
    }

    /// Returns a stored piece.
    ///
    /// # Errors
    /// If the file cannot be read.
    ///
    /// # Panics
    /// If nothing was stored, or another thread panicked during a call.
    pub fn get(&self, place: Place) -> io::Result<Vec<u8>> {
        let mut piece = vec![0; place.length];
        let mut file = self.lock();
        file.seek(SeekFrom::Start(place.start))?;
        file.read_exact(&mut piece)?;
        Ok(piece)
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        let file = self.0.get().expect("invariant: a place exists only after a piece was stored");
        file.lock().expect("invariant: nothing panics while the file is locked")
    }
}
