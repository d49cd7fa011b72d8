// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings that require a comparison of the files of a data set.

use std::path::PathBuf;
use std::slice::from_ref;

use lbaf_reader::{ForVt, Request, Validation, duplicate_objects, group_files, list_directory, validate};
use lbaf_vom::packed_id;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::data_set::DataSet;

pub(crate) const ALONE: Validation =
    Validation { limit: usize::MAX, strict_links: false, vt: None, row_memory_bytes: usize::MAX };
const LINKS: Validation = Validation { strict_links: true, ..ALONE };
const FOR_VT: Validation = Validation { vt: Some(ForVt { allows_empty_ranks: false }), ..ALONE };

/// Returns the findings in files of a directory, each with its file name. They are the same if rows leave memory.
fn found(directory: &TempDir, paths: &[PathBuf], checks: Validation) -> Vec<String> {
    let [findings, with_parked_rows] = [usize::MAX, 0].map(|row_memory_bytes| {
        let checks = Validation { row_memory_bytes, ..checks };
        let reports = validate(&group_files(paths.to_vec()), checks, &|_| {}).unwrap();
        let prefix = format!("{}/", directory.path().display());
        let lines = reports.iter().flat_map(|report| {
            let path = report.path.display();
            report.findings.kept.iter().map(move |finding| format!("{path}: {finding}"))
        });
        lines.map(|line| line.replace(&prefix, "")).collect::<Vec<_>>()
    });
    assert_eq!(findings, with_parked_rows);
    findings
}

/// Returns the findings between the files of a data set.
pub(crate) fn between(documents: &[Value], checks: Validation) -> Vec<String> {
    let set = DataSet::new(documents);
    found(&set.directory, &set.located().files, checks)
}

pub(crate) fn entity(id: u64) -> Value {
    json!({"home": 0, "id": id, "migratable": true, "type": "object"})
}

fn by_sequence(sequence: u64, home: u64) -> Value {
    json!({"collection_id": 7, "home": home, "migratable": true, "seq_id": sequence, "type": "object"})
}

fn task(entity: &Value) -> Value {
    json!({"entity": entity, "node": 0, "resource": "cpu", "time": 0.5})
}

fn send(from: &Value, to: &Value) -> Value {
    json!({"bytes": 8.0, "from": from, "messages": 1, "to": to, "type": "SendRecv"})
}

pub(crate) fn phase(id: u64, entities: &[Value], communications: &[Value]) -> Value {
    let tasks: Vec<Value> = entities.iter().map(task).collect();
    json!({"communications": communications, "id": id, "tasks": tasks})
}

fn file(phases: &[Value]) -> Value {
    json!({"phases": phases})
}

/// Returns a file with one object in each phase, and metadata about phases.
fn placed(phases: &[(u64, u64)], skipped: &[[u64; 2]], identical: &[u64]) -> Value {
    let object = |id: u64| entity(packed_id(id, 0, true));
    let phases: Vec<Value> = phases.iter().map(|&(id, number)| phase(id, &[object(number)], &[])).collect();
    let declared = json!({
        "skipped": {"list": [], "range": skipped},
        "identical_to_previous": {"list": identical, "range": []},
    });
    json!({"metadata": {"phases": declared}, "phases": phases})
}

/// Phase 1 of the second file repeats its phase 0.
fn repeated(second_task: &Value) -> [Value; 2] {
    let of_phase =
        |id: u64, tasks: Value, entries: Value| json!({"id": id, "tasks": tasks, "communications": entries});
    let (first, second) = (entity(packed_id(1, 0, true)), entity(packed_id(2, 0, true)));
    let sent = json!([send(&first, &second)]);
    let lists =
        json!({"identical_to_previous": {"list": [1], "range": []}, "skipped": {"list": [], "range": []}});
    [
        json!({"phases": [of_phase(0, json!([task(&first)]), json!([])), of_phase(1, json!([task(&first), second_task]), sent)]}),
        json!({"metadata": {"phases": lists}, "phases": [of_phase(0, json!([task(&second)]), json!([]))]}),
    ]
}

