// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sampled data sets match their specification.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

use std::collections::{BTreeMap, BTreeSet};

use lbaf_synth::{SampledSpec, populate, sample};
use lbaf_vom::record::{DataFile, Entity, Task};
use lbaf_vom::{home_of_packed_id, print, sequence_of_packed_id};
use serde_json::{Value, json};

/// A specification with most features, changed by `changes`.
fn spec(changes: &Value) -> SampledSpec {
    let mut spec = json!({
        "n_ranks": 6,
        "n_objects": 120,
        "n_mapped_ranks": 4,
        "communication_degree": 3,
        "load_sampler": { "name": "lognormal", "parameters": [2.0, 1.0] },
        "volume_sampler": { "name": "uniform", "parameters": [100.0, 300.0] },
        "n_phases": 3,
        "drift": 0.2,
        "ranks_per_node": 4,
        "n_sentinels_per_rank": 2,
        "sentinel_load_sampler": { "name": "uniform", "parameters": [0.01, 0.02] },
        "shared_blocks": { "n_blocks": 6, "size_bytes": { "name": "uniform", "parameters": [10.0, 20.0] } },
        "task_footprint_bytes": 1024,
        "rank_working_bytes": 5000,
    });
    for (key, value) in changes.as_object().unwrap() {
        spec[key] = value.clone();
    }
    serde_json::from_value(spec).unwrap()
}

fn files(changes: &Value, seed: u64) -> Vec<DataFile> {
    sample(&spec(changes), seed).unwrap()
}

/// Returns the tasks of a phase on all ranks.
fn tasks(files: &[DataFile], phase: usize) -> impl Iterator<Item = &Task> {
    files.iter().flat_map(move |file| &file.phases[phase].tasks)
}

fn is_migratable(task: &Task) -> bool {
    task.entity.migratable == Some(true)
}

/// Returns the position of an object in its collection.
fn index(entity: &Entity) -> usize {
    usize::try_from(entity.index.as_ref().unwrap()[0]).unwrap()
}

/// Returns the loads of the migratable objects in the order of their indices.
fn loads(files: &[DataFile], phase: usize) -> Vec<f64> {
    let by_index: BTreeMap<usize, f64> = tasks(files, phase)
        .filter(|task| is_migratable(task))
        .map(|task| (index(&task.entity), task.time))
        .collect();
    by_index.into_values().collect()
}

