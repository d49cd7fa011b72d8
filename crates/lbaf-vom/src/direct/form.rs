// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the same form: consecutive records usually differ only in a few numbers. Such a record is read by
//! comparison with the last record, without the structural index.
//!
//! Speculation on a constant form is due to Y. Li et al., Mison: a fast JSON parser for data analytics, PVLDB 10
//! (2017), doi:10.14778/3115404.3115416.

use std::ops::Range;

use super::facts::{Field, Record};
use super::passage::skip_blanks;

/// Form of a record that was read along the structural index, and the last record of this form.
#[derive(Default)]
pub(super) struct Form {
    /// Text of the last record.
    text: Range<usize>,
    /// Numbers of the last record, in their order.
    numbers: Vec<Number>,
    is_open: bool,
    /// True if the form is complete and no used field has several numbers, which could not be replaced separately.
    is_usable: bool,
    /// Used fields of the numbers, sorted, to find repeated ones.
    fields: Vec<Field>,
}

/// Number of a record.
struct Number {
    field: Field,
    /// Span of its text in the last record.
    place: Range<usize>,
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
            self.numbers.push(Number { field, place: start..start + number.len() });
        }
    }

    /// Ends the form of a record after its closing brace.
    pub(super) fn end(&mut self, end: usize) {
        (self.text.end, self.is_open) = (end, false);
        self.fields.clear();
        let fields = self.numbers.iter().map(|number| number.field);
        self.fields.extend(fields.filter(|&field| field != Field::Ignored));
        self.fields.sort_unstable();
        self.is_usable = self.fields.windows(2).all(|pair| pair[0] != pair[1]);
    }

    /// Returns the place of the last record.
    pub(super) fn record(&self) -> Range<usize> {
        self.text.clone()
    }

    /// Returns the place of a number of the last record: the last one of a field, if any.
    pub(super) fn number(&self, field: Field) -> Option<Range<usize>> {
        self.numbers.iter().rfind(|number| number.field == field).map(|number| number.place.clone())
    }

    /// Reads the record after the last one, which ends at `at`. `record` has the facts of the last record; those that
    /// differ are replaced. Returns the offset after the new record; `None` if it has another form.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], at: usize, record: &mut impl Record) -> Option<usize> {
        self.is_usable.then_some(())?;
        let comma = skip_blanks(text, at);
        (*text.get(comma)? == b',').then_some(())?;
        let start = skip_blanks(text, comma + 1);
        // The text at `last` is compared with the text at `at`.
        let (mut last, mut at) = (self.text.start, start);
        let mut numbers = self.numbers.iter_mut();
        loop {
            let n_same = common_length(&text[last..self.text.end], text.get(at..)?);
            let mut different = None;
            for number in numbers.by_ref() {
                if number.place.end >= last + n_same {
                    different = Some(number);
                    break;
                }
                // Both texts also agree in the character after this number, so the number has not changed.
                number.place = number.place.start - last + at..number.place.end - last + at;
            }
            let Some(number) = different else {
                at += n_same;
                (last + n_same == self.text.end).then_some(())?;
                self.text = start..at;
                return Some(at);
            };
            // The first difference is in this number or after its last digit.
            (number.place.start <= last + n_same).then_some(())?;
            let place = at + (number.place.start - last);
            let digits = text.get(place..)?;
            let digits = &digits[..extent(digits)];
            record.set(number.field, digits)?;
            last = number.place.end;
            at = place + digits.len();
            number.place = place..at;
        }
    }
}

/// Returns the length of the common prefix of two texts.
#[inline]
fn common_length(one: &[u8], other: &[u8]) -> usize {
    const WORD: usize = 16;
    let words = one.as_chunks::<WORD>().0.iter().zip(other.as_chunks::<WORD>().0);
    let mut n = 0;
    for (one, other) in words {
        let different = u128::from_le_bytes(*one) ^ u128::from_le_bytes(*other);
        if different != 0 {
            return n + different.trailing_zeros() as usize / 8;
        }
        n += WORD;
    }
    n + one[n..].iter().zip(&other[n..]).take_while(|(one, other)| one == other).count()
}

/// Returns the number of characters at the beginning that may be part of a number.
#[inline]
fn extent(text: &[u8]) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
    text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len())
}
