// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a record stands in its document.

/// A half-open byte range `[start, end)` of the decompressed document.
///
/// Offsets are `u32`: documents of 4 GiB and more are refused when they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes of this span in `text`.
    ///
    /// # Panics
    /// If the span was not taken from this document.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there is nothing in it; also the mark of "not present".
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A key of an object and its value, both as they stand in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key, unescaped.
    pub key: String,
    /// The value's bytes.
    pub value: Span,
}
