// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies stop soon after a cancellation, with a typed error.

use std::thread;
use std::time::{Duration, Instant};

use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel};
use lbaf_strategies::{
    BruteForce, Cancel, Cancelled, CentralizedPrefixOptimizer, Context, Diffusion, Greedy, GreedyRefine,
    HierarchicalLB, InformAndTransfer, KarmarkarKarp, LocalSearch, Lpt, Milp, Multifit, Multilevel,
    NoObserver, Outcome, Problem, RecursiveCoordinateBisection, Refine, SpaceFillingCurve, Strategy,
    StrategyError, TemperedLB, TemperedTransfer, WorkStealing, ZoltanLB, run,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::contract::strategies;
use crate::made_phase::{Made, Object, memory, object};

/// Returns random objects on the first quarter of the ranks. Every eight objects share a block, and all communicate in
/// a chain.
fn made(n_objects: u32, n_ranks: u32) -> Made {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let object = |at: u32| Object {
        footprint_bytes: random.random_range(1.0..9.0),
        block: Some(at / 8),
        ..object(random.random_range(0.1..2.0), at / 8 % n_ranks.div_ceil(4))
    };
    let objects = (0..n_objects).map(object).collect();
    Made {
        edges: (1..n_objects).map(|at| (at - 1, at, f64::from(at % 13))).collect(),
        block_bytes: vec![8.0; n_objects.div_ceil(8) as usize],
        indices: (0..i64::from(n_objects)).map(|at| vec![at % 640, at / 640]).collect(),
        subphases: (0..n_objects).map(|at| vec![f64::from(at % 5), f64::from(at % 3)]).collect(),
        ..Made::of(n_ranks as usize, objects)
    }
}

/// Returns a work model that counts communication.
fn communicating() -> Affine {
    Affine::new(AffineParameters { beta: 0.01, ..AffineParameters::default() }).unwrap()
}

/// Runs a strategy without the driver and returns its outcome.
fn outcome(
    made: &Made,
    strategy: &dyn Strategy,
    model: &dyn WorkModel,
    cancel: &Cancel,
) -> Result<Outcome, StrategyError> {
    let (phase, keys) = (made.phase(), made.keys());
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model, keys: &keys };
    strategy.rebalance(&problem, &mut Context::new(7, 0, &mut NoObserver).with_cancel(cancel))
}

#[test]
fn a_cancellation_before_the_start_ends_every_strategy() {
    let made = made(48, 4);
    let (phase, keys, model) = (made.phase(), made.keys(), LoadOnly::default());
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model: &model, keys: &keys };
    let cancel = Cancel::new();
    cancel.cancel();
    let mut observer = NoObserver;
    for config in strategies(&made) {
        let mut context = Context::new(7, 0, &mut observer).with_cancel(&cancel);
        let refused = run(config.strategy(), &problem, &mut context).map(|checked| checked.outcome);
        assert_eq!(refused, Err(StrategyError::Cancelled(Cancelled)), "{}", config.name());
    }
}

/// Replays and rotations take only one pass over the objects.
#[test]
fn strategies_other_than_replays_and_rotations_poll_the_token_themselves() {
    let made = made(48, 4);
    let cancel = Cancel::new();
    cancel.cancel();
    for config in strategies(&made) {
        let strategy = config.strategy();
        let is_pass =
            strategy.keeps_placement() || strategy.placement_map().is_some() || strategy.name() == "RotateLB";
        for model in [&LoadOnly::default() as &dyn WorkModel, &communicating(), &memory(200.0)] {
            let stopped =
                outcome(&made, strategy, model, &cancel) == Err(StrategyError::Cancelled(Cancelled));
            assert_eq!(stopped, !is_pass, "{}", strategy.name());
        }
    }
}