#[test]
fn repeated_phases_have_the_objects_that_they_repeat() {
    let other = task(&entity(packed_id(3, 0, true)));
    assert_eq!(between(&repeated(&other), LINKS), [""; 0]);
    let twin = task(&entity(packed_id(2, 0, true)));
    let found = between(&repeated(&twin), FOR_VT).join("\n");
    assert!(found.contains("already has a task in phase 1: task"), "{found}");
}

/// The highest rank is 2^64 - 1, so the number of ranks would exceed 64 bits.
#[test]
fn the_largest_rank_in_a_name_does_not_overflow() {
    let set = DataSet::new(&[json!({"phases": []})]);
    let (first, last) = (set.file(0), set.directory.path().join(format!("d.{}.json", u64::MAX)));
    std::fs::copy(&first, &last).unwrap();
    let found = found(&set.directory, &[first, last], FOR_VT).join("\n");
    assert!(
        found.contains("the files of ranks 1-18446744073709551614 are missing before this one"),
        "{found}"
    );
}

#[test]
fn a_link_may_refer_to_any_file_of_the_set() {
    let (a, b) = (entity(7), entity(11));
    let sent = [send(&a, &b), send(&b, &a), send(&a, &a)];
    let first = file(&[phase(0, std::slice::from_ref(&a), &sent)]);
    let second = file(&[phase(0, &[b], &[])]);
    assert!(between(&[first.clone(), second], LINKS).is_empty());
    // Without the second file, object 11 has no task.
    let begin = r#"{"phases":[{"communications":["#.len() + 1;
    let next = begin + sent[0].to_string().len() + ",".len();
    let line = |column: usize, at: usize, key: &str| {
        format!(
            "d.0.json: line 1, column {column}, at /phases/0/communications/{at}: `{key}` is the object with id 11, which has no task in phase 0"
        )
    };
    assert_eq!(between(&[first], LINKS), [line(begin, 0, "to"), line(next, 1, "from")]);
}

/// Objects in another phase or with the other kind of number do not count. Ranks and blocks are not objects.
#[test]
fn a_link_refers_to_a_task_of_its_phase_and_kind() {
    let (packed, sequence) = (entity(7), by_sequence(7, 0));
    let node = json!({"id": 99, "type": "node"});
    let block = json!({"id": 98, "type": "shared_id"});
    let phases = [
        phase(0, std::slice::from_ref(&packed), &[send(&block, &node), send(&packed, &sequence)]),
        phase(3, std::slice::from_ref(&sequence), &[send(&node, &packed)]),
    ];
    let said = between(&[file(&phases)], LINKS);
    assert_eq!(said.len(), 2, "{said:?}");
    let expected =
        "at /phases/0/communications/1: `to` is the object with seq_id 7, which has no task in phase 0";
    assert!(said[0].ends_with(expected), "{}", said[0]);
    let expected =
        "at /phases/1/communications/0: `to` is the object with id 7, which has no task in phase 3";
    assert!(said[1].ends_with(expected), "{}", said[1]);
}

/// Plain and compressed documents with line breaks and an escape before the records.
#[test]
fn links_have_positions_in_their_documents() {
    let text = r#"{"phases":[{"user_defined":{"a":"\n\n\u00e9"},
"id":0,"tasks":[],"communications":[
{"bytes":1.0,"from":{"id":0,"type":"node"},"messages":1,"to":{"id":0,"type":"node"},"type":"x"},
  {"bytes":1.0,"from":{"id":1,"type":"object"},"messages":1,"to":{"id":0,"type":"node"},"type":"x"}]}]}"#;
    let directory = TempDir::new().unwrap();
    for (name, bytes) in
        [("a.json", text.as_bytes().to_vec()), ("b.json", lbaf_vom::compress(text.as_bytes(), 5))]
    {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let expected = "line 4, column 3, at /phases/0/communications/1: `from` is the object with id 1, which has no task in phase 0";
        assert_eq!(found(&directory, &[path], LINKS), [format!("{name}: {expected}")]);
    }
}

