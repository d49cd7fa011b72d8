// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records of one file, in whichever form they are.

use std::borrow::Cow;
use std::path::Path;

use memchr::memchr;

use super::complaint::Complaint;
use super::places::{Places, offset_of};
use super::recovery::{careful_extent, resume};
use super::scan::{Endless, skip_space, string_end, value_extent};
use super::shape::{collection_of, event_collection, holds_records, key_collection, member_at};
use crate::Database;
use crate::record::{Collection, Event};

/// A record takes some kilobytes; what is larger is no record, and would be copied several times over.
const LARGEST_RECORD_BYTES: usize = 64 << 20;
/// What `serde_json` reads without a limit of its own being set aside, less what records are put into later.
const DEEPEST_RECORD: usize = 100;
/// Arrays of objects of arrays of records, and one more.
const DEEPEST_HOLDER: usize = 4;

/// What a file has.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) database: Database,
    pub(super) complaints: Vec<Complaint>,
}

/// Reads a file's text. Records that nothing says the collection of are taken to be of `collection`.
pub(super) fn contents(file: &Path, text: &[u8], collection: Option<Collection>) -> Contents {
    let mut document = Document {
        file,
        text,
        at: 0,
        places: Places::new(text),
        n_records: 0,
        is_careful: false,
        is_cut_off: false,
        found: Contents::default(),
    };
    document.read(collection);
    document.found
}

struct Document<'a> {
    file: &'a Path,
    text: &'a [u8],
    at: usize,
    places: Places<'a>,
    n_records: usize,
    /// Whether a record without an end was seen.
    is_careful: bool,
    /// Whether it was said that the rest cannot be read.
    is_cut_off: bool,
    found: Contents,
}

