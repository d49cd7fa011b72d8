// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases that start from the result of the previous phase, as in vt.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::bad_configuration;
use crate::peers::{EIGHT_COLOURS, peer, run};
use crate::vom::{list, phase, phase_ids};
use crate::workspace::Workspace;

/// Recorded rank and migratability of objects 1 to 6 in five phases; `None` for an absent object.
const RECORDED: [[Option<(u64, bool)>; 6]; 5] = {
    const A: Option<(u64, bool)> = Some((0, true));
    const B: Option<(u64, bool)> = Some((1, true));
    const C: Option<(u64, bool)> = Some((2, true));
    const FIXED: Option<(u64, bool)> = Some((0, false));
    const OTHER: Option<(u64, bool)> = Some((2, false));
    [
        [A, B, None, FIXED, A, OTHER],
        [A, B, None, FIXED, A, OTHER],
        [A, None, C, A, FIXED, OTHER],
        [A, B, C, A, FIXED, OTHER],
        [A, B, C, A, FIXED, OTHER],
    ]
};

/// Ranks of objects 1 to 6 at the end of each phase, worked by hand for RotateLB in phases 0, 2 and 4.
const CARRIED: [[Option<u64>; 6]; 5] = [
    [Some(1), Some(2), None, Some(0), Some(1), Some(2)],
    [Some(1), Some(2), None, Some(0), Some(1), Some(2)],
    [Some(2), None, Some(0), Some(1), Some(0), Some(2)],
    [Some(2), Some(1), Some(0), Some(1), Some(0), Some(2)],
    [Some(0), Some(2), Some(1), Some(2), Some(0), Some(2)],
];

/// Ranks of objects 1 to 6 at the start of the balanced phases.
const STARTS: [(usize, [Option<u64>; 6]); 3] = [
    (0, [Some(0), Some(1), None, Some(0), Some(0), Some(2)]),
    (2, [Some(1), None, Some(2), Some(0), Some(0), Some(2)]),
    (4, [Some(2), Some(1), Some(0), Some(1), Some(0), Some(2)]),
];

const ROTATE: &str = "from_data: {data_stem: data}
algorithm: {name: RotateLB, placement: carry, phase_modulus: 2}
write_JSON: {compressed: false}
output_dir: out
plots: none
";

fn five_phases() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..3 {
        let tasks = |objects: &[Option<(u64, bool)>; 6]| -> Vec<Value> {
            let here = (1..).zip(objects).filter_map(|(object, place)| Some((object, (*place)?)));
            here.filter(|(_, (home, _))| *home == rank)
                .map(|(object, (_, migratable))| {
                    json!({
                        "entity": {"collection_id": 7, "home": rank, "migratable": migratable, "seq_id": object, "type": "object"},
                        "node": rank, "resource": "cpu", "time": f64::from(object),
                    })
                })
                .collect()
        };
        let phases: Vec<Value> = (0..)
            .zip(&RECORDED)
            .map(|(id, objects): (u64, _)| json!({"id": id, "tasks": tasks(objects)}))
            .collect();
        let file = json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": phases});
        workspace.write(&format!("data.{rank}.json"), file.to_string());
    }
    workspace.write("run.yaml", ROTATE);
    workspace
}

/// Returns the ranks of objects 1 to 6 in a phase of written files.
fn places(files: &[Value], id: u64) -> [Option<u64>; 6] {
    let mut places = [None; 6];
    for (rank, file) in (0..).zip(files) {
        for task in list(phase(file, id), "tasks") {
            let object = task["entity"]["seq_id"].as_u64().expect("a number") as usize;
            // Objects added for vt have higher numbers.
            if object <= 6 {
                assert_eq!(places[object - 1].replace(rank), None, "object {object} twice");
            }
        }
    }
    places
}

