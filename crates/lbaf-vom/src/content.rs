// SPDX-License-Identifier: MIT OR Apache-2.0
//! What carries a document, told by the bytes of its file: nothing, or brotli. And what the document is: JSON, or
//! the older text form.

use crate::VomError;
use crate::decompress::{Decompressor, Fault};
use crate::text::looks_like_text;

/// The largest document that spans can address and the parser takes.
pub(crate) const MAX_DOCUMENT_BYTES: usize = u32::MAX as usize - 1024;

/// How much a brotli stream may unfold to: what was recorded has a number of its own in every record and does not
/// shrink a thousandfold. Streams that do were made to exhaust memory; up to the floor they may.
const LARGEST_RATIO: usize = 1000;
const RATIO_FLOOR_BYTES: usize = 16 << 20;
/// What gzip streams begin with.
const GZIP: &[u8] = b"\x1f\x8b";

/// How the bytes of a file carry their document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// Compressed with brotli.
    Brotli,
}

/// The document of a file, in memory that is reused from file to file and stays initialised behind the
/// document, so that the parser finds its padding there and nothing is zeroed twice.
#[derive(Default)]
pub struct DocumentBuffer {
    bytes: Vec<u8>,
    length: usize,
    decompressor: Decompressor,
}

impl DocumentBuffer {
    /// Puts the document held by the bytes of a file here, replacing what was here.
    ///
    /// The suffix of a file says nothing about its content, so only the bytes are looked at. A brace first means
    /// JSON; no brotli stream begins with one. A bracket first means nothing, since brotli streams do. A line of
    /// text begins with a number and a comma.
    ///
    /// # Errors
    /// When the bytes are neither JSON, nor text, nor a complete brotli stream, or the document is larger than
    /// 4 GiB. What is here then is of no use.
    pub fn decode(&mut self, raw: &[u8]) -> Result<Encoding, VomError> {
        self.length = 0;
        let text = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
        let Some(first) = first_visible(text) else {
            return Err(VomError::Empty);
        };
        if first != b'{' && !looks_like_text(text) {
            match self.decompress(raw) {
                Err(VomError::UnknownContent { .. }) if first == b'[' => {}
                outcome => return outcome.map(|()| Encoding::Brotli),
            }
        }
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(VomError::TooLarge);
        }
        self.put(text);
        Ok(Encoding::Plain)
    }

    /// The document; after it was parsed in place, with its strings unescaped.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Whether what was decompressed so far can be a document. Of a stream that failed only the first bytes are
    /// sure to be there.
    fn has_content(&self) -> bool {
        const SURE: usize = 64;
        let beginning = &self.text()[..self.length.min(SURE)];
        first_visible(beginning) == Some(b'{') || looks_like_text(beginning)
    }

    /// Whether the document has the text form; the rest is JSON, or meant to be.
    pub fn is_text(&self) -> bool {
        looks_like_text(self.text())
    }

    /// The document without the memory around it.
    pub fn into_text(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// The document with the padding that simd-json wants behind it, and the length of the document alone.
    pub fn padded(&mut self) -> (&mut [u8], usize) {
        let end = self.length + simd_json::INPUT_PADDING;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        (&mut self.bytes[..end], self.length)
    }

    /// Replaces the document.
    pub(crate) fn put(&mut self, text: &[u8]) {
        if self.bytes.len() < text.len() {
            self.bytes = vec![0; text.len() + simd_json::INPUT_PADDING];
        }
        self.bytes[..text.len()].copy_from_slice(text);
        self.length = text.len();
    }

    fn decompress(&mut self, raw: &[u8]) -> Result<(), VomError> {
        let believable = raw.len().saturating_mul(LARGEST_RATIO).max(RATIO_FLOOR_BYTES);
        let limit = believable.min(MAX_DOCUMENT_BYTES);
        let (length, outcome) = self.decompressor.decompress(raw, &mut self.bytes, limit);
        self.length = length;
        match outcome {
            Ok(()) => Ok(()),
            Err(Fault::TooLarge) if limit < MAX_DOCUMENT_BYTES => {
                Err(VomError::Inflated { bytes: raw.len(), limit })
            }
            Err(Fault::TooLarge) => Err(VomError::TooLarge),
            // A stream that yielded a document before it failed was brotli and is damaged; one that did not never was.
            Err(Fault::Damaged) if self.has_content() => Err(VomError::TruncatedBrotli),
            Err(Fault::Surplus(bytes)) if self.has_content() => Err(VomError::BehindBrotli { bytes }),
            Err(_) if raw.starts_with(GZIP) => Err(VomError::Gzip),
            Err(_) => Err(VomError::UnknownContent { first_byte: raw[0] }),
        }
    }
}

fn first_visible(text: &[u8]) -> Option<u8> {
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
