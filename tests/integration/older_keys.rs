// SPDX-License-Identifier: MIT OR Apache-2.0
//! Older keys, spellings and types in configurations of LBAF users.

use serde_json::{Value, json};

use crate::vom::{one_phase, packed, task};
use crate::workspace::{CommandOutput, Workspace};

const CONFIGURATION: &str = "
from_data: {data_stem: set, phase_ids: [0]}
algorithm: {name: Greedy}
output_dir: out
plots: none
";

/// Two ranks, eight objects on the first.
fn workspace(configuration: &str) -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=8).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", configuration.trim_start());
    workspace
}

/// Runs a configuration that must be accepted; returns its workspace and output.
#[track_caller]
fn understood(configuration: &str) -> (Workspace, CommandOutput) {
    let workspace = workspace(configuration);
    let said = workspace.lbaf(&["-c", "run.yaml"]);
    assert_eq!(said.code, 0, "{configuration}: {}", said.stderr);
    (workspace, said)
}

#[track_caller]
fn summary(configuration: &str) -> Value {
    understood(configuration).0.json("out/summary.json")
}

#[test]
fn keys_without_effect_are_accepted_with_a_note_each() {
    const NO_MESHES: &str = "use `visualization` for pictures and meshes";
    for (key, why) in [
        (
            "brute_force_optimization: true",
            "every result has a proven lower bound instead of a search of all placements",
        ),
        ("terminal_background: light", "the terminal keeps its own colours"),
        ("generate_multimedia: False", NO_MESHES),
        ("generate_meshes: {x_ranks: 2, y_ranks: 1, z_ranks: 1, object_jitter: 0.5}", NO_MESHES),
        ("exodus: True", NO_MESHES),
        ("x_procs: 2", NO_MESHES),
        ("show_traceback: True", "errors name the file and line"),
    ] {
        let (_, said) = understood(&format!("{CONFIGURATION}{key}\n"));
        let (name, _) = key.split_once(':').expect("a key and a value");
        assert_eq!(said.stderr, format!("note: `{name}` of an older LBAF has no effect: {why}\n"));
    }
    let (_, said) = understood(&format!("{CONFIGURATION}overwrite_validator: False\n"));
    assert_eq!(said.stderr, "", "the key is accepted without a note");
}

#[test]
fn renamed_keys_keep_their_meaning() {
    let renamed = |old: &str, new: &str| format!("note: `{old}` of an older LBAF is read as `{new}`\n");
    let (workspace, said) = understood(&format!(
        "{CONFIGURATION}write_JSON: {{compressed: False, offline_LB_compatible: True}}\n"
    ));
    let note = renamed("write_JSON.offline_LB_compatible", "write_JSON.offline_lb_compatible");
    assert!(said.stderr.starts_with(&note), "{}", said.stderr);
    // The phase as recorded, followed by the new placement.
    assert_eq!(workspace.json("out/output_file.0.json")["phases"].as_array().map(Vec::len), Some(2));

    let (_, said) = understood(&CONFIGURATION.replace("phase_ids: [0]", "phase_id: 0"));
    assert_eq!(said.stderr, renamed("from_data.phase_id", "from_data.phase_ids"));

    // Keys from before `from_data` existed.
    let flat = "
log_file: set
phase_id: 0
file_suffix: json
n_ranks: 2
algorithm: {name: Greedy}
output_dir: out
plots: none
";
    let (workspace, said) = understood(flat);
    let expected = [
        renamed("phase_id", "from_data.phase_ids"),
        renamed("file_suffix", "from_data.suffix"),
        renamed("log_file", "from_data.data_stem"),
        renamed("n_ranks", "from_data.expected_ranks"),
    ];
    assert_eq!(said.stderr, expected.concat());
    assert_eq!(workspace.json("out/summary.json")["input"]["n_ranks"], 2);
    let (_, said) = understood(&flat.replace("n_ranks: 2", "n_ranks: 3"));
    assert!(said.stderr.contains("`from_data.expected_ranks` is 3"), "{}", said.stderr);
}

#[test]
fn older_names_of_sections_are_checked_like_present_ones() {
    let grid = |key, jitter| {
        format!(
            "{CONFIGURATION}{key}:\n  {{x_ranks: 2, y_ranks: 1, z_ranks: 1, object_jitter: {jitter}, rank_qoi: work}}\n"
        )
    };
    let (_, said) = understood(&grid("LBAF_Viz", 0.5));
    let renamed = "note: `LBAF_Viz` of an older LBAF is read as `visualization`\n";
    assert_eq!(said.stderr, renamed);
    let error = workspace(&grid("LBAF_Viz", 1.5)).fail(&["-c", "run.yaml"], 3);
    assert!(error.contains("run.yaml:6:55: visualization.object_jitter: "), "{error}");

    let both = grid("LBAF_Viz", 0.5) + "visualization: {}\n";
    let error = workspace(&both).fail(&["-c", "run.yaml"], 3);
    let expected = "error: run.yaml:5:1: `LBAF_Viz` is the older name of `visualization`, which is also present; \
                    keep one of them\n";
    assert!(error.starts_with(expected), "{error}");
}

