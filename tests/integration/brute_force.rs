// SPDX-License-Identifier: MIT OR Apache-2.0
//! Optima of LBAF's data by exhaustive search, and messages about the proofs.

use insta::assert_snapshot;

use crate::peers::{DataSet, SYNTHETIC_BLOCKS, TOY_MEM, configuration, peer, run};
use crate::workspace::Workspace;

/// Returns the least maximum work of `synthetic-blocks` under a work model, from `summary.json`.
fn optimum(model: &str, parameters: &str) -> Option<f64> {
    optimum_of(SYNTHETIC_BLOCKS, model, parameters)
}

fn optimum_of(set: DataSet, model: &str, parameters: &str) -> Option<f64> {
    let workspace = peer(set)?;
    run(&workspace, set, &more(model, parameters));
    Some(max_work_after(&workspace))
}

fn more(model: &str, parameters: &str) -> String {
    balanced_by("BruteForce", model, parameters)
}

/// Returns the sections of a configuration for a strategy and a work model.
pub(crate) fn balanced_by(strategy: &str, model: &str, parameters: &str) -> String {
    format!("work_model: {{{model}}}\nalgorithm: {{name: {strategy}, parameters: {{{parameters}}}}}")
}

/// Parameters of LBAF's work model, and the least maximum work of `synthetic-blocks`.
pub(crate) const OPTIMA: [(&str, f64); 8] = [
    ("", 2.0),
    ("upper_bounds: {max_memory_usage: 18}", 2.0),
    ("delta: 0.1", 2.5),
    ("delta: 0.3", 3.5),
    ("beta: 1", 4.0),
    ("alpha: 0, beta: 1", 0.0),
    ("beta: 1, gamma: 0.1", 4.1),
    ("rank_alpha: {0: 100}", 3.0),
];

/// Least maximum work if the objects of a block stay together.
pub(crate) const WHOLE: [(&str, f64); 3] = [("", 2.5), ("delta: 0.1", 2.5), ("delta: 0.3", 4.0)];

pub(crate) fn affine(parameters: &str) -> String {
    format!("name: AffineCombination, parameters: {{{parameters}}}")
}

pub(crate) fn max_work_after(workspace: &Workspace) -> f64 {
    workspace.json("out/summary.json")["phases"][0]["after"]["work"]["max"].as_f64().expect("a number")
}

#[track_caller]
pub(crate) fn assert_optimum(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-12 * expected, "{what}: found {found}, expected {expected}");
}

#[test]
fn synthetic_blocks_have_the_optima_found_by_exhaustive_search() {
    for (parameters, expected) in OPTIMA {
        let Some(found) = optimum(&affine(parameters), "") else { return };
        assert_optimum(found, expected, parameters);
    }
    for (parameters, expected) in [("", 2.0), ("parameters: {rank_alpha: {0: 100}}", 3.0)] {
        let Some(found) = optimum(&format!("name: LoadOnly, {parameters}"), "") else { return };
        assert_optimum(found, expected, parameters);
    }
}

#[test]
fn whole_clusters_have_the_optima_found_by_exhaustive_search() {
    for (parameters, expected) in WHOLE {
        let Some(found) = optimum(&affine(parameters), "whole_clusters: true") else { return };
        assert_optimum(found, expected, parameters);
    }
}

/// Writes a configuration for two nodes of two ranks each, with a bound on the memory of a node.
pub(crate) fn on_nodes(workspace: &Workspace, strategy: &str, bytes: u32) {
    let model = affine(&format!("upper_bounds: {{max_memory_usage: {bytes}}}"));
    let configuration = configuration(SYNTHETIC_BLOCKS, &balanced_by(strategy, &model, ""));
    workspace.write("run.yaml", configuration.replace("{data_stem:", "{ranks_per_node: 2, data_stem:"));
}

#[test]
fn bounds_on_nodes_have_the_optima_found_by_exhaustive_search() {
    for (bytes, expected) in [(36, 2.0), (27, 2.5)] {
        let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
        on_nodes(&workspace, "BruteForce", bytes);
        workspace.succeed(&["run", "run.yaml"]);
        assert_optimum(max_work_after(&workspace), expected, &format!("node bound {bytes}"));
    }
}

/// Five blocks of 9 bytes do not fit on two nodes of 18 bytes: one node has 3 * 9 = 27 bytes.
#[test]
fn an_unsatisfiable_bound_ends_with_exit_code_5_and_a_proof() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    on_nodes(&workspace, "BruteForce", 18);
    let said = workspace.fail(&["run", "run.yaml"], 5);
    assert_snapshot!(said, @"
    note: phase 0: BruteForce proved in 385 tries that no placement is within the bounds of the work model or exceeds them by a relative excess below 0.5
    error: no placement within the upper bounds of the work model was found for 1 phase: in phase 0, max_memory_usage is 27 B on node 0, above 18 B; outputs were still written
    ");
    assert!(workspace.path("out/summary.json").exists());
}

/// The optimum is 350 s / 4 = 87.5 s. LBAF's `Recursive` reaches 90 s at best.
#[test]
fn the_memory_toy_problem_is_solved_within_its_bound() {
    let bound = affine("upper_bounds: {max_memory_usage: 8.0e+9}");
    let Some(found) = optimum_of(TOY_MEM, &bound, "") else { return };
    assert_optimum(found, 87.5, "350 s on four ranks");
}

#[test]
fn skipping_transfers_reports_the_optimum_and_moves_no_object() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    workspace
        .write("run.yaml", configuration(SYNTHETIC_BLOCKS, &more("name: LoadOnly", "skip_transfer: true")));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0);
    assert_snapshot!(said.stderr, @"note: phase 0: BruteForce proved without a search that no placement has less maximum work than 2; objects stay on their ranks because of `skip_transfer`");
    assert_optimum(max_work_after(&workspace), 4.0, "the start");
}
