// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of a file that are wanted.

/// What to take from a file.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// Whether a phase is wanted.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// Whether the places of records are wanted too, for writing them later.
    pub records: bool,
    /// Whether it is wanted where objects are in their collections.
    pub indices: bool,
    /// Whether it is wanted what tasks took in each subphase.
    pub subphases: bool,
}
