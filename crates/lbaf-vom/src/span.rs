// SPDX-License-Identifier: MIT OR Apache-2.0
//! Spans of records in a document.

use serde::{Deserialize, Serialize};

/// Half-open byte range `[start, end)` of the decompressed document.
///
/// Offsets are `u32`: longer documents are rejected when they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the bytes of this span in `text`.
    ///
    /// # Panics
    /// If the span exceeds `text`, which then belongs to another document.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True for an empty span, which also marks an absent value.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Key and value of an object member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Unescaped key.
    pub key: String,
    /// Bytes of the value. White space may follow a string, number or literal.
    pub value: Span,
}
