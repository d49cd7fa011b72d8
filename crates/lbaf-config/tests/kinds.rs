// SPDX-License-Identifier: MIT OR Apache-2.0
//! A list in place of a mapping is an error in every section, and so is a mapping in place of a list.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lbaf_reader::read_file;

use lbaf_config::yaml::{self, Node, Value};
use lbaf_config::{Layers, Overrides, resolve};

const CONFIGURATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs");

/// Sections of `default.yaml` that are commented out.
const SECTIONS: [&str; 4] = ["from_samplers", "visualization", "denoise", "machine"];

/// Returns the text of `default.yaml` with all [`SECTIONS`] enabled.
fn with_sections(text: &str) -> String {
    let mut out = String::new();
    let mut inside = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let content = line.trim_start().strip_prefix("# ");
        let opens = SECTIONS.iter().any(|key| content == Some(&format!("{key}:")));
        if opens {
            inside = Some(indent);
        } else if !content.is_some_and(|content| content.starts_with("  ")) {
            inside = None;
        }
        match (inside, content) {
            (Some(_), Some(content)) => writeln!(out, "{}{content}", " ".repeat(indent)).unwrap(),
            // `denoise` occurs twice: as `false`, and as a commented section.
            _ if line == "denoise: false" => {}
            _ => writeln!(out, "{line}").unwrap(),
        }
    }
    out
}

/// Collects the paths of all values below the root with `is_one`. Positions in lists count as keys.
fn paths(node: &Node, path: &str, is_one: fn(&Value) -> bool, found: &mut Vec<String>) {
    if is_one(&node.value) && !path.is_empty() {
        found.push(path.to_owned());
    }
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        Value::Mapping(entries) => {
            for entry in entries {
                paths(&entry.value, &below(&entry.key.text), is_one, found);
            }
        }
        Value::Sequence(items) => {
            for (at, item) in items.iter().enumerate() {
                paths(item, &below(&at.to_string()), is_one, found);
            }
        }
        _ => {}
    }
}

fn at<'a>(node: &'a mut Node, path: &str) -> &'a mut Node {
    path.split('.').fold(node, |node, key| match &mut node.value {
        Value::Mapping(entries) => &mut entries.iter_mut().find(|entry| entry.key.text == key).unwrap().value,
        Value::Sequence(items) => &mut items[key.parse::<usize>().unwrap()],
        _ => panic!("no value at {path}"),
    })
}

/// Changes the value at a path. Returns the error of the configuration, and the line and column of the value.
fn refusal(layers: &Layers, path: &str, change: impl FnOnce(Value) -> Value) -> (String, String) {
    let mut layers = layers.clone();
    let node = at(&mut layers.tree, path);
    let place = format!(":{}:{}: ", node.place.line, node.place.column);
    node.value = change(std::mem::replace(&mut node.value, Value::Null));
    let error = resolve(&layers, &Overrides::default()).err();
    (error.map_or_else(|| panic!("{path} is accepted"), |error| error.to_string()), place)
}

/// Returns all configurations in `configs`, and `default.yaml` with all sections, for recorded and for synthetic data.
fn configurations() -> Vec<(String, Layers)> {
    let directory = tempfile::tempdir().unwrap();
    let text =
        String::from_utf8(read_file(Path::new(&format!("{CONFIGURATIONS}/default.yaml"))).unwrap()).unwrap();
    let all = directory.path().join("all.yaml");
    fs::write(&all, with_sections(&text)).unwrap();
    let files = fs::read_dir(CONFIGURATIONS).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|suffix| suffix == "yaml")).collect();
    files.sort();
    files.push(all);
    let mut configurations: Vec<(String, Layers)> =
        files.into_iter().map(|file| (file.display().to_string(), Layers::alone(&file).unwrap())).collect();
    // A configuration may have only one of `from_data` and `from_samplers`.
    let (file, mut read) = configurations.pop().unwrap();
    let mut drawn = read.clone();
    drawn.tree.take("from_data").unwrap();
    read.tree.take("from_samplers").unwrap();
    configurations.extend([(format!("{file}, read"), read), (format!("{file}, drawn"), drawn)]);
    configurations
}

#[test]
fn a_list_of_values_is_refused_wherever_keys_are_expected() {
    let mut n = 0;
    for (file, layers) in configurations() {
        let mut found = Vec::new();
        paths(&layers.tree, "", |value| matches!(value, Value::Mapping(_)), &mut found);
        for path in &found {
            let (error, place) = refusal(&layers, path, |value| match value {
                Value::Mapping(entries) => {
                    Value::Sequence(entries.into_iter().map(|entry| entry.value).collect())
                }
                _ => unreachable!(),
            });
            assert!(error.contains("found a list"), "{file}: {path}: {error}");
            assert!(error.contains(&place), "{file}: {path}: {error}");
            n += 1;
        }
        if file.ends_with(", drawn") {
            for section in SECTIONS {
                assert!(found.iter().any(|path| path.ends_with(section)), "{section} in {found:?}");
            }
        }
    }
    assert!(n > 100, "{n}");
}

#[test]
fn a_mapping_is_refused_wherever_a_list_is_expected() {
    let mut n = 0;
    for (file, layers) in configurations() {
        let mut found = Vec::new();
        paths(&layers.tree, "", |value| matches!(value, Value::Sequence(_)), &mut found);
        for path in &found {
            let (error, place) = refusal(&layers, path, |value| match value {
                Value::Sequence(items) => {
                    let entry = |(at, value): (usize, Node)| {
                        let key = yaml::Key { text: at.to_string(), place: value.place };
                        yaml::Entry { key, value }
                    };
                    Value::Mapping(items.into_iter().enumerate().map(entry).collect())
                }
                _ => unreachable!(),
            });
            assert!(error.contains("found a mapping"), "{file}: {path}: {error}");
            assert!(error.contains(&place), "{file}: {path}: {error}");
            n += 1;
        }
    }
    assert!(n > 20, "{n}");
}
