// SPDX-License-Identifier: MIT OR Apache-2.0
//! OfflineLB applies placements from files: the next phase of a run, other data sets, and tables of migrations.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::peers::{DataSet, EIGHT_COLOURS, SYNTHETIC_BLOCKS, TOY_MEM, configuration, peer, stem};
use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Runs Greedy with files for vt, then OfflineLB on these files; returns the rank loads of both results.
fn replayed(set: DataSet, phase: u64) -> Option<[Value; 2]> {
    let workspace = peer(set)?;
    let greedy = format!("algorithm: {{name: Greedy, phase_id: {phase}}}");
    let write = "write_JSON: {compressed: false, offline_lb_compatible: true}";
    workspace.write("greedy.yaml", configuration(set, &format!("{greedy}\n{write}")));
    workspace.succeed(&["run", "greedy.yaml"]);
    workspace.write(
        "replay.yaml",
        format!(
            "from_data: {{data_stem: out/output_file}}\noutput_dir: replayed\nplots: none\n\
             algorithm: {{name: OfflineLB, phase_id: {phase}}}"
        ),
    );
    workspace.succeed(&["run", "replay.yaml"]);
    assert_eq!(workspace.text("replayed/migrations.csv"), workspace.text("out/migrations.csv"), "{set:?}");
    assert!(workspace.text("out/migrations.csv").lines().count() > 1, "{set:?}: nothing moved");
    let balanced = |directory: &str| {
        let summary = workspace.json(&format!("{directory}/summary.json"));
        let phases = summary["phases"].as_array().expect("a list of phases");
        let found = phases.iter().find(|found| found["phase"] == phase).expect("the phase was balanced");
        found["rank_loads"].clone()
    };
    Some(["out", "replayed"].map(balanced))
}

#[test]
fn files_for_vt_are_replayed() {
    // In the first set, one rank has only an object that was added for vt, without load.
    for (set, phase) in [(SYNTHETIC_BLOCKS, 0), (TOY_MEM, 0), (EIGHT_COLOURS, 3)] {
        let Some([greedy, replayed]) = replayed(set, phase) else { return };
        assert_eq!(greedy, replayed, "{set:?}");
    }
}

#[test]
fn a_placement_of_another_data_set_is_applied() {
    let Some(workspace) = peer(TOY_MEM) else { return };
    let map = format!("{}_optimal", stem(TOY_MEM));
    for map in [map.clone(), format!("{{data_stem: {map}}}")] {
        let algorithm = format!("algorithm: {{name: OfflineLB, parameters: {{map: {map}}}}}");
        workspace.write("run.yaml", configuration(TOY_MEM, &algorithm));
        workspace.succeed(&["run", "run.yaml"]);
        let after = &workspace.json("out/summary.json")["phases"][0]["after"];
        // Published figures of that placement.
        assert_eq!(after["load"]["imbalance"], 0.0);
        assert_eq!(after["memory"]["max"], 7.490_010_24e9);
    }
}

/// Two ranks in three phases: objects 1 and 2 on rank 0; then object 2 on rank 1; then both on rank 1 with a new
/// object 3.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let phase = |id: u64, ranks: &[u64]| {
            let objects = (1..).zip(ranks).filter(|&(_, &at)| at == rank);
            let here = |(sequence, _)| {
                let mut task = task(packed(sequence, 0), 0, 1.0);
                task["node"] = json!(rank);
                task
            };
            json!({"id": id, "tasks": objects.map(here).collect::<Vec<_>>()})
        };
        let phases = [phase(0, &[0, 0]), phase(1, &[0, 1]), phase(2, &[1, 1, 1])];
        workspace.write(&format!("data.{rank}.json"), json!({ "phases": phases }).to_string());
    }
    workspace
}

fn offline(phases: &str, parameters: &str) -> String {
    format!(
        "from_data:\n  data_stem: data\noutput_dir: out\nplots: none\nalgorithm:\n  name: OfflineLB\n  \
         phase_id: {phases}\n  parameters:\n    {parameters}\n"
    )
}

fn loads(workspace: &Workspace) -> Vec<Value> {
    let summary = workspace.json("out/summary.json");
    let phases = summary["phases"].as_array().expect("a list of phases");
    phases.iter().map(|phase| phase["rank_loads"]["after"].clone()).collect()
}

