// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of every generation are recognized by their content and written without loss.

use serde_json::{Value, json};

use crate::vom::{list, phase, without_node};
use crate::workspace::Workspace;

/// The oldest generation: no `type`, no `metadata`, no `migratable`, and ids `sequence << 32 | home`.
/// In the first file, the `id` of the phase follows its communications.
const NODE_STATS: [&str; 2] = [
    r#"{"phases":[{"communications":[
{"bytes":2.0,"from":{"id":4294967296,"type":"object"},"messages":1,"to":{"id":8589934593,"type":"object"},"type":"SendRecv"},
{"bytes":3.5,"from":{"id":4294967296,"type":"object"},"messages":2,"to":{"id":8589934593,"type":"object"},"type":"SendRecv"},
{"bytes":9.0,"from":{"id":4294967296,"type":"object"},"messages":1,"to":{"id":1,"type":"node"},"type":"CollectionToNode"}],
"id":0,"tasks":[
{"entity":{"home":0,"id":4294967296,"index":[1],"type":"object"},"node":0,"resource":"cpu","subphases":[{"id":0,"time":1.0},{"id":1,"time":0.5}],"time":1.5},
{"entity":{"collection_id":7,"home":0,"id":12884901888,"type":"object"},"node":0,"resource":"cpu","time":0.25},
{"entity":{"home":0,"id":1,"type":"object"},"node":0,"resource":"cpu","time":0.125}]}]}"#,
    r#"{"phases":[{"id":0,"tasks":[
{"entity":{"home":1,"id":8589934593,"index":[2],"type":"object"},"node":1,"resource":"cpu","time":2.0},
{"entity":{"home":1,"id":1,"type":"object"},"node":1,"resource":"cpu","time":0.125}]}]}"#,
];

/// `seq_id` instead of `id`, also for both endpoints of a communication. One object has both.
const SEQ_ID: [&str; 2] = [
    r#"{"type":"LBDatafile","phases":[{"id":0,"tasks":[
{"entity":{"collection_id":7,"home":0,"migratable":true,"seq_id":4,"type":"object"},"node":0,"resource":"cpu","time":1.5},
{"entity":{"home":0,"migratable":false,"seq_id":4,"type":"object"},"node":0,"resource":"cpu","time":0.5}],
"communications":[{"bytes":6.0,"from":{"collection_id":7,"home":0,"migratable":true,"seq_id":4,"type":"object"},"messages":1,"to":{"collection_id":7,"home":1,"migratable":true,"seq_id":5,"type":"object"},"type":"SendRecv"}]}]}"#,
    r#"{"type":"LBDatafile","phases":[{"id":0,"tasks":[
{"entity":{"collection_id":7,"home":1,"migratable":true,"seq_id":5,"type":"object"},"node":1,"resource":"cpu","time":1.0},
{"entity":{"collection_id":7,"home":1,"id":524295,"migratable":true,"seq_id":9,"type":"object"},"node":1,"resource":"cpu","time":1.0}]}]}"#,
];

