// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CCM work model from its configuration to the result: published optima, and cases worked by hand.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::peers::{SYNTHETIC_BLOCKS, configuration, peer};
use crate::vom::{one_phase, packed, send, task};
use crate::workspace::Workspace;

/// Returns the maximum work of the only phase, from `summary.json`.
fn work_max(workspace: &Workspace) -> f64 {
    workspace.json("out/summary.json")["phases"][0]["after"]["work"]["max"].as_f64().expect("a number")
}

#[test]
fn synthetic_blocks_have_the_published_optima_of_ccm() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    for (name, parameters, more, ranks_per_node, expected) in [
        ("CCM", "", "", 1, 2.0),
        ("CCM", "", "whole_clusters: true", 1, 2.5),
        ("CCM", "upper_bounds: {max_memory_usage: 18}", "", 1, 2.0),
        ("CCM", "upper_bounds: {max_memory_usage: 18}, memory: with_serialized", "", 1, 2.0),
        ("CCM", "upper_bounds: {max_memory_usage: 36}", "", 2, 2.0),
        ("CCM", "upper_bounds: {max_memory_usage: 27}", "", 2, 2.5),
        ("CCM", "upper_bounds: {max_memory_usage: 9}, epsilon: 0", "", 2, 2.0),
        ("CCM", "delta: 0.1", "", 1, 2.5),
        ("CCM", "delta: 0.1", "whole_clusters: true", 1, 2.5),
        ("CCM", "delta: 0.3", "", 1, 3.5),
        ("CCM", "delta: 0.3", "whole_clusters: true", 1, 4.0),
        ("CCM", "beta: 1", "", 1, 4.0),
        ("CCM", "alpha: 0, beta: 1", "", 1, 0.0),
        ("CCM", "beta: 1, gamma: 0.1", "", 1, 4.3),
        ("CCM", "beta: 1, gamma: 0.1, on_rank_volume: vt", "", 1, 4.3),
        ("AffineCombination", "beta: 1, gamma: 0.1", "", 1, 4.1),
        ("CCM", "rank_alpha: {0: 100}", "", 1, 3.0),
    ] {
        let model = format!(
            "work_model: {{name: {name}, parameters: {{{parameters}}}}}
algorithm: {{name: BruteForce, parameters: {{{more}}}}}"
        );
        let nodes = format!("{{ranks_per_node: {ranks_per_node}, data_stem:");
        let configuration = configuration(SYNTHETIC_BLOCKS, &model).replace("{data_stem:", &nodes);
        workspace.write("run.yaml", configuration);
        workspace.succeed(&["run", "run.yaml"]);
        let found = work_max(&workspace);
        assert!((found - expected).abs() <= 1e-12 * expected, "{found}, not {expected}: {parameters} {more}");
    }
}

#[test]
fn five_blocks_of_nine_bytes_do_not_fit_on_two_nodes_of_18() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    let model = "work_model: {name: CCM, parameters: {upper_bounds: {max_memory_usage: 18}}}
algorithm: {name: BruteForce}";
    let configuration = configuration(SYNTHETIC_BLOCKS, model);
    workspace.write("run.yaml", configuration.replace("{data_stem:", "{ranks_per_node: 2, data_stem:"));
    let said = workspace.fail(&["run", "run.yaml"], 5);
    assert!(said.contains("max_memory_usage is 27 B on node 0, above 18 B"), "{said}");
}

/// Returns two ranks; rank 0 has objects 1 and 2 of 1 s and 10 bytes each, with serialized sizes 3 and 5.
/// Object 1 sends 4 bytes to object 2 and 8 bytes to object 9, which has no task and the home 0.
fn two_objects() -> Workspace {
    let workspace = Workspace::new();
    let object = |sequence, serialized: f64| {
        let mut task = task(packed(sequence, 0), 0, 1.0);
        task["user_defined"] = json!({"task_footprint_bytes": 10.0, "task_serialized_bytes": serialized});
        task
    };
    let end = |sequence| (packed(sequence, 0), 0);
    let communications = [send(end(1), end(2), 4.0), send(end(1), end(9), 8.0)];
    workspace.write("set.0.json", one_phase(0, &[object(1, 3.0), object(2, 5.0)], &communications));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace
}

fn write(workspace: &Workspace, model: &str, strategy: &str) {
    let configuration = format!(
        "from_data: {{data_stem: set, absent_endpoints: home}}\nwork_model: {model}
algorithm: {{name: {strategy}}}\noutput_dir: out\nplots: none\n"
    );
    workspace.write("run.yaml", configuration);
}

/// Returns the summary of a run that moves no object.
fn stay(model: &str) -> Value {
    let workspace = two_objects();
    write(&workspace, model, "PhaseStepper");
    workspace.succeed(&["run", "run.yaml"]);
    workspace.json("out/summary.json")
}

