// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prescribed placements from files: those written by runs and `lbaf tasks`, and invalid ones.

use insta::assert_snapshot;
use serde_json::json;

use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Two ranks and two phases, with different loads of the same objects.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let phase = |id: u64, rank: u64, loads: &[f64]| {
        let objects = (1..).zip(loads).map(|(sequence, &load)| task(packed(sequence, 0), 0, load));
        let tasks: Vec<_> = if rank == 0 { objects.collect() } else { Vec::new() };
        json!({"id": id, "tasks": tasks})
    };
    for rank in 0..2 {
        let phases = [phase(0, rank, &[4.0, 3.0, 2.0, 1.0]), phase(1, rank, &[1.0, 1.0, 2.0, 4.0])];
        workspace.write(&format!("data.{rank}.json"), json!({ "phases": phases }).to_string());
    }
    workspace.write("run.yaml", configuration("Greedy", "found", ""));
    workspace
}

fn configuration(strategy: &str, output_dir: &str, parameters: &str) -> String {
    format!(
        "from_data: {{data_stem: data}}
output_dir: {output_dir}
plots: none
write_JSON: {{compressed: false}}
algorithm:
  name: {strategy}
  parameters:
    {parameters}
"
    )
}

/// Returns a configuration that applies the placement in a file.
fn prescribed(path: &str) -> String {
    configuration("PrescribedPermutation", "told", &format!("permutation: {path}"))
}

#[test]
fn the_migrations_of_a_run_reproduce_its_files() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    // The path is relative to the configuration, which is not in the working directory.
    let told = prescribed("../found/migrations.csv").replace("data_stem: data", "data_stem: ../data");
    workspace.write("config/told.yaml", told);
    workspace.succeed(&["run", "config/told.yaml"]);
    let files = ["output_file.0.json", "output_file.1.json", "migrations.csv", "ranks.csv", "imbalance.txt"];
    for name in files {
        let [found, told] =
            ["found", "config/told"].map(|directory| workspace.text(&format!("{directory}/{name}")));
        assert_eq!(found, told, "{name}");
    }
    // The phases differ, so their migrations differ.
    let moved = workspace.text("found/migrations.csv");
    let of = |phase: &str| -> Vec<String> {
        let rows = moved.lines().filter(|row| row.starts_with(phase));
        rows.map(|row| row.split(',').nth(2).expect("an object").to_owned()).collect()
    };
    assert!(!of("0,").is_empty() && of("0,") != of("1,"));
    assert_eq!(
        workspace.json("config/told/summary.json")["strategy"]["parameters"]["permutation"],
        "../found/migrations.csv"
    );
}

#[test]
fn the_output_of_tasks_is_a_placement() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml", "--phases", "0"]);
    workspace.succeed(&["tasks", "found/output_file", "--output", "listed.yaml"]);
    workspace.write("told.yaml", prescribed("listed.yaml"));
    workspace.succeed(&["run", "told.yaml", "--phases", "0"]);
    assert_eq!(workspace.text("found/migrations.csv"), workspace.text("told/migrations.csv"));
}

#[test]
fn a_mapping_may_be_json_in_a_file() {
    let workspace = workspace();
    let ranks: serde_json::Map<_, _> =
        (1..=4).map(|sequence| (packed(sequence, 0).to_string(), json!(sequence % 2))).collect();
    workspace.write("ranks.json", json!(ranks).to_string());
    workspace.write("told.yaml", prescribed("ranks.json"));
    workspace.succeed(&["run", "told.yaml"]);
    let phases = &workspace.json("told/summary.json")["phases"];
    assert_eq!(phases[0]["rank_loads"]["after"], json!([4.0, 6.0]));
    assert_eq!(phases[1]["rank_loads"]["after"], json!([5.0, 3.0]));
}

