// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulations: results computed by hand, and properties for random data.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use lbaf_model::{DataSet, LoadOnly, ObjectKey, Phase, PhaseId};
use lbaf_strategies::{
    BruteForce, Cancel, Cancelled, Checked, Context, Lpt, NoObserver, Problem, Strategy as Balancing,
    StrategyError, run,
};
use lbaf_study::{
    Adaptive, Costs, Forecast, LoadModel, Migrated, MigrationCost, PhaseBound, Placements, Schedule,
    Simulated, Simulation, SimulationError, StrategyCost, balanced_by,
};
use proptest::prelude::*;

use crate::made::phase;

static LOAD: LazyLock<LoadOnly> = LazyLock::new(LoadOnly::default);

/// Phases with their lower bounds.
pub(crate) struct Run {
    pub(crate) data: DataSet,
    bounds: Vec<PhaseBound>,
}

/// Creates phases from the loads of their objects.
pub(crate) fn data(n_ranks: usize, loads: &[Vec<f64>]) -> Run {
    let n_objects = loads.first().map_or(0, Vec::len);
    let of_phase = |(id, loads): (u64, &Vec<f64>)| -> Phase {
        let numbered: Vec<(usize, f64)> = loads.iter().copied().enumerate().collect();
        phase(id, n_ranks, &numbered, &[])
    };
    let keys = (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let data = DataSet::new(keys, n_ranks, (0..).zip(loads).map(of_phase).collect());
    Run { bounds: PhaseBound::of_all(&data, &*LOAD), data }
}

pub(crate) fn naive() -> Forecast {
    Forecast::Predicted(LoadModel::naive())
}

/// Returns a simulation whose work is load alone.
pub(crate) fn simulation<'a>(
    Run { data, bounds }: &'a Run,
    forecast: Forecast,
    schedule: Schedule<'a>,
    costs: Costs,
) -> Simulation<'a> {
    Simulation {
        data,
        believed: None,
        bounds,
        model: &*LOAD,
        placements: Placements::Carried,
        forecast,
        schedule,
        costs,
        subphases: false,
        cancel: Cancel::new(),
    }
}

pub(crate) fn simulated(simulation: &Simulation<'_>, strategy: &dyn Balancing) -> Simulated {
    tried(simulation, strategy).unwrap()
}

/// Runs a simulation, or returns its error.
pub(crate) fn tried(
    simulation: &Simulation<'_>,
    strategy: &dyn Balancing,
) -> Result<Simulated, SimulationError> {
    let balance = |_: PhaseId, problem: &Problem<'_>| -> Result<Option<(Checked, f64)>, StrategyError> {
        let mut observer = NoObserver;
        let mut context = Context::new(0, problem.phase.id().0, &mut observer);
        Ok(Some((run(strategy, problem, &mut context)?, 0.125)))
    };
    simulation.run(&balance)
}

fn seconds(simulated: &Simulated) -> Vec<f64> {
    simulated.phases.iter().map(|phase| phase.seconds).collect()
}

/// Believed loads determine the placement; measured loads determine the time.
#[test]
fn placements_for_noisy_loads_cost_time() {
    // Objects 0 and 2 start on rank 0, objects 1 and 3 on rank 1. Each takes 2 s, except object 0 with 8 s in
    // phase 1.
    let loads = [[2.0; 4], [8.0, 2.0, 2.0, 2.0], [2.0; 4], [2.0; 4]].map(|loads| loads.to_vec());
    let (ran, usual) = (data(2, &loads), data(2, &vec![vec![2.0; 4]; 4]));
    let fooled = simulation(&ran, naive(), Schedule::Every(1), Costs::default());
    let wise = Simulation {
        believed: Some(&usual.data),
        ..simulation(&ran, naive(), Schedule::Every(1), Costs::default())
    };
    assert_eq!(seconds(&simulated(&wise, &Lpt::default())), [4.0, 10.0, 4.0, 4.0]);
    // After phase 1, one rank gets the object of 8 s alone, the other the three objects of 2 s.
    assert_eq!(seconds(&simulated(&fooled, &Lpt::default())), [4.0, 10.0, 6.0, 4.0]);
}

