// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lost ranks.

use lbaf_model::{PhaseId, RankId, Vertex};
use lbaf_study::{Costs, Loss, Lost, Machine, MigrationCost, Placements, Schedule, Simulated, Slowed};
use proptest::prelude::*;

use super::made::{Object, assumed, data, facts, loads, never, object, random, simulated};

fn lost(ranks: &[(u32, u64)]) -> Machine {
    let lost =
        ranks.iter().map(|&(rank, from)| Loss { rank: RankId(rank), from_phase: PhaseId(from) }).collect();
    Machine { lost, ..Machine::default() }
}

fn latency(seconds: f64) -> Costs {
    Costs { migration: MigrationCost { latency: seconds, bandwidth: f64::INFINITY }, ..Costs::default() }
}

/// Rank 0 has 5 s, rank 1 has 3 and 2 s, rank 2 has 1 s.
fn three(n_phases: usize) -> Vec<Object> {
    [(0, 5.0), (1, 3.0), (1, 2.0), (2, 1.0)].map(|(rank, load)| object(rank, &vec![load; n_phases])).to_vec()
}

#[test]
fn objects_of_a_lost_rank_go_to_the_least_loaded_and_cost_time() {
    let recorded = data(3, &three(3), &[]);
    let (data, differences) = lost(&[(1, 1)]).assumed(&recorded).unwrap();
    assert_eq!(differences.lost, Some(Lost { n_ranks: 1, n_objects: 2, ..Lost::default() }));
    // The objects of 3 s and then 2 s go to the rank with 1 s, because the other rank has 5 s.
    assert_eq!(never(&data), [5.0, 6.0, 6.0]);
    let run = |placements| simulated(&data, placements, Schedule::Never, latency(0.5));
    let carried = run(Placements::Carried);
    let evacuation = carried.phases[1].evacuation.unwrap();
    assert_eq!((evacuation.n_objects, evacuation.bytes, evacuation.seconds), (2, 16.0, 1.0));
    assert_eq!(carried.parts(), [17.0, 0.0, 1.0]);
    assert_eq!(carried.phases.iter().filter(|phase| phase.evacuation.is_some()).count(), 1);
    // The recorded placements take the same time.
    assert_eq!(run(Placements::Recorded).parts(), [17.0, 0.0, 1.0]);
}

#[test]
fn the_bound_is_the_mean_over_remaining_ranks() {
    let objects: Vec<Object> = (0..12).map(|at| object(at % 3, &[1.0, 1.0])).collect();
    let data = assumed(&lost(&[(0, 1)]), &data(3, &objects, &[]));
    let run = simulated(&data, Placements::Carried, Schedule::Never, Costs::default());
    assert_eq!(run.phases.iter().map(|phase| phase.bound).collect::<Vec<_>>(), [12.0 / 3.0, 12.0 / 2.0]);
}

#[test]
fn strategies_use_only_remaining_ranks() {
    let recorded = data(3, &three(4), &[]);
    let data = assumed(&lost(&[(1, 2), (0, 3)]), &recorded);
    assert_eq!(data.phases().iter().map(lbaf_model::Phase::n_ranks).collect::<Vec<_>>(), [3, 3, 2, 1]);
    let run = simulated(&data, Placements::Carried, Schedule::Every(1), latency(1.0));
    // The best placements are 5 | 3 + 1 | 2 on three ranks, 6 | 5 on two, and 11 on one.
    let seconds: Vec<f64> = run.phases.iter().map(|phase| phase.seconds).collect();
    assert_eq!(seconds, [5.0, 5.0, 6.0, 11.0]);
    // Nothing can be balanced on one rank.
    let last = run.phases[3].balancing.as_ref().unwrap();
    assert_eq!((last.predicted_seconds, last.migrated.n_objects), (11.0, 0));
    let lost_then = run.phases[3].evacuation.unwrap().n_objects;
    assert!((1..4).contains(&lost_then), "objects of one of two ranks: {lost_then}");
}

