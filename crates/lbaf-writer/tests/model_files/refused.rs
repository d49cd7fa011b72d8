// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models that files cannot hold, with each error.

use lbaf_model::{
    Block, BlockIdx, Communication, DataSet, NodeId, Object, ObjectKey, ObjectMemory, Phase, PhaseBuilder,
    PhaseId, Rank, RankId, Subphases, Vertex,
};
use lbaf_vom::packed_id;
use lbaf_writer::{ModelFiles, ModelFilesError};

fn error(data: &DataSet) -> ModelFilesError {
    ModelFiles::new(data).unwrap_err()
}

/// Key with a sequence number.
fn key(number: u64) -> ObjectKey {
    ObjectKey::new(true, number, None)
}

/// Phase 3 with an object on each of two ranks.
fn two() -> PhaseBuilder {
    Phase::builder(2).id(PhaseId(3)).objects([(1.0, 0), (1.0, 1)])
}

/// Model of one phase, with objects 5 and 6.
fn of_phase(phase: PhaseBuilder) -> DataSet {
    DataSet::new(vec![key(5), key(6)], 2, vec![phase.build().unwrap()])
}

/// Model of two ranks with one object with this key, on rank 1.
fn of_object(key: ObjectKey, migratable: bool) -> DataSet {
    let object = Object { migratable, ..Object::new(1.0, RankId(1)) };
    DataSet::new(vec![key], 2, vec![Phase::builder(2).objects([object]).build().unwrap()])
}

#[test]
fn a_model_without_ranks_or_with_lost_ranks() {
    assert_eq!(error(&DataSet::new(Vec::new(), 0, Vec::new())), ModelFilesError::NoRanks);
    let data = DataSet::new(vec![key(5), key(6)], 3, vec![two().build().unwrap()]);
    assert_eq!(error(&data), ModelFilesError::Ranks { phase: PhaseId(3), n_ranks: 2, n_all: 3 });
    assert_eq!(error(&data).to_string(), "phase 3 has 2 of 3 ranks; files have all ranks in every phase");
}

#[test]
fn phase_numbers_beyond_the_limit() {
    let last = 1 << 62;
    assert!(ModelFiles::new(&of_phase(two().id(PhaseId(last)))).is_ok());
    let phase = PhaseId(last + 1);
    assert_eq!(error(&of_phase(two().id(phase))), ModelFilesError::PhaseNumber { phase });
}

#[test]
fn ranks_that_change_between_phases() {
    let later = |ranks: [(f64, u32); 2]| {
        let ranks = ranks.map(|(alpha, node)| Rank { alpha, node: NodeId(node), working_bytes: 8.0 });
        let phases = vec![two().build().unwrap(), two().id(PhaseId(7)).ranks(ranks).build().unwrap()];
        DataSet::new(vec![key(5), key(6)], 2, phases)
    };
    assert!(ModelFiles::new(&later([(1.0, 0), (1.0, 1)])).is_ok());
    let (rank, phase) = (RankId(1), PhaseId(7));
    let alpha = error(&later([(1.0, 0), (2.0, 1)]));
    assert_eq!(alpha, ModelFilesError::Alpha { rank, phase, first: 1.0, other: 2.0 });
    assert_eq!(
        alpha.to_string(),
        "rank 1 has alpha 1 in the first phase and 2 in phase 7; files hold one alpha for all phases"
    );
    assert_eq!(error(&later([(1.0, 0), (1.0, 0)])), ModelFilesError::Node { rank, phase });
}

#[test]
fn pieces_of_objects() {
    let object = key(5).piece(2);
    assert_eq!(error(&of_object(object, true)), ModelFilesError::Piece { object });
    assert_eq!(
        error(&of_object(object, true)).to_string(),
        "the object with seq_id 5, piece 2 is part of a split object; give it a number of its own"
    );
}

#[test]
fn objects_without_a_task() {
    let data = DataSet::new(vec![key(5), key(6), key(9)], 2, vec![two().build().unwrap()]);
    assert_eq!(error(&data), ModelFilesError::NoTask { object: key(9) });
}

