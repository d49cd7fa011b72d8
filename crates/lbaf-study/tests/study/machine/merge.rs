// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merged objects.

use lbaf_model::{ObjectMemory, RankId, Slot, Volume};
use lbaf_study::{Machine, Regrouped, Regrouping};

use super::made::{Object, assumed, data, loads, object};

fn merge(n: u32) -> Machine {
    Machine { objects: Some(Regrouping::Merge { n, along: 0 }), ..Machine::default() }
}

fn at(rank: u32, index: &[i64], load: f64) -> Object {
    Object { index: Some(index.to_vec()), ..object(rank, &[load]) }
}

#[test]
fn consecutive_objects_merge_on_the_rank_with_most_load() {
    // In the first dimension, index -1 merges with -2, 0 with 1, and 2 stays alone. Objects that differ in
    // another dimension stay separate.
    let objects = [
        at(0, &[-2, 0], 1.0),
        at(1, &[-1, 0], 2.0),
        at(2, &[0, 0], 3.0),
        at(1, &[1, 0], 3.0),
        at(2, &[2, 0], 4.0),
        at(0, &[0, 1], 5.0),
    ];
    let messages =
        [(0, 1, 10.0, 1), (0, 2, 1.0, 1), (1, 3, 2.0, 2), (2, 1, 4.0, 4), (5, 2, 8.0, 1), (4, -1, 16.0, 1)];
    let (data, differences) = merge(2).assumed(&data(3, &objects, &messages)).unwrap();
    assert_eq!(
        differences.objects,
        Some(Regrouped { n_taken: 6, n_made: 4, n_without_index: 0, n_sentinels: 0, bytes_within: 10.0 })
    );
    let phase = &data.phases()[0];
    assert_eq!(phase.columns().load, [3.0, 6.0, 4.0, 5.0]);
    // 2 s on rank 1 are more than 1 s on rank 0; with equal loads on ranks 2 and 1, the merged object is on
    // the lower rank.
    assert_eq!(phase.recorded_assignment().as_slice(), [1, 1, 2, 0].map(RankId));
    let edges: Vec<Volume> = phase.communication().edges().map(|edge| edge.2).collect();
    let volume = |bytes, messages| Volume { bytes, messages };
    assert_eq!(edges, [volume(3.0, 3), volume(4.0, 4), volume(16.0, 1), volume(8.0, 1)]);
    let place = |slot| phase.coordinates().unwrap().of(Slot(slot)).unwrap().1.to_vec();
    assert_eq!([place(0), place(1), place(2), place(3)], [[-1, 0], [0, 0], [1, 0], [0, 1]]);
    let memory = ObjectMemory { footprint_bytes: 16.0, working_bytes: 4.0, ..ObjectMemory::default() };
    assert_eq!(*phase.memory(Slot(0)), memory);
}

#[test]
fn a_single_object_per_rank_cannot_be_balanced() {
    let objects: Vec<Object> = (0..8).map(|index| at(index / 4, &[i64::from(index)], 1.0)).collect();
    let data = assumed(&merge(4), &data(2, &objects, &[]));
    assert_eq!(data.n_objects(), 2);
    assert_eq!(loads(&data.phases()[0]), [4.0, 4.0]);
    let bound = lbaf_model::load_bound(&data.phases()[0]).work;
    assert_eq!(bound, 4.0);
    // One object in total: 8 s on the lower of two ranks.
    assert_eq!(loads(&assumed(&merge(8), &assumed(&merge(1), &data)).phases()[0]), [8.0, 0.0]);
}

#[test]
fn sentinels_and_objects_on_other_blocks_or_without_index_stay_separate() {
    let mut objects: Vec<Object> = (0..6).map(|index| at(0, &[index], 1.0)).collect();
    for object in &mut objects {
        object.loads.push(Some(2.0));
    }
    objects[0].loads[0] = None;
    objects[2].block = Some(0);
    objects[3].is_sentinel = true;
    objects[4].index = None;
    let (data, differences) = merge(8).assumed(&data(1, &objects, &[])).unwrap();
    // Objects 0, 1 and 5 are merged, although 0 is absent from phase 0. Object 2 is the only one with a
    // block, 3 is non-migratable, and 4 has no index.
    assert_eq!(
        differences.objects,
        Some(Regrouped { n_taken: 4, n_made: 2, n_without_index: 1, n_sentinels: 1, bytes_within: 0.0 })
    );
    assert_eq!(data.phases()[0].columns().load, [2.0, 1.0, 1.0, 1.0]);
    assert_eq!(data.phases()[1].columns().load, [6.0, 2.0, 2.0, 2.0]);
    assert_eq!(*data.phases()[1].columns().migratable, [true, true, false, true]);
}
