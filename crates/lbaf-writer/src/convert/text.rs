// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents of the text form, which represents only numbers of objects, times, subphases, and bytes and types of
//! communication.

use lbaf_vom::{
    CommunicationRow, Endpoint, EndpointKind, FileRows, Generation, LoadLine, PhaseRows,
    print_communication_line, print_load_line,
};
use serde_json::{Map, Value};

use super::entity;
use super::known::Migratable;
use super::phases::{Entry, Plan};
use super::{ConvertError, Known, Losses};

/// Prints the lines of a file. Non-migratable objects are an error unless `lossy`.
pub(crate) fn print(
    rows: &FileRows,
    document: &[u8],
    plan: &Plan,
    rank: u32,
    lossy: bool,
    known: &Known,
    losses: &mut Losses,
) -> Result<Vec<u8>, ConvertError> {
    let is_text = rows.generation == Generation::Text;
    let mut printer = Printer { document, rank, known, is_text, is_first: true, out: Vec::new(), losses };
    if !printer.is_text {
        printer.count_document(rows);
    }
    let n_sentinels: u64 = plan.entries.iter().map(|entry| n_sentinels(&rows.phases[entry.source])).sum();
    if n_sentinels > 0 && !lossy {
        return Err(ConvertError::Sentinels { n: n_sentinels });
    }
    for &Entry { id, source } in &plan.entries {
        printer.phase(id, &rows.phases[source]);
        printer.is_first = false;
    }
    Ok(printer.out)
}

fn n_sentinels(phase: &PhaseRows) -> u64 {
    phase.tasks.iter().filter(|task| !task.migratable).count() as u64
}

struct Printer<'a> {
    document: &'a [u8],
    rank: u32,
    known: &'a Known,
    /// True for the first phase of the output, the only one in which other homes are counted as losses. For readers of
    /// the text form, the home of an object is the first rank that has it, so they cannot get any other home.
    is_first: bool,
    /// True for a text source, whose records have no losses.
    is_text: bool,
    out: Vec<u8>,
    losses: &'a mut Losses,
}

impl Printer<'_> {
    fn count_document(&mut self, rows: &FileRows) {
        self.losses.metadata_left_out(rows, true);
        let others =
            rows.fields.iter().filter(|field| !["metadata", "phases", "type"].contains(&&*field.key));
        others.for_each(|field| self.losses.left_out(&format!("`{}` of a document", field.key)));
    }

    fn phase(&mut self, id: u64, phase: &PhaseRows) {
        let known = ["id", "tasks", "communications"];
        for field in phase.fields.iter().filter(|field| !known.contains(&&*field.key)) {
            self.losses.left_out(&format!("`{}` of a phase", field.key));
        }
        for (task, place) in phase.tasks.iter().zip(&phase.task_places) {
            if task.migratable {
                self.task(id, task.id, task.load, place.record.of(self.document));
            } else {
                self.losses.left_out("a task of a non-migratable object");
            }
        }
        for row in &phase.communications {
            self.communication(id, row);
        }
    }

    fn task(&mut self, phase: u64, object: u64, load: f64, record: &[u8]) {
        let record = lbaf_vom::value_of(record);
        let Some(record) = record.as_object() else { return };
        let empty = Vec::new();
        let subphases = record.get("subphases").and_then(Value::as_array).unwrap_or(&empty);
        let times: Vec<f64> = subphases.iter().filter_map(|part| part.get("time")?.as_f64()).collect();
        let is_in_order = (0_u64..).zip(subphases).all(|(n, part)| part.get("id").is_none_or(|id| *id == n));
        if times.len() < subphases.len() || !is_in_order {
            self.losses.left_out("a numbering of subphases other than 0, 1, 2, ...");
        }
        print_load_line(&mut self.out, &LoadLine { phase, object, load, subphases: &times });
        if !self.is_text {
            self.count_members(record);
        }
    }

    fn count_members(&mut self, task: &Map<String, Value>) {
        if task.get("resource").is_some_and(|resource| resource != "cpu") {
            self.losses.left_out("a `resource` other than \"cpu\"");
        }
        let known = ["entity", "node", "resource", "subphases", "time"];
        for (key, _) in task.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            self.losses.left_out(&format!("`{key}` of a task"));
        }
        let known = ["home", "id", "migratable", "seq_id", "type"];
        let entity = task.get("entity").and_then(Value::as_object);
        for (key, _) in entity.into_iter().flatten().filter(|(key, _)| !known.contains(&key.as_str())) {
            self.losses.left_out(&format!("`{key}` of the entity of a task"));
        }
        debug_assert!(entity.is_none_or(entity::is_object), "the entity of a task is an object");
        let home = entity.and_then(|entity| entity.get("home")).and_then(Value::as_u64);
        if self.is_first && home.is_some_and(|home| home != u64::from(self.rank)) {
            self.losses.left_out("a home that differs from the rank of the object in the first phase");
        }
        for part in task.get("subphases").and_then(Value::as_array).into_iter().flatten() {
            self.count_others(part, &["id", "time"], "a subphase");
        }
    }

    /// Counts members other than `known`.
    fn count_others(&mut self, record: &Value, known: &[&str], what: &str) {
        for (key, _) in
            record.as_object().into_iter().flatten().filter(|(key, _)| !known.contains(&key.as_str()))
        {
            self.losses.left_out(&format!("`{key}` of {what}"));
        }
    }

    fn communication(&mut self, phase: u64, row: &CommunicationRow) {
        let is_as_expected = |end: &Endpoint, is_rank: bool| {
            end.kind == if is_rank { EndpointKind::Node } else { EndpointKind::Object }
        };
        let can_be_said = is_as_expected(&row.from, row.kind.sender_is_rank())
            && is_as_expected(&row.to, row.kind.receiver_is_rank());
        let printed = can_be_said
            && print_communication_line(&mut self.out, phase, row.to.id, row.from.id, row.bytes, row.kind);
        if !printed {
            self.losses.left_out(&format!("a communication of type {}", row.kind.name()));
            return;
        }
        if self.is_non_migratable(&row.from) || self.is_non_migratable(&row.to) {
            self.losses.made_up(
                "a communication with a non-migratable object was kept, although the tasks of such objects are left out",
            );
        }
        if row.messages != 1 {
            self.losses.left_out("a message count other than 1");
        }
        if !self.is_text {
            let record = lbaf_vom::value_of(row.record.of(self.document));
            let known = ["bytes", "from", "messages", "to", "type"];
            self.count_others(&record, &known, "a communication");
            // Values of objects at endpoints are counted for their tasks.
            let known =
                ["collection_id", "home", "id", "index", "migratable", "objgroup_id", "seq_id", "type"];
            self.count_others(&record["from"], &known, "an endpoint of a communication");
            self.count_others(&record["to"], &known, "an endpoint of a communication");
        }
    }

    /// True if an endpoint is a non-migratable object, according to its tasks, or else to the endpoint.
    fn is_non_migratable(&self, end: &Endpoint) -> bool {
        let is_stated = end.states_migratable && !end.migratable;
        let is_known = match self.known.migratable(end.is_sequence, end.id) {
            Some(Migratable::Agreed(migratable)) => !migratable,
            Some(Migratable::Contradicted) | None => is_stated,
        };
        end.kind == EndpointKind::Object && is_known
    }
}
