// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places of keys and values in the sources of a configuration.

/// Source in [`Sources`](super::Sources). Sources of higher layers are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceId(pub(super) usize);

/// Place of a key or value. Lines and columns count from 1; columns and length are in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// File or argument.
    pub source: SourceId,
    /// Line, from 1.
    pub line: usize,
    /// Column of the first character, from 1.
    pub column: usize,
    /// Number of characters; 0 if unknown.
    pub length: usize,
}