/// As for any other key, the value of the higher layer takes precedence.
#[test]
fn older_names_follow_the_precedence_of_layers() {
    let workspace = workspace(&CONFIGURATION.replace("phase_ids: [0]", "suffix: json"));
    workspace.write("global.yaml", "file_suffix: vom\n");
    workspace.succeed(&["run", "run.yaml"]);
    let error = workspace.fail(&["run", "run.yaml", "--set", "file_suffix=vom"], 4);
    assert!(error.contains("set.<rank>.vom has no file for rank 0"), "{error}");
}

#[test]
fn names_in_another_case_or_with_another_ending_are_accepted() {
    for (name, canonical) in [
        ("greedylb", "Greedy"),
        ("GREEDY", "Greedy"),
        ("RotateAlgorithm", "RotateLB"),
        ("random", "RandomLB"),
        ("PhaseStepperLB", "PhaseStepper"),
        ("NoLB", "PhaseStepper"),
        ("phase_stepper", "PhaseStepper"),
    ] {
        let summary = summary(&CONFIGURATION.replace("Greedy", name));
        assert_eq!(summary["strategy"]["name"], canonical, "{name}");
    }
    for (name, canonical) in [
        ("loadonly", "LoadOnly"),
        ("load_only", "LoadOnly"),
        ("affinecombination", "AffineCombination"),
        ("AFFINE_COMBINATION", "AffineCombination"),
    ] {
        let summary = summary(&format!("{CONFIGURATION}work_model: {{name: {name}}}\n"));
        assert_eq!(summary["work_model"]["name"], canonical, "{name}");
    }
    let parameters = CONFIGURATION.replace("Greedy", "Greedy, parameters: {pool: EXCESS, strategy: PT2PT}");
    let bounds = "work_model: {name: AffineCombination, parameters: {upper_bounds: {Max_Memory_Usage: 8}}}\n";
    let summary = summary(&(parameters + bounds));
    assert_eq!(summary["strategy"]["parameters"]["pool"], "excess");
    assert_eq!(summary["strategy"]["parameters"]["strategy"], "pt2pt");
    assert_eq!(summary["work_model"]["parameters"]["upper_bounds"], json!({"max_memory_usage": 8.0}));
}

/// Parameters of a lower layer stay if the higher layer names the same strategy, even in another spelling.
#[test]
fn another_spelling_is_not_another_strategy() {
    let workspace = workspace(&CONFIGURATION.replace("Greedy", "Greedy, parameters: {pool: excess}"));
    let pool = |name: &str| {
        workspace.succeed(&["run", "run.yaml", "--set", &format!("algorithm.name={name}")]);
        workspace.json("out/summary.json")["strategy"]["parameters"]["pool"].clone()
    };
    assert_eq!(pool("greedylb"), "excess");
    assert_eq!(pool("rotate"), Value::Null);
}

#[test]
fn types_are_those_of_python() {
    // Numbers and words in the spellings of PyYAML and LBAF, and `yes` for True.
    let configuration = "
from_data: {data_stem: set, phase_ids: 0-0, expected_ranks: 2, ranks_per_node: '1'}
check_schema: False
overwrite_validator: no
work_model:
  name: AffineCombination
  parameters: {alpha: 1., beta: 0, gamma: 1.0e-08, delta: .5, upper_bounds: {max_memory_usage: 8.0e+9}}
algorithm: {name: Greedy, phase_id: 0}
output_dir: out
output_file_stem: out
write_JSON: {compressed: True, suffix: json, communications: yes, offline_lb_compatible: FALSE, lb_iterations: true}
plots: None
logging_level: INFO
";
    let summary = summary(configuration);
    let parameters = &summary["work_model"]["parameters"];
    assert_eq!(parameters["gamma"], 1e-8);
    assert_eq!(parameters["delta"], 0.5);
    assert_eq!(parameters["upper_bounds"], json!({"max_memory_usage": 8e9}));
    // LBAF's own example lists a phase several times.
    assert_eq!(
        self::summary(&CONFIGURATION.replace("[0]", "[0, 0, 0]"))["phases"].as_array().map(Vec::len),
        Some(1)
    );
    for ranks_per_node in ["2", "2.0", "'2'", "\" 2 \""] {
        let configuration = format!(
            "{}work_model: {{name: AffineCombination}}\n",
            CONFIGURATION.replace("phase_ids: [0]", &format!("ranks_per_node: {ranks_per_node}"))
        );
        let summary = self::summary(&configuration);
        assert_eq!(summary["work_model"]["parameters"]["bounds_hold_for"], "node", "{ranks_per_node}");
    }
    for (ranks_per_node, found) in [("0", "0"), ("1.5", "1.5"), ("two", "\"two\"")] {
        let wrong = CONFIGURATION.replace("phase_ids: [0]", &format!("ranks_per_node: {ranks_per_node}"));
        let error = workspace(&wrong).fail(&["-c", "run.yaml"], 3);
        assert!(error.contains("from_data.ranks_per_node: expected a "), "{error}");
        assert!(
            error.lines().next().is_some_and(|line| line.ends_with(&format!("found {found}"))),
            "{error}"
        );
    }
}

