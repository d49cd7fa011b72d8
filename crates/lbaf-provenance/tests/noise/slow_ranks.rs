// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slow ranks and nodes that are found, and healthy ones that are accused, on runs of which the truth is known.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lbaf_provenance::{Labelling, Slowness, Tolerance};
use rayon::prelude::*;

use crate::ground_truth::{Migration, Run, Slow, Sort};

const MIGRATIONS: [Migration; 5] = [
    Migration::EachPhase(0),
    Migration::EachPhase(1),
    Migration::EachPhase(5),
    Migration::EachPhase(20),
    Migration::AllAtOnce,
];
const NOISE_PERCENT: [u32; 3] = [5, 15, 30];
const FACTORS: [f64; 4] = [1.1, 1.2, 1.3, 2.0];

/// Runs of each sort. Seeds of those by which the estimate was chosen and of those that are reported are apart.
const N_RUNS: u64 = 200;
const FIRST_SEED_OF_TUNING: u64 = 0;
const FIRST_SEED_OF_REPORT: u64 = 1_000_000_000;

/// Findings on the runs of a sort.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    n_slow: usize,
    n_found: usize,
    n_healthy: usize,
    n_accused: usize,
    n_runs: usize,
    /// Runs in which a host without a slow rank is excluded.
    n_runs_host_accused: usize,
    /// Runs in which a host with a slow rank is excluded.
    n_runs_host_found: usize,
}

impl Cell {
    fn of(sort: Sort, first_seed: u64, n_runs: u64) -> Self {
        let cells =
            (first_seed..first_seed + n_runs).into_par_iter().map(|seed| Cell::of_run(&sort.run(seed)));
        cells.reduce(Cell::default, Cell::plus)
    }

    fn of_run(run: &Run) -> Self {
        let labels = Labelling::default().label(&run.data, &BTreeMap::new());
        let slowness = Slowness::of(&labels, Tolerance::default());
        let mut cell = Cell { n_runs: 1, ..Cell::default() };
        for (rank, &is_slow) in slowness.ranks.iter().zip(&run.is_slow) {
            cell.n_slow += usize::from(is_slow);
            cell.n_found += usize::from(is_slow && rank.is_slow);
            cell.n_healthy += usize::from(!is_slow);
            cell.n_accused += usize::from(!is_slow && rank.is_slow);
        }
        let has_slow = |node| {
            let mut ranks = slowness.ranks.iter().zip(&run.is_slow);
            ranks.any(|(rank, &is_slow)| rank.node == node && is_slow)
        };
        cell.n_runs_host_accused = usize::from(slowness.slow_nodes().any(|node| !has_slow(node)));
        cell.n_runs_host_found = usize::from(slowness.slow_nodes().any(has_slow));
        cell
    }

    fn plus(self, other: Self) -> Self {
        Cell {
            n_slow: self.n_slow + other.n_slow,
            n_found: self.n_found + other.n_found,
            n_healthy: self.n_healthy + other.n_healthy,
            n_accused: self.n_accused + other.n_accused,
            n_runs: self.n_runs + other.n_runs,
            n_runs_host_accused: self.n_runs_host_accused + other.n_runs_host_accused,
            n_runs_host_found: self.n_runs_host_found + other.n_runs_host_found,
        }
    }
}

fn percent(n: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * n as f64 / of.max(1) as f64)
}

/// All sorts, in the order of the table; each with the first of its seeds.
fn sorts(first_seed: u64) -> Vec<(Sort, u64)> {
    let mut sorts = Vec::new();
    for migration in MIGRATIONS {
        for noise_percent in NOISE_PERCENT {
            let slow = FACTORS.iter().flat_map(|&factor| [Slow::Rank(factor), Slow::Node(factor)]);
            for slow in [Slow::Nothing].into_iter().chain(slow) {
                let seed = first_seed + 1000 * sorts.len() as u64;
                sorts.push((Sort { slow, migration, noise_percent }, seed));
            }
        }
    }
    sorts
}

/// A row for each migration and noise: of healthy runs those in which a host is accused, then of each factor the slow ranks
/// that were found, in runs with a slow rank and with a slow node.
fn table(first_seed: u64, n_runs: u64) -> String {
    let mut text = String::from("| migration | noise | healthy |");
    for factor in FACTORS {
        write!(text, " rank {factor:.1} | node {factor:.1} |").expect("memory");
    }
    text += "\n|--|--|--|";
    text += &"--|".repeat(2 * FACTORS.len());
    for (sort, seed) in sorts(first_seed) {
        let cell = Cell::of(sort, seed, n_runs);
        if sort.slow == Slow::Nothing {
            write!(text, "\n| {} | {} % |", sort.migration, sort.noise_percent).expect("memory");
            write!(text, " {} |", percent(cell.n_runs_host_accused, cell.n_runs)).expect("memory");
        } else {
            let found = percent(cell.n_found, cell.n_slow);
            write!(text, " {found}, {} |", cell.n_runs_host_accused).expect("memory");
        }
    }
    text + "\n"
}

#[test]
#[ignore = "long: 27,000 runs"]
fn table_of_tuning() {
    let n_runs = std::env::var("N_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(N_RUNS);
    println!("{}", table(FIRST_SEED_OF_TUNING, n_runs));
}

#[test]
#[ignore = "long: 27,000 runs"]
fn table_of_report() {
    println!("{}", table(FIRST_SEED_OF_REPORT, N_RUNS));
}