#[test]
fn communication_with_an_object_without_a_task_is_on_rank_for_vt_alone() {
    for (parameters, expected) in [
        ("", 2.0),
        ("gamma: 0.5", 4.0),
        ("gamma: 0.5, on_rank_volume: paper", 4.0),
        ("gamma: 0.5, on_rank_volume: vt", 8.0),
        ("beta: 100, gamma: 0.5, on_rank_volume: VT", 8.0),
    ] {
        let summary = stay(&format!("{{name: CCM, parameters: {{{parameters}}}}}"));
        assert_eq!(summary["phases"][0]["after"]["work"]["max"], expected, "{parameters}");
    }
    // LBAF adds gamma to the work of every rank, independent of communication.
    let summary = stay("{name: AffineCombination, parameters: {gamma: 0.5}}");
    assert_eq!(summary["phases"][0]["after"]["work"]["max"], 2.5);
}

#[test]
fn the_summary_has_the_model_and_its_parameters() {
    for name in ["CCM", "ccm", "Ccm"] {
        assert_eq!(stay(&format!("{{name: {name}}}"))["work_model"]["name"], "CCM");
    }
    assert_eq!(
        stay("{name: CCM}")["work_model"]["parameters"],
        json!({
            "alpha": 1.0, "beta": 0.0, "gamma": 0.0, "delta": 0.0, "epsilon": "inf", "on_rank_volume": "paper",
            "upper_bounds": {}, "bounds_hold_for": "rank",
        })
    );
    let all = "{alpha: 2, beta: 3, gamma: 4, delta: 5, epsilon: .inf, on_rank_volume: vt, memory: with_serialized, \
               upper_bounds: {max_memory_usage: 100, load: 8}}";
    assert_eq!(
        stay(&format!("{{name: CCM, parameters: {all}}}"))["work_model"]["parameters"],
        json!({
            "alpha": 2.0, "beta": 3.0, "gamma": 4.0, "delta": 5.0, "epsilon": "inf", "on_rank_volume": "vt",
            "upper_bounds": {"memory_with_serialized": 100.0, "load": 8.0}, "bounds_hold_for": "rank",
        })
    );
    for (written, epsilon) in
        [("0", json!(0.0)), ("0.0", json!(0.0)), ("inf", json!("inf")), ("Infinity", json!("inf"))]
    {
        let summary = stay(&format!("{{name: CCM, parameters: {{epsilon: {written}}}}}"));
        assert_eq!(summary["work_model"]["parameters"]["epsilon"], epsilon);
    }
}

/// The footprints sum to 20 bytes; the larger serialized size adds 5.
#[test]
fn serialized_sizes_count_in_memory_on_request() {
    let workspace = two_objects();
    let run = |parameters: &str, limit: u32, code| {
        let bound = format!("upper_bounds: {{max_memory_usage: {limit}}}");
        // Work does not depend on load, so only the upper bound can cause a migration.
        write(
            &workspace,
            &format!("{{name: CCM, parameters: {{alpha: 0, {bound}{parameters}}}}}"),
            "BruteForce",
        );
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert_eq!(said.code, code, "{}", said.stderr);
        let n_moved = &workspace.json("out/summary.json")["phases"][0]["migrations"]["count"];
        (n_moved.as_u64(), said.stderr)
    };
    assert_eq!(run("", 20, 0).0, Some(0));
    assert_eq!(run(", memory: without_serialized", 20, 0).0, Some(0));
    assert_eq!(run(", memory: with_serialized", 25, 0).0, Some(0));
    assert_eq!(run(", memory: with_serialized", 24, 0).0, Some(1));
    let (_, said) = run(", memory: with_serialized", 14, 5);
    assert_snapshot!(said.lines().last().unwrap_or_default(), @"error: no placement within the upper bounds of the work model was found for 1 phase: in phase 0, memory_with_serialized is 15 B on rank 0, above 14 B; outputs were still written");
}

/// Returns the messages about a configuration, on standard error.
fn said(model: &str) -> String {
    let workspace = two_objects();
    write(&workspace, model, "PhaseStepper");
    workspace.lbaf(&["run", "run.yaml"]).stderr
}

