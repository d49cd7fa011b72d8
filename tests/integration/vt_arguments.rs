// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of balancers in vt's syntax, together with parameters or alone.

use insta::assert_snapshot;
use lbaf_config::vt_files::{BALANCERS, Balancer};
use lbaf_strategies::StrategyName;
use serde_json::{Value, json};

use crate::bad_configuration::workspace;
use crate::workspace::Workspace;

fn configuration(algorithm: &str) -> String {
    format!("from_data: {{data_stem: data}}\nplots: none\noutput_dir: out\nalgorithm:\n{algorithm}\n")
}

fn workspace_with(algorithm: &str) -> Workspace {
    workspace(&configuration(algorithm))
}

/// Returns the parameters of a run with this section.
#[track_caller]
fn parameters(algorithm: &str, more: &[&str]) -> Value {
    let workspace = workspace_with(algorithm);
    workspace.succeed(&[&["run", "run.yaml"], more].concat());
    workspace.json("out/summary.json")["strategy"]["parameters"].clone()
}

#[track_caller]
fn refused(algorithm: &str) -> String {
    let workspace = workspace_with(algorithm);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert_eq!(workspace.names("."), ["data.0.json", "run.yaml"]);
    error
}

#[test]
fn arguments_set_parameters() {
    let expected = json!({"pool": "all", "min": 1.0, "max": 1.004, "auto": false, "strategy": "pt2pt"});
    for algorithm in [
        "  name: GreedyLB\n  args: min=1.0 auto=false strategy=pt2pt",
        "  {name: GreedyLB, args: \"min=1 auto=0 strategy=PT2PT\"}",
        "  name: GreedyLB\n  args: >\n    min=1.0\n    auto=f\n    strategy=pt2pt",
        "  name: GreedyLB\n  args: min=1.0 auto=false\n  parameters: {strategy: pt2pt}",
        "  name: GreedyLB\n  args: min=1.0 auto=false strategy=pt2pt\n  parameters:",
        "  name: GreedyLB\n  args:\n  parameters: {min: 1.0, auto: false, strategy: pt2pt}",
    ] {
        assert_eq!(parameters(algorithm, &[]), expected, "{algorithm}");
    }
}

/// As for duplicate keys, the higher layer takes precedence.
#[test]
fn the_higher_layer_takes_precedence() {
    let below = "  name: GreedyLB\n  args: min=0.5 max=3\n  parameters: {auto: false}";
    let with = |set: &str| {
        let parameters = parameters(below, &["--set", set]);
        json!([parameters["min"], parameters["max"], parameters["auto"]])
    };
    assert_eq!(with("algorithm.args=auto=true max=2"), json!([0.3, 2.0, true]));
    assert_eq!(with("algorithm.parameters.max=4"), json!([0.5, 4.0, false]));
    assert_eq!(with("algorithm.name=greedy"), json!([0.5, 3.0, false]));
    // Parameters and arguments do not apply to another strategy.
    assert_eq!(parameters(below, &["--set", "algorithm.name=RotateLB"]), json!({}));
}

/// Returns a valid value for a key that vt documents.
fn value(balancer: &str, key: &str) -> &'static str {
    match (balancer, key) {
        ("GreedyLB", "strategy") => "bcast",
        ("HierarchicalLB", "strategy") => "LoadOverOneEach",
        (_, "min") => "0.9",
        (_, "max") => "1.1",
        (_, "auto" | "rollback" | "randomize_seed") => "false",
        (_, "deterministic" | "targetpole") => "true",
        (_, "knowledge") => "Log",
        (_, "fanout" | "rounds" | "iters") => "2",
        (_, "trials" | "alpha") => "1",
        (_, "criterion") => "Grapevine",
        (_, "inform") => "SyncInform",
        (_, "transfer") => "Original",
        (_, "ordering") => "ElmID",
        (_, "cmf") => "NormByMax",
        (_, "memory_threshold") => "1e8",
        (_, "beta" | "gamma" | "delta") => "0",
        (_, "epsilon") => "inf",
        (_, "seed") => "7",
        _ => panic!("no value for {key} of {balancer}"),
    }
}

