// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries of phases in the files of a data set.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lbaf_vom::{FileRows, PhaseRanges, PhaseRows};

use crate::ReadError;
use crate::parking::Parking;
use crate::temporary_file::Place;

/// Rows of a file, whose phases may have left memory.
#[derive(Clone, Copy)]
pub(super) struct StoredRows<'a> {
    pub(super) file: &'a FileRows,
    /// Places of the phases; none if they are in memory.
    pub(super) places: &'a [Place],
}

impl<'a> StoredRows<'a> {
    pub(super) fn phases(self) -> FilePhases<'a> {
        let ids = self.file.phases.iter().map(|phase| phase.id).collect();
        FilePhases { ids, repeated: &self.file.metadata.identical_to_previous }
    }
}

/// Phases of a file.
pub(super) struct FilePhases<'a> {
    /// Phase of each entry, in the order of the file.
    pub(super) ids: Vec<u64>,
    /// Phases that repeat the last entry before them.
    pub(super) repeated: &'a PhaseRanges,
}

/// Entry of a phase in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Position of the file in the data set.
    pub(super) file: usize,
    /// Position of the entry among the phases of the file.
    pub(super) position: usize,
}

impl Entry {
    /// Returns the rows of an entry of a file that was read.
    pub(super) fn rows<'a>(
        self,
        files: &[Option<StoredRows<'a>>],
        parking: &Parking,
    ) -> Result<Cow<'a, PhaseRows>, ReadError> {
        let StoredRows { file, places } = files[self.file].expect("invariant: the file has entries");
        parking.phase(&file.phases, places, self.position)
    }
}

/// Returns the entries of every phase that has an entry in some file. In other files, the phase may repeat an earlier
/// entry. `None` represents an unreadable file.
pub(super) fn by_phase<'a>(files: impl Iterator<Item = Option<FilePhases<'a>>>) -> BTreeMap<u64, Vec<Entry>> {
    let files: Vec<Option<FilePhases<'_>>> = files.collect();
    let ids: BTreeSet<u64> = files.iter().flatten().flat_map(|file| file.ids.iter().copied()).collect();
    let mut phases: BTreeMap<u64, Vec<Entry>> = BTreeMap::new();
    for (file, phases_of_file) in files.iter().enumerate() {
        let Some(FilePhases { ids: own, repeated }) = phases_of_file else { continue };
        let own: BTreeMap<u64, usize> = own.iter().copied().zip(0..).collect();
        for &id in &ids {
            let last = own.range(..=id).next_back().filter(|&(&own, _)| own == id || repeated.contains(id));
            if let Some((_, &position)) = last {
                phases.entry(id).or_default().push(Entry { file, position });
            }
        }
    }
    phases
}
