// SPDX-License-Identifier: MIT OR Apache-2.0
//! Temporary storage of rows, so that only the phases in use are in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use lbaf_vom::{CommunicationRow, PhaseRows, TaskRow};

/// Rows outside of memory: in a temporary file without a name, in the system's directory for temporary files
/// (`TMPDIR`). The first rows stay in memory.
pub(crate) struct Parking {
    /// Bytes of rows so far, which stay in memory up to `limit`.
    in_memory: AtomicUsize,
    limit: usize,
    /// Created for the first rows outside of memory.
    file: OnceLock<Mutex<File>>,
}

/// Place of the rows of a phase of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    start: u64,
    length: usize,
}

impl Parking {
    /// Creates an empty storage that leaves rows of up to `limit` bytes in memory.
    pub(crate) fn new(limit: usize) -> Self {
        Parking { in_memory: AtomicUsize::new(0), limit, file: OnceLock::new() }
    }

    /// True if these rows stay in memory. Counts their bytes.
    pub(crate) fn stays(&self, phases: &[PhaseRows]) -> bool {
        let bytes = |phase: &PhaseRows| {
            size_of_val::<[TaskRow]>(&phase.tasks) + size_of_val::<[CommunicationRow]>(&phase.communications)
        };
        let bytes = phases.iter().map(bytes).sum();
        self.in_memory.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit
    }

    /// Stores rows.
    pub(crate) fn put(&self, rows: &PhaseRows) -> io::Result<Place> {
        let bytes = postcard::to_stdvec(rows).map_err(io::Error::other)?;
        if self.file.get().is_none() {
            // Another thread may be faster; its file is then used.
            let _ = self.file.set(Mutex::new(tempfile::tempfile()?));
        }
        let mut file = self.lock();
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(&bytes)?;
        Ok(Place { start, length: bytes.len() })
    }

    /// Returns stored rows.
    pub(crate) fn get(&self, place: Place) -> io::Result<PhaseRows> {
        let mut bytes = vec![0; place.length];
        {
            let mut file = self.lock();
            file.seek(SeekFrom::Start(place.start))?;
            file.read_exact(&mut bytes)?;
        }
        postcard::from_bytes(&bytes).map_err(io::Error::other)
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        let file = self.file.get().expect("invariant: rows were stored");
        file.lock().expect("invariant: nothing panics while the file is locked")
    }
}
