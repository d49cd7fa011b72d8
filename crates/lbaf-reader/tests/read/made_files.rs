// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic documents that are generated when they are read, instead of files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_reader::{Document, Recorded, Request, SyntheticFiles, read};
use lbaf_vom::CommunicationKind;
use lbaf_vom::record::{Communication, DataFile, Entity, PhaseRecord, Task};
use serde_json::{Value, json};

use crate::data_set::{DataSet, edges, id, send, task};

fn object(id: u64, migratable: bool) -> Entity {
    Entity { id: Some(id), migratable: Some(migratable), ..Entity::default() }
}

fn made_task(id: u64, migratable: bool, time: f64) -> Task {
    Task { entity: object(id, migratable), time, ..Task::default() }
}

fn made_send(from: u64, to: u64, bytes: f64) -> Communication {
    let kind = CommunicationKind::SendRecv;
    Communication { bytes, from: object(from, true), messages: 2, to: object(to, true), kind }
}

fn files() -> [DataFile; 3] {
    let file = |tasks: Vec<Task>, communications: Vec<Communication>| {
        let first = PhaseRecord { communications, id: 0, tasks: tasks.clone() };
        let second = PhaseRecord { communications: Vec::new(), id: 1, tasks };
        DataFile { phases: vec![first, second], ..DataFile::default() }
    };
    let mut files = [
        file(vec![made_task(3, true, 1.0), made_task(0, false, 0.5)], vec![made_send(3, 7, 1.0)]),
        file(vec![], vec![]),
        file(vec![made_task(11, true, 3.0), made_task(7, true, 2.0)], vec![made_send(7, 3, 2.0)]),
    ];
    for (rank, file) in (0..).zip(&mut files) {
        file.metadata.rank = rank;
    }
    files
}

/// Returns the documents of these files.
fn documents(files: &[DataFile; 3]) -> [Value; 3] {
    files.each_ref().map(|file| serde_json::to_value(file).unwrap())
}

/// Returns synthetic files, and a counter of generated files.
fn made(files: [DataFile; 3]) -> (SyntheticFiles, Arc<AtomicUsize>) {
    let n_made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_made);
    let make = move |rank: usize| {
        counter.fetch_add(1, Ordering::Relaxed);
        files[rank].clone()
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
fn synthetic_files_yield_the_same_data_as_files_on_disk() {
    let (synthetic, n_made) = made(files());
    let from_memory = read(&synthetic, &Request::default(), &|_| {}).unwrap();
    let from_files = DataSet::new(&documents(&files())).read();
    assert_eq!(n_made.load(Ordering::Relaxed), 3, "each once");
    assert_eq!(from_memory.data.n_ranks(), 3);
    for phase in 0..2 {
        assert_eq!(loads(&from_memory, phase), loads(&from_files, phase));
    }
    assert_eq!(edges(&from_memory), edges(&from_files));
    let digest = |recorded: &Recorded| {
        recorded.data.phases().iter().map(lbaf_model::Phase::digest).collect::<Vec<_>>()
    };
    assert_eq!(digest(&from_memory), digest(&from_files));
    // Files on disk are printed differently.
    let findings = from_memory.findings;
    let printed = files().map(|file| lbaf_vom::print(&file).len() as u64).into_iter().sum::<u64>();
    assert_eq!((findings.file_bytes, findings.document_bytes), (printed, printed));
    let (file_bytes, document_bytes) = (findings.file_bytes, findings.document_bytes);
    let expected = lbaf_reader::Findings { file_bytes, document_bytes, ..from_files.findings };
    assert_eq!(format!("{findings:?}"), format!("{expected:?}"));
    assert_eq!(findings.phases_recorded, [0, 1]);
}

#[test]
fn documents_beyond_the_limit_are_generated_again() {
    for (record_memory_bytes, n_again) in [(u64::MAX, 0), (0, 3)] {
        let (synthetic, n_made) = made(files());
        let request = Request { records: true, record_memory_bytes, ..Request::default() };
        let recorded = read(&synthetic, &request, &|_| {}).unwrap();
        for (file, expected) in recorded.records.unwrap().files.iter().zip(documents(&files())) {
            assert_eq!(matches!(file.document, Document::Made { .. }), n_again > 0);
            let document = file.document.bytes().unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&document).unwrap(), expected);
        }
        assert_eq!(n_made.load(Ordering::Relaxed), 3 + n_again);
    }
}

#[test]
fn errors_state_the_data_set_and_the_rank() {
    let mut wrong = files();
    wrong[2].phases[1].tasks = vec![made_task(3, true, 1.0), made_task(3, true, 1.0)];
    let (synthetic, _) = made(wrong);
    let error = read(&synthetic, &Request::default(), &|_| {}).unwrap_err().to_string();
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
