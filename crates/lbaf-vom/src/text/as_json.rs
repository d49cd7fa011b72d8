// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of the records of a text file to JSON, to be stored and written like those of JSON files.

use std::io::Write;

use super::{Record, parse_line};
use crate::rows::{Endpoint, EndpointKind, FileRows, TaskPlace};
use crate::survey::MAX_DOCUMENT_BYTES;
use crate::{Field, Span, VomError};

/// Converts the records of a text document to equivalent JSON records, and returns their bytes. The spans in `rows`
/// become those of the JSON records.
///
/// `rank` is the rank of the file. `home` returns the home of the object of a task: the rank whose file has the
/// object in the earliest phase. Endpoints have the homes given in `rows`. Object numbers do not change.
///
/// # Errors
/// If the JSON, which is several times as long as the text, exceeds half of the size limit of documents.
///
/// # Panics
/// If the span of a task in `rows` is not a load line of `document`.
pub fn text_as_json(
    rows: &mut FileRows,
    document: &[u8],
    rank: u32,
    home: &dyn Fn(u64) -> Option<u32>,
) -> Result<Vec<u8>, VomError> {
    let mut json = Json { bytes: Vec::with_capacity(4 * document.len()), home };
    rows.metadata.rank = Some(u64::from(rank));
    let start = json.place();
    json.text(r#"{"rank":"#);
    let rank_place = json.span(|json| json.number(u64::from(rank)));
    json.text(r#","type":"#);
    let type_place = json.span(|json| json.text(r#""LBDatafile""#));
    json.text("}");
    let metadata = Span { start, end: json.place() };
    rows.fields = vec![field("metadata", metadata), field("phases", Span::default())];
    rows.metadata_fields = vec![field("rank", rank_place), field("type", type_place)];
    for phase in &mut rows.phases {
        // These members need no spans, because the writer prints their values from the rows and records.
        let keys: &[&str] = if phase.communications.is_empty() {
            &["id", "tasks"]
        } else {
            &["communications", "id", "tasks"]
        };
        phase.fields = keys.iter().map(|key| field(key, Span::default())).collect();
        for place in &mut phase.task_places {
            *place = json.task(place.record.of(document), rank);
            json.check_size()?;
        }
        for row in &mut phase.communications {
            json.check_size()?;
            row.record = json.span(|json| {
                json.text(r#"{"bytes":"#);
                json.float(row.bytes);
                json.text(r#","from":"#);
                json.endpoint(&row.from);
                json.text(r#","messages":1,"to":"#);
                json.endpoint(&row.to);
                json.text(r#","type":""#);
                json.text(row.kind.name());
                json.text("\"}");
            });
        }
    }
    Ok(json.bytes)
}

fn field(key: &str, value: Span) -> Field {
    Field { key: key.to_owned(), value }
}

/// JSON under construction, in vt's format.
struct Json<'a> {
    bytes: Vec<u8>,
    home: &'a dyn Fn(u64) -> Option<u32>,
}

impl Json<'_> {
    fn place(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Returns an error if the JSON exceeds half of the size limit. The other half suffices for any record.
    fn check_size(&self) -> Result<(), VomError> {
        if self.bytes.len() > MAX_DOCUMENT_BYTES / 2 { Err(VomError::TextTooLarge) } else { Ok(()) }
    }

    /// Runs `print` and returns the span of the appended bytes.
    fn span(&mut self, print: impl FnOnce(&mut Self)) -> Span {
        let start = self.place();
        print(self);
        Span { start, end: self.place() }
    }

    fn task(&mut self, line: &[u8], rank: u32) -> TaskPlace {
        let Ok((_, Record::Load { object, load, subphases })) = parse_line(line) else {
            unreachable!("invariant: the line was read as a load before")
        };
        let mut node = Span::default();
        let record = self.span(|json| {
            json.text(r#"{"entity":"#);
            json.object(object, (json.home)(object));
            json.text(r#","node":"#);
            node = json.span(|json| json.number(u64::from(rank)));
            json.text(r#","resource":"cpu""#);
            for (id, time) in subphases.times().enumerate() {
                json.text(if id == 0 { r#","subphases":[{"id":"# } else { r#"},{"id":"# });
                json.number(id as u64);
                json.text(r#","time":"#);
                json.float(time);
            }
            if !subphases.is_empty() {
                json.text("}]");
            }
            json.text(r#","time":"#);
            json.float(load);
            json.text("}");
        });
        TaskPlace { record, node }
    }

    fn endpoint(&mut self, end: &Endpoint) {
        if end.kind == EndpointKind::Node {
            self.text(r#"{"id":"#);
            self.number(end.id);
            self.text(r#","type":"node"}"#);
        } else {
            self.object(end.id, end.stated_home());
        }
    }

    fn object(&mut self, id: u64, home: Option<u32>) {
        self.text("{");
        if let Some(home) = home {
            self.text(r#""home":"#);
            self.number(u64::from(home));
            self.text(",");
        }
        self.text(r#""id":"#);
        self.number(id);
        self.text(r#","migratable":true,"type":"object"}"#);
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        // Writing to memory does not fail.
        let _ = write!(self.bytes, "{number}");
    }

    fn float(&mut self, number: f64) {
        let _ = serde_json::to_writer(&mut self.bytes, &number);
    }
}
