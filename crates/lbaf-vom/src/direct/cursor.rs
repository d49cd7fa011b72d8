// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cursor over the values of a JSON text along its structural index.
//!
//! Methods with an optional result return `None` for text that is not of the requested form, at the end of the text,
//! and at characters that [`Structure`] does not index.

use super::facts::{Field, Record};
use super::form::Form;
use super::number;
use super::passage::skip_blanks;
use crate::structure::{EndOfValue, Search, Structure};

/// Cursor at a value or between values.
pub(super) struct Cursor<'t> {
    text: &'t [u8],
    structure: Structure<'t>,
    /// Position of the next structural character in the current chunk of the index.
    next: usize,
    /// Offset after the last character that was read.
    end: usize,
    /// Form of the last record.
    form: Form,
}

/// Maximum depth of a value that [`Cursor::skip`] reads.
const DEEPEST: u32 = 64;

impl<'t> Cursor<'t> {
    /// Creates a cursor at an offset outside of strings.
    pub(super) fn new(text: &'t [u8], at: usize) -> Self {
        Cursor { text, structure: Structure::new(text, at), next: 0, end: at, form: Form::default() }
    }

    /// Returns the offset after the last character that was read.
    pub(super) fn offset(&self) -> usize {
        self.end
    }

    /// Returns the offset of the next value or other token.
    pub(super) fn start(&self) -> usize {
        skip_blanks(self.text, self.end)
    }

    /// Returns the offset of the next structural character.
    #[inline]
    pub(super) fn next_offset(&mut self) -> Option<usize> {
        if let Some(offset) = self.structure.get(self.next) {
            return Some(offset);
        }
        self.structure.advance()?;
        self.next = 0;
        self.structure.get(0)
    }

    /// Returns the next structural character without reading it.
    #[inline]
    pub(super) fn ahead(&mut self) -> Option<u8> {
        let at = self.next_offset()?;
        self.text.get(at).copied()
    }

    /// True if there is only white space before the next structural character.
    #[inline]
    pub(super) fn is_blank_ahead(&mut self) -> Option<bool> {
        let at = self.next_offset()?;
        Some(at == self.end || is_blank(self.text.get(self.end..at)?))
    }

    /// Reads a structural character, and white space before it.
    #[inline]
    fn token(&mut self) -> Option<u8> {
        let at = self.next_offset()?;
        if at != self.end && !is_blank(self.text.get(self.end..at)?) {
            return None;
        }
        self.next += 1;
        self.end = at + 1;
        self.text.get(at).copied()
    }

    #[inline]
    fn expect(&mut self, token: u8) -> Option<()> {
        (self.token()? == token).then_some(())
    }

    /// Reads an object: `each` is called at every value with its key and must read it.
    #[inline]
    pub(super) fn object(&mut self, mut each: impl FnMut(&mut Self, &'t [u8]) -> Option<()>) -> Option<()> {
        self.expect(b'{')?;
        if self.ahead()? == b'}' {
            return self.expect(b'}');
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            each(self, key)?;
            match self.token()? {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }

    /// Visits the members of an object: `each` is called at every value with its key, and returns true if it read the
    /// value. Other values are skipped by their brackets, without a check of their syntax.
    pub(super) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, &'t [u8]) -> Option<bool>,
    ) -> Option<()> {
        self.object(|cursor, key| if each(cursor, key)? { Some(()) } else { cursor.pass() })
    }

    /// Skips a value without a check of its syntax, an object or array by its brackets.
    fn pass(&mut self) -> Option<()> {
        if !self.is_blank_ahead()? {
            return self.scalar().map(|_| ());
        }
        match self.ahead()? {
            b'"' => return self.string().map(|_| ()),
            b'{' | b'[' => {}
            _ => return None,
        }
        let start = self.next_offset()?;
        let Search::Found(end) = EndOfValue::new(start).advance(self.text, true) else { return None };
        self.structure.restart(end);
        (self.next, self.end) = (0, end);
        Some(())
    }

    /// Reads an array: `each` is called at an element and must read it, and may also read the next elements. Returns
    /// the number of calls.
    #[inline]
    pub(super) fn array(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<usize> {
        self.expect(b'[')?;
        if self.ahead()? == b']' && self.is_blank_ahead()? {
            return self.expect(b']').map(|()| 0);
        }
        let mut n = 0;
        loop {
            each(self)?;
            n += 1;
            match self.token()? {
                b',' => {}
                b']' => return Some(n),
                _ => return None,
            }
        }
    }

    /// Reads a string without escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Option<&'t [u8]> {
        self.expect(b'"')?;
        let end = self.next_offset()?;
        let content = self.text.get(self.end..end)?;
        self.next += 1;
        self.end = end + 1;
        Some(content)
    }

    /// Reads the text of a number or literal, without a check.
    #[inline]
    fn scalar(&mut self) -> Option<&'t [u8]> {
        let at = self.next_offset()?;
        let content = trim_start(self.text.get(self.end..at)?);
        let n_blank = content.iter().rev().take_while(|byte| is_space(**byte)).count();
        let content = &content[..content.len() - n_blank];
        self.end = at;
        (!content.is_empty()).then_some(content)
    }

    /// Reads an integer of up to 18 digits without a sign.
    #[inline]
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        number::unsigned(self.scalar()?)
    }