#[test]
fn the_first_findings_are_kept_and_all_are_counted() {
    let sent = vec![send(&entity(1), &entity(2)); 5];
    let wrong = json!({"a": 1, "phases": [phase(0, &[], &sent)]});
    let set = DataSet::new(&[wrong]);
    let checks = Validation { limit: 3, ..LINKS };
    let report = &validate(&group_files(set.located().files), checks, &|_| {}).unwrap()[0].findings;
    assert_eq!((report.kept.len(), report.n_errors, report.n_more()), (3, 11, 8));
    // In document order, whichever check found them.
    assert_eq!(report.kept[0].pointer.as_deref(), Some("/a"));
    assert_eq!(report.kept[2].pointer.as_deref(), Some("/phases/0/communications/0"));
}

#[test]
fn links_are_not_checked_if_a_file_cannot_be_read() {
    let first = file(&[phase(0, &[], &[send(&entity(1), &entity(2))])]);
    let said = between(&[first.clone(), json!({"phases": 5}), first, json!({"phases": 5})], LINKS);
    assert_eq!(
        said,
        [
            "d.1.json: line 1, column 11, at /phases: expected an array, found the integer 5",
            "d.1.json: warning: links between objects of this data set were not checked: this file \
             and 1 more cannot be read",
            "d.3.json: line 1, column 11, at /phases: expected an array, found the integer 5",
        ]
    );
}

#[test]
fn an_object_in_two_files_is_an_error() {
    // vt packs the `seq_id` and `home` of `twin` into the id of `packed`.
    let twin = by_sequence(5, 1);
    let packed = entity(packed_id(5, 1, true));
    let other = by_sequence(5, 0);
    let fixed = json!({"home": 0, "id": 1, "migratable": false, "type": "object"});
    let first = file(&[phase(0, &[fixed.clone(), twin], &[])]);
    let second = file(&[phase(0, &[other, fixed, packed], &[])]);
    let column = second.to_string().rfind(r#"{"entity""#).map(|offset| offset + 1).unwrap();
    let said = between(&[first, second], FOR_VT);
    let id = packed_id(5, 1, true);
    let expected = format!(
        "d.1.json: line 1, column {column}, at /phases/0/tasks/2: the object with vt's id {id} already has a task in phase 0: task 1 of d.0.json"
    );
    assert_eq!(said[0], expected);
    // `entity` states another home than the id.
    assert!(said.len() == 2 && said[1].contains("/entity/home: warning: "), "{said:?}");
}

#[test]
fn nothing_migrates_across_skipped_phases() {
    let lost = |object: &str, phases: &str| {
        format!(
            "{object} on another rank than before {phases} skipped; vt applies no migration across skipped phases"
        )
    };
    let exchanged = |skipped: &[[u64; 2]], identical: &[u64]| {
        let first = placed(&[(0, 1), (4, 2)], skipped, identical);
        let second = placed(&[(0, 2), (4, 1)], skipped, identical);
        let said = between(&[first, second], FOR_VT);
        assert_eq!(said.len() % 2, 0, "findings in both files or in none");
        said.first().map(|line| {
            assert!(
                line.starts_with("d.0.json: line 1, ") && line.contains("at /phases/1/tasks/0: "),
                "{line}"
            );
            line.split("tasks/0: ").nth(1).unwrap().to_owned()
        })
    };
    assert_eq!(exchanged(&[[1, 3]], &[]), Some(lost("this object is", "phases 1-3, which are")));
    assert_eq!(exchanged(&[[2, 2]], &[1, 3]), Some(lost("this object is", "phase 2, which is")));
    // Phases 1 to 3 are repeated, not skipped. The skipped phases 5 to 9 come after phase 4.
    assert_eq!(exchanged(&[[5, 9]], &[1, 2, 3]), None);
    let stays = placed(&[(0, 1), (4, 1)], &[[1, 3]], &[]);
    let comes = placed(&[(0, 2), (4, 3)], &[[1, 3]], &[]);
    let said = between(&[stays, comes], FOR_VT);
    assert!(said.len() == 1 && said[0].contains("warning: this object is new"), "{said:?}");
}

/// Non-migratable objects with the same id on several ranks are different objects.
#[test]
fn non_migratable_objects_with_one_id_on_a_rank() {
    let fixed = json!({"home": 0, "id": 1, "migratable": false, "type": "object"});
    let movable = |number: u64| entity(packed_id(number, 0, true));
    let twice = [movable(1), fixed.clone(), fixed.clone()];
    let other = [movable(2), fixed];
    let said = |checks: Validation| {
        let found = between(&[file(&[phase(0, &twice, &[])]), file(&[phase(0, &other, &[])])], checks);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("d.0.json: line 1, "), "{found:?}");
        found[0].split_once(", at ").unwrap().1.to_owned()
    };
    assert_eq!(
        said(FOR_VT),
        "/phases/0/tasks/2: the object with vt's id 1 already has a task in phase 0: task 1 of d.0.json"
    );
    assert_eq!(
        said(ALONE),
        "/phases/0/tasks/2: the object with id 1 of rank 0 has two tasks in phase 0; the other is task 1 of d.0.json"
    );
}