#[test]
fn sentinels_blocks_and_messages_of_a_lost_rank_move_too() {
    let mut objects = three(2);
    // Rank 1 is the home of block 1 and of one non-migratable object.
    objects[2] = Object { is_sentinel: true, block: Some(1), ..objects[2].clone() };
    let recorded = data(3, &objects, &[(0, -2, 4.0, 1), (3, -3, 2.0, 1)]);
    let (data, differences) = lost(&[(1, 1)]).assumed(&recorded).unwrap();
    assert_eq!(differences.lost, Some(Lost { n_ranks: 1, n_objects: 1, n_sentinels: 1, n_blocks: 1 }));
    // Lost rank 1 becomes rank 2, and recorded rank 2, which has the least load, becomes rank 1.
    let [before, after] = data.phases() else { panic!("two phases") };
    assert_eq!([before.blocks()[1].home, after.blocks()[1].home], [RankId(2), RankId(1)]);
    assert_eq!(loads(before), [5.0, 1.0, 5.0]);
    assert_eq!(loads(after), [5.0, 6.0]);
    let edges =
        |phase: &lbaf_model::Phase| phase.communication().edges().map(|edge| edge.1).collect::<Vec<_>>();
    assert_eq!(edges(before), [Vertex::Rank(RankId(2)), Vertex::Rank(RankId(1))]);
    assert_eq!(edges(after), [Vertex::Rank(RankId(1)); 2]);
    assert_eq!(never(&data), [5.0, 6.0]);
}

/// Regression: with the recorded placements, the migration of a sentinel from a lost rank was missing.
#[test]
fn evacuations_are_the_same_for_recorded_and_carried_placements() {
    let mut objects = three(3);
    objects[2] = Object { is_sentinel: true, ..objects[2].clone() };
    let data = assumed(&lost(&[(1, 1)]), &data(3, &objects, &[]));
    let run = |placements| simulated(&data, placements, Schedule::Never, latency(0.5));
    let [recorded, carried] = [Placements::Recorded, Placements::Carried].map(run);
    let evacuated = |run: &Simulated| run.phases.iter().map(|phase| phase.evacuation).collect::<Vec<_>>();
    assert_eq!(evacuated(&recorded), evacuated(&carried));
    assert_eq!(recorded.phases[1].evacuation.unwrap().n_objects, 2);
    let moved = recorded.phases.iter().map(|phase| phase.recorded.map(|moved| moved.n_objects));
    assert_eq!(moved.collect::<Vec<_>>(), [None, Some(0), Some(0)]);
}

/// Rank 1 is lost after phase 0, in which rank 0 has less load than rank 2, so its object goes to rank 0.
/// Regression: the evacuation used the speeds and loads of phase 1, in which rank 0 is slow and an object of
/// rank 2 is absent.
#[test]
fn evacuation_does_not_use_the_next_phase() {
    let mut objects = [(0, 2.0), (1, 3.0), (2, 1.0)].map(|(rank, load)| object(rank, &[load; 2])).to_vec();
    objects.push(Object { loads: vec![Some(1.5), None], ..object(2, &[]) });
    let slowed = Slowed { rank: RankId(0), from_phase: PhaseId(1), to_phase: None, factor: 10.0 };
    let data = assumed(&Machine { slowed: vec![slowed], ..lost(&[(1, 1)]) }, &data(3, &objects, &[]));
    for placements in [Placements::Recorded, Placements::Carried] {
        let run = simulated(&data, placements, Schedule::Never, Costs::default());
        assert_eq!(run.phases.iter().map(|phase| phase.seconds).collect::<Vec<_>>(), [3.0, 50.0]);
    }
}