/// The newest generation with everything that a file can hold: white space, keys in any order, escapes, and unknown
/// keys at every level.
const EVERYTHING: [&str; 2] = [
    r#"
{
  "unknown at the top" : [ 1 , { "a" : null } ] ,
  "phases" : [
    {
      "unknown in a phase" : "a \"quoted\" \\ back\\slash, a tab\t, \u00e9 and \ud83d\ude00" ,
      "tasks" : [
        {
          "time" : 1.5e0 ,
          "node" : 0 ,
          "resource" : "cpu" ,
          "attributes" : { "index" : [ 1 , 2 ] , "elm_id" : "x { ] \" , : y" } ,
          "subphases" : [ { "id" : 0 , "time" : 1.0 , "unknown" : true } , { "id" : 1 , "time" : 0.5 } ] ,
          "user_defined" : {
            "shared_id" : 3 , "shared_bytes" : 100.0 , "home_rank" : 1 ,
            "task_footprint_bytes" : 10.0 , "task_working_bytes" : 5 , "task_serialized_bytes" : 7 ,
            "rank_working_bytes" : 1000 , "unknown" : "text"
          } ,
          "entity" : {
            "unknown in an entity" : 1e-7 , "type" : "object" , "migratable" : true ,
            "index" : [ 0 , 1 ] , "id" : 262147 , "home" : 0 , "collection_id" : 7
          } ,
          "unknown in a task" : { "deep" : { "deeper" : [ ] } }
        } ,
        { "entity" : { "type" : "object" , "migratable" : false , "id" : 0 , "home" : 0 , "objgroup_id" : 2 } ,
          "node" : 0 , "resource" : "cpu" , "time" : 0 }
      ] ,
      "user_defined" : { "of the phase" : 18446744073709551615 } ,
      "lb_iterations" : [
        { "id" : 0 , "tasks" : [ ] , "communications" : [ ] , "user_defined" : { } , "unknown" : false }
      ] ,
      "communications" : [
        { "type" : "SendRecv" , "messages" : 1 , "bytes" : 64.0 , "unknown in a communication" : "\\" ,
          "from" : { "type" : "object" , "id" : 262147 , "home" : 0 , "migratable" : true } ,
          "to" : { "type" : "object" , "id" : 262151 , "home" : 1 , "migratable" : true } } ,
        { "type" : "SomethingNew" , "messages" : 1 , "bytes" : 1 ,
          "from" : { "type" : "something new" , "id" : 1 } , "to" : { "type" : "object" , "id" : 262147 } } ,
        { "type" : "WriteShared" , "messages" : 1 , "bytes" : 100.0 ,
          "from" : { "type" : "shared_id" , "id" : 3 } , "to" : { "type" : "node" , "id" : 0 } }
      ] ,
      "id" : 4
    }
  ] ,
  "metadata" : {
    "unknown in metadata" : [ "\/" ] ,
    "type" : "LBDatafile" , "rank" : 0 , "rank_alpha" : 2.0 ,
    "shared_node" : { "id" : 5 , "size" : 2 , "rank" : 0 , "num_nodes" : 1 } ,
    "attributes" : { "solver" : "\u0041MG" } ,
    "phases" : { "count" : 1 , "unknown" : 1 , "skipped" : { "list" : [ ] , "range" : [ [ 0 , 3 ] ] } ,
      "identical_to_previous" : { "list" : [ ] , "range" : [ ] } }
  }
}
"#,
    r#"{"metadata":{"type":"LBDatafile","rank":1,"shared_node":{"id":5,"size":2,"rank":1,"num_nodes":1},
"phases":{"count":1,"skipped":{"list":[0,1,2,3],"range":[]},"identical_to_previous":{"list":[],"range":[]}}},
"phases":[{"id":4,"tasks":[
{"entity":{"collection_id":7,"home":1,"id":262151,"migratable":true,"type":"object"},"node":1,"resource":"cpu","time":2.5,
"user_defined":{"shared_id":-1,"shared_bytes":0.0}},
{"entity":{"home":1,"id":0,"migratable":false,"type":"object"},"node":1,"resource":"cpu","time":0.0}]}]}"#,
];

fn workspace(files: [&str; 2]) -> Workspace {
    let workspace = Workspace::new();
    for (rank, file) in files.into_iter().enumerate() {
        workspace.write(&format!("data.{rank}.json"), file);
    }
    let configuration = "from_data: {data_stem: data}
work_model: {name: AffineCombination, parameters: {beta: 1.0}}
algorithm: {name: PhaseStepper}
output_dir: out
write_JSON: {compressed: false}
plots: none
";
    workspace.write("run.yaml", configuration);
    workspace
}

fn info(workspace: &Workspace) -> Value {
    serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("the output is JSON")
}

/// Returns some values of an object.
fn picked(value: &Value, keys: &[&str]) -> Vec<Value> {
    keys.iter().map(|&key| value[key].clone()).collect()
}

const COUNTS: [&str; 6] = ["n_objects", "n_sentinels", "n_blocks", "n_edges", "load_sum", "off_rank_bytes"];

