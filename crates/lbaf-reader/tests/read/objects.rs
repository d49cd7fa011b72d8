// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects and their memory.

use lbaf_model::{Block, ObjectKey, ObjectMemory, PhaseId, RankId};
use lbaf_reader::{Recorded, Request};
use serde_json::{Value, json};

use crate::data_set::{DataSet, sentinel, task};

fn blocks(recorded: &Recorded) -> Vec<Block> {
    recorded.data.phases()[0].blocks().to_vec()
}

fn block(id: u64, size_bytes: f64, home: u32) -> Block {
    Block { id, size_bytes, home: RankId(home) }
}

/// Returns a task with these memory quantities.
fn facts(id: u64, user_defined: &Value) -> Value {
    let mut task = task(id, 1.0);
    task["user_defined"] = user_defined.clone();
    task
}

fn of_tasks(ranks: &[Vec<Value>]) -> DataSet {
    DataSet::of_phase(&ranks.iter().map(|tasks| (json!(tasks), json!([]))).collect::<Vec<_>>())
}

#[test]
fn objects_are_distinguished_by_number_and_sentinels_also_by_rank() {
    let sequence = json!({"entity": {"seq_id": 3, "migratable": true}, "time": 4.0});
    let data =
        of_tasks(&[vec![sentinel(0, 0.25), task(7, 2.0)], vec![sequence, task(3, 1.0), sentinel(0, 0.5)]]);
    let recorded = data.read();
    let key = |is_sequence, number, rank: Option<u32>| ObjectKey::new(is_sequence, number, rank.map(RankId));
    let expected = [
        key(false, 0, Some(0)),
        key(false, 0, Some(1)),
        key(false, 3, None),
        key(false, 7, None),
        key(true, 3, None),
    ];
    assert_eq!(recorded.data.keys(), expected);
    let columns = recorded.data.phases()[0].columns();
    assert_eq!(columns.load, [0.25, 0.5, 1.0, 2.0, 4.0]);
    assert_eq!(columns.recorded.as_slice(), [0, 1, 1, 0, 1].map(RankId));
    assert_eq!(*columns.migratable, [false, false, true, true, true]);
}

