// SPDX-License-Identifier: MIT OR Apache-2.0
//! A simulation computed independently, from tables of loads, bytes and ranks, without code of `lbaf`.

use serde_json::{Value, json};

use crate::vom::{entity, packed, send};
use crate::workspace::Workspace;

const N_RANKS: usize = 3;
const N_OBJECTS: usize = 8;
const N_PHASES: usize = 5;

/// Seconds by phase and object; the loads of a phase are distinct.
const LOADS: [[f64; N_OBJECTS]; N_PHASES] = [
    [9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
    [8.5, 1.5, 2.0, 3.0, 4.5, 5.0, 6.5, 7.0],
    [1.0, 9.0, 8.0, 3.0, 4.0, 2.0, 0.5, 7.0],
    [1.5, 9.5, 8.0, 3.5, 4.0, 2.5, 0.5, 7.0],
    [2.0, 9.0, 8.5, 3.0, 4.0, 2.5, 1.0, 6.0],
];

/// Recorded ranks by phase and object.
const RECORDED: [[usize; N_OBJECTS]; N_PHASES] = [
    [0, 0, 0, 1, 1, 1, 2, 2],
    [0, 0, 0, 1, 1, 1, 2, 2],
    [0, 1, 0, 1, 2, 1, 2, 0],
    [0, 1, 0, 1, 2, 1, 2, 0],
    [1, 1, 0, 1, 2, 1, 2, 0],
];

/// Bytes from one object to another, in every phase.
const EDGES: [(usize, usize, f64); 5] =
    [(0, 3, 400.0), (1, 2, 900.0), (3, 0, 100.0), (5, 6, 700.0), (7, 4, 200.0)];

const SECONDS_PER_BYTE: f64 = 0.001;
const MESSAGE_LATENCY: f64 = 0.25;
const OBJECT_LATENCY: f64 = 0.2;
const BANDWIDTH: f64 = 4000.0;

fn serialized_bytes(object: usize) -> f64 {
    100.0 * (object + 1) as f64
}

type Placement = [usize; N_OBJECTS];

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let id =
        |object: usize| (packed(object as u64 + 1, RECORDED[0][object] as u64), RECORDED[0][object] as u64);
    for rank in 0..N_RANKS {
        let phase = |phase: usize| {
            let here = |object: &usize| RECORDED[phase][*object] == rank;
            let tasks: Vec<Value> = (0..N_OBJECTS)
                .filter(here)
                .map(|object| {
                    json!({
                        "entity": entity(id(object).0, id(object).1), "node": rank, "resource": "cpu",
                        "time": LOADS[phase][object],
                        "user_defined": {"task_serialized_bytes": serialized_bytes(object)},
                    })
                })
                .collect();
            let sent = EDGES.iter().filter(|(from, ..)| here(from));
            let communications: Vec<Value> =
                sent.map(|&(from, to, bytes)| send(id(from), id(to), bytes)).collect();
            json!({"id": phase, "tasks": tasks, "communications": communications})
        };
        let phases: Vec<Value> = (0..N_PHASES).map(phase).collect();
        let file = json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    workspace.write(
        "run.yaml",
        format!(
            "from_data: {{data_stem: set}}\n\
             work_model: {{name: AffineCombination, parameters: {{alpha: 1.0, beta: {SECONDS_PER_BYTE}, gamma: 0.0}}}}\n\
             algorithm: {{name: Greedy}}\noutput_dir: out\nplots: none\n\
             simulation:\n  report: none\n  schedule: best\n  costs: {{message_latency: {MESSAGE_LATENCY}, \
             object_latency: {OBJECT_LATENCY}, bandwidth: {BANDWIDTH}}}\n"
        ),
    );
    workspace
}

/// Returns loads and works of ranks.
fn ranks(loads: &[f64; N_OBJECTS], placement: &Placement) -> [[f64; N_RANKS]; 2] {
    let (mut of_ranks, mut sent, mut received) = ([0.0; N_RANKS], [0.0; N_RANKS], [0.0; N_RANKS]);
    for (object, load) in loads.iter().enumerate() {
        of_ranks[placement[object]] += load;
    }
    for (from, to, bytes) in EDGES {
        if placement[from] != placement[to] {
            sent[placement[from]] += bytes;
            received[placement[to]] += bytes;
        }
    }
    let work = |rank: usize| of_ranks[rank] + SECONDS_PER_BYTE * f64::max(sent[rank], received[rank]);
    [of_ranks, [0, 1, 2].map(work)]
}

fn most(values: [f64; N_RANKS]) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}

fn imbalance(values: [f64; N_RANKS]) -> f64 {
    most(values) / (values.iter().sum::<f64>() / N_RANKS as f64) - 1.0
}

/// Places the largest objects first, each on the least loaded rank; in a tie, on the first.
fn greedy(loads: &[f64; N_OBJECTS]) -> Placement {
    let mut objects: Vec<usize> = (0..N_OBJECTS).collect();
    objects.sort_by(|&a, &b| loads[b].total_cmp(&loads[a]));
    let (mut of_ranks, mut placement) = ([0.0; N_RANKS], [0; N_OBJECTS]);
    for object in objects {
        let mut least = 0;
        for rank in 1..N_RANKS {
            if of_ranks[rank] < of_ranks[least] {
                least = rank;
            }
        }
        of_ranks[least] += loads[object];
        placement[object] = least;
    }
    placement
}