#[test]
fn node_stats_files_move_objects_of_collections() {
    let workspace = workspace(NODE_STATS);
    let info = info(&workspace);
    // Two entries between the same objects are one edge. Sentinels with one id on two ranks are two objects.
    assert_eq!(
        picked(&info["phases"][0], &COUNTS),
        [json!(5), json!(2), json!(0), json!(1), json!(4.0), json!(5.5)]
    );
    assert_eq!(info["phases"][0]["communications"]["other_types"], json!({"CollectionToNode": 1}));
    assert_eq!(info["n_objects"], 5);
}

#[test]
fn sequence_numbers_serve_as_ids() {
    let workspace = workspace(SEQ_ID);
    let info = info(&workspace);
    // The sentinel has the same `seq_id` as a migratable object, but is another object.
    assert_eq!(
        picked(&info["phases"][0], &COUNTS),
        [json!(4), json!(1), json!(0), json!(1), json!(4.0), json!(6.0)]
    );
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=RotateLB"]);
    let rows = workspace.text("out/migrations.csv");
    let mut rows: Vec<&str> =
        rows.lines().skip(1).map(|row| row.rsplitn(4, ',').nth(3).expect("eight columns")).collect();
    rows.sort_unstable();
    // If both numbers are present, `id` takes precedence.
    assert_eq!(rows, ["0,id,524295,1,0", "0,seq_id,4,0,1", "0,seq_id,5,1,0"]);
}

#[test]
fn everything_that_a_file_can_hold_is_understood() {
    let workspace = workspace(EVERYTHING);
    let info = info(&workspace);
    assert_eq!(picked(&info, &["phases_recorded", "n_nodes", "gaps"]), [json!([4]), json!(1), json!([])]);
    assert_eq!(
        picked(&info["phases"][0], &COUNTS),
        [json!(4), json!(2), json!(1), json!(1), json!(4.0), json!(64.0)]
    );
    // 1000 (rank) + 100 (block) + 10 (object) + 5 (while it runs)
    assert_eq!(info["phases"][0]["max_rank_memory_bytes"], 1115.0);
    workspace.succeed(&["run", "run.yaml"]);
    let before = &workspace.json("out/summary.json")["phases"][0]["before"];
    // Rank 0: 2 * 1.5 + 64 B off-rank; rank 1: 2.5 + 64 B
    assert_eq!((&before["work"]["max"], &before["work"]["min"]), (&json!(67.0), &json!(66.5)));
}

#[test]
fn every_generation_survives_a_round_trip() {
    for files in [NODE_STATS, SEQ_ID, EVERYTHING] {
        let workspace = workspace(files);
        workspace.succeed(&["run", "run.yaml"]);
        for rank in 0..2 {
            let input = workspace.json(&format!("data.{rank}.json"));
            assert_eq!(workspace.json(&format!("out/output_file.{rank}.json")), input);
        }
    }
}

/// On two ranks, RotateLB exchanges all migratable objects.
#[test]
fn records_of_every_generation_move_completely() {
    for (files, id) in [(NODE_STATS, 0), (SEQ_ID, 0), (EVERYTHING, 4)] {
        let workspace = workspace(files);
        workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=RotateLB"]);
        let document = |stem: &str, rank| workspace.json(&format!("{stem}.{rank}.json"));
        for rank in 0..2 {
            let (own, other) = (document("data", rank), document("data", 1 - rank));
            let written = document("out/output_file", rank);
            let can_move = |task: &&Value| match task["entity"].get("migratable") {
                Some(migratable) => migratable == true,
                None => ["index", "collection_id"].iter().any(|&key| task["entity"].get(key).is_some()),
            };
            let tasks = |document| list(phase(document, id), "tasks").iter();
            let staying = tasks(&own).filter(|task| !can_move(task)).cloned();
            let arriving = tasks(&other).filter(can_move).cloned().map(|mut task| {
                task["node"] = json!(rank);
                // Tasks state the memory of their new rank.
                if files == EVERYTHING {
                    task["user_defined"]["rank_working_bytes"] = json!([1000.0, 0.0][rank]);
                }
                task
            });
            let expected: Vec<Value> = staying.chain(arriving).collect();
            assert_eq!(list(phase(&written, id), "tasks"), expected);
            assert!(expected.iter().all(|task| without_node(task).get("node").is_none()));
            // Content outside objects does not move.
            let around = |document: &Value| {
                let mut document = document.clone();
                for phase in document["phases"].as_array_mut().expect("a list of phases") {
                    let phase = phase.as_object_mut().expect("a phase is an object");
                    phase.remove("tasks");
                    phase.remove("communications");
                    // Recorded iterations have the placement before the run.
                    phase.remove("lb_iterations");
                }
                document
            };
            assert_eq!(around(&written), around(&own));
            assert!(phase(&written, id).get("lb_iterations").is_none());
        }
    }
}

