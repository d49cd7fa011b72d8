// SPDX-License-Identifier: MIT OR Apache-2.0
//! On-rank volumes worked out by hand: two objects communicate with each other and with ranks.

use lbaf_model::{
    Assignment, Ccm, CcmParameters, OnRankVolume, Phase, RankId, Slot, Totals, Transfer, Vertex, View,
    rank_totals,
};

/// Builds a phase of two ranks with objects 0 and 1 on rank 0. Object 0 sends 4 bytes to object 1 and 10 to
/// rank 0. Rank 0 sends 3 bytes to object 1. Object 1 sends 7 bytes to rank 1. Messages of object 0 and of
/// rank 0 to themselves do not count.
fn phase() -> Phase {
    let [a, b] = [0, 1].map(|slot| Vertex::Object(Slot(slot)));
    let [here, there] = [0, 1].map(|rank| Vertex::Rank(RankId(rank)));
    let edges =
        [(a, b, 4.0), (a, here, 10.0), (here, b, 3.0), (b, there, 7.0), (a, a, 100.0), (here, here, 1000.0)];
    Phase::builder(2).objects([(0.0, 0); 2]).communications(edges).build().unwrap()
}

/// Checks the on-rank volumes of both ranks, by both definitions, with object 1 on the given rank: from
/// scratch and after a transfer.
#[track_caller]
fn check(of_object_1: u32, paper: [f64; 2], vt: [f64; 2]) {
    let phase = phase();
    let assignment = Assignment::new(vec![RankId(0), RankId(of_object_1)]);
    let mut moved = Totals::new(&phase, phase.recorded_assignment().clone());
    if of_object_1 == 1 {
        let [from, to] = [0, 1].map(RankId);
        moved.apply(&Transfer { from, to, objects: &[Slot(1)], returned: &[] });
    }
    for totals in [&rank_totals(&phase, &assignment)[..], moved.ranks()] {
        for (reading, expected) in [(OnRankVolume::Paper, paper), (OnRankVolume::Vt, vt)] {
            assert_eq!([0, 1].map(|rank| reading.of(&totals[rank])), expected, "{reading:?}");
            let parameters =
                CcmParameters { gamma: 0.5, on_rank_volume: reading, ..CcmParameters::default() };
            let model = Ccm::new(parameters).unwrap();
            let costs = [0, 1].map(|rank| moved.work(&model, RankId(rank)).cost());
            assert_eq!(costs, expected.map(|bytes| bytes / 2.0), "{reading:?}");
        }
    }
}

#[test]
fn both_definitions_count_messages_between_two_objects_on_a_rank() {
    // By the definition of vt, 4 + 10 bytes are sent on rank 0 and 4 + 3 are received there; the larger sum
    // counts.
    check(0, [4.0, 0.0], [14.0, 0.0]);
}

#[test]
fn only_vt_counts_messages_of_an_object_to_its_rank() {
    // The message from rank 0 to object 1 is now off-rank.
    check(1, [0.0, 0.0], [10.0, 7.0]);
}
