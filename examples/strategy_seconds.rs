// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds that strategies take by themselves, on more ranks than packed ids have room for:
//! `strategy_seconds N_RANKS N_OBJECTS N_EDGES STRATEGY...` prints a line for each strategy, with the imbalance of load
//! that it ends at. Loads are uniform, and low ranks start with more objects than high ones; edges, if there are any,
//! go to objects nearby, and cost something. `scripts/bench.sh` judges the seconds.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::time::Instant;

use lbaf_model::{
    Affine, AffineParameters, Assignment, CommGraph, Communication, LoadOnly, NodeId, ObjectIdx, ObjectKey,
    ObjectMemory, Objects, Phase, PhaseColumns, PhaseId, Rank, RankId, Slot, Statistics, Vertex, Volume,
    WorkModel,
};
use lbaf_strategies::{Context, NoObserver, Problem, StrategyName};
use serde::de::DeserializeSeed;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse::<usize>().ok());
    let (Some(n_ranks @ 1..), Some(n_objects), Some(n_edges)) = (number(), number(), number()) else {
        panic!("usage: strategy_seconds N_RANKS N_OBJECTS N_EDGES STRATEGY...");
    };
    let phase = phase(n_ranks, n_objects, n_edges);
    let initial = phase.recorded_assignment();
    let by_volume = Affine::new(AffineParameters { beta: 1e-5, ..AffineParameters::default() });
    let model: Box<dyn WorkModel> = match n_edges {
        0 => Box::new(LoadOnly::default()),
        _ => Box::new(by_volume.expect("a beta that makes sense")),
    };
    let keys: Vec<ObjectKey> =
        (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let problem = Problem { phase: &phase, initial, model: &*model, keys: &keys };
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

/// Objects from a generator of its own, so that no library changes them.
fn phase(n_ranks: usize, n_objects: usize, n_edges: usize) -> Phase {
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * n as u64) >> 31) as usize
    };
    let load = (0..n_objects).map(|_| 0.1 + 0.9 * next(1 << 30) as f64 / f64::from(1 << 30)).collect();
    let recorded = (0..n_objects).map(|_| next(n_ranks).min(next(n_ranks))).map(RankId::from).collect();
    let edge = |at: usize| {
        let from = at % n_objects;
        Communication {
            from: Vertex::Object(Slot::from(from)),
            to: Vertex::Object(Slot::from((from + 1 + next(1000)) % n_objects)),
            volume: Volume { bytes: 1000.0, messages: 1 },
        }
    };
    let edges: Vec<Communication> = (0..n_edges).map(edge).collect();
    let rank = |rank: usize| Rank { alpha: 1.0, node: NodeId::from(rank), working_bytes: 0.0 };
    let columns = PhaseColumns {
        objects: (0..n_objects).map(ObjectIdx::from).collect::<Objects>(),
        load,
        memory: vec![ObjectMemory::default(); n_objects].into_iter().collect(),
        migratable: vec![true; n_objects],
        recorded: Assignment::new(recorded),
        ranks: (0..n_ranks).map(rank).collect(),
        blocks: Vec::new(),
        communication: CommGraph::new(n_objects, n_ranks, &edges),
    };
    Phase::new(PhaseId(0), columns).expect("a valid phase")
}
