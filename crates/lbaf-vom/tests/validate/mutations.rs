// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single changes to a valid document, with the verdict that follows from the documentation of the formats.

use serde_json::{Value, json};

use crate::document::{data_file, removed, set, statistics_file};
use crate::{check, verdict};

const ACCEPTED: bool = true;
const REFUSED: bool = false;

/// Pointer, new value (empty to remove it), verdict, and reason.
const DATA_FILE: &[(&str, &str, bool, &str)] = &[
    // Top level of the document.
    ("/phases", "", REFUSED, "'phases' is not optional"),
    ("/phases", "[]", ACCEPTED, "an empty list is a list"),
    ("/phases", "{}", REFUSED, "a dictionary is not a list"),
    ("/phases", "null", REFUSED, "null is not a list"),
    ("/phases/0", "{}", REFUSED, "a phase has 'id' and 'tasks'"),
    ("/phases/0", "[]", REFUSED, "a phase is a dictionary"),
    ("/phases/0", r#"{"id": 0, "tasks": []}"#, ACCEPTED, "all else is optional"),
    ("/phases/0", r#"{"id": 0}"#, REFUSED, "'tasks' is not optional"),
    ("/phases/0", r#"{"tasks": []}"#, REFUSED, "'id' is not optional"),
    ("/type", r#""LBDatafile""#, ACCEPTED, "the type itself"),
    ("/type", r#""lbdatafile""#, REFUSED, "another word"),
    ("/type", r#""LBStatsfile""#, REFUSED, "the schema of statistics files applies, which has no tasks"),
    ("/type", "1", REFUSED, "And(str, ..)"),
    ("/type", "", ACCEPTED, "optional, and metadata state the type too"),
    ("/version", "1", REFUSED, "unknown key"),
    // Metadata.
    ("/metadata", "{}", ACCEPTED, "all of it is optional"),
    ("/metadata", "[]", REFUSED, "a list is not a dictionary"),
    ("/metadata/type", r#""LBStatsfile""#, REFUSED, "'LBDatafile' must be chosen"),
    ("/metadata/rank", "0.0", REFUSED, "a float is not an int"),
    ("/metadata/rank", "true", REFUSED, "a bool is not an int"),
    ("/metadata/rank", "-1", ACCEPTED, "int has no rule on the sign"),
    ("/metadata/rank_alpha", "1", REFUSED, "an int is not a float"),
    ("/metadata/rank_alpha", "0.0", ACCEPTED, "a float"),
    ("/metadata/shared_node", "{}", REFUSED, "its four keys are not optional"),
    ("/metadata/shared_node/size", "1.0", REFUSED, "a float is not an int"),
    ("/metadata/shared_node/name", r#""n1""#, REFUSED, "unknown key"),
    ("/metadata/phases", "{}", REFUSED, "'skipped' is not optional"),
    ("/metadata/phases/count", "", ACCEPTED, "optional"),
    ("/metadata/phases/skipped", "[]", REFUSED, "a dictionary with 'list' and 'range'"),
    ("/metadata/phases/skipped/list", "[1, 2.0]", REFUSED, "[int]: each of them"),
    ("/metadata/phases/skipped/range", "[1, 2]", REFUSED, "[[int]]: lists of lists"),
    ("/metadata/phases/skipped/range", "[[1, 2, 3]]", ACCEPTED, "[int] has any length"),
    ("/metadata/phases/skipped/range", r#"[["1", "2"]]"#, REFUSED, "[[int]]"),
    ("/metadata/attributes", r#"{"a": {"b": [null, 1.5]}}"#, ACCEPTED, "dict: any content"),
    ("/metadata/attributes", "[]", REFUSED, "a list is not a dict"),
    ("/metadata/hostname", r#""n1""#, REFUSED, "unknown key"),
    // Phases.
    ("/phases/0/id", "0.0", REFUSED, "a float is not an int"),
    ("/phases/0/id", r#""0""#, REFUSED, "a string is not an int"),
    ("/phases/0/id", "false", REFUSED, "a bool is not an int"),
    ("/phases/0/tasks", "null", REFUSED, "a list"),
    ("/phases/0/tasks", "[[]]", REFUSED, "a list of dictionaries"),
    ("/phases/0/communications", "{}", REFUSED, "a list"),
    ("/phases/0/communications", "", ACCEPTED, "optional"),
    ("/phases/0/communications", "[]", ACCEPTED, "an empty list is a list"),
    ("/phases/0/user_defined", "1", REFUSED, "a dict"),
    ("/phases/0/lb_iterations", "[]", ACCEPTED, "an empty list is a list"),
    ("/phases/0/lb_iterations/0", r#"{"id": 1, "tasks": []}"#, ACCEPTED, "all else is optional"),
    ("/phases/0/lb_iterations/0", r#"{"id": 1}"#, REFUSED, "'tasks' is not optional"),
    ("/phases/0/lb_iterations/0/lb_iterations", "[]", REFUSED, "no such key in an iteration"),
    ("/phases/0/lb_iterations/0/tasks/0/time", "1", REFUSED, "the same schema as for tasks of phases"),
    // Tasks.
    ("/phases/0/tasks/0/time", "1", REFUSED, "an int is not a float"),
    ("/phases/0/tasks/0/time", "1e3", ACCEPTED, "Python reads an exponent as a float"),
    ("/phases/0/tasks/0/time", "-1.0", ACCEPTED, "float has no rule on the sign"),
    ("/phases/0/tasks/0/time", r#""1.0""#, REFUSED, "a string is not a float"),
    ("/phases/0/tasks/0/time", "null", REFUSED, "null is not a float"),
    ("/phases/0/tasks/0/time", "", REFUSED, "not optional"),
    ("/phases/0/tasks/0/node", "", REFUSED, "not optional"),
    ("/phases/0/tasks/0/node", "0.0", REFUSED, "a float is not an int"),
    ("/phases/0/tasks/0/resource", "", REFUSED, "not optional"),
    ("/phases/0/tasks/0/resource", r#""gpu""#, ACCEPTED, "any str"),
    ("/phases/0/tasks/0/resource", "0", REFUSED, "an int is not a str"),
    ("/phases/0/tasks/0/subphases", "", ACCEPTED, "optional"),
    ("/phases/0/tasks/0/subphases/0/time", "0", REFUSED, "an int is not a float"),
    ("/phases/0/tasks/0/subphases/0/load", "1.0", REFUSED, "unknown key"),
    ("/phases/0/tasks/0/user_defined", r#"{"shared_id": 1}"#, ACCEPTED, "dict: any content"),
    ("/phases/0/tasks/0/user_defined", r#""text""#, REFUSED, "a str is not a dict"),
    ("/phases/0/tasks/0/entity", "", REFUSED, "not optional"),
    ("/phases/0/tasks/0/entity", "262147", REFUSED, "an int is not a dictionary"),
    ("/phases/0/tasks/0/home", "0", REFUSED, "'home' belongs to the entity"),
    // Entities.
    ("/phases/0/tasks/0/entity/home", "", REFUSED, "not optional in a task"),
    ("/phases/0/tasks/0/entity/migratable", "", REFUSED, "not optional in a task"),
    ("/phases/0/tasks/0/entity/migratable", "1", REFUSED, "an int is not a bool"),
    ("/phases/0/tasks/0/entity/type", r#""anything""#, ACCEPTED, "any str"),
    ("/phases/0/tasks/0/entity/id", "", REFUSED, "either id or seq_id must be provided"),
    ("/phases/0/tasks/0/entity/seq_id", "1", ACCEPTED, "both are allowed"),
    ("/phases/0/tasks/0/entity/collection_id", "", ACCEPTED, "required only with seq_id"),
    ("/phases/0/tasks/0/entity/index", "[]", ACCEPTED, "an empty list is a list"),
    ("/phases/0/tasks/0/entity/index", "3", REFUSED, "a list"),
    ("/phases/0/tasks/1/entity/seq_id", "", REFUSED, "either id or seq_id must be provided"),
    ("/phases/0/tasks/1/entity/id", "1", ACCEPTED, "both are allowed"),
    ("/phases/0/tasks/1/entity/collection_id", "", REFUSED, "migratable with seq_id needs it"),
    ("/phases/0/tasks/1/entity/shared_id", "1", REFUSED, "unknown key"),
    // Communication.
    ("/phases/0/communications/0/bytes", "8", REFUSED, "an int is not a float"),
    ("/phases/0/communications/0/messages", "1.0", REFUSED, "a float is not an int"),
    ("/phases/0/communications/0/type", r#""Anything""#, ACCEPTED, "any str"),
    ("/phases/0/communications/0/type", "1", REFUSED, "an int is not a str"),
    ("/phases/0/communications/0/from", "", REFUSED, "not optional"),
    ("/phases/0/communications/0/from", r#"{"id": 1, "type": "node"}"#, ACCEPTED, "all else is optional"),
    ("/phases/0/communications/0/from", r#"{"id": 1}"#, REFUSED, "'type' is not optional"),
    ("/phases/0/communications/0/from", r#"{"type": "node"}"#, REFUSED, "either id or seq_id"),
    ("/phases/0/communications/0/to/collection_id", "", REFUSED, "migratable with seq_id needs it"),
    ("/phases/0/communications/0/to/migratable", "", ACCEPTED, "optional; get('migratable') is not True"),
    ("/phases/0/communications/0/to/size", "1", REFUSED, "unknown key"),
    ("/phases/0/communications/0/phase", "0", REFUSED, "unknown key"),
];

/// Single changes to statistics files.
const STATISTICS_FILE: &[(&str, &str, bool, &str)] = &[
    ("/type", "", ACCEPTED, "metadata state the type too"),
    ("/metadata", "", ACCEPTED, "the top level states the type"),
    ("/metadata/type", "", ACCEPTED, "optional"),
    ("/metadata/type", r#""LBDatafile""#, REFUSED, "another type"),
    ("/metadata/rank", "0", REFUSED, "only the type is allowed there"),
    ("/type", r#""LBDatafile""#, REFUSED, "the schema of data files applies, which has no statistics"),
    ("/phases", "[]", ACCEPTED, "an empty list is a list"),
    ("/phases/0/post-LB", "", ACCEPTED, "optional"),
    ("/phases/0/pre-LB", "", REFUSED, "not optional"),
    ("/phases/0/migration count", "4.0", REFUSED, "a float is not an int"),
    ("/phases/0/tasks", "[]", REFUSED, "unknown key"),
    ("/phases/0/pre-LB/Rank_comm/car", "4", REFUSED, "all floats"),
    ("/phases/0/pre-LB/Rank_comm/npr", "4", REFUSED, "all floats"),
    ("/phases/0/pre-LB/Rank_comm/avg", "null", REFUSED, "all floats"),
    ("/phases/0/pre-LB/Rank_comm/med", "0.5", REFUSED, "exactly eleven moments"),
    ("/phases/0/pre-LB/Rank_comm/var", "", REFUSED, "exactly eleven moments"),
    ("/phases/0/pre-LB/Node_comm", "{}", REFUSED, "no such group"),
    ("/phases/0/post-LB/Rank_load_raw", "", REFUSED, "one of the six required groups"),
];

fn check_table(document: &Value, table: &[(&str, &str, bool, &str)]) {
    assert_eq!(verdict(document), (true, String::new()));
    for (pointer, value, expected, reason) in table {
        let changed = match *value {
            "" => removed(document, pointer),
            value => set(document, pointer, serde_json::from_str(value).expect("JSON")),
        };
        let (accepted, why) = verdict(&changed);
        assert_eq!(accepted, *expected, "{pointer}: {value} ({reason}): {why}");
    }
}

#[test]
fn single_changes_to_a_data_file() {
    assert!(DATA_FILE.len() >= 80);
    check_table(&data_file(), DATA_FILE);
}

#[test]
fn single_changes_to_a_statistics_file() {
    check_table(&statistics_file(), STATISTICS_FILE);
}

#[test]
fn a_file_without_a_type_is_a_data_file() {
    let mut data = removed(&data_file(), "/type");
    data = removed(&data, "/metadata/type");
    assert_eq!(verdict(&data), (true, String::new()));
    let mut statistics = removed(&statistics_file(), "/type");
    statistics = removed(&statistics, "/metadata");
    assert!(!verdict(&statistics).0);
}

/// A non-migratable object with `seq_id` needs no collection.
#[test]
fn only_migratable_sequence_numbers_need_a_collection() {
    let fixed = set(&data_file(), "/phases/0/tasks/1/entity/migratable", json!(false));
    assert_eq!(verdict(&removed(&fixed, "/phases/0/tasks/1/entity/collection_id")), (true, String::new()));
}

/// Numbers as Python's reader distinguishes them: by notation, not by value.
#[test]
fn notation_makes_a_number_an_integer_or_a_float() {
    let document = data_file().to_string();
    for (spelled, is_float) in [
        ("0", false),
        ("-0", false),
        ("123456789012345678", false),
        ("18446744073709551615", false),
        ("-9223372036854775808", false),
        ("0.0", true),
        ("-0.0", true),
        ("1e3", true),
        ("1E3", true),
        ("1e-3", true),
        ("2.5E+3", true),
        ("100000000000000000000000.0", true),
    ] {
        let time = document.replace(r#""time":1.5"#, &format!(r#""time":{spelled}"#));
        let node = document.replace(r#""node":0"#, &format!(r#""node":{spelled}"#));
        assert_ne!((&time, &node), (&document, &document));
        assert_eq!(check(time.as_bytes()).findings.n_errors == 0, is_float, "{spelled} for a float");
        assert_eq!(check(node.as_bytes()).findings.n_errors == 0, !is_float, "{spelled} for an integer");
    }
}

/// Python's reader keeps the last of several equal keys, so the file is accepted with a warning.
#[test]
fn the_last_of_several_equal_keys_counts() {
    let twice = |first: &str, last: &str| {
        let text = format!(r#"{{"phases":[{{"id":{first},"tasks":[],"id":{last}}}]}}"#);
        let findings = check(text.as_bytes()).findings;
        (findings.n_errors, findings.n_warnings, crate::lines(&findings.kept))
    };
    let warning =
        "line 1, column 18, at /phases/0/id: warning: `id` is repeated below, and the last one counts";
    assert_eq!(twice("0", "1"), (0, 1, warning.to_owned()));
    assert_eq!(twice(r#""zero""#, "1").0, 0);
    assert_eq!(twice("0", "1.5").0, 1);
}