#[test]
fn migrations_of_phases_that_are_not_balanced_are_reported() {
    let workspace = workspace();
    let [first, other] = [packed(1, 0), packed(2, 0)];
    workspace.write("moves.csv", format!("object,phase,to_rank\n{first},0,1\n{other},7,1\n\n"));
    workspace.write("told.yaml", prescribed("moves.csv"));
    let said = workspace.lbaf(&["run", "told.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let warning = "warning: `permutation` contains migrations of phases that are not in the data (7); these migrations are ignored\n";
    assert!(said.stderr.contains(warning), "{}", said.stderr);
    let moved = workspace.text("told/migrations.csv");
    assert_eq!(moved.lines().skip(1).collect::<Vec<_>>(), [format!("0,id,{first},0,1,4.0,0.0,0.0")]);
    workspace.write("moves.csv", format!("object,phase,to_rank\n{other},7,1\n"));
    let said = workspace.lbaf(&["run", "told.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let warning = "warning: `permutation` contains migrations of phases that are not in the data (7); it moves no object\n";
    assert!(said.stderr.contains(warning), "{}", said.stderr);
    workspace.write("moves.csv", format!("object,phase,to_rank\n{first},0,1\n{first},1,1\n{other},7,1\n"));
    let said = workspace.lbaf(&["run", "told.yaml", "--set", "algorithm.phase_id=0"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let warning = "warning: `permutation` contains migrations of phases that are not in the data (7) or not balanced (1); these migrations are ignored\n";
    assert!(said.stderr.contains(warning), "{}", said.stderr);
}

/// Returns the error of a file. Expects exit code 3 and no output.
#[track_caller]
fn refused(name: &str, content: &str) -> String {
    let workspace = workspace();
    workspace.write("told.yaml", prescribed(name));
    if !content.is_empty() {
        workspace.write(name, content);
    }
    let error = workspace.fail(&["run", "told.yaml"], 3);
    assert!(!workspace.path("told").exists());
    error
}

#[test]
fn a_missing_file() {
    assert_snapshot!(refused("nowhere.csv", ""), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: cannot read nowhere.csv: No such file or directory (os error 2)
      |
    8 |     permutation: nowhere.csv
      |                  ^^^^^^^^^^^
    ");
}

#[test]
fn a_file_that_is_not_a_mapping() {
    assert_snapshot!(refused("moves.yaml", "[1, 0, 1, 0]\n"), @r"
    error: moves.yaml:1:1: expected keys and values, found a list
      |
    1 | [1, 0, 1, 0]
      | ^
    ");
    assert_snapshot!(refused("moves.yaml", "262147: 0\n524291: {rank: 1}\n"), @r"
    error: moves.yaml:2:9: 524291: expected a whole number, found a mapping
      |
    2 | 524291: {rank: 1}
      |         ^
    ");
    assert_snapshot!(refused("moves.yaml", "0: [262147]\n1: 524291\n"), @r"
    error: moves.yaml:2:4: 1: expected a list, found the number 524291
      |
    2 | 1: 524291
      |    ^^^^^^
    ");
    assert_snapshot!(refused("moves.yaml", "0: [262147\n"), @r"
    error: moves.yaml:1:4: unclosed bracket '['
      |
    1 | 0: [262147
      |    ^
    ");
}

#[test]
fn tables_without_migrations() {
    assert_snapshot!(refused("moves.csv", "phase,to_rank\n0,1\n"), @r"
    error: moves.csv:1:1: the column `object` is missing
      |
    1 | phase,to_rank
      | ^^^^^^^^^^^^^
    ");
    assert_snapshot!(refused("moves.csv", "phase,object\n0,1\n"), @r"
    error: moves.csv:1:1: the column `to_rank` is missing
      |
    1 | phase,object
      | ^^^^^^^^^^^^
    ");
    assert_snapshot!(refused("moves.csv", "phase,object,rank,to_rank\n"), @r"
    error: moves.csv:1:1: `rank` is not a column of migrations; known columns are `phase`, `id_kind`, `object`, `from_rank`, `to_rank`, `load_s`, `serialized_bytes`, `migration_bytes`
      |
    1 | phase,object,rank,to_rank
      | ^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(refused("moves.csv", "phase,object,to_rank,object\n"), @r"
    error: moves.csv:1:1: the column `object` occurs twice
      |
    1 | phase,object,to_rank,object
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
}

#[test]
fn invalid_rows() {
    let row = |row: &str| refused("moves.csv", &format!("phase,id_kind,object,from_rank,to_rank\n{row}\n"));
    assert_snapshot!(row("0,id,262147,0"), @r"
    error: moves.csv:2:1: the line has 4 cells, but the table has 5 columns
      |
    2 | 0,id,262147,0
      | ^^^^^^^^^^^^^
    ");
    assert_snapshot!(row("0,name,262147,0,1"), @r#"
    error: moves.csv:2:1: `id_kind` must be `id` or `seq_id`, not "name"
      |
    2 | 0,name,262147,0,1
      | ^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(row("-1,id,262147,0,1"), @r#"
    error: moves.csv:2:1: `phase` must be a whole number from 0 on, not "-1"
      |
    2 | -1,id,262147,0,1
      | ^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(row("0,id,2.5,0,1"), @r#"
    error: moves.csv:2:1: `object` must be a whole number from 0 on, not "2.5"
      |
    2 | 0,id,2.5,0,1
      | ^^^^^^^^^^^^
    "#);
    assert_snapshot!(row("0,id,262147,0,4294967296"), @r"
    error: moves.csv:2:1: `to_rank` 4294967296 is too large for a rank
      |
    2 | 0,id,262147,0,4294967296
      | ^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(row("0,id,262147,0,1\n1,id,262147,0,1\n0,id,262147,0,0"), @r"
    error: moves.csv:4:1: object 262147 migrates twice in phase 0; see line 2
      |
    4 | 0,id,262147,0,0
      | ^^^^^^^^^^^^^^^
    ");
}

#[test]
fn impossible_migrations() {
    let row = |row: &str| refused("moves.csv", &format!("phase,id_kind,object,from_rank,to_rank\n{row}\n"));
    assert_snapshot!(row("0,id,262147,0,2"), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: moves.csv: line 2: object 262147 is sent to rank 2, but the last rank of phase 0 is 1
      |
    8 |     permutation: moves.csv
      |                  ^^^^^^^^^
    ");
    assert_snapshot!(row("0,id,262147,1,0"), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: moves.csv: line 2: object 262147 is on rank 0 in phase 0, not on rank 1
      |
    8 |     permutation: moves.csv
      |                  ^^^^^^^^^
    ");
    assert_snapshot!(row("0,id,5,0,1"), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: moves.csv: line 2: id 5 does not exist in phase 0
      |
    8 |     permutation: moves.csv
      |                  ^^^^^^^^^
    ");
    assert_snapshot!(row("1,seq_id,262147,0,1"), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: moves.csv: line 2: seq_id 262147 does not exist in phase 1
      |
    8 |     permutation: moves.csv
      |                  ^^^^^^^^^
    ");
}

/// The placement is in the configuration itself, so the error shows its line there.
#[test]
fn impossible_placements() {
    let inline = |permutation: &str| {
        let workspace = workspace();
        let configuration =
            configuration("PrescribedPermutation", "told", &format!("permutation:{permutation}"));
        workspace.write("told.yaml", configuration);
        workspace.fail(&["run", "told.yaml"], 3)
    };
    assert_snapshot!(inline("\n      262147: 0\n      524291: 2"), @r"
    error: told.yaml:10:15: algorithm.parameters.permutation.524291: object 524291 is sent to rank 2, but the last rank of phase 0 is 1
       |
    10 |       524291: 2
       |               ^
    ");
    assert_snapshot!(inline("\n      262147: 0\n      524291: 1"), @r"
    error: told.yaml:8:5: algorithm.parameters.permutation: all 4 migratable objects of phase 0 must be listed, but the list lacks 2 of them; the first is 786435
      |
    8 |     permutation:
      |     ^^^^^^^^^^^
    ");
    assert_snapshot!(inline(" {262147: 0, 524291: 1, 786435: 0, 1048579: 1, 5: 0}"), @r"
    error: told.yaml:8:67: algorithm.parameters.permutation.5: 1 of the 5 listed objects cannot be placed in phase 0; the first is 5, which does not exist
      |
    8 |     permutation: {262147: 0, 524291: 1, 786435: 0, 1048579: 1, 5: 0}
      |                                                                   ^
    ");
    assert_snapshot!(inline("\n      0: [262147, 524291]\n      2: [786435]"), @r"
    error: told.yaml:10:10: algorithm.parameters.permutation.2: object 786435 is sent to rank 2, but the last rank of phase 0 is 1
       |
    10 |       2: [786435]
       |          ^
    ");
    assert_snapshot!(inline(" 7"), @r"
    error: told.yaml:8:18: algorithm.parameters.permutation: expected a mapping object -> rank, a mapping rank -> list of objects, or the path of a file with one of these mappings or with a table of migrations, found the number 7
      |
    8 |     permutation: 7
      |                  ^
    ");
}
