// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of a file that are wanted.

/// Parts of a file that are read.
#[derive(Clone, Copy)]
pub struct FileParts<'a> {
    /// True for phases that are read.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// True if the places of records are kept, to write them later.
    pub records: bool,
    /// True if positions of objects in their collections are read.
    pub indices: bool,
    /// True if times of tasks in each subphase are read.
    pub subphases: bool,
}
