// SPDX-License-Identifier: MIT OR Apache-2.0
//! `WorkStealing`: cases computed by hand, a reference implementation, and theoretical bounds.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, LoadOnly, RankId, RankQuantity, Slot, WorkModel,
    rank_totals, works,
};
use lbaf_strategies::{Checked, Granularity, QueueOrder, StealSize, VictimOrder, WorkStealing};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::bounds::{draw, made, tight};
use crate::cases;
use crate::made_phase::{Made, Object, memory, object, ranks, sentinel};

/// Returns a strategy that steals single objects without `discretion`.
fn greedily() -> WorkStealing {
    WorkStealing { steal: Granularity::Object, discretion: false, ..WorkStealing::default() }
}

fn count(count: u32) -> StealSize {
    StealSize::Count(NonZeroU32::new(count).unwrap())
}

fn run(made: &Made, strategy: &WorkStealing) -> Checked {
    made.run(strategy, &LoadOnly::default(), 0).unwrap()
}

#[track_caller]
fn check(made: &Made, strategy: &WorkStealing, expected: &[u32], note: &str) {
    let outcome = run(made, strategy).outcome;
    assert_eq!(ranks(&outcome.assignment), expected);
    assert_eq!(outcome.notes, [note]);
}

/// Rank 1 runs the last object from 0.5 s to 2.5 s.
#[test]
fn a_reply_takes_time() {
    let made = Made::of(2, vec![object(2.0, 0), object(2.0, 0), object(2.0, 0)]);
    let strategy = WorkStealing { steal_time: 0.5, ..greedily() };
    check(
        &made,
        &strategy,
        &[0, 0, 1],
        "phase 3: makespan with work stealing: 4 s, without it: 6 s; steals: 1, objects stolen: 1, failed \
         requests: 0, idle time of all ranks: 2 s",
    );
    // At 4 s, rank 0 starts its last object before the answer.
    let strategy = WorkStealing { steal_time: 4.0, ..greedily() };
    check(
        &made,
        &strategy,
        &[0, 0, 0],
        "phase 3: makespan with work stealing: 6 s, without it: 6 s; steals: 0, objects stolen: 0, failed \
         requests: 0, idle time of all ranks: 6 s",
    );
}

/// Rank 1 would end the second object after 4 x 2 s, rank 0 after 2 x 2 s.
#[test]
fn with_discretion_the_victim_keeps_objects_that_it_ends_sooner() {
    let made = Made { alphas: vec![1.0, 4.0], ..Made::of(2, vec![object(2.0, 0), object(2.0, 0)]) };
    let placed =
        |discretion| ranks(&run(&made, &WorkStealing { discretion, ..greedily() }).outcome.assignment);
    assert_eq!(placed(false), [0, 1]);
    assert_eq!(placed(true), [0, 0]);
}

/// Objects 0 and 2 share a block, as do objects 1 and 3.
#[test]
fn clusters_are_stolen_whole_and_objects_one_by_one() {
    let with = |load, block| Object { block: Some(block), ..object(load, 0) };
    let made = Made {
        block_bytes: vec![1.0; 2],
        ..Made::of(2, vec![with(1.0, 0), with(1.0, 1), with(1.0, 0), with(1.0, 1)])
    };
    let placed = |strategy: WorkStealing| ranks(&run(&made, &strategy).outcome.assignment);
    assert_eq!(placed(WorkStealing::default()), [0, 1, 0, 1]);
    assert_eq!(placed(greedily()), [0, 1, 0, 1]);
    // A cluster that has started is not stolen.
    let made = Made { objects: vec![with(1.0, 0), with(9.0, 0)], ..made };
    let placed = |strategy: WorkStealing| ranks(&run(&made, &strategy).outcome.assignment);
    assert_eq!(placed(WorkStealing::default()), [0, 0]);
    assert_eq!(placed(greedily()), [0, 1]);
}

