// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf strategies`: the list of strategies, and the parameters of each.

use insta::assert_snapshot;
use lbaf_strategies::StrategyName;
use serde_json::{Value, json};

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

/// Returns the output. Without a terminal, it is at most 80 columns wide.
fn said(arguments: &[&str]) -> String {
    Workspace::new().succeed(&[&["strategies"], arguments].concat())
}

fn data(arguments: &[&str]) -> Value {
    serde_json::from_str(&said(arguments)).expect("JSON")
}

#[test]
fn every_strategy_is_listed_with_its_names() {
    let listed = said(&[]);
    for strategy in StrategyName::ALL {
        let entry = match strategy.names() {
            [name] => format!("  {name}  "),
            [name, others @ ..] => format!("  {name} ({})  ", others.join(", ")),
            [] => panic!("{strategy:?} has no name"),
        };
        assert!(listed.lines().any(|line| line.starts_with(&entry)), "{entry}");
    }
    assert!(listed.lines().all(|line| line.len() <= 80), "{listed}");
}

#[test]
fn a_page_explains_every_parameter() {
    assert_snapshot!(said(&["random"]), @r"
    RandomLB

    Places every migratable object on a uniformly drawn rank, except one object per
    rank: a baseline that any balancer should beat. O(objects).

    Equivalent to vt's balancer of this name, with different random numbers. The
    object with the lowest id of each rank stays, so that no rank loses all its
    objects. Packed ids count as lower than sequence numbers ('seq_id'); in vt, they
    count as higher. If a rank has objects of both kinds, the object that stays may
    therefore differ from that in vt. vt hangs if a rank has no migratable object;
    this strategy does not.

    Upper bounds of the work model are ignored; a placement that exceeds them causes
    a warning.

    Parameters

      seed: whole number or null; default null
          Seed of the random numbers. Default: the seed of the run, or vt's default
          123456789 if the run has none.

      randomize_seed: true or false; default false
          Draws a different seed in every run (false). The seed is reported, so that
          the run can be repeated.
    ");
    let page = said(&["greedy_lb"]);
    let part: Vec<&str> = page
        .lines()
        .skip_while(|line| !line.starts_with("  pool:"))
        .take_while(|line| !line.is_empty())
        .collect();
    assert_snapshot!(part.join("\n"), @r"
      pool: all or excess; default all
          Objects that are taken off their ranks (all).
          all     All migratable objects.
          excess  Of each rank, as many objects as are needed to bring it within the
                  threshold.
    ");
    let page = said(&["informandtransfer"]);
    assert!(page.contains("\n  order_strategy: one of these 6; default arbitrary\n"), "{page}");
    assert!(page.contains("\n      small_objects      The smallest objects whose sum"), "{page}");
}

#[test]
fn a_section_is_a_configuration_with_comments() {
    let workspace = Workspace::new();
    let section = said(&["Greedy", "--yaml"]);
    assert!(section.starts_with("# Largest object first"), "{section}");
    assert!(section.contains("    # - excess: Of each rank, as many objects"), "{section}");
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: data}}\nplots: none\noutput_dir: out\n{section}"),
    );
    workspace.write("data.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[]));
    workspace.succeed(&["run", "run.yaml"]);
    let parameters = json!({"pool": "all", "min": 0.3, "max": 1.004, "auto": true, "strategy": "scatter"});
    assert_eq!(workspace.json("out/summary.json")["strategy"]["parameters"], parameters);
}

/// A configuration in `configs/` names the strategy as that of the run.
#[test]
fn every_strategy_has_a_configuration() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    let files = std::fs::read_dir(directory).expect("it can be listed");
    let paths = files.map(|file| file.expect("an entry").path());
    let texts: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .collect();
    for strategy in StrategyName::ALL {
        let is_named = |text: &String| {
            let section = text.split_once("\nalgorithm:\n").map_or("", |(_, section)| section);
            strategy.names().iter().any(|name| section.lines().any(|line| line == format!("  name: {name}")))
        };
        assert!(texts.iter().any(is_named), "{strategy:?}");
    }
}

#[test]
fn schemas_for_programs_have_defaults() {
    let schema = data(&["CentralizedPrefixOptimizer", "--json"]);
    assert_eq!(schema["title"], "CentralizedPrefixOptimizer");
    let second_stage = &schema["properties"]["do_second_stage"];
    assert_eq!((&second_stage["type"], &second_stage["default"]), (&json!("boolean"), &json!(false)));
    let all = data(&["--json"]);
    let all = all["strategies"].as_array().expect("a list");
    assert_eq!(all.len(), StrategyName::ALL.len());
    let greedy = all.iter().find(|strategy| strategy["name"] == "Greedy").expect("it is there");
    assert_eq!(greedy["aliases"], json!(["GreedyLB"]));
    assert_eq!(greedy["parameters"], data(&["Greedy", "--json"]));
}

#[test]
fn a_misspelt_name_is_wrong_usage() {
    let workspace = Workspace::new();
    let error = workspace.fail(&["strategies", "worksteal"], 2);
    let start = "error: there is no strategy `worksteal`; did you mean `WorkStealing`?";
    assert!(error.starts_with(start), "{error}");
    workspace.fail(&["strategies", "--yaml"], 2);
    workspace.fail(&["strategies", "Greedy", "--yaml", "--json"], 2);
}
