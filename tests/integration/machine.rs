// SPDX-License-Identifier: MIT OR Apache-2.0
//! Machine what-ifs: `lbaf simulate` on a machine other than the recorded one.

use serde_json::{Value, json};

use crate::vom::packed;
use crate::workspace::Workspace;

/// Three phases of two ranks with four objects each, of 1 s and 100 bytes. The objects have the indices 0 to 7.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..2_u64 {
        let task = |at: u64| {
            json!({
                "entity": {"id": packed(at + 1, rank), "type": "object", "migratable": true, "collection_id": 7,
                           "home": rank, "index": [4 * rank + at]},
                "node": rank, "resource": "cpu", "time": 1.0,
                "user_defined": {"task_footprint_bytes": 100.0},
            })
        };
        let tasks: Vec<Value> = (0..4).map(task).collect();
        let phases: Vec<Value> = (0..3).map(|id| json!({"id": id, "tasks": tasks})).collect();
        let file = json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    let configuration = "from_data: {data_stem: set}\nalgorithm: {name: LPT}\noutput_dir: out\nplots: none\n\
                         work_model: {name: AffineCombination}\n\
                         simulation: {schedule: never, costs: {object_latency: 0.5}}\n";
    workspace.write("run.yaml", configuration);
    workspace
}

/// Simulates with these settings; returns the standard output and the results.
fn simulate(workspace: &Workspace, settings: &[&str]) -> (String, Value) {
    let mut arguments = vec!["simulate", "run.yaml"];
    for setting in settings {
        arguments.extend(["--set", setting]);
    }
    let said = workspace.succeed(&arguments);
    (said, workspace.json("out/simulation.json"))
}

/// Returns the times of the phases without balancing.
fn never(results: &Value) -> Vec<f64> {
    let runs = results["runs"].as_array().expect("a list");
    let run = runs.iter().find(|run| run["scenario"] == "never").expect("it is among them");
    let phases = run["by_phase"].as_array().expect("a list");
    phases.iter().map(|phase| phase["time"].as_f64().expect("a time")).collect()
}

#[test]
fn the_recorded_machine_is_not_reported() {
    let workspace = workspace();
    let (said, results) = simulate(&workspace, &[]);
    assert!(!said.contains("recorded machine"), "{said}");
    assert_eq!((never(&results), &results["machine"]), (vec![4.0; 3], &Value::Null));
}

#[test]
fn every_what_if_can_be_set_on_the_command_line() {
    let workspace = workspace();
    for (settings, times, expected) in [
        (
            &["simulation.machine.n_ranks=4", "simulation.machine.first_placement=blocks"][..],
            [2.0, 2.0, 2.0],
            "- 4 ranks instead of 2, objects placed in contiguous blocks of nearly equal size\n",
        ),
        (&["simulation.machine.n_ranks=1"], [8.0; 3], "- 1 rank instead of 2, objects folded onto it\n"),
        (
            &[
                "simulation.machine.n_ranks=3",
                "simulation.machine.rank_alpha={2: 5.0}",
                "simulation.machine.first_placement=lpt",
            ],
            // 3, 3 and 2 objects, because LPT places them as on equal ranks: 2 * 5 s
            [10.0; 3],
            "- rank 2 takes 5 s per second of load\n",
        ),
        (
            &["simulation.machine.slowed=[{rank: 1, from_phase: 1, factor: 1.5}]"],
            [4.0, 6.0, 6.0],
            "- rank 1 takes 1.5 times as long from phase 1 on\n",
        ),
        (
            &["simulation.machine.slowed=[{rank: 1, from_phase: 1, to_phase: 1, factor: 1.5}]"],
            [4.0, 6.0, 4.0],
            "- rank 1 takes 1.5 times as long from phase 1 to 1\n",
        ),
        (
            &["simulation.machine.lost=[{rank: 0, from_phase: 2}]"],
            [4.0, 4.0, 8.0],
            "- rank 0 is lost from phase 2 on\n- moved from lost ranks in the recorded placements: \
             4 migratable objects\n",
        ),
        (
            &[
                "simulation.machine.objects={split: 2}",
                "simulation.machine.n_ranks=8",
                "simulation.machine.first_placement=round_robin",
            ],
            [1.0; 3],
            "- 8 objects split into 2 each along dimension 0 of their index; 0 migratable objects without this dimension \
             and 0 non-migratable objects are unchanged\n- 8 ranks instead of 2, objects placed round robin\n",
        ),
        (
            &["simulation.machine.objects={merge: 8}"],
            [8.0; 3],
            "- 8 objects merged into 1 along dimension 0 of their index; up to 0 B of communication per phase are internal \
             to objects now; 0 migratable objects without this dimension and 0 non-migratable objects are unchanged\n",
        ),
    ] {
        let (said, results) = simulate(&workspace, settings);
        assert!(said.contains(expected), "{said}");
        assert_eq!(never(&results), times, "{settings:?}");
        assert!(results["machine"]["assumed"].is_array(), "{settings:?}");
    }
}