    /// Reads a number into a field of a record.
    #[inline]
    pub(super) fn number(&mut self, field: Field, record: &mut impl Record) -> Option<()> {
        let text = self.number_text(field)?;
        record.set(field, text)
    }

    /// Reads the text of a number, and adds it to the form of the record.
    #[inline]
    pub(super) fn number_text(&mut self, field: Field) -> Option<&'t [u8]> {
        let before = self.end;
        let text = self.scalar()?;
        let leading = self.text[before..self.end].iter().take_while(|byte| is_space(**byte)).count();
        self.form.add(field, before + leading, text);
        Some(text)
    }

    /// Reads a record by `walk`, and notes its form for later records.
    #[inline]
    pub(super) fn record(&mut self, walk: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let start = self.next_offset()?;
        self.form.begin(start);
        walk(self)?;
        self.form.end(self.end);
        Some(())
    }

    /// Reads a comma and the next record of an array into `record`, which has the facts of the last record. Returns
    /// false if the next record has another form than the last one; the facts in `record` are then undefined.
    #[inline]
    pub(super) fn repeat(&mut self, record: &mut impl Record) -> bool {
        let Some(end) = self.form.next(self.text, self.end, record) else {
            self.next = self.structure.resume(self.next, self.end);
            return false;
        };
        self.end = end;
        true
    }

    /// Returns the form of the last record, with the places of its numbers.
    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    #[inline]
    pub(super) fn boolean(&mut self) -> Option<bool> {
        match self.scalar()? {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Reads a value that is not nested too deeply. Returns its number of elements or members; 0 for strings and other
    /// scalars.
    pub(super) fn skip(&mut self) -> Option<usize> {
        self.skip_within(DEEPEST)
    }

    fn skip_within(&mut self, depth: u32) -> Option<usize> {
        if !self.is_blank_ahead()? {
            let is_number = trim_start(self.text.get(self.end..)?).first()?.is_ascii_alphabetic();
            let text = if is_number { self.scalar()? } else { self.number_text(Field::Ignored)? };
            return number::is_scalar(text).then_some(0);
        }
        let depth = depth.checked_sub(1)?;
        match self.ahead()? {
            b'"' => self.string().map(|_| 0),
            b'{' => {
                let mut n = 0;
                self.object(|cursor, _| {
                    n += 1;
                    cursor.skip_within(depth).map(|_| ())
                })?;
                Some(n)
            }
            b'[' => self.array(|cursor| cursor.skip_within(depth).map(|_| ())),
            _ => None,
        }
    }
}

/// True for white space of JSON, which has no form feed.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| is_space(*byte))
}

fn trim_start(text: &[u8]) -> &[u8] {
    let n_blank = text.iter().take_while(|byte| is_space(**byte)).count();
    &text[n_blank..]
}