/// In the phases 0, 1 and 11, object 0 takes 1 s plus as many seconds as the number of the phase, the other two
/// objects 6 s each. After phase 1, the line predicts 12 s for object 0 in phase 11, so LPT places the object alone.
/// By positions of phases instead of numbers, the prediction would be 3 s, and the object would share a rank with an
/// object of 6 s.
#[test]
fn balancing_before_a_gap_predicts_the_phase_after_it() {
    let of_phase = |id: u64| phase(id, 2, &[(0, 1.0 + id as f64), (1, 6.0), (2, 6.0)], &[]);
    let keys = (0..3).map(|number| ObjectKey::new(false, number, None)).collect();
    let data = DataSet::new(keys, 2, [0, 1, 11].map(of_phase).to_vec());
    let data = Run { bounds: PhaseBound::of_all(&data, &*LOAD), data };
    let line = LoadModel::LinearModel { n: 2, of: Box::new(LoadModel::Measured) };
    let chosen = |number: u64| number == 1;
    let schedule = Schedule::Chosen(&chosen);
    let found =
        simulated(&simulation(&data, Forecast::Predicted(line), schedule, Costs::default()), &Lpt::default());
    assert_eq!(found.phases[2].balancing.as_ref().unwrap().predicted_seconds, 12.0);
    assert_eq!(seconds(&found), [7.0, 8.0, 12.0]);
}

/// Objects 0 and 2 are on rank 0, objects 1 and 3 on rank 1.
#[test]
fn a_run_without_balancing_takes_the_recorded_time() {
    let data = data(2, &[vec![3.0, 1.0, 2.0, 1.0], vec![1.0, 4.0, 1.0, 4.5], vec![0.5; 4]]);
    let never = simulated(&simulation(&data, naive(), Schedule::Never, Costs::default()), &Lpt::default());
    assert_eq!(seconds(&never), [5.0, 8.5, 1.0]);
    assert_eq!(never.parts(), [14.5, 0.0, 0.0]);
    let recorded = Simulation {
        placements: Placements::Recorded,
        ..simulation(&data, naive(), Schedule::Every(1), Costs::default())
    };
    let recorded = simulated(&recorded, &Lpt::default());
    assert_eq!(seconds(&recorded), seconds(&never));
    assert_eq!((recorded.parts(), recorded.phases[1].recorded), (never.parts(), Some(Migrated::default())));
}

/// Each object takes 2 s in one of two subphases. Objects 0 and 2 start on rank 0 and run in the first subphase;
/// objects 1 and 3 start on rank 1 and run in the second.
#[test]
fn synchronized_subphases_take_the_slowest_rank_of_each() {
    let phases = (0..2).map(|id| {
        let plain = phase(id, 2, &[(0, 2.0), (1, 2.0), (2, 2.0), (3, 2.0)], &[]);
        plain.with_subphases([0, 1, 0, 1].map(|number| [(number, 2.0)]).into_iter().collect()).unwrap()
    });
    let keys = (0..4).map(|number| ObjectKey::new(false, number, None)).collect();
    let data = DataSet::new(keys, 2, phases.collect());
    let data = Run { bounds: PhaseBound::of_all(&data, &*LOAD), data };
    let lpt = Lpt { subphases: true, ..Lpt::default() };
    let waiting =
        Simulation { subphases: true, ..simulation(&data, naive(), Schedule::Every(1), Costs::default()) };
    let found = simulated(&waiting, &lpt);
    assert_eq!((seconds(&found), found.bound()), (vec![8.0, 4.0], 8.0));
    assert_eq!(found.phases[1].balancing.as_ref().unwrap().predicted_seconds, 4.0);
    // With a barrier only at the end of the phase, nothing is lost.
    let whole = simulation(&data, naive(), Schedule::Never, Costs::default());
    assert_eq!(seconds(&simulated(&whole, &lpt)), [4.0, 4.0]);
}

#[test]
fn balancing_costs_are_paid_between_phases() {
    let data = data(2, &[vec![3.0, 1.0, 2.0, 1.0], vec![3.0, 1.0, 2.0, 1.0], vec![3.0, 1.0, 2.0, 1.0]]);
    let costs = Costs {
        strategy: StrategyCost::Measured,
        migration: MigrationCost { latency: 0.5, bandwidth: f64::INFINITY },
    };
    let paid = simulated(&simulation(&data, naive(), Schedule::Every(2), costs), &Lpt::default());
    // The run is balanced after phase 0, for example to 3 + 1 | 2 + 1. No balancing follows phase 2, the last
    // one.
    assert_eq!(seconds(&paid), [5.0, 4.0, 4.0]);
    let balancing = paid.phases[1].balancing.clone().unwrap();
    assert_eq!((paid.phases[0].balancing.is_none(), paid.phases[2].balancing.is_none()), (true, true));
    assert_eq!((balancing.strategy_seconds, balancing.predicted_seconds), (0.125, 4.0));
    // Each rank sends or receives one object at a time, and every migration involves both ranks.
    assert_eq!(balancing.migrated.seconds, 0.5 * balancing.migrated.n_objects as f64);
    assert_eq!(paid.parts(), [13.0, 0.125, balancing.migrated.seconds]);
    assert_eq!(paid.seconds(), 13.125 + balancing.migrated.seconds);
}

