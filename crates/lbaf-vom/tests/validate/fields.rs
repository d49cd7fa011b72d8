// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schemas as tables of fields. Every field is tested with values of every kind and without its key, and every object
//! with an unknown key.

use serde_json::{Value, json};

use crate::document::{MOMENTS, data_file, removed, set, statistics_file};
use crate::verdict;
use Kind::{Bool, Dict, Float, Free, Int, Ints, List, Pairs, Str, Type};
use Presence::{Either, Needed, Optional};

/// Type of the value in the documentation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `str`
    Str,
    /// `And(str, ..)`
    Type,
    /// `dict`
    Free,
    /// `{ .. }`
    Dict,
    /// `[int]`
    Ints,
    /// `[[int]]`
    Pairs,
    /// `[ { .. } ]`
    List,
}

/// Presence of the key: `Optional(..)` in the documentation or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Presence {
    Needed,
    Optional,
    /// Documented as optional, but `validate_ids` requires `id`, `seq_id` or both.
    Either,
}

/// Fields in the order of the documentation of the generation with `seq_id`. Fields of objects that occur in several
/// places may be listed once.
const DATA_FILE: &[(&str, Kind, Presence)] = &[
    ("/type", Type, Optional),
    ("/metadata", Dict, Optional),
    ("/metadata/type", Type, Optional),
    ("/metadata/rank", Int, Optional),
    // Newer than the documentation.
    ("/metadata/rank_alpha", Float, Optional),
    ("/metadata/shared_node", Dict, Optional),
    ("/metadata/shared_node/id", Int, Needed),
    ("/metadata/shared_node/size", Int, Needed),
    ("/metadata/shared_node/rank", Int, Needed),
    ("/metadata/shared_node/num_nodes", Int, Needed),
    ("/metadata/phases", Dict, Optional),
    ("/metadata/phases/count", Int, Optional),
    ("/metadata/phases/skipped", Dict, Needed),
    ("/metadata/phases/skipped/list", Ints, Needed),
    ("/metadata/phases/skipped/range", Pairs, Needed),
    ("/metadata/phases/identical_to_previous", Dict, Needed),
    ("/metadata/phases/identical_to_previous/list", Ints, Needed),
    ("/metadata/phases/identical_to_previous/range", Pairs, Needed),
    ("/metadata/attributes", Free, Optional),
    ("/phases", List, Needed),
    ("/phases/0/id", Int, Needed),
    ("/phases/0/tasks", List, Needed),
    ("/phases/0/communications", List, Optional),
    ("/phases/0/user_defined", Free, Optional),
    ("/phases/0/lb_iterations", List, Optional),
    ("/phases/0/lb_iterations/0/id", Int, Needed),
    ("/phases/0/lb_iterations/0/tasks", List, Needed),
    ("/phases/0/lb_iterations/0/communications", List, Optional),
    ("/phases/0/lb_iterations/0/user_defined", Free, Optional),
    ("/phases/0/tasks/0/entity", Dict, Needed),
    ("/phases/0/tasks/0/entity/collection_id", Int, Optional),
    ("/phases/0/tasks/0/entity/home", Int, Needed),
    ("/phases/0/tasks/0/entity/id", Int, Either),
    ("/phases/0/tasks/1/entity/seq_id", Int, Either),
    ("/phases/0/tasks/0/entity/index", Ints, Optional),
    ("/phases/0/tasks/0/entity/type", Str, Needed),
    ("/phases/0/tasks/0/entity/migratable", Bool, Needed),
    ("/phases/0/tasks/0/entity/objgroup_id", Int, Optional),
    ("/phases/0/tasks/0/node", Int, Needed),
    ("/phases/0/tasks/0/resource", Str, Needed),
    ("/phases/0/tasks/0/subphases", List, Optional),
    ("/phases/0/tasks/0/subphases/0/id", Int, Needed),
    ("/phases/0/tasks/0/subphases/0/time", Float, Needed),
    ("/phases/0/tasks/0/time", Float, Needed),
    ("/phases/0/tasks/0/user_defined", Free, Optional),
    ("/phases/0/tasks/0/attributes", Free, Optional),
    ("/phases/0/lb_iterations/0/tasks/0/time", Float, Needed),
    ("/phases/0/lb_iterations/0/communications/0/bytes", Float, Needed),
    ("/phases/0/communications/0/type", Str, Needed),
    ("/phases/0/communications/0/to", Dict, Needed),
    ("/phases/0/communications/0/messages", Int, Needed),
    ("/phases/0/communications/0/from", Dict, Needed),
    ("/phases/0/communications/0/bytes", Float, Needed),
    ("/phases/0/communications/0/to/type", Str, Needed),
    ("/phases/0/communications/0/from/id", Int, Either),
    ("/phases/0/communications/0/to/seq_id", Int, Either),
    ("/phases/0/communications/0/from/home", Int, Optional),
    ("/phases/0/communications/0/from/collection_id", Int, Optional),
    ("/phases/0/communications/0/from/migratable", Bool, Optional),
    ("/phases/0/communications/0/from/index", Ints, Optional),
    ("/phases/0/communications/0/from/objgroup_id", Int, Optional),
];

