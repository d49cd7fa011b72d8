// SPDX-License-Identifier: MIT OR Apache-2.0
//! What carries a document, told by the bytes of its file: nothing, or brotli. And what the document is: JSON, or
//! the older text form.

use crate::VomError;
use crate::decompress::{Decompressor, Fault, LARGEST_WINDOW, is_granted};
use crate::survey::{MAX_DOCUMENT_BYTES, Refusal, Survey};
use crate::text::looks_like_text;

/// A file larger than this holds no document that can be read, so that it need not be read to be refused.
pub const MAX_FILE_BYTES: u64 = MAX_DOCUMENT_BYTES as u64;

/// Up to this a brotli stream is decompressed straight away: data that were recorded have a number of their own in every
/// record and do not shrink a thousandfold. Of repetitive ones the size is learned first.
const USUAL_RATIO: usize = 1000;
const USUAL_BYTES: usize = 16 << 20;
/// The window that LB data are written with: no decoder works in less.
const USUAL_WINDOW: usize = 4 << 20;
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
        // The document here, and the strings in it once more.
        let bytes = 2 * text.len();
        if self.bytes.len() < text.len() && !is_granted(bytes) {
            return Err(VomError::NoMemory { bytes });
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
        let usual = raw.len().saturating_mul(USUAL_RATIO).max(USUAL_BYTES);
        match self.decompress_up_to(raw, usual.min(MAX_DOCUMENT_BYTES), 0) {
            Err(VomError::TooLarge) if usual < MAX_DOCUMENT_BYTES && self.has_content() => {
                let length = self.repetitive_length(raw)?;
                self.decompress_up_to(raw, length, length + simd_json::INPUT_PADDING)
            }
            outcome => outcome,
        }
    }

    /// The length of the document in a stream that unfolds a thousandfold, learned in the memory of a window. Documents
    /// that hold no data or do not fit into memory are refused.
    fn repetitive_length(&mut self, raw: &[u8]) -> Result<usize, VomError> {
        (self.bytes, self.length) = (Vec::new(), 0);
        let mut survey = Survey::default();
        let seen = self.decompressor.pieces(raw, |piece| survey.add(piece).map_err(Stop::Refused));
        let (bytes, length) = (raw.len(), survey.length);
        let needed = length + survey.parsing_bytes();
        match seen {
            Ok(()) if is_granted(needed) => Ok(length),
            Ok(()) => Err(VomError::NoMemory { bytes: needed }),
            Err(Stop::Refused(Refusal::Hollow)) => Err(VomError::Inflated { bytes, length }),
            Err(Stop::Refused(Refusal::TooLarge)) => Err(VomError::TooLarge),
            Err(Stop::Fault(Fault::TooLarge)) => Err(VomError::LargeWindow),
            Err(Stop::Fault(Fault::NoMemory)) => Err(VomError::NoMemory { bytes: LARGEST_WINDOW }),
            Err(Stop::Fault(Fault::Damaged)) => Err(VomError::TruncatedBrotli),
            Err(Stop::Fault(Fault::Surplus(bytes))) => Err(VomError::BehindBrotli { bytes }),
        }
    }

    fn decompress_up_to(&mut self, raw: &[u8], limit: usize, room: usize) -> Result<(), VomError> {
        let (length, outcome) = self.decompressor.decompress(raw, &mut self.bytes, limit, room);
        self.length = length;
        outcome.map_err(|fault| match fault {
            Fault::TooLarge => VomError::TooLarge,
            Fault::NoMemory => VomError::NoMemory { bytes: 2 * length.max(room).max(USUAL_WINDOW) },
            // A stream that yielded a document before it failed was brotli and is damaged; one that did not never was.
            Fault::Damaged if self.has_content() => VomError::TruncatedBrotli,
            Fault::Surplus(bytes) if self.has_content() => VomError::BehindBrotli { bytes },
            _ if raw.starts_with(GZIP) => VomError::Gzip,
            _ => VomError::UnknownContent { first_byte: raw[0] },
        })
    }
}

/// The end of a survey before that of the stream.
enum Stop {
    Refused(Refusal),
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

fn first_visible(text: &[u8]) -> Option<u8> {
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