#[test]
fn each_phase_gets_the_placement_of_the_next() {
    let workspace = workspace();
    workspace.write("run.yaml", offline("all", "{}"));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(loads(&workspace), [json!([1.0, 1.0]), json!([0.0, 2.0]), json!([0.0, 3.0])]);
    assert_snapshot!(said.stderr, @r"
    note: phase 1: 1 of 3 objects in the map are ignored: they are not in the phase, not migratable, or listed more than once
    note: the map has no placement for phase 2, so every object stays
    ");
}

#[test]
fn a_file_may_name_only_some_objects() {
    let workspace = workspace();
    workspace.write("ranks.yaml", format!("{}: 1\n", packed(1, 0)));
    workspace.write("run.yaml", offline("0", "map: ranks.yaml"));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!((said.code, loads(&workspace)), (0, vec![json!([1.0, 1.0])]));
    assert_snapshot!(said.stderr, @"note: phase 0: 1 of 2 migratable objects are not in the map and stay");
    assert_eq!(workspace.json("out/summary.json")["strategy"]["parameters"]["map"], "ranks.yaml");

    // A table of migrations names only the moved objects, and may include phases that are not balanced.
    let [first, other] = [packed(1, 0), packed(2, 0)];
    workspace.write("moves.csv", format!("phase,object,to_rank\n0,{first},1\n0,{other},1\n1,{first},1\n"));
    workspace.write("run.yaml", offline("0", "map: moves.csv"));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!((said.code, loads(&workspace)), (0, vec![json!([0.0, 2.0])]));
    assert_snapshot!(said.stderr, @"warning: `map` contains migrations of phases that are not balanced (1); these migrations are ignored");
}

/// Returns the error of a run. Expects exit code 3 and no output.
#[track_caller]
fn refused(phases: &str, parameters: &str, more: &[&str]) -> String {
    let workspace = workspace();
    workspace.write("run.yaml", offline(phases, parameters));
    let error = workspace.fail(&[&["run", "run.yaml"], more].concat(), 3);
    assert!(!workspace.path("out").exists());
    error
}

#[test]
fn a_next_phase_that_was_not_read() {
    assert_snapshot!(refused("0", "{}", &["--phases", "0, 2"]), @r"
    error: run.yaml:9:5: algorithm.parameters.map: the map of phase 0 is the placement of phase 1, which was not read: read it too (`from_data.phase_ids`), or exclude phase 0 (`algorithm.phase_id`)
      |
    9 |     {}
      |     ^
    ");
}

#[test]
fn a_last_phase_alone() {
    assert_snapshot!(refused("2", "{}", &[]), @r"
    error: run.yaml:9:5: algorithm.parameters.map: the map of a phase is the placement of the next phase, but no balanced phase has a next phase (the data hold phases 0-2); balance an earlier phase, or name another map: a file such as migrations.csv, or the stem of another data set
      |
    9 |     {}
      |     ^
    ");
}

#[test]
fn a_missing_map() {
    assert_snapshot!(refused("0", "map: nowhere", &[]), @r"
    error: run.yaml:9:10: algorithm.parameters.map: no such file or data set: nowhere.<rank>.* has no file for rank 0; did you mean data?
      |
    9 |     map: nowhere
      |          ^^^^^^^
    ");
    assert_snapshot!(refused("0", "map: {data_stem: date}", &[]), @r"
    error: run.yaml:9:10: algorithm.parameters.map: no such data set: date.<rank>.* has no file for rank 0; did you mean data?
      |
    9 |     map: {data_stem: date}
      |          ^
    ");
}

#[test]
fn a_map_of_other_data() {
    assert_snapshot!(refused("0", "map: {rank: 1}", &[]), @r"
    error: run.yaml:9:10: algorithm.parameters.map: missing key `data_stem`
      |
    9 |     map: {rank: 1}
      |          ^

    run.yaml:9:11: algorithm.parameters.map: unknown key `rank`; expected one of `data_stem`, `suffix`
      |
    9 |     map: {rank: 1}
      |           ^^^^

    2 errors
    ");
    let workspace = workspace();
    workspace.write("ranks.yaml", "1: 1\n2: 0\n");
    workspace.write("run.yaml", offline("0", "map: ranks.yaml"));
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:9:10: algorithm.parameters.map: ranks.yaml: the map contains no migratable object of phase 0; it may belong to a different data set
      |
    9 |     map: ranks.yaml
      |          ^^^^^^^^^^
    ");
}

/// Files of the map are inputs: outputs must not replace them.
#[test]
fn outputs_do_not_replace_a_map() {
    let workspace = workspace();
    for rank in 0..2 {
        workspace.write(&format!("other/map.{rank}.json"), workspace.read(&format!("data.{rank}.json")));
    }
    let more = "output_file_stem: map\nwrite_JSON: {}\n";
    let run = offline("0", "map: other/map").replace("output_dir: out", "output_dir: other");
    workspace.write("run.yaml", format!("{run}{more}"));
    let before = workspace.files("other");
    let error = workspace.fail(&["run", "run.yaml"], 6);
    assert!(error.contains("other/map.0.json"), "{error}");
    assert_eq!(workspace.files("other"), before);
    let log = ["--set", "log_to_file=other/map.1.json", "--output-dir", "out"];
    let error = workspace.fail(&[&["run", "run.yaml"][..], &log].concat(), 3);
    assert!(error.contains("is an input file"), "{error}");
}
