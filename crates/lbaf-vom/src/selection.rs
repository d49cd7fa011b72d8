// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the parts of a file to read.

/// Parts of a file to read.
#[derive(Clone, Copy)]
pub struct FileParts<'a> {
    /// Returns true for phases to read.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// Last phase to read, if known. The rest of a large compressed file may then be left unread.
    pub last: Option<u64>,
    /// True if the spans of records are kept for writing.
    pub records: bool,
    /// True if positions of objects in their collections are read.
    pub indices: bool,
    /// True if times of tasks in each subphase are read.
    pub subphases: bool,
}
