// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `metadata` of a written file, copied except for the lists of phases and the memory of the rank in phases whose
//! tasks do not state it.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_reader::FileRecords;
use lbaf_vom::{Field, OWN, RANK_WORKING_BYTES};
use serde_json::{Map, Value, json};

use crate::compact::copy_compact;
use crate::layout::Members;
use crate::members::{print_object, print_value};
use crate::plan::Plan;

/// Metadata of a file with the required changes.
pub(crate) struct Metadata<'a> {
    rank: usize,
    file: &'a FileRecords,
    document: &'a [u8],
    /// New lists of phases; `None` if the recorded ones remain valid.
    phases: Option<Value>,
    /// New attributes of lbaf; `None` if the recorded ones remain valid.
    own: Option<Value>,
}

impl<'a> Metadata<'a> {
    /// Creates the metadata of a file. `unstated` is the memory of the rank in bytes, for phases whose tasks do not
    /// state it.
    pub(crate) fn new(
        rank: usize,
        file: &'a FileRecords,
        document: &'a [u8],
        plan: &Plan<'_>,
        unstated: &BTreeMap<u64, f64>,
    ) -> Self {
        let phases = new_phase_lists(file, document, plan);
        let is_stated = *unstated == file.metadata.rank_working_bytes;
        let own = (!is_stated).then(|| {
            let recorded = members_of(file, document, "attributes").remove(OWN);
            with_rank_bytes(recorded, unstated)
        });
        Metadata { rank, file, document, phases, own }
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.phases.is_some() || self.own.is_some()
    }

    /// Prints the recorded members with `copy`, except for changed ones.
    pub(crate) fn print(&self, out: &mut Vec<u8>, copy: impl Fn(&mut Vec<u8>, &Field)) {
        let changes = |key: &str| match key {
            "phases" => self.phases.is_some(),
            "attributes" => self.own.is_some(),
            _ => false,
        };
        let fields = &self.file.metadata_fields;
        let attributes = fields.iter().rfind(|field| field.key == "attributes");
        let mut members = Members::default();
        out.push(b'{');
        for field in fields.iter().filter(|field| !changes(&field.key)) {
            members.key(out, &field.key);
            copy(out, field);
        }
        self.print_changes(
            out,
            &mut members,
            attributes.map_or(b"{}", |field| field.value.of(self.document)),
        );
        out.push(b'}');
    }

    /// Prints the metadata of a file that had none.
    pub(crate) fn print_alone(&self, out: &mut Vec<u8>) {
        let mut members = Members::default();
        out.push(b'{');
        self.print_changes(out, &mut members, b"{}");
        if self.phases.is_some() {
            for (key, value) in [("rank", json!(self.rank)), ("type", json!("LBDatafile"))] {
                members.key(out, key);
                print_value(out, &value);
            }
        }
        out.push(b'}');
    }

    fn print_changes(&self, out: &mut Vec<u8>, members: &mut Members, attributes: &[u8]) {
        if let Some(own) = &self.own {
            members.key(out, "attributes");
            let mut compact = Vec::new();
            copy_compact(&mut compact, attributes);
            print_object(out, &compact, &[(OWN, own.clone())]);
        }
        if let Some(phases) = &self.phases {
            members.key(out, "phases");
            print_value(out, phases);
        }
    }
}

/// Returns the attributes of lbaf with the memory of the rank by phase.
pub(crate) fn with_rank_bytes(recorded: Option<Value>, bytes_of_phases: &BTreeMap<u64, f64>) -> Value {
    let mut phases_with: Vec<(f64, Vec<u64>)> = Vec::new();
    for (&phase, &bytes) in bytes_of_phases {
        match phases_with.last_mut() {
            Some((last, phases)) if *last == bytes => phases.push(phase),
            _ => phases_with.push((bytes, vec![phase])),
        }
    }
    let entry = |(bytes, phases): (f64, Vec<u64>)| json!({"bytes": bytes, "phases": lists(&ranges(&phases))});
    let mut own = match recorded {
        Some(Value::Object(own)) => own,
        _ => Map::new(),
    };
    own.insert(RANK_WORKING_BYTES.to_owned(), phases_with.into_iter().map(entry).collect());
    Value::Object(own)
}

/// Returns the new value of `metadata.phases` for a file, or `None` if the recorded metadata remain valid.
fn new_phase_lists(file: &FileRecords, document: &[u8], plan: &Plan<'_>) -> Option<Value> {
    let written: BTreeSet<u64> = plan.phases.iter().map(|phase| phase.id.0).collect();
    let recorded: BTreeSet<u64> = file.phase_ids.iter().copied().collect();
    let repeated: Vec<u64> = plan.repeated.iter().map(|phase| phase.0).collect();
    let metadata = &file.metadata;
    let recorded_repeats: BTreeSet<u64> =
        metadata.identical_to_previous.ranges.iter().flat_map(|&(first, last)| first..=last).collect();
    let same_repeats = recorded_repeats.iter().eq(&repeated);
    let skipped: Vec<(u64, u64)> = match &plan.skipped {
        Some(skipped) => skipped.clone(),
        None if written == recorded && same_repeats => return None,
        None => metadata.skipped.ranges.clone(),
    };
    let same_skipped = skipped == metadata.skipped.ranges;
    let has_count = members_of(file, document, "phases").contains_key("count");
    if same_skipped && same_repeats && (written == recorded || !has_count) {
        return None;
    }
    let mut phases = members_of(file, document, "phases");
    if phases.contains_key("count") {
        phases.insert("count".to_owned(), json!(written.len()));
    }
    phases.insert("identical_to_previous".to_owned(), lists(&ranges(&repeated)));
    phases.insert("skipped".to_owned(), lists(&skipped));
    Some(Value::Object(phases))
}

/// Returns the recorded members of an object in the metadata; empty if there is no such object.
fn members_of(file: &FileRecords, document: &[u8], key: &str) -> Map<String, Value> {
    let field = file.metadata_fields.iter().rfind(|field| field.key == key);
    match field.map(|field| lbaf_vom::value_of(field.value.of(document))) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// Converts ascending phases to ranges.
pub(crate) fn ranges(phases: &[u64]) -> Vec<(u64, u64)> {
    phases.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1])).collect()
}

/// Returns ranges of phases in vt's format: single phases as a list, the others as inclusive pairs.
pub(crate) fn lists(ranges: &[(u64, u64)]) -> Value {
    let (list, range): (Vec<_>, Vec<_>) = ranges.iter().copied().partition(|(first, last)| first == last);
    let list: Vec<u64> = list.into_iter().map(|(phase, _)| phase).collect();
    json!({ "list": list, "range": range })
}