/// Fields of statistics files, up to the groups.
const STATISTICS_FILE: &[(&str, Kind, Presence)] = &[
    ("/type", Type, Optional),
    ("/metadata", Dict, Optional),
    ("/metadata/type", Type, Optional),
    ("/phases", List, Needed),
    ("/phases/0/id", Int, Needed),
    ("/phases/0/migration count", Int, Optional),
    ("/phases/0/pre-LB", Dict, Needed),
    ("/phases/0/post-LB", Dict, Optional),
];

const GROUPS: [(&str, Presence); 8] = [
    ("Object_comm", Needed),
    ("Object_load_modeled", Needed),
    ("Object_load_raw", Needed),
    ("Object_strategy_specific_load_modeled", Optional),
    ("Rank_comm", Needed),
    ("Rank_load_modeled", Needed),
    ("Rank_load_raw", Needed),
    ("Rank_strategy_specific_load_modeled", Optional),
];

/// Values of every JSON kind, with the kinds of fields that accept them. No `Dict` except the metadata accepts `{}`,
/// because required keys are missing.
fn samples() -> Vec<(Value, &'static [Kind])> {
    vec![
        (json!(1), &[Int]),
        (json!(0), &[Int]),
        (json!(-1), &[Int]),
        (json!(u64::MAX), &[Int]),
        (json!(1.0), &[Float]),
        (json!(-0.25), &[Float]),
        (json!(1e300), &[Float]),
        // Booleans are not accepted as the integers 0 and 1.
        (json!(true), &[Bool]),
        (json!(false), &[Bool]),
        (json!("1"), &[Str]),
        (json!(""), &[Str]),
        (Value::Null, &[]),
        (json!([]), &[Ints, Pairs, List]),
        (json!([1, 2, 3]), &[Ints]),
        (json!([1.0]), &[]),
        (json!([true]), &[]),
        (json!([[1, 2], [], [3]]), &[Pairs]),
        (json!([[1.0]]), &[]),
        (json!([{}]), &[]),
        (json!({}), &[Free]),
        (json!({"anything": 1}), &[Free]),
    ]
}

fn check_fields(document: &Value, fields: &[(&str, Kind, Presence)]) -> usize {
    assert_eq!(verdict(document), (true, String::new()));
    let mut n_changes = 0;
    for &(pointer, kind, presence) in fields {
        for (value, kinds) in samples() {
            let changed = set(document, pointer, value.clone());
            // A statistics file with another `type` fails: the type is unknown, or the schema of data files applies.
            let (accepted, why) = verdict(&changed);
            // Metadata may be empty.
            let fits = kinds.contains(&kind) || (pointer == "/metadata" && value == json!({}));
            assert_eq!(accepted, fits, "{pointer} = {value}: {why}");
            n_changes += 1;
        }
        let (accepted, why) = verdict(&removed(document, pointer));
        assert_eq!(accepted, presence == Optional, "without {pointer}: {why}");
        n_changes += 1;
    }
    n_changes
}

/// Adds an unknown key to every object; only free dictionaries accept it.
fn check_unknown_keys(document: &Value, free: &[&str]) {
    let mut objects = vec![(String::new(), document)];
    let mut n_refused = 0;
    while let Some((pointer, value)) = objects.pop() {
        match value {
            Value::Object(members) => {
                let (accepted, why) = verdict(&set(document, &format!("{pointer}/extra"), json!(1)));
                let is_free = free.iter().any(|key| pointer.contains(&format!("/{key}")));
                assert_eq!(accepted, is_free, "{pointer}/extra: {why}");
                n_refused += usize::from(!accepted);
                objects.extend(members.iter().map(|(key, value)| (format!("{pointer}/{key}"), value)));
            }
            Value::Array(elements) => {
                let elements = elements.iter().enumerate();
                objects.extend(elements.map(|(index, value)| (format!("{pointer}/{index}"), value)));
            }
            _ => {}
        }
    }
    assert!(n_refused > 15, "{n_refused}");
}

#[test]
fn every_field_of_a_data_file_accepts_only_its_kind() {
    assert!(check_fields(&data_file(), DATA_FILE) > 1000);
}

#[test]
fn every_field_of_a_statistics_file_accepts_only_its_kind() {
    let document = statistics_file();
    check_fields(&document, STATISTICS_FILE);
    for side in ["pre-LB", "post-LB"] {
        for (group, presence) in GROUPS {
            let pointer = format!("/phases/0/{side}/{group}");
            check_fields(&document, &[(&pointer, Dict, presence)]);
            for moment in MOMENTS {
                check_fields(&document, &[(&format!("{pointer}/{moment}"), Float, Needed)]);
            }
        }
    }
}

#[test]
fn unknown_keys_are_refused_outside_of_free_dictionaries() {
    check_unknown_keys(&data_file(), &["attributes", "user_defined"]);
    check_unknown_keys(&statistics_file(), &[]);
}
