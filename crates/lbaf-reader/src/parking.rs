// SPDX-License-Identifier: MIT OR Apache-2.0
//! Temporary storage of rows and of owners of records, so that only the phases in use are in memory.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_vom::{CommunicationRow, PhaseRows, TaskRow};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::temporary_file::{Place, TemporaryFile};

/// Values outside of memory. The first rows stay in memory.
#[derive(Debug)]
pub(crate) struct Parking {
    /// Bytes of rows so far, which stay in memory up to `limit`.
    in_memory: AtomicUsize,
    limit: usize,
    file: TemporaryFile,
}

impl Parking {
    /// Creates an empty storage that leaves rows of up to `limit` bytes in memory.
    pub(crate) fn new(limit: usize) -> Self {
        Parking { in_memory: AtomicUsize::new(0), limit, file: TemporaryFile::default() }
    }

    /// True if these rows stay in memory. Counts their bytes.
    pub(crate) fn stays(&self, phases: &[PhaseRows]) -> bool {
        let bytes = phases.iter().map(row_bytes).sum::<u64>() as usize;
        self.in_memory.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit
    }

    /// Stores a value.
    pub(crate) fn put(&self, value: &impl Serialize) -> io::Result<Place> {
        self.file.put(&postcard::to_stdvec(value).map_err(io::Error::other)?)
    }

    /// Returns a stored value.
    pub(crate) fn get<T: DeserializeOwned>(&self, place: Place) -> io::Result<T> {
        postcard::from_bytes(&self.file.get(place)?).map_err(io::Error::other)
    }
}

/// Returns the size of the rows of a phase in memory.
pub(crate) fn row_bytes(phase: &PhaseRows) -> u64 {
    let PhaseRows { tasks, communications, .. } = phase;
    (size_of_val::<[TaskRow]>(tasks) + size_of_val::<[CommunicationRow]>(communications)) as u64
}
