// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files written part by part, because their records left memory, have the bytes of files written with all records in
//! memory.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

#[path = "../model_files/random.rs"]
mod random;

use std::collections::BTreeMap;

use lbaf_model::{Assignment, DataSet, Phase, RankId};
use lbaf_reader::{ReadError, RecordOverflow, Recorded, Request, locate, read};
use lbaf_writer::{
    EmptyRanks, ModelFiles, Options, Placement, Reassigned, RecordSource, Staging, WriteError, write,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Changes to the documents of a model, so that they have the variety of recorded files.
#[derive(Clone, Debug)]
struct Spelling {
    has_white_space: bool,
    /// By task: true if it states its rank.
    states_node: Vec<bool>,
    /// True if phases have `user_defined` with escapes, and recorded iterations.
    has_other_members: bool,
    /// True if the last phase is recorded once more as a repetition.
    repeats: bool,
}

fn spelling() -> impl Strategy<Value = Spelling> {
    (any::<bool>(), vec(any::<bool>(), 7), any::<bool>(), any::<bool>()).prop_map(
        |(has_white_space, states_node, has_other_members, repeats)| Spelling {
            has_white_space,
            states_node,
            has_other_members,
            repeats,
        },
    )
}

fn options() -> impl Strategy<Value = Options> {
    let empty_ranks = select(vec![EmptyRanks::Insert, EmptyRanks::Refuse, EmptyRanks::Warn]);
    let flags = any::<(bool, bool, bool)>();
    (flags, empty_ranks, select(vec![None, Some(1)])).prop_map(
        |((communications, offline_lb_compatible, lb_iterations), empty_ranks, brotli_quality)| Options {
            communications,
            offline_lb_compatible,
            lb_iterations,
            empty_ranks,
            brotli_quality,
            ..Options::default()
        },
    )
}

/// Returns the documents of all ranks.
fn documents(data: &DataSet, spelling: &Spelling) -> Vec<Vec<u8>> {
    let files = ModelFiles::new(data).unwrap();
    let printed = (0..files.n_ranks()).map(|rank| lbaf_vom::print(&files.file(rank)));
    printed.map(|document| spelled(&document, spelling)).collect()
}

fn spelled(document: &[u8], spelling: &Spelling) -> Vec<u8> {
    let mut document: Value = serde_json::from_slice(document).unwrap();
    let last = document["phases"].as_array().and_then(|phases| phases.last()?["id"].as_u64());
    for phase in document["phases"].as_array_mut().unwrap() {
        let tasks = phase.get_mut("tasks").and_then(Value::as_array_mut);
        for (task, states) in tasks.into_iter().flatten().zip(spelling.states_node.iter().cycle()) {
            if !states {
                task.as_object_mut().unwrap().remove("node");
            }
        }
        if spelling.has_other_members {
            phase["user_defined"] = json!({"text": "a \" b \\ c\n\u{e9}", "list": [1, {"x": null}]});
            phase["lb_iterations"] = json!([{"id": 0, "tasks": []}]);
        }
    }
    if let (true, Some(last)) = (spelling.repeats, last) {
        document["metadata"]["phases"]["identical_to_previous"]["list"] = json!([last + 1]);
    }
    if spelling.has_white_space {
        serde_json::to_vec_pretty(&document).unwrap()
    } else {
        serde_json::to_vec(&document).unwrap()
    }
}

/// Returns a placement of the migratable objects of a phase on these ranks, in turn.
fn placed(phase: &Phase, ranks: &[u32]) -> Assignment {
    let ranks = phase.slots().zip(ranks.iter().cycle()).map(|(slot, &rank)| {
        if phase.is_migratable(slot) { RankId(rank) } else { phase.recorded_assignment().rank_of(slot) }
    });
    Assignment::new(ranks.collect())
}

/// Result of writing: bytes of the files by name, and warnings; or the error.
type Outcome = Result<(BTreeMap<String, Vec<u8>>, Vec<String>), String>;

fn written(recorded: &Recorded, ranks: &[u32], carried: bool, options: &Options) -> Outcome {
    let placements: Vec<Placement> = recorded
        .data
        .phases()
        .iter()
        .zip((0..ranks.len()).cycle())
        .map(|(phase, at)| Placement {
            iterations: (0..at % 3).map(|at| placed(phase, &ranks[at..])).collect(),
            ..Placement::new(phase.id(), placed(phase, &ranks[at..]))
        })
        .collect();
    let Some(reassigned) = Reassigned::new(recorded, &placements) else {
        return Err("no records".to_owned());
    };
    let annotate =
        |_, slot: lbaf_model::Slot, rank: RankId| vec![("note", json!([slot.index(), rank.index()]))];
    let reassigned = Reassigned { carried, annotations: carried.then_some(&annotate), ..reassigned };
    let directory = tempfile::tempdir().unwrap();
    let staging = Staging::new(directory.path()).unwrap();
    let warnings = write(&reassigned, options, &staging, &|| ()).map_err(|error| error.to_string())?;
    let names = (0..recorded.data.n_ranks()).map(|rank| options.file_name(rank));
    let files = names.map(|name| (name.clone(), std::fs::read(staging.hidden(&name)).unwrap()));
    Ok((files.collect(), warnings))
}

fn limited(record_memory_bytes: u64) -> Request<'static> {
    Request {
        records: true,
        record_memory_bytes,
        row_memory_bytes: 0,
        record_overflow: RecordOverflow::Park,
        ..Request::default()
    }
}

