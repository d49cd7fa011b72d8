// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options for reading a data set.

use std::collections::BTreeMap;

use lbaf_vom::CommunicationKind;

/// Parts of a data set to read, and rules for building the model.
pub struct Request<'a> {
    /// Returns true for phases to read.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// Last phase to read, if known. Without records, the rest of large compressed files may then be left unread, so
    /// later phases remain unknown.
    pub last_phase: Option<u64>,
    /// Kinds of communication that count as volume.
    pub communication_kinds: &'a [CommunicationKind],
    /// Treatment of communications with an object that has no task in the phase.
    pub absent_endpoints: AbsentEndpoints,
    /// Rule for the node of each rank.
    pub nodes: NodeRule,
    /// Values of `rank_alpha` that override those of the files, by rank.
    pub rank_alpha: &'a BTreeMap<u32, f64>,
    /// True if records are kept for writing.
    pub records: bool,
    /// True if phases include the coordinates of their objects.
    pub coordinates: bool,
    /// True if phases include the times of their objects in each subphase.
    pub subphases: bool,
    /// Limit in bytes on rows that [`read`](crate::read) and [`visit`](crate::visit) keep in memory until their phase
    /// is assembled. Further rows are in a temporary file, except those of the text form and those with records in
    /// memory. Writing and reading them takes a tenth of the time of parsing.
    pub row_memory_bytes: usize,
    /// Limit in bytes on all memory, for the check that the data can be read at all.
    pub memory_bytes: u64,
    /// Limit in bytes on documents kept in memory. Further documents are read or generated again for writing.
    /// Documents of the text form are always kept.
    pub record_memory_bytes: u64,
    /// Treatment of records beyond `record_memory_bytes`.
    pub record_overflow: RecordOverflow,
}

/// Memory in bytes for which the limits of the default [`Request`] are made.
pub const DEFAULT_MEMORY_BYTES: u64 = 16 << 30;

/// Largest limit in bytes on rows in memory.
const MOST_ROW_BYTES: u64 = 64 << 20;

impl Request<'_> {
    /// Returns the request with limits for a program that may use `memory_bytes`: a quarter for documents, whose
    /// records need half as much again, and an eighth for rows, at most 64 MiB.
    #[must_use]
    pub fn within(self, memory_bytes: u64) -> Self {
        Request {
            memory_bytes,
            row_memory_bytes: (memory_bytes / 8).min(MOST_ROW_BYTES) as usize,
            record_memory_bytes: memory_bytes / 4,
            ..self
        }
    }
}

impl Default for Request<'_> {
    fn default() -> Self {
        static NONE: BTreeMap<u32, f64> = BTreeMap::new();
        Request {
            phases: &|_| true,
            last_phase: None,
            communication_kinds: &[CommunicationKind::SendRecv],
            absent_endpoints: AbsentEndpoints::Drop,
            nodes: NodeRule::RanksPerNode(1),
            rank_alpha: &NONE,
            records: false,
            coordinates: false,
            subphases: false,
            memory_bytes: 0,
            row_memory_bytes: 0,
            record_memory_bytes: 0,
            record_overflow: RecordOverflow::default(),
        }
        .within(DEFAULT_MEMORY_BYTES)
    }
}

/// Treatment of records whose documents exceed [`Request::record_memory_bytes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordOverflow {
    /// Documents beyond the limit are read again on demand. The places of records stay in memory.
    #[default]
    ReadAgain,
    /// All records leave memory: [`Recorded::parked`](crate::Recorded::parked) has them, instead of
    /// [`Recorded::records`](crate::Recorded::records). Acts as `ReadAgain` if a file has the text form.
    Park,
}

/// Treatment of communications with an object that has no task in the phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbsentEndpoints {
    /// Leaves them out of the model, but counts and reports them.
    #[default]
    Drop,
    /// Assumes that the object is on its home rank. Acts as `Drop` if the home is unknown or not a rank.
    Home,
}

/// Rule for the node of each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRule {
    /// Consecutive ranks in groups of this size.
    RanksPerNode(u32),
    /// Node in `metadata.shared_node`, or else `Hostname` in the attributes. A rank with neither has its own node.
    FromFiles,
}