/// If the balancer returns `None`, there are no costs and no balancing steps.
#[test]
fn skipped_balancing_equals_no_balancing() {
    let data = data(2, &vec![vec![3.0, 1.0, 2.0, 1.0]; 4]);
    let costs = Costs { strategy: StrategyCost::Fixed(8.0), ..Costs::default() };
    let alone = simulation(&data, naive(), Schedule::Every(1), costs).run(&|_, _| Ok(None)).unwrap();
    let never = simulated(&simulation(&data, naive(), Schedule::Never, costs), &Lpt::default());
    assert_eq!(alone.phases, never.phases);
    // No balancing step follows the last phase.
    assert_eq!((alone.n_skipped, never.n_skipped), (3, 0));
}

/// In each phase, another object has the large load. Predictions repeat the loads of the last phase, so
/// balancing is one phase late, unlike with perfect knowledge.
#[test]
fn a_moving_hot_spot_is_predicted_too_late() {
    let hot = |at: usize| (0..4).map(|object| if object == at { 9.0 } else { 1.0 }).collect::<Vec<f64>>();
    let data = data(2, &[hot(0), hot(1), hot(2), hot(3)]);
    let every = || Schedule::Every(1);
    let perfect =
        simulated(&simulation(&data, Forecast::Perfect, every(), Costs::default()), &Lpt::default());
    assert_eq!(seconds(&perfect), [10.0, 9.0, 9.0, 9.0]);
    let late = simulated(&simulation(&data, naive(), every(), Costs::default()), &Lpt::default());
    assert!(seconds(&late)[1..].iter().all(|&time| time > 9.0), "{late:?}");
    assert_eq!(late.phases[1].balancing.as_ref().unwrap().predicted_seconds, 9.0);
}

/// The excess grows by 1 s in each phase and balancing costs 8 s, so that a period of 4 is best: `sqrt(2 x 8
/// / 1)`.
#[test]
fn adaptive_balancing_waits_until_it_pays() {
    let loads: Vec<Vec<f64>> = (0..24).map(|phase| vec![10.0 + 2.0 * f64::from(phase % 5), 10.0]).collect();
    let data = data(2, &loads);
    let costs = Costs { strategy: StrategyCost::Fixed(8.0), ..Costs::default() };
    let schedule = Schedule::Adaptive(Adaptive { first_cost: 8.0 });
    let adaptive = simulated(&simulation(&data, naive(), schedule, costs), &Lpt::default());
    let first = adaptive.phases.iter().position(|phase| phase.balancing.is_some());
    assert_eq!(first, Some(4));
    let threshold = simulation(&data, naive(), Schedule::Threshold(0.15), Costs::default());
    // (14 - 12) / 12 is more than 0.15, (12 - 11) / 11 is not.
    let first = simulated(&threshold, &Lpt::default());
    assert_eq!(first.phases.iter().position(|phase| phase.balancing.is_some()), Some(3));
}

/// Loads of up to 6 objects in up to 5 phases, on 2 or 3 ranks.
fn small() -> impl Strategy<Value = (usize, Vec<Vec<f64>>)> {
    (2_usize..4, 1_usize..7, 1_usize..6).prop_flat_map(|(n_ranks, n_objects, n_phases)| {
        let load = (0_u32..64).prop_map(|eighths| f64::from(eighths) / 8.0);
        let phases = prop::collection::vec(prop::collection::vec(load, n_objects), n_phases);
        (Just(n_ranks), phases)
    })
}

