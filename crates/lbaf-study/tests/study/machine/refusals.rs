// SPDX-License-Identifier: MIT OR Apache-2.0
//! Invalid machines.

use lbaf_model::{PhaseId, RankId};
use lbaf_study::{FirstPlacement, Loss, Machine, Regrouping, Resize, Slowed};

use super::made::{Object, data, object};

fn resized(n_ranks: usize, ranks_per_node: Option<u32>) -> Machine {
    let ranks =
        Some(Resize { n_ranks: Some(n_ranks), first_placement: FirstPlacement::Fold, ranks_per_node });
    Machine { ranks, ..Machine::default() }
}

fn slowed(rank: u32, from: u64, to: Option<u64>, factor: f64) -> Machine {
    let slowed = Slowed { rank: RankId(rank), from_phase: PhaseId(from), to_phase: to.map(PhaseId), factor };
    Machine { slowed: vec![slowed], ..Machine::default() }
}

fn lost(ranks: &[(u32, u64)]) -> Machine {
    let lost = ranks.iter().map(|&(rank, from)| Loss { rank: RankId(rank), from_phase: PhaseId(from) });
    Machine { lost: lost.collect(), ..Machine::default() }
}

fn objects(objects: Regrouping) -> Machine {
    Machine { objects: Some(objects), ..Machine::default() }
}

#[test]
fn invalid_machines_are_refused_with_their_key() {
    let far = Object { index: Some(vec![i64::MAX / 2]), ..object(0, &[1.0, 1.0]) };
    let data = data(2, &[far, object(1, &[1.0, 1.0])], &[]);
    let refused = [
        (resized(0, None), "n_ranks: a machine has 1 up to 2^31 - 1 ranks, not 0"),
        (
            resized(usize::MAX, None),
            "n_ranks: a machine has 1 up to 2^31 - 1 ranks, not 18446744073709551615",
        ),
        (resized(2, Some(0)), "ranks_per_node: a node has 1 rank or more, not 0"),
        (slowed(2, 0, None, 2.0), "slowed.0.rank: there is no rank 2; the last rank of the machine is 1"),
        (
            slowed(1, 0, None, 0.0),
            "slowed.0.factor: must be a finite number above 0, not 0; 2 means half as fast",
        ),
        (
            slowed(1, 0, None, f64::NAN),
            "slowed.0.factor: must be a finite number above 0, not NaN; 2 means half as fast",
        ),
        (
            slowed(1, 7, Some(9), 2.0),
            "slowed.0.from_phase: no phase from 7 to 9 is in the data; the data have phases 0 to 1",
        ),
        (
            slowed(1, 1, Some(0), 2.0),
            "slowed.0.from_phase: no phase from 1 to 0 is in the data; the data have phases 0 to 1",
        ),
        (
            Machine { rank_alpha: [(RankId(1), -1.0)].into(), ..Machine::default() },
            "rank_alpha.1: must be a finite number above 0, not -1; 2 means half as fast",
        ),
        (
            Machine { rank_alpha: [(RankId(4), 1.0)].into(), ..Machine::default() },
            "rank_alpha.4: there is no rank 4; the last rank of the machine is 1",
        ),
        (lost(&[(1, 0), (5, 0)]), "lost.1.rank: there is no rank 5; the last rank of the machine is 1"),
        (lost(&[(1, 0), (1, 1)]), "lost.1.rank: rank 1 is already lost; a rank can be lost only once"),
        (lost(&[(1, 0), (0, 1)]), "lost: all 2 ranks are lost from phase 1 on; at least one must remain"),
        (
            lost(&[(1, 2)]),
            "lost.0.from_phase: no phase from 2 on is in the data; the data have phases 0 to 1",
        ),
        (
            objects(Regrouping::Split { n: 0, along: 0 }),
            "objects.split: the number must be 1 to 65535, not 0",
        ),
        (
            objects(Regrouping::Merge { n: 65536, along: 0 }),
            "objects.merge: the number must be 1 to 65535, not 65536",
        ),
        (
            objects(Regrouping::Split { n: 2, along: 1 }),
            "objects.split: no migratable object has an `index` with dimension 1 (counted from 0), so no object can be split",
        ),
        (
            objects(Regrouping::Merge { n: 2, along: 1 }),
            "objects.merge: no migratable object has an `index` with dimension 1 (counted from 0), so no object can be merged",
        ),
        (
            objects(Regrouping::Split { n: 3, along: 0 }),
            "objects.split: the index of id 0 is too large to split the object into 3 pieces",
        ),
    ];
    for (machine, expected) in refused {
        let error = machine.assumed(&data).unwrap_err();
        assert_eq!(format!("{}: {error}", error.key()), expected);
    }
    let overflow = slowed(1, 0, None, 1e308);
    let large = super::made::data(2, &[object(1, &[1e300])], &[]);
    assert_eq!(
        overflow.assumed(&large).unwrap_err().to_string(),
        "phase 0: the sum of loads times alpha is too large for a floating-point number"
    );
}

#[test]
fn objects_with_different_blocks_later_cannot_be_merged() {
    let at = |index: i64| Object { index: Some(vec![index]), ..object(0, &[1.0]) };
    let together = data(1, &[at(0), at(1)], &[]);
    let apart = data(1, &[at(0), Object { block: Some(0), ..at(1) }], &[]);
    let later = lbaf_model::PhaseColumns::clone(apart.phases()[0].columns());
    let later = lbaf_model::Phase::new(PhaseId(5), later).unwrap();
    let both =
        lbaf_model::DataSet::new(together.keys().to_vec(), 1, vec![together.phases()[0].clone(), later]);
    let error = objects(Regrouping::Merge { n: 2, along: 0 }).assumed(&both).unwrap_err();
    assert_eq!(
        error.to_string(),
        "phase 5: id 0 and id 1 work on different memory blocks, but first on the same block; objects on \
         different blocks cannot be merged"
    );
}

#[test]
fn rank_numbers_refer_to_the_assumed_machine() {
    let data = data(2, &[object(0, &[1.0]), object(1, &[1.0])], &[]);
    let larger = Machine { lost: vec![Loss { rank: RankId(3), from_phase: PhaseId(0) }], ..resized(4, None) };
    assert_eq!(larger.assumed(&data).unwrap().0.phases()[0].n_ranks(), 3);
    let smaller = Machine { rank_alpha: [(RankId(1), 2.0)].into(), ..resized(1, None) };
    assert_eq!(smaller.assumed(&data).unwrap_err().key(), "rank_alpha.1");
}
