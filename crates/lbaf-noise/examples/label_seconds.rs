// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long labelling takes: 100,000 objects in 100 phases, with each detector. Prints seconds, and the largest resident
//! size so far where the system tells.
//!
//! `cargo run --release -p lbaf-noise --example label_seconds`
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::collections::BTreeMap;
use std::time::Instant;

use lbaf_model::{
    Assignment, CommGraph, DataSet, NodeId, ObjectKey, ObjectMemory, Objects, Phase, PhaseColumns, PhaseId,
    Rank, RankId,
};
use lbaf_noise::{Algorithm, Decomposition, Detector, Guards, Labelling, Summary};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const N_OBJECTS: usize = 100_000;
const N_PHASES: u64 = 100;
const N_RANKS: u32 = 100;

fn main() {
    let data = data();
    for name in Algorithm::NAMES {
        for (guards, with) in [(Guards::default(), "with guards"), (Guards::NONE, "without guards")] {
            let algorithm = Algorithm::from_name(name).unwrap_or_default();
            let labelling = Labelling { detector: Detector { algorithm, guards }, ..Labelling::default() };
            let began = Instant::now();
            let labels = labelling.label(&data, &BTreeMap::new());
            let labelled = began.elapsed().as_secs_f64();
            let overall = Summary::of(&labels).overall;
            let parts = Decomposition::of(&labels).overall();
            let all = began.elapsed().as_secs_f64();
            println!(
                "{name} {with}: {labelled:.2} s to label {} tasks, {} of them anomalies; {all:.2} s with summary and \
                 decomposition (noise {:.4}){}",
                overall.n_tasks,
                overall.n_anomalies,
                parts.noise,
                resident()
            );
        }
    }
}

/// Loads that vary by up to 5 %, and one task in 10,000 that takes ten times as long.
fn data() -> DataSet {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let keys = (0..N_OBJECTS as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |id: u64| {
        let mut load = |_| {
            let jitter = 0.01 * (1.0 + 0.05 * random.random_range(-1.0..1.0));
            if random.random_range(0..10_000) == 0 { jitter * 10.0 } else { jitter }
        };
        let columns = PhaseColumns {
            objects: Objects::All(N_OBJECTS),
            load: (0..N_OBJECTS).map(&mut load).collect(),
            memory: std::iter::repeat_n(ObjectMemory::default(), N_OBJECTS).collect(),
            migratable: vec![true; N_OBJECTS],
            recorded: Assignment::new((0..N_OBJECTS as u32).map(|object| RankId(object % N_RANKS)).collect()),
            ranks: (0..N_RANKS)
                .map(|rank| Rank { alpha: 1.0, node: NodeId(rank / 4), working_bytes: 0.0 })
                .collect(),
            blocks: Vec::new(),
            communication: CommGraph::new(N_OBJECTS, N_RANKS as usize, &[]),
        };
        Phase::new(PhaseId(id), columns).expect("numbers that are fine")
    };
    DataSet::new(keys, N_RANKS as usize, (0..N_PHASES).map(phase).collect())
}

/// The largest resident size so far.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(String::new, |size| format!("; {} at most", size.trim()))
}
