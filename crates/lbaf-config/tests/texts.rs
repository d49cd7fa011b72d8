// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations and studies from texts equal those from files.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::fs;
use std::path::Path;

use lbaf_config::yaml::{Node, Value};
use lbaf_config::{ConfigError, Layers, Overrides, StudyConfig, resolve};
use tempfile::TempDir;

const NAME: &str = "<dict>";

/// Configuration with a key of an older LBAF version and a relative path.
const RUN: &str = "from_data: {data_stem: data/x}\nfile_suffix: json\nalgorithm:\n  name: Greedy\nseed: 3\n";

const STUDY: &str = "base: base.yaml\nconfiguration: {algorithm: {name: Greedy}}\naxes:\n  seed: 0-2\n  \
                     algorithm.name: [Greedy, RandomLB]\n";

fn written(directory: &TempDir, name: &str, text: &str) -> std::path::PathBuf {
    let file = directory.path().join(name);
    fs::write(&file, text).unwrap();
    file
}

/// Returns keys and values without their places.
fn plain(node: &Node) -> String {
    match &node.value {
        Value::Sequence(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Mapping(entries) => {
            let entry =
                |entry: &lbaf_config::yaml::Entry| format!("{}: {}", entry.key.text, plain(&entry.value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn invalid<T>(result: Result<T, ConfigError>) -> String {
    match result {
        Err(ConfigError::Invalid(invalid)) => invalid.to_string(),
        Err(other) => panic!("expected an invalid configuration, found: {other}"),
        Ok(_) => panic!("expected an invalid configuration"),
    }
}

#[test]
fn texts_give_the_layers_of_files() {
    let directory = tempfile::tempdir().unwrap();
    let set = ["algorithm.name=RandomLB".to_owned(), "seed=5".to_owned()];
    let file = written(&directory, "run.yaml", RUN);
    let read = Layers::read(&[file], &set).unwrap();
    let parsed = Layers::of_text(NAME, RUN, directory.path(), &set).unwrap();
    assert_eq!(plain(&parsed.tree), plain(&read.tree));
    assert!(!parsed.notes.is_empty(), "`file_suffix` is an older key");
    assert_eq!(parsed.notes, read.notes);
    assert_eq!(parsed.path("data/x"), directory.path().join("data/x"));
    assert_eq!(parsed.path("data/x"), read.path("data/x"));
    let run = resolve(&parsed, &Overrides::default()).unwrap();
    assert_eq!(run.seed, 5);
    assert!(run.invocation.files.is_empty());
}

#[test]
fn texts_in_json_give_the_same_layers() {
    let json = r#"{"from_data": {"data_stem": "data/x"}, "file_suffix": "json",
                   "algorithm": {"name": "Greedy"}, "seed": 3}"#;
    let [yaml, json] = [RUN, json].map(|text| Layers::of_text(NAME, text, Path::new(""), &[]).unwrap());
    assert_eq!(plain(&json.tree), plain(&yaml.tree));
}

#[test]
fn global_files_are_not_read_for_texts() {
    let directory = tempfile::tempdir().unwrap();
    let global = written(&directory, "global.yaml", "seed: 7\n");
    let text = "from_data: {data_stem: data/x}\n";
    let file = written(&directory, "run.yaml", text);
    let read = Layers::read(&[file], &[]).unwrap();
    assert_eq!((read.global, read.tree.get("seed").is_some()), (Some(global), true));
    let parsed = Layers::of_text(NAME, text, directory.path(), &[]).unwrap();
    assert_eq!((parsed.global, parsed.tree.get("seed").is_some()), (None, false));
    assert!(parsed.files.is_empty());
}

/// The cases are invalid YAML, a repeated key, and an unknown name in the text and in an assignment of `--set`.
#[test]
fn errors_of_texts_differ_from_errors_of_files_only_in_the_name() {
    let directory = tempfile::tempdir().unwrap();
    let cases = [
        ("algorithm: [Greedy\n", None, ""),
        ("seed: 1\nseed: 2\n", None, "2:1: "),
        ("from_data: {data_stem: x}\nalgorithm: {name: Gready}\n", None, "2:19: "),
        ("from_data: {data_stem: x}\n\n  seed: 1\n", None, ""),
        ("from_data: {data_stem: x}\n", Some("algorithm.name=Gready"), "--set"),
    ];
    for (text, set, place) in cases {
        let set: Vec<String> = set.into_iter().map(str::to_owned).collect();
        let file = written(&directory, "run.yaml", text);
        let resolved = |layers: Layers| resolve(&layers, &Overrides::default());
        let expected = invalid(Layers::read(std::slice::from_ref(&file), &set).and_then(resolved));
        let message = invalid(Layers::of_text(NAME, text, directory.path(), &set).and_then(resolved));
        assert_eq!(message, expected.replace(&file.display().to_string(), NAME));
        let prefix = if place == "--set" { place.to_owned() } else { format!("{NAME}:{place}") };
        assert!(message.starts_with(&prefix), "{message}");
    }
}

#[test]
fn texts_give_the_studies_of_files() {
    let directory = tempfile::tempdir().unwrap();
    let base = written(&directory, "base.yaml", RUN);
    let file = written(&directory, "study.yaml", STUDY);
    let set = ["from_data.suffix=gz".to_owned()];
    let output_dir = Some(Path::new("results"));
    let read = StudyConfig::read(&file, &set, output_dir).unwrap();
    let parsed = StudyConfig::of_text(NAME, STUDY, directory.path(), &set, output_dir).unwrap();
    assert_eq!(parsed.file, Path::new(NAME));
    assert_eq!(parsed.output_dir, Path::new("results"));
    assert_eq!(parsed.base.files, [base]);
    assert_eq!(parsed.cells.len(), 6);
    assert_eq!(parsed.cells, read.cells);
    for cell in &read.cells {
        assert_eq!(parsed.labels(cell), read.labels(cell));
        let [expected, found] = [&read, &parsed].map(|study| study.layers(cell).unwrap());
        assert_eq!(plain(&found.tree), plain(&expected.tree));
        assert_eq!(found.path("data/x"), expected.path("data/x"));
    }
}

#[test]
fn studies_from_texts_need_an_output_directory() {
    let directory = tempfile::tempdir().unwrap();
    let text = "configuration: {from_data: {data_stem: x}}\naxes: {seed: 0-2}\n";
    let study = |text: &str, output_dir| StudyConfig::of_text(NAME, text, directory.path(), &[], output_dir);
    assert_eq!(
        invalid(study(text, None)),
        "<dict>: a study from a text needs a directory for its results; give `output_dir`"
    );
    let with_key = format!("{text}output_dir: results\n");
    assert_eq!(study(&with_key, None).unwrap().output_dir, directory.path().join("results"));
    let given = Path::new("given");
    assert_eq!(study(&with_key, Some(given)).unwrap().output_dir, given);
    assert!(study(text, Some(given)).unwrap().base.files.is_empty());
}

#[test]
fn errors_of_studies_from_texts_name_the_text() {
    let cases = [
        ("axes: {seed: 0-2}\nreport: {confidence: 2}\n", "2:22: "),
        ("configuration: 3\n", "1:16: "),
        ("axes: {seed: 0-2}\nreport: {problems: [data]}\n", "2:"),
    ];
    for (text, place) in cases {
        let directory = tempfile::tempdir().unwrap();
        let file = written(&directory, "study.yaml", text);
        let output_dir = Some(Path::new("results"));
        let expected = invalid(StudyConfig::read(&file, &[], output_dir));
        let message = invalid(StudyConfig::of_text(NAME, text, directory.path(), &[], output_dir));
        assert_eq!(message, expected.replace(&file.display().to_string(), NAME));
        assert!(message.starts_with(&format!("{NAME}:{place}")), "{message}");
    }
}
