// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of one file, in any of the supported forms.

mod single;

use std::path::Path;

use memchr::memchr;

use super::complaint::Complaint;
use super::places::Places;
use super::scan::{Endless, skip_space, value_extent};
use super::shape::{holds_records, key_collection, member_at};
use crate::Database;
use crate::record::Collection;

/// Maximum nesting of the arrays and objects that hold records. An array of objects with arrays of records needs three
/// levels; one more is accepted.
const DEEPEST_HOLDER: usize = 4;

/// Contents of a file.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) database: Database,
    pub(super) complaints: Vec<Complaint>,
}

/// Reads the text of a file. `collection` applies to records outside of arrays that are named after a collection. If it
/// is `None`, the fields of these records determine their collections.
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
    /// True if a record without an end was found.
    is_careful: bool,
    /// True once a fault was reported after which the rest of the file cannot be read.
    is_cut_off: bool,
    found: Contents,
}

impl Document<'_> {
    fn read(&mut self, collection: Option<Collection>) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        // Tools can write their own output to the same stream first.
        self.at = records_begin(self.text, self.at);
        if self.at == self.text.len() && skip_space(self.text, 0) < self.at {
            self.complain(
                0,
                None,
                collection,
                "no line begins with a record (`{`) or an array of records (such as `[{`)".to_owned(),
            );
        }
        while let Some(begin) = self.next_at_top() {
            self.at = records_begin(self.text, begin);
            if self.at > begin {
                self.complain(begin, None, collection, "skipped text that is not a record".to_owned());
            } else if self.text[begin] == b'[' {
                self.array(1, collection);
            } else {
                self.object(1, collection);
            }
        }
    }

    /// Moves to the next byte except white space and commas, and returns its offset; `None` at the end of the text.
    /// Some tools write commas after lines.
    fn next_at_top(&mut self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != b',')?;
        Some(self.at)
    }

    /// Reads the elements of the array that begins here.
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
                Some(_) => {
                    self.pass_over("an array of records contains a value that is not a record", collection);
                }
            }
        }
    }

    /// Reads the object that begins here, which is a record or contains arrays of records.
    fn object(&mut self, level: usize, collection: Option<Collection>) {
        if level < DEEPEST_HOLDER && holds_records(self.text, self.at) {
            self.members(level, collection);
        } else {
            self.record(collection);
        }
    }

    /// Reads the arrays of records in the members of the object that begins here.
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
                        self.pass_over("a key has no value", collection);
                        continue;
                    };
                    let named = key_collection(key);
                    self.at = value;
                    if self.text.get(value) == Some(&b'[') {
                        self.array(level + 1, named.or(collection));
                    } else if let Some(named) = named {
                        self.pass_over("the records of a collection must be an array", Some(named));
                    } else {
                        // Metadata of the whole object, such as a version or a date.
                        self.at = value_extent(self.text, value, None).map_or(self.text.len(), |all| all.end);
                    }
                }
                Some(_) => self.pass_over("a key is missing", collection),
            }
        }
    }

    /// Reports and skips the value that begins here.
    fn pass_over(&mut self, message: &str, collection: Option<Collection>) {
        let begin = self.at;
        self.at = match value_extent(self.text, begin, None) {
            Ok(extent) => extent.end,
            // A stray bracket or colon is skipped, up to the next character where reading can continue.
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
        let message = format!("the file ends inside an {what}; it may be truncated");
        self.is_cut_off = true;
        self.complain(self.text.len(), None, collection, message);
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

/// Searches from `at` for the first line that can begin a record or an array of records. Returns the offset of the
/// first character of this line that is not white space, or the length of the text if there is no such line.
fn records_begin(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < text.len() {
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        let first = skip_space(&text[..end], at);
        let behind = text[..end].get(first + 1..).map_or(end, |_| skip_space(&text[..end], first + 1));
        match text[..end].get(first) {
            Some(b'{') => return first,
            // `[12:30:01] starting` is not an array of records.
            Some(b'[') if matches!(text[..end].get(behind), None | Some(b'{' | b']' | b'[')) => return first,
            Some(b'[') if text[..end].get(behind..behind + 2) == Some(b"\"{") => return first,
            _ => at = end + 1,
        }
    }
    text.len()
}
