// SPDX-License-Identifier: MIT OR Apache-2.0
//! `OfflineLB` with maps of all objects of a phase, some objects, other objects, or another phase.

use std::collections::BTreeMap;
use std::sync::Arc;

use lbaf_model::{LoadOnly, RankId};
use lbaf_strategies::{
    Checked, OfflineLB, OfflineMap, Permutation, PermutationFile, PrescribedMigration, StrategyError,
};

use crate::made_phase::{Made, object, ranks, sentinel};

/// Returns phase 3: objects 10, 11 (non-migratable) and 12 on rank 0, and 13 on rank 1.
fn made() -> Made {
    Made::of(3, vec![object(1.0, 0), sentinel(1.0, 0), object(1.0, 0), object(1.0, 1)])
}

fn run(content: Permutation) -> Result<Checked, StrategyError> {
    let map = Some(OfflineMap::Path("moves".to_owned()));
    let offline = OfflineLB { map, content: Some(Arc::new(content)) };
    made().run(&offline, &LoadOnly::default(), 0)
}

/// Asserts placement and notes.
#[track_caller]
fn check(content: Permutation, expected: [u32; 4], notes: &[&str]) {
    let outcome = run(content).unwrap().outcome;
    assert_eq!(
        (ranks(&outcome.assignment), outcome.notes),
        (expected.to_vec(), notes.iter().map(|&note| note.to_owned()).collect())
    );
}

fn migration(number: u64, from: Option<u32>, to: u32, line: u64) -> PrescribedMigration {
    PrescribedMigration { number, is_sequence: Some(false), from: from.map(RankId), to: RankId(to), line }
}

fn table(phase: u64, migrations: &[PrescribedMigration]) -> Permutation {
    Permutation::Migrations(BTreeMap::from([(phase, migrations.to_vec())]))
}

#[test]
fn a_whole_map_is_followed() {
    check(Permutation::Ranks([(10, 2), (12, 1), (13, 0)].into()), [2, 0, 1, 0], &[]);
    // The map has the non-migratable object 11 on its rank.
    check(Permutation::Objects([(0, vec![11, 13]), (1, vec![12]), (2, vec![10])].into()), [2, 0, 1, 0], &[]);
    let content = Some(Arc::new(Permutation::Ranks([(10, 2), (12, 1), (13, 0)].into())));
    check(Permutation::File(PermutationFile { path: "moves".to_owned(), content }), [2, 0, 1, 0], &[]);
}

#[test]
fn objects_absent_from_the_map_stay_and_are_counted() {
    check(
        Permutation::Ranks([(12, 2)].into()),
        [0, 0, 2, 1],
        &["phase 3: 2 of 3 migratable objects are not in the map and stay"],
    );
    // Maps from data sets have no line numbers.
    check(
        table(3, &[migration(12, None, 2, 0), migration(13, None, 1, 0)]),
        [0, 0, 2, 1],
        &["phase 3: 1 of 3 migratable objects are not in the map and stay"],
    );
    // Tables of migrations need not list all objects.
    check(table(3, &[migration(12, Some(0), 2, 2)]), [0, 0, 2, 1], &[]);
}

#[test]
fn entries_for_absent_or_non_migratable_objects_are_counted() {
    check(
        Permutation::Ranks([(10, 0), (11, 2), (12, 2), (13, 1), (99, 1)].into()),
        [0, 0, 2, 1],
        &[
            "phase 3: 2 of 5 objects in the map are ignored: they are not in the phase, not migratable, or listed more than once",
        ],
    );
}

#[test]
fn an_empty_map_is_refused() {
    for map in [Permutation::Ranks([].into()), Permutation::Objects([(0, Vec::new())].into())] {
        match run(map).unwrap_err() {
            StrategyError::Parameter { key, message, .. } => {
                assert_eq!((&key[..], &message[..]), ("map", "moves: the map is empty"));
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_phase_absent_from_the_map_stays() {
    check(
        table(2, &[migration(12, None, 2, 0)]),
        [0, 0, 0, 1],
        &["the map has no placement for phase 3, so every object stays"],
    );
}

/// `id` and `seq_id` can be the same number.
#[test]
fn an_entry_of_another_kind_of_number_does_not_match() {
    let other = PrescribedMigration { is_sequence: Some(true), ..migration(12, None, 1, 0) };
    check(
        table(3, &[other, migration(12, None, 2, 0), migration(10, None, 0, 0), migration(13, None, 1, 0)]),
        [0, 0, 2, 1],
        &[
            "phase 3: 1 of 4 objects in the map are ignored: they are not in the phase, not migratable, or listed more than once",
        ],
    );
}

#[test]
fn maps_of_other_data_and_unread_maps_are_refused() {
    let error = |content| run(content).unwrap_err().to_string();
    assert_eq!(
        error(Permutation::Ranks([(1, 0), (2, 0)].into())),
        "OfflineLB: `map`: moves: the map contains no migratable object of phase 3; it may belong to a \
         different data set"
    );
    assert_eq!(
        error(Permutation::Ranks([(10, 3)].into())),
        "OfflineLB: `map`: moves: object 10 is sent to rank 3, but the last rank of phase 3 is 2"
    );
    assert_eq!(
        error(table(3, &[migration(12, Some(1), 2, 7)])),
        "OfflineLB: `map`: moves: line 7: object 12 is on rank 0 in phase 3, not on rank 1"
    );
    let unread = made().run(&OfflineLB::default(), &LoadOnly::default(), 0).unwrap_err();
    assert_eq!(unread.to_string(), "OfflineLB: `map`: the map has not been read");
}