/// Six objects wait, so half are three. With two objects per steal, rank 1 sends its second request at 2 s. At that
/// time, rank 0 starts its third object, and two objects wait.
#[test]
fn half_of_the_waiting_objects_are_stolen() {
    let made = Made::of(2, vec![object(1.0, 0); 7]);
    let outcome = run(&made, &WorkStealing { steal_size: StealSize::Half, ..greedily() }).outcome;
    assert_eq!(outcome.iterations[0].n_transfers, 3);
    assert_eq!(ranks(&outcome.assignment), [0, 0, 0, 0, 1, 1, 1]);
    let outcome = run(&made, &WorkStealing { steal_size: count(2), ..greedily() }).outcome;
    assert_eq!(ranks(&outcome.assignment), [0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(outcome.iterations[0].n_transfers, 4);
    // Two requests and their answers.
    assert_eq!(outcome.iterations[0].n_messages, 4);
}

/// Rank 1 steals from the end of the queue of rank 0.
#[test]
fn queues_have_the_configured_order() {
    let made = Made::of(2, vec![object(1.0, 0), object(3.0, 0), object(2.0, 0)]);
    let placed = |order| ranks(&run(&made, &WorkStealing { order, ..greedily() }).outcome.assignment);
    assert_eq!(placed(QueueOrder::ElementId), [0, 0, 1]);
    assert_eq!(placed(QueueOrder::IncreasingLoads), [0, 1, 0]);
    assert_eq!(placed(QueueOrder::DecreasingLoads), [1, 0, 1]);
}

/// Rank 3 has the most waiting seconds. Rank 1 follows rank 0 on the ring.
#[test]
fn victims_are_selected_in_the_configured_order() {
    let objects = vec![object(5.0, 1), object(1.0, 1), object(9.0, 2), object(5.0, 3), object(4.0, 3)];
    let made = Made::of(4, objects);
    let placed = |victim| ranks(&run(&made, &WorkStealing { victim, ..greedily() }).outcome.assignment);
    assert_eq!(placed(VictimOrder::MostLoaded), [1, 0, 2, 3, 0]);
    assert_eq!(placed(VictimOrder::Ring), [1, 0, 2, 3, 0]);
    let first = |victim| {
        let mut made = made.clone();
        made.objects[4].load = 2.0;
        made.objects[1].load = 1.5;
        let slow = WorkStealing { victim, steal_size: count(1), steal_time: 4.0, ..greedily() };
        ranks(&run(&made, &slow).outcome.assignment)
    };
    // The latency allows only one steal.
    assert_eq!(first(VictimOrder::MostLoaded), [1, 1, 2, 3, 0]);
    assert_eq!(first(VictimOrder::Ring), [1, 0, 2, 3, 3]);
}

#[test]
fn random_victims_depend_on_the_seed() {
    let made = Made::of(16, (0..64).map(|at| object(f64::from(at % 7), at % 5)).collect());
    let random = WorkStealing { victim: VictimOrder::Random, ..greedily() };
    let placed = |seed| ranks(&made.run(&random, &LoadOnly::default(), seed).unwrap().outcome.assignment);
    assert_eq!(placed(1), placed(1));
    assert_ne!(placed(1), placed(2));
}

#[test]
fn sentinels_run_first_and_stay() {
    let made = Made::of(2, vec![object(1.0, 0), sentinel(5.0, 0), object(1.0, 0)]);
    assert_eq!(ranks(&run(&made, &greedily()).outcome.assignment), [1, 0, 1]);
}

/// Rank 1 holds the block of 6 bytes. The block of 5 bytes fits within 15 bytes, but not within 10.
#[test]
fn a_thief_takes_only_objects_that_fit() {
    let with = |load, rank, block| Object { block: Some(block), ..object(load, rank) };
    let made = Made {
        block_bytes: vec![6.0, 5.0, 4.0],
        ..Made::of(2, vec![with(9.0, 0, 2), with(1.0, 1, 0), with(2.0, 0, 0), with(1.0, 0, 1)])
    };
    let within = |limit| ranks(&made.run(&greedily(), &memory(limit), 0).unwrap().outcome.assignment);
    assert_eq!(within(15.0), [0, 1, 1, 1]);
    // Rank 0 starts over this bound: 4 + 6 + 5 > 10.
    assert_eq!(within(10.0), [0, 1, 1, 0]);
}

#[test]
fn an_invalid_time_is_refused() {
    let made = Made::of(2, vec![object(1.0, 0)]);
    for (steal_time, shown) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let strategy = WorkStealing { steal_time, ..WorkStealing::default() };
        let error = made.run(&strategy, &LoadOnly::default(), 0).unwrap_err();
        let message = format!(
            "WorkStealing: `steal_time`: expected a finite time of at least 0 seconds, found {shown}"
        );
        assert_eq!(error.to_string(), message);
    }
}

/// Reference implementation without latency and with one unit per steal.
///
/// At equal times, ranks with units in their own queues come first. Then each idle rank inspects all waiting units,
/// starting on the rank with the most waiting seconds.
fn written_out(made: &Made, model: &dyn WorkModel, strategy: &WorkStealing) -> Vec<RankId> {
    let phase = made.phase();
    let load = |slot: Slot| made.objects[slot.index()].load;
    let mut assignment = phase.recorded_assignment().clone();
    let mut queues: Vec<Vec<Vec<Slot>>> = vec![Vec::new(); made.alphas.len()];
    let mut free = vec![0.0; made.alphas.len()];
    for (rank, queue) in queues.iter_mut().enumerate() {
        let mut clusters: BTreeMap<usize, Vec<Slot>> = BTreeMap::new();
        let own = |object: &Object| object.rank as usize == rank;
        for (at, object) in made.objects.iter().enumerate().filter(|(_, object)| own(object)) {
            if !object.migratable {
                free[rank] += made.alphas[rank] * object.load;
                continue;
            }
            let same = |other: &Object| own(other) && other.migratable && other.block == object.block;
            let first = made.objects.iter().position(same).unwrap();
            let key = if object.block.is_some() { first } else { at };
            clusters.entry(key).or_default().push(Slot::from(at));
        }
        for cluster in clusters.into_values() {
            match strategy.steal {
                Granularity::Cluster => queue.push(cluster),
                Granularity::Object => queue.extend(cluster.into_iter().map(|slot| vec![slot])),
            }
        }
    }
    let sum = |unit: &[Slot]| unit.iter().map(|&slot| load(slot)).sum::<f64>();
    let mut idle = vec![false; free.len()];
    loop {
        let next = (0..free.len()).filter(|&rank| !idle[rank]).min_by(|&a, &b| {
            let key = |rank: usize| (free[rank], queues[rank].is_empty(), rank);
            key(a).partial_cmp(&key(b)).unwrap()
        });
        let Some(rank) = next else { return assignment.as_slice().to_vec() };
        if !queues[rank].is_empty() {
            free[rank] += made.alphas[rank] * sum(&queues[rank].remove(0));
            continue;
        }
        let now = free[rank];
        let waiting =
            |victim: usize| made.alphas[victim] * queues[victim].iter().map(|unit| sum(unit)).sum::<f64>();
        let mut victims: Vec<usize> = (0..free.len()).filter(|&victim| !queues[victim].is_empty()).collect();
        victims.sort_by(|&a, &b| waiting(b).total_cmp(&waiting(a)).then(a.cmp(&b)));
        let fits = |victim: usize, unit: usize| {
            let before = works(model, &phase, &rank_totals(&phase, &assignment));
            let mut moved: Assignment = assignment.clone();
            for &slot in &queues[victim][unit] {
                moved.set(slot, RankId::from(rank));
            }
            let after = works(model, &phase, &rank_totals(&phase, &moved));
            let ends = now + made.alphas[rank] * sum(&queues[victim][unit]);
            let ahead: f64 = queues[victim][..=unit].iter().map(|unit| sum(unit)).sum();
            let is_sooner = ends < free[victim] + made.alphas[victim] * ahead;
            [victim, rank].into_iter().all(|end| after[end].excess() <= before[end].excess())
                && (is_sooner || !strategy.discretion)
        };
        let units = victims
            .into_iter()
            .flat_map(|victim| (0..queues[victim].len()).rev().map(move |at| (victim, at)));
        let found = units.into_iter().find(|&(victim, unit)| fits(victim, unit));
        let Some((victim, unit)) = found else {
            idle[rank] = true;
            continue;
        };
        let unit = queues[victim].remove(unit);
        for &slot in &unit {
            assignment.set(slot, RankId::from(rank));
        }
        free[rank] += made.alphas[rank] * sum(&unit);
        // Idle ranks may be able to steal now.
        for other in 0..free.len() {
            if std::mem::take(&mut idle[other]) {
                free[other] = now;
            }
        }
    }
}

fn parameters() -> impl Strategy<Value = WorkStealing> {
    let steal = prop::sample::select(vec![Granularity::Cluster, Granularity::Object]);
    let size = prop::sample::select(vec![StealSize::Half, count(1), count(3)]);
    let victim = prop::sample::select(vec![VictimOrder::MostLoaded, VictimOrder::Random, VictimOrder::Ring]);
    let order = prop::sample::select(vec![
        QueueOrder::ElementId,
        QueueOrder::IncreasingLoads,
        QueueOrder::DecreasingLoads,
    ]);
    let time = prop_oneof![Just(0.0), 0.01..10.0_f64];
    (steal, size, victim, order, any::<bool>(), time).prop_map(
        |(steal, steal_size, victim, order, discretion, steal_time)| WorkStealing {
            steal,
            steal_size,
            victim,
            order,
            discretion,
            steal_time,
        },
    )
}

/// Draws six values of alpha, because no phase has more ranks. All are powers of two, or 0.
fn alphas() -> impl Strategy<Value = Vec<f64>> {
    vec(prop::sample::select(vec![0.0, 0.5, 1.0, 1.0, 4.0]), 6)
}

fn bounded(made: &Made, bounds: Vec<(RankQuantity, BoundScope, f64)>) -> Affine {
    let bounds = bounds.into_iter().map(|(quantity, scope, slack)| tight(made, quantity, scope, slack));
    Affine::new(AffineParameters { bounds: bounds.collect(), ..AffineParameters::default() }).unwrap()
}

fn longest(made: &Made, assignment: &Assignment) -> f64 {
    let mut seconds = made.alphas.clone();
    for (rank, totals) in rank_totals(&made.phase(), assignment).iter().enumerate() {
        seconds[rank] *= totals.load;
    }
    seconds.into_iter().fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(cases(500))]

    /// Loads are whole numbers, so sums are exact.
    #[test]
    fn no_rank_is_idle_while_an_object_that_it_can_hold_waits(
        made in made(|byte| f64::from(byte % 8)),
        alphas in alphas(),
        bounds in vec(draw(), 0..4),
        steal in prop::sample::select(vec![Granularity::Cluster, Granularity::Object]),
        discretion in any::<bool>(),
    ) {
        let made = Made { alphas: alphas[..made.alphas.len()].to_vec(), ..made };
        let model = bounded(&made, bounds);
        let strategy = WorkStealing { steal, discretion, ..WorkStealing::default() };
        let checked = made.run(&strategy, &model, 0).unwrap();
        prop_assert_eq!(checked.outcome.assignment.as_slice(), written_out(&made, &model, &strategy));
    }

    #[test]
    fn bounds_are_kept_and_clusters_stay_whole(
        made in made(|byte| f64::from(byte) / 7.0 + 0.1),
        alphas in alphas(),
        bounds in vec(draw(), 0..4),
        strategy in parameters(),
    ) {
        let made = Made { alphas: alphas[..made.alphas.len()].to_vec(), ..made };
        let checked = made.run(&strategy, &bounded(&made, bounds), 0).unwrap();
        prop_assert!(!checked.infeasible);
        let assignment = &checked.outcome.assignment;
        if strategy.steal == Granularity::Cluster {
            let mut places = BTreeMap::new();
            let movable = made.objects.iter().enumerate().filter(|(_, object)| object.migratable);
            for (at, object) in movable.filter(|(_, object)| object.block.is_some()) {
                let rank = assignment.rank_of(Slot::from(at));
                prop_assert_eq!(*places.entry((object.rank, object.block)).or_insert(rank), rank);
            }
        }
        if strategy.discretion {
            let before = longest(&made, made.phase().recorded_assignment());
            prop_assert!(longest(&made, assignment) <= before * (1.0 + 1e-12));
        }
    }

    /// Graham's bound for list scheduling also holds for stealing without latency.
    #[test]
    fn the_last_rank_ends_soon_after_the_mean(
        loads in vec((0.0..1.0_f64, 0..8_u32), 1..100),
        n_ranks in 1..9_u32,
        strategy in parameters(),
    ) {
        let objects: Vec<Object> = loads.iter().map(|&(load, rank)| object(load, rank % n_ranks)).collect();
        let largest = loads.iter().map(|&(load, _)| load).fold(0.0, f64::max);
        let made = Made::of(n_ranks as usize, objects);
        let strategy = WorkStealing { steal_time: 0.0, ..strategy };
        let outcome = run(&made, &strategy).outcome;
        let n_ranks = f64::from(n_ranks);
        let mean = loads.iter().map(|&(load, _)| load).sum::<f64>() / n_ranks;
        let bound = mean + (1.0 - 1.0 / n_ranks) * largest;
        prop_assert!(longest(&made, &outcome.assignment) <= bound * (1.0 + 1e-12));
    }
}
