// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds of strategies without reading and writing:
//!
//! - `strategy_seconds N_RANKS N_OBJECTS N_EDGES [--contiguous] [--blocks] STRATEGY...` runs strategies on synthetic
//!   data. Loads are uniform, and low ranks start with more objects than high ranks. Edges connect nearby objects and
//!   add to the work. Objects start on random ranks; with `--contiguous`, a rank starts with consecutive objects, like
//!   a part of a mesh. With `--blocks`, four consecutive objects share a memory block. With `--shared-blocks`,
//!   all ranks share eight blocks, and the memory of a rank has an upper bound, which every placement keeps.
//! - `strategy_seconds STEM STRATEGY...` runs strategies on every phase of recorded data, by load alone.
//!
//! Prints a line for each phase and strategy: name, seconds, final imbalance of load, relative gap of the maximum
//! work to the best lower bound, migrations, CPU seconds. A strategy may have parameters as JSON:
//! `LPT={"homeward":true}`. `scripts/bench.sh` checks the seconds, `scripts/growth.py` the growth.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a separate program")]

use std::path::Path;
use std::time::Instant;

use lbaf_model::{
    Affine, AffineParameters, Block, BlockIdx, BoundScope, LoadOnly, Object, ObjectKey, ObjectMemory, Phase,
    RankId, RankQuantity, Statistics, UpperBound, WorkModel, best_lower_bound, rank_totals, works,
};
use lbaf_reader::Request;
use lbaf_strategies::{Context, NoObserver, Problem, StrategyName};
use serde::de::DeserializeSeed;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    match (number(0), number(1), number(2), arguments.first()) {
        (Some(n_ranks @ 1..), Some(n_objects), Some(n_edges), _) => {
            let (options, strategies): (Vec<String>, Vec<String>) =
                arguments.iter().skip(3).cloned().partition(|argument| argument.starts_with("--"));
            let given = |name: &str| options.iter().any(|option| option == name);
            let blocks = match (given("--blocks"), given("--shared-blocks")) {
                (true, _) => Blocks::OfFour,
                (_, true) => Blocks::Shared,
                _ => Blocks::None,
            };
            let shape = Shape { contiguous: given("--contiguous"), blocks };
            let phase = phase(n_ranks, n_objects, n_edges, shape);
            let bound =
                UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 1e9, scope: BoundScope::Rank };
            let bounds = if let Blocks::Shared = blocks { vec![bound] } else { Vec::new() };
            let by_volume =
                Affine::new(AffineParameters { beta: 1e-5, bounds, ..AffineParameters::default() });
            let model: Box<dyn WorkModel> = match n_edges {
                0 => Box::new(LoadOnly::default()),
                _ => Box::new(by_volume.expect("a valid beta")),
            };
            let keys: Vec<ObjectKey> =
                (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
            measure(&phase, &*model, &keys, &strategies);
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
        let (begin, cpu_begin) = (Instant::now(), cpu_seconds());
        let outcome = strategy.rebalance(&problem, &mut Context::new(0, 0, &mut NoObserver));
        let (seconds, cpu) = (begin.elapsed().as_secs_f64(), cpu_seconds() - cpu_begin);
        let assignment = outcome.expect("no error").assignment;
        let totals = rank_totals(phase, &assignment);
        let imbalance = Statistics::of(totals.iter().map(|rank| rank.load)).imbalance();
        let largest = works(model, phase, &totals).iter().map(|work| work.cost()).fold(0.0, f64::max);
        let n_migrations = assignment.migrations_from(initial).count();
        println!("{name} {seconds:.3} {imbalance} {:.2e} {n_migrations} {cpu:.4}", largest / bound - 1.0);
    }
}

/// Form of synthetic data.
#[derive(Clone, Copy)]
struct Shape {
    contiguous: bool,
    blocks: Blocks,
}

#[derive(Clone, Copy, PartialEq)]
enum Blocks {
    None,
    OfFour,
    Shared,
}

/// Creates a phase with its own random generator, independent of versions of libraries.
fn phase(n_ranks: usize, n_objects: usize, n_edges: usize, shape: Shape) -> Phase {
    let block_of = |at: usize| match shape.blocks {
        Blocks::None => None,
        Blocks::OfFour => Some(at / 4),
        Blocks::Shared => Some(at % 8),
    };
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * n as u64) >> 31) as usize
    };
    let loads: Vec<f64> =
        (0..n_objects).map(|_| 0.1 + 0.9 * next(1 << 30) as f64 / f64::from(1 << 30)).collect();
    // The smaller of two random ranks, or a quantile of the same distribution.
    let rank_of = |at: usize, next: &mut dyn FnMut(usize) -> usize| match shape.contiguous {
        false => next(n_ranks).min(next(n_ranks)),
        true => ((1.0 - (1.0 - at as f64 / n_objects as f64).sqrt()) * n_ranks as f64) as usize,
    };
    let mut objects: Vec<Object> = Vec::with_capacity(n_objects);
    for (at, load) in loads.into_iter().enumerate() {
        let block = block_of(at).map(BlockIdx::from);
        // The objects of a block start together.
        let rank = match objects.last() {
            Some(last) if shape.blocks == Blocks::OfFour && at % 4 > 0 => last.rank,
            _ => RankId::from(rank_of(at, &mut next)),
        };
        let memory = ObjectMemory { block, ..ObjectMemory::default() };
        objects.push(Object { memory, ..Object::new(load, rank) });
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        // The home of a block is the rank of its first object.
        if block_of(at) == Some(blocks.len()) {
            blocks.push(Block { id: blocks.len() as u64, size_bytes: 1e6, home: object.rank });
        }
    }
    let edge = |at: usize| {
        let (from, number) = (at % n_objects, at / n_objects);
        let distance = if shape.contiguous { 1 + number } else { 1 + next(1000) };
        (from as u32, ((from + distance) % n_objects) as u32, 1000.0)
    };
    let indices: Vec<[i64; 2]> = (0..n_objects).map(|at| [(at / 1000) as i64, (at % 1000) as i64]).collect();
    let phase = Phase::builder(n_ranks)
        .blocks(blocks)
        .objects(objects)
        .communications((0..n_edges).map(edge))
        .coordinates(indices.iter().map(|index| Some((None, &index[..]))).collect());
    phase.build().expect("a valid phase")
}

/// CPU seconds of all threads of the process so far; 0 on other systems than Linux.
fn cpu_seconds() -> f64 {
    // The system updates the time of a thread when it yields.
    std::thread::yield_now();
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    });
    nanoseconds.sum::<u64>() as f64 * 1e-9
}