#[test]
fn a_phase_starts_from_the_result_of_the_previous_phase() {
    let workspace = five_phases();
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_snapshot!(said.stderr, @"
    note: objects missing from the previous phase start on their recorded rank (2 over all phases)
    note: objects missing from the next phase are dropped; if they return, they start on their recorded rank (1 over all phases)
    note: objects that become migratable start on their recorded rank (1 over all phases)
    note: objects that become non-migratable are placed on their recorded rank (1 over all phases)
    note: phases that are not balanced keep the placement of the previous phase (2 phases: 1, 3)
    ");
    assert!(said.stdout.contains(
        "\n3 phases balanced, 2 without a balancer, 10 migrations. Each phase but the first starts from"
    ));
    let summary = workspace.json("out/summary.json");
    let phases = list(&summary, "phases");
    let starts: Vec<&Value> = phases.iter().map(|phase| &phase["start"]).collect();
    let carried = |from: u64| json!({"placement": "carried", "from": from});
    assert_eq!(
        starts,
        [&json!({"placement": "recorded"}), &carried(0), &carried(1), &carried(2), &carried(3)]
    );
    // Phases 1 and 3 are listed, without migrations.
    let (ran, kept): (Vec<&Value>, Vec<&Value>) =
        phases.iter().partition(|phase| !phase["strategy"].is_null());
    assert!(kept.iter().all(|phase| phase["rank_loads"]["before"] == phase["rank_loads"]["after"]));
    let phases = ran;
    // The load of an object is its number.
    for (result, (id, start)) in phases.iter().zip(STARTS) {
        let mut loads = [0.0; 3];
        for (object, rank) in (1..).zip(start).filter_map(|(object, rank)| Some((object, rank?))) {
            loads[rank as usize] += f64::from(object);
        }
        assert_eq!((&result["phase"], &result["rank_loads"]["before"]), (&json!(id), &json!(loads)));
    }
    let migrations = workspace.text("out/migrations.csv");
    let moves: Vec<String> = migrations
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| format!("{}: {} {}>{}", cells[0], cells[2], cells[3], cells[4]))
        .collect();
    let expected = [
        "0: 1 0>1", "0: 2 1>2", "0: 5 0>1", "2: 1 1>2", "2: 3 2>0", "2: 4 0>1", "4: 1 2>0", "4: 2 1>2",
        "4: 3 0>1", "4: 4 1>2",
    ];
    assert_eq!(moves, expected);
}

#[test]
fn files_hold_the_placement_of_each_phase() {
    let workspace = five_phases();
    workspace.succeed(&["run", "run.yaml"]);
    let files = workspace.documents("out/output_file");
    for (id, expected) in (0..).zip(CARRIED) {
        assert_eq!(places(&files, id), expected, "phase {id}");
    }
    // With recorded placements, phases 1 and 3 keep the recorded ranks.
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.placement=recorded"]);
    let files = workspace.documents("out/output_file");
    for id in [1, 3] {
        let recorded = RECORDED[id].map(|place| place.map(|(rank, _)| rank));
        assert_eq!(places(&files, id as u64), recorded, "phase {id}");
    }
    assert!(
        workspace.json("out/summary.json")["phases"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|phase| { phase["start"]["placement"] == "recorded" })
    );
}

/// After phase p, vt migrates the objects to the ranks whose files list them under phase p + 1.
#[test]
fn files_for_a_replay_hold_the_start_of_each_phase() {
    let workspace = five_phases();
    workspace.succeed(&["run", "run.yaml", "--set", "write_JSON.offline_lb_compatible=true"]);
    let files = workspace.documents("out/output_file");
    assert!(files.iter().all(|file| phase_ids(file) == [0, 1, 2, 3, 4, 5]));
    for (id, start) in STARTS {
        assert_eq!(places(&files, id as u64), start, "phase {id}");
    }
    for id in [1, 3] {
        assert_eq!(places(&files, id as u64), CARRIED[id], "phase {id}");
    }
    assert_eq!(places(&files, 5), CARRIED[4]);
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/output_file"]).code, 0);
}

