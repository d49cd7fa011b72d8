// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares strategies on a square grid of objects, each of which communicates with its neighbours.
//!
//! `grid_cut SIDE N_RANKS STRATEGY...` prints a line for each strategy: run time in seconds, imbalance of load, and
//! number of pairs of neighbours on different ranks, also as a multiple of that of equal square tiles. Parameters
//! follow the name of a strategy, as in `'SFC={"curve":"morton"}'`. Objects start on random ranks. Their load is 1, or
//! random from 0.5 to 1.5 if SIDE begins with `~`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::Instant;

use lbaf_model::{Affine, AffineParameters, Object, ObjectKey, Phase, RankId, Slot, Statistics};
use lbaf_strategies::{Context, NoObserver, Problem, StrategyName};
use serde::de::DeserializeSeed;
use serde_json::Deserializer;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let side = arguments.next().unwrap_or_default();
    let (vary, side) = side.strip_prefix('~').map_or((false, &side[..]), |side| (true, side));
    let n_ranks = arguments.next().and_then(|text| text.parse::<usize>().ok());
    let (Ok(side @ 1..), Some(n_ranks @ 1..)) = (side.parse::<usize>(), n_ranks) else {
        panic!("usage: grid_cut SIDE N_RANKS STRATEGY...");
    };
    let phase = grid(side, n_ranks, vary);
    let keys: Vec<ObjectKey> =
        (0..phase.n_objects() as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let parameters = AffineParameters { beta: 1e-3, ..AffineParameters::default() };
    let model = Affine::new(parameters).expect("a valid beta");
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model: &model, keys: &keys };
    let tiles = 2.0 * side as f64 * ((n_ranks as f64).sqrt() - 1.0);
    for argument in arguments {
        let (name, parameters) = argument.split_once('=').unwrap_or((&argument, "{}"));
        let name: StrategyName = name.parse().expect("the name of a strategy");
        let parameters = &mut Deserializer::from_str(parameters);
        let strategy = name.deserialize(parameters).expect("parameters of the strategy").build();
        let begin = Instant::now();
        let outcome = strategy.rebalance(&problem, &mut Context::new(0, 0, &mut NoObserver));
        let seconds = begin.elapsed().as_secs_f64();
        let assignment = outcome.expect("the strategy returns a placement").assignment;
        let mut loads = vec![0.0; n_ranks];
        for slot in phase.slots() {
            loads[assignment.rank_of(slot).index()] += phase.load(slot);
        }
        let n_apart = pairs(side).filter(|&(a, b)| assignment.rank_of(a) != assignment.rank_of(b)).count();
        let imbalance = Statistics::of(loads).imbalance();
        let times = if n_ranks == 1 {
            String::new()
        } else {
            format!(", {:.3} times as many as by square tiles", n_apart as f64 / tiles)
        };
        println!("{argument}: {seconds:.3} s, imbalance {imbalance:.2e}, {n_apart} pairs cut{times}");
    }
}

/// Returns the pairs of neighbours on a square grid.
fn pairs(side: usize) -> impl Iterator<Item = (Slot, Slot)> {
    (0..side * side).flat_map(move |at| {
        let right = (at % side + 1 < side).then_some(at + 1);
        let below = (at + side < side * side).then_some(at + side);
        [right, below].into_iter().flatten().map(move |other| (Slot::from(at), Slot::from(other)))
    })
}

/// Builds the phase. Its own random number generator does not change with libraries.
fn grid(side: usize, n_ranks: usize, vary: bool) -> Phase {
    let n_objects = side * side;
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * n as u64) >> 31) as usize
    };
    let mut load = |_| if vary { 0.5 + next(1 << 30) as f64 / f64::from(1 << 30) } else { 1.0 };
    let loads: Vec<f64> = (0..n_objects).map(&mut load).collect();
    let objects = loads.into_iter().map(|load| Object::new(load, RankId::from(next(n_ranks))));
    let indices: Vec<[i64; 2]> = (0..n_objects)
        .map(|at| [at % side, at / side].map(|at| i64::try_from(at).expect("positions fit into `i64`")))
        .collect();
    Phase::builder(n_ranks)
        .objects(objects)
        .communications(pairs(side).map(|(a, b)| (a.0, b.0, 1.0)))
        .coordinates(indices.iter().map(|index| Some((Some(7), &index[..]))).collect())
        .build()
        .expect("a valid phase")
}
