// SPDX-License-Identifier: MIT OR Apache-2.0
//! `PrescribedPermutation` follows its permutation exactly, or reports an error.

use std::sync::Arc;

use lbaf_model::{LoadOnly, Phase, RankId};
use lbaf_strategies::{
    Checked, Context, NoObserver, Ordering, Permutation, PermutationFile, PrescribedMigration,
    PrescribedPermutation, Problem, Strategy, StrategyError, TemperedLB, run,
};

use crate::made_phase::{Made, object, ranks, sentinel};

/// Places objects 10, 11, 12 (non-migratable) and 13.
fn placed(permutation: Permutation) -> Result<Checked, StrategyError> {
    let made = Made::of(3, vec![object(1.0, 0), object(2.0, 0), sentinel(3.0, 1), object(4.0, 2)]);
    made.run(&PrescribedPermutation { permutation }, &LoadOnly::default(), 0)
}

fn told(permutation: &[(u64, u32)]) -> Result<Checked, StrategyError> {
    placed(permutation.iter().copied().collect())
}

fn listed(ranks: &[(u32, &[u64])]) -> Result<Checked, StrategyError> {
    placed(Permutation::Objects(ranks.iter().map(|&(rank, objects)| (rank, objects.to_vec())).collect()))
}

/// Places objects by a file with migrations of phase 3, from line 2 on.
fn moved(migrations: &[(u64, Option<u32>, u32)]) -> Result<Checked, StrategyError> {
    let migration = |(line, &(number, from, to)): (u64, &(u64, Option<u32>, u32))| PrescribedMigration {
        number,
        is_sequence: None,
        from: from.map(RankId),
        to: RankId(to),
        line,
    };
    let content = Permutation::Migrations([(3, (2..).zip(migrations).map(migration).collect())].into());
    let content = Some(Arc::new(content));
    placed(Permutation::File(PermutationFile { path: "moves.csv".to_owned(), content }))
}