#[test]
fn leaving_a_lost_rank_takes_its_time() {
    let workspace = workspace();
    let (said, results) = simulate(&workspace, &["simulation.machine.lost=[{rank: 1, from_phase: 1}]"]);
    // The lost rank sends four objects one after the other, which takes 2 s.
    let runs = results["runs"].as_array().expect("a list");
    let of = |scenario: &str, key: &str| {
        runs.iter().find(|run| run["scenario"] == scenario).expect("it is there")[key].clone()
    };
    assert_eq!(
        [
            of("never", "migration_seconds"),
            of("recorded", "migration_seconds"),
            of("perfect", "migration_seconds")
        ],
        [2.0, 2.0, 0.0]
    );
    assert_eq!((of("never", "total"), of("never", "n_evacuated")), (json!(22.0), json!(4)));
    assert!(said.contains("4 objects moved away from lost ranks"), "{said}");
    let csv = workspace.text("out/simulation.csv");
    assert!(csv.lines().any(|line| line == "never,1,8,8,0,0,,,,,,,,2,4,0,,,,"), "{csv}");
}

/// Four objects of 100 bytes are on each rank, and eight after the loss. No strategy runs in `never`, and none can keep
/// the bound in `perfect`.
#[test]
fn scenarios_that_exceed_bounds_after_a_loss_are_named() {
    let workspace = workspace();
    let bound = "work_model.parameters.upper_bounds={max_memory_usage: 500}";
    let (lost, schedule) =
        ("simulation.machine.lost=[{rank: 1, from_phase: 1}]", "simulation.schedule={every: 1}");
    let (said, results) = simulate(&workspace, &[bound, lost, schedule]);
    let sentence = "2 phases exceed upper bounds of the work model. Other scenarios that exceed upper bounds: as recorded \
                    (2 phases), never balanced (2 phases), perfect knowledge (2 phases).";
    assert!(said.contains(sentence), "{said}");
    let sentences = results["sentences"].to_string();
    assert!(sentences.contains("Other scenarios that exceed upper bounds: "), "{sentences}");
    for run in results["runs"].as_array().expect("a list") {
        assert_eq!(run["n_phases_over_bounds"], 2);
    }
    let last = "simulation.machine.lost=[{rank: 1, from_phase: 2}]";
    let (said, _) = simulate(&workspace, &[bound, last, schedule]);
    assert!(said.contains("1 phase exceeds upper bounds of the work model. "), "{said}");
    let (said, _) = simulate(&workspace, &[bound, schedule]);
    assert!(!said.contains("exceed"), "{said}");
    // Balancing is too costly for the configured run, but free with perfect knowledge. `Random` ignores bounds.
    let slow = "simulation.machine.rank_alpha={1: 3.0}";
    let random = [
        "work_model.parameters.upper_bounds={max_memory_usage: 450}",
        "simulation.schedule={adaptive: 1000}",
        "algorithm.name=Random",
    ];
    let (said, _) = simulate(&workspace, &[&[slow][..], &random].concat());
    assert!(said.contains(" Scenarios that exceed upper bounds: perfect knowledge (1 phase)."), "{said}");
}

