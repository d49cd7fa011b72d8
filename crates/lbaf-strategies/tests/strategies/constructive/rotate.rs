// SPDX-License-Identifier: MIT OR Apache-2.0
//! `RotateLB` moves every migratable object by one rank.

use lbaf_model::LoadOnly;
use lbaf_strategies::{PhaseStepper, RotateLB};

use crate::made_phase::{Made, object, ranks, sentinel};

#[test]
fn every_object_goes_to_the_next_rank_and_from_the_last_rank_to_the_first() {
    let objects = vec![object(1.0, 0), object(2.0, 2), sentinel(3.0, 2), object(4.0, 1), object(0.0, 2)];
    let made = Made::of(3, objects);
    let turned =
        |made: &Made| ranks(&made.run(&RotateLB {}, &LoadOnly::default(), 0).unwrap().outcome.assignment);
    assert_eq!(turned(&made), [1, 0, 2, 2, 0]);
    let alone = Made::of(1, vec![object(1.0, 0)]);
    assert_eq!(turned(&alone), [0]);
}

#[test]
fn loads_rotate_with_the_objects() {
    let made = Made::of(4, (0..12).map(|at| object(f64::from(at), at % 4)).collect());
    let loads = |checked: lbaf_strategies::Checked| -> Vec<f64> {
        checked.totals.iter().map(|rank| rank.load).collect()
    };
    let before = loads(made.run(&PhaseStepper {}, &LoadOnly::default(), 0).unwrap());
    let mut after = loads(made.run(&RotateLB {}, &LoadOnly::default(), 0).unwrap());
    after.rotate_left(1);
    assert_eq!(before, [12.0, 15.0, 18.0, 21.0]);
    assert_eq!(after, before);
}
