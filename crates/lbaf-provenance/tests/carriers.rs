// SPDX-License-Identifier: MIT OR Apache-2.0
//! Databases are read in every text form that Chimbuko provides.

use std::fs;
use std::path::{Path, PathBuf};

use lbaf_provenance::record::{Collection, GpuParent, ModelRecord};
use lbaf_provenance::{Database, IgnoredReason, ProvenanceError, Read, flat, read, tree};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Reads a database without complaints.
fn clean(name: &str) -> Read {
    let read = read(&data(name)).expect("a database");
    assert_eq!(read.complaints, [], "{name}");
    read
}

fn counts(database: &Database) -> [usize; 6] {
    Collection::ALL.map(|collection| database.n_records(collection))
}

fn names(database: &Database) -> [Vec<&str>; 2] {
    [&database.anomalies, &database.normalexecs]
        .map(|events| events.iter().map(|event| event.record.event_id.as_str()).collect())
}

/// Returns every file below a directory, with its relative path.
fn files_below(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(directory).expect("it is below").to_owned();
                files.push((name, fs::read(&path).expect("a file")));
            }
        }
    }
    files.sort();
    files
}

/// Returns files as text, for a readable difference.
fn texts(files: &[(PathBuf, Vec<u8>)]) -> Vec<(&Path, &str)> {
    files.iter().map(|(path, bytes)| (path.as_path(), std::str::from_utf8(bytes).expect("text"))).collect()
}

fn written(files: &[(PathBuf, Vec<u8>)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, bytes) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory above")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }
    directory
}

#[test]
fn a_tree_is_read_and_written_byte_for_byte() {
    let found = clean("exchange");
    assert_eq!(counts(&found.database), [4, 1, 5, 3, 1, 1]);
    assert_eq!(found.files.len(), 11);
    assert_eq!(found.ignored, []);
    let mut files = tree(&found.database);
    let again = written(&files);
    files.sort();
    assert_eq!(texts(&files), texts(&files_below(&data("exchange"))));
    let mut second = tree(&read(again.path()).expect("a database").database);
    second.sort();
    assert_eq!(second, files);
}

#[test]
fn a_tree_does_not_depend_on_the_order_of_events_and_metadata() {
    let Read { mut database, .. } = clean("exchange");
    let files = tree(&database);
    database.anomalies.reverse();
    database.metadata.reverse();
    assert_eq!(tree(&database), files);
}

#[test]
fn arrays_are_read_and_written_byte_for_byte() {
    let found = clean("flat");
    let reasons: Vec<_> = found
        .ignored
        .iter()
        .map(|ignored| (ignored.file.file_name().and_then(|name| name.to_str()), ignored.reason))
        .collect();
    assert_eq!(
        reasons,
        [
            (Some("global_model.json"), IgnoredReason::ServerModel),
            (Some("provdb.0.unqlite"), IgnoredReason::BinaryDatabase),
            (Some("pserver_output_stats_3.json"), IgnoredReason::VisualizationStream),
            (Some("readme.md"), IgnoredReason::Name),
            (Some("settings.json"), IgnoredReason::Content),
        ]
    );
    for (name, bytes) in flat(&found.database) {
        let expected = fs::read(data("flat").join(&name)).expect("a file");
        assert_eq!(String::from_utf8(bytes), String::from_utf8(expected), "{}", name.display());
    }
    // Both forms contain the same records, but functions in another order.
    let mut files = tree(&clean("exchange").database);
    let mut from_arrays = tree(&found.database);
    files.retain(|(name, _)| !name.ends_with("global_func_stats.json"));
    from_arrays.retain(|(name, _)| !name.ends_with("global_func_stats.json"));
    assert_eq!(from_arrays, files);
}

#[test]
fn functions_come_in_the_order_of_their_severity() {
    let files = flat(&clean("exchange").database);
    let (_, bytes) = files.iter().find(|(name, _)| name.ends_with("func_stats.json")).expect("statistics");
    let records: Vec<serde_json::Value> = serde_json::from_slice(bytes).expect("JSON");
    let order: Vec<_> = records.iter().map(|record| (&record["__id"], &record["fname"])).collect();
    let expected = serde_json::json!([[0, "recv_halo"], [1, "send_halo"], [2, "solve"]]);
    assert_eq!(serde_json::to_value(order).expect("JSON"), expected);
}

#[test]
fn a_file_of_one_collection_is_a_database() {
    assert_eq!(counts(&clean("flat/anomalies.json").database), [4, 0, 0, 0, 0, 0]);
    assert_eq!(counts(&clean("exchange/global_func_stats.json").database), [0, 0, 0, 3, 0, 0]);
}

