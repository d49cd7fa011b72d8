// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf convert`, `extract` and `tasks`: kept values, warnings about lost values, refusals.

mod identities;

use serde_json::{Value, json};

use crate::vom::{entity, list, packed, phase_ids, send, task};
use crate::workspace::{Workspace, compress};

/// Two ranks with phases 2, 3 (equal to 2), 5 and 6, a non-migratable object, memory, iterations, and unknown keys.
fn documents() -> [Value; 2] {
    let lists = json!({
        "count": 3, "unknown": "x",
        "skipped": {"list": [4], "range": [[0, 1]]}, "identical_to_previous": {"list": [3], "range": []},
    });
    let metadata = |rank: u64| json!({"type": "LBDatafile", "rank": rank, "rank_alpha": 2.0, "phases": lists, "attributes": {"a": 1}});
    let mut holder = task(packed(1, 0), 0, 1.5);
    holder["user_defined"] = json!({"task_footprint_bytes": 8.0});
    let sentinel = json!({"entity": {"home": 0, "id": 0, "migratable": false, "type": "object"},
        "node": 0, "resource": "cpu", "time": 0});
    let sent = send((packed(1, 0), 0), (packed(2, 1), 1), 64.0);
    let twice = |mut entry: Value| {
        entry["messages"] = json!(2);
        entry
    };
    let iteration = |id: u64, time: f64| json!({"id": id, "tasks": [task(packed(7, 0), 0, time)]});
    let first = json!({"metadata": metadata(0), "unknown": [1], "phases": [
        {"id": 2, "tasks": [holder, sentinel], "communications": [sent.clone(), twice(sent)]},
        {"id": 5, "tasks": [task(packed(1, 0), 0, 2.0)], "user_defined": {"b": 2}},
        {"id": 6, "tasks": [task(packed(1, 0), 0, 3.0)],
         "lb_iterations": [iteration(0, 3.0), iteration(3, 3.0)]},
    ]});
    let second = json!({"metadata": metadata(1), "phases": [
        {"id": 2, "tasks": [task(packed(2, 1), 1, 0.5)]},
        {"id": 5, "tasks": [task(packed(2, 1), 1, 0.25)]},
        {"id": 6, "tasks": [task(packed(2, 1), 1, 0.125)]},
    ]});
    [first, second]
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (rank, document) in documents().iter().enumerate() {
        workspace.write(&format!("data.{rank}.json"), document.to_string());
    }
    workspace
}