/// Three phases of two ranks have the imbalances 0.5, 0.1 and 0.
#[test]
fn phases_below_the_imbalance_threshold_are_not_balanced() {
    let workspace = Workspace::new();
    let task =
        |object: u64, rank: u64, time: f64| crate::vom::task(crate::vom::packed(object, rank), rank, time);
    let loads = [[3.0, 1.0], [2.2, 1.8], [2.0, 2.0]];
    for rank in 0..2 {
        let phases: Vec<Value> = (0..)
            .zip(loads)
            .map(|(id, loads): (u64, _)| {
                let half = loads[rank as usize] / 2.0;
                json!({"id": id, "tasks": [task(2 * rank, rank, half), task(2 * rank + 1, rank, half)]})
            })
            .collect();
        let file = json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": phases});
        workspace.write(&format!("data.{rank}.json"), file.to_string());
    }
    workspace.write("run.yaml", ROTATE.replace("placement: carry, phase_modulus: 2", "min_imbalance: 0.1"));
    let migrations = |more: &str| {
        let said = workspace.lbaf(&["run", "run.yaml", "--set", more]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let summary = workspace.json("out/summary.json");
        let of = |phase: &Value| (phase["already_balanced"] == true, phase["migrations"]["count"].as_u64());
        (list(&summary, "phases").iter().map(of).collect::<Vec<_>>(), said)
    };
    // The computed imbalance differs from 0.1 by rounding.
    let (counts, said) = migrations("algorithm.min_imbalance=0.1000001");
    assert_eq!(counts, [(false, Some(4)), (true, Some(0)), (true, Some(0))]);
    assert!(
        said.stdout.contains("\n1 phase balanced, 2 already balanced, 4 migrations.\n"),
        "{}",
        said.stdout
    );
    assert_snapshot!(said.stderr, @"note: phases with an imbalance of at most 0.1 (`algorithm.min_imbalance`) are not balanced (2 phases: 1-2)");
    assert_eq!(migrations("algorithm.min_imbalance=0.6").0, [(true, Some(0)); 3]);
    // Without a threshold, balanced phases are rotated too.
    assert_eq!(migrations("algorithm.min_imbalance=0").0, [(false, Some(4)); 3]);
    // A violated bound requires balancing.
    let bounded = "work_model={name: AffineCombination, parameters: {upper_bounds: {load: 2.1}}}";
    assert_eq!(migrations(bounded).0, [(false, Some(4)), (false, Some(4)), (true, Some(0))]);
}

/// Phase 1 repeats phase 0 and is not balanced. With carried placements, it is written as a repetition again.
#[test]
fn a_repetition_with_the_same_placement_stays_a_repetition() {
    let workspace = five_phases();
    for rank in 0..3 {
        let name = format!("data.{rank}.json");
        let mut file = workspace.json(&name);
        file["phases"].as_array_mut().expect("a list").truncate(1);
        file["metadata"]["phases"] = json!({"identical_to_previous": {"list": [1, 2], "range": []}});
        workspace.write(&name, file.to_string());
    }
    let written = |placement: &str| {
        workspace.succeed(&["run", "run.yaml", "--set", &format!("algorithm.placement={placement}")]);
        let files = workspace.documents("out/output_file");
        let repeated = files[0]["metadata"]["phases"]["identical_to_previous"]["list"].clone();
        (phase_ids(&files[0]), repeated, places(&files, *phase_ids(&files[0]).last().expect("a phase")))
    };
    // Phases 0 and 2 rotate by one rank each: by two ranks in total if placements are carried.
    let [once, twice] = [1, 2].map(|by| [Some(by), Some((1 + by) % 3), None, Some(0), Some(by), Some(2)]);
    assert_eq!(written("carry"), (vec![0, 2], json!([1]), twice));
    assert_eq!(written("recorded"), (vec![0, 1, 2], json!([]), once));
}

/// `migrations.csv` reproduces the placements if each phase starts from the previous result.
#[test]
fn the_migrations_of_a_replay_can_be_prescribed() {
    let workspace = five_phases();
    workspace.succeed(&["run", "run.yaml"]);
    let (ranks, migrations) = (workspace.text("out/ranks.csv"), workspace.text("out/migrations.csv"));
    workspace.write("where.csv", &migrations);
    let prescribe = |placement: &str| {
        format!(
            "algorithm={{name: PrescribedPermutation, placement: {placement}, phase_modulus: 2, \
             parameters: {{permutation: where.csv}}}}"
        )
    };
    let error = workspace.fail(&["run", "run.yaml", "--set", &prescribe("recorded")], 3);
    assert!(error.contains("object 1 is on rank 0 in phase 2, not on rank 1"), "{error}");
    workspace.succeed(&["run", "run.yaml", "--set", &prescribe("carry")]);
    assert_eq!((workspace.text("out/ranks.csv"), workspace.text("out/migrations.csv")), (ranks, migrations));
}

#[test]
fn wrong_numbers_are_refused_at_their_place() {
    let refused = |algorithm: &str| {
        let configuration =
            format!("from_data: {{data_stem: data}}\nalgorithm: {{name: Greedy, {algorithm}}}\n");
        bad_configuration::workspace(&configuration).fail(&["run", "run.yaml"], 3)
    };
    assert_snapshot!(refused("phase_modulus: 0"), @r"
    error: run.yaml:2:42: algorithm.phase_modulus: the period must be 1 or more, not 0
      |
    2 | algorithm: {name: Greedy, phase_modulus: 0}
      |                                          ^
    ");
    assert_snapshot!(refused("phase_id: 1, phase_modulus: 2"), @r"
    error: run.yaml:2:55: algorithm.phase_modulus: none of the phases to balance is a multiple of this number
      |
    2 | algorithm: {name: Greedy, phase_id: 1, phase_modulus: 2}
      |                                                       ^
    ");
    assert_snapshot!(refused("min_imbalance: -0.1"), @r"
    error: run.yaml:2:42: algorithm.min_imbalance: an imbalance must be a finite number from 0, not -0.1
      |
    2 | algorithm: {name: Greedy, min_imbalance: -0.1}
      |                                          ^^^^
    ");
    assert_snapshot!(refused("placement: carried"), @r"
    error: run.yaml:2:38: algorithm.placement: unknown value `carried`; did you mean `carry`?
      |
    2 | algorithm: {name: Greedy, placement: carried}
      |                                      ^^^^^^^
    ");
}

#[test]
fn named_phases_that_the_modulus_excludes_are_skipped_with_a_warning() {
    let configuration = "from_data: {data_stem: data}
algorithm: {name: Greedy, phase_id: [0, 1], phase_modulus: 2}
output_dir: out
plots: none
";
    let workspace = bad_configuration::workspace(configuration);
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_snapshot!(said.stderr, @"warning: `algorithm.phase_id` names phases that are not multiples of `phase_modulus` (1); they are not balanced");
    assert_eq!(list(&workspace.json("out/summary.json"), "phases").len(), 1);
}

/// Imbalances after vt's GreedyLB in a replay of the 8-colour run, by phase.
const VT_GREEDY: [(usize, &str); 5] =
    [(0, "0.0893"), (1, "4.284"), (2, "0.056"), (9, "1.310"), (10, "0.065")];

#[test]
fn the_replay_of_the_8_colour_run_is_not_above_that_of_vt() {
    let Some(workspace) = peer(EIGHT_COLOURS) else { return };
    run(
        &workspace,
        EIGHT_COLOURS,
        "algorithm: {name: GreedyLB, placement: carry}
write_JSON: {compressed: false, offline_lb_compatible: true}",
    );
    let summary = workspace.json("out/summary.json");
    let phases = list(&summary, "phases");
    let imbalance =
        |phase: usize, when: &str| phases[phase][when]["load"]["imbalance"].as_f64().expect("a number");
    for (phase, vt) in VT_GREEDY {
        let decimals = vt.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let rounded: f64 = format!("{:.decimals$}", imbalance(phase, "after")).parse().expect("a number");
        assert!(rounded <= vt.parse().expect("a number"), "phase {phase}: {rounded} is above {vt}");
    }
    // With exact loads and all objects in the pool, the maximum work equals the lower bound.
    for (phase, printed) in [(0, "0.0220"), (1, "4.2845"), (9, "0.7313")] {
        assert_eq!(format!("{:.4}", imbalance(phase, "after")), printed);
        let gap = |key: &str| phases[phase][key]["work"].as_f64().expect("a number");
        let longest = phases[phase]["after"]["work"]["max"].as_f64().expect("a number");
        assert!((longest / gap("lower_bound") - 1.0).abs() < 1e-9, "phase {phase} is not optimal");
    }
    let sentences = list(&summary, "sentences")[3..].iter().filter_map(Value::as_str).collect::<Vec<_>>();
    assert_snapshot!(sentences.join("\n"), @r"
    Phase 0 is optimal: a load imbalance of 0.022, limited by the 8 largest objects (0.3 s or more each) together with non-migratable objects.
    Phase 1 is optimal: a load imbalance of 4.2845, limited by the non-migratable objects of rank 0 (0.1055 s).
    Phase 9 is optimal: a load imbalance of 0.7313, limited by the largest object, 262191 (0.02663 s), together with the non-migratable objects of any rank; this object alone implies a load imbalance of at least 0.5675.
    ");
    // In the files, a phase has the placement at its start, and the next phase has its result.
    let files = workspace.documents("out/output_file");
    for (id, result) in (0..11).zip(phases) {
        let (mut start, mut end) = ([0.0; 32], [0.0; 32]);
        let next: BTreeMap<String, usize> = (0..32)
            .flat_map(|rank| list(phase(&files[rank], id + 1), "tasks").iter().map(move |task| (task, rank)))
            .map(|(task, rank)| (task["entity"].to_string(), rank))
            .collect();
        for rank in 0..32 {
            for task in list(phase(&files[rank], id), "tasks") {
                let time = task["time"].as_f64().expect("a number");
                let moves = task["entity"]["migratable"] == true;
                start[rank] += time;
                end[if moves { next[&task["entity"].to_string()] } else { rank }] += time;
            }
        }
        for (when, loads) in [("before", start), ("after", end)] {
            let (mean, max) = (loads.iter().sum::<f64>() / 32.0, loads.iter().copied().fold(0.0, f64::max));
            let found = result[when]["load"]["imbalance"].as_f64().expect("a number");
            assert!((found - (max / mean - 1.0)).abs() < 1e-9, "phase {id} {when}: {found}");
        }
    }
}
