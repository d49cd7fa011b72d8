// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structural index of a JSON text: the offsets of its quotation marks, and of the brackets, braces, colons and commas
//! outside strings.
//!
//! G. Langdale, D. Lemire, Parsing gigabytes of JSON per second, VLDB J. 28 (2019), doi:10.1007/s00778-019-00578-5: the
//! first of the two stages. simd-json has it too, but only together with its tape.

use wide::u8x16;

/// Structural index of a text, made chunk by chunk, so that it stays in the cache of the processor.
pub(crate) struct Structure<'t> {
    text: &'t [u8],
    /// Offset of the next chunk.
    at: usize,
    /// All bits are set if the last chunk ended in a string.
    in_string: u64,
    /// Offsets of the current chunk, ascending. Only the first `n` are valid.
    offsets: Box<[u32; CHUNK]>,
    n: usize,
}

/// Number of bytes of a chunk.
const CHUNK: usize = 1 << 12;

/// Number of bytes that are classified together, one bit for each.
const BLOCK: usize = 64;

/// Classes of the bytes of a block, as bit sets.
#[derive(Clone, Copy, Default)]
struct Classes {
    quotes: u64,
    /// Backslashes, and bytes beyond ASCII.
    unusual: u64,
    /// Brackets, braces, colons and commas.
    operators: u64,
    /// Bytes below 32.
    control: u64,
}

impl<'t> Structure<'t> {
    /// Creates the index of a text from an offset outside of strings on.
    pub(crate) fn new(text: &'t [u8], at: usize) -> Self {
        Structure { text, at, in_string: 0, offsets: Box::new([0; CHUNK]), n: 0 }
    }

    /// Returns an offset of the current chunk by its position.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> Option<usize> {
        (position < self.n).then(|| self.offsets[position % CHUNK] as usize)
    }

    /// Indexes the next chunk that has structural characters. Returns `None` at the end of the text, and if the chunk
    /// contains a backslash, a character beyond ASCII or a control character in a string.
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
                self.push(classes.operators & !quoted | classes.quotes, self.at + block);
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
            // A chunk has no more structural characters than bytes, so no offset is overwritten.
            self.offsets[n % CHUNK] = at as u32 + bits.trailing_zeros();
            bits &= bits - 1;
            n += 1;
        }
        self.n = n;
    }
}

/// Returns the exclusive or of all lower bits and the bit itself, for every bit: set between an opening quotation mark and
/// the next closing one.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[inline]
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
        let brackets = braces.simd_eq(u8x16::splat(b'{')) | braces.simd_eq(u8x16::splat(b'}'));
        let separators = bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(u8x16::splat(b','));
        classes.operators |= bits(brackets | separators);
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
    }
}
