// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts in data files for a database, beyond the model: counters, hosts and metadata.

use std::collections::BTreeMap;

use lbaf_config::labelling_in_json;
use lbaf_model::PhaseId;
use lbaf_noise::Labelling;
use lbaf_provenance::{CounterNames, RankFacts, TaskFacts};
use lbaf_reader::{FileRecords, Recorded, TaskRecord};
use lbaf_run::{ANOMALY, DENOISED_LOAD, OUTLIER_SCORE};
use lbaf_vom::value_of;
use serde_json::Value;

use crate::error::Error;

/// Prefix of counters in imported data sets. Exported counters have their names without it.
const COUNTER: &str = "counter:";
/// Fields of tasks that an earlier anomaly detection wrote.
const NOISE: [&str; 3] = [ANOMALY, OUTLIER_SCORE, DENOISED_LOAD];

/// Returns the facts of every rank and its tasks, and the names of counters.
pub(super) fn of_ranks(recorded: &Recorded) -> Result<(Vec<RankFacts>, CounterNames), Error> {
    let mut names = CounterNames::default();
    // Files without phases have no records.
    let Some(records) = &recorded.records else { return Ok((Vec::new(), names)) };
    let phases: Vec<PhaseId> = recorded.data.phases().iter().map(lbaf_model::Phase::id).collect();
    let ranks =
        records.files.iter().map(|file| of_rank(file, &phases, &mut names)).collect::<Result<_, _>>()?;
    Ok((ranks, names))
}

fn of_rank(file: &FileRecords, phases: &[PhaseId], names: &mut CounterNames) -> Result<RankFacts, Error> {
    let document = file.document.bytes()?;
    let mut facts = RankFacts::default();
    for field in &file.metadata_fields {
        let value = value_of(field.value.of(&document));
        if field.key == "attributes" {
            add_attributes(&mut facts, &value);
        } else {
            flatten(&mut facts.metadata, &format!("vt.{}", field.key), &value);
        }
    }
    if facts.hostname.is_empty()
        && let Some(node) = file.metadata.shared_node
    {
        facts.hostname = format!("node{}", node.id);
        facts.metadata.push(("Hostname".to_owned(), facts.hostname.clone()));
    }
    let mut entries: BTreeMap<PhaseId, &[TaskRecord]> = BTreeMap::new();
    for phase in &file.phases {
        entries.insert(phase.id, &phase.tasks);
    }
    for phase in phases {
        let tasks = entries.get(phase).copied().unwrap_or_default();
        facts.tasks.push(tasks.iter().map(|task| of_task(*task, &document, names)).collect());
    }
    Ok(facts)
}

/// Adds the host name, numbers as state of the node, and all attributes as metadata.
fn add_attributes(facts: &mut RankFacts, attributes: &Value) {
    for (name, value) in attributes.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("Hostname", Value::String(host)) => {
                facts.hostname.clone_from(host);
                facts.metadata.push((name.clone(), host.clone()));
                continue;
            }
            (_, Value::Number(number)) => {
                facts.node_state.extend(number.as_f64().map(|number| (name.clone(), number)));
            }
            _ => {}
        }
        flatten(&mut facts.metadata, &format!("attributes.{name}"), value);
    }
}

/// Adds a value as text under its path; of an object, adds each member in the same way.
fn flatten(metadata: &mut Vec<(String, String)>, path: &str, value: &Value) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                flatten(metadata, &format!("{path}.{key}"), value);
            }
        }
        Value::String(text) => metadata.push((path.to_owned(), text.clone())),
        other => metadata.push((path.to_owned(), other.to_string())),
    }
}

fn of_task(task: TaskRecord, document: &[u8], names: &mut CounterNames) -> TaskFacts {
    let record = value_of(task.record.of(document));
    let mut counters: BTreeMap<&str, f64> = BTreeMap::new();
    for members in [&record["user_defined"], &record["attributes"]] {
        for (name, value) in members.as_object().into_iter().flatten() {
            // The fields that `denoise` adds to tasks repeat information that the database contains in other records.
            let is_noise = NOISE.contains(&name.as_str());
            if let Some(number) = value.as_f64().filter(|number| number.is_finite() && !is_noise) {
                counters.entry(name.strip_prefix(COUNTER).unwrap_or(name)).or_insert(number);
            }
        }
    }
    TaskFacts {
        slot: task.slot,
        counters: counters.into_iter().map(|(name, number)| (names.number(name), number)).collect(),
        is_gpu: record["resource"] == "gpu",
    }
}

/// Adds the origin of the records to the metadata of the first rank.
pub(super) fn add_origin(ranks: &mut [RankFacts], labelling: &Labelling) {
    let Some(first) = ranks.first_mut() else { return };
    let mut add = |descr: &str, value: &str| first.metadata.push((descr.to_owned(), value.to_owned()));
    add("lbaf.version", env!("CARGO_PKG_VERSION"));
    add("lbaf.timeline", "synthetic");
    let mut labelled = Vec::new();
    flatten(&mut labelled, "lbaf.labelling", &labelling_in_json(labelling));
    first.metadata.extend(labelled);
}
