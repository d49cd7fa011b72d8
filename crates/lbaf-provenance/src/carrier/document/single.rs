// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parsing of single records: each is stored or reported.

use std::borrow::Cow;

use super::Document;
use crate::Stored;
use crate::carrier::places::offset_of;
use crate::carrier::recovery::{careful_extent, resume};
use crate::carrier::scan::{Endless, string_end, value_extent};
use crate::carrier::shape::{collection_of, event_collection};
use crate::record::{Collection, Event};

/// Largest size of a record. It limits memory, because a record is copied several times. Real records have some
/// kilobytes.
const LARGEST_RECORD_BYTES: usize = 64 << 20;
/// Maximum nesting depth of a record. Below the default limit of `serde_json`, 128, because imported files enclose
/// records in further levels.
const DEEPEST_RECORD: usize = 100;

impl<'a> Document<'a> {
    /// Reads the record that begins here.
    pub(super) fn record(&mut self, collection: Option<Collection>) {
        let begin = self.at;
        self.n_records += 1;
        let mut extent = if self.is_careful {
            careful_extent(self.text, begin)
        } else {
            value_extent(self.text, begin, None)
        };
        if extent.is_err() && !self.is_careful {
            // A bracket may be missing long before the fault is noticed. From now on a record ends at the latest where
            // the next one begins.
            self.is_careful = true;
            extent = careful_extent(self.text, begin);
        }
        match extent {
            Ok(extent) => {
                self.at = extent.end;
                self.store(begin, extent.depth, collection);
            }
            Err(endless) => self.unfinished(begin, endless, collection),
        }
    }

    /// Reports a record without an end, and moves to the next record if one is found.
    fn unfinished(&mut self, begin: usize, endless: Endless, collection: Option<Collection>) {
        let (fault, what) = match endless {
            Endless::TextEnds | Endless::NoValue(_) => (self.text.len(), "the file ends inside the record"),
            Endless::NextBegins(next) => (next, "the next record begins inside the record"),
            Endless::LineEndsInString(at) => (at, "a string is not closed in its line in the record"),
            Endless::WrongBracket(at) => (at, "mismatched bracket in the record"),
        };
        let next = match endless {
            Endless::NextBegins(next) => Some(next),
            _ => resume(self.text, begin, fault),
        };
        self.is_cut_off = next.is_none();
        self.at = next.unwrap_or(self.text.len());
        let lost =
            if next.is_none() && fault < self.text.len() { "; the rest of the file is not read" } else { "" };
        let (line, column) = self.places.of(begin);
        let message = format!("{what} that begins at {line}:{column}{lost}");
        self.complain(fault, Some(self.n_records), collection, message);
    }

    /// Reads the record in the string that begins here. Client libraries return arrays of such strings.
    pub(super) fn quoted(&mut self, collection: Option<Collection>) {
        let begin = self.at;
        self.n_records += 1;
        let Ok(end) = string_end(self.text, begin) else {
            self.at = self.text.len();
            self.is_cut_off = true;
            let message = "a string is not closed in its line; the rest of the file is not read".to_owned();
            return self.complain(begin, Some(self.n_records), collection, message);
        };
        self.at = end;
        if end - begin > LARGEST_RECORD_BYTES {
            return self.complain_of_size(begin, collection);
        }
        let wrong = match serde_json::from_slice::<String>(&self.text[begin..end]) {
            Ok(record) => match value_extent(record.as_bytes(), 0, None) {
                Ok(extent) if extent.depth > DEEPEST_RECORD => Some(too_deep()),
                _ => self.take(&record, collection).err().map(|error| error.to_string()),
            },
            Err(error) => Some(without_place(&error)),
        };
        if let Some(wrong) = wrong {
            let message = format!("in the text of this string: {wrong}");
            self.complain(begin, Some(self.n_records), collection, message);
        }
    }

    /// Stores the record from `begin` to here if valid, otherwise reports it.
    fn store(&mut self, begin: usize, depth: usize, collection: Option<Collection>) {
        let number = Some(self.n_records);
        let slice: &'a [u8] = &self.text[begin..self.at];
        if slice.len() > LARGEST_RECORD_BYTES {
            return self.complain_of_size(begin, collection);
        }
        if depth > DEEPEST_RECORD {
            return self.complain(begin, number, collection, too_deep());
        }
        let text = match std::str::from_utf8(slice) {
            Ok(text) => text,
            Err(error) => {
                let at = begin + error.valid_up_to();
                let message = format!("the byte 0x{:02x} is not UTF-8", self.text[at]);
                return self.complain(at, number, collection, message);
            }
        };
        if let Err(error) = self.take(text, collection) {
            let at = offset_of(slice, error.line(), error.column()).min(slice.len());
            // For `nan`, which begins like `null`, the parser reports the second letter.
            let name = not_a_number(&slice[at..]).or_else(|| not_a_number(&slice[at.saturating_sub(1)..]));
            let message = match name {
                Some(name) => format!("`{name}` is not a JSON number; write null or omit the record"),
                None => without_place(&error),
            };
            self.complain(begin + at, number, collection, message);
        }
    }

    /// Stores a record in `collection`, or if this is `None`, in the collection that its fields identify.
    fn take(&mut self, text: &str, collection: Option<Collection>) -> Result<(), serde_json::Error> {
        let database = &mut self.found.database;
        if let Some(collection) = collection {
            return database.push(collection, text);
        }
        match collection_of(text)? {
            Some(Collection::Anomalies) => {
                let event = Stored::<Event>::parse(text)?;
                match event_collection(&event.record) {
                    Collection::Normalexecs => database.normalexecs.push(event),
                    _ => database.anomalies.push(event),
                }
                Ok(())
            }
            Some(collection) => database.push(collection, text),
            None => Err(serde::de::Error::custom(
                "the collection of this record is unknown; name the file after the collection",
            )),
        }
    }

    fn complain_of_size(&mut self, begin: usize, collection: Option<Collection>) {
        let mebibytes = (self.at - begin) >> 20;
        let message = format!(
            "this record has {mebibytes} MiB and is not read; the limit is {} MiB",
            LARGEST_RECORD_BYTES >> 20
        );
        self.complain(begin, Some(self.n_records), collection, message);
    }
}

fn too_deep() -> String {
    format!("this record nests deeper than {DEEPEST_RECORD} levels and is not read")
}

/// Returns the spelling of NaN or infinity at the start of a text.
fn not_a_number(text: &[u8]) -> Option<&'static str> {
    let names = ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"];
    names.into_iter().find(|name| text.starts_with(name.as_bytes()))
}

/// Returns the error message without the position in the record: the position in the file is reported.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message: Cow<'_, str> = message.strip_suffix(&place).map_or(message.as_str().into(), Into::into);
    message.into_owned()
}
