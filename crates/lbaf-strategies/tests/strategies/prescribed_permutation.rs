// SPDX-License-Identifier: MIT OR Apache-2.0
//! `PrescribedPermutation` does what it is told, and says exactly why it cannot.

use lbaf_model::LoadOnly;
use lbaf_strategies::{Checked, PrescribedPermutation, StrategyError};

use crate::made_phase::{Made, object, ranks, sentinel};

/// Objects 10, 11 and 13 may move, 12 may not.
fn told(permutation: &[(u64, u32)]) -> Result<Checked, StrategyError> {
    let made = Made::of(3, vec![object(1.0, 0), object(2.0, 0), sentinel(3.0, 1), object(4.0, 2)]);
    let strategy = PrescribedPermutation { permutation: permutation.iter().copied().collect() };
    made.run(&strategy, &LoadOnly::default(), 0)
}

#[track_caller]
fn check_refused(permutation: &[(u64, u32)], message: &str) {
    assert_eq!(told(permutation).unwrap_err().to_string(), message);
}

#[test]
fn every_object_goes_where_it_is_sent() {
    let placed = told(&[(10, 2), (11, 1), (13, 0)]).unwrap();
    assert_eq!(ranks(&placed.outcome.assignment), [2, 1, 1, 0]);
}

#[test]
fn a_rank_that_does_not_exist_is_refused() {
    check_refused(
        &[(10, 2), (11, 3), (13, 0)],
        "PrescribedPermutation: object 11 is sent to rank 3, but phase 3 has 3 ranks (0 to 2)",
    );
}

#[test]
fn objects_that_are_left_out_are_counted() {
    check_refused(
        &[(11, 0)],
        "PrescribedPermutation: `permutation` leaves out 2 of the objects of phase 3, the first of them 10",
    );
}

#[test]
fn objects_that_are_not_there_are_refused() {
    check_refused(
        &[(9, 0), (10, 2), (11, 1), (13, 0), (20, 0)],
        "PrescribedPermutation: `permutation` names objects that phase 3 has not or that may not migrate: 2 of \
         them, the first 9",
    );
}

#[test]
fn objects_that_may_not_migrate_are_refused_even_in_their_place() {
    check_refused(
        &[(10, 2), (11, 1), (12, 1), (13, 0)],
        "PrescribedPermutation: `permutation` names objects that phase 3 has not or that may not migrate: 1 of \
         them, the first 12",
    );
}
