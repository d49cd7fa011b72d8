// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies of JSON values without white space between tokens.

/// Copier of JSON values from a document, which may contain white space between tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copier<'a> {
    document: &'a [u8],
    is_compact: bool,
}

impl<'a> Copier<'a> {
    pub(crate) fn new(document: &'a [u8]) -> Self {
        let white_space = document.iter().any(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        Copier { document, is_compact: !white_space }
    }

    /// Appends the bytes from `start` to `end`.
    pub(crate) fn copy(&self, out: &mut Vec<u8>, start: u32, end: u32) {
        let bytes = &self.document[start as usize..end as usize];
        if self.is_compact {
            out.extend_from_slice(bytes);
        } else {
            copy_compact(out, bytes);
        }
    }
}

/// Appends `json` without white space outside strings. `json` can be part of a value, but must begin outside of a
/// string.
pub(crate) fn copy_compact(out: &mut Vec<u8>, json: &[u8]) {
    let mut rest = json;
    while let Some(&byte) = rest.first() {
        let length = if byte == b'"' { string_length(rest) } else { 1 };
        if !byte.is_ascii_whitespace() {
            out.extend_from_slice(&rest[..length]);
        }
        rest = &rest[length..];
    }
}

/// Returns the length of the string at the beginning of `json`, with its quotation marks.
pub(crate) fn string_length(json: &[u8]) -> usize {
    let mut at = 1;
    while at < json.len() {
        match json[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_white_space_and_quotes_inside_strings() {
        let document = b" { \"a b\" : [ 1 ,\n\t2 ] , \"c\\\" \\\\\" : \" d \" } ";
        let mut out = Vec::new();
        Copier::new(document).copy(&mut out, 0, document.len() as u32);
        assert_eq!(out, br#"{"a b":[1,2],"c\" \\":" d "}"#);
    }
}
