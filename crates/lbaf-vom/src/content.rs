// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoding of a file. The encoding (plain or brotli) and the form (JSON or the older text form) are detected.

use crate::VomError;
use crate::decompress::{Decompressor, Fault, LARGEST_WINDOW, is_granted};
use crate::direct::Passage;
use crate::survey::{MAX_DOCUMENT_BYTES, Refusal, Survey};
use crate::text::looks_like_text;

/// Size above which a file cannot hold a readable document. Larger files are refused unread.
pub const MAX_FILE_BYTES: u64 = MAX_DOCUMENT_BYTES as u64;

/// A brotli stream is decompressed directly if its document has at most this many times the bytes of the stream, or
/// at most [`TYPICAL_BYTES`]. Recorded data do not shrink a thousandfold, because records differ in ids and times.
/// The length of a longer document is determined before memory is allocated.
const TYPICAL_RATIO: usize = 1000;
const TYPICAL_BYTES: usize = 16 << 20;
/// Size in bytes of the brotli window with which LB data are usually written. A decoder needs at least this much
/// memory.
const TYPICAL_WINDOW: usize = 4 << 20;
/// Minimum size in bytes of a brotli stream whose document is read piece by piece. The documents of smaller streams
/// usually take only a few megabytes.
const LARGE_STREAM: usize = 1 << 18;
/// First bytes of a gzip stream.
const GZIP: &[u8] = b"\x1f\x8b";

/// Encoding of the document in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Uncompressed.
    Plain,
    /// Compressed with brotli.
    Brotli,
}

/// Document of a file, in memory that is reused for the next file. The memory after the document stays initialised:
/// it serves as padding for the parser, and no byte is zeroed twice.
#[derive(Default)]
pub struct DocumentBuffer {
    bytes: Vec<u8>,
    length: usize,
    decompressor: Decompressor,
}

