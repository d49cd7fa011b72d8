// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds that strategies take by themselves:
//!
//! - `strategy_seconds N_RANKS N_OBJECTS N_EDGES STRATEGY...`, on more ranks than packed ids have room for. Loads are
//!   uniform, and low ranks start with more objects than high ones; edges, if there are any, go to objects nearby, and
//!   cost something.
//! - `strategy_seconds STEM STRATEGY...`, on every phase of recorded data, by load alone.
//!
//! Prints a line for each phase and strategy: name, seconds, imbalance of load at the end, what the largest work is
//! above the best lower bound as a part of it, migrations. A strategy may have parameters as JSON: `LPT={"homeward":true}`.
//! `scripts/bench.sh` judges the seconds.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::path::Path;
use std::time::Instant;

use lbaf_model::{
    Affine, AffineParameters, Assignment, CommGraph, Communication, LoadOnly, NodeId, ObjectIdx, ObjectKey,
    ObjectMemory, Objects, Phase, PhaseColumns, PhaseId, Rank, RankId, Slot, Statistics, Vertex, Volume,
    WorkModel, best_lower_bound, rank_totals, works,
};
use lbaf_reader::Request;
use lbaf_strategies::{Context, NoObserver, Problem, StrategyName};
use serde::de::DeserializeSeed;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    match (number(0), number(1), number(2), arguments.first()) {
        (Some(n_ranks @ 1..), Some(n_objects), Some(n_edges), _) => {
            let phase = phase(n_ranks, n_objects, n_edges);
            let by_volume = Affine::new(AffineParameters { beta: 1e-5, ..AffineParameters::default() });
            let model: Box<dyn WorkModel> = match n_edges {
                0 => Box::new(LoadOnly::default()),
                _ => Box::new(by_volume.expect("a beta that makes sense")),
            };
            let keys: Vec<ObjectKey> =
                (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
            measure(&phase, &*model, &keys, &arguments[3..]);
        }
        (None, _, _, Some(stem)) => {
            let located = lbaf_reader::locate(Path::new(stem), None).expect("files of a stem");
            let recorded = lbaf_reader::read(&located.files, &Request::default(), &|_| ());
            let data = recorded.expect("a data set").data;
            for phase in data.phases() {
                measure(phase, &LoadOnly::default(), data.keys(), &arguments[1..]);
            }
        }
        _ => panic!("usage: strategy_seconds N_RANKS N_OBJECTS N_EDGES STRATEGY... | STEM STRATEGY..."),
    }
}

/// Prints a line for each strategy.
fn measure(phase: &Phase, model: &dyn WorkModel, keys: &[ObjectKey], strategies: &[String]) {
    let initial = phase.recorded_assignment();
    let problem = Problem { phase, initial, model, keys };
    let bound = best_lower_bound(phase, model).work;
    for strategy in strategies {
        let (name, parameters) = strategy.split_once('=').unwrap_or((strategy, "{}"));
        let name: StrategyName = name.parse().expect("the name of a strategy");
        let mut parameters = serde_json::Deserializer::from_str(parameters);
        let strategy = name.deserialize(&mut parameters).expect("parameters of the strategy").build();
        let begin = Instant::now();
        let outcome = strategy.rebalance(&problem, &mut Context::new(0, 0, &mut NoObserver));
        let seconds = begin.elapsed().as_secs_f64();
        let assignment = outcome.expect("nothing to refuse").assignment;
        let totals = rank_totals(phase, &assignment);
        let imbalance = Statistics::of(totals.iter().map(|rank| rank.load)).imbalance();
        let largest = works(model, phase, &totals).iter().map(|work| work.cost()).fold(0.0, f64::max);
        let n_migrations = assignment.migrations_from(initial).count();
        println!("{name} {seconds:.3} {imbalance} {:.2e} {n_migrations}", largest / bound - 1.0);
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
