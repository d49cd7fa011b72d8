// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examples in the documentation of the formats, unchanged.

use std::path::Path;

use crate::{check, lines};

fn findings(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/documents");
    let raw = std::fs::read(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    lines(&check(&raw).findings.kept)
}

/// Examples of complete files of their generation.
#[test]
fn first_examples_are_valid() {
    for name in ["node-lb-data-1.json", "node-lb-data-seq-id-1.json"] {
        assert_eq!(findings(name), "", "{name}");
    }
}

/// Examples of communications alone: their phases have no number and no tasks.
#[test]
fn second_examples_are_parts_of_files() {
    let missing = |line: u32, column: u32| {
        let place = format!("line {line}, column {column}, at /phases/0: expected the key");
        format!(
            "{place} `id` with an integer, found no such key\n{place} `tasks` with an array, found no such key"
        )
    };
    assert_eq!(findings("node-lb-data-2.json"), missing(3, 9));
    assert_eq!(findings("node-lb-data-seq-id-2.json"), missing(1, 15));
}

/// NodeStats files do not state `migratable`.
#[test]
fn node_stats_have_no_migratable() {
    let first = findings("node-stats-1.json");
    let missing = "/entity: expected the key `migratable` with true or false, found no such key";
    // Two tasks in the first phase, one in the second.
    assert_eq!(first.lines().count(), 3, "{first}");
    assert!(first.lines().all(|line| line.ends_with(missing)), "{first}");
    let tasks = "line 3, column 9, at /phases/0: expected the key `tasks` with an array, found no such key";
    assert_eq!(findings("node-stats-2.json"), tasks);
}