/// A strategy accepts all keys of vt's balancer with the same name, in arguments and in lines of files.
#[test]
fn strategies_take_every_key_of_the_balancer_they_are_named_after() {
    let mut n_there = 0;
    for Balancer { name, keys } in BALANCERS {
        let is_there = name.parse::<StrategyName>().is_ok();
        n_there += usize::from(is_there);
        // In vt, the map of OfflineLB is not an argument.
        if !is_there || name == "OfflineLB" {
            continue;
        }
        let arguments: Vec<String> = keys.iter().map(|key| format!("{key}={}", value(name, key))).collect();
        let all = arguments.join(" ");
        for arguments in arguments.iter().chain([&all]) {
            parameters(&format!("  name: {name}\n  args: {arguments}"), &[]);
        }
        let workspace = workspace_with("  lb_config: lb.conf");
        workspace.write("lb.conf", format!("{name} {all}"));
        workspace.succeed(&["run", "run.yaml"]);
    }
    assert!(n_there >= 3, "of the balancers of vt only {n_there} are strategies");
}

#[test]
fn an_unknown_key() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: min=1.0 maximum=2"), @r"
    error: run.yaml:6:17: algorithm.args: unknown key `maximum`; did you mean `max`?
      |
    6 |   args: min=1.0 maximum=2
      |                 ^^^^^^^
    ");
}

#[test]
fn a_value_of_another_kind() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: \"min=1.0 auto=maybe\""), @r#"
    error: run.yaml:6:23: algorithm.args.auto: expected `true` or `false`, found the string "maybe"
      |
    6 |   args: "min=1.0 auto=maybe"
      |                       ^^^^^
    "#);
}

#[test]
fn a_value_that_is_not_one_of_the_names() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: strategy=p2p"), @r"
    error: run.yaml:6:18: algorithm.args.strategy: unknown value `p2p`; did you mean `pt2pt`?
      |
    6 |   args: strategy=p2p
      |                  ^^^
    ");
}

#[test]
fn a_key_twice() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: min=1.0 min=2"), @r"
    error: run.yaml:6:17: algorithm.args: the argument `min` occurs twice; keep one of them
      |
    6 |   args: min=1.0 min=2
      |                 ^^^^^
    ");
}

#[test]
fn a_key_among_parameters_too() {
    assert_snapshot!(refused("  name: GreedyLB\n  parameters: {min: 1}\n  args: max=2 min=1"), @r"
    error: run.yaml:7:15: algorithm.args: `min` is also given under `parameters`; keep one of them
      |
    7 |   args: max=2 min=1
      |               ^^^
    ");
}

#[test]
fn a_word_without_a_value() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: auto"), @r#"
    error: run.yaml:6:9: algorithm.args: expected an argument `key=value`, as in `min=0.9 auto=false`, found "auto"
      |
    6 |   args: auto
      |         ^^^^
    "#);
    assert_snapshot!(refused("  name: GreedyLB\n  args: >-\n    max=1\n    min= 1"), @r#"
    error: run.yaml:8:5: algorithm.args: expected an argument `key=value`, as in `min=0.9 auto=false`, found "min="
      |
    8 |     min= 1
      |     ^^^^
    "#);
}

#[test]
fn arguments_that_are_not_text() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: {min: 1}"), @r#"
    error: run.yaml:6:9: algorithm.args: expected arguments like "min=1.0 auto=false", found a mapping; keys with values belong under `parameters`
      |
    6 |   args: {min: 1}
      |         ^
    "#);
}

/// The values have the right type, but the strategy refuses them.
#[test]
fn a_value_that_the_strategy_refuses() {
    assert_snapshot!(refused("  name: GreedyLB\n  args: min=2 max=1"), @r"
    error: run.yaml:6:9: algorithm.args: `min` 2 and `max` 1 must be finite, with 0 <= min <= max
      |
    6 |   args: min=2 max=1
      |         ^^^^^^^^^^^
    ");
    assert_snapshot!(refused("  name: InformAndTransfer\n  args: fanout=3 target_imbalance=-1"), @r"
    error: run.yaml:6:35: algorithm.args.target_imbalance: expected a finite number of at least 0, found -1
      |
    6 |   args: fanout=3 target_imbalance=-1
      |                                   ^^
    ");
}