#[test]
fn ranks_lost_at_once_have_different_heirs() {
    let objects: Vec<Object> = (0..4).map(|rank| object(rank, &[4.0 - f64::from(rank); 2])).collect();
    let recorded = data(4, &objects, &[(0, -1, 4.0, 1), (0, -2, 2.0, 1)]);
    let data = assumed(&lost(&[(0, 1), (1, 1)]), &recorded);
    // Recorded ranks 2 and 3 have 2 and 1 s, and become ranks 0 and 1. The messages of lost rank 0 go to the
    // less loaded rank 1, those of lost rank 1 to rank 0.
    let edges: Vec<_> = data.phases()[1].communication().edges().map(|edge| (edge.1, edge.2.bytes)).collect();
    assert_eq!(edges, [(Vertex::Rank(RankId(0)), 2.0), (Vertex::Rank(RankId(1)), 4.0)]);
    // 4 s to the rank with 1 s, 3 s to the rank with 2 s.
    assert_eq!(loads(&data.phases()[1]), [5.0, 5.0]);
}

#[test]
fn a_rank_lost_from_the_start_needs_no_earlier_phase() {
    let recorded = data(3, &three(1), &[]);
    let without = assumed(&lost(&[(1, 0)]), &recorded);
    assert_eq!(loads(&without.phases()[0]), [5.0, 6.0]);
    let run = simulated(&without, Placements::Carried, Schedule::Never, latency(1.0));
    assert_eq!((run.parts(), run.phases[0].evacuation), ([6.0, 0.0, 0.0], None));
}

#[test]
fn new_objects_of_a_lost_rank_stay_on_the_rank_that_they_get() {
    let mut objects = three(4);
    objects.push(Object { loads: vec![None, None, Some(4.0), Some(4.0)], ..object(1, &[]) });
    let data = assumed(&lost(&[(1, 1)]), &data(3, &objects, &[]));
    // 5 | 1 + 3 + 2, and 4 s to the rank with 5 s.
    assert_eq!(
        data.phases().iter().skip(1).map(loads).collect::<Vec<_>>(),
        [[5.0, 6.0], [9.0, 6.0], [9.0, 6.0]]
    );
}

proptest! {
    #[test]
    fn all_load_is_on_remaining_ranks(data in random(), first in 0_u32..4, second in 0_u32..4, from in 0_u64..3) {
        let n_ranks = data.n_ranks() as u32;
        let (first, second) = (first % n_ranks, second % n_ranks);
        prop_assume!(first != second && n_ranks > 2);
        let from = from % data.phases().len() as u64;
        let left = assumed(&lost(&[(first, from), (second, 0)]), &data);
        for (before, after) in data.phases().iter().zip(left.phases()) {
            let gone = if before.id() >= PhaseId(from) { vec![first, second] } else { vec![second] };
            prop_assert_eq!(after.n_ranks(), data.n_ranks() - gone.len());
            prop_assert_eq!(&before.columns().load, &after.columns().load);
            // Objects of other ranks stay, under the new number of their rank.
            let mut names: Vec<u32> = (0..n_ranks).filter(|rank| ![first, second].contains(rank)).collect();
            names.push(if from == 0 { first.max(second) } else { first });
            for slot in before.slots() {
                let RankId(rank) = before.recorded_assignment().rank_of(slot);
                let now = after.recorded_assignment().rank_of(slot).index();
                if gone.contains(&rank) {
                    prop_assert!(now < after.n_ranks());
                } else {
                    prop_assert_eq!(names[now], rank);
                }
            }
        }
        // No simulated phase is faster than the mean load of the remaining ranks.
        for schedule in [Schedule::Never, Schedule::Every(1)] {
            let run = simulated(&left, Placements::Carried, schedule, latency(1.0));
            for (phase, time) in left.phases().iter().zip(&run.phases) {
                let mean = phase.columns().load.iter().sum::<f64>() / phase.n_ranks() as f64;
                prop_assert!(time.seconds >= mean * (1.0 - 1e-12));
            }
        }
    }

    #[test]
    fn phases_before_the_loss_of_the_last_rank_are_unchanged(data in random()) {
        prop_assume!(data.n_ranks() > 1);
        let last = data.n_ranks() as u32 - 1;
        let from = data.phases().len() as u64 - 1;
        let left = assumed(&lost(&[(last, from)]), &data);
        // The lost rank already has the highest number, so no rank is renumbered.
        for (before, after) in data.phases().iter().zip(left.phases()).take(from as usize) {
            prop_assert_eq!(facts(before), facts(after));
        }
    }
}
