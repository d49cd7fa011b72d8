// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structural index of a JSON text: the offsets of its quotation marks, and of brackets, braces, colons and commas
//! outside strings.
//!
//! First of the two stages of G. Langdale, D. Lemire, Parsing gigabytes of JSON per second, VLDB J. 28 (2019),
//! doi:10.1007/s00778-019-00578-5. simd-json offers this stage only together with the second one, which lists all
//! values (the tape).

use wide::u8x16;

/// Structural index of a text, made chunk by chunk to stay in the processor's cache.
pub(crate) struct Structure<'t> {
    text: &'t [u8],
    /// Offset of the next chunk.
    at: usize,
    /// All bits set if the last chunk ended in a string.
    in_string: u64,
    /// Offsets of the current chunk, ascending. Only the first `n` are valid.
    offsets: Box<[u32; CHUNK]>,
    n: usize,
}

/// Number of bytes of a chunk.
const CHUNK: usize = 1 << 12;

/// Number of bytes that are classified together, one bit each.
const BLOCK: usize = 64;

/// Classes of the bytes of a block, as bit sets.
#[derive(Clone, Copy, Default)]
struct Classes {
    quotes: u64,
    /// Backslashes, and bytes beyond ASCII.
    unusual: u64,
    /// Opening brackets and braces.
    opening: u64,
    /// Closing brackets and braces.
    closing: u64,
    /// Colons and commas.
    separators: u64,
    /// Bytes below 32.
    control: u64,
}

impl<'t> Structure<'t> {
    /// Creates the index from an offset outside of strings on.
    pub(crate) fn new(text: &'t [u8], at: usize) -> Self {
        Structure { text, at, in_string: 0, offsets: Box::new([0; CHUNK]), n: 0 }
    }

    /// Continues the index at an offset outside of strings, and empties the current chunk.
    pub(crate) fn restart(&mut self, at: usize) {
        (self.at, self.in_string, self.n) = (at, 0, 0);
    }

    /// Returns the position in the current chunk of the first structural character at or after the offset `at`. `at`
    /// must be outside of strings and not before the character at `position`. If the current chunk has no such
    /// character, restarts the index at `at` and returns 0.
    pub(crate) fn resume(&mut self, position: usize, at: usize) -> usize {
        let rest = self.offsets[..self.n].get(position..).unwrap_or_default();
        match rest.last() {
            Some(&last) if at <= last as usize => {
                position + rest.partition_point(|&offset| (offset as usize) < at)
            }
            _ => {
                self.restart(at);
                0
            }
        }
    }

    /// Returns the offset at a position of the current chunk.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> Option<usize> {
        (position < self.n).then(|| self.offsets[position % CHUNK] as usize)
    }

    /// Indexes the next chunk that has structural characters. Returns `None` at the end of the text, or if a chunk
    /// contains a backslash or a character beyond ASCII, or has a control character in a string.
    #[cold]
    #[inline(never)]
    pub(crate) fn advance(&mut self) -> Option<()> {
        self.n = 0;
        while self.n == 0 {
            let chunk = self.text.get(self.at..)?;
            let chunk = &chunk[..chunk.len().min(CHUNK)];
            if chunk.is_empty() {
                return None;
            }
            let mut is_usual = true;
            for block in (0..chunk.len()).step_by(BLOCK) {
                let classes = classify(&chunk[block..]);
                let quoted = prefix_xor(classes.quotes) ^ self.in_string;
                self.in_string = if quoted >> (BLOCK - 1) == 1 { u64::MAX } else { 0 };
                is_usual &= classes.unusual | classes.control & quoted == 0;
                let operators = classes.opening | classes.closing | classes.separators;
                self.push(operators & !quoted | classes.quotes, self.at + block);
            }
            self.at += chunk.len();
            if !is_usual {
                return None;
            }
        }
        Some(())
    }

    /// Adds the offsets of the set bits of a block.
    #[inline]
    fn push(&mut self, mut bits: u64, at: usize) {
        let mut n = self.n;
        while bits != 0 {
            // A chunk has at most as many structural characters as bytes, so no offset is overwritten.
            self.offsets[n % CHUNK] = at as u32 + bits.trailing_zeros();
            bits &= bits - 1;
            n += 1;
        }
        self.n = n;
    }
}

/// State of a search for the end of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// Offset after the closing bracket.
    Found(usize),
    /// The text ends before the end of the value.
    NotYet,
    /// The value contains a backslash or a character beyond ASCII, so [`Structure`] does not index it.
    Unusual,
}

/// Search for the end of an object or array by its brackets, in a text that arrives in pieces.
pub(crate) struct EndOfValue {
    /// Offset of the next block.
    at: usize,
    depth: u32,
    in_string: u64,
}

impl EndOfValue {
    /// Begins at the opening bracket.
    pub(crate) fn new(at: usize) -> Self {
        EndOfValue { at, depth: 0, in_string: 0 }
    }

    /// Continues the search. Unless `is_last`, bytes after the last whole block are left for the next call.
    pub(crate) fn advance(&mut self, text: &[u8], is_last: bool) -> Search {
        while self.at + BLOCK <= text.len() || is_last && self.at < text.len() {
            let Classes { quotes, unusual, opening, closing, .. } = classify(&text[self.at..]);
            let quoted = prefix_xor(quotes) ^ self.in_string;
            let (opening, closing) = (opening & !quoted, closing & !quoted);
            if closing.count_ones() < self.depth {
                self.depth += opening.count_ones();
                self.depth -= closing.count_ones();
            } else if let Some(bit) = self.end_in_block(opening, closing) {
                // Characters after the value do not matter.
                let is_usual = unusual & !(u64::MAX << bit) == 0;
                return if is_usual { Search::Found(self.at + bit as usize + 1) } else { Search::Unusual };
            }
            if unusual != 0 {
                return Search::Unusual;
            }
            self.in_string = if quoted >> (BLOCK - 1) == 1 { u64::MAX } else { 0 };
            self.at += BLOCK;
        }
        Search::NotYet
    }

