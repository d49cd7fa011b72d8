// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a file holds, told by its bytes: plain JSON, brotli, or the older text form.

use crate::VomError;
use crate::decompress::{Decompressor, Fault};

/// The largest document that spans can address and the parser takes.
const MAX_DOCUMENT_BYTES: usize = u32::MAX as usize - 1024;

/// How the bytes of a file carry their document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// JSON text.
    Plain,
    /// JSON text compressed with brotli.
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
    /// JSON; no brotli stream begins with one. A bracket first means nothing, since brotli streams do.
    ///
    /// # Errors
    /// When the bytes are neither JSON nor a complete brotli stream, or the document is larger than 4 GiB. What is
    /// here then is of no use.
    pub fn decode(&mut self, raw: &[u8]) -> Result<Encoding, VomError> {
        self.length = 0;
        let text = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
        let Some(first) = first_visible(text) else {
            return Err(VomError::Empty);
        };
        if first != b'{' {
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
        let (length, outcome) = self.decompressor.decompress(raw, &mut self.bytes, MAX_DOCUMENT_BYTES);
        self.length = length;
        match outcome {
            Ok(()) => Ok(()),
            Err(Fault::TooLarge) => Err(VomError::TooLarge),
            // A stream that yielded JSON before it failed was brotli and is damaged; one that did not never was.
            Err(Fault::Damaged) if first_visible(self.text()) == Some(b'{') => {
                Err(VomError::TruncatedBrotli { bytes: length })
            }
            Err(Fault::Surplus(bytes)) if first_visible(self.text()) == Some(b'{') => {
                Err(VomError::BehindBrotli { bytes })
            }
            Err(_) if looks_like_text(raw) => Err(VomError::TextForm),
            Err(_) => Err(VomError::UnknownContent { first_byte: raw[0] }),
        }
    }
}

fn first_visible(text: &[u8]) -> Option<u8> {
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// The text form starts with a phase number and a comma.
fn looks_like_text(raw: &[u8]) -> bool {
    let line =
        raw.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    line.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
        && line.contains(&b',')
        && line.iter().all(|byte| byte.is_ascii_digit() || b" ,.[]eE+-\r\t".contains(byte))
}