/// Reported without further checks too, because `read` refuses such files.
#[test]
fn an_object_on_two_ranks() {
    let twin = entity(packed_id(5, 2, true));
    let other = entity(packed_id(6, 2, true));
    let first = file(&[phase(0, from_ref(&twin), &[]), phase(1, from_ref(&twin), &[])]);
    let second = file(&[phase(0, from_ref(&other), &[]), phase(1, &[other, twin], &[])]);
    let said = between(&[first.clone(), second.clone()], ALONE);
    assert_eq!(said.len(), 1, "{said:?}");
    let expected = format!(
        "at /phases/1/tasks/1: the object with id {} has two tasks in phase 1; the other is task 0 of d.0.json",
        packed_id(5, 2, true)
    );
    assert!(said[0].starts_with("d.1.json: ") && said[0].ends_with(&expected), "{said:?}");
    let set = DataSet::new(&[first, second]);
    let loaded = lbaf_reader::load(&set.located().files, 0, &Request::default(), &|_| {}).unwrap();
    let sentence =
        duplicate_objects(&loaded).unwrap().replace(&format!("{}/", set.directory.path().display()), "");
    let id = packed_id(5, 2, true);
    assert_eq!(
        sentence,
        format!("phase 1: the object with id {id} has two tasks: task 0 of d.0.json and task 1 of d.1.json")
    );
    assert_eq!(duplicate_objects(&loaded[..1]), None);
}

/// The sequence number of one object may equal the packed id of another.
#[test]
fn numbers_of_two_kinds_identify_two_objects() {
    let documents = [file(&[phase(0, &[entity(7), by_sequence(7, 0)], &[])]), file(&[phase(0, &[], &[])])];
    assert_eq!(between(&documents, ALONE), [""; 0]);
}

/// Returns the messages of the checks between files, from the pointer on, without its first slash.
fn messages(documents: &[Value]) -> Vec<String> {
    let said = between(documents, FOR_VT);
    said.iter()
        .map(|line| line.rsplit_once(", at /").map_or(&line[..], |(_, rest)| rest).to_owned())
        .collect()
}

#[test]
fn a_sequence_number_whose_home_differs_in_the_next_phase() {
    let stays = [phase(0, &[by_sequence(1, 1)], &[]), phase(1, &[by_sequence(1, 1)], &[])];
    let moves = |home: u64| [phase(0, &[by_sequence(5, 0)], &[]), phase(1, &[by_sequence(5, home)], &[])];
    assert_eq!(messages(&[file(&moves(0)), file(&stays)]), [""; 0]);
    let said = messages(&[file(&moves(1)), file(&stays)]);
    let other_home = "phases/1/tasks/0: seq_id 5 has home 1 here but home 0 in phase 0; vt packs the seq_id and the home into the id, so it treats these as two objects";
    assert_eq!(said[0], other_home);
    assert!(said.len() == 2 && said[1].contains("warning: this object is new"), "{said:?}");
}

