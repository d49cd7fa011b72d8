// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time to label 100,000 objects in 100 phases with each detector. Prints seconds, and the largest resident size so
//! far if the system reports it.
//!
//! `cargo run --release -p lbaf-noise --example label_seconds`
#![allow(clippy::print_stdout, reason = "an example that prints its results")]

use std::collections::BTreeMap;
use std::time::Instant;

use lbaf_model::{DataSet, ObjectKey, Phase, PhaseId};
use lbaf_noise::{Algorithm, AnomalySummary, Decomposition, Detector, Guards, Labelling};
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
            let overall = AnomalySummary::of(&labels).overall;
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

/// Loads that vary by up to 5 %; one task in 10,000 takes ten times as long.
fn data() -> DataSet {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let keys = (0..N_OBJECTS as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |id: u64| {
        let mut load = |_| {
            let jitter = 0.01 * (1.0 + 0.05 * random.random_range(-1.0..1.0));
            if random.random_range(0..10_000) == 0 { jitter * 10.0 } else { jitter }
        };
        let objects = (0..N_OBJECTS as u32).map(|object| (load(object), object % N_RANKS));
        let phase = Phase::builder(N_RANKS as usize).id(PhaseId(id)).ranks_per_node(4).objects(objects);
        phase.build().expect("a valid phase")
    };
    DataSet::new(keys, N_RANKS as usize, (0..N_PHASES).map(phase).collect())
}

/// Returns the largest resident size so far.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(String::new, |size| format!("; largest resident size so far {}", size.trim()))
}