/// `SendRecv` follows its sender, and an entry of unknown type follows the object at its endpoint. Entries without
/// an object stay.
#[test]
fn communication_moves_with_the_object_that_logged_it() {
    let workspace = workspace(EVERYTHING);
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=RotateLB"]);
    let input = workspace.json("data.0.json");
    let entries = list(phase(&input, 4), "communications");
    let written = [0, 1].map(|rank| workspace.json(&format!("out/output_file.{rank}.json")));
    assert_eq!(list(phase(&written[0], 4), "communications"), [entries[2].clone()]);
    assert_eq!(list(phase(&written[1], 4), "communications"), [entries[0].clone(), entries[1].clone()]);

    workspace.succeed(&["run", "run.yaml", "--set", "write_JSON.communications=false"]);
    let without = workspace.json("out/output_file.0.json");
    assert!(phase(&without, 4).get("communications").is_none());
}

/// Phases without numbers are numbered by position, with a warning; phases without tasks have no objects.
#[test]
fn phases_without_numbers_or_tasks_are_read() {
    let file = r#"{"phases":[{"tasks":[]},{"tasks":[{"entity":{"id":262147,"home":0,"migratable":true,"type":"object"},"node":0,"time":1.0}]},{}]}"#;
    let workspace = workspace([file, r#"{"phases":[{},{},{}]}"#]);
    let info = info(&workspace);
    assert_eq!(info["phases_recorded"], json!([0, 1, 2]));
    let objects: Vec<&Value> = list(&info, "phases").iter().map(|phase| &phase["n_objects"]).collect();
    assert_eq!(objects, [0, 1, 0]);
    assert_eq!(list(&info, "warnings")[0], "data.0.json: phase entry 0 has no `id`; assuming phase 0");
    assert_eq!(list(&info, "warnings").len(), 6);
}

#[test]
fn skipped_phases_are_not_gaps() {
    let file = |rank: u64| {
        json!({"metadata": {"rank": rank, "type": "LBDatafile",
            "shared_node": {"id": rank, "num_nodes": 3, "rank": 0, "size": 1},
            "phases": {"identical_to_previous": {"list": [], "range": []}, "skipped": {"list": [1], "range": [[3, 4]]}}},
            "phases": [{"id": 0, "tasks": []}, {"id": 2, "tasks": []}, {"id": 6, "tasks": []}]})
        .to_string()
    };
    let workspace = Workspace::new();
    workspace.write("data.0.json", file(0));
    workspace.write("data.1.json", file(1));
    let info = info(&workspace);
    assert_eq!((&info["gaps"], &info["phases_skipped"]), (&json!([5]), &json!([[1, 1], [3, 4]])));
    // The files cover two of three nodes.
    let missing =
        "the metadata state 3 nodes, but the ranks of these files are on only 2; check for missing files";
    assert_eq!(info["warnings"], json!([missing]));
    let said = workspace.succeed(&["info", "data"]);
    assert!(said.contains("note: phases listed as skipped, without data: 1, 3-4\n"), "{said}");
    assert!(said.contains("note: phases neither recorded nor listed as skipped: 5\n"), "{said}");
}