#[test]
fn an_endpoint_whose_home_differs_from_its_task() {
    let (here, there) = (by_sequence(1, 0), by_sequence(2, 1));
    let with = |end: &Value| {
        [file(&[phase(0, from_ref(&here), &[send(&here, end)])]), file(&[phase(0, from_ref(&there), &[])])]
    };
    assert_eq!(messages(&with(&there)), [""; 0]);
    // Objects without a task are unknown.
    assert_eq!(messages(&with(&by_sequence(3, 1))), [""; 0]);
    assert_eq!(
        messages(&with(&by_sequence(2, 0))),
        [
            "phases/0/communications/0: `to` has seq_id 2, home 0 and `migratable` true, but the task with this seq_id has home 1 and `migratable` true; vt treats these as two objects"
        ]
    );
}

#[test]
fn fewer_subphases_than_another_task_of_the_rank() {
    let [a, b, c] = [1, 2, 3].map(|number| entity(packed_id(number, 0, true)));
    let with = |entity: &Value, n: u64| {
        let subphases: Vec<Value> = (0..n).map(|id| json!({"id": id, "time": 0.25})).collect();
        let mut task = task(entity);
        task["subphases"] = json!(subphases);
        task
    };
    let of = |id: u64, tasks: Vec<Value>| json!({"id": id, "tasks": tasks});
    // `a` of the first rank is swapped with the object of the other rank.
    let files = |n: u64, most: u64| {
        [
            file(&[of(0, vec![with(&a, n), with(&b, most)]), of(1, vec![with(&b, 2), with(&c, 2)])]),
            file(&[of(0, vec![task(&c)]), of(1, vec![task(&a)])]),
        ]
    };
    assert_eq!(messages(&files(2, 2)), [""; 0]);
    // Object `b` does not migrate.
    let stays = "phases/0/tasks/1: warning: this object has fewer subphases (1) than another task of this rank (2); vt aborts if a balancer moves it";
    assert_eq!(messages(&files(2, 1)), [stays]);
    let goes = "phases/0/tasks/0: this object migrates to another rank after this phase, with fewer subphases (0) than another task of this rank (2); vt aborts on this; give all tasks of a rank the same number of subphases";
    assert_eq!(messages(&files(0, 2)), [goes]);
}

#[test]
fn ranks_that_end_at_different_phases() {
    let entries = |ids: &[u64]| ids.iter().map(|&id| (id, 1)).collect::<Vec<_>>();
    let of = |rank: u64, ids: &[u64], skipped: &[[u64; 2]]| {
        let mut placed = placed(&entries(ids), skipped, &[]);
        for phase in placed["phases"].as_array_mut().unwrap() {
            phase["tasks"][0]["entity"]["id"] = json!(packed_id(rank, 0, true));
        }
        placed
    };
    let ends = |one: Value, other: Value| messages(&[one, other]);
    let differs = |here: u64, there: u64| {
        format!(
            "d.1.json: the last phase, including phases without an entry, is {here} here and {there} in d.0.json; vt aborts \
             unless the last phase is the same on all ranks"
        )
    };
    assert_eq!(ends(of(0, &[0, 1], &[]), of(1, &[0, 1], &[])), [""; 0]);
    assert_eq!(ends(of(0, &[0, 1], &[]), of(1, &[0], &[])), [differs(0, 1)]);
    assert_eq!(ends(of(0, &[0, 1], &[]), of(1, &[0, 1], &[[2, 4]])), [differs(4, 1)]);
    assert_eq!(ends(of(0, &[0, 1], &[[2, 2]]), of(1, &[0, 1], &[[2, 2]])), [""; 0]);
}

