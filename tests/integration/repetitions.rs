// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases listed in the metadata as identical to the previous phase have no entry.
//! If the placements of the two phases differ after a run, the phase gets an entry and is no longer listed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::vom::{list, packed, phase_ids, task};
use crate::workspace::Workspace;

const N_RANKS: u64 = 3;
const LAST: u64 = 6;

/// Phases 1 to 6 with entries for 1 and 4: phases 2 and 3 repeat 1, phases 5 and 6 repeat 4. Phase 0 was
/// skipped.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..N_RANKS {
        let tasks = |load: f64| -> Vec<Value> {
            (1..=4).map(|n| task(packed(n, rank), rank, load * n as f64)).collect()
        };
        let file = json!({
            "metadata": {
                "rank": rank,
                "type": "LBDatafile",
                "phases": {
                    "identical_to_previous": {"list": [6], "range": [[2, 3], [5, 5]]},
                    "skipped": {"list": [0], "range": []},
                },
            },
            "phases": [{"id": 1, "tasks": tasks(1.0)}, {"id": 4, "tasks": tasks(2.0 + rank as f64)}],
        });
        workspace.write(&format!("data.{rank}.json"), file.to_string());
    }
    let configuration = "from_data: {data_stem: data}
algorithm: {name: RandomLB}
output_dir: out
write_JSON: {compressed: false}
plots: none
";
    workspace.write("run.yaml", configuration);
    workspace
}

/// Returns the phases of a list in metadata.
fn listed(file: &Value, key: &str) -> Vec<u64> {
    let lists = &file["metadata"]["phases"][key];
    let mut phases: Vec<u64> = list(lists, "list").iter().filter_map(Value::as_u64).collect();
    for range in list(lists, "range") {
        phases.extend(range[0].as_u64().expect("a phase")..=range[1].as_u64().expect("a phase"));
    }
    phases.sort_unstable();
    phases
}

type Placement = BTreeMap<u64, (u64, Value)>;

/// Returns rank and time of every object in every phase. A phase listed as identical equals the entry before.
fn placements(workspace: &Workspace, stem: &str) -> BTreeMap<u64, Placement> {
    let mut placements: BTreeMap<u64, Placement> = BTreeMap::new();
    for rank in 0..N_RANKS {
        let file = workspace.json(&format!("{stem}.{rank}.json"));
        let entries = phase_ids(&file);
        for id in 1..=LAST {
            let identical = listed(&file, "identical_to_previous").contains(&id);
            assert!(entries.contains(&id) != identical, "phase {id} has an entry and is listed, or neither");
            let entry = list(&file, "phases").iter().rfind(|phase| phase["id"].as_u64() <= Some(id));
            for task in list(entry.expect("something precedes it"), "tasks") {
                let object = task["entity"]["id"].as_u64().expect("an id");
                placements.entry(id).or_default().insert(object, (rank, task["time"].clone()));
            }
        }
        assert_eq!(listed(&file, "skipped"), [0]);
    }
    placements
}

/// Returns the recorded placements after the migrations in `migrations.csv`.
fn expected(workspace: &Workspace) -> BTreeMap<u64, Placement> {
    let mut placements = placements(workspace, "data");
    for row in workspace.text("out/migrations.csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [phase, object, to] = [0, 2, 4].map(|column| cells[column].parse().expect("a whole number"));
        placements.get_mut(&phase).expect("a phase").get_mut(&object).expect("an object").0 = to;
    }
    placements
}

/// Runs with these settings and checks that the files match the table; returns the phases that have entries.
fn entries_after(settings: &[&str]) -> Vec<u64> {
    let workspace = workspace();
    let settings = settings.iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = ["run", "run.yaml"].into_iter().chain(settings).collect();
    workspace.succeed(&arguments);
    assert_eq!(placements(&workspace, "out/output_file"), expected(&workspace));
    phase_ids(&workspace.json("out/output_file.0.json"))
}

#[test]
fn every_phase_is_read() {
    let workspace = workspace();
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("JSON");
    assert_eq!(info["phases_recorded"], json!([1, 2, 3, 4, 5, 6]));
    let repeats: Vec<&Value> = list(&info, "phases").iter().map(|phase| &phase["repeats"]).collect();
    assert_eq!(repeats, [&json!(null), &json!(1), &json!(1), &json!(null), &json!(4), &json!(4)]);
    // 3 * (1 + 2 + 3 + 4) and 10 * (2 + 3 + 4)
    let loads: Vec<f64> =
        list(&info, "phases").iter().filter_map(|phase| phase["load_sum"].as_f64()).collect();
    assert_eq!(loads, [30.0, 30.0, 30.0, 90.0, 90.0, 90.0]);
}

#[test]
fn repetitions_stay_without_migrations() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=PhaseStepper"]);
    for rank in 0..N_RANKS {
        let input = workspace.json(&format!("data.{rank}.json"));
        assert_eq!(workspace.json(&format!("out/output_file.{rank}.json")), input);
    }
}

#[test]
fn repetitions_stay_with_equal_migrations() {
    assert_eq!(entries_after(&["algorithm.name=RotateLB"]), [1, 4]);
    assert_eq!(entries_after(&["algorithm.name=Greedy"]), [1, 4]);
}

#[test]
fn phases_with_different_random_placements_get_entries() {
    assert_eq!(entries_after(&[]), [1, 2, 3, 4, 5, 6]);
}

/// Objects migrate in phase 2 and not in phase 3, so phase 3 no longer equals the entry before it.
#[test]
fn a_repetition_after_a_phase_with_migrations_gets_an_entry() {
    assert_eq!(entries_after(&["algorithm.name=RotateLB", "algorithm.phase_id=2"]), [1, 2, 3, 4]);
    // Phases 5 and 6 have the same migrations, so they are an entry and its repetition.
    assert_eq!(entries_after(&["algorithm.name=RotateLB", "algorithm.phase_id=[5, 6]"]), [1, 4, 5]);
}

#[test]
fn a_repetition_of_an_unselected_phase_is_read_and_gets_an_entry() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=RotateLB", "--phases", "2-3"]);
    let file = workspace.json("out/output_file.1.json");
    assert_eq!((phase_ids(&file), listed(&file, "identical_to_previous")), (vec![2], vec![3]));
    let objects: Vec<&Value> =
        list(&list(&file, "phases")[0], "tasks").iter().map(|t| &t["entity"]["id"]).collect();
    assert_eq!(objects, [1, 2, 3, 4].map(|n| packed(n, 0)).iter().collect::<Vec<_>>());
}
