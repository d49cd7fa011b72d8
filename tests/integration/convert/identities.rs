// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packed ids of `lbaf convert`, and endpoints, which keep their objects.

use serde_json::{Value, json};

use crate::vom::{entity, list, one_phase, packed, task};
use crate::workspace::Workspace;

#[test]
fn numbers_are_packed_as_vt_packs_them() {
    let workspace = Workspace::new();
    workspace.write("old.0.vom", "0,12884901888,0.5\n0,4294967297,0.5\n");
    workspace.write("old.1.vom", "");
    workspace.write(
        "seq.0.json",
        json!({"type": "LBDatafile", "phases": [{"id": 0, "tasks": [
            {"entity": {"collection_id": 7, "home": 1, "migratable": true, "seq_id": 13, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0},
            {"entity": {"home": 0, "migratable": false, "seq_id": 2, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0},
        ]}]})
        .to_string(),
    );
    let entities = |stem: &str| -> Vec<Value> {
        let stem_out = format!("packed/{stem}");
        workspace.succeed(&["convert", stem, &stem_out, "--to", "lb-data", "--ids", "packed"]);
        let document = workspace.json(&format!("{stem_out}.0.json"));
        list(&document["phases"][0], "tasks").iter().map(|task| task["entity"].clone()).collect()
    };
    let plain = |id: u64, home: u64| json!({"home": home, "id": id, "migratable": true, "type": "object"});
    assert_eq!(entities("old"), [plain(packed(3, 0), 0), plain(packed(1, 1), 1)]);
    assert_eq!(
        entities("seq"),
        [
            json!({"collection_id": 7, "home": 1, "id": packed(13, 1), "migratable": true, "type": "object"}),
            json!({"home": 0, "id": (2 << 18) | 2, "migratable": false, "type": "object"}),
        ]
    );
    // A warning states that vt would misread kept numbers.
    let said = workspace.lbaf(&["convert", "old", "kept", "--to", "lb-data"]);
    assert_eq!(
        said.stderr,
        "warning: the numbers of objects are kept; vt misreads them unless they are packed ids (--ids packed converts them)\n"
    );
    let error = workspace.fail(&["convert", "old", "no", "--to", "seq-id", "--ids", "packed"], 2);
    assert_eq!(error, "error: --ids packed requires --to lb-data: other forms have no packed ids\n");
}

#[test]
fn numbers_that_cannot_be_packed_are_refused() {
    let workspace = Workspace::new();
    workspace.write("far.0.vom", "0,65536,0.5\n");
    let large = json!({"entity": {"collection_id": 7, "home": 0, "migratable": true, "seq_id": 1_u64 << 46}, "time": 1.0});
    workspace.write("large.0.json", json!({"phases": [{"id": 0, "tasks": [large]}]}).to_string());
    workspace.write("homeless.0.json", json!({"phases": [{"id": 0, "tasks": [{"entity": {"seq_id": 4, "migratable": true}, "time": 1.0}], "communications": [
        {"type": "SendRecv", "bytes": 1, "from": {"seq_id": 5, "migratable": true}, "to": {"seq_id": 4, "migratable": true}}]}]}).to_string());
    let refused =
        |stem: &str| workspace.fail(&["convert", stem, "new", "--to", "lb-data", "--ids", "packed"], 4);
    insta::assert_snapshot!(refused("far"), @"error: far.0.vom: the number 65536 encodes the home 65536, which differs from the stated home or is not a rank of these files; `--ids packed` requires numbers `sequence << 32 | home`; use `--ids keep` for numbers that are already packed");
    insta::assert_snapshot!(refused("large"), @"error: large.0.json: the object with number 70368744177664 and home 0 does not fit into a packed id, which has 16 bits for the home and 46 bits for the sequence number");
    insta::assert_snapshot!(refused("homeless"), @"error: homeless.0.json: the object with seq_id 5 has no home at an endpoint of a communication, but its packed id needs one; it has no task, or its tasks state different homes");
    assert!(!workspace.path("new.0.json").exists());
}

/// Object 4 has the home 1. Each rank has its own sentinel 9, to which endpoint 9 in the file of this rank refers.
#[test]
fn an_endpoint_without_a_home_is_packed_with_the_home_of_its_task() {
    let workspace = Workspace::new();
    let entity = |sequence: u64, home: u64, migratable: bool| json!({"collection_id": 7, "home": home, "migratable": migratable, "seq_id": sequence, "type": "object"});
    let task = |entity: Value| json!({"entity": entity, "node": 0, "resource": "cpu", "time": 1.0});
    let entry = json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": {"seq_id": 4, "type": "object"}, "to": {"seq_id": 9, "home": -1, "type": "object"}});
    for rank in 0..2 {
        let mut tasks = vec![task(entity(9, rank, false))];
        if rank == 0 {
            tasks.push(task(entity(4, 1, true)));
        }
        let phase = json!({"id": 0, "tasks": tasks, "communications": [entry]});
        workspace.write(&format!("data.{rank}.json"), json!({"phases": [phase]}).to_string());
    }
    workspace.succeed(&["convert", "data", "new", "--to", "lb-data", "--ids", "packed"]);
    for rank in 0..2 {
        let entry = &workspace.json(&format!("new.{rank}.json"))["phases"][0]["communications"][0];
        let packed = [4 << 18 | 1 << 2 | 3, 9 << 18 | rank << 2 | 2];
        assert_eq!([&entry["from"]["id"], &entry["to"]["id"]], [&json!(packed[0]), &json!(packed[1])]);
        assert_eq!([&entry["from"]["home"], &entry["to"]["home"]], [&json!(1), &json!(rank)]);
    }
}

/// Object 5 has the home 0 in phases 0 and 2, and the home 1 in phase 1.
/// Object 6 has no task in phase 2, so its home is taken from the other phases.
#[test]
fn an_endpoint_without_a_home_is_packed_with_the_home_of_its_task_in_its_phase() {
    let workspace = Workspace::new();
    let task = |sequence: u64, home: u64| json!({"entity": {"collection_id": 7, "home": home, "migratable": true, "seq_id": sequence, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0});
    let entry = json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": {"seq_id": 5, "type": "object"}, "to": {"seq_id": 6, "type": "object"}});
    let phase = |id: u64, tasks: &[Value]| json!({"id": id, "tasks": tasks, "communications": [entry]});
    let phases =
        [phase(0, &[task(5, 0), task(6, 1)]), phase(1, &[task(5, 1), task(6, 1)]), phase(2, &[task(5, 0)])];
    workspace.write("data.0.json", json!({"phases": phases}).to_string());
    workspace.write(
        "data.1.json",
        r#"{"phases": [{"id": 0, "tasks": []}, {"id": 1, "tasks": []}, {"id": 2, "tasks": []}]}"#,
    );
    workspace.succeed(&["convert", "data", "new", "--to", "lb-data", "--ids", "packed"]);
    let converted = workspace.json("new.0.json");
    for (phase, home) in [0_u64, 1, 0].into_iter().enumerate() {
        let entry = &converted["phases"][phase]["communications"][0];
        let packed = [5 << 18 | home << 2 | 3, 6 << 18 | 1 << 2 | 3];
        assert_eq!(
            [&entry["from"]["id"], &entry["to"]["id"]],
            packed.map(|id| json!(id)).each_ref(),
            "phase {phase}"
        );
    }
}

/// Endpoints state neither `migratable` nor a collection, as in the example of the NodeStats document.
#[test]
fn endpoints_with_few_keys_keep_their_objects() {
    let workspace = Workspace::new();
    let old = |sequence: u64, home: u64| (sequence << 32) | home;
    let object = |id: u64, home: u64| json!({"collection_id": 7, "home": home, "id": id, "index": [0], "type": "object"});
    let bare = |id: u64, home: u64| json!({"home": home, "id": id, "type": "object"});
    let file = |rank: u64, entries: Value| {
        let tasks = [object(old(1, rank), rank), bare(old(0, rank), rank)]
            .map(|entity| json!({"entity": entity, "node": rank, "resource": "cpu", "time": 1.0}));
        json!({"phases": [{"id": 0, "tasks": tasks, "communications": entries}]}).to_string()
    };
    let entry = |from: Value, to: Value| json!({"bytes": 2.0, "from": from, "messages": 1, "to": to, "type": "SendRecv"});
    let entries = json!([
        entry(bare(old(1, 0), 0), bare(old(1, 1), 1)),
        entry(bare(old(0, 1), 1), bare(old(1, 0), 0)),
        entry(bare(old(1, 0), 0), bare(old(9, 1), 1)),
    ]);
    workspace.write("data.0.json", file(0, entries));
    workspace.write("data.1.json", file(1, json!([])));
    let edges = |stem: &str| -> Value {
        let info: Value = serde_json::from_str(&workspace.succeed(&["info", "--json", stem])).expect("JSON");
        let phase = &info["phases"][0];
        json!([phase["n_edges"], phase["off_rank_bytes"], phase["n_sentinels"], phase["communications"]])
    };
    let expected = edges("data");
    assert_eq!(expected[0], 2);
    for (name, ids) in
        [("lb-data", "packed"), ("lb-data", "keep"), ("seq-id", "keep"), ("node-stats", "keep")]
    {
        let stem = format!("{name}-{ids}");
        workspace.succeed(&["convert", "data", &stem, "--to", name, "--ids", ids]);
        assert_eq!(edges(&stem), expected, "{stem}");
    }
    // An endpoint has `migratable` only if its object has a task.
    let packed_file = workspace.json("lb-data-packed.0.json");
    let ends = &packed_file["phases"][0]["communications"];
    assert_eq!(ends[0]["from"], json!({"home": 0, "id": packed(1, 0), "migratable": true, "type": "object"}));
    assert!(ends[2]["to"].get("migratable").is_none());
}

/// Two objects share `seq_id` 1: a migratable object with the home 1 and a sentinel with the home 0.
/// The home of an endpoint identifies its object.
#[test]
fn endpoints_of_objects_that_share_a_number_stay_distinct() {
    let workspace = Workspace::new();
    let task = |home: u64, migratable: bool| json!({"entity": {"collection_id": 7, "home": home, "migratable": migratable, "seq_id": 1, "type": "object"}, "node": home, "resource": "cpu", "time": 1.0});
    let end = |home: u64| json!({"home": home, "seq_id": 1, "type": "object"});
    let entry = json!({"type": "SendRecv", "bytes": 2.0, "messages": 1, "from": end(0), "to": end(1)});
    let file = |task: Value| json!({"phases": [{"id": 0, "tasks": [task], "communications": [entry]}]});
    workspace.write("data.0.json", file(task(0, false)).to_string());
    workspace.write("data.1.json", file(task(1, true)).to_string());
    workspace.succeed(&["convert", "data", "new", "--to", "seq-id"]);
    assert_eq!(workspace.json("new.0.json")["phases"][0]["communications"][0], entry);
    workspace.succeed(&["convert", "data", "packed", "--to", "lb-data", "--ids", "packed"]);
    let ends = &workspace.json("packed.0.json")["phases"][0]["communications"][0];
    let packed = [1 << 18 | 2, 1 << 18 | 1 << 2 | 3];
    assert_eq!([&ends["from"]["id"], &ends["to"]["id"]], packed.map(|id| json!(id)).each_ref());
}

/// Object 1 belongs to collection 12. Object 2 has no task, so its collection is unknown.
#[test]
fn an_endpoint_without_a_collection_gets_that_of_its_task() {
    let workspace = Workspace::new();
    let end = |id: u64| json!({"home": 0, "id": id, "migratable": true, "type": "object"});
    let mut entity = end(packed(1, 0));
    entity["collection_id"] = json!(12);
    let task = json!({"entity": entity, "node": 0, "resource": "cpu", "time": 1.0});
    let entry = json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": end(packed(1, 0)), "to": end(packed(2, 0))});
    workspace.write("data.0.json", one_phase(0, &[task], &[entry]));
    for form in ["seq-id", "node-stats"] {
        let said = workspace.lbaf(&["convert", "data", form, "--to", form]);
        let entry = &workspace.json(&format!("{form}.0.json"))["phases"][0]["communications"][0];
        let collections = ["from", "to"].map(|end| entry[end]["collection_id"].as_u64());
        assert_eq!(collections, [Some(12), Some(7)], "{form}");
        assert_eq!(
            said.stderr,
            "warning: an endpoint of a communication had no `collection_id`, which this form requires, and no task of \
             its object states one; it was set to 7 (1 times)\n",
            "{form}"
        );
    }
}

#[test]
fn the_home_in_the_id_of_an_endpoint_is_stated_and_counted() {
    let workspace = Workspace::new();
    let sent = |to: Value| json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": entity(packed(1, 0), 0), "to": to});
    let homeless = json!({"collection_id": 7, "id": packed(2, 3), "migratable": true, "type": "object"});
    let entries = [sent(entity(packed(1, 0), 0)), sent(homeless)];
    workspace.write("data.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &entries));
    let said = workspace.lbaf(&["convert", "data", "new", "--to", "seq-id"]);
    assert_eq!(workspace.json("new.0.json")["phases"][0]["communications"][1]["to"]["home"], 3);
    assert_eq!(
        said.stderr,
        "warning: an endpoint of a communication had no `home`; it was set to the home in the id, or to that of the \
         object's tasks (1 times)\n"
    );
}
