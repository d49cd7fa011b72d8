// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records kept for writing: in memory, or read again from disk.

use lbaf_reader::{Document, ReadError, Recorded, Request};
use serde_json::{Value, json};

use crate::data_set::{DataSet, id, send, sentinel, task};

fn data() -> DataSet {
    let entries = json!([
        send(&id(3), &id(7), 1.0),
        send(&id(7), &id(3), 2.0),
        send(&id(7), &id(11), 4.0),
        send(&id(99), &id(3), 8.0),
    ]);
    DataSet::of_phase(&[
        (json!([task(3, 1.0), sentinel(0, 0.5)]), entries),
        (json!([task(11, 3.0), task(7, 2.0)]), json!([])),
    ])
}

fn kept(record_memory_bytes: u64) -> Request<'static> {
    Request { records: true, record_memory_bytes, ..Request::default() }
}

/// Compares number, time and rank of all task records with the model. Every `node` is 0.
fn check_records(recorded: &Recorded) {
    let phase = &recorded.data.phases()[0];
    let records = recorded.records.as_ref().unwrap();
    let mut n_tasks = 0;
    for (rank, file) in records.files.iter().enumerate() {
        let bytes = file.document.bytes().unwrap();
        for task in &file.phases[0].tasks {
            let record: Value = serde_json::from_slice(task.record.of(&bytes)).unwrap();
            let key = recorded.data.key(phase.object(task.slot));
            assert_eq!(record["entity"]["id"].as_u64(), Some(key.number));
            assert_eq!(record["time"].as_f64(), Some(phase.load(task.slot)));
            assert_eq!(phase.recorded_assignment().rank_of(task.slot).index(), rank);
            assert_eq!(task.node.of(&bytes).trim_ascii(), b"0");
            n_tasks += 1;
        }
    }
    assert_eq!(n_tasks, phase.n_objects());
}

#[test]
fn records_are_kept_only_if_requested() {
    assert!(data().read().records.is_none());
}

#[test]
fn records_are_those_of_their_objects_from_memory_and_from_disk() {
    for (memory, is_in_memory) in [(u64::MAX, true), (0, false)] {
        let data = data();
        let recorded = data.read_as(&kept(memory)).unwrap();
        for file in &recorded.records.as_ref().unwrap().files {
            assert_eq!(matches!(file.document, Document::Memory(_)), is_in_memory);
        }
        check_records(&recorded);
    }
}

#[test]
fn documents_beyond_the_limit_stay_on_disk() {
    let data = data();
    let sizes = [0, 1].map(|rank| std::fs::metadata(data.file(rank)).unwrap().len());
    let in_memory = |limit: u64| {
        let recorded = data.read_as(&kept(limit)).unwrap();
        check_records(&recorded);
        let files = &recorded.records.as_ref().unwrap().files;
        files.iter().filter(|file| matches!(file.document, Document::Memory(_))).count()
    };
    assert_eq!(in_memory(sizes[0] + sizes[1]), 2);
    assert!(in_memory(sizes[0] + sizes[1] - 1) < 2);
    assert_eq!(in_memory(sizes[0].min(sizes[1]) - 1), 0);
}

#[test]
fn compressed_files_are_read_again_too() {
    let data = data();
    let plain = std::fs::read(data.file(1)).unwrap();
    std::fs::write(data.file(1), lbaf_vom::compress(&plain, 5)).unwrap();
    let recorded = data.read_as(&kept(0)).unwrap();
    check_records(&recorded);
    assert!(recorded.findings.file_bytes < recorded.findings.document_bytes);
}

#[test]
fn a_file_that_changed_in_between_is_refused() {
    let data = data();
    let recorded = data.read_as(&kept(0)).unwrap();
    let path = data.file(1);
    let before = std::fs::read_to_string(&path).unwrap();
    let document = &recorded.records.as_ref().unwrap().files[1].document;

    // Changes a digit without changing the length.
    std::fs::write(&path, before.replace("3.0", "4.0")).unwrap();
    let error = document.bytes().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}: the file changed since it was read; run again", path.display())
    );
    // The same document in another encoding is unchanged.
    std::fs::write(&path, lbaf_vom::compress(before.as_bytes(), 5)).unwrap();
    assert_eq!(document.bytes().unwrap(), before.as_bytes());
    std::fs::write(&path, "").unwrap();
    assert!(matches!(document.bytes(), Err(ReadError::Content { .. })));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(document.bytes(), Err(ReadError::Io { .. })));
    // The other file is unchanged.
    assert!(recorded.records.as_ref().unwrap().files[0].document.bytes().is_ok());
}

/// A record migrates with the sender, or else the receiver, if the rank of the file owns this object.
#[test]
fn an_entry_migrates_with_the_object_that_recorded_it() {
    let recorded = data().read_as(&kept(u64::MAX)).unwrap();
    let phase = &recorded.data.phases()[0];
    let loggers: Vec<Option<u64>> = recorded.records.as_ref().unwrap().files[0].phases[0]
        .communications
        .iter()
        .map(|entry| entry.logger.map(|slot| recorded.data.key(phase.object(slot)).number))
        .collect();
    assert_eq!(loggers, [Some(3), Some(3), None, Some(3)]);
}

#[test]
fn a_repetition_shares_the_records_of_its_base() {
    let same = json!({"phases": {"identical_to_previous": {"list": [1], "range": []}}});
    let data = DataSet::new(&[json!({"metadata": same, "phases": [{"id": 0, "tasks": [task(3, 1.0)]}]})]);
    let recorded = data.read_as(&kept(u64::MAX)).unwrap();
    let file = &recorded.records.as_ref().unwrap().files[0];
    assert_eq!(file.phases.len(), 1);
    assert_eq!(recorded.data.phases().len(), 2);
    assert!(file.metadata.identical_to_previous.contains(1));
}
