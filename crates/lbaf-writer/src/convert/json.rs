// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents of the JSON generations.

use std::io::Write;

use lbaf_vom::{FileRows, Generation, OWN, PhaseRows, Span};
use serde_json::{Map, Value, json};

use super::entity;
use super::phases::{Entry, Plan};
use super::{ConvertError, Losses, Target};
use crate::compact::Copier;
use crate::layout::{Lines, Members};
use crate::metadata;

/// Prints a document of one of the JSON generations.
pub(crate) fn print(
    rows: &FileRows,
    document: &[u8],
    plan: &Plan,
    target: &Target<'_>,
    keeps_records: bool,
    losses: &mut Losses,
) -> Result<Vec<u8>, ConvertError> {
    let printer = Printer { rows, document, copier: Copier::new(document), plan, target, keeps_records };
    let mut out = Vec::with_capacity(document.len());
    printer.print(&mut out, losses)?;
    Ok(out)
}

struct Printer<'a> {
    rows: &'a FileRows,
    document: &'a [u8],
    copier: Copier<'a>,
    plan: &'a Plan,
    target: &'a Target<'a>,
    /// True if records are copied unchanged.
    keeps_records: bool,
}

impl Printer<'_> {
    fn print(&self, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ConvertError> {
        out.push(b'{');
        let mut members = Members::default();
        let says_what_it_is = self.target.generation >= Generation::LbData;
        if !says_what_it_is {
            self.print_own_metadata(out, &mut members, losses);
        }
        let has_metadata = self.rows.fields.iter().any(|field| field.key == "metadata");
        if says_what_it_is && !has_metadata && self.changes_metadata() {
            members.key(out, "metadata");
            self.print_metadata(out);
        }
        for field in &self.rows.fields {
            match field.key.as_str() {
                "metadata" | "type" if !says_what_it_is => continue,
                key => members.key(out, key),
            }
            match field.key.as_str() {
                "phases" => self.print_phases(out, losses)?,
                "metadata" if self.changes_metadata() => self.print_metadata(out),
                _ => self.copy(out, field.value),
            }
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn changes_metadata(&self) -> bool {
        self.plan.is_changed || !self.keeps_records || self.changes_rank_bytes()
    }

    fn changes_rank_bytes(&self) -> bool {
        self.plan.rank_working_bytes != self.rows.metadata.rank_working_bytes
    }

    /// Prints metadata in a generation that normally has none. They are needed in phases whose tasks do not state the
    /// working memory of the rank; otherwise nothing is printed. Counts the recorded metadata as left out.
    fn print_own_metadata(&self, out: &mut Vec<u8>, members: &mut Members, losses: &mut Losses) {
        let attributes = self.recorded_metadata().remove("attributes");
        let has_others = attributes.and_then(|value| Some(value.as_object()?.keys().any(|key| key != OWN)));
        losses.metadata_left_out(self.rows, has_others.unwrap_or(true));
        if !self.plan.rank_working_bytes.is_empty() {
            members.key(out, "metadata");
            let own = metadata::with_rank_bytes(None, &self.plan.rank_working_bytes);
            print_compact(out, &json!({"attributes": {OWN: own}}));
        }
    }

    fn recorded_metadata(&self) -> Map<String, Value> {
        let field = self.rows.fields.iter().find(|field| field.key == "metadata");
        field.map_or_else(Map::new, |field| self.parse(field.value))
    }

    /// Prints the recorded metadata with the required changes.
    fn print_metadata(&self, out: &mut Vec<u8>) {
        let mut recorded = self.recorded_metadata();
        let is_new = recorded.is_empty();
        let has_type = self.rows.fields.iter().any(|field| field.key == "type");
        recorded.entry("rank").or_insert_with(|| json!(self.target.rank));
        if !has_type {
            recorded.entry("type").or_insert_with(|| json!("LBDatafile"));
        }
        if self.plan.is_changed {
            let lists = recorded.entry("phases").or_insert_with(|| json!({}));
            if let Some(lists) = lists.as_object_mut() {
                if lists.contains_key("count") {
                    lists.insert("count".to_owned(), json!(self.plan.entries.len()));
                }
                let repeated = metadata::lists(&metadata::ranges(&self.plan.repeated));
                lists.insert("identical_to_previous".to_owned(), repeated);
                lists.insert("skipped".to_owned(), metadata::lists(&self.plan.skipped));
            }
        }
        if self.changes_rank_bytes() {
            let mut attributes = match recorded.remove("attributes") {
                Some(Value::Object(attributes)) => attributes,
                _ => Map::new(),
            };
            let own = metadata::with_rank_bytes(attributes.remove(OWN), &self.plan.rank_working_bytes);
            attributes.insert(OWN.to_owned(), own);
            recorded.insert("attributes".to_owned(), Value::Object(attributes));
        }
        if is_new {
            recorded.sort_keys();
        }
        print_compact(out, &Value::Object(recorded));
    }

    fn print_phases(&self, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ConvertError> {
        out.push(b'[');
        let mut lines = Lines::default();
        for entry in &self.plan.entries {
            lines.next(out);
            self.print_phase(out, *entry, losses)?;
        }
        lines.end(out);
        Ok(())
    }

    fn print_phase(&self, out: &mut Vec<u8>, entry: Entry, losses: &mut Losses) -> Result<(), ConvertError> {
        let phase = &self.rows.phases[entry.source];
        let has = |key: &str| phase.fields.iter().any(|field| field.key == key);
        out.push(b'{');
        let mut members = Members::default();
        if !has("id") {
            members.key(out, "id");
            let _ = write!(out, "{}", entry.id);
        }
        for field in &phase.fields {
            if field.key == "lb_iterations" && self.target.generation == Generation::NodeStats {
                losses.left_out_times("a recorded iteration of a phase", phase.n_iterations as u64);
                continue;
            }
            members.key(out, &field.key);
            match field.key.as_str() {
                "id" => drop(write!(out, "{}", entry.id)),
                "tasks" => self.print_tasks(out, phase, losses)?,
                "communications" => self.print_communications(out, phase, losses)?,
                "lb_iterations" if !self.keeps_records => {
                    self.print_iterations(out, phase.id, field.value, losses)?;
                }
                _ => self.copy(out, field.value),
            }
        }
        if !has("tasks") && !self.keeps_records {
            members.key(out, "tasks");
            out.extend_from_slice(b"[]");
        }
        out.push(b'}');
        Ok(())
    }

    fn print_tasks(
        &self,
        out: &mut Vec<u8>,
        phase: &PhaseRows,
        losses: &mut Losses,
    ) -> Result<(), ConvertError> {
        let records = phase.task_places.iter().map(|place| place.record);
        self.print_records(out, records, |task| self.convert_task(task, losses))
    }

    fn print_communications(
        &self,
        out: &mut Vec<u8>,
        phase: &PhaseRows,
        losses: &mut Losses,
    ) -> Result<(), ConvertError> {
        let records = phase.communications.iter().map(|row| row.record);
        self.print_records(out, records, |entry| self.convert_communication(entry, phase.id, losses))
    }

    fn print_records(
        &self,
        out: &mut Vec<u8>,
        records: impl Iterator<Item = Span>,
        mut convert: impl FnMut(&mut Map<String, Value>) -> Result<(), ConvertError>,
    ) -> Result<(), ConvertError> {
        out.push(b'[');
        let mut lines = Lines::default();
        for span in records {
            lines.next(out);
            if self.keeps_records {
                self.copier.copy(out, span.start, span.end);
                continue;
            }
            let mut record = self.parse(span);
            convert(&mut record)?;
            print_compact(out, &Value::Object(record));
        }
        lines.end(out);
        Ok(())
    }

    fn print_iterations(
        &self,
        out: &mut Vec<u8>,
        phase: u64,
        value: Span,
        losses: &mut Losses,
    ) -> Result<(), ConvertError> {
        let mut iterations: Value = parse(value.of(self.document));
        for iteration in iterations.as_array_mut().into_iter().flatten() {
            for task in objects_of(iteration, "tasks") {
                self.convert_task(task, losses)?;
            }
            for entry in objects_of(iteration, "communications") {
                self.convert_communication(entry, phase, losses)?;
            }
        }
        print_compact(out, &iterations);
        Ok(())
    }

    fn convert_task(&self, task: &mut Map<String, Value>, losses: &mut Losses) -> Result<(), ConvertError> {
        if let Some(entity) = task.get_mut("entity").and_then(Value::as_object_mut) {
            entity::convert_task(entity, self.rows.generation, self.target, losses)?;
        }
        task.entry("node").or_insert_with(|| json!(self.target.rank));
        task.entry("resource").or_insert_with(|| json!("cpu"));
        make_float(task, "time");
        for subphase in task.get_mut("subphases").and_then(Value::as_array_mut).into_iter().flatten() {
            subphase.as_object_mut().into_iter().for_each(|subphase| make_float(subphase, "time"));
        }
        Ok(())
    }

    fn convert_communication(
        &self,
        entry: &mut Map<String, Value>,
        phase: u64,
        losses: &mut Losses,
    ) -> Result<(), ConvertError> {
        for end in ["from", "to"] {
            if let Some(entity) = entry.get_mut(end).and_then(Value::as_object_mut) {
                entity::convert_end(entity, phase, self.rows.generation, self.target, losses)?;
            }
        }
        entry.entry("messages").or_insert_with(|| json!(1));
        make_float(entry, "bytes");
        Ok(())
    }

    fn parse(&self, span: Span) -> Map<String, Value> {
        match parse(span.of(self.document)) {
            Value::Object(map) => map,
            _ => unreachable!("invariant: records were read as objects"),
        }
    }

    fn copy(&self, out: &mut Vec<u8>, value: Span) {
        let trimmed = value.of(self.document).trim_ascii_end().len() as u32;
        self.copier.copy(out, value.start, value.start + trimmed);
    }
}

fn parse(json: &[u8]) -> Value {
    lbaf_vom::value_of(json)
}

fn objects_of<'a>(iteration: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    iteration
        .get_mut(key)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
}

/// Converts a member to a float: newer generations write times and bytes with a fraction or an exponent.
fn make_float(record: &mut Map<String, Value>, key: &str) {
    if let Some(value) = record.get_mut(key)
        && let Some(number) = value.as_f64().filter(|_| !value.is_f64())
    {
        *value = json!(number);
    }
}

fn print_compact(out: &mut Vec<u8>, value: &Value) {
    serde_json::to_writer(out, value).expect("invariant: writing to memory does not fail");
}