#[test]
fn keys_that_contradict_the_rank_or_the_migratability() {
    let phase = PhaseId(0);
    let on = |rank| ObjectKey::new(true, 5, Some(RankId(rank)));
    assert!(ModelFiles::new(&of_object(on(1), false)).is_ok());
    let rank = RankId(1);
    assert_eq!(
        error(&of_object(key(5), false)),
        ModelFilesError::SentinelWithoutRank { phase, object: key(5), rank }
    );
    assert_eq!(
        error(&of_object(on(0), false)),
        ModelFilesError::SentinelElsewhere { phase, object: on(0), rank }
    );
    assert_eq!(error(&of_object(on(1), true)), ModelFilesError::MigratableWithRank { phase, object: on(1) });
}

#[test]
fn ids_that_are_not_packed() {
    let object = |number, rank: Option<u32>| ObjectKey::new(false, number, rank.map(RankId));
    // The lowest bits are 3 for a migratable object.
    for number in [0, 1, 2, 4, packed_id(1, 0, false)] {
        let object = object(number, None);
        assert_eq!(error(&of_object(object, true)), ModelFilesError::PackedMigratable { object });
    }
    let sentinel = object(packed_id(1, 0, true), Some(1));
    assert_eq!(error(&of_object(sentinel, false)), ModelFilesError::PackedMigratable { object: sentinel });
    for number in [0, 1, 2, 4, packed_id(1, 0, false)] {
        assert!(ModelFiles::new(&of_object(object(number, Some(1)), false)).is_ok());
    }
    let distant = object(packed_id(1, 2, true), None);
    let wrong = error(&of_object(distant, true));
    assert_eq!(wrong, ModelFilesError::PackedHome { object: distant, home: 2, n_ranks: 2 });
    assert_eq!(
        wrong.to_string(),
        "the home packed into id 262155 is rank 2, but the last rank is 1; use sequence numbers, or ids as vt packs \
         them"
    );
}

#[test]
fn migratable_sequence_numbers_without_a_collection() {
    let index = [4_i64];
    let with = |collection: Option<u64>| {
        two().coordinates([Some((Some(7), &index[..])), Some((collection, &index[..]))].into_iter().collect())
    };
    assert!(ModelFiles::new(&of_phase(with(Some(8)))).is_ok());
    let (phase, object) = (PhaseId(3), key(6));
    assert_eq!(error(&of_phase(with(None))), ModelFilesError::NoCollection { phase, object });
}

#[test]
fn blocks_that_no_object_uses_or_with_the_same_number() {
    let block = |id, size_bytes| Block { id, size_bytes, home: RankId(0) };
    let using = |block| {
        let memory = ObjectMemory { block: Some(BlockIdx(block)), ..ObjectMemory::default() };
        Object { memory, ..Object::new(1.0, RankId(0)) }
    };
    let builder = || Phase::builder(2).blocks([block(8, 1.0), block(9, 2.0)]);
    let phase = PhaseId(0);
    assert_eq!(
        error(&of_phase(builder().objects([using(0), using(0)]))),
        ModelFilesError::UnusedBlock { phase, block: 9 }
    );
    let same = Phase::builder(2).blocks([block(8, 1.0), block(8, 1.0)]).objects([using(0), using(1)]);
    assert_eq!(error(&of_phase(same)), ModelFilesError::SameBlock { phase, block: 8 });
}

#[test]
fn communication_between_ranks() {
    let edge = |from, to| Communication::from((Vertex::Rank(RankId(from)), Vertex::Rank(RankId(to)), 8.0));
    let (from, to) = (RankId(1), RankId(0));
    assert_eq!(
        error(&of_phase(two().communications([edge(1, 0)]))),
        ModelFilesError::RankToRank { phase: PhaseId(3), from, to }
    );
}

#[test]
fn two_times_in_one_subphase() {
    let rows =
        |second: [(u32, f64); 2]| -> Subphases { [vec![(0, 1.0)], second.to_vec()].into_iter().collect() };
    assert!(ModelFiles::new(&of_phase(two().subphases(rows([(4, 0.5), (0, 0.5)])))).is_ok());
    let twice = error(&of_phase(two().subphases(rows([(4, 0.5), (4, 0.5)]))));
    assert_eq!(twice, ModelFilesError::SubphaseTwice { phase: PhaseId(3), object: key(6), subphase: 4 });
    assert_eq!(
        twice.to_string(),
        "phase 3: the object with seq_id 6 has two times in subphase 4; add them up"
    );
}
