// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of phases to read and balance: numbers, ranges and windows (`7 -2 1`: phases 5 to 8; `%5 -1 1`:
//! the same around every fifth phase), on the command line and in configurations.

use insta::assert_snapshot;

use crate::workspace::Workspace;

/// One rank with one object in phases 0 to 11.
fn workspace() -> Workspace {
    let phase = |phase: u32| {
        let entity = r#"{"id":262147,"home":0,"migratable":true,"type":"object"}"#;
        format!(r#"{{"id":{phase},"tasks":[{{"entity":{entity},"node":0,"time":1.0}}]}}"#)
    };
    let phases: Vec<String> = (0..12).map(phase).collect();
    let workspace = Workspace::new();
    workspace.write("data.0.json", format!(r#"{{"phases":[{}]}}"#, phases.join(",\n")));
    workspace
}

fn configure(workspace: &Workspace, phase_ids: &str, phase_id: &str) {
    let configuration = format!(
        "from_data:\n  data_stem: data\n  phase_ids: {phase_ids}\nalgorithm:\n  name: Greedy\n  phase_id: \
         {phase_id}\noutput_dir: out\nplots: none\n"
    );
    workspace.write("run.yaml", configuration);
}

/// Returns the phases that a run read and balanced.
fn read_and_balanced(workspace: &Workspace, arguments: &[&str]) -> (Vec<u64>, Vec<u64>) {
    workspace.succeed(&[&["run", "run.yaml", "--quiet"], arguments].concat());
    let summary = workspace.json("out/summary.json");
    let numbers = |list: &serde_json::Value, number: fn(&serde_json::Value) -> Option<u64>| {
        list.as_array().expect("a list").iter().map(|item| number(item).expect("a number")).collect()
    };
    let read = numbers(&summary["input"]["phases_read"], serde_json::Value::as_u64);
    (read, numbers(&summary["phases"], |phase| phase["phase"].as_u64()))
}

#[test]
fn windows_on_the_command_line() {
    let workspace = workspace();
    configure(&workspace, "all", "all");
    for (phases, expected) in [
        ("%5 -1 1", &[0, 1, 4, 5, 6, 9, 10, 11][..]),
        ("% 5 0 0", &[0, 5, 10]),
        ("7 -2 1", &[5, 6, 7, 8]),
        ("0 0 3", &[0, 1, 2, 3]),
        ("0-1, %10 -1 0; 6\n4 0 0", &[0, 1, 4, 6, 9, 10]),
        ("2 4", &[2, 4]),
    ] {
        assert_eq!(read_and_balanced(&workspace, &["--phases", phases]).0, expected, "{phases}");
    }
    let told = workspace.succeed(&["info", "data", "--json", "--phases", "%5 -1 0"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let phases: Vec<_> =
        told["phases"].as_array().expect("a list").iter().map(|phase| &phase["phase"]).collect();
    assert_eq!(phases, [0, 4, 5, 9, 10]);
}

#[test]
fn windows_in_a_configuration() {
    let workspace = workspace();
    configure(&workspace, "\"%5 -1 1\"", "\"%10 -1 1, 5\"");
    let expected = (vec![0, 1, 4, 5, 6, 9, 10, 11], vec![0, 1, 5, 9, 10, 11]);
    assert_eq!(read_and_balanced(&workspace, &[]), expected);
    configure(&workspace, "[0, 3-4, \"%5 0 0\"]", "4 -1 1");
    assert_eq!(read_and_balanced(&workspace, &[]), (vec![0, 3, 4, 5, 10], vec![3, 4, 5]));
    // Several lines, as in a specification file of vt.
    configure(&workspace, "|\n    0 0 1\n    %5 -1 0\n", "all");
    assert_eq!(read_and_balanced(&workspace, &[]).0, [0, 1, 4, 5, 9, 10]);
    let set = ["--set", "from_data.phase_ids='%4 0 0'", "--set", "algorithm.phase_id=0-4"];
    assert_eq!(read_and_balanced(&workspace, &set), (vec![0, 4, 8], vec![0, 4]));
}

#[test]
fn windows_may_extend_beyond_the_data() {
    let workspace = workspace();
    configure(&workspace, "11 -1 100", "\"%10 -3 3, 500 -5 5\"");
    let said = workspace.lbaf(&["run", "run.yaml", "--quiet"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    configure(&workspace, "100 -3 3", "all");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:3:14: from_data.phase_ids: no phase is selected; the data hold phases 0-11
      |
    3 |   phase_ids: 100 -3 3
      |              ^^^^^^^^
    ");
}

#[test]
fn a_single_phase_among_windows_must_exist() {
    let workspace = workspace();
    configure(&workspace, "\"%5 -1 1, 12\"", "all");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r#"
    error: run.yaml:3:14: from_data.phase_ids: phase 12 is not in the data, which hold phases 0-11
      |
    3 |   phase_ids: "%5 -1 1, 12"
      |              ^^^^^^^^^^^^^
    "#);
    configure(&workspace, "\"%5 -1 1\"", "\"%5 0 0, 7\"");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r#"
    error: run.yaml:6:13: algorithm.phase_id: phase 7 is in the data, but `from_data.phase_ids` excludes it
      |
    6 |   phase_id: "%5 0 0, 7"
      |             ^^^^^^^^^^^
    "#);
}

#[test]
fn refuses_an_invalid_part_of_a_selection() {
    let workspace = workspace();
    configure(&workspace, "all", "all");
    let refused = |phases| workspace.fail(&["run", "run.yaml", "--phases", phases], 2);
    assert_snapshot!(refused("3-1"), @"error: --phases: the range 3-1 goes backwards; did you mean 1-3?");
    assert_snapshot!(refused("-1"), @"error: --phases: phases are numbered from 0, found -1");
    assert_snapshot!(refused("0-3, -1"), @"error: --phases: phases are numbered from 0, found -1");
    assert_snapshot!(refused("0-3, all"), @"error: --phases: `all` cannot be part of a list");
    assert_snapshot!(refused("0-3, %5 1 1"), @r#"error: --phases: the window "%5 1 1": the first offset must be 0 or negative, not 1; did you mean -1?"#);
    assert_snapshot!(refused("0-3, 7 -1"), @r#"error: --phases: the window "7 -1": expected the offset of the last phase, as 3 in `100 -3 3`, found the end of the line (a range is written like 0-3)"#);
    assert_snapshot!(refused("2 4 6"), @r#"error: --phases: the window "2 4 6": the first offset must be 0 or negative, not 4; did you mean -4? (single phases are written like 2, 4, 6)"#);
    configure(&workspace, "[3, -1]", "all");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:3:18: from_data.phase_ids[1]: phases are numbered from 0, found -1
      |
    3 |   phase_ids: [3, -1]
      |                  ^^
    ");
    configure(&workspace, "0-3", "5-2");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:6:13: algorithm.phase_id: the range 5-2 goes backwards; did you mean 2-5?
      |
    6 |   phase_id: 5-2
      |             ^^^
    ");
    configure(&workspace, "%5 -1 1", "all");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 3), @r"
    error: run.yaml:3:14: unexpected character: `%'; quote a text that starts with `%`
      |
    3 |   phase_ids: %5 -1 1
      |              ^
    ");
    assert_eq!(workspace.names("."), ["data.0.json", "run.yaml"]);
}

/// Large compressed files are read only up to the last selected phase. The results are those of the whole files.
#[test]
fn later_phases_of_large_files_are_not_read() {
    let workspace = Workspace::new();
    let load = "load_sampler: {name: exponential, parameters: [1.0]}, drift: 0.1";
    workspace
        .write("spec.yaml", format!("from_samplers: {{n_ranks: 2, n_objects: 12000, n_phases: 8, {load}}}"));
    workspace.succeed(&["make", "spec.yaml", "data", "--quality", "1"]);
    let info = |arguments: &[&str]| -> serde_json::Value {
        let said = workspace.succeed(&[&["info", "data", "--json"], arguments].concat());
        serde_json::from_str(&said).expect("JSON")
    };
    let (all, two) = (info(&[]), info(&["--phases", "0-1"]));
    assert_eq!((&all["has_later_phases"], &two["has_later_phases"]), (&false.into(), &true.into()));
    assert_eq!(two["phases_recorded"], serde_json::json!([0, 1]));
    assert_eq!(two["phases"], serde_json::json!([all["phases"][0], all["phases"][1]]));
    assert!(two["document_bytes"].as_u64() < all["document_bytes"].as_u64());
    let said = workspace.succeed(&["info", "data", "--phases", "0-1"]);
    assert!(said.contains("12000 objects, phases 0-1 and later phases\n"), "{said}");
    assert!(said.contains(" decompressed up to the last selected phase\n"), "{said}");

    // A run without files reads no more; a run with files reads all. Both have the same result.
    configure(&workspace, "[0, 1]", "all");
    let [without, with] = ["", "write_JSON: {}\n"].map(|files| {
        let configuration = [workspace.read("run.yaml"), files.as_bytes().to_vec()].concat();
        workspace.write("run.yaml", configuration);
        workspace.succeed(&["run", "run.yaml", "--quiet"]);
        workspace.json("out/summary.json")["phases"].clone()
    });
    assert_eq!(without, with);
}