impl DocumentBuffer {
    /// Decodes the bytes of a file and replaces the previous document.
    ///
    /// The encoding is detected from the bytes alone, not from the file name. A brace at the start means JSON,
    /// because no brotli stream begins with one. A bracket means JSON only if the bytes are not brotli, because
    /// brotli streams can begin with one. The text form is recognized by its first line. Brotli streams can begin
    /// with such a line too: if there are binary bytes among the first ones, the file is text only if it is not
    /// brotli.
    ///
    /// # Errors
    /// If the file or its decompressed document is empty, if its bytes are neither JSON, nor text, nor a complete
    /// brotli stream without trailing data, or if the document exceeds 4 GiB or the available memory. Also refuses a
    /// document that is much longer than its brotli stream if it contains hardly any values, nests too deeply or needs
    /// a non-standard window. The document of this buffer is invalid after an error.
    pub fn decode(&mut self, raw: &[u8]) -> Result<Encoding, VomError> {
        self.length = 0;
        let text = without_mark(raw);
        let Some(first) = first_visible(text) else {
            return Err(VomError::Empty);
        };
        if !is_plain(text) {
            match self.decompress(raw) {
                Err(VomError::UnknownContent { .. }) if first == b'[' || looks_like_text(text) => {}
                outcome => {
                    outcome?;
                    let text = without_mark(self.text());
                    return first_visible(text).map(|_| Encoding::Brotli).ok_or(VomError::Empty);
                }
            }
        }
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(VomError::TooLarge);
        }
        // Parsing stores the strings a second time.
        let bytes = 2 * text.len();
        if self.bytes.len() < text.len() && !is_granted(bytes) {
            return Err(VomError::NoMemory { bytes });
        }
        self.put(text);
        Ok(Encoding::Plain)
    }

    /// Returns the beginning of a compressed document that is likely to be large; `None` if the file is small, or
    /// begins like JSON or text. The document of this buffer is unchanged.
    pub(crate) fn passage<'r>(&self, raw: &'r [u8]) -> Option<Passage<'r>> {
        if raw.len() < LARGE_STREAM || is_plain(raw) {
            return None;
        }
        Some(Passage::of_stream(self.decompressor.begin(raw), typical_bytes(raw)))
    }

    /// Returns the document. Parsing in place unescapes its strings.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// True if the decompressed bytes can be the start of a document. Inspects only the first bytes, because later
    /// bytes of a failed stream are unreliable.
    fn has_content(&self) -> bool {
        const SURE: usize = 64;
        let beginning = &self.text()[..self.length.min(SURE)];
        first_visible(beginning) == Some(b'{') || looks_like_text(beginning)
    }

    /// True if the document has the text form. All others count as JSON.
    pub fn is_text(&self) -> bool {
        looks_like_text(self.text())
    }

    /// Returns the document without the padding.
    pub fn into_text(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Returns the document with the padding that simd-json requires, and the length without padding.
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
        let typical = typical_bytes(raw);
        match self.decompress_up_to(raw, typical, 0) {
            Err(VomError::TooLarge) if typical < MAX_DOCUMENT_BYTES && self.has_content() => {
                let length = self.repetitive_length(raw)?;
                self.decompress_up_to(raw, length, length + simd_json::INPUT_PADDING)
            }
            outcome => outcome,
        }
    }

    /// Returns the length of a document that exceeds the typical size for its stream. Decompresses the stream piece
    /// by piece in the memory of one window. Refuses documents that contain hardly any values, nest too deeply or do
    /// not fit into memory.
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
            Err(Stop::Refused(Refusal::Deep)) => Err(VomError::DeeplyNested { bytes, length }),
            Err(Stop::Refused(Refusal::TooLarge)) => Err(VomError::TooLarge),
            Err(Stop::Fault(Fault::TooLarge)) => Err(VomError::LargeWindow),
            Err(Stop::Fault(Fault::NoMemory)) => Err(VomError::NoMemory { bytes: LARGEST_WINDOW }),
            Err(Stop::Fault(Fault::Damaged)) => Err(VomError::TruncatedBrotli),
            Err(Stop::Fault(Fault::Surplus(bytes))) => Err(VomError::TrailingData { bytes }),
        }
    }

    fn decompress_up_to(&mut self, raw: &[u8], limit: usize, room: usize) -> Result<(), VomError> {
        let (length, outcome) = self.decompressor.decompress(raw, &mut self.bytes, limit, room);
        self.length = length;
        outcome.map_err(|fault| match fault {
            Fault::TooLarge => VomError::TooLarge,
            Fault::NoMemory => VomError::NoMemory { bytes: 2 * length.max(room).max(TYPICAL_WINDOW) },
            // If the decoder returned the beginning of a document before the failure, the bytes are damaged brotli.
            // Otherwise they are not brotli.
            Fault::Damaged if self.has_content() => VomError::TruncatedBrotli,
            Fault::Surplus(bytes) if self.has_content() => VomError::TrailingData { bytes },
            _ if raw.starts_with(GZIP) => VomError::Gzip,
            _ => VomError::UnknownContent { first_byte: raw[0] },
        })
    }
}

/// True if the bytes of a file cannot be a brotli stream: the beginning of a JSON object, or of the text form without
/// binary bytes. The first line alone is no evidence, because streams can begin with `#` or `+` and a line end.
fn is_plain(raw: &[u8]) -> bool {
    const SURE: usize = 64;
    let beginning = &raw[..raw.len().min(SURE)];
    let is_printable = |&byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    first_visible(raw) == Some(b'{') || looks_like_text(raw) && beginning.iter().all(is_printable)
}

/// Returns the size of a document up to which a stream is decompressed directly.
fn typical_bytes(raw: &[u8]) -> usize {
    raw.len().saturating_mul(TYPICAL_RATIO).clamp(TYPICAL_BYTES, MAX_DOCUMENT_BYTES)
}

/// Reason why the survey of a stream failed.
enum Stop {
    Refused(Refusal),
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

/// Returns a text without its byte order mark.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

fn first_visible(text: &[u8]) -> Option<u8> {
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
