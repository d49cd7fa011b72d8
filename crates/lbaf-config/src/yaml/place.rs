// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places of keys and values in the texts of a configuration.

/// One of the texts held by [`Sources`](super::Sources); those of higher layers are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceId(pub(super) usize);

/// Where a key or a value was written. Lines and columns count from 1, columns and length in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file or argument.
    pub source: SourceId,
    /// Line, from 1.
    pub line: usize,
    /// Column of the first character, from 1.
    pub column: usize,
    /// Number of characters, 0 if the extent is not known.
    pub length: usize,
}