proptest! {
    /// The limits decrease from one that all records together keep to one at which each rank is written alone.
    #[test]
    fn limits_of_memory_do_not_change_the_files(
        data in random::model(),
        spelling in spelling(),
        options in options(),
        ranks in vec(0..4_u32, 5),
        carried in any::<bool>(),
    ) {
        let documents = documents(&data, &spelling);
        let n_bytes: u64 = documents.iter().map(|document| document.len() as u64).sum();
        let directory = tempfile::tempdir().unwrap();
        for (rank, document) in documents.iter().enumerate() {
            std::fs::write(directory.path().join(format!("d.{rank}.json")), document).unwrap();
        }
        let files = locate(&directory.path().join("d"), None).unwrap().files;
        let all = Request { records: true, ..Request::default() };
        let all = read(&files, &all, &|_| {}).unwrap();
        let expected = written(&all, &ranks, carried, &options);
        for limit in [n_bytes, n_bytes - 1, n_bytes / 2, n_bytes / 3, 1, 0] {
            let recorded = read(&files, &limited(limit), &|_| {}).unwrap();
            let leaves = matches!(RecordSource::of(&recorded), Some(RecordSource::Parked(_)));
            prop_assert_eq!(leaves, limit < n_bytes && !data.phases().is_empty());
            prop_assert_eq!(format!("{:?}", recorded.findings), format!("{:?}", all.findings));
            prop_assert_eq!(&written(&recorded, &ranks, carried, &options), &expected, "limit {}", limit);
        }
    }
}

/// Files of two ranks with a phase.
fn on_disk() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for rank in 0..2 {
        let entity = json!({"id": (rank << 2) | 3, "home": rank, "migratable": true, "type": "object"});
        let task = json!({"entity": entity, "node": rank, "time": 1.5});
        let document = json!({"metadata": {"rank": rank}, "phases": [{"id": 0, "tasks": [task]}]});
        std::fs::write(directory.path().join(format!("d.{rank}.json")), document.to_string()).unwrap();
    }
    directory
}

fn swapped(recorded: &Recorded) -> Outcome {
    written(recorded, &[1, 0], false, &Options::default())
}

#[test]
fn files_on_disk_are_read_again() {
    let directory = on_disk();
    let located = locate(&directory.path().join("d"), None).unwrap();
    let [kept, parked] = [u64::MAX, 0].map(|limit| read(&located.files, &limited(limit), &|_| {}).unwrap());
    assert!(kept.records.is_some() && parked.records.is_none() && parked.parked.is_some());
    assert_eq!(swapped(&parked), swapped(&kept));
    for (name, bytes) in swapped(&kept).unwrap().0 {
        assert!(String::from_utf8(bytes).unwrap().contains("1.5"), "{name}");
    }
}

#[test]
fn a_file_that_changed_before_it_is_read_again_is_refused() {
    let directory = on_disk();
    let located = locate(&directory.path().join("d"), None).unwrap();
    let recorded = read(&located.files, &limited(0), &|_| {}).unwrap();
    let changed = &located.files[1];
    let text = std::fs::read_to_string(changed).unwrap();
    std::fs::write(changed, text.replace("1.5", "2.5")).unwrap();
    let expected = ReadError::Changed { path: changed.clone() };
    assert_eq!(swapped(&recorded), Err(WriteError::Read(expected).to_string()));
}

/// Records of the text form are made from the lines of all files, so they cannot be read again file by file.
#[test]
fn records_of_the_text_form_stay_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("d.0.vom"), "0,7,1.5\n0,11,2.0\n").unwrap();
    std::fs::write(directory.path().join("d.1.vom"), "0,15,0.5\n").unwrap();
    let located = locate(&directory.path().join("d"), Some("vom")).unwrap();
    let [kept, limited] = [u64::MAX, 0].map(|limit| read(&located.files, &limited(limit), &|_| {}).unwrap());
    assert!(limited.records.is_some() && limited.parked.is_none());
    assert_eq!(swapped(&limited), swapped(&kept));
}