#[test]
fn objects_have_coordinates_if_requested() {
    let element = |id: u64, collection: u64, index: &Value| {
        let mut task = task(id, 1.0);
        task["entity"]["collection_id"] = collection.into();
        task["entity"]["index"] = index.clone();
        task
    };
    let data = of_tasks(&[
        vec![element(7, 1, &json!([-4, 5])), sentinel(0, 1.0), element(9, 2, &json!([3]))],
        vec![element(3, 1, &json!([0, i64::MAX])), element(8, 1, &json!([1, 1]))],
    ]);
    assert_eq!(data.read().data.phases()[0].coordinates(), None);
    let recorded = data.read_as(&Request { coordinates: true, ..Request::default() }).unwrap();
    let phase = &recorded.data.phases()[0];
    let coordinates = phase.coordinates().unwrap();
    let found: Vec<_> = phase.slots().map(|slot| coordinates.of(slot)).collect();
    // By key: the sentinel 0, then 3, 7, 8, 9.
    let expected: [Option<(usize, &[i64])>; 5] =
        [None, Some((0, &[0, i64::MAX])), Some((0, &[-4, 5])), Some((0, &[1, 1])), Some((1, &[3]))];
    assert_eq!(found, expected);
    assert_eq!(
        coordinates.spaces().iter().map(|space| space.collection).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
}

#[test]
fn an_object_with_two_tasks_is_refused_with_both_places() {
    let data = of_tasks(&[vec![task(7, 1.0)], vec![task(3, 1.0), task(7, 1.0)]]);
    let about = "d.1.json: phase 0: the object with id 7 has two tasks: task 0 of d.0.json and task 1 of \
                 d.1.json";
    assert_eq!(data.error(), about);
    let data = of_tasks(&[vec![sentinel(1, 1.0), sentinel(1, 1.0)]]);
    let about = "d.0.json: phase 0: the object with id 1 of rank 0 has two tasks: task 0 of d.0.json and \
                 task 1 of d.0.json";
    assert_eq!(data.error(), about);
}

#[test]
fn objects_keep_their_index_from_phase_to_phase() {
    let phase = |id: u64, tasks: &[Value]| json!({"id": id, "tasks": tasks});
    let data = DataSet::new(&[
        json!({"phases": [phase(0, &[task(7, 1.0)]), phase(1, &[task(3, 2.0), task(11, 3.0)])]}),
        json!({"phases": [phase(0, &[task(11, 4.0)]), phase(1, &[task(7, 5.0)])]}),
    ]);
    let recorded = data.read();
    assert_eq!(recorded.data.n_objects(), 3);
    let loads = |id: u64| -> Vec<(u64, f64)> {
        let phase = recorded.data.phase(PhaseId(id)).unwrap();
        phase.slots().map(|slot| (recorded.data.key(phase.object(slot)).number, phase.load(slot))).collect()
    };
    assert_eq!(loads(0), [(7, 1.0), (11, 4.0)]);
    assert_eq!(loads(1), [(3, 2.0), (7, 5.0), (11, 3.0)]);
}

#[test]
fn sizes_are_stored_in_their_columns() {
    let memory = json!({"task_footprint_bytes": 1, "task_working_bytes": 2, "task_serialized_bytes": 3});
    let recorded = of_tasks(&[vec![facts(3, &memory), task(7, 1.0)]]).read();
    let sized = ObjectMemory { footprint_bytes: 1.0, working_bytes: 2.0, serialized_bytes: 3.0, block: None };
    let memory = recorded.data.phases()[0].columns().memory.iter();
    assert!(memory.eq(&[sized, ObjectMemory::default()]));
}

#[test]
fn a_block_has_its_stated_home() {
    let at = |home: u32| json!({"shared_id": 4, "shared_bytes": 9, "home_rank": home});
    let data = of_tasks(&[vec![facts(3, &at(2))], vec![facts(7, &at(2))], vec![]]);
    assert_eq!(blocks(&data.read()), [block(4, 9.0, 2)]);
    // A home stated by any rank counts.
    let silent = json!({"shared_id": 4, "shared_bytes": 9});
    let data = of_tasks(&[vec![facts(3, &silent)], vec![facts(7, &at(1))]]);
    assert_eq!(blocks(&data.read()), [block(4, 9.0, 1)]);
}

#[test]
fn the_home_of_a_block_is_the_first_holder_if_not_stated() {
    let of = |id: u64| json!({"shared_id": id, "shared_bytes": id});
    let data = of_tasks(&[
        vec![facts(3, &of(8))],
        vec![facts(7, &of(5)), facts(11, &of(8))],
        vec![facts(15, &of(5))],
    ]);
    let recorded = data.read();
    // Ascending by number.
    assert_eq!(blocks(&recorded), [block(5, 5.0, 1), block(8, 8.0, 0)]);
    let columns = recorded.data.phases()[0].columns();
    let of_objects: Vec<u64> =
        columns.memory.iter().map(|memory| columns.blocks[memory.block.unwrap().index()].id).collect();
    assert_eq!(of_objects, [8, 5, 8, 5]);
    assert_eq!(recorded.findings.warnings, [""; 0]);
}

#[test]
fn the_largest_of_different_sizes_counts_with_a_warning() {
    let of = |bytes: u32| json!({"shared_id": 4, "shared_bytes": bytes, "home_rank": 0});
    let recorded = of_tasks(&[vec![facts(3, &of(5))], vec![facts(7, &of(8)), facts(11, &of(6))]]).read();
    assert_eq!(blocks(&recorded), [block(4, 8.0, 0)]);
    let about = "phase 0: tasks state different sizes or homes of the same memory block (number of such blocks: 1); using the largest size and the first home";
    assert_eq!(recorded.findings.warnings, [about]);
}

#[test]
fn a_home_beyond_the_last_rank_is_refused() {
    let data = of_tasks(&[vec![], vec![facts(3, &json!({"shared_id": 4, "home_rank": 2}))]]);
    assert_eq!(data.error(), "d.1.json: phase 0: block 4 has `home_rank` 2, but the last rank is 1");
}

/// 262147 = (1 << 18) | (0 << 2) | 3, with sequence number 1 and home 0.
#[test]
fn a_home_that_differs_from_the_id_is_a_warning() {
    let mut moved = task(262_147, 1.0);
    moved["entity"]["home"] = json!(1);
    let recorded = of_tasks(&[vec![moved], vec![]]).read();
    assert_eq!(
        recorded.findings.warnings,
        ["phase 0: tasks whose `home` differs from the home in their id: 1"]
    );
}

/// Returns the numbers of the objects of two ranks in the order of the model.
fn order(first: &[u64], second: &[u64], sequences: bool) -> Vec<u64> {
    let kind = if sequences { "seq_id" } else { "id" };
    let record = |number: &u64| json!({"entity": {kind: number, "migratable": true}, "time": 1.0});
    let tasks = |numbers: &[u64]| numbers.iter().map(record).collect::<Vec<Value>>();
    let recorded = of_tasks(&[tasks(first), tasks(second)]).read();
    recorded.data.keys().iter().map(|key| key.number).collect()
}

#[test]
fn objects_ascend_for_any_numbers() {
    for sequences in [false, true] {
        assert_eq!(order(&[], &[], sequences), [0_u64; 0]);
        assert_eq!(order(&[u64::MAX], &[], sequences), [u64::MAX]);
        assert_eq!(order(&[u64::MAX, 1], &[0, u64::MAX - 1], sequences), [0, 1, u64::MAX - 1, u64::MAX]);
        assert_eq!(
            order(&[u64::MAX - 1], &[u64::MAX, u64::MAX - 2], sequences),
            [u64::MAX - 2, u64::MAX - 1, u64::MAX]
        );
        // More than one bucket, and unevenly distributed numbers.
        let odd: Vec<u64> = (0..700).map(|n| (n * 7919 % 700) * 2 + 1).collect();
        let even: Vec<u64> = (0..700).map(|n| ((n * 104_729 % 700) * 2) << (n % 40)).collect();
        let mut expected: Vec<u64> = odd.iter().chain(&even).copied().collect();
        expected.sort_unstable();
        expected.dedup();
        let distinct: std::collections::BTreeSet<u64> = even.iter().copied().collect();
        let even: Vec<u64> = distinct.into_iter().rev().collect();
        assert_eq!(order(&odd, &even, sequences), expected);
    }
}

#[test]
fn the_same_sentinel_on_every_rank_is_a_separate_object_on_each() {
    let n_ranks = 100;
    let ranks: Vec<Vec<Value>> = (0..n_ranks).map(|_| vec![sentinel(5, 1.0)]).collect();
    let recorded = of_tasks(&ranks).read();
    let of_rank = |rank: u32| ObjectKey::new(false, 5, Some(RankId(rank)));
    assert!(recorded.data.keys().iter().copied().eq((0..n_ranks).map(of_rank)));
}
