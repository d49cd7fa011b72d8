// SPDX-License-Identifier: MIT OR Apache-2.0
//! Temporary storage of rows and of owners of records, so that only the phases in use are in memory.

use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_vom::{CommunicationRow, PhaseRows, TaskRow, VtEnd, VtPhase, VtTask};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ReadError;
use crate::temporary_file::{Place, TemporaryFile};

/// Values outside of memory. The first phases of files stay in memory.
#[derive(Debug)]
pub(crate) struct Parking {
    /// Bytes of phases so far, which stay in memory up to `limit`.
    in_memory: AtomicUsize,
    limit: usize,
    file: TemporaryFile,
}

impl Parking {
    /// Creates an empty storage that leaves phases of up to `limit` bytes in memory.
    pub(crate) fn new(limit: usize) -> Self {
        Parking { in_memory: AtomicUsize::new(0), limit, file: TemporaryFile::default() }
    }

    /// Moves the phases of a file out of memory, unless they are within the limit. Returns their places; none if they
    /// stay in memory.
    pub(crate) fn park<P: ParkedPhase>(&self, phases: &mut [P]) -> io::Result<Vec<Place>> {
        let bytes = phases.iter().map(P::bytes).sum::<u64>() as usize;
        if self.in_memory.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit {
            return Ok(Vec::new());
        }
        let park = |phase: &mut P| {
            let place = self.put(phase)?;
            *phase = phase.remainder();
            Ok(place)
        };
        phases.iter_mut().map(park).collect()
    }

    /// Returns a phase of a file, which is in memory or at its place.
    pub(crate) fn phase<'a, P: ParkedPhase>(
        &self,
        phases: &'a [P],
        places: &[Place],
        entry: usize,
    ) -> Result<Cow<'a, P>, ReadError> {
        match places.get(entry) {
            Some(&place) => self.get(place).map(Cow::Owned).map_err(ReadError::Temporary),
            None => Ok(Cow::Borrowed(&phases[entry])),
        }
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

/// Phase of a file that can leave memory.
pub(crate) trait ParkedPhase: Clone + Serialize + DeserializeOwned {
    /// Returns the size of the phase in memory.
    fn bytes(&self) -> u64;

    /// Returns the part of the phase that stays in memory.
    fn remainder(&self) -> Self;
}

impl ParkedPhase for PhaseRows {
    fn bytes(&self) -> u64 {
        let PhaseRows { tasks, communications, .. } = self;
        (size_of_val::<[TaskRow]>(tasks) + size_of_val::<[CommunicationRow]>(communications)) as u64
    }

    fn remainder(&self) -> Self {
        let &PhaseRows { id, largest_home, n_iterations, .. } = self;
        PhaseRows { id, largest_home, n_iterations, ..PhaseRows::default() }
    }
}

impl ParkedPhase for VtPhase {
    fn bytes(&self) -> u64 {
        let VtPhase { tasks, sequence_ends, .. } = self;
        (size_of_val::<[VtTask]>(tasks) + size_of_val::<[VtEnd]>(sequence_ends)) as u64
    }

    fn remainder(&self) -> Self {
        VtPhase { id: self.id, ..VtPhase::default() }
    }
}