#[test]
fn conversion_to_the_same_form_keeps_every_value() {
    let workspace = workspace();
    let said = workspace.lbaf(&["convert", "data", "new/data", "--to", "lb-data", "--brotli"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert_eq!(workspace.documents("new/data"), documents());
    assert!(!workspace.read("new/data.0.json").starts_with(b"{"));
    // Without an option, compression does not change.
    workspace.succeed(&["convert", "new/data", "again/data"]);
    assert_eq!(workspace.files("again"), workspace.files("new"));
    workspace.succeed(&["convert", "new/data", "plain/data", "--plain"]);
    assert!(workspace.text("plain/data.0.json").starts_with('{'));
    assert_eq!(workspace.documents("plain/data"), documents());
}

#[test]
fn sequence_numbers_replace_ids_everywhere() {
    let workspace = workspace();
    workspace.succeed(&["convert", "data", "seq/data", "--to", "seq-id"]);
    let converted = workspace.documents("seq/data");
    let entity_of =
        |phase: usize, task: usize| converted[0]["phases"][phase]["tasks"][task]["entity"].clone();
    let sequence = |sequence: u64, home: u64| json!({"collection_id": 7, "home": home, "index": [0], "migratable": true, "seq_id": packed(sequence, home), "type": "object"});
    assert_eq!(entity_of(0, 0), sequence(1, 0));
    assert_eq!(
        entity_of(0, 1),
        json!({"collection_id": 7, "home": 0, "migratable": false, "seq_id": 0, "type": "object"})
    );
    assert_eq!(converted[0]["phases"][0]["communications"][1]["to"], sequence(2, 1));
    let iterations = list(&converted[0]["phases"][2], "lb_iterations");
    assert_eq!(iterations[1]["tasks"][0]["entity"], sequence(7, 0));
    // An integer time becomes a float; other values do not change.
    assert!(converted[0]["phases"][0]["tasks"][1]["time"].is_f64());
    assert_eq!(converted[0]["metadata"], documents()[0]["metadata"]);
    assert_eq!(converted[0]["unknown"], json!([1]));
    // Back to packed ids.
    workspace.succeed(&["convert", "seq/data", "back/data", "--to", "lb-data"]);
    let mut original = documents();
    original[0]["phases"][0]["tasks"][1]["time"] = json!(0.0);
    // vt's reader requires a collection with every sequence number.
    original[0]["phases"][0]["tasks"][1]["entity"]["collection_id"] = json!(7);
    assert_eq!(workspace.documents("back/data"), original);
}

/// Records are converted one by one, so both tasks are kept, with a warning.
#[test]
fn an_object_with_two_tasks_in_a_phase_is_reported() {
    for (case, first, second) in [
        ("duplicate_object_in_one_file", "task 0 of data.0.json", "task 2 of data.0.json"),
        ("duplicate_object_in_two_files", "task 1 of data.0.json", "task 1 of data.1.json"),
    ] {
        let workspace = crate::bad_data::case(case);
        let said = workspace.lbaf(&["convert", "data", "new/data", "--to", "seq-id"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let two = format!(
            "has two tasks: {first} and {second}; commands that balance or show such data refuse them"
        );
        assert!(
            said.stderr.starts_with("warning: phase 0: the object with id ") && said.stderr.contains(&two),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn values_that_text_cannot_represent_are_counted() {
    let workspace = workspace();
    let error = workspace.fail(&["convert", "data", "text", "--to", "text"], 4);
    insta::assert_snapshot!(error, @"error: data.0.json: the text form cannot represent tasks of non-migratable objects (here 2); `--lossy` leaves them out");
    let said = workspace.lbaf(&["convert", "data", "text", "--to", "text", "--lossy"]);
    assert_eq!(said.code, 0);
    insta::assert_snapshot!(said.stderr, @"
    warning: `attributes` of metadata cannot be stored in this form: 2 left out
    warning: `collection_id` of the entity of a task cannot be stored in this form: 8 left out
    warning: `index` of the entity of a task cannot be stored in this form: 8 left out
    warning: `lb_iterations` of a phase cannot be stored in this form: 1 left out
    warning: `phases` of metadata cannot be stored in this form: 2 left out
    warning: `rank_alpha` of metadata cannot be stored in this form: 2 left out
    warning: `unknown` of a document cannot be stored in this form: 1 left out
    warning: `user_defined` of a phase cannot be stored in this form: 1 left out
    warning: `user_defined` of a task cannot be stored in this form: 2 left out
    warning: a message count other than 1 cannot be stored in this form: 2 left out
    warning: a task of a non-migratable object cannot be stored in this form: 2 left out
    ");
    // Phase 3 repeats phase 2.
    let expected = "2,262147,1.5\n2,524295,262147,64.0,1\n2,524295,262147,64.0,1\n\
                    3,262147,1.5\n3,524295,262147,64.0,1\n3,524295,262147,64.0,1\n5,262147,2.0\n6,262147,3.0\n";
    assert_eq!(workspace.text("text.0.vom"), expected);
}

#[test]
fn the_oldest_json_has_no_metadata_and_no_migratable() {
    let workspace = workspace();
    workspace.succeed(&["convert", "data", "old/data", "--to", "node-stats"]);
    let document = workspace.json("old/data.0.json");
    assert_eq!(document.as_object().expect("an object").keys().collect::<Vec<_>>(), ["unknown", "phases"]);
    assert_eq!(phase_ids(&document), [2, 3, 5, 6]);
    assert!(!workspace.text("old/data.0.json").contains("migratable"));
    assert_eq!(document["phases"][0]["tasks"], document["phases"][1]["tasks"]);
    let info: Value =
        serde_json::from_str(&workspace.succeed(&["info", "--json", "old/data"])).expect("JSON");
    assert_eq!((&info["generations"], &info["phases"][0]["n_sentinels"]), (&json!(["NodeStats"]), &json!(1)));
}

#[test]
fn extracted_phases_keep_their_numbers_and_metadata_stay_correct() {
    let workspace = workspace();
    workspace.succeed(&["extract", "data", "new/data", "--phases", "3,6"]);
    let document = workspace.json("new/data.0.json");
    assert_eq!(phase_ids(&document), [3, 6]);
    assert_eq!(
        document["metadata"]["phases"],
        json!({"count": 2, "unknown": "x", "skipped": {"list": [], "range": [[0, 2], [4, 5]]},
               "identical_to_previous": {"list": [], "range": []}})
    );
    // Phase 3 repeats phase 2. Iterations are kept.
    let source = &documents()[0];
    assert_eq!(document["phases"][0]["tasks"], source["phases"][0]["tasks"]);
    assert_eq!(document["phases"][1], source["phases"][2]);
    assert_eq!(document["metadata"]["attributes"], source["metadata"]["attributes"]);

    workspace.succeed(&["extract", "data", "both/data", "--phases", "2-3"]);
    let lists = &workspace.json("both/data.1.json")["metadata"]["phases"];
    assert_eq!((&lists["count"], &lists["identical_to_previous"]["list"]), (&json!(1), &json!([3])));

    workspace.succeed(&["extract", "data", "from0/data", "--phases", "3,6", "--renumber"]);
    let document = workspace.json("from0/data.0.json");
    assert_eq!(phase_ids(&document), [0, 1]);
    assert_eq!(document["metadata"]["phases"]["skipped"], json!({"list": [], "range": []}));
    let error = workspace.fail(&["extract", "data", "no/data", "--phases", "4"], 3);
    assert_eq!(error, "error: --phases: phase 4 is not in the data, which hold phases 2-3, 5-6\n");
}

#[test]
fn a_single_file_becomes_a_single_file() {
    let workspace = workspace();
    let said = workspace.succeed(&["convert", "data.1.json", "one.json", "--to", "seq-id"]);
    assert_eq!(said.lines().count(), 1);
    assert!(said.starts_with("one.json, LB data with seq_id, phases 2-3, 5-6; "), "{said}");
    assert_eq!(workspace.json("one.json")["metadata"]["rank"], 1);
    workspace.write("lonely.3.vom", "0,7,0.5\n");
    workspace.succeed(&["convert", "lonely.3.vom", "lonely.json", "--to", "lb-data"]);
    let document = workspace.json("lonely.json");
    assert_eq!(document["metadata"]["rank"], 3);
    assert_eq!(document["phases"][0]["tasks"][0]["node"], 3);
    assert_eq!(document["phases"][0]["tasks"][0]["entity"]["home"], 3);
}

#[test]
fn files_are_overwritten_only_on_request_and_inputs_never() {
    let workspace = workspace();
    let before = workspace.files(".");
    let is_read = "error: data.0.json is an input file; choose another name for the new files\n";
    for more in
        [&["--to", "seq-id"][..], &["--to", "seq-id", "--force"], &["--to", "text", "--lossy", "--force"]]
    {
        assert_eq!(workspace.fail(&[&["convert", "data", "data"], more].concat(), 6), is_read);
    }
    let error = workspace.fail(&["convert", "data.0.json", "data.1.json"], 6);
    assert!(error.contains("data.1.json already exists"), "{error}");
    assert_eq!(workspace.files("."), before);
    workspace.succeed(&["convert", "data.0.json", "data.1.json", "--force"]);
    assert_eq!(workspace.documents("data")[1], documents()[0]);
}

#[test]
fn tasks_lists_the_objects_of_every_rank() {
    let workspace = workspace();
    // The default is the last iteration of the last phase.
    assert_eq!(workspace.succeed(&["tasks", "data"]), format!("0: [{}]\n1: []\n", packed(7, 0)));
    let of_phase = format!("0: [{}]\n1: [{}]\n", packed(1, 0), packed(2, 1));
    assert_eq!(workspace.succeed(&["tasks", "data", "--iteration", "none"]), of_phase);
    assert_eq!(workspace.succeed(&["tasks", "data", "--phase", "5"]), of_phase);
    let with_sentinel = format!("0: [{}, 0]\n1: [{}]\n", packed(1, 0), packed(2, 1));
    assert_eq!(workspace.succeed(&["tasks", "data", "--phase", "2"]), with_sentinel);
    // Phase 3 repeats phase 2.
    assert_eq!(workspace.succeed(&["tasks", "data", "--phase", "3"]), with_sentinel);
    assert_eq!(workspace.succeed(&["tasks", "data", "--phase", "2", "--migratable"]), of_phase);
    assert_eq!(workspace.succeed(&["tasks", "data", "-o", "list.yaml", "--phase", "2"]), "");
    assert_eq!(workspace.text("list.yaml"), with_sentinel);
    let error = workspace.fail(&["tasks", "data", "--phase", "4"], 3);
    assert_eq!(error, "error: --phase: phase 4 is not in the data, which hold phases 2-3, 5-6\n");
    let error = workspace.fail(&["tasks", "data", "--iteration", "1"], 3);
    assert_eq!(error, "error: --iteration: phase 6 has no iteration 1; it has 0, 3\n");
    let error = workspace.fail(&["tasks", "data", "--phase", "5", "--iteration", "last"], 3);
    assert_eq!(error, "error: --iteration: phase 5 has no `lb_iterations`\n");
    let error = workspace.fail(&["tasks", "data", "--iteration", "first"], 2);
    assert_eq!(error, "error: --iteration: expected a number, `last` or `none`, found \"first\"\n");
}

#[test]
fn compressed_input_is_recognized_by_its_bytes() {
    let workspace = Workspace::new();
    let document = json!({"phases": [{"id": 0, "tasks": [task(packed(1, 0), 0, 1.0)]}]}).to_string();
    workspace.write("data.0.json", compress(document.as_bytes()));
    workspace.succeed(&["convert", "data", "new", "--to", "seq-id"]);
    assert!(!workspace.read("new.0.json").starts_with(b"{"));
    let converted = workspace.json("new.0.json");
    assert_eq!(converted["phases"][0]["tasks"][0]["entity"]["seq_id"], entity(packed(1, 0), 0)["id"]);
}

#[test]
fn tables_are_written_all_together_or_not_at_all() {
    let workspace = workspace();
    let said = workspace.lbaf(&["convert", "data", "tables/data", "--to", "csv"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let tables = ["tasks", "subphases", "communications", "ranks"];
    for (line, table) in said.stdout.lines().zip(tables) {
        assert!(line.starts_with(&format!("tables/data.{table}.csv: ")), "{line}");
        assert!(workspace.text(&format!("tables/data.{table}.csv")).starts_with("phase,rank,"), "{table}");
    }
    // 2 ranks * 4 phases, and a sentinel in phases 2 and 3
    assert_eq!(workspace.text("tables/data.tasks.csv").lines().count(), 1 + 8 + 2);
    let error = workspace.fail(&["convert", "data", "tables/data", "--to", "csv", "--phases", "5"], 6);
    assert!(error.starts_with("error: tables/data.tasks.csv already exists"), "{error}");
    workspace.succeed(&["convert", "data", "tables/data", "--to", "csv", "--phases", "5", "--force"]);
    assert_eq!(workspace.text("tables/data.tasks.csv").lines().count(), 1 + 2);
    let error = workspace.fail(&["convert", "data", "new", "--to", "csv", "--lossy"], 2);
    assert_eq!(error, "error: --lossy does not apply to tables\n");
}

/// An idle rank has a text file without lines, and is still a rank.
#[test]
fn idle_ranks_survive_the_text_form() {
    let workspace = Workspace::new();
    let file =
        |tasks: Vec<Value>| json!({"type": "LBDatafile", "phases": [{"id": 0, "tasks": tasks}]}).to_string();
    workspace.write("data.0.json", file(vec![task(packed(1, 0), 0, 1.0)]));
    workspace.write("data.1.json", file(vec![]));
    workspace.succeed(&["convert", "data", "text", "--to", "text"]);
    assert_eq!(workspace.text("text.1.vom"), "");
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "--json", "text"])).expect("JSON");
    assert_eq!((&info["n_ranks"], &info["phases"][0]["n_objects"]), (&json!(2), &json!(1)));
    assert_eq!(workspace.succeed(&["validate", "text"]), "2 files are valid\n");
    // A data set of empty files alone is refused.
    workspace.write("text.0.vom", "\n");
    let error = workspace.fail(&["info", "text"], 4);
    assert_eq!(error, "error: text.0.vom: the file is empty\n");
    // A phase without tasks and communication has no line, which is reported.
    workspace.write(
        "two.0.json",
        json!({"phases": [{"id": 0, "tasks": [task(packed(1, 0), 0, 1.0)]}, {"id": 1, "tasks": []}]})
            .to_string(),
    );
    let said = workspace.lbaf(&["convert", "two", "lines", "--to", "text"]).stderr;
    assert!(
        said.contains("phases without tasks and communication have no line in the new files: 1"),
        "{said}"
    );
}

/// Regression: the compressed file of an idle rank was an error of JSON.
#[test]
fn compressed_files_of_idle_ranks_survive_the_text_form() {
    let workspace = Workspace::new();
    let file =
        |tasks: Vec<Value>| json!({"type": "LBDatafile", "phases": [{"id": 0, "tasks": tasks}]}).to_string();
    workspace.write("data.0.json", file(vec![task(packed(1, 0), 0, 1.0)]));
    workspace.write("data.1.json", file(vec![]));
    workspace.succeed(&["convert", "data", "text", "--to", "text", "--brotli"]);
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "--json", "text"])).expect("JSON");
    assert_eq!((&info["n_ranks"], &info["phases"][0]["n_objects"]), (&json!(2), &json!(1)));
    assert_eq!(workspace.succeed(&["validate", "text"]), "2 files are valid\n");
    workspace.succeed(&["convert", "text", "back", "--to", "lb-data", "--plain"]);
    assert_eq!(workspace.succeed(&["validate", "back"]), "2 files are valid\n");
}

/// An entry between objects of two generations keeps its endpoints.
#[test]
fn mixed_generations_are_converted_to_one() {
    let workspace = Workspace::new();
    let by_sequence =
        json!({"collection_id": 7, "home": 0, "migratable": true, "seq_id": 5, "type": "object"});
    let by_id = json!({"collection_id": 7, "home": 1, "id": 7, "migratable": true, "type": "object"});
    let file = |entity: &Value, entries: Value| {
        let task = json!({"entity": entity, "node": 0, "resource": "cpu", "time": 1.0});
        json!({"type": "LBDatafile", "phases": [{"id": 0, "tasks": [task], "communications": entries}]})
            .to_string()
    };
    let sent = json!({"bytes": 2.0, "from": by_sequence, "messages": 1, "to": by_id, "type": "SendRecv"});
    workspace.write("data.0.json", file(&by_sequence, json!([sent])));
    workspace.write("data.1.json", file(&by_id, json!([])));
    for to in ["seq-id", "lb-data"] {
        workspace.succeed(&["convert", "data", to, "--to", to]);
        let info: Value = serde_json::from_str(&workspace.succeed(&["info", "--json", to])).expect("JSON");
        assert_eq!(
            (&info["phases"][0]["n_edges"], info["generations"].as_array().map(Vec::len)),
            (&json!(1), Some(1))
        );
    }
    // Two objects have the same number.
    let same = json!({"collection_id": 7, "home": 1, "id": 5, "migratable": true, "type": "object"});
    workspace.write("data.1.json", file(&same, json!([])));
    let error = workspace.fail(&["convert", "data", "no", "--to", "lb-data"], 4);
    insta::assert_snapshot!(error, @"error: data.0.json: two objects have the number 5, one as `id` and one as `seq_id`; this form cannot distinguish them");
    // An object with both numbers keeps both.
    let both =
        json!({"collection_id": 7, "home": 1, "id": 9, "migratable": true, "seq_id": 3, "type": "object"});
    workspace.write("both.0.json", file(&both, json!([])));
    for to in ["seq-id", "node-stats"] {
        workspace.succeed(&["convert", "both", &format!("both-{to}"), "--to", to]);
        let entity = &workspace.json(&format!("both-{to}.0.json"))["phases"][0]["tasks"][0]["entity"];
        assert_eq!((&entity["id"], &entity["seq_id"]), (&json!(9), &json!(3)), "{to}");
    }
}

/// The values are nested 900 levels deep; readers allow 1024 levels.
#[test]
fn deeply_nested_values_are_kept() {
    let workspace = Workspace::new();
    let deep = format!("{}{}", "[".repeat(900), "]".repeat(900));
    let entity = entity(packed(1, 0), 0);
    let file = format!(
        r#"{{"metadata":{{"attributes":{{"x":{deep}}}}},"phases":[{{"id":0,"tasks":[{{"attributes":{{"x":{deep}}},"entity":{entity},"node":0,"time":1.0}}]}},{{"id":1,"tasks":[]}}]}}"#
    );
    workspace.write("data.0.json", file);
    workspace.succeed(&["convert", "data", "seq", "--to", "seq-id"]);
    assert_eq!(workspace.text("seq.0.json").matches(&deep).count(), 2);
    workspace.succeed(&["extract", "data", "one", "--phases", "1"]);
    assert_eq!(workspace.text("one.0.json").matches(&deep).count(), 1);
    workspace.succeed(&["convert", "data", "text", "--to", "text"]);
    workspace.succeed(&["convert", "data", "tables", "--to", "csv"]);
}

#[test]
fn other_files_are_not_data() {
    let workspace = workspace();
    workspace.write("stats.json", r#"{"type":"LBStatsfile","phases":[{"id":0}]}"#);
    let error = workspace.fail(&["convert", "stats.json", "new.json", "--to", "text"], 4);
    insta::assert_snapshot!(error, @"error: stats.json: line 1, column 9, at /type: this is an LB statistics file, which holds no objects; `lbaf info FILE` shows it");
    let error = workspace.fail(&["convert", "data.0.json", "tables", "--to", "csv"], 2);
    insta::assert_snapshot!(error, @"error: data.0.json: tables need a whole data set; give the path of its files up to the rank");
    let error = workspace.fail(&["info", "data.0.json"], 4);
    insta::assert_snapshot!(error, @"error: data.0.json is a single file but not an LB statistics file (`type: LBStatsfile`); for a data set, give the path of its files up to the rank");
    for suffix in ["", ".json", "a/b", "0"] {
        assert_eq!(
            workspace.lbaf(&["convert", "data", "new", "--output-suffix", suffix]).code,
            2,
            "{suffix:?}"
        );
    }
}

#[test]
fn the_last_number_in_a_name_is_the_rank() {
    let workspace = Workspace::new();
    workspace.write("run.2024.3.vom", "0,7,0.5\n");
    workspace.succeed(&["convert", "run.2024.3.vom", "three.json", "--to", "lb-data"]);
    assert_eq!(workspace.json("three.json")["metadata"]["rank"], 3);
}
