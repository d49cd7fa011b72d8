// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best schedules compared with all possible schedules, and adaptive schedules on difficult runs.

use lbaf_strategies::{Greedy, GreedyRefine, KarmarkarKarp, Lpt, Multifit, Strategy as Balancing};
use lbaf_study::{
    Adaptive, BalancingCriterion, Costs, Forecast, LoadModel, MOST_SEARCHED_PHASES, MigrationCost, Published,
    Schedule, Simulated, SimulationError, StrategyCost,
};
use proptest::prelude::*;

use crate::simulations::{Run, data, naive, simulated, simulation, tried};

fn costs(strategy: f64, object: f64) -> Costs {
    Costs {
        strategy: StrategyCost::Fixed(strategy),
        migration: MigrationCost { latency: object, bandwidth: f64::INFINITY },
    }
}

fn with(run: &Run, schedule: Schedule<'_>, costs: Costs, strategy: &dyn Balancing) -> Simulated {
    simulated(&simulation(run, naive(), schedule, costs), strategy)
}

/// Returns the minimum seconds of a run over all sets of phases after which it may be balanced.
fn least(run: &Run, forecast: &Forecast, costs: Costs, strategy: &dyn Balancing) -> f64 {
    let n_boundaries = run.data.phases().len() - 1;
    let of_set = |set: u64| {
        let chosen = |phase: u64| set >> phase & 1 == 1;
        simulated(&simulation(run, forecast.clone(), Schedule::Chosen(&chosen), costs), strategy).seconds()
    };
    (0..1 << n_boundaries).map(of_set).fold(f64::INFINITY, f64::min)
}

fn best(run: &Run, forecast: &Forecast, costs: Costs, strategy: &dyn Balancing) -> Simulated {
    simulated(&simulation(run, forecast.clone(), Schedule::Best, costs), strategy)
}

/// Returns the phases after which a run was balanced.
fn balanced_after(run: &Simulated) -> Vec<u64> {
    let balanced = run.phases.windows(2).filter(|pair| pair[1].balancing.is_some());
    balanced.map(|pair| pair[0].phase.0).collect()
}

/// Returns pseudo-random loads: multiples of 1/8 s above 0.
fn drawn(seed: u64, n_phases: usize, n_objects: usize) -> Vec<Vec<f64>> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % 63 + 1) as f64 / 8.0
    };
    (0..n_phases).map(|_| (0..n_objects).map(|_| next()).collect()).collect()
}

/// Returns loads that change much in every third phase and little in all others, so that a balancing may have
/// a lasting effect.
fn lasting(seed: u64, n_phases: usize, n_objects: usize) -> Vec<Vec<f64>> {
    let all = drawn(seed, n_phases, n_objects);
    (0..n_phases).map(|at| all[at / 3 * 3].iter().zip(&all[at]).map(|(a, b)| a + b / 8.0).collect()).collect()
}

/// Two ranks with objects of 4, 4 and 0.5 s (the first and last on rank 0), then of 4, 0.5 and 4 s. Balancing
/// after the first of the new phases costs 1 s and a migration of 0.25 s for each of two objects, and reduces
/// each later phase from 8 to 4.5 s. Balancing after phase 0 would gain nothing, because the first two
/// objects are already on different ranks.
#[test]
fn the_best_schedule_of_a_run_worked_by_hand() {
    let (old, new) = (vec![4.0, 4.0, 0.5], vec![4.0, 0.5, 4.0]);
    let run = data(2, &[old.clone(), old, new.clone(), new.clone(), new]);
    let found = best(&run, &naive(), costs(1.0, 0.25), &Lpt::default());
    assert_eq!((balanced_after(&found), found.is_proven), (vec![2], Some(true)));
    // LPT places one object of 4 s on each rank, and the object of 0.5 s on the lower of the two equal ranks.
    // Object 2 goes to rank 1, object 1 to rank 0.
    assert_eq!(found.parts(), [4.5 + 4.5 + 8.0 + 4.5 + 4.5, 1.0, 0.5]);
}

