// SPDX-License-Identifier: MIT OR Apache-2.0
//! Agreement of files with their names and with each other, by the rules of readers.

use serde_json::{Value, json};

use crate::validation::{ALONE, between, entity, phase};

#[test]
fn phases_of_other_files_and_ranks_of_other_names_are_reported() {
    let file = |rank: u64, phases: &[u64], lists: Value| {
        let phases: Vec<Value> = phases.iter().map(|&id| phase(id, &[entity(8 * id + rank)], &[])).collect();
        json!({"metadata": {"type": "LBDatafile", "rank": rank, "phases": lists}, "phases": phases})
    };
    let lists = |skipped: [u64; 2], identical: &[u64]| {
        let skipped = if skipped == [0, 0] { json!([]) } else { json!([skipped]) };
        json!({"count": 3, "skipped": {"list": [], "range": skipped}, "identical_to_previous": {"list": identical, "range": []}})
    };
    let none = lists([0, 0], &[]);
    let refused = "in other files of the data set, but not in this one; most commands refuse such data";
    let set =
        [file(0, &[0, 1, 2], none.clone()), file(1, &[0], none.clone()), file(2, &[0, 2], none.clone())];
    let expected = [
        format!("d.1.json: warning: phases 1-2 are {refused}"),
        format!("d.2.json: warning: phase 1 is {refused}"),
    ];
    assert_eq!(between(&set, ALONE), expected);
    let identical = file(1, &[0], lists([0, 0], &[1, 2]));
    assert_eq!(between(&[set[0].clone(), identical], ALONE), [""; 0]);
    // Readers refuse a phase that repeats nothing, and one that is listed as identical on another rank alone.
    let repeats = file(1, &[2], lists([0, 0], &[1]));
    assert_eq!(
        between(&[set[0].clone(), repeats.clone()], ALONE),
        [format!("d.1.json: warning: phases 0-1 are {refused}")]
    );
    assert_eq!(
        between(&[file(0, &[0], lists([0, 0], &[1])), file(1, &[0], none.clone())], ALONE),
        [format!("d.1.json: warning: phase 1 is {refused}")]
    );
    let skipped = file(1, &[0], lists([1, 2], &[]));
    assert_eq!(
        between(&[set[0].clone(), skipped], ALONE),
        [format!("d.1.json: warning: phases 1-2 are {refused}")]
    );
    assert_eq!(
        between(&[file(0, &[0], none.clone()), file(7, &[0], none)], ALONE),
        ["d.1.json: warning: the metadata state rank 7; other commands use rank 1 of the file name"]
    );
}