proptest! {
    #[test]
    fn no_phase_is_faster_than_its_bound((n_ranks, loads) in small()) {
        let data = data(n_ranks, &loads);
        for schedule in [Schedule::Never, Schedule::Every(1), Schedule::Every(2), Schedule::Threshold(0.1)] {
            let run = simulated(&simulation(&data, naive(), schedule, Costs::default()), &Lpt::default());
            for phase in &run.phases {
                prop_assert!(phase.seconds >= phase.bound * (1.0 - 1e-12), "{:?}", phase);
            }
            // The same sum, added in different orders.
            let (total, elapsed) = (run.seconds(), run.elapsed().last().unwrap_or(0.0));
            prop_assert!((total - elapsed).abs() <= 1e-12 * total, "{total} {elapsed}");
        }
    }

    /// Objects stay on the rank given by their number; the largest sum is the time of a phase, bit for bit.
    #[test]
    fn recorded_and_unbalanced_phases_take_their_maxima((n_ranks, loads) in small()) {
        let data = data(n_ranks, &loads);
        let maxima: Vec<f64> = (loads.iter())
            .map(|loads| {
                let mut ranks = vec![0.0; n_ranks];
                for (object, load) in loads.iter().enumerate() {
                    ranks[object % n_ranks] += load;
                }
                ranks.into_iter().fold(0.0, f64::max)
            })
            .collect();
        for placements in [Placements::Carried, Placements::Recorded] {
            let never = Simulation { placements, ..simulation(&data, naive(), Schedule::Never, Costs::default()) };
            prop_assert_eq!(seconds(&simulated(&never, &Lpt::default())), maxima.clone());
        }
    }

    /// With an exact strategy without cost, perfect knowledge is never slower than prediction.
    #[test]
    fn perfect_knowledge_is_never_slower((n_ranks, loads) in small()) {
        let data = data(n_ranks, &loads);
        let exact = BruteForce::default();
        let of = |forecast| {
            simulated(&simulation(&data, forecast, Schedule::Every(1), Costs::default()), &exact).seconds()
        };
        let perfect = of(Forecast::Perfect);
        let measured = || Box::new(LoadModel::Measured);
        for model in [
            LoadModel::naive(),
            LoadModel::PersistenceMedianLastN { n: 3, of: measured() },
            LoadModel::LinearModel { n: 3, of: measured() },
        ] {
            prop_assert!(perfect <= of(Forecast::Predicted(model)) * (1.0 + 1e-12));
        }
    }

    /// A strategy independent of the initial placement always finds the same placement.
    #[test]
    fn constant_loads_are_balanced_once_and_for_all((n_ranks, loads) in small(), n_phases in 2_usize..6) {
        let data = data(n_ranks, &vec![loads[0].clone(); n_phases]);
        let of = |schedule| {
            let run = simulated(&simulation(&data, naive(), schedule, Costs::default()), &Lpt::default());
            seconds(&run)
        };
        let first = |phase: u64| phase == 0;
        prop_assert_eq!(of(Schedule::Every(1)), of(Schedule::Chosen(&first)));
    }
}

/// The clock advances by 1/4 s at each reading.
#[test]
fn strategies_are_timed_with_the_clock_of_the_caller() {
    let run = data(2, &vec![vec![1.0, 2.0, 3.0, 4.0]; 4]);
    let n_reads = AtomicU32::new(0);
    let clock = || 0.25 * f64::from(n_reads.fetch_add(1, Ordering::Relaxed));
    let cancel = Cancel::new();
    let strategy = Lpt::default();
    let costs = Costs { strategy: StrategyCost::Measured, ..Costs::default() };
    let of = simulation(&run, naive(), Schedule::Every(1), costs);
    let found = of.run(&balanced_by(&strategy, 0, &clock, &cancel)).unwrap();
    let taken = found.phases.iter().filter_map(|phase| phase.balancing.as_ref());
    assert_eq!(taken.map(|balancing| balancing.strategy_seconds).collect::<Vec<_>>(), [0.25; 3]);
    // Objects 1 and 3 start on rank 1.
    assert_eq!(seconds(&found), [6.0, 5.0, 5.0, 5.0]);
}

#[test]
fn a_request_to_stop_ends_simulations() {
    let run = data(2, &vec![vec![1.0; 4]; 4]);
    let cancelled = |result: Result<Simulated, SimulationError>| {
        assert!(matches!(result, Err(SimulationError::Cancelled(Cancelled))), "{result:?}");
    };
    for schedule in [Schedule::Never, Schedule::Every(1), Schedule::Best] {
        let of = simulation(&run, naive(), schedule, Costs::default());
        of.cancel.cancel();
        cancelled(tried(&of, &Lpt::default()));
    }
    // Only the token of the balancer is cancelled.
    let cancel = Cancel::new();
    cancel.cancel();
    let strategy = Lpt::default();
    let of = simulation(&run, naive(), Schedule::Every(1), Costs::default());
    cancelled(of.run(&balanced_by(&strategy, 0, &|| 0.0, &cancel)));
}
