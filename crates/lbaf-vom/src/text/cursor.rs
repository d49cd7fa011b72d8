// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cursor in a line of text.

use crate::VomError;
use crate::error::Position;

/// Error in a line, with its byte offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineFault {
    at: usize,
    message: String,
}

impl LineFault {
    /// Converts the fault to an error of the file, given the number of the line (from 1).
    pub(super) fn in_line(self, number: usize, line: &[u8]) -> VomError {
        let position = Position { line: number, ..Position::at(line, self.at) };
        VomError::Syntax { position, message: self.message }
    }
}

/// Position in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) line: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Cursor { line, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    pub(super) fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn skip_separators(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b',') {
            self.at += 1;
        }
    }

    /// Skips blanks, and reads up to the next blank, comma or bracket.
    fn word(&mut self) -> &'a [u8] {
        self.blanks();
        let rest = &self.line[self.at..];
        let is_end = |&byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']');
        let word = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    pub(super) fn unsigned(&mut self, what: &str) -> Result<u64, LineFault> {
        let word = self.word();
        let mut number: u64 = 0;
        for &byte in word {
            let digit = byte.wrapping_sub(b'0');
            let next = number.checked_mul(10).and_then(|number| number.checked_add(u64::from(digit)));
            number = match next {
                _ if digit > 9 => return Err(self.unexpected(what, word)),
                None => return Err(self.too_large(word)),
                Some(next) => next,
            };
        }
        if word.is_empty() { Err(self.unexpected(what, word)) } else { Ok(number) }
    }

    /// Reads a non-negative number: a time or a number of bytes.
    pub(super) fn magnitude(&mut self, what: &str) -> Result<f64, LineFault> {
        let word = self.word();
        let is_number = word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
        let number = std::str::from_utf8(word).ok().filter(|_| is_number).and_then(|word| word.parse().ok());
        match number {
            Some(number) if (0.0..f64::INFINITY).contains(&number) => Ok(number),
            Some(f64::INFINITY) => Err(self.too_large(word)),
            _ => Err(self.unexpected(&format!("{what} (at least 0)"), word)),
        }
    }

    /// Skips blanks and then `byte`, if it follows.
    pub(super) fn pass(&mut self, byte: u8) {
        self.blanks();
        self.at += usize::from(self.peek() == Some(byte));
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), LineFault> {
        self.blanks();
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(self.fault(&format!("expected `{}`, found {}", char::from(byte), self.found())))
    }

    pub(super) fn end(&mut self) -> Result<(), LineFault> {
        self.blanks();
        if self.at == self.line.len() {
            return Ok(());
        }
        Err(self.fault(&format!("expected the end of the line, found {}", self.found())))
    }

    /// Describes the remainder of the line by its first 40 bytes.
    fn found(&self) -> String {
        let rest = self.line[self.at..].trim_ascii();
        match rest {
            [] => "the end of the line".to_owned(),
            _ => format!("`{}`", String::from_utf8_lossy(&rest[..rest.len().min(40)])),
        }
    }

    #[cold]
    fn unexpected(&self, what: &str, word: &[u8]) -> LineFault {
        let from = Cursor { line: self.line, at: self.at - word.len() };
        let found = if word.is_empty() {
            from.found()
        } else {
            format!("`{}`", String::from_utf8_lossy(&word[..word.len().min(40)]))
        };
        from.fault(&format!("expected {what}, found {found}"))
    }

    #[cold]
    fn too_large(&self, word: &[u8]) -> LineFault {
        let number = String::from_utf8_lossy(word);
        fault(self.at - word.len(), format!("the number {number} does not fit into 64 bits"))
    }

    /// Creates a fault at the current position.
    #[cold]
    pub(super) fn fault(&self, message: &str) -> LineFault {
        fault(self.at, message.to_owned())
    }
}

#[cold]
pub(super) fn fault(at: usize, message: String) -> LineFault {
    LineFault { at, message }
}