#[test]
fn a_token_that_is_never_cancelled_changes_nothing() {
    let made = made(48, 4);
    let (phase, keys) = (made.phase(), made.keys());
    for config in strategies(&made) {
        for model in [&LoadOnly::default() as &dyn WorkModel, &communicating(), &memory(200.0)] {
            let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model, keys: &keys };
            let of = |mut context: Context<'_>| {
                run(config.strategy(), &problem, &mut context).map(|checked| checked.outcome)
            };
            let without = of(Context::new(7, 0, &mut NoObserver));
            let with = of(Context::new(7, 0, &mut NoObserver).with_cancel(&Cancel::new()));
            assert_eq!(with, without, "{}", config.name());
        }
    }
}

/// Asserts that a running strategy stops soon after a cancellation.
///
/// A run that ended before the cancellation is repeated with an earlier cancellation, finally before the start.
fn assert_stops(made: &Made, strategy: &dyn Strategy, model: &dyn WorkModel) {
    /// Polls are at most 100 ms apart, but other tests run at the same time.
    const SOON: Duration = Duration::from_secs(2);
    let (phase, keys) = (made.phase(), made.keys());
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model, keys: &keys };
    for milliseconds in [30, 10, 3, 0] {
        let cancel = Cancel::new();
        let ask = || {
            thread::sleep(Duration::from_millis(milliseconds));
            cancel.cancel();
            Instant::now()
        };
        let asked_before = (milliseconds == 0).then(ask);
        let (error, ended, asked) = thread::scope(|scope| {
            let asked = asked_before.map_or_else(|| Err(scope.spawn(ask)), Ok);
            let mut observer = NoObserver;
            let mut context = Context::new(7, 0, &mut observer).with_cancel(&cancel);
            let error = run(strategy, &problem, &mut context).err();
            (error, Instant::now(), asked.unwrap_or_else(|asked| asked.join().unwrap()))
        });
        // The driver drops later results, so this result came before the cancellation.
        if error.is_none() {
            continue;
        }
        assert_eq!(error, Some(StrategyError::Cancelled(Cancelled)), "{}", strategy.label());
        let stopped = ended.duration_since(asked);
        assert!(stopped < SOON, "{} took {stopped:?} to stop", strategy.label());
        return;
    }
    panic!("{} returned a result although it was cancelled before the start", strategy.label());
}

#[test]
fn a_cancellation_from_another_thread_ends_exact_searches() {
    let brute_force = BruteForce { max_nodes: u64::MAX / 2, ..BruteForce::default() };
    assert_stops(&made(40, 8), &brute_force, &communicating());
    assert_stops(&made(18, 3), &Milp { max_nodes: u64::MAX / 2, ..Milp::default() }, &communicating());
}

#[test]
fn a_cancellation_from_another_thread_ends_searches_and_gossip() {
    let made = made(60_000, 256);
    let swap_clusters = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..TemperedLB::default() };
    let homeward = TemperedLB { homeward: true, ..TemperedLB::default() };
    let strategies: [&dyn Strategy; 11] = [
        &LocalSearch::default(),
        &InformAndTransfer::default(),
        &TemperedLB::default(),
        &homeward,
        &swap_clusters,
        &Diffusion::default(),
        &Lpt { homeward: true, ..Lpt::default() },
        &Lpt { subphases: true, ..Lpt::default() },
        &Multifit::default(),
        &KarmarkarKarp::default(),
        &Refine::default(),
    ];
    for strategy in strategies {
        assert_stops(&made, strategy, &communicating());
    }
}

#[test]
fn a_cancellation_from_another_thread_ends_strategies_that_place_all_objects() {
    let made = made(300_000, 1024);
    let strategies: [&dyn Strategy; 10] = [
        &Greedy::default(),
        &GreedyRefine::default(),
        &Refine::default(),
        &HierarchicalLB::default(),
        &RecursiveCoordinateBisection::default(),
        &SpaceFillingCurve::default(),
        &CentralizedPrefixOptimizer { do_second_stage: true },
        &WorkStealing::default(),
        &Multilevel::default(),
        &ZoltanLB::default(),
    ];
    for strategy in strategies {
        assert_stops(&made, strategy, &memory(1e5));
    }
}
