// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs that a run must not change, files of earlier runs, and proofs of optimality.

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

/// Two ranks, four objects on the first.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace
}

fn configuration(algorithm: &str, more: &str) -> String {
    format!("from_data: {{data_stem: set}}\nalgorithm: {algorithm}\noutput_dir: out\nplots: none\n{more}\n")
}

/// Old files could complete the data set of a later run that writes fewer files.
#[test]
fn a_run_that_writes_no_data_removes_those_of_an_earlier_run() {
    let workspace = workspace();
    workspace.write("run.yaml", configuration("{name: Greedy}", "write_JSON: {}"));
    workspace.succeed(&["run", "run.yaml"]);
    assert!(workspace.path("out/output_file.1.json").is_file());
    workspace.write("out/output_file.0.json", "edited since");
    workspace.write("run.yaml", configuration("{name: Greedy}", ""));
    workspace.succeed(&["run", "run.yaml"]);
    assert!(!workspace.path("out/output_file.1.json").exists());
    assert_eq!(workspace.text("out/output_file.0.json"), "edited since");
}

#[test]
fn a_permutation_is_not_replaced_by_the_resulting_migrations() {
    let workspace = workspace();
    workspace.write("run.yaml", configuration("{name: Greedy}", ""));
    workspace.succeed(&["run", "run.yaml"]);
    let before = workspace.text("out/migrations.csv");
    let prescribed = "{name: PrescribedPermutation, parameters: {permutation: out/migrations.csv}}";
    workspace.write("again.yaml", configuration(prescribed, ""));
    let error = workspace.fail(&["run", "again.yaml"], 6);
    assert!(error.contains("migrations.csv"), "{error}");
    assert_eq!(workspace.text("out/migrations.csv"), before);
}

#[test]
fn a_permutation_is_not_a_log_file() {
    let workspace = workspace();
    workspace.write("where.yaml", "{1: [262147, 524291, 786435, 1048579]}");
    let prescribed = "{name: PrescribedPermutation, parameters: {permutation: where.yaml}}";
    workspace.write("run.yaml", configuration(prescribed, "log_to_file: where.yaml"));
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert!(error.contains("is an input file; choose another name"), "{error}");
}

/// The gap refers to the proven optimum.
#[test]
fn a_proven_optimum_is_the_lower_bound() {
    let workspace = workspace();
    let loads = [5.0, 4.1, 3.3, 2.2, 1.4, 1.0];
    let tasks: Vec<_> = (1..).zip(loads).map(|(sequence, load)| task(packed(sequence, 0), 0, load)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("run.yaml", configuration("{name: BruteForce}", ""));
    // Optimum: 5 + 2.2 + 1.4 = 8.6 and 4.1 + 3.3 + 1 = 8.4. Only an enumeration shows that no sum equals the mean of
    // 8.5.
    let report = workspace.succeed(&["run", "run.yaml"]);
    assert!(report.contains("Lower bound of the maximum work: 8.6 (search)."), "{report}");
    assert!(report.contains("which is the optimum"), "{report}");
    let phase = workspace.json("out/summary.json")["phases"][0].clone();
    assert_eq!((&phase["lower_bound"]["limit"], &phase["proven"]), (&"search".into(), &true.into()));
}

/// With these limits, neither strategy can prove that 8.6 is optimal.
#[test]
fn results_left_unproven_by_limits_are_written_and_marked() {
    let workspace = workspace();
    let loads = [5.0, 4.1, 3.3, 2.2, 1.4, 1.0];
    let tasks: Vec<_> = (1..).zip(loads).map(|(sequence, load)| task(packed(sequence, 0), 0, load)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    let limits = [
        ("BruteForce", "max_nodes: 1", "8.6, which is not proven to be optimal: the 6 migratable objects"),
        ("Milp", "max_columns: 5", "8.6; not proven to be optimal: the 6 objects or clusters"),
    ];
    for (name, limit, said) in limits {
        let algorithm = |more: &str| format!("{{name: {name}, parameters: {{{limit}{more}}}}}");
        workspace.write("run.yaml", configuration(&algorithm(""), "write_JSON: {}"));
        let report = workspace.succeed(&["run", "run.yaml"]);
        assert!(report.contains("The placement of phase 0 is not proven to be optimal."), "{report}");
        let summary = workspace.json("out/summary.json");
        assert_eq!(summary["phases"][0]["proven"], false);
        let notes = summary["notes"].to_string();
        assert!(notes.contains(said), "{notes}");
        assert!(workspace.path("out/output_file.1.json").is_file());
        workspace.write("run.yaml", configuration(&algorithm(", require_proof: true"), ""));
        let error = workspace.fail(&["run", "run.yaml"], 3);
        assert!(error.starts_with("error: run.yaml:2:"), "{error}");
    }
}
