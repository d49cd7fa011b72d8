// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the same form: consecutive records usually differ in their numbers only. Such a record is read by a
//! comparison of the text between its numbers with the text of an earlier record, without the structural index.
//!
//! Speculation on a constant form is due to Y. Li et al., Mison: a fast JSON parser for data analytics, PVLDB 10 (2017),
//! doi:10.14778/3115404.3115416.

use std::ops::Range;

use super::facts::{Field, Record};
use super::passage::skip_blanks;

/// Form of the last record that was read along the structural index.
#[derive(Default)]
pub(super) struct Form {
    /// Text of the record.
    text: Range<usize>,
    /// Its numbers, in their order.
    numbers: Vec<Number>,
    is_open: bool,
    /// False if a field has several numbers, so that one of them may not be replaced alone.
    is_usable: bool,
    /// Fields of the numbers, for the check.
    fields: Vec<Field>,
}

/// Number of a record.
struct Number {
    field: Field,
    /// Place in the record whose form this is.
    place: Range<usize>,
    /// Place in the last record of this form.
    last: Range<usize>,
}

impl Form {
    /// Begins the form of a record at its opening brace.
    pub(super) fn begin(&mut self, start: usize) {
        self.numbers.clear();
        (self.text, self.is_open, self.is_usable) = (start..start, true, false);
    }

    /// Adds a number, if a record was begun.
    #[inline]
    pub(super) fn add(&mut self, field: Field, start: usize, number: &[u8]) {
        if self.is_open {
            let place = start..start + number.len();
            self.numbers.push(Number { field, last: place.clone(), place });
        }
    }

    /// Ends the form of a record after its closing brace.
    pub(super) fn end(&mut self, end: usize) {
        (self.text.end, self.is_open) = (end, false);
        self.fields.clear();
        self.fields
            .extend(self.numbers.iter().map(|number| number.field).filter(|&field| field != Field::Ignored));
        self.fields.sort_unstable();
        self.is_usable = self.fields.windows(2).all(|pair| pair[0] != pair[1]);
    }

    /// Reads a record of this form after the record that ends at `at`. `record` has the facts of that record, and those
    /// that differ are replaced. Returns the offset after the record; `None` if it has another form.
    pub(super) fn next(&mut self, text: &[u8], at: usize, record: &mut impl Record) -> Option<usize> {
        self.is_usable.then_some(())?;
        let comma = skip_blanks(text, at);
        (*text.get(comma)? == b',').then_some(())?;
        let mut at = skip_blanks(text, comma + 1);
        let mut between = self.text.start;
        for number in &mut self.numbers {
            at = same(text, between..number.place.start, at)?;
            let digits = text.get(at..)?;
            let digits = &digits[..extent(digits)];
            if *digits != text[number.last.clone()] {
                record.set(number.field, digits)?;
            }
            number.last = at..at + digits.len();
            at = number.last.end;
            between = number.place.end;
        }
        same(text, between..self.text.end, at)
    }
}

/// Returns the offset after a part of the text that is repeated at `at`.
#[inline]
fn same(text: &[u8], part: Range<usize>, at: usize) -> Option<usize> {
    let end = at + part.len();
    (text.get(at..end)? == &text[part]).then_some(end)
}

/// Returns the number of characters that may be part of a number.
#[inline]
fn extent(text: &[u8]) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
    text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len())
}
