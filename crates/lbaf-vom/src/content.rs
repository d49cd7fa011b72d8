// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a file holds, told by its bytes: plain JSON, brotli, or the older text form.

use std::io::Read;

use crate::VomError;

/// The largest document that spans can address and the parser takes.
const MAX_DOCUMENT_BYTES: usize = u32::MAX as usize - 1024;
const BROTLI_BUFFER_BYTES: usize = 64 * 1024;

/// How the bytes of a file carry their document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// JSON text.
    Plain,
    /// JSON text compressed with brotli.
    Brotli,
}

/// Puts the document held by the bytes of a file into `document`, replacing what was there.
///
/// The suffix of a file says nothing about its content, so only the bytes are looked at. A brace first means
/// JSON; no brotli stream begins with one. A bracket first means nothing, since brotli streams do.
///
/// # Errors
/// When the bytes are neither JSON nor a complete brotli stream, or the document is larger than 4 GiB.
pub fn decode(raw: &[u8], document: &mut Vec<u8>) -> Result<Encoding, VomError> {
    document.clear();
    let text = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let Some(first) = first_visible(text) else {
        return Err(VomError::Empty);
    };
    if first != b'{' {
        match decompress(raw, document) {
            Err(VomError::UnknownContent { .. }) if first == b'[' => document.clear(),
            outcome => return outcome.map(|()| Encoding::Brotli),
        }
    }
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(VomError::TooLarge);
    }
    document.extend_from_slice(text);
    Ok(Encoding::Plain)
}

fn first_visible(text: &[u8]) -> Option<u8> {
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn decompress(raw: &[u8], document: &mut Vec<u8>) -> Result<(), VomError> {
    let stream = brotli::Decompressor::new(raw, BROTLI_BUFFER_BYTES);
    let outcome = stream.take(MAX_DOCUMENT_BYTES as u64 + 1).read_to_end(document);
    match outcome {
        Ok(_) if document.len() > MAX_DOCUMENT_BYTES => Err(VomError::TooLarge),
        Ok(_) => Ok(()),
        // A stream that yielded JSON before it failed was brotli and is damaged; one that did not never was.
        Err(_) if first_visible(document) == Some(b'{') => {
            Err(VomError::TruncatedBrotli { bytes: document.len() })
        }
        Err(_) if looks_like_text(raw) => Err(VomError::TextForm),
        Err(_) => Err(VomError::UnknownContent { first_byte: raw[0] }),
    }
}

/// The text form starts with a phase number and a comma.
fn looks_like_text(raw: &[u8]) -> bool {
    let line =
        raw.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    line.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
        && line.contains(&b',')
        && line.iter().all(|byte| byte.is_ascii_digit() || b" ,.[]eE+-\r\t".contains(byte))
}