#[track_caller]
fn check_refused(result: Result<Checked, StrategyError>, about: &str, expected: &str) {
    match result.unwrap_err() {
        StrategyError::Parameter { key, message, .. } => {
            assert_eq!((&key[..], &message[..]), (about, expected));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_object_goes_where_it_is_sent() {
    let placed = told(&[(10, 2), (11, 1), (13, 0)]).unwrap();
    assert_eq!(ranks(&placed.outcome.assignment), [2, 1, 1, 0]);
}

#[test]
fn a_permutation_can_list_the_objects_of_each_rank() {
    let placed = listed(&[(0, &[13]), (1, &[12, 11]), (2, &[10])]).unwrap();
    assert_eq!(ranks(&placed.outcome.assignment), [2, 1, 1, 0]);
    let placed = listed(&[(0, &[13]), (1, &[11]), (2, &[10])]).unwrap();
    assert_eq!(ranks(&placed.outcome.assignment), [2, 1, 1, 0]);
}

#[test]
fn objects_without_a_migration_stay() {
    assert_eq!(ranks(&moved(&[(11, Some(0), 1)]).unwrap().outcome.assignment), [0, 1, 1, 2]);
    assert_eq!(ranks(&moved(&[(13, None, 0), (10, None, 2)]).unwrap().outcome.assignment), [2, 0, 1, 0]);
    assert_eq!(ranks(&moved(&[]).unwrap().outcome.assignment), [0, 0, 1, 2]);
    let other_phase = Permutation::Migrations([(4, Vec::new())].into());
    assert_eq!(ranks(&placed(other_phase).unwrap().outcome.assignment), [0, 0, 1, 2]);
}

#[test]
fn a_rank_that_does_not_exist_is_refused() {
    let message = "object 11 is sent to rank 3, but the last rank of phase 3 is 2";
    check_refused(told(&[(10, 2), (11, 3), (13, 0)]), "permutation.11", message);
    check_refused(listed(&[(2, &[10]), (3, &[11, 13])]), "permutation.3", message);
    check_refused(
        moved(&[(10, None, 2), (11, None, 3)]),
        "permutation",
        &format!("moves.csv: line 3: {message}"),
    );
}

#[test]
fn objects_that_are_left_out_are_counted() {
    let message =
        "all 3 migratable objects of phase 3 must be listed, but the list lacks 2 of them; the first is 10";
    check_refused(told(&[(11, 0)]), "permutation", message);
    // The non-migratable object is not counted.
    check_refused(listed(&[(0, &[11]), (1, &[12])]), "permutation", message);
}

#[test]
fn absent_objects_are_refused() {
    let message =
        "2 of the 5 listed objects cannot be placed in phase 3; the first is 9, which does not exist";
    check_refused(told(&[(9, 0), (10, 2), (11, 1), (13, 0), (20, 0)]), "permutation.9", message);
    check_refused(listed(&[(0, &[9, 13]), (1, &[11, 20]), (2, &[10])]), "permutation.0", message);
    check_refused(
        moved(&[(11, None, 1), (20, None, 0)]),
        "permutation",
        "moves.csv: line 3: object 20 does not exist in phase 3",
    );
}

/// Regression: the message named the object that was left out, and not the misspelt one.
#[test]
fn a_misspelt_object_is_named_with_the_object_that_is_left_out() {
    check_refused(
        told(&[(7, 1), (10, 2), (13, 0)]),
        "permutation.7",
        "1 of the 3 listed objects cannot be placed in phase 3; the first is 7, which does not exist; of the 3 \
         migratable objects, the list lacks 1; the first is 11",
    );
    check_refused(
        listed(&[(0, &[1]), (1, &[2])]),
        "permutation.0",
        "2 of the 2 listed objects cannot be placed in phase 3; the first is 1, which does not exist; of the 3 \
         migratable objects, the list lacks 3; the first is 10; the permutation may belong to a different data set",
    );
}

#[test]
fn an_empty_permutation_is_refused() {
    let message =
        "all 3 migratable objects of phase 3 must be listed, but the list lacks 3 of them; the first is 10";
    check_refused(told(&[]), "permutation", message);
    check_refused(listed(&[(0, &[]), (1, &[12])]), "permutation", message);
}

#[test]
fn an_object_that_is_listed_twice_is_not_reported_as_absent() {
    let message = "1 of the 4 listed objects cannot be placed in phase 3; the first is 11, which is listed more than once";
    check_refused(listed(&[(0, &[11, 13]), (1, &[11]), (2, &[10])]), "permutation.1", message);
    check_refused(
        moved(&[(11, None, 1), (11, None, 0)]),
        "permutation",
        "moves.csv: line 3: object 11 is listed more than once in phase 3",
    );
}

#[test]
fn non_migratable_objects_are_refused_except_in_the_list_of_their_own_rank() {
    let message =
        "1 of the 4 listed objects cannot be placed in phase 3; the first is 12, which is not migratable";
    check_refused(told(&[(10, 2), (11, 1), (12, 1), (13, 0)]), "permutation.12", message);
    check_refused(listed(&[(0, &[13, 12]), (1, &[11]), (2, &[10])]), "permutation.0", message);
    check_refused(
        moved(&[(12, None, 1)]),
        "permutation",
        "moves.csv: line 2: object 12 is not migratable in phase 3",
    );
}

#[test]
fn migrations_from_another_placement_are_refused() {
    check_refused(
        moved(&[(11, Some(2), 1)]),
        "permutation",
        "moves.csv: line 2: object 11 is on rank 0 in phase 3, not on rank 2",
    );
}

#[test]
fn an_unread_file_is_refused() {
    let file = PermutationFile { path: "moves.csv".to_owned(), content: None };
    check_refused(placed(Permutation::File(file)), "permutation", "moves.csv: the file has not been read");
}

/// Regression: without keys, `PrescribedPermutation` and the order `element_id` of gossip panicked.
#[test]
fn objects_without_keys_have_their_index_as_number() {
    let phase = Phase::builder(2).objects([(1.0, 0), (2.0, 0)]).build().unwrap();
    let model = LoadOnly::default();
    let problem = Problem::recorded(&phase, &model, &[]);
    let moved = PrescribedPermutation { permutation: [(0, 1), (1, 0)].into_iter().collect() };
    let by_id = TemperedLB { ordering: Ordering::ElmId, ..TemperedLB::default() };
    let strategies: [&dyn Strategy; 2] = [&moved, &by_id];
    let placed = strategies.map(|strategy| {
        let checked = run(strategy, &problem, &mut Context::new(0, 0, &mut NoObserver)).unwrap();
        checked.outcome.assignment
    });
    assert_eq!(placed[0].as_slice(), [RankId(1), RankId(0)]);
}
