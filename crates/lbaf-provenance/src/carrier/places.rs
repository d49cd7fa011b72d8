// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines and columns of offsets.

use memchr::{memchr_iter, memrchr};

/// Converter of offsets to lines and columns, both from 1, with columns in characters. The text is scanned only once
/// for ascending offsets.
pub(super) struct Places<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Places { text, at: 0, line: 1, column: 1 }
    }

    pub(super) fn of(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        if offset < self.at {
            *self = Places::new(self.text);
        }
        let between = &self.text[self.at..offset];
        self.line += memchr_iter(b'\n', between).count();
        let in_line = memrchr(b'\n', between).map_or(between, |newline| {
            self.column = 1;
            &between[newline + 1..]
        });
        // Continuation bytes of UTF-8 do not begin a character.
        self.column += in_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.at = offset;
        (self.line, self.column)
    }
}

/// Returns the offset of a position that `serde_json` reports: line and column from 1, the column in bytes.
pub(super) fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let newline = line.checked_sub(2).and_then(|nth| memchr_iter(b'\n', text).nth(nth));
    newline.map_or(0, |newline| newline + 1) + column.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "aä\nöb\n".as_bytes();
        let mut places = Places::new(text);
        assert_eq!(places.of(3), (1, 3));
        assert_eq!(places.of(6), (2, 2));
        assert_eq!(places.of(7), (2, 3));
        assert_eq!(places.of(8), (3, 1));
        assert_eq!(places.of(0), (1, 1));
        assert_eq!(offset_of(text, 2, 3), 6);
    }
}
