// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds of strategies without reading and writing:
//!
//! - `strategy_seconds N_RANKS N_OBJECTS N_EDGES STRATEGY...` runs strategies on synthetic data, also on more ranks
//!   than packed ids allow. Loads are uniform, and low ranks start with more objects than high ones. Edges, if any,
//!   connect nearby objects and add to the work.
//! - `strategy_seconds STEM STRATEGY...` runs strategies on every phase of recorded data, by load alone.
//!
//! Prints a line for each phase and strategy: name, seconds, final imbalance of load, gap of the maximum work to
//! the best lower bound (relative), migrations. A strategy may have parameters as JSON: `LPT={"homeward":true}`.
//! `scripts/bench.sh` checks the seconds.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a separate program")]

use std::path::Path;
use std::time::Instant;

use lbaf_model::{
    Affine, AffineParameters, LoadOnly, Object, ObjectKey, Phase, RankId, Statistics, WorkModel,
    best_lower_bound, rank_totals, works,
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
                _ => Box::new(by_volume.expect("a valid beta")),
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

/// Runs each strategy and prints its line.
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
        let assignment = outcome.expect("no error").assignment;
        let totals = rank_totals(phase, &assignment);
        let imbalance = Statistics::of(totals.iter().map(|rank| rank.load)).imbalance();
        let largest = works(model, phase, &totals).iter().map(|work| work.cost()).fold(0.0, f64::max);
        let n_migrations = assignment.migrations_from(initial).count();
        println!("{name} {seconds:.3} {imbalance} {:.2e} {n_migrations}", largest / bound - 1.0);
    }
}

/// Creates a phase with a built-in random generator, so that objects do not change with a library.
fn phase(n_ranks: usize, n_objects: usize, n_edges: usize) -> Phase {
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * n as u64) >> 31) as usize
    };
    let loads: Vec<f64> =
        (0..n_objects).map(|_| 0.1 + 0.9 * next(1 << 30) as f64 / f64::from(1 << 30)).collect();
    let mut object = |load| Object::new(load, RankId::from(next(n_ranks).min(next(n_ranks))));
    let objects: Vec<Object> = loads.into_iter().map(&mut object).collect();
    let edge = |at: usize| {
        let from = at % n_objects;
        (from as u32, ((from + 1 + next(1000)) % n_objects) as u32, 1000.0)
    };
    let phase = Phase::builder(n_ranks).objects(objects).communications((0..n_edges).map(edge));
    phase.build().expect("a valid phase")
}