/// Returns the number of migrations, their bytes and their seconds: each rank sends or receives one object at a
/// time.
fn migrations(from: &Placement, to: &Placement) -> (usize, f64, f64) {
    let (mut count, mut bytes, mut seconds) = (0, 0.0, [0.0; N_RANKS]);
    for object in (0..N_OBJECTS).filter(|&object| from[object] != to[object]) {
        count += 1;
        bytes += serialized_bytes(object);
        for rank in [from[object], to[object]] {
            seconds[rank] += OBJECT_LATENCY + serialized_bytes(object) / BANDWIDTH;
        }
    }
    (count, bytes, most(seconds))
}

/// Returns the seconds of a run that is balanced before some phases, and a row for each phase with the keys of
/// the results.
fn run(is_balanced: impl Fn(usize) -> bool) -> (f64, Vec<Value>) {
    let (mut placement, mut total, mut rows) = (RECORDED[0], 0.0, Vec::new());
    for (phase, loads) in LOADS.iter().enumerate() {
        let mut balancing = Value::Null;
        if phase > 0 && is_balanced(phase) {
            let predicted = &LOADS[phase - 1];
            let after = greedy(predicted);
            let (count, bytes, migration) = migrations(&placement, &after);
            // Two steps reach three ranks. All data are gathered on one rank, and the migrations are sent to
            // both others.
            let gathered = 16.0 * N_OBJECTS as f64 + 24.0 * EDGES.len() as f64;
            let decided = 16.0 * count as f64;
            let strategy = 2.0 * 2.0 * MESSAGE_LATENCY + (gathered + decided) / BANDWIDTH;
            let [load_before, work_before] = ranks(predicted, &placement).map(imbalance);
            let [load_after, work_after] = ranks(predicted, &after).map(imbalance);
            total += strategy + migration;
            balancing = json!({
                "predicted_imbalance_before": load_before, "predicted_imbalance_after": load_after,
                "predicted_work_imbalance_before": work_before, "predicted_work_imbalance_after": work_after,
                "predicted_time": most(ranks(predicted, &after)[1]),
                "strategy_seconds": strategy, "migration_seconds": migration,
                "n_migrations": count, "migrated_bytes": bytes,
                "n_messages": 4, "message_bytes": gathered + 2.0 * decided,
            });
            placement = after;
        }
        rows.push(row(phase, loads, &placement, &balancing, &Value::Null));
        total += most(ranks(loads, &placement)[1]);
    }
    (total, rows)
}

fn row(
    phase: usize,
    loads: &[f64; N_OBJECTS],
    placement: &Placement,
    balancing: &Value,
    recorded: &Value,
) -> Value {
    let [load, work] = ranks(loads, placement);
    json!({
        "phase": phase, "time": most(work), "load_imbalance": imbalance(load), "work_imbalance": imbalance(work),
        "n_ranks_over_bounds": 0, "evacuation": null, "recorded_migration": recorded, "balancing": balancing,
    })
}

/// Asserts that numbers differ by at most 1e-9 and other values are equal. Additional keys in `found` are ignored.
#[track_caller]
fn assert_same(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, expected) in expected {
                let found = found.get(key).unwrap_or_else(|| panic!("{at}.{key} is missing"));
                assert_same(found, expected, &format!("{at}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{at}");
            for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_same(found, expected, &format!("{at}[{number}]"));
            }
        }
        (Value::Number(found), Value::Number(expected)) => {
            let [found, expected] = [found, expected].map(|number| number.as_f64().expect("a number"));
            assert!(
                (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                "{at}: {found}, not {expected}"
            );
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

fn scenario<'a>(results: &'a Value, name: &str) -> &'a Value {
    let runs = results["runs"].as_array().expect("a list");
    runs.iter().find(|run| run["scenario"] == name).expect("it is among them")
}

#[test]
fn every_figure_of_a_simulation_with_the_best_schedule_is_recomputed() {
    let workspace = workspace();
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains(" No schedule is better."), "{said}");
    let results = workspace.json("out/simulation.json");
    // All 2^4 schedules.
    let all = (0..1_u32 << (N_PHASES - 1)).map(|set| run(|phase| set >> (phase - 1) & 1 == 1));
    let (total, rows) = all.min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are some");
    let n_balancings = rows.iter().filter(|row| !row["balancing"].is_null()).count();
    assert!((1..N_PHASES - 1).contains(&n_balancings), "neither never nor always: {n_balancings}");
    let best = scenario(&results, "configured");
    let expected = json!({
        "total": total, "by_phase": rows, "n_balancings": n_balancings, "is_proven": true,
        "n_messages": 4 * n_balancings,
    });
    assert_same(best, &expected, "best");
    let sum = |key: &str| {
        let balancings = rows.iter().map(|row| &row["balancing"]).filter(|balancing| !balancing.is_null());
        balancings.map(|balancing| balancing[key].as_f64().expect("a number")).sum::<f64>()
    };
    for key in ["strategy_seconds", "migration_seconds", "n_migrations", "migrated_bytes", "message_bytes"] {
        assert_same(&best[key], &json!(sum(key)), key);
    }
    let (total, rows) = run(|_| false);
    assert_same(
        scenario(&results, "never"),
        &json!({"total": total, "by_phase": rows, "is_proven": null}),
        "never",
    );
}

