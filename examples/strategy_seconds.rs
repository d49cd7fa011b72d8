// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds that strategies take by themselves, on more ranks than packed ids have room for:
//! `strategy_seconds N_RANKS N_OBJECTS STRATEGY...` prints a line for each strategy, with the imbalance that it ends
//! at. Loads are uniform, and low ranks start with more objects than high ones. `scripts/bench.sh` judges the seconds.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::time::Instant;

use lbaf_model::{
    Assignment, CommGraph, LoadOnly, NodeId, ObjectIdx, ObjectMemory, Objects, Phase, PhaseColumns, PhaseId,
    Rank, RankId, Statistics,
};
use lbaf_strategies::{Context, NoObserver, Problem, StrategyName};
use serde::de::DeserializeSeed;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse::<usize>().ok());
    let (Some(n_ranks @ 1..), Some(n_objects)) = (number(), number()) else {
        panic!("usage: strategy_seconds N_RANKS N_OBJECTS STRATEGY...");
    };
    let phase = phase(n_ranks, n_objects);
    let initial = phase.recorded_assignment();
    let problem = Problem { phase: &phase, initial, model: &LoadOnly::default(), keys: &[] };
    for name in arguments {
        let name: StrategyName = name.parse().expect("the name of a strategy");
        let defaults = serde_json::json!({});
        let strategy = name.deserialize(defaults).expect("a strategy that needs no parameters").build();
        let begin = Instant::now();
        let outcome = strategy.rebalance(&problem, &mut Context::new(0, 0, &mut NoObserver));
        let seconds = begin.elapsed().as_secs_f64();
        let mut loads = vec![0.0; n_ranks];
        let assignment = outcome.expect("nothing to refuse").assignment;
        for slot in phase.slots() {
            loads[assignment.rank_of(slot).index()] += phase.load(slot);
        }
        println!("{name} {seconds:.3} {}", Statistics::of(loads).imbalance());
    }
}

/// Objects without communication, from a generator of its own so that no library changes them.
fn phase(n_ranks: usize, n_objects: usize) -> Phase {
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * n as u64) >> 31) as usize
    };
    let load = (0..n_objects).map(|_| 0.1 + 0.9 * next(1 << 30) as f64 / f64::from(1 << 30)).collect();
    let recorded = (0..n_objects).map(|_| next(n_ranks).min(next(n_ranks))).map(RankId::from).collect();
    let rank = |rank: usize| Rank { alpha: 1.0, node: NodeId::from(rank), working_bytes: 0.0 };
    let columns = PhaseColumns {
        objects: (0..n_objects).map(ObjectIdx::from).collect::<Objects>(),
        load,
        memory: vec![ObjectMemory::default(); n_objects].into_iter().collect(),
        migratable: vec![true; n_objects],
        recorded: Assignment::new(recorded),
        ranks: (0..n_ranks).map(rank).collect(),
        blocks: Vec::new(),
        communication: CommGraph::new(n_objects, n_ranks, &[]),
    };
    Phase::new(PhaseId(0), columns).expect("a valid phase")
}