#[test]
fn lines_are_distinguished_by_their_fields() {
    let found = clean("single/lines.jsonl");
    assert_eq!(counts(&found.database), [1, 1, 1, 1, 1, 1]);
    assert_eq!(names(&found.database), [vec!["0:0:1"], vec!["0:0:2"]]);
}

#[test]
fn an_object_of_arrays_names_its_collections() {
    assert_eq!(counts(&clean("single/one_object.json").database), [2, 0, 2, 3, 0, 0]);
}

#[test]
fn outputs_of_shards_are_combined() {
    let found = clean("single/execute_anomalies.json");
    assert_eq!(names(&found.database), [vec!["0:0:1", "0:1:4", "1:0:1"], vec![]]);
    // One key is the name of a collection. Under the other key, the fields of a record determine its collection.
    let found = clean("single/execute.json");
    assert_eq!(names(&found.database), [vec!["0:0:1", "1:1:7"], vec!["0:0:2"]]);
}

#[test]
fn preceding_output_of_a_tool_is_skipped() {
    let found = clean("single/anomalies_of_shards.txt");
    assert_eq!(names(&found.database), [vec!["0:0:1", "0:1:4"], vec![]]);
}

#[test]
fn records_may_be_strings_of_an_array() {
    let found = clean("single/quoted_anomalies.json");
    assert_eq!(names(&found.database), [vec!["0:0:1", "0:1:4"], vec![]]);
}

#[test]
fn every_version_of_records_is_read() {
    let Read { database, .. } = clean("versions");
    let old = &database.normalexecs[0].record;
    assert_eq!((old.version, old.is_gpu_event), (1, false));
    let Some(ModelRecord::Histogram { histogram, .. }) = &old.algo_params else {
        panic!("{:?}", old.algo_params)
    };
    assert_eq!((histogram.counts.as_slice(), histogram.width), ([1, 2].as_slice(), 50.0));

    let event = &database.anomalies[0].record;
    assert_eq!((event.version, event.entry, event.exit), (2, 150, 260));
    assert!(matches!(&event.gpu_parent, Some(GpuParent::Unknown(why)) if why.starts_with("Chimbuko error")));
    assert_eq!((event.outlier_score, event.hostname.as_str()), (-1.0, ""));
    assert!(event.call_stack.is_empty() && event.event_window.exec_window.is_empty());

    let legacy = &database.func_stats[0].record;
    assert_eq!(legacy.fname, "solve");
    assert_eq!(legacy.anomaly_metrics.as_ref().map(|metrics| metrics.anomaly_count.accumulate), Some(6.0));
    let unknown = &database.func_stats[1].record;
    assert!(unknown.anomaly_metrics.is_none() && unknown.runtime_profile.is_none());
    // Records of any version keep their fields.
    let text = flat(&database).into_iter().map(|(_, bytes)| String::from_utf8(bytes).expect("text"));
    let text: String = text.collect();
    assert!(
        text.contains("Histogram Bin Edges")
            && text.contains("\"inclusive\"")
            && !text.contains("\"version\": 1")
    );
}

#[test]
fn other_files_are_refused() {
    let error = read(&data("absent")).expect_err("nothing is there");
    assert!(matches!(error, ProvenanceError::Unreadable { .. }), "{error}");

    let directory = written(&[("notes.md".into(), b"-".into()), ("a/x.json".into(), b"{\"a\": 1}".into())]);
    let error = read(directory.path()).expect_err("no file of a database");
    assert!(matches!(error, ProvenanceError::NoDatabase { n_ignored: 2, .. }), "{error}");

    let error = read(&directory.path().join("a/x.json")).expect_err("no record").to_string();
    assert!(error.contains("line 1, column 1: the collection of this record is unknown"), "{error}");
}

/// The binary database is the argument, has another name, or is the only file of a directory.
#[test]
fn the_message_explains_how_to_read_the_binary_database() {
    let file = |name: &str| (name.into(), b"unqlite\0\0".to_vec());
    let directory =
        written(&[file("provdb.0.unqlite"), file("other/provdb.global.unqlite"), file("dump.json")]);
    for name in ["provdb.0.unqlite", "dump.json", "other"] {
        let error = read(&directory.path().join(name)).expect_err("a binary file");
        let said = error.to_string();
        assert!(matches!(error, ProvenanceError::BinaryDatabase { .. }), "{said}");
        assert!(said.contains(if name == "other" { "provdb.global.unqlite is the" } else { name }), "{said}");
        let command = "`provdb_query performance_analysis filter anomalies DUMP > anomalies.json`";
        assert!(said.contains(command) && said.contains("replace `filter` by `filter-global`"), "{said}");
    }
}