/// Compares the result with every set of phases after which the run may be balanced, for a strategy that is
/// independent of the initial placement.
#[test]
fn no_schedule_of_twelve_phases_is_better_than_the_best() {
    for (seed, strategy, object) in [(1, 1.5, 0.25), (2, 0.5, 0.0), (3, 4.0, 0.5)] {
        let run = data(3, &lasting(seed, 12, 7));
        let costs = costs(strategy, object);
        let found = best(&run, &naive(), costs, &Lpt::default());
        let least = least(&run, &naive(), costs, &Lpt::default());
        assert_eq!(found.is_proven, Some(true));
        assert!((found.seconds() - least).abs() <= 1e-9 * least, "{seed}: {} {least}", found.seconds());
    }
}

/// Takes long: for each of five strategies, 200 runs for each number of phases up to 9, and 20 for each from
/// 10 to 12.
#[test]
#[ignore = "long: scripts/long.sh best-schedules"]
#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn no_schedule_is_better_than_the_best_in_many_runs() {
    let strategies: [&dyn Balancing; 5] = [
        &Lpt::default(),
        &Greedy::default(),
        &KarmarkarKarp::default(),
        &Multifit::default(),
        &GreedyRefine::default(),
    ];
    let (mut n_runs, mut n_proven) = ([0; 5], [0; 5]);
    for n_phases in 1..=12 {
        let n_cases = if n_phases > 9 { 20 } else { 200 };
        for case in 0..n_cases {
            let seed = 1000 * n_phases as u64 + case;
            let loads = if case % 2 == 0 { lasting(seed, n_phases, 7) } else { drawn(seed, n_phases, 7) };
            let run = data(3, &loads);
            let costs = costs([0.0, 0.5, 2.0, 6.0][case as usize % 4], [0.0, 0.25][case as usize / 4 % 2]);
            for (at, strategy) in strategies.into_iter().enumerate() {
                let found = best(&run, &naive(), costs, strategy);
                let least = least(&run, &naive(), costs, strategy);
                n_runs[at] += 1;
                n_proven[at] += usize::from(found.is_proven == Some(true));
                assert!(
                    found.seconds() >= least * (1.0 - 1e-9),
                    "the best schedule takes less than all schedules that were tried"
                );
                if found.is_proven == Some(true) {
                    assert!(found.seconds() <= least * (1.0 + 1e-9), "{}: {seed}", strategy.name());
                }
            }
        }
    }
    println!(
        "runs {n_runs:?}, of which proven {n_proven:?} (LPT, Greedy, KarmarkarKarp, MULTIFIT, GreedyRefine)"
    );
    // The first three strategies place objects with load independently of their initial rank.
    assert_eq!(n_runs[..3], n_proven[..3]);
}

/// `GreedyRefine` leaves objects on their ranks if possible, so that nearly every schedule leads to another
/// placement.
#[test]
fn an_incomplete_search_is_not_reported_as_proven() {
    let run = data(4, &drawn(7, 20, 24));
    let costs = costs(0.5, 0.125);
    let found = best(&run, &naive(), costs, &GreedyRefine::default());
    assert_eq!(found.is_proven, Some(false));
    for schedule in [Schedule::Never, Schedule::Every(1), Schedule::Every(2), Schedule::Every(4)] {
        assert!(found.seconds() <= with(&run, schedule, costs, &GreedyRefine::default()).seconds());
    }
}

#[test]
fn too_many_phases_are_refused() {
    let run = data(2, &vec![vec![1.0]; MOST_SEARCHED_PHASES + 1]);
    let refused = tried(&simulation(&run, naive(), Schedule::Best, Costs::default()), &Lpt::default());
    let Err(SimulationError::TooManyPhases { n_phases: 513, most: 512 }) = refused else {
        panic!("{refused:?}")
    };
    let run = data(2, &vec![vec![1.0]; MOST_SEARCHED_PHASES]);
    let found = tried(&simulation(&run, naive(), Schedule::Best, Costs::default()), &Lpt::default()).unwrap();
    assert_eq!(found.seconds(), 512.0);
}

