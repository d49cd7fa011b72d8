// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic results for tests: two ranks with 6 s of load.

use lbaf_model::Limit;
use serde_json::json;

use super::bounds::Bound;
use crate::summary::{self, BeforeAfter, Migrations, Moments, Named, PhaseResult, Snapshot, Start, Summary};

/// Returns the moments over two ranks of a quantity with this maximum and sum.
fn moments(max: f64, sum: f64) -> Moments {
    let (min, mean) = (sum - max, sum / 2.0);
    let imbalance = if mean > 0.0 { max / mean - 1.0 } else { 0.0 };
    Moments { sum, min, mean, max, imbalance, deviation: max - mean, skewness: 0.0, kurtosis: 1.0 }
}

/// Returns a snapshot of two ranks with 6 s of load in total.
fn snapshot(max_load: f64, sent_bytes: f64) -> Snapshot {
    Snapshot {
        load: moments(max_load, 6.0),
        work: moments(max_load, 6.0),
        memory: moments(0.0, 0.0),
        sent_volume: moments(sent_bytes, sent_bytes),
        received_volume: moments(sent_bytes, sent_bytes),
        homing: moments(0.0, 0.0),
        num_objects: moments(4.0, 6.0),
        n_ranks_over_bounds: 0,
        largest_excess: 0.0,
    }
}

/// Returns the result of a phase from the maximum loads before and after balancing, and the number of migrations.
pub fn phase(phase: u64, (before, after): (f64, f64), n_migrations: usize) -> PhaseResult {
    PhaseResult {
        phase,
        digest: "of two ranks".to_owned(),
        strategy: Some("Greedy".to_owned()),
        n_objects: 6,
        n_migratable: 6,
        n_edges: 2,
        start: Start::Recorded,
        already_balanced: false,
        before: snapshot(before, 1e6),
        after: snapshot(after, 2.5e6),
        lower_bound: Bound {
            work: 3.0,
            limit: Limit::Mean,
            rank: None,
            object: None,
            n_objects: None,
            load: None,
            partner: None,
            block: None,
            load_imbalance: 0.0,
            max_load: 3.0,
            load_limit: Limit::Mean,
        },
        restricted_bound: None,
        lower_bounds: Vec::new(),
        infeasibility: None,
        ideal_work: 3.0,
        migrations: Migrations { count: n_migrations, load: 1.0, bytes: 512.0 * n_migrations as f64 },
        iterations: Vec::new(),
        best_iteration: 0,
        front: Vec::new(),
        proven: None,
        infeasible: false,
        violations: Vec::new(),
        rank_loads: BeforeAfter { before: Vec::new(), after: Vec::new() },
        subphases: None,
    }
}

/// Returns the summary of a run of these phases.
pub fn summary(phases: Vec<PhaseResult>) -> Summary {
    let named = |name: &str| Named { name: name.to_owned(), label: None, parameters: json!({}) };
    Summary {
        schema: summary::SCHEMA.to_owned(),
        version: summary::VERSION,
        lbaf: String::new(),
        configuration: lbaf_config::Invocation { files: Vec::new(), overrides: Vec::new() },
        input: summary::Input {
            stem: "data".to_owned(),
            suffix: None,
            n_ranks: 2,
            n_objects: 6,
            phases_read: Vec::new(),
            document_bytes: 0,
            communications: summary::Communications::default(),
        },
        work_model: named("LoadOnly"),
        strategy: named("Greedy"),
        balancers: Vec::new(),
        denoise: None,
        seed: 0,
        phases,
        plots: None,
        sentences: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
        files: std::collections::BTreeMap::new(),
    }
}
