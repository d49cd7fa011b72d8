// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passage of a document: the part of its text that is in memory while the document is read.

use std::borrow::Cow;

use crate::decompress::{Fault, Pieces};
use crate::structure::{EndOfValue, Search};

/// Passage of a document. Methods return `None` for text that is left to the [tape](crate::tape).
pub(crate) struct Passage<'t> {
    text: Cow<'t, [u8]>,
    /// Offset of the next unread byte in the passage.
    at: usize,
    /// Remaining document; `None` if the passage ends with the document.
    pieces: Option<Pieces<'t>>,
    /// Number of bytes that were decompressed.
    n_decompressed: usize,
    /// Maximum number of bytes to decompress.
    limit: usize,
    /// Length of the longest value so far.
    longest: Option<usize>,
}

/// Size in bytes up to which text is added to complete a part outside of the phases, such as the metadata.
const SMALL: usize = 1 << 24;

impl<'t> Passage<'t> {
    /// Creates a passage that contains the whole document.
    pub(crate) fn whole(text: &'t [u8]) -> Self {
        Passage {
            text: text.into(),
            at: 0,
            pieces: None,
            n_decompressed: text.len(),
            limit: text.len(),
            longest: None,
        }
    }

    /// Creates the passage at the beginning of a compressed document of at most `limit` bytes.
    pub(crate) fn of_stream(pieces: Pieces<'t>, limit: usize) -> Self {
        Passage {
            text: Vec::new().into(),
            at: 0,
            pieces: Some(pieces),
            n_decompressed: 0,
            limit,
            longest: None,
        }
    }

    /// True if a part of the document is not decompressed yet.
    pub(super) fn is_stream(&self) -> bool {
        self.pieces.is_some()
    }

    /// Returns the length of the document up to the end of the passage.
    pub(super) fn n_decompressed(&self) -> usize {
        self.n_decompressed
    }

    /// Returns the offset of the next unread byte in the document.
    pub(super) fn offset(&self) -> usize {
        self.n_decompressed - self.text.len() + self.at
    }

    /// Skips white space and returns the next byte without reading it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            self.at = skip_blanks(&self.text, self.at);
            if let Some(&byte) = self.text.get(self.at) {
                return Some(byte);
            }
            self.extend()?;
        }
    }

    /// Reads a byte, and white space before it.
    pub(super) fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// True if only white space follows, and the stream is complete.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none() && self.pieces.is_none()
    }

    /// Reads a small part with `read`, which gets the text and an offset and returns the offset after the part. More
    /// text is added while `read` returns `None`.
    pub(super) fn small<T>(&mut self, mut read: impl FnMut(&[u8], usize) -> Option<(T, usize)>) -> Option<T> {
        self.peek()?;
        loop {
            if let Some((part, after)) = read(&self.text, self.at) {
                self.at = after;
                return Some(part);
            }
            (self.text.len() - self.at < SMALL).then_some(())?;
            self.extend()?;
        }
    }

    /// Reads an object or array with `read`, which gets the text and an offset and returns the offset after the value.
    pub(super) fn value<T>(&mut self, read: impl Fn(&[u8], usize) -> Option<(T, usize)>) -> Option<T> {
        matches!(self.peek()?, b'{' | b'[').then_some(())?;
        let begun = self.is_stream().then(|| EndOfValue::new(self.at));
        // Most values are at most as long as the longest value before, so this value is probably complete.
        if begun.is_none() || self.longest.is_some_and(|longest| self.text.len() - self.at > longest) {
            let value = self.complete_value(&read);
            if value.is_some() || begun.is_none() {
                return value;
            }
        }
        let mut end = begun?;
        loop {
            match end.advance(&self.text, !self.is_stream()) {
                Search::Found(_) => return self.complete_value(read),
                Search::NotYet => end.shift(self.extend()?),
                Search::Unusual => return None,
            }
        }
    }

    /// Reads a value that is completely in the passage.
    fn complete_value<T>(&mut self, read: impl Fn(&[u8], usize) -> Option<(T, usize)>) -> Option<T> {
        let (value, after) = read(&self.text, self.at)?;
        self.longest = self.longest.max(Some(after - self.at));
        self.at = after;
        Some(value)
    }

    /// Adds the next piece of the document and removes the text that was read. Returns the number of bytes removed.
    fn extend(&mut self) -> Option<usize> {
        let pieces = self.pieces.as_mut()?;
        let text = self.text.to_mut();
        let n_removed = std::mem::take(&mut self.at);
        text.drain(..n_removed);
        let before = text.len();
        let outcome = pieces.next(|piece| {
            text.extend_from_slice(piece);
            Ok::<(), Fault>(())
        });
        self.n_decompressed += self.text.len() - before;
        match outcome {
            None => self.pieces = None,
            Some(outcome) => outcome.ok()?,
        }
        (self.n_decompressed <= self.limit).then_some(n_removed)
    }
}

/// Returns the offset of the next byte that is not white space.
pub(super) fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blanks = text.get(at..).unwrap_or_default();
    at + blanks.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}