/// Each rank has 400 bytes; with both ranks on one node, the node needs 800.
#[test]
fn memory_of_nodes_bounds_the_sum_over_their_ranks() {
    let workspace = workspace();
    let over = |settings: &[&str]| {
        let (_, results) = simulate(&workspace, settings);
        results["runs"][1]["by_phase"][0]["n_ranks_over_bounds"].as_u64().expect("a number")
    };
    let memory = "simulation.machine.node_memory=500";
    assert_eq!(over(&[memory]), 0);
    assert_eq!(over(&[memory, "simulation.machine.ranks_per_node=2"]), 2);
    assert_eq!(over(&[memory, "from_data.ranks_per_node=2"]), 2);
    assert_eq!(over(&["simulation.machine.node_memory=800", "simulation.machine.ranks_per_node=2"]), 0);
    // `node_memory` replaces any other upper bound on memory.
    let other = "work_model.parameters.upper_bounds={max_memory_usage: 10}";
    assert_eq!([over(&[other]), over(&[other, memory])], [2, 0]);
    let (said, _) = simulate(&workspace, &[memory, "simulation.machine.ranks_per_node=2"]);
    assert!(said.contains("- 2 ranks per node\n- a node has 500 B of memory\n"), "{said}");
    // Regression: the message was "2 ranks instead of 2".
    assert!(!said.contains("instead of"), "{said}");
}

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let workspace = workspace();
    for (machine, expected) in [
        ("{n_ranks: 0}", "simulation.machine.n_ranks: a machine has 1 up to 2^31 - 1 ranks, not 0"),
        ("{ranks_per_node: 0}", "simulation.machine.ranks_per_node: a node has 1 rank or more, not 0"),
        (
            "{slowed: [{rank: 0, factor: 2}, {rank: 1, factor: -2}]}",
            "simulation.machine.slowed[1].factor: must be a finite number above 0, not -2; 2 means half as fast",
        ),
        (
            "{slowed: [{rank: 2, factor: 2}]}",
            "simulation.machine.slowed[0].rank: there is no rank 2; the last rank of the machine is 1",
        ),
        (
            "{rank_alpha: {7: 2}}",
            "simulation.machine.rank_alpha.7: there is no rank 7; the last rank of the machine is 1",
        ),
        (
            "{lost: [{rank: 0, from_phase: 3}]}",
            "simulation.machine.lost[0].from_phase: no phase from 3 on is in the data; the data have \
             phases 0 to 2",
        ),
        (
            "{lost: [{rank: 0}, {rank: 1}]}",
            "simulation.machine.lost: all 2 ranks are lost from phase 0 on; at least one must remain",
        ),
        ("{lost: [{rank: 0}, {rank: 0}]}", "simulation.machine.lost[1].rank: rank 0 is already lost"),
        (
            "{objects: {split: 2, merge: 2}}",
            "simulation.machine.objects: expected either `split` or `merge`, with a number",
        ),
        ("{objects: {}}", "simulation.machine.objects: expected either `split` or `merge`, with a number"),
        ("{objects: {merge: 0}}", "simulation.machine.objects.merge: the number must be 1 to"),
        (
            "{objects: {split: 2, along: 1}}",
            "simulation.machine.objects.split: no migratable object has an `index` with dimension 1",
        ),
        ("{node_memory: 0}", "simulation.machine.node_memory: expected bytes above 0, found 0"),
        ("{n_ranks: 2, first_placement: spread}", "simulation.machine.first_placement: "),
        ("{nranks: 2}", "unknown key `nranks`"),
    ] {
        let set = format!("simulation.machine={machine}");
        let said = workspace.fail(&["simulate", "run.yaml", "--set", &set], 3);
        assert!(said.contains(expected), "{machine}: {said}");
    }
    let memory = "simulation.machine.node_memory=1000";
    let load =
        workspace.fail(&["simulate", "run.yaml", "--set", memory, "--set", "work_model={name: LoadOnly}"], 3);
    assert!(load.contains("LoadOnly has no upper bounds; use AffineCombination or CCM"), "{load}");
    let ccm = "work_model={name: CCM, parameters: {epsilon: 0}}";
    let unbounded = workspace.fail(&["simulate", "run.yaml", "--set", memory, "--set", ccm], 3);
    assert!(
        unbounded.contains("upper bounds have no effect with `work_model.parameters.epsilon: 0`"),
        "{unbounded}"
    );
    let named = "algorithm={name: PrescribedPermutation, parameters: {permutation: {1: 0}}}";
    let more = "simulation.machine.n_ranks=4";
    let named = workspace.fail(&["simulate", "run.yaml", "--set", named, "--set", more], 3);
    let expected = "simulation.machine.n_ranks: PrescribedPermutation maps recorded objects to recorded ranks, but this \
                    machine changes them";
    assert!(named.contains(expected), "{named}");
}

/// The commented section `machine` in `configs/default.yaml` is valid and has every key.
#[test]
fn the_section_of_the_default_configuration_is_complete() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/default.yaml");
    let text = std::fs::read_to_string(path).expect("it is there");
    let lines = text.lines().skip_while(|line| *line != "  # machine:").skip(1);
    let lines = lines.map_while(|line| line.strip_prefix("  #   "));
    let section: Vec<&str> = lines.collect();
    let workspace = workspace();
    workspace.write("machine.yaml", format!("simulation:\n  machine:\n    {}\n", section.join("\n    ")));
    let said = workspace.succeed(&["simulate", "run.yaml", "machine.yaml"]);
    assert!(said.contains("- 64 ranks instead of 2, objects folded onto them\n"), "{said}");

    let unknown = workspace.fail(&["simulate", "run.yaml", "--set", "simulation.machine={zzzz: 1}"], 3);
    let known = unknown.lines().next().and_then(|line| line.split_once("expected ")).expect("a list").1;
    let keys: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    assert!(keys.len() > 7, "{keys:?}");
    for key in keys {
        assert!(section.iter().any(|line| line.starts_with(&format!("{key}:"))), "{key} is missing");
    }
}