#[test]
fn errors_are_shown_at_their_key() {
    let ccm = |parameters: &str| said(&format!("{{name: CCM, parameters: {{{parameters}}}}}"));
    assert_snapshot!(ccm("epsilon: 1"), @"
    error: run.yaml:2:47: work_model.parameters.epsilon: `epsilon` must be inf (bounds apply) or 0 (bounds are ignored), not 1
      |
    2 | work_model: {name: CCM, parameters: {epsilon: 1}}
      |                                               ^
    ");
    assert_snapshot!(ccm("epsilon: much"), @r#"
    error: run.yaml:2:47: work_model.parameters.epsilon: expected `inf` or 0, found "much"
      |
    2 | work_model: {name: CCM, parameters: {epsilon: much}}
      |                                               ^^^^
    "#);
    assert_snapshot!(ccm("epsilon: [0]"), @"
    error: run.yaml:2:47: work_model.parameters.epsilon: expected `inf` or 0, found a list
      |
    2 | work_model: {name: CCM, parameters: {epsilon: [0]}}
      |                                               ^
    ");
    assert_snapshot!(ccm("on_rank_volume: papier"), @"
    error: run.yaml:2:54: work_model.parameters.on_rank_volume: unknown value `papier`; did you mean `paper`?
      |
    2 | work_model: {name: CCM, parameters: {on_rank_volume: papier}}
      |                                                      ^^^^^^
    ");
    assert_snapshot!(ccm("memory: with_serialised"), @"
    error: run.yaml:2:46: work_model.parameters.memory: unknown value `with_serialised`; did you mean `with_serialized`?
      |
    2 | work_model: {name: CCM, parameters: {memory: with_serialised}}
      |                                              ^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(ccm("gamma: -1"), @"
    error: run.yaml:2:45: work_model.parameters.gamma: `gamma` must be a finite non-negative number, not -1
      |
    2 | work_model: {name: CCM, parameters: {gamma: -1}}
      |                                             ^^
    ");
    let twice = "memory: with_serialized, upper_bounds: {max_memory_usage: 1, memory_with_serialized: 2}";
    assert_snapshot!(ccm(twice).lines().next().unwrap_or_default(), @"error: run.yaml:2:99: work_model.parameters.upper_bounds: `memory_with_serialized` is bounded twice");
    assert_snapshot!(said("{name: CMM}"), @"
    error: run.yaml:2:20: work_model.name: unknown value `CMM`; expected one of `LoadOnly`, `AffineCombination`, `CCM`
      |
    2 | work_model: {name: CMM}
      |                    ^^^
    ");
}

#[test]
fn keys_without_effect_are_reported() {
    assert_snapshot!(said("{name: LoadOnly, parameters: {gamma: 1, epsilon: inf}}"), @"
    warning: `work_model.parameters.gamma`: it has no effect in LoadOnly; use AffineCombination
    warning: `work_model.parameters.epsilon`: it has no effect in LoadOnly; use CCM
    ");
    let of_ccm = "{gamma: 1, epsilon: 0, on_rank_volume: vt, memory: with_serialized}";
    assert_snapshot!(said(&format!("{{name: AffineCombination, parameters: {of_ccm}}}")), @"
    warning: `work_model.parameters.epsilon`: it has no effect because upper bounds of AffineCombination always apply; use CCM
    warning: `work_model.parameters.on_rank_volume`: it has no effect because gamma of AffineCombination is a constant, not a factor on a volume; use CCM
    warning: `work_model.parameters.memory`: it has no effect because AffineCombination bounds the quantities in `upper_bounds`; use CCM
    ");
    let unbounded = "{epsilon: 0, upper_bounds: {load: 1}, memory: with_serialized}";
    assert_snapshot!(said(&format!("{{name: CCM, parameters: {unbounded}}}")), @"
    warning: `work_model.parameters.upper_bounds`: upper bounds have no effect with `epsilon: 0`
    warning: `work_model.parameters.memory`: it has no effect without an upper bound on `max_memory_usage`
    ");
}

/// gamma is a constant in `AffineCombination` and a factor on a volume in CCM.
#[test]
fn gamma_is_not_passed_on_to_another_work_model() {
    let workspace = two_objects();
    write(&workspace, "{name: AffineCombination, parameters: {beta: 1, gamma: 16}}", "PhaseStepper");
    let gamma = |above: &str, set: &[&str]| {
        workspace.write("above.yaml", above);
        let said = workspace.lbaf(&[&["run", "run.yaml", "above.yaml"], set].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let parameters = &workspace.json("out/summary.json")["work_model"]["parameters"];
        assert_eq!(parameters["beta"], 1.0);
        (parameters["gamma"].as_f64(), said.stderr)
    };
    let note = "note: `work_model.parameters.gamma` is ignored: it was given for AffineCombination, and has \
                another meaning in CCM\n";
    assert_eq!(gamma("work_model: {name: affine_combination}", &[]), (Some(16.0), String::new()));
    assert_eq!(gamma("work_model: {name: CCM}", &[]), (Some(0.0), note.to_owned()));
    assert_eq!(gamma("work_model: {name: CCM, parameters: {gamma: 2}}", &[]), (Some(2.0), String::new()));
    assert_eq!(gamma("seed: 1", &["--set", "work_model.name=ccm"]), (Some(0.0), note.to_owned()));
    let set = ["--set", "work_model.name=ccm", "--set", "work_model.parameters.gamma=3"];
    assert_eq!(gamma("seed: 1", &set).0, Some(3.0));
}

/// Two ranks, one phase. Rank 0 has objects of 3 s and 1 s; the first object sends a megabyte to the second.
fn talking(algorithm: &str) -> Workspace {
    let workspace = Workspace::new();
    let tasks = [task(packed(1, 0), 0, 3.0), task(packed(2, 0), 0, 1.0)];
    let talk = [send((packed(1, 0), 0), (packed(2, 0), 0), 1e6)];
    let nothing: &[Value] = &[];
    for (rank, tasks, talk) in [(0, &tasks[..], &talk[..]), (1, nothing, nothing)] {
        workspace.write(&format!("data.{rank}.json"), one_phase(0, tasks, talk));
    }
    let head = "from_data: {data_stem: data}\noutput_dir: out\nplots: none";
    workspace.write("run.yaml", format!("{head}\nalgorithm: {algorithm}\n"));
    workspace
}

#[test]
fn without_a_work_model_arguments_define_work() {
    let workspace = talking("{name: TemperedLB, args: transfer=SwapClusters beta=1e-6 memory_threshold=8e9}");
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert!(said.stderr.contains("work is defined by the arguments of TemperedLB, in all phases: CCM with memory_threshold 8000000000, beta"), "{}", said.stderr);
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["work_model"]["name"], "CCM");
    let parameters = &summary["work_model"]["parameters"];
    assert_eq!((&parameters["beta"], &parameters["on_rank_volume"]), (&json!(1e-6), &json!("vt")));
    assert_eq!(parameters["upper_bounds"], json!({"memory_with_serialized": 8e9}));
}

#[test]
fn a_work_model_takes_precedence_over_arguments() {
    let workspace = talking("{name: TemperedLB, args: transfer=SwapClusters beta=1e-6}\nwork_model: {}");
    let said = workspace.lbaf(&["run", "run.yaml"]);
    let warning = "ignored arguments of TemperedLB: beta; `work_model` defines work";
    assert!(said.stderr.contains(warning), "{}", said.stderr);
    assert_eq!(workspace.json("out/summary.json")["work_model"]["name"], "LoadOnly");
}

#[test]
fn arguments_that_describe_no_work_model_are_refused() {
    let workspace = talking("{name: TemperedLB, args: transfer=SwapClusters epsilon=5}");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:4:67: algorithm.args.epsilon: `epsilon` must be inf (bounds apply) or 0 (bounds are ignored), not 5
      |
    4 | algorithm: {name: TemperedLB, args: transfer=SwapClusters epsilon=5}
      |                                                                   ^
    ");
    let workspace = talking("{lb_config: lb.conf}");
    workspace.write("lb.conf", "%2 TemperedLB transfer=SwapClusters beta=-1\n");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: lb.conf:1:42: TemperedLB.beta: expected a finite number of at least 0, found -1
      |
    1 | %2 TemperedLB transfer=SwapClusters beta=-1
      |                                          ^^
    ");
}

/// Lines of an LB configuration define the work model only if they apply to a phase.
#[test]
fn only_balancers_that_run_define_work() {
    let workspace = talking("{lb_config: lb.conf}");
    let rules = "0 GreedyLB\n7 TemperedLB transfer=SwapClusters beta=1\n";
    workspace.write("lb.conf", format!("{rules}9 TemperedLB transfer=SwapClusters beta=2\n"));
    workspace.succeed(&["run", "run.yaml"]);
    assert_eq!(workspace.json("out/summary.json")["work_model"]["name"], "LoadOnly");
    let tasks = [task(packed(1, 0), 0, 3.0)];
    let phases: Vec<Value> = [0, 1].map(|id| json!({"id": id, "tasks": tasks})).to_vec();
    workspace.write("data.0.json", json!({ "phases": phases }).to_string());
    let phases: Vec<Value> = [0, 1].map(|id| json!({"id": id, "tasks": []})).to_vec();
    workspace.write("data.1.json", json!({ "phases": phases }).to_string());
    workspace.write(
        "lb.conf",
        "0 TemperedLB transfer=SwapClusters beta=1\nTemperedLB transfer=SwapClusters beta=2\n",
    );
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: lb.conf:2:1: these arguments and those of an earlier phase define different work models, so results are not comparable; add a section `work_model`
      |
    2 | TemperedLB transfer=SwapClusters beta=2
      | ^^^^^^^^^^
    ");
}
