// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contract of all strategies on random phases with odd properties, under several work models.

use std::collections::BTreeMap;
use std::time::Instant;

use lbaf_model::{
    Affine, AffineParameters, Ccm, CcmParameters, LoadOnly, OnRankVolume, WorkModel, check_work,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::cases;
use crate::contract::{checked, impossible, strategies};
use crate::made_phase::{Made, Object, memory};

/// Draws distributions of multiples of up to three units, most of which are extreme.
fn amounts() -> impl Strategy<Value = BoxedStrategy<f64>> {
    let units = vec![0.0, 5e-324, 1e-310, 1e-300, 1e-9, 0.1, 1.0, 1.0 / 3.0, 1e6, 1e150, 1e299];
    vec(select(units), 1..4)
        .prop_map(|units| (select(units), 0..8_u32).prop_map(|(unit, n)| unit * f64::from(n)).boxed())
}

fn odd_phase() -> impl Strategy<Value = Made> {
    let alphas = vec(select(vec![1.0, 1.0, 1.0, 1.0, 0.5, 2.0, 0.0, 1e-300, 1e3]), 1..9);
    let sizes = (0..30_usize, select(vec![0, 0, 20, 255_u8]), 0..5_usize, select(vec![0, 0, 30, 100_usize]));
    let numbers = (amounts(), amounts(), amounts());
    (alphas, sizes, numbers, any::<bool>()).prop_flat_map(
        |(alphas, (n, stays, n_blocks, n_edges), (loads, bytes, volumes), to_itself)| {
            let n_ranks = alphas.len() as u32;
            let object = (loads, bytes.clone(), any::<u8>(), 0..n_ranks, 0..=n_blocks as u32).prop_map(
                move |(load, footprint_bytes, chance, rank, block)| Object {
                    load,
                    rank,
                    migratable: chance >= stays,
                    footprint_bytes,
                    block: (block < n_blocks as u32).then_some(block),
                },
            );
            let n_edges = if n == 0 { 0 } else { n_edges };
            let last = n.max(1) as u32;
            let edge = (0..last, 0..last, volumes)
                .prop_map(move |(from, to, bytes)| (from, if to_itself { from } else { to }, bytes));
            (vec(object, n), vec(bytes, n_blocks), vec(edge, n_edges), 1..4_u32).prop_map(
                move |(objects, block_bytes, edges, ranks_per_node)| Made {
                    alphas: alphas.clone(),
                    ranks_per_node,
                    objects,
                    block_bytes,
                    edges,
                    ..Made::default()
                },
            )
        },
    )
}

fn models() -> Vec<Box<dyn WorkModel>> {
    let affine = AffineParameters { beta: 1e-3, gamma: 0.1, delta: 0.3, ..AffineParameters::default() };
    let ccm = CcmParameters {
        alpha: 0.7,
        beta: 0.3,
        gamma: 1e-6,
        delta: 1e-9,
        on_rank_volume: OnRankVolume::Vt,
        ..CcmParameters::default()
    };
    vec![
        Box::new(LoadOnly::default()),
        Box::new(Affine::new(affine).unwrap()),
        Box::new(Ccm::new(ccm).unwrap()),
        Box::new(memory(5.0)),
        Box::new(impossible()),
    ]
}

/// Numbers of completed runs and of refused pairs of phase and model, and seconds of the longest run of each
/// strategy.
#[derive(Default)]
struct Counts {
    n_runs: usize,
    n_refused: usize,
    longest: BTreeMap<String, f64>,
}

impl Counts {
    fn add(&mut self, made: &Made) {
        let phase = made.phase();
        for model in models() {
            if check_work(&phase, &*model).is_err() {
                self.n_refused += 1;
                continue;
            }
            for config in strategies(made) {
                let began = Instant::now();
                checked(made, &config, &*model, &format!("{} and {made:?}", model.name()));
                let seconds = self.longest.entry(config.name().to_string()).or_default();
                *seconds = seconds.max(began.elapsed().as_secs_f64());
                self.n_runs += 1;
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn every_strategy_places_odd_phases(made in odd_phase()) {
        Counts::default().add(&made);
    }
}

/// Takes minutes.
#[test]
#[ignore = "long: scripts/long.sh odd-phases"]
#[expect(clippy::print_stdout, reason = "the counts are read when the test is run by hand")]
fn every_strategy_places_two_thousand_odd_phases() {
    let mut runner = TestRunner::deterministic();
    let mut counts = Counts::default();
    for _ in 0..2000 {
        counts.add(&odd_phase().new_tree(&mut runner).unwrap().current());
    }
    let Counts { n_runs, n_refused, longest } = counts;
    println!("2000 odd phases: {n_runs} runs, and {n_refused} pairs of a phase and a model refused");
    let mut longest: Vec<(String, f64)> = longest.into_iter().collect();
    longest.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("the longest runs in seconds: {:.2?}", &longest[..5]);
}
