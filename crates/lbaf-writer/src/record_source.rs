// SPDX-License-Identifier: MIT OR Apache-2.0
//! Source of the records of a data set.

use lbaf_model::PhaseId;
use lbaf_reader::{ParkedRecords, Recorded, Records};

/// Records of a data set, which are in memory or are read again.
#[derive(Clone, Copy, Debug)]
pub enum RecordSource<'a> {
    /// Records in memory. Their documents may be read again.
    Kept(&'a Records),
    /// Records that left memory. Files are written in parts, each with the records of a group of ranks.
    Parked(&'a ParkedRecords),
}

impl<'a> RecordSource<'a> {
    /// Returns the records of a data set; `None` if they were not requested or no phase was read.
    pub fn of(recorded: &'a Recorded) -> Option<Self> {
        let parked = || recorded.parked.as_ref().map(RecordSource::Parked);
        recorded.records.as_ref().map(RecordSource::Kept).or_else(parked)
    }

    /// Returns the phases with records, ascending.
    pub(crate) fn phases(self) -> Vec<PhaseId> {
        match self {
            RecordSource::Kept(records) => {
                let entries = records.files.first().map_or(&[][..], |file| &file.phases);
                entries.iter().map(|entry| entry.id).collect()
            }
            RecordSource::Parked(records) => records.phases().to_vec(),
        }
    }
}