fn printed(files: &[DataFile]) -> Vec<u8> {
    files.iter().flat_map(print).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_gives_other_bytes() {
    let nothing = json!({});
    assert_eq!(printed(&files(&nothing, 5)), printed(&files(&nothing, 5)));
    assert_ne!(printed(&files(&nothing, 5)), printed(&files(&nothing, 6)));
}

#[test]
fn files_do_not_depend_on_their_order_of_creation() {
    let population = populate(&spec(&json!({})), 5).unwrap();
    let mut backwards: Vec<DataFile> =
        (0..population.n_ranks()).rev().map(|rank| population.file(rank)).collect();
    backwards.reverse();
    assert_eq!(backwards, files(&json!({}), 5));
}

#[test]
fn one_setting_changes_only_its_own_part() {
    let before = files(&json!({}), 5);
    let after = files(
        &json!({ "communication_degree": 1, "n_mapped_ranks": 2, "n_phases": 2, "n_sentinels_per_rank": 0 }),
        5,
    );
    for phase in 0..2 {
        assert_eq!(loads(&before, phase), loads(&after, phase));
    }
}

#[test]
fn ids_are_unique_and_unpack_to_sequence_and_home() {
    let files = files(&json!({}), 5);
    let mut ids = BTreeSet::new();
    for (rank, file) in (0..).zip(&files) {
        assert_eq!(file.metadata.rank, rank);
        for task in &file.phases[0].tasks {
            let id = task.entity.id.unwrap();
            assert!(ids.insert(id), "{id} twice");
            assert_eq!(id & 3, if task.entity.migratable == Some(true) { 3 } else { 2 });
            assert_eq!(home_of_packed_id(id), Some(rank));
            assert_eq!((task.node, task.entity.home), (rank, Some(rank)));
            if is_migratable(task) {
                assert_eq!(sequence_of_packed_id(id), index(&task.entity) as u64 + 1);
            }
        }
    }
    assert_eq!(ids.len(), 120 + 2 * 6);
}

#[test]
fn objects_start_on_the_specified_number_of_ranks() {
    for (n_mapped, expected) in [(1, 1), (4, 4), (6, 6), (0, 6)] {
        for seed in 0..10 {
            let files = files(&json!({ "n_mapped_ranks": n_mapped, "n_objects": 600 }), seed);
            let used = files.iter().filter(|file| file.phases[0].tasks.iter().any(is_migratable));
            assert_eq!(used.count(), expected, "{n_mapped} mapped ranks, seed {seed}");
        }
    }
}

#[test]
fn start_ranks_are_equally_likely() {
    let n_objects = 60_000_u32;
    let files = files(
        &json!({
            "n_objects": n_objects, "n_mapped_ranks": 0, "n_phases": 1, "communication_degree": 0,
            "n_sentinels_per_rank": 0,
        }),
        11,
    );
    let mean = f64::from(n_objects) / 6.0;
    for file in &files {
        let error = file.phases[0].tasks.len() as f64 - mean;
        assert!(error.abs() < 5.0 * (mean * 5.0 / 6.0).sqrt(), "off by {error}");
    }
}

#[test]
fn degrees_are_binomial_and_receivers_distinct_others() {
    let n_objects = 20_000_u32;
    let files = files(&json!({ "n_objects": n_objects, "communication_degree": 3, "n_phases": 1 }), 3);
    let mut receivers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut n_received = vec![0_u32; n_objects as usize];
    for entry in files.iter().flat_map(|file| &file.phases[0].communications) {
        let (from, to) = (index(&entry.from), index(&entry.to));
        assert_ne!(from, to);
        assert!(receivers.entry(from).or_default().insert(to), "{from} -> {to} twice");
        n_received[to] += 1;
        assert!((100.0..=300.0).contains(&entry.bytes));
    }
    let degrees = (0..n_objects as usize).map(|from| receivers.get(&from).map_or(0, BTreeSet::len) as f64);
    let degrees: Vec<f64> = degrees.collect();
    let n = f64::from(n_objects);
    let mean = degrees.iter().sum::<f64>() / n;
    let variance = degrees.iter().map(|degree| (degree - 3.0).powi(2)).sum::<f64>() / n;
    // Six trials of one half: mean 3, variance 3/2, fourth central moment 3 * 1.5^2 - 2 * 1.5 / 4 = 6.
    assert!((mean - 3.0).abs() < 5.0 * (1.5 / n).sqrt(), "mean {mean}");
    assert!((variance - 1.5).abs() < 5.0 * ((6.0 - 2.25) / n).sqrt(), "variance {variance}");
    // Without preferred receivers, numbers of senders are close to Poisson with mean 3.
    let spread = n_received.iter().map(|&count| (f64::from(count) - 3.0).powi(2)).sum::<f64>() / n;
    assert!((spread - 3.0).abs() < 0.2, "{spread}");
}

#[test]
fn few_objects_limit_the_degree() {
    // Three objects have two trials, so the mean is 1 for any higher degree.
    let mut n_entries = 0;
    for seed in 0..2000 {
        let changes = json!({ "n_objects": 3, "communication_degree": 50, "n_phases": 1 });
        n_entries +=
            files(&changes, seed).iter().map(|file| file.phases[0].communications.len()).sum::<usize>();
    }
    // 6000 senders of variance 1/2.
    assert!((n_entries as f64 - 6000.0).abs() < 5.0 * 3000.0_f64.sqrt(), "{n_entries}");
    for n_objects in [0, 1] {
        let files = files(&json!({ "n_objects": n_objects }), 1);
        assert!(files.iter().all(|file| file.phases[0].communications.is_empty()));
    }
}

#[test]
fn senders_log_their_communications_in_every_phase() {
    let files = files(&json!({}), 5);
    for file in &files {
        assert_eq!(file.phases.len(), 3);
        for (id, phase) in (0..).zip(&file.phases) {
            assert_eq!(phase.id, id);
            assert_eq!(phase.communications, file.phases[0].communications);
            assert!(phase.communications.iter().all(|entry| entry.from.home == Some(file.metadata.rank)));
        }
    }
}

#[test]
fn without_drift_loads_stay() {
    let files = files(&json!({ "drift": 0 }), 5);
    assert_eq!(loads(&files, 0), loads(&files, 2));
}

#[test]
fn drift_keeps_the_mean_and_has_the_specified_spread() {
    let (n_objects, drift) = (50_000_u32, 0.3_f64);
    let files = files(
        &json!({ "n_objects": n_objects, "drift": drift, "n_phases": 5, "communication_degree": 0 }),
        21,
    );
    let n = f64::from(n_objects);
    let first = loads(&files, 0);
    for phase in [1, 4] {
        let logs = loads(&files, phase).into_iter().zip(&first).map(|(load, first)| (load / first).ln());
        let logs: Vec<f64> = logs.collect();
        // After p steps the logarithm of the ratio is normal with mean -p d^2 / 2 and variance p d^2, so the ratio has
        // mean 1 and variance exp(p d^2) - 1.
        let variance = phase as f64 * drift * drift;
        let mean_log = logs.iter().sum::<f64>() / n;
        let spread = logs.iter().map(|log| (log + variance / 2.0).powi(2)).sum::<f64>() / n;
        let mean_ratio = logs.iter().map(|log| log.exp()).sum::<f64>() / n;
        assert!((mean_log + variance / 2.0).abs() < 5.0 * (variance / n).sqrt());
        assert!((spread - variance).abs() < 5.0 * variance * (2.0 / n).sqrt());
        assert!((mean_ratio - 1.0).abs() < 5.0 * (variance.exp_m1() / n).sqrt());
    }
}

/// Returns the indices of objects whose load in a phase differs from the load without patterns, by `factor`.
#[track_caller]
fn multiplied(plain: &[DataFile], changed: &[DataFile], phase: usize, factor: f64) -> BTreeSet<usize> {
    let pairs = loads(plain, phase).into_iter().zip(loads(changed, phase)).enumerate();
    let different = pairs.filter(|(_, (before, after))| before != after);
    different
        .map(|(object, (before, after))| {
            assert_eq!(after, before * factor, "object {object} in phase {phase}");
            object
        })
        .collect()
}

#[test]
fn a_hot_spot_of_objects_moves_along_their_indices() {
    let plain = files(&json!({ "n_phases": 6 }), 5);
    let spot = json!({ "factor": 8, "width": 0.25, "speed": 0.5, "across": "objects" });
    let hot = files(&json!({ "n_phases": 6, "hot_spot": spot }), 5);
    for phase in 0..6 {
        // 30 of 120 objects, alternating between the first and the third quarter.
        let first = if phase % 2 == 0 { 0 } else { 60 };
        assert_eq!(multiplied(&plain, &hot, phase, 8.0), (first..first + 30).collect());
    }
}

#[test]
fn a_hot_spot_of_ranks_covers_all_objects_that_start_there() {
    let plain = files(&json!({ "n_phases": 5 }), 5);
    let spot = json!({ "factor": 0.5, "width": 0.5, "speed": 0.25 });
    let hot = files(&json!({ "n_phases": 5, "hot_spot": spot }), 5);
    let objects_of = |file: &DataFile| -> BTreeSet<usize> {
        let migratable = file.phases[0].tasks.iter().filter(|task| is_migratable(task));
        migratable.map(|task| index(&task.entity)).collect()
    };
    // Objects start on four of six ranks; the spot covers two of them and moves by one.
    let places: Vec<BTreeSet<usize>> = plain.iter().map(objects_of).filter(|set| !set.is_empty()).collect();
    assert_eq!(places.len(), 4);
    for phase in 0..5 {
        let expected = places[phase % 4].union(&places[(phase + 1) % 4]).copied().collect();
        assert_eq!(multiplied(&plain, &hot, phase, 0.5), expected, "phase {phase}");
    }
}

#[test]
fn a_wave_refines_the_zone_after_its_front() {
    let n_phases = 13_usize;
    let plain = files(&json!({ "n_phases": n_phases }), 5);
    // 120 objects and a zone of 24 make 144 positions: 12 in each phase of the period.
    let wave = json!({ "factor": 4, "width": 0.2, "period": 12, "across": "objects" });
    let refined = files(&json!({ "n_phases": n_phases, "wave": wave }), 5);
    for phase in 0..n_phases {
        let front = 12 * (phase % 12);
        let expected = (front.saturating_sub(24)..front.min(120)).collect();
        assert_eq!(multiplied(&plain, &refined, phase, 4.0), expected, "phase {phase}");
    }
}

#[test]
fn patterns_multiply_each_other_and_leave_sentinels_alone() {
    let both = json!({
        "drift": 0,
        "hot_spot": { "factor": 2, "width": 1 },
        "wave": { "factor": 4, "width": 1, "period": 2, "across": "objects" },
    });
    let (plain, both) = (files(&json!({ "drift": 0 }), 5), files(&both, 5));
    assert_eq!(multiplied(&plain, &both, 0, 2.0).len(), 120);
    assert_eq!(multiplied(&plain, &both, 1, 8.0).len(), 120);
    let sentinels = |files: &[DataFile]| -> Vec<f64> {
        tasks(files, 1).filter(|task| !is_migratable(task)).map(|task| task.time).collect()
    };
    assert_eq!(sentinels(&plain), sentinels(&both));
}

#[test]
fn objects_use_blocks_at_home_on_their_start_rank() {
    let files = files(&json!({}), 5);
    let mut blocks = BTreeMap::new();
    for task in tasks(&files, 0).filter(|task| is_migratable(task)) {
        let facts = task.user_defined.as_ref().unwrap();
        assert_eq!(facts.home_rank, Some(task.node));
        let size = facts.shared_bytes.unwrap();
        assert!((10.0..=20.0).contains(&size));
        let block = blocks.entry(facts.shared_id.unwrap()).or_insert((task.node, size));
        assert_eq!(*block, (task.node, size), "a block has one home and one size");
        assert_eq!(facts.task_footprint_bytes, Some(1024.0));
        assert_eq!(facts.task_working_bytes, None);
    }
    // About thirty objects per rank use all its blocks: six blocks on four ranks are 2 + 2 + 1 + 1.
    assert_eq!(blocks.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let homes: Vec<u32> = blocks.values().map(|&(home, _)| home).collect();
    assert_eq!((homes[0], homes[1]), (homes[4], homes[5]));
    assert_eq!(homes.iter().collect::<BTreeSet<_>>().len(), 4);
}

#[test]
fn ranks_without_blocks_have_objects_without_blocks() {
    let files = files(&json!({ "shared_blocks": { "n_blocks": 3, "size_bytes": 64 } }), 5);
    let by_rank = |file: &DataFile| -> BTreeSet<Option<u64>> {
        let migratable = file.phases[0].tasks.iter().filter(|task| is_migratable(task));
        migratable.map(|task| task.user_defined.as_ref().unwrap().shared_id).collect()
    };
    let used: BTreeSet<_> = files.iter().map(by_rank).filter(|ids| !ids.is_empty()).collect();
    let expected = [None, Some(0), Some(1), Some(2)].map(|id| BTreeSet::from([id]));
    assert_eq!(used, BTreeSet::from(expected));
}

#[test]
fn every_rank_has_its_sentinels() {
    let files = files(&json!({}), 5);
    for file in &files {
        for phase in &file.phases {
            let sentinels: Vec<&Task> = phase.tasks.iter().filter(|task| !is_migratable(task)).collect();
            assert_eq!(sentinels.len(), 2);
            let facts = sentinels[0].user_defined.as_ref().unwrap();
            assert_eq!((facts.rank_working_bytes, facts.task_footprint_bytes), (Some(5000.0), None));
        }
        let first = file.phases[0].tasks.iter().filter(|task| !is_migratable(task));
        assert!(first.into_iter().all(|task| (0.01..=0.02).contains(&task.time)));
    }
}

#[test]
fn printed_files_parse_to_the_records() {
    for file in files(&json!({}), 5) {
        let parsed: Value = serde_json::from_slice(&print(&file)).unwrap();
        assert_eq!(parsed, serde_json::to_value(&file).unwrap());
    }
}

#[test]
fn invalid_specifications_give_no_data_set() {
    let error = sample(&spec(&json!({ "n_mapped_ranks": 7 })), 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`n_mapped_ranks` is 7, but objects cannot start on more than `n_ranks` ranks"
    );
}

/// New versions of random number crates must not change the data of seed 42.
#[test]
fn golden_numbers_of_seed_42() {
    let exact = json!({ "load_sampler": { "name": "uniform", "parameters": [0.0, 1.0] } });
    let files = files(&exact, 42);
    // A program without these crates derived the same three numbers from the definition of ChaCha.
    assert_eq!(
        loads(&files, 0)[..3],
        [0.304_993_381_770_214, 0.676_459_124_148_925_2, 0.333_826_841_182_400_2]
    );
    let n_tasks: Vec<usize> = files.iter().map(|file| file.phases[0].tasks.len()).collect();
    assert_eq!(n_tasks, [32, 2, 35, 2, 28, 33]);
    let entries = files.iter().flat_map(|file| &file.phases[0].communications);
    let first = entries.min_by_key(|entry| (index(&entry.from), index(&entry.to))).unwrap();
    assert_eq!((index(&first.from), index(&first.to)), (0, 30));
    assert_eq!(first.bytes, 148.880_902_151_271_78);
    let users = tasks(&files, 0).filter(|task| is_migratable(task)).take(4);
    let blocks: Vec<_> = users.map(|task| task.user_defined.as_ref().unwrap().shared_id).collect();
    assert_eq!(blocks, [Some(4), Some(0), Some(4), Some(0)]);
    // Another version of the exponential function may change the last digits.
    let drifted = &loads(&self::files(&json!({}), 42), 1)[..3];
    for (found, golden) in
        drifted.iter().zip([1.238_999_042_610_690_3, 2.355_687_705_977_467_7, 1.875_602_594_680_122])
    {
        assert!((found / golden - 1.0).abs() < 1e-14, "{found:?}, not {golden:?}");
    }
}

/// 10 x 12 objects have 9 x 12 + 10 x 11 pairs of neighbours. The first 30 objects start on the first of four ranks.
#[test]
fn objects_of_a_grid_send_to_neighbours_and_start_in_equal_parts() {
    let files = files(&json!({ "grid": [10, 12], "communication_degree": 0 }), 3);
    let place = |entity: &Entity| entity.index.clone().unwrap();
    let sent = files.iter().flat_map(|file| &file.phases[2].communications);
    let pairs: BTreeSet<_> = sent.clone().map(|entry| (place(&entry.from), place(&entry.to))).collect();
    for (from, to) in &pairs {
        assert_eq!(from.iter().zip(to).map(|(a, b)| a.abs_diff(*b)).sum::<u64>(), 1, "{from:?} {to:?}");
    }
    assert_eq!((pairs.len(), sent.count()), (2 * (9 * 12 + 10 * 11), 2 * (9 * 12 + 10 * 11)));
    let by_rank = files.iter().map(|file| {
        let movable = file.phases[0].tasks.iter().filter(|task| is_migratable(task));
        movable.map(|task| place(&task.entity)).collect::<Vec<_>>()
    });
    let pieces: Vec<_> = by_rank.filter(|places| !places.is_empty()).collect();
    assert_eq!(pieces.iter().map(Vec::len).collect::<Vec<_>>(), [30; 4]);
    let all: Vec<Vec<i64>> = (0..120).map(|at| vec![at / 12, at % 12]).collect();
    assert_eq!(pieces.concat(), all);
    // Without a `volume_sampler` there is no communication.
    let mut silent = spec(&json!({ "grid": [120], "communication_degree": 0 }));
    silent.volume_sampler = None;
    assert!(sample(&silent, 3).unwrap().iter().all(|file| file.phases[0].communications.is_empty()));
}

/// The objects of four ranks record the working memory of their rank, the metadata that of the other two.
#[test]
fn metadata_state_the_memory_of_ranks_without_objects() {
    let stated = json!({"lbaf": {"rank_working_bytes": [{"bytes": 5000.0, "phases": {"list": [], "range": [[0, 2]]}}]}});
    let files = files(&json!({ "n_sentinels_per_rank": 0 }), 5);
    for file in &files {
        let attributes = file.metadata.attributes.clone().map(Value::Object);
        assert_eq!(attributes, file.phases[0].tasks.is_empty().then(|| stated.clone()));
    }
    assert_eq!(files.iter().filter(|file| file.phases[0].tasks.is_empty()).count(), 2);
}