    /// Follows the brackets of a block one by one. Returns the position of the bracket that closes the value.
    fn end_in_block(&mut self, opening: u64, closing: u64) -> Option<u32> {
        let mut bits = opening | closing;
        while bits != 0 {
            let bit = bits.trailing_zeros();
            if opening >> bit & 1 == 1 {
                self.depth += 1;
            } else {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(bit);
                }
            }
            bits &= bits - 1;
        }
        None
    }

    /// Adapts the search to the removal of the first `n` bytes of the text.
    pub(crate) fn shift(&mut self, n: usize) {
        self.at -= n;
    }
}

/// Returns, for every bit, the exclusive or of itself and all lower bits: set from an opening quotation mark to the
/// character before the closing one.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "called for every block")]
fn classify(text: &[u8]) -> Classes {
    if let Some(block) = text.first_chunk::<BLOCK>() {
        return classes(block);
    }
    let mut block = [b' '; BLOCK];
    block[..text.len()].copy_from_slice(text);
    classes(&block)
}

#[inline]
fn classes(block: &[u8; BLOCK]) -> Classes {
    let mut classes = Classes::default();
    for (quarter, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        let bytes = u8x16::from(*bytes);
        // Brackets and braces differ in one bit.
        let braces = bytes | u8x16::splat(0x20);
        let bits = |mask: u8x16| u64::from(mask.to_bitmask()) << (16 * quarter);
        classes.quotes |= bits(bytes.simd_eq(u8x16::splat(b'"')));
        classes.unusual |= bits(bytes.simd_eq(u8x16::splat(b'\\')) | bytes);
        classes.opening |= bits(braces.simd_eq(u8x16::splat(b'{')));
        classes.closing |= bits(braces.simd_eq(u8x16::splat(b'}')));
        classes.separators |= bits(bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(u8x16::splat(b',')));
        classes.control |= bits((bytes & u8x16::splat(0xe0)).simd_eq(u8x16::splat(0)));
    }
    classes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Indexes a text byte by byte, or returns the offset of its first unusual character.
    fn by_bytes(text: &[u8]) -> Result<Vec<usize>, usize> {
        let (mut quoted, mut offsets) = (false, Vec::new());
        for (at, &byte) in text.iter().enumerate() {
            if byte == b'\\' || !byte.is_ascii() || quoted && byte < b' ' {
                return Err(at);
            }
            if byte == b'"' || !quoted && b"{}[]:,".contains(&byte) {
                offsets.push(at);
            }
            quoted ^= byte == b'"';
        }
        Ok(offsets)
    }

    /// Finds the end of a value byte by byte, with the result of [`EndOfValue::advance`].
    fn end_by_bytes(text: &[u8], start: usize) -> Search {
        let (mut quoted, mut depth) = (false, 0_u32);
        for (at, &byte) in text.iter().enumerate().skip(start) {
            match byte {
                b'\\' | 128.. => return Search::Unusual,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth -= 1,
                _ => quoted ^= byte == b'"',
            }
            if depth == 0 {
                return Search::Found(at + 1);
            }
        }
        Search::NotYet
    }

    proptest! {
        #[test]
        fn the_index_is_that_of_a_scan_byte_by_byte(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ":", ",", "\"", "\"", "a", "12.5", " ", "\n", "key", "\"key\":", "{\"id\":1}",
                "a much longer text without any structure, apart from commas, in order to cross blocks",
            ]), 0..60),
            repetitions in prop_oneof![Just(1_usize), 1_usize..20],
            unusual in prop::sample::select(vec!["", "", "", "\\", "\u{e4}"]),
        ) {
            let text = pieces.concat().repeat(repetitions) + unusual;
            let mut structure = Structure::new(text.as_bytes(), 0);
            let mut offsets = Vec::new();
            while structure.advance().is_some() {
                offsets.extend((0..structure.n).map_while(|position| structure.get(position)));
            }
            match by_bytes(text.as_bytes()) {
                Ok(expected) => prop_assert_eq!(offsets, expected),
                Err(unusual) => prop_assert!(offsets.iter().all(|&at| at < unusual)),
            }
        }

        /// The text arrives in two pieces, and the first bytes are removed between them.
        #[test]
        fn the_end_of_a_value_is_that_of_a_count_byte_by_byte(
            before in 0_usize..100,
            pieces in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", "\"", "\"}{\"", "12.5", " ", "\n", "{\"id\":[1]}", "\\", "\u{e4}",
                "a much longer text without any structure, apart from commas, in order to cross blocks",
            ]), 0..60),
            cut in any::<prop::sample::Index>(),
        ) {
            let text = " ".repeat(before) + "{" + &pieces.concat();
            let text = text.as_bytes();
            let cut = cut.index(text.len() + 1 - before) + before;
            let mut end = EndOfValue::new(before);
            let mut found = end.advance(&text[..cut], false);
            if found == Search::NotYet {
                end.shift(before);
                found = match end.advance(&text[before..], true) {
                    Search::Found(end) => Search::Found(end + before),
                    other => other,
                };
            }
            prop_assert_eq!(found, end_by_bytes(text, before));
        }
    }
}
