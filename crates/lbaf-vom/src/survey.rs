// SPDX-License-Identifier: MIT OR Apache-2.0
//! Survey of a document: its size and structure are collected piece by piece, without storing the document. The
//! survey yields the memory that parsing needs, and stops early if the document holds hardly any data.

/// Size in bytes of the largest document that spans can address and the parser accepts.
pub(crate) const MAX_DOCUMENT_BYTES: usize = u32::MAX as usize - 1024;

/// Deepest nesting that the parser accepts.
const DEEPEST: usize = 1024;
/// Maximum average number of bytes per counted character of a document (see `Survey::n_places`). Records have about 30
/// bytes per value, and a few hundred if they are deeply indented.
const MOST_BYTES_PER_VALUE: usize = 1024;
/// Number of additional bytes, for example for a long string or white space.
const GRACE_BYTES: usize = 1 << 20;

/// Survey of the part of a document seen so far.
#[derive(Default)]
pub(crate) struct Survey {
    /// Number of bytes so far.
    pub(crate) length: usize,
    /// Number of brackets, commas, colons, and starts of strings and other values. The parser keeps the offset of each.
    n_places: usize,
    depth: usize,
    state: State,
}

/// Lexical state at the end of a piece.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    /// Within a number or a word.
    InWord,
    InString,
    /// After a backslash in a string.
    Escaped,
}

/// Reason for refusing a document before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The document is larger than the parser accepts.
    TooLarge,
    /// The document contains hardly any values.
    Hollow,
    /// The document nests deeper than the parser accepts.
    Deep,
}

impl Survey {
    /// Adds the next piece.
    pub(crate) fn add(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        self.length += piece.len();
        if self.length > MAX_DOCUMENT_BYTES {
            return Err(Refusal::TooLarge);
        }
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            at += 1;
            self.state = match self.state {
                State::Escaped => State::InString,
                State::InString => {
                    let Some(found) = memchr::memchr2(b'"', b'\\', &piece[at - 1..]) else { break };
                    at += found;
                    if piece[at - 1] == b'"' { State::Between } else { State::Escaped }
                }
                State::Between | State::InWord => self.outside(byte)?,
            };
        }
        let is_hollow = self.length > GRACE_BYTES + self.n_places.saturating_mul(MOST_BYTES_PER_VALUE);
        if is_hollow { Err(Refusal::Hollow) } else { Ok(()) }
    }

    /// Processes a byte outside of strings.
    fn outside(&mut self, byte: u8) -> Result<State, Refusal> {
        let state = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return Ok(State::Between),
            b'"' => State::InString,
            b'{' | b'[' => {
                self.depth += 1;
                State::Between
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                State::Between
            }
            b',' | b':' => State::Between,
            _ if self.state == State::InWord => return Ok(State::InWord),
            _ => State::InWord,
        };
        self.n_places += 1;
        if self.depth > DEEPEST { Err(Refusal::Deep) } else { Ok(state) }
    }

    /// Returns the bytes that parsing needs in addition to the document, before rows exist: for unescaped strings, and
    /// for the offset and the node of every counted character.
    pub(crate) fn parsing_bytes(&self) -> usize {
        /// Offsets are collected in memory that grows by doubling.
        const PER_PLACE: usize = 2 * size_of::<u32>() + size_of::<simd_json::Node<'static>>();
        self.length + self.n_places * PER_PLACE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surveyed(document: &[u8], piece: usize) -> Result<Survey, Refusal> {
        let mut survey = Survey::default();
        document.chunks(piece).try_for_each(|piece| survey.add(piece))?;
        Ok(survey)
    }

    /// The expected numbers are counted by hand: brackets, commas, colons, and the starts of strings, numbers and
    /// words.
    #[test]
    fn places_match_the_parser_for_all_piece_lengths() {
        let document = br#" {"a\\": [1.5e3, true ,"x\"[,{:" ], "b":-2} "#;
        let n_places = b"{ a : [ 1 , t , x ] , b : 2 }".split(|&byte| byte == b' ').count();
        let mut padded = [document.as_slice(), &[0; simd_json::INPUT_PADDING]].concat();
        let mut buffers = simd_json::Buffers::default();
        let mut tape = simd_json::Tape::null();
        simd_json::fill_tape_padded(&mut padded, document.len(), &mut buffers, &mut tape).unwrap();
        assert_eq!(buffers.structural_indexes().len(), n_places);
        for piece in 1..=document.len() {
            let survey = surveyed(document, piece).unwrap();
            assert_eq!((survey.n_places, survey.length), (n_places, document.len()), "pieces of {piece}");
        }
    }

    #[test]
    fn documents_with_hardly_any_values_are_hollow() {
        let blanks = vec![b' '; 2 * GRACE_BYTES];
        let letters = vec![b'a'; 2 * GRACE_BYTES];
        let digits = vec![b'1'; 2 * GRACE_BYTES];
        for inside in [blanks, [b"\"", letters.as_slice(), b"\""].concat(), digits] {
            let document = [b"{\"phases\":", inside.as_slice()].concat();
            assert_eq!(surveyed(&document, 4096).err(), Some(Refusal::Hollow));
        }
        // Ten levels of indentation by eight columns.
        let record = format!("{}\"id\": 1,\n", " ".repeat(80)).repeat(100_000);
        assert!(surveyed(record.as_bytes(), 1 << 16).is_ok());
    }

    #[test]
    fn nesting_is_refused_beyond_the_limit_of_the_parser() {
        let nested = |depth: usize| surveyed(&vec![b'['; depth], 4096).map(|survey| survey.depth);
        assert_eq!(nested(DEEPEST), Ok(DEEPEST));
        assert_eq!(nested(DEEPEST + 1), Err(Refusal::Deep));
    }
}