/// Phase 0 takes 22 s, or 14 s balanced. The 40 phases after it take 10 s with the initial placement, 12 s
/// with the best placement for phase 0, and 8 s balanced. Regression: a schedule that considered only the
/// growth of the excess stayed at 12 s, which took 19 % longer than never balancing.
#[test]
fn one_unusual_phase_does_not_spoil_the_next_forty() {
    let odd = vec![9.0, 1.0, 9.0, 1.0, 2.0, 2.0, 2.0, 2.0];
    let even = vec![3.0, 3.0, 1.0, 1.0, 3.0, 1.0, 3.0, 1.0];
    let loads: Vec<Vec<f64>> = [odd].into_iter().chain(vec![even; 40]).collect();
    let run = data(2, &loads);
    for cost in [0.5, 1.0, 2.0, 4.0] {
        let of = |schedule| with(&run, schedule, costs(cost, 0.0), &Lpt::default());
        let adaptive = of(Schedule::Adaptive(Adaptive { first_cost: cost }));
        assert_eq!((adaptive.phases[0].seconds, adaptive.phases[1].seconds), (22.0, 12.0));
        // The first balancing leaves more than half of the imbalance: before it, the excess is 8 s at a mean of 14 s;
        // after it, 4 s at a mean of 8 s. Therefore, the required loss is 2 C.
        let n_waited = (2.0 * cost / 4.0).floor() + 1.0;
        assert_eq!(adaptive.parts(), [22.0 + 12.0 * n_waited + 8.0 * (40.0 - n_waited), 2.0 * cost, 0.0]);
        let best = of(Schedule::Best);
        assert_eq!(best.parts(), [22.0 + 10.0 + 8.0 * 39.0, cost, 0.0]);
        for other in [Schedule::Never, Schedule::Every(1), Schedule::Every(10), Schedule::Every(20)] {
            assert!(adaptive.seconds() <= 1.02 * of(other).seconds(), "{cost}");
        }
    }
}

/// Loads are redrawn in every phase, so predictions are worthless, and balancing gains nothing.
#[test]
fn balancing_that_does_not_help_becomes_rare() {
    let run = data(4, &drawn(11, 200, 16));
    let cost = 4.0;
    let of = |schedule| with(&run, schedule, costs(cost, 0.0), &Lpt::default());
    let adaptive = of(Schedule::Adaptive(Adaptive { first_cost: cost }));
    let menon = of(Schedule::Criterion(BalancingCriterion { published: Published::Menon, first_cost: cost }));
    let count = |run: &Simulated| balanced_after(run).len();
    assert!(count(&adaptive) * 2 < count(&menon), "{} {}", count(&adaptive), count(&menon));
    assert!(adaptive.seconds() < menon.seconds());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Includes loads of 0, strategies that leave objects on their ranks and lead to more placements, load
    /// models that use more phases, and perfect knowledge.
    #[test]
    fn no_schedule_of_a_small_run_is_better_than_the_best(
        seed in 0_u64..1000,
        n_phases in 1_usize..7,
        strategy_seconds in 0.0_f64..4.0,
        object_seconds in 0.0_f64..0.5,
        way in 0_usize..3,
    ) {
        let mut loads = lasting(seed, n_phases, 5);
        for (at, of_phase) in loads.iter_mut().enumerate() {
            of_phase[(at + seed as usize) % 5] = 0.0;
        }
        let run = data(2, &loads);
        let measured = Box::new(LoadModel::Measured);
        let forecast = match way {
            0 => naive(),
            1 => Forecast::Predicted(LoadModel::PersistenceMedianLastN { n: 3, of: measured }),
            _ => Forecast::Perfect,
        };
        let costs = costs(strategy_seconds, object_seconds);
        for strategy in [&Lpt::default() as &dyn Balancing, &GreedyRefine::default()] {
            let found = best(&run, &forecast, costs, strategy);
            let least = least(&run, &forecast, costs, strategy);
            prop_assert!((found.seconds() - least).abs() <= 1e-9 * least);
            prop_assert_eq!(found.is_proven, Some(true));
        }
    }
}
