// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `metadata` of a written file: carried as it was unless its lists of phases have to change.

use std::collections::BTreeSet;

use lbaf_reader::FileRecords;
use serde_json::{Map, Value, json};

use crate::plan::Plan;

/// The new value of `metadata.phases` for a file, `None` if the recorded metadata still tell the truth.
pub(crate) fn new_phase_lists(file: &FileRecords, document: &[u8], plan: &Plan<'_>) -> Option<Value> {
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
    let has_count = recorded_lists(file, document).contains_key("count");
    if same_skipped && same_repeats && (written == recorded || !has_count) {
        return None;
    }
    let mut phases = recorded_lists(file, document);
    if phases.contains_key("count") {
        phases.insert("count".to_owned(), json!(written.len()));
    }
    phases.insert("identical_to_previous".to_owned(), lists(&ranges(&repeated)));
    phases.insert("skipped".to_owned(), lists(&skipped));
    Some(Value::Object(phases))
}

/// The recorded value of `metadata.phases`, for the keys that nobody here knows.
fn recorded_lists(file: &FileRecords, document: &[u8]) -> Map<String, Value> {
    let field = file.metadata_fields.iter().find(|field| field.key == "phases");
    match field.map(|field| lbaf_vom::value_of(field.value.of(document))) {
        Some(Value::Object(lists)) => lists,
        _ => Map::new(),
    }
}

/// Single phases as the ranges that they form.
pub(crate) fn ranges(phases: &[u64]) -> Vec<(u64, u64)> {
    phases.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1])).collect()
}

/// Ranges of phases as vt writes them: single ones as a list, the rest as inclusive pairs.
pub(crate) fn lists(ranges: &[(u64, u64)]) -> Value {
    let (list, range): (Vec<_>, Vec<_>) = ranges.iter().copied().partition(|(first, last)| first == last);
    let list: Vec<u64> = list.into_iter().map(|(phase, _)| phase).collect();
    json!({ "list": list, "range": range })
}
