// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic documents that are generated when they are read, instead of files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_reader::{Document, Recorded, Request, SyntheticFiles, read};
use serde_json::{Value, json};

use crate::data_set::{DataSet, edges, id, send, sentinel, task};

fn documents() -> [Value; 3] {
    let phase =
        |id: u64, tasks: &Value, sent: &Value| json!({"id": id, "tasks": tasks, "communications": sent});
    let document = |tasks: Value, sent: Value| json!({"phases": [phase(0, &tasks, &sent), phase(1, &tasks, &json!([]))]});
    [
        document(json!([task(3, 1.0), sentinel(0, 0.5)]), json!([send(&id(3), &id(7), 1.0)])),
        document(json!([]), json!([])),
        document(json!([task(11, 3.0), task(7, 2.0)]), json!([send(&id(7), &id(3), 2.0)])),
    ]
}

/// Returns synthetic files with these documents, and a counter of generated files.
fn made(documents: [Value; 3]) -> (SyntheticFiles, Arc<AtomicUsize>) {
    let n_made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_made);
    let make = move |rank: usize| {
        counter.fetch_add(1, Ordering::Relaxed);
        documents[rank].to_string().into_bytes()
    };
    (SyntheticFiles { name: "synthetic data".to_owned(), n_ranks: 3, make: Arc::new(make) }, n_made)
}

fn loads(recorded: &Recorded, phase: usize) -> Vec<(u64, f64, u32)> {
    let phase = &recorded.data.phases()[phase];
    let facts = |slot| {
        let key = recorded.data.key(phase.object(slot));
        (key.number, phase.load(slot), phase.recorded_assignment().rank_of(slot).0)
    };
    phase.slots().map(facts).collect()
}

#[test]
fn synthetic_documents_yield_the_same_data_as_files() {
    let (files, n_made) = made(documents());
    let from_memory = read(&files, &Request::default(), &|_| {}).unwrap();
    let from_files = DataSet::new(&documents()).read();
    assert_eq!(n_made.load(Ordering::Relaxed), 3, "each once");
    assert_eq!(from_memory.data.n_ranks(), 3);
    for phase in 0..2 {
        assert_eq!(loads(&from_memory, phase), loads(&from_files, phase));
    }
    assert_eq!(edges(&from_memory), edges(&from_files));
    assert_eq!(from_memory.findings.document_bytes, from_files.findings.document_bytes);
    assert_eq!(from_memory.findings.phases_recorded, [0, 1]);
}

#[test]
fn documents_beyond_the_limit_are_generated_again() {
    for (record_memory_bytes, n_again) in [(u64::MAX, 0), (0, 3)] {
        let (files, n_made) = made(documents());
        let request = Request { records: true, record_memory_bytes, ..Request::default() };
        let recorded = read(&files, &request, &|_| {}).unwrap();
        for (file, expected) in recorded.records.unwrap().files.iter().zip(documents()) {
            assert_eq!(matches!(file.document, Document::Made { .. }), n_again > 0);
            let document = file.document.bytes().unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&document).unwrap(), expected);
        }
        assert_eq!(n_made.load(Ordering::Relaxed), 3 + n_again);
    }
}

#[test]
fn errors_state_the_data_set_and_the_rank() {
    let mut wrong = documents();
    wrong[2]["phases"][1]["tasks"] = json!([task(3, 1.0), task(3, 1.0)]);
    let (files, _) = made(wrong);
    let error = read(&files, &Request::default(), &|_| {}).unwrap_err().to_string();
    assert_eq!(
        error,
        "synthetic data, rank 2: phase 1: the object with id 3 has two tasks: task 0 of synthetic data, rank 0 and task 0 of \
         synthetic data, rank 2"
    );
}

/// If only some ranks repeat a phase, both phases have their communications.
#[test]
fn shared_communications_are_in_both_phases() {
    let sent = json!([send(&id(3), &id(7), 1.0)]);
    let entry = |number: u64, tasks: Value, sent: Value| json!({"id": number, "tasks": tasks, "communications": sent});
    let same = json!({"phases": {"identical_to_previous": {"list": [1], "range": []}}});
    let data = DataSet::new(&[
        json!({"metadata": same, "phases": [entry(0, json!([task(3, 1.0)]), sent)]}),
        json!({"phases": [entry(0, json!([task(7, 1.0)]), json!([])), entry(1, json!([task(7, 2.0)]), json!([]))]}),
    ]);
    let request = Request { records: true, ..Request::default() };
    let recorded = data.read_as(&request).unwrap();
    for phase in recorded.data.phases() {
        assert_eq!(phase.communication().n_edges(), 1, "phase {:?}", phase.id());
    }
    let kept = recorded.records.unwrap().files;
    let n_records: Vec<usize> = kept[0].phases.iter().map(|phase| phase.communications.len()).collect();
    assert_eq!(n_records, [1, 1]);
}