#[test]
fn values_of_the_visualization_are_checked() {
    let with = |x: &str, jitter: &str, rank_qoi: &str, object_qoi: &str| {
        format!(
            "{CONFIGURATION}visualization:\n  x_ranks: {x}\n  y_ranks: 1\n  z_ranks: 1\n  object_jitter: {jitter}\n  \
             rank_qoi: {rank_qoi}\n  object_qoi: {object_qoi}\n  output_visualization_dir: out\n  \
             output_visualization_file_stem: x\n  save_meshes: True\n  force_continuous_object_qoi: False\n"
        )
    };
    let said = |x, jitter, rank_qoi, object_qoi| understood(&with(x, jitter, rank_qoi, object_qoi)).1.stderr;
    assert_eq!(said("2", "-0.99", "work", "packed_id"), "");
    assert_eq!(
        said("2", "0", "kappa", "load"),
        "warning: `visualization.rank_qoi: kappa`: no rank has a value of this quantity, so ranks are drawn without a value\n"
    );
    assert_eq!(said("2", "0", "Homing", "load"), "");
    assert_eq!(
        said("1", "0.5", "id", "load"),
        "warning: `visualization`: a grid of 1 x 1 x 1 has 1 place, but there are 2 ranks; nothing is \
         drawn\n"
    );
    // vt-tv can show any attribute of the data.
    assert_eq!(
        said("2", "0.5", "id", "temperature"),
        "note: `visualization.object_qoi: temperature` is not a quantity of an object (`lbaf -v 2` lists them) and is \
         read as an attribute of the data\nwarning: `visualization.object_qoi: temperature`: no object has \
         a value of this quantity, so objects are drawn without a value\n"
    );
    for (x, jitter, qoi, expected) in [
        (
            "0",
            "0.5",
            "load",
            "6:12: visualization.x_ranks: a grid has at least 1 rank along each axis, not 0",
        ),
        (
            "2",
            "1.0",
            "load",
            "9:18: visualization.object_jitter: must be between -1 and 1, in units of the distance between objects, \
             not 1",
        ),
        (
            "2",
            ".nan",
            "load",
            "9:18: visualization.object_jitter: must be between -1 and 1, in units of the distance between objects, \
             not NaN",
        ),
        (
            "2",
            "0.5",
            "max_memory",
            "10:13: visualization.rank_qoi: `max_memory` is not a quantity of a rank; did you mean \
             `max_memory_usage`?",
        ),
    ] {
        let error = workspace(&with(x, jitter, qoi, "load")).fail(&["-c", "run.yaml"], 3);
        assert_eq!(error.lines().next(), Some(format!("error: run.yaml:{expected}").as_str()));
    }
}

#[test]
fn nodes_that_contradict_the_files_are_a_warning() {
    let host = |rank: u64, node: u64| {
        let host = json!({"id": node, "size": 2, "rank": 0, "num_nodes": 2});
        json!({"type": "LBDatafile", "metadata": {"type": "LBDatafile", "rank": rank, "shared_node": host},
            "phases": [{"id": 0, "tasks": []}]})
        .to_string()
    };
    let said = |hosts: [u64; 4], ranks_per_node: &str| {
        let workspace = workspace(&CONFIGURATION.replace("phase_ids: [0]", ranks_per_node));
        for (rank, node) in (0..).zip(hosts) {
            workspace.write(&format!("set.{rank}.json"), host(rank, node));
        }
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    assert_eq!(said([5, 5, 7, 7], "ranks_per_node: 2"), "");
    assert_eq!(said([5, 5, 7, 7], "ranks_per_node: from_files"), "");
    assert_eq!(said([5, 5, 7, 7], "ranks_per_node: 1"), "", "bounds hold for ranks");
    assert_eq!(
        said([5, 5, 5, 7], "ranks_per_node: 2"),
        "warning: `from_data.ranks_per_node: 2` puts ranks 0 and 2 on two nodes, but their files name node 5 for both; \
         `ranks_per_node: from_files` uses the nodes of the files\n"
    );
    assert_eq!(
        said([5, 5, 7, 8], "ranks_per_node: 2"),
        "warning: `from_data.ranks_per_node: 2` puts ranks 2 and 3 on one node, but their files name nodes 7 and 8; \
         `ranks_per_node: from_files` uses the nodes of the files\n"
    );
}

/// Parameters as vt passes them to Zoltan.
#[test]
fn zoltan_runs_under_its_name_in_vt() {
    let workspace =
        workspace(&CONFIGURATION.replace("Greedy", "Zoltan, parameters: {imbalance_tolerance: 1.0}"));
    workspace.succeed(&["-c", "run.yaml"]);
}
