// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the files of a stem.

use std::path::PathBuf;
use std::sync::Mutex;

use lbaf_reader::{ReadError, Request, file_of_rank, locate, read};
use serde_json::json;
use tempfile::TempDir;

use crate::data_set::{DataSet, task};

/// Locates a stem among empty files with these names. Returns file names or the error, without the directory.
fn found(names: &[&str], stem: &str, suffix: Option<&str>) -> Result<Vec<String>, String> {
    let directory = TempDir::new().unwrap();
    for name in names {
        std::fs::write(directory.path().join(name), "").unwrap();
    }
    let prefix = format!("{}/", directory.path().display());
    let short = |text: String| text.replace(&prefix, "");
    let located = locate(&directory.path().join(stem), suffix).map_err(|error| short(error.to_string()))?;
    Ok(located.files.iter().map(|path| short(path.display().to_string())).collect())
}

fn names(expected: &[&str]) -> Vec<String> {
    expected.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn ranks_are_in_numerical_order() {
    let all: Vec<String> = (0..12).map(|rank| format!("d.{rank}.json")).collect();
    let mut shuffled: Vec<&str> = all.iter().map(String::as_str).collect();
    shuffled.rotate_left(5);
    assert_eq!(found(&shuffled, "d", None), Ok(all));
}

#[test]
fn a_stem_that_is_a_prefix_of_another_selects_its_own_files_only() {
    let files = [
        "toy_mem.0.json",
        "toy_mem.1.json",
        "toy_mem_optimal.0.json",
        "toy_mem.yaml",
        "toy_mem.json",
        "toy_mem.0",
        "toy_mem..json",
        "toy_mem.a.0.json",
        "toy_mem.1x.json",
        "atoy_mem.0.json",
    ];
    assert_eq!(found(&files, "toy_mem", None), Ok(names(&["toy_mem.0.json", "toy_mem.1.json"])));
    assert_eq!(found(&files, "toy_mem_optimal", None), Ok(names(&["toy_mem_optimal.0.json"])));
    // A stem may contain dots.
    assert_eq!(found(&files, "toy_mem.a", None), Ok(names(&["toy_mem.a.0.json"])));
}

#[test]
fn the_only_suffix_is_selected() {
    for suffix in ["json", "json.br", "vom", "out"] {
        let name = format!("d.0.{suffix}");
        assert_eq!(found(&[&name], "d", None), Ok(vec![name.clone()]));
    }
}

#[test]
fn one_of_several_suffixes_must_be_chosen() {
    let files = ["d.0.json", "d.0.json.br", "d.1.json.br", "d.0.vom"];
    let about = "files with several suffixes match d (json, json.br, vom); choose one with `suffix` under `from_data` or with --suffix";
    assert_eq!(found(&files, "d", None), Err(about.to_owned()));
    assert_eq!(found(&files, "d", Some("json")), Ok(names(&["d.0.json"])));
    assert_eq!(found(&files, "d", Some("json.br")), Ok(names(&["d.0.json.br", "d.1.json.br"])));
    let about = "no file for the stem d: expected d.0.out, d.1.out, ...; the stem is the path up to the rank";
    assert_eq!(found(&files, "d", Some("out")), Err(about.to_owned()));
}

#[test]
fn a_missing_rank_is_reported() {
    let about = |rank: usize, last: usize| {
        Err(format!(
            "rank {rank} has no file: d.{rank}.json is missing, but rank {last} has a file; every rank must have one"
        ))
    };
    assert_eq!(found(&["d.0.json", "d.1.json", "d.3.json", "d.7.json"], "d", None), about(2, 7));
    assert_eq!(found(&["d.1.json"], "d", None), about(0, 1));
}

#[test]
fn padded_numbers_are_refused() {
    let about = "d.01.json: the rank number has leading zeros; rename the file";
    assert_eq!(found(&["d.0.json", "d.01.json"], "d", None), Err(about.to_owned()));
    assert_eq!(found(&["d.0.json", "d.1.json"], "d", None), Ok(names(&["d.0.json", "d.1.json"])));
}

#[test]
fn padded_numbers_with_an_unselected_suffix_are_ignored() {
    let files = ["d.0.json", "d.00.png"];
    assert_eq!(found(&files, "d", Some("json")), Ok(names(&["d.0.json"])));
}

#[test]
fn the_error_without_files_lists_the_expected_names() {
    let about =
        "no file for the stem d: expected d.0.json, d.1.json, ...; the stem is the path up to the rank";
    assert_eq!(found(&["e.0.json"], "d", None), Err(about.to_owned()));
    let gone = TempDir::new().unwrap().path().join("gone");
    match locate(&gone.join("d"), None) {
        Err(ReadError::NoDirectory { path }) => assert_eq!(path, gone),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_file_name_of_a_rank_is_not_padded() {
    let path = file_of_rank(&PathBuf::from("a.b/d.x"), 10, "json.br");
    assert_eq!(path, PathBuf::from("a.b/d.x.10.json.br"));
}

/// The test runs itself again as a program without a directory for temporary files. With no rows in memory, the
/// program cannot read the data.
#[test]
fn a_missing_directory_for_temporary_files_is_an_error() {
    const ITSELF: &str = "files::a_missing_directory_for_temporary_files_is_an_error";
    const DATA: &str = "LBAF_TEST_DATA";
    if let Some(directory) = std::env::var_os(DATA) {
        let files = locate(&PathBuf::from(directory).join("d"), None).unwrap().files;
        let visit = |row_memory_bytes| {
            let request = Request { row_memory_bytes, ..Request::default() };
            lbaf_reader::visit(&files, &request, &|_| {}, &|data, _| data.n_objects())
        };
        assert_eq!(visit(usize::MAX).unwrap().results, [1]);
        panic!("{}", visit(0).unwrap_err());
    }
    let data = DataSet::new(&[json!({"phases": [{"id": 0, "tasks": [task(3, 1.0)]}]})]);
    let gone = data.directory.path().join("gone");
    let said = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", ITSELF, "--nocapture"])
        .env(DATA, data.directory.path())
        .env("TMPDIR", &gone)
        .output()
        .unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    let expected = format!("temporary file in {}: ", gone.display());
    assert!(said.contains(&expected) && said.contains("; `TMPDIR` selects another directory"), "{said}");
}

#[test]
fn the_error_of_the_lowest_rank_is_returned_and_every_file_is_counted() {
    let good = json!({"phases": []});
    let data = DataSet::new(&[good.clone(), json!({"phases": 1}), good, json!({"phases": 3})]);
    let done = Mutex::new(Vec::new());
    let error = read(&data.located().files, &Request::default(), &|n| done.lock().unwrap().push(n));
    match error {
        Err(ReadError::Content { path, .. }) => assert_eq!(path, data.file(1)),
        other => panic!("{other:?}"),
    }
    let mut done = done.into_inner().unwrap();
    done.sort_unstable();
    assert_eq!(done, [1, 2, 3, 4]);
    let about = "d.1.json: line 1, column 11, at /phases: expected an array, found 1";
    assert_eq!(data.error(), about);
}