/// These files can be valid, because applications create objects.
#[test]
fn objects_that_are_missing_in_the_previous_phase() {
    let with = |numbers: &[u64]| {
        let objects = |id: u64, numbers: &[u64]| {
            let objects: Vec<Value> =
                numbers.iter().map(|&number| entity(packed_id(number, 0, true))).collect();
            phase(id, &objects, &[])
        };
        [file(&[objects(0, &[1, 2]), objects(1, numbers)]), file(&[objects(0, &[3]), objects(1, &[3])])]
    };
    assert_eq!(messages(&with(&[2, 1])), [""; 0]);
    assert_eq!(messages(&with(&[2])), [""; 0], "vt leaves object 1 where it is");
    assert_eq!(
        messages(&with(&[1, 7])),
        [
            "phases/1/tasks/1: warning: this object is new: phase 0 does not contain it; vt places only objects of the previous phase; ignore this if the application creates it in this phase"
        ]
    );
    assert_eq!(
        messages(&with(&[1, 7, 8, 9])),
        [
            "phases/1/tasks/1: warning: this object and 2 more of this rank are new: phase 0 does not contain them; vt places only objects of the previous phase; ignore this if the application creates them in this phase"
        ]
    );
}

#[test]
fn vt_requires_a_file_for_each_rank() {
    let set = DataSet::new(&(0..5).map(|rank| placed(&[(0, rank)], &[], &[])).collect::<Vec<_>>());
    let mut files = set.located().files;
    files.remove(3);
    files.drain(..2);
    let missing = |rank: u32, ranks: &str| {
        format!("d.{rank}.json: the {ranks} missing before this one; vt reads one file for each rank")
    };
    assert_eq!(
        found(&set.directory, &files, FOR_VT),
        [missing(2, "files of ranks 0-1 are"), missing(4, "file of rank 3 is")]
    );
    assert!(
        found(&set.directory, from_ref(&files[1]), FOR_VT).is_empty(),
        "a single file need not be a complete data set"
    );
}

#[test]
fn data_files_and_other_entries_of_a_directory_are_listed() {
    let directory = TempDir::new().unwrap();
    for name in [
        "d.0.json",
        "d.1.out",
        "d.10.json",
        "x.json",
        "x.json.br",
        "x.vom",
        "notes.txt",
        "d.2.json~",
        ".d.0.json",
    ] {
        std::fs::write(directory.path().join(name), "").unwrap();
    }
    std::fs::create_dir(directory.path().join("d.7.json")).unwrap();
    let names = |suffix: Option<&str>| -> Vec<String> {
        let listing = list_directory(directory.path(), suffix).unwrap();
        assert_eq!(listing.data.len() + listing.others.len(), 10);
        let data = listing.data.iter();
        data.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        names(None),
        ["d.0.json", "d.1.out", "d.10.json", "d.2.json~", "x.json", "x.json.br", "x.vom"]
    );
    assert_eq!(names(Some("json")), ["d.0.json", "d.10.json", "x.json"]);
    assert_eq!(names(Some("vom")), ["x.vom"]);
}

/// Latin-1, as on old file systems: two names with the same display.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_located_listed_and_distinguished() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let directory = TempDir::new().unwrap();
    let stems = [b"gr\xf6\xdfe", b"gr\xf6\xe4e"].map(|stem| directory.path().join(OsStr::from_bytes(stem)));
    let files = stems.clone().map(|stem| [0, 1].map(|rank| lbaf_reader::file_of_rank(&stem, rank, "json")));
    files.iter().flatten().for_each(|file| std::fs::write(file, "").unwrap());
    for (stem, files) in stems.iter().zip(&files) {
        assert_eq!(lbaf_reader::locate(stem, None).unwrap().files, files);
    }
    let data = list_directory(directory.path(), None).unwrap().data;
    assert_eq!(data, files.as_flattened());
    let groups = group_files(data);
    assert_eq!(groups.iter().map(|group| group.files.len()).collect::<Vec<_>>(), [2, 2]);
}