#[test]
fn migrations_in_the_data_are_counted_and_paid_for() {
    let workspace = workspace();
    workspace.succeed(&["simulate", "run.yaml"]);
    let results = workspace.json("out/simulation.json");
    let (mut rows, mut sums, mut total) = (Vec::new(), (0, 0.0, 0.0), 0.0);
    for phase in 0..N_PHASES {
        let mut recorded = Value::Null;
        if phase > 0 {
            let (count, bytes, seconds) = migrations(&RECORDED[phase - 1], &RECORDED[phase]);
            recorded = json!({"migration_seconds": seconds, "n_migrations": count, "migrated_bytes": bytes});
            sums = (sums.0 + count, sums.1 + bytes, sums.2 + seconds);
        }
        rows.push(row(phase, &LOADS[phase], &RECORDED[phase], &Value::Null, &recorded));
        total += most(ranks(&LOADS[phase], &RECORDED[phase])[1]);
    }
    // Three objects before phase 2, one before phase 4.
    assert_eq!(sums.0, 4);
    let expected = json!({
        "total": total + sums.2, "phase_seconds": total, "strategy_seconds": 0.0, "migration_seconds": sums.2, "n_balancings": 0,
        "n_migrations": 4, "migrated_bytes": sums.1, "n_messages": 0, "by_phase": rows,
    });
    assert_same(scenario(&results, "recorded"), &expected, "recorded");
    let csv = workspace.text("out/simulation.csv");
    assert!(csv.contains("\nrecorded,4,") && csv.lines().all(|line| line.split(',').count() == 20), "{csv}");
    // 0.2 + 100 / 4000
    assert_eq!(
        csv.lines().find(|line| line.starts_with("recorded,4,")).map(|line| line.split(',').nth(7)),
        Some(Some("0.225"))
    );
}

/// By default, a migrating object has the latency of a message.
#[test]
fn migrations_take_the_latency_of_messages_by_default() {
    let workspace = workspace();
    workspace.write(
        "latency.yaml",
        format!("simulation: {{costs: {{object_latency: null, bandwidth: .inf, message_latency: {MESSAGE_LATENCY}}}}}\n"),
    );
    workspace.succeed(&["simulate", "run.yaml", "latency.yaml", "--set", "simulation.schedule={phases: 0}"]);
    let results = workspace.json("out/simulation.json");
    let balancing = &scenario(&results, "configured")["by_phase"][1]["balancing"];
    let mut of_ranks = [0.0; N_RANKS];
    let to = greedy(&LOADS[0]);
    for object in (0..N_OBJECTS).filter(|&object| RECORDED[0][object] != to[object]) {
        of_ranks[RECORDED[0][object]] += MESSAGE_LATENCY;
        of_ranks[to[object]] += MESSAGE_LATENCY;
    }
    assert_same(&balancing["migration_seconds"], &json!(most(of_ranks)), "migration");
    assert_same(&balancing["strategy_seconds"], &json!(4.0 * MESSAGE_LATENCY), "strategy");
}

/// Placements that do not depend on loads need no messages.
/// A tree over three ranks has a single group, so only messages within this group are sent.
#[test]
fn protocols_differ_by_strategy() {
    let workspace = workspace();
    let exchanged = |strategy: &str| {
        let strategy = format!("algorithm.name={strategy}");
        let once = "simulation.schedule={phases: 0}";
        workspace.succeed(&["simulate", "run.yaml", "--set", &strategy, "--set", once]);
        let results = workspace.json("out/simulation.json");
        let run = scenario(&results, "configured");
        (run["n_messages"].as_u64(), run["message_bytes"].as_f64(), run["strategy_seconds"].as_f64())
    };
    assert_eq!(exchanged("RotateLB"), (Some(0), Some(0.0), Some(0.0)));
    assert_eq!(exchanged("RandomLB"), (Some(0), Some(0.0), Some(0.0)));
    // Two ranks offer five objects, whose records go up and down the tree, in two steps each.
    let bytes = 2.0 * 16.0 * 5.0;
    let seconds = 4.0 * MESSAGE_LATENCY + bytes / BANDWIDTH;
    assert_eq!(exchanged("HierarchicalLB"), (Some(4), Some(bytes), Some(seconds)));
    let (messages, bytes, seconds) = exchanged("TemperedLB");
    assert_eq!((bytes, seconds), (Some(0.0), messages.map(|n| n as f64 / 3.0 * MESSAGE_LATENCY)));
    assert!(messages > Some(0));
}
