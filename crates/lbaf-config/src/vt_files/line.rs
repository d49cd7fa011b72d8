// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines and words with their positions.

use std::num::NonZeroU64;
use std::vec;

use crate::vt_files::anchor::{Anchor, LAST_PHASE};
use crate::vt_files::error::{Fault, Position, ScheduleError};

/// Words of a line, taken from left to right. `%` at the start is a separate word, because vt accepts it with and
/// without a blank after it.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    words: vec::IntoIter<Word<'a>>,
    /// Position directly after the last word.
    end: Position,
}

/// Characters without blanks, with their position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) position: Position,
}

/// Returns the lines with words, without comments.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Words<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').enumerate().filter_map(|(index, line)| Words::of(1 + index, line))
}

/// Splits a text without comments at blanks.
pub(crate) fn apart(line: usize, text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut column = 1;
    let pieces = text.split_inclusive(|letter: char| letter.is_ascii_whitespace());
    let words = pieces.map(move |piece| {
        let word = Word { text: piece.trim_ascii_end(), position: Position { line, column } };
        column += piece.chars().count();
        word
    });
    words.filter(|word| !word.text.is_empty())
}

impl<'a> Words<'a> {
    /// Returns the words of a line; `None` without words.
    fn of(line: usize, text: &'a str) -> Option<Self> {
        let said = text.split('#').next().unwrap_or_default();
        let mut words: Vec<Word<'a>> = Vec::new();
        for word in apart(line, said) {
            let (first, second) = word.split_percent().filter(|_| words.is_empty()).unwrap_or((word, None));
            words.extend([Some(first), second].into_iter().flatten().filter(|word| !word.text.is_empty()));
        }
        let last = words.last()?;
        let end = Position { line, column: last.position.column + last.text.chars().count() };
        Some(Words { words: words.into_iter(), end })
    }

    /// Returns the next word without taking it.
    pub(crate) fn peek(&self) -> Option<Word<'a>> {
        self.words.as_slice().first().copied()
    }

    /// Returns the position of the next word, or of the end of the line.
    pub(crate) fn start(&self) -> Position {
        self.peek().map_or(self.end, |word| word.position)
    }

    /// Takes an optional `%` and a number. `expected` describes the number in error messages: without and after a `%`.
    pub(crate) fn anchor(&mut self, expected: [&'static str; 2]) -> Result<Anchor, ScheduleError> {
        let [expected, expected_period] = expected;
        if !self.take_percent() {
            return Ok(Anchor::Phase(self.expect(expected)?.number(expected)?));
        }
        let word = self.expect(expected_period)?;
        let period = NonZeroU64::new(word.number(expected_period)?);
        period.map(Anchor::Every).ok_or_else(|| word.fault(Fault::ZeroPeriod))
    }

    /// Takes a `%` if it is next. Returns true if it was.
    pub(crate) fn take_percent(&mut self) -> bool {
        let is_next = self.peek().is_some_and(|word| word.text == "%");
        if is_next {
            self.words.next();
        }
        is_next
    }

    /// Takes the next word, which is required.
    pub(crate) fn expect(&mut self, expected: &'static str) -> Result<Word<'a>, ScheduleError> {
        let missing = || Fault::Unexpected { expected, found: "the end of the line".to_owned() };
        self.words.next().ok_or_else(|| ScheduleError { position: self.end, fault: missing() })
    }

    /// Returns an error if a word is left.
    pub(crate) fn expect_end(&mut self, expected: &'static str) -> Result<(), ScheduleError> {
        self.words.next().map_or(Ok(()), |word| Err(word.unexpected(expected)))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        self.words.next()
    }
}

impl Word<'_> {
    /// Splits a leading `%` from the word. Returns it and the remainder, which may be empty; `None` without a `%`.
    fn split_percent(self) -> Option<(Self, Option<Self>)> {
        let rest = self.text.strip_prefix('%')?;
        let Position { line, column } = self.position;
        let rest = Word { text: rest, position: Position { line, column: column + 1 } };
        Some((Word { text: "%", position: self.position }, Some(rest)))
    }

    /// Creates an error about this word.
    pub(crate) fn fault(self, fault: Fault) -> ScheduleError {
        ScheduleError { position: self.position, fault }
    }

    /// Creates the error that another word is expected.
    pub(crate) fn unexpected(self, expected: &'static str) -> ScheduleError {
        self.fault(Fault::Unexpected { expected, found: format!("{:?}", self.shown()) })
    }

    /// Returns another text at this position.
    pub(crate) fn with(self, text: &str) -> Word<'_> {
        Word { text, position: self.position }
    }

    /// Returns the word for error messages, shortened because words of invalid files can have any length.
    pub(crate) fn shown(self) -> String {
        const LONGEST: usize = 40;
        match self.text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}..", &self.text[..end]),
            None => self.text.to_owned(),
        }
    }

    /// Parses the word as a number without sign.
    pub(crate) fn number(self, expected: &'static str) -> Result<u64, ScheduleError> {
        self.digits(self.text, expected)
    }

    /// Parses an offset: true for a minus sign, and the absolute value.
    pub(crate) fn offset(self, expected: &'static str) -> Result<(bool, u64), ScheduleError> {
        let negative = self.text.strip_prefix('-');
        Ok((negative.is_some(), self.digits(negative.unwrap_or(self.text), expected)?))
    }

    fn digits(self, digits: &str, expected: &'static str) -> Result<u64, ScheduleError> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected(expected));
        }
        let number = digits.parse().ok().filter(|&number| number <= LAST_PHASE);
        number.ok_or_else(|| self.fault(Fault::TooLarge { number: self.shown() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of a text as `line:column text`.
    fn words(text: &str) -> Vec<String> {
        let said = |word: Word<'_>| format!("{}:{} {}", word.position.line, word.position.column, word.text);
        lines(text).flatten().map(said).collect()
    }

    #[test]
    fn words_have_positions() {
        assert_eq!(
            words("%100 -3 3\n\n  200\t-5   5"),
            ["1:1 %", "1:2 100", "1:6 -3", "1:9 3", "3:3 200", "3:7 -5", "3:12 5"]
        );
        assert_eq!(words(" % 10 GreedyLB"), ["1:2 %", "1:4 10", "1:7 GreedyLB"]);
        assert_eq!(words("%"), ["1:1 %"]);
        assert_eq!(words("%% 1 %2"), ["1:1 %", "1:2 %", "1:4 1", "1:6 %2"]);
    }

    #[test]
    fn comments_returns_and_a_byte_order_mark_are_ignored() {
        assert_eq!(
            words("\u{feff}1 0 0\r\n# all\r\n2 0 0# two\r\n \t \r\n"),
            ["1:1 1", "1:3 0", "1:5 0", "3:1 2", "3:3 0", "3:5 0"]
        );
        assert!(words("").is_empty());
        assert!(words("\u{feff}").is_empty());
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(words("ßß ü"), ["1:1 ßß", "1:4 ü"]);
        let mut line = lines("ßß  # x").next().unwrap();
        line.next();
        assert_eq!(line.expect("more").unwrap_err().position, Position { line: 1, column: 3 });
    }
}