impl<'a> Document<'a> {
    fn read(&mut self, collection: Option<Collection>) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        // Tools write what they do on the same stream first.
        self.at = records_begin(self.text, self.at);
        if self.at == self.text.len() && skip_space(self.text, 0) < self.at {
            self.complain(0, None, collection, "no line begins with `{`, `[{` or is `[`".to_owned());
        }
        while let Some(begin) = self.next_at_top() {
            self.at = records_begin(self.text, begin);
            if self.at > begin {
                self.complain(begin, None, collection, "passed over what is no record".to_owned());
            } else if self.text[begin] == b'[' {
                self.array(1, collection);
            } else {
                self.object(1, collection);
            }
        }
    }

    /// The offset of what comes next behind white space and the commas that some put behind lines.
    fn next_at_top(&mut self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != b',')?;
        Some(self.at)
    }

    /// The elements of the array that begins here.
    fn array(&mut self, level: usize, collection: Option<Collection>) {
        self.at += 1;
        while !self.is_cut_off {
            self.at = skip_space(self.text, self.at);
            match self.text.get(self.at) {
                None => return self.complain_of_end("array", collection),
                Some(b']') => {
                    self.at += 1;
                    return;
                }
                Some(b',') => self.at += 1,
                Some(b'{') => self.object(level + 1, collection),
                Some(b'[') if level < DEEPEST_HOLDER => self.array(level + 1, collection),
                Some(b'"') => self.quoted(collection),
                Some(_) => self.pass_over("an array of records has something else in it", collection),
            }
        }
    }

    /// The record that begins here, or what records are in.
    fn object(&mut self, level: usize, collection: Option<Collection>) {
        if level < DEEPEST_HOLDER && holds_records(self.text, self.at) {
            self.members(level, collection);
        } else {
            self.record(collection);
        }
    }

    /// The arrays of records that are the members of the object that begins here.
    fn members(&mut self, level: usize, collection: Option<Collection>) {
        self.at += 1;
        while !self.is_cut_off {
            self.at = skip_space(self.text, self.at);
            match self.text.get(self.at) {
                None => return self.complain_of_end("object", collection),
                Some(b'}') => {
                    self.at += 1;
                    return;
                }
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let Some((key, value)) = member_at(self.text, self.at) else {
                        self.pass_over("a key without a value", collection);
                        continue;
                    };
                    let named = key_collection(key);
                    self.at = value;
                    if self.text.get(value) == Some(&b'[') {
                        self.array(level + 1, named.or(collection));
                    } else if let Some(named) = named {
                        self.pass_over("the records of a collection must be an array", Some(named));
                    } else {
                        // A version or a date of the whole.
                        self.at = value_extent(self.text, value, None).map_or(self.text.len(), |all| all.end);
                    }
                }
                Some(_) => self.pass_over("a key is missing", collection),
            }
        }
    }

    /// The record that begins here.
    fn record(&mut self, collection: Option<Collection>) {
        let begin = self.at;
        self.n_records += 1;
        let mut extent = if self.is_careful {
            careful_extent(self.text, begin)
        } else {
            value_extent(self.text, begin, None)
        };
        if extent.is_err() && !self.is_careful {
            // A bracket may be missing long before that is seen; from now on no record reaches beyond the next one.
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

    /// Complains of a record without an end, and goes on with the next if there is one.
    fn unfinished(&mut self, begin: usize, endless: Endless, collection: Option<Collection>) {
        let (fault, what) = match endless {
            Endless::TextEnds | Endless::NoValue(_) => (self.text.len(), "the file ends inside a record"),
            Endless::NextBegins(next) => (next, "the next record begins inside one"),
            Endless::LineEndsInString(at) => (at, "a string is not closed in its line in a record"),
            Endless::WrongBracket(at) => (at, "a bracket closes one of the other kind in a record"),
        };
        let next = match endless {
            Endless::NextBegins(next) => Some(next),
            _ => resume(self.text, begin, fault),
        };
        self.is_cut_off = next.is_none();
        self.at = next.unwrap_or(self.text.len());
        let lost = if next.is_none() && fault < self.text.len() { "; what follows is not read" } else { "" };
        let (line, column) = self.places.of(begin);
        let message = format!("{what}, which begins at {line}:{column}{lost}");
        self.complain(fault, Some(self.n_records), collection, message);
    }

    /// A record as a string in an array, as the client libraries return it.
    fn quoted(&mut self, collection: Option<Collection>) {
        let begin = self.at;
        self.n_records += 1;
        let Ok(end) = string_end(self.text, begin) else {
            self.at = self.text.len();
            self.is_cut_off = true;
            let message = "a string is not closed in its line; what follows is not read".to_owned();
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

    /// The record from `begin` to here, if nothing is wrong with it.
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
            // Of a name that begins as `null` does, the second letter is the fault.
            let name = not_a_number(&slice[at..]).or_else(|| not_a_number(&slice[at.saturating_sub(1)..]));
            let message = match name {
                Some(name) => format!("`{name}` is no number in JSON; write null, or leave the record out"),
                None => without_place(&error),
            };
            self.complain(begin + at, number, collection, message);
        }
    }

    /// Takes a record into the collection that it says, or else into the one that is known.
    fn take(&mut self, text: &str, collection: Option<Collection>) -> Result<(), serde_json::Error> {
        let database = &mut self.found.database;
        if let Some(collection) = collection {
            return database.push(collection, text);
        }
        match collection_of(text)? {
            Some(Collection::Anomalies) => {
                let event = crate::Stored::<Event>::parse(text)?;
                match event_collection(&event.record) {
                    Collection::Normalexecs => database.normalexecs.push(event),
                    _ => database.anomalies.push(event),
                }
                Ok(())
            }
            Some(collection) => database.push(collection, text),
            None => Err(serde::de::Error::custom(
                "nothing says of which collection this record is; name the file after it",
            )),
        }
    }

    /// Complains of what begins here and goes on behind it.
    fn pass_over(&mut self, message: &str, collection: Option<Collection>) {
        let begin = self.at;
        self.at = match value_extent(self.text, begin, None) {
            Ok(extent) => extent.end,
            // Stray brackets and colons, up to what may be read again.
            Err(Endless::NoValue(_)) => {
                let rest = &self.text[begin + 1..];
                let stray = rest.iter().position(|byte| b",{}[]\"".contains(byte)).unwrap_or(rest.len());
                begin + 1 + stray
            }
            Err(_) => {
                self.is_cut_off = true;
                self.text.len()
            }
        };
        self.complain(begin, None, collection, message.to_owned());
    }

    fn complain_of_end(&mut self, what: &str, collection: Option<Collection>) {
        let message = format!("the file ends inside an {what}; is it cut off?");
        self.is_cut_off = true;
        self.complain(self.text.len(), None, collection, message);
    }

    fn complain_of_size(&mut self, begin: usize, collection: Option<Collection>) {
        let mebibytes = (self.at - begin) >> 20;
        let message = format!(
            "this record has {mebibytes} MiB; one of more than {} MiB is not read",
            LARGEST_RECORD_BYTES >> 20
        );
        self.complain(begin, Some(self.n_records), collection, message);
    }

    fn complain(
        &mut self,
        at: usize,
        record: Option<usize>,
        collection: Option<Collection>,
        message: String,
    ) {
        let (line, column) = self.places.of(at);
        let file = self.file.to_owned();
        self.found.complaints.push(Complaint { file, line, column, record, collection, message });
    }
}

/// The offset of the first line from the one at `at` on with which records may begin; the end if there is none.
fn records_begin(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < text.len() {
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        let first = skip_space(&text[..end], at);
        let behind = text[..end].get(first + 1..).map_or(end, |_| skip_space(&text[..end], first + 1));
        match text[..end].get(first) {
            Some(b'{') => return first,
            // `[12:30:01] starting` is no array of records.
            Some(b'[') if matches!(text[..end].get(behind), None | Some(b'{' | b']' | b'[')) => return first,
            Some(b'[') if text[..end].get(behind..behind + 2) == Some(b"\"{") => return first,
            _ => at = end + 1,
        }
    }
    text.len()
}

fn too_deep() -> String {
    format!("this record nests deeper than {DEEPEST_RECORD} levels and is not read")
}

/// The names that programs give to what is not a number.
fn not_a_number(text: &[u8]) -> Option<&'static str> {
    let names = ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"];
    names.into_iter().find(|name| text.starts_with(name.as_bytes()))
}

/// What is wrong, without the place in the record, for the place in the file is said with it.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message: Cow<'_, str> = message.strip_suffix(&place).map_or(message.as_str().into(), Into::into);
    message.into_owned()
}
