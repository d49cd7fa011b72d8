// SPDX-License-Identifier: MIT OR Apache-2.0
//! Split objects.

use lbaf_model::{DataSet, Slot, Vertex};
use lbaf_study::{Machine, MachineError, Regrouped, Regrouping};
use proptest::prelude::*;

use super::made::{Object, assumed, data, object, random};

pub(super) fn split(n: u32, along: usize) -> Machine {
    Machine { objects: Some(Regrouping::Split { n, along }), ..Machine::default() }
}

#[test]
fn pieces_are_consecutive_and_send_to_corresponding_pieces() {
    let at = |rank: u32, index: &[i64]| Object { index: Some(index.to_vec()), ..object(rank, &[4.0]) };
    let sentinel = Object { is_sentinel: true, index: Some(vec![9, 9]), ..object(1, &[2.0]) };
    let objects = [at(0, &[3, 5]), at(1, &[-2, 0]), object(1, &[1.0]), sentinel];
    let recorded = data(2, &objects, &[(0, 1, 8.0, 3), (2, 0, 6.0, 1), (1, -1, 4.0, 2)]);
    let (data, differences) = split(2, 0).assumed(&recorded).unwrap();
    assert_eq!(
        differences.objects,
        Some(Regrouped { n_taken: 2, n_made: 4, n_without_index: 1, n_sentinels: 1, bytes_within: 0.0 })
    );
    let phase = &data.phases()[0];
    assert_eq!(phase.columns().load, [2.0, 2.0, 2.0, 2.0, 1.0, 2.0]);
    let place = |slot| phase.coordinates().unwrap().of(Slot(slot)).map(|place| place.1.to_vec());
    let places: Vec<_> = (0..6).map(place).collect();
    let at = |x, y| Some(vec![x, y]);
    assert_eq!(places, [at(6, 5), at(7, 5), at(-4, 0), at(-3, 0), None, at(9, 9)]);
    let end = |vertex| match vertex {
        Vertex::Object(Slot(slot)) => i64::from(slot),
        Vertex::Rank(rank) => -1 - i64::from(rank.0),
    };
    let edges: Vec<_> = (phase.communication().edges())
        .map(|(from, to, volume)| (end(from), end(to), volume.bytes, volume.messages))
        .collect();
    let expected =
        [(0, 2, 4.0, 3), (1, 3, 4.0, 3), (2, -1, 2.0, 2), (3, -1, 2.0, 2), (4, 0, 3.0, 1), (4, 1, 3.0, 1)];
    assert_eq!(edges, expected);
    // Before, each object has a footprint of 8 bytes and a working memory of 4 bytes.
    let memory = |slot| (phase.memory(Slot(slot)).footprint_bytes, phase.memory(Slot(slot)).working_bytes);
    assert_eq!([memory(0), memory(4), memory(5)], [(4.0, 2.0), (8.0, 4.0), (8.0, 4.0)]);
    let names: Vec<String> = data.keys().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["id 0", "id 0, piece 1", "id 1", "id 1, piece 1", "id 2", "id 3 of rank 1"]);
}

proptest! {
    #[test]
    fn merging_pieces_restores_the_original(data in random(), n in 1_u32..5, along in 0_usize..2) {
        let merge = Machine { objects: Some(Regrouping::Merge { n, along }), ..Machine::default() };
        let pieces = match split(n, along).assumed(&data) {
            Ok((pieces, _)) => pieces,
            // No object of the data has this dimension.
            Err(error) => {
                prop_assert!(matches!(error, MachineError::NoIndex { .. }), "{error}");
                return Ok(());
            }
        };
        let whole = assumed(&merge, &pieces);
        prop_assert_eq!(data.keys(), whole.keys());
        for (before, after) in data.phases().iter().zip(whole.phases()) {
            prop_assert_eq!(before.recorded_assignment(), after.recorded_assignment());
            prop_assert_eq!(&before.columns().migratable, &after.columns().migratable);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs();
            for slot in before.slots() {
                prop_assert_eq!(before.object(slot), after.object(slot));
                prop_assert!(near(before.load(slot), after.load(slot)));
                prop_assert!(near(before.memory(slot).footprint_bytes, after.memory(slot).footprint_bytes));
                prop_assert_eq!(before.memory(slot).block, after.memory(slot).block);
                let place = |phase: &lbaf_model::Phase| {
                    phase.coordinates().unwrap().of(slot).map(|(_, index)| index.to_vec())
                };
                prop_assert_eq!(place(before), place(after));
            }
            let edges = |phase: &lbaf_model::Phase| phase.communication().edges().collect::<Vec<_>>();
            let [before, after] = [before, after].map(edges);
            prop_assert_eq!(before.len(), after.len());
            for (before, after) in before.into_iter().zip(after) {
                prop_assert_eq!((before.0, before.1), (after.0, after.1));
                prop_assert!(near(before.2.bytes, after.2.bytes));
            }
        }
    }
}

/// Subphases 0 and 5: 1 and 3 s of the first object, 0 and 2 s of the second.
#[test]
fn pieces_share_the_time_in_every_subphase() {
    let at = |rank: u32, x: i64, load: f64| Object { index: Some(vec![x, 0]), ..object(rank, &[load]) };
    let recorded = data(2, &[at(0, 0, 4.0), at(1, 1, 2.0)], &[]);
    let times = [vec![(0, 1.0), (5, 3.0)], vec![(5, 2.0)]];
    let phase = recorded.phases()[0].clone().with_subphases(times.into_iter().collect()).unwrap();
    let recorded = DataSet::new(recorded.keys().to_vec(), 2, vec![phase]);
    let times = |data: &DataSet| -> Vec<Vec<(u32, f64)>> {
        let phase = &data.phases()[0];
        phase.slots().map(|slot| phase.subphases().unwrap().numbered(slot).collect()).collect()
    };
    let pieces = assumed(&split(2, 0), &recorded);
    assert_eq!(
        times(&pieces),
        [vec![(0, 0.5), (5, 1.5)], vec![(0, 0.5), (5, 1.5)], vec![(5, 1.0)], vec![(5, 1.0)]]
    );
    // Merging two consecutive pieces restores the two objects; merging four makes one object of all pieces.
    let merge = |n| Machine { objects: Some(Regrouping::Merge { n, along: 0 }), ..Machine::default() };
    assert_eq!(times(&assumed(&merge(2), &pieces)), times(&recorded));
    assert_eq!(times(&assumed(&merge(4), &pieces)), [[(0, 1.0), (5, 5.0)]]);
}
