// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names, form and content of written files, compared with results that were derived by hand.

use std::path::Path;

use lbaf_model::{
    Block, BlockIdx, Communication, DataSet, Object, ObjectKey, ObjectMemory, Phase, PhaseId, Rank, RankId,
    Slot, Vertex, Volume,
};
use lbaf_reader::read_stem;
use lbaf_vom::VtChecks;
use lbaf_writer::{Inputs, ModelFilesError, Staging, WriteError, write_model};

use super::{assert_same, complete_request, faults, printed, read_back};

/// Objects 0 and 1 on rank 0, sentinel 2 on rank 1, nothing on rank 2. Phase 2 has a block, communication of all
/// kinds and memory; object 1 has moved to rank 1 in phase 5.
fn by_hand() -> DataSet {
    let keys = [None, None, Some(RankId(1))].into_iter().zip(0..);
    let keys = keys.map(|(rank, number)| ObjectKey::new(true, number, rank)).collect();
    let memory = ObjectMemory { footprint_bytes: 5.0, block: Some(BlockIdx(0)), ..ObjectMemory::default() };
    let ranks = |working_bytes| {
        Phase::builder(3)
            .alphas([1.0, 1.5, 1.0])
            .ranks_per_node(2)
            .build()
            .unwrap()
            .ranks()
            .to_vec()
            .into_iter()
            .map(move |rank| Rank { working_bytes, ..rank })
    };
    let edge = |from, to, bytes, messages| Communication { from, to, volume: Volume { bytes, messages } };
    let (object, rank) = (|slot| Vertex::Object(Slot(slot)), |rank| Vertex::Rank(RankId(rank)));
    let first = Phase::builder(3)
        .id(PhaseId(2))
        .ranks(ranks(64.0))
        .blocks([Block { id: 9, size_bytes: 16.0, home: RankId(2) }])
        .objects([
            Object { memory, ..Object::new(0.1, RankId(0)) },
            Object::new(2.0, RankId(0)),
            Object::sentinel(0.0, RankId(1)),
        ])
        .communications([
            edge(object(0), object(2), 8.0, 3),
            edge(object(2), rank(0), 4.0, 1),
            edge(rank(2), object(1), 2.5, 2),
        ]);
    let second = Phase::builder(3).id(PhaseId(5)).ranks(ranks(0.0)).objects([
        Object::new(0.2, RankId(0)),
        Object::new(1.0, RankId(1)),
        Object::sentinel(0.0, RankId(1)),
    ]);
    DataSet::new(keys, 3, vec![first.build().unwrap(), second.build().unwrap()])
}

#[test]
fn files_are_as_expected_by_hand() {
    let files: Vec<String> =
        printed(&by_hand()).into_iter().map(|file| String::from_utf8(file).unwrap()).collect();
    let phases = r#""phases":{"identical_to_previous":{"list":[],"range":[]},"skipped":{"list":[],"range":[[0,1],[3,4]]}}"#;
    assert_eq!(
        files[0],
        r#"{"metadata":{PHASES,"rank":0,"shared_node":{"id":0,"num_nodes":2,"rank":0,"size":2},"type":"LBDatafile"},"phases":[
{"communications":[
{"bytes":8.0,"from":{"collection_id":7,"home":0,"migratable":true,"seq_id":0,"type":"object"},"messages":3,"to":{"collection_id":7,"home":1,"migratable":false,"seq_id":2,"type":"object"},"type":"SendRecv"},
{"bytes":2.5,"from":{"id":2,"type":"node"},"messages":2,"to":{"collection_id":7,"home":0,"migratable":true,"seq_id":1,"type":"object"},"type":"NodeToCollection"}
],"id":2,"tasks":[
{"entity":{"collection_id":7,"home":0,"migratable":true,"seq_id":0,"type":"object"},"node":0,"resource":"cpu","time":0.1,"user_defined":{"home_rank":2,"rank_working_bytes":64.0,"shared_bytes":16.0,"shared_id":9,"task_footprint_bytes":5.0}},
{"entity":{"collection_id":7,"home":0,"migratable":true,"seq_id":1,"type":"object"},"node":0,"resource":"cpu","time":2.0,"user_defined":{"rank_working_bytes":64.0}}
]},
{"id":5,"tasks":[
{"entity":{"collection_id":7,"home":0,"migratable":true,"seq_id":0,"type":"object"},"node":0,"resource":"cpu","time":0.2}
]}
]}
"#
        .replace("PHASES", phases)
    );
    // Object 1 keeps its home when it moves.
    assert_eq!(
        files[1],
        r#"{"metadata":{PHASES,"rank":1,"rank_alpha":1.5,"shared_node":{"id":0,"num_nodes":2,"rank":1,"size":2},"type":"LBDatafile"},"phases":[
{"communications":[
{"bytes":4.0,"from":{"collection_id":7,"home":1,"migratable":false,"seq_id":2,"type":"object"},"messages":1,"to":{"id":0,"type":"node"},"type":"CollectionToNode"}
],"id":2,"tasks":[
{"entity":{"collection_id":7,"home":1,"migratable":false,"seq_id":2,"type":"object"},"node":1,"resource":"cpu","time":0.0,"user_defined":{"rank_working_bytes":64.0}}
]},
{"id":5,"tasks":[
{"entity":{"collection_id":7,"home":0,"migratable":true,"seq_id":1,"type":"object"},"node":1,"resource":"cpu","time":1.0},
{"entity":{"collection_id":7,"home":1,"migratable":false,"seq_id":2,"type":"object"},"node":1,"resource":"cpu","time":0.0}
]}
]}
"#
        .replace("PHASES", phases)
    );
    assert_eq!(
        files[2],
        r#"{"metadata":{"attributes":{"lbaf":{"rank_working_bytes":[{"bytes":64.0,"phases":{"list":[2],"range":[]}}]}},PHASES,"rank":2,"shared_node":{"id":1,"num_nodes":2,"rank":0,"size":1},"type":"LBDatafile"},"phases":[
{"id":2,"tasks":[]},
{"id":5,"tasks":[]}
]}
"#
        .replace("PHASES", phases)
    );
}

#[test]
fn files_with_sequence_numbers_pass_the_checks_for_vt() {
    let rows = [vec![(0, 0.1), (1, 0.0)], vec![(0, 1.5), (1, 0.5)], vec![]];
    let subphases = rows.into_iter().collect();
    let data = by_hand();
    let first = data.phases()[0].clone().with_subphases(subphases).unwrap();
    let data = DataSet::new(data.keys().to_vec(), 3, vec![first]);
    for (rank, file) in (0..).zip(printed(&data)) {
        let checks = VtChecks { rank: Some(rank), n_ranks: Some(3), allows_empty_ranks: true };
        assert_eq!(faults(&file, Some(checks)), Vec::<String>::new(), "rank {rank}");
    }
}

#[test]
fn many_subphases_do_not_multiply_the_size_of_files() {
    // 2000 objects, each with time in a subphase of its own, and a subphase without any time.
    let n = 2000;
    let times = (0..n).map(|number| if number == 7 { vec![(7, 1.0), (n, 0.0)] } else { vec![(number, 1.0)] });
    let objects = (0..n).map(|_| (1.0, 0));
    let phase = Phase::builder(1).objects(objects).subphases(times.collect()).build().unwrap();
    let keys = (0..u64::from(n)).map(|number| ObjectKey::new(true, number, None)).collect();
    let data = DataSet::new(keys, 1, vec![phase]);
    assert!(printed(&data)[0].len() < 2000 * 200);
    assert_same(&data, &read_back(&data).data);
}

#[test]
fn a_model_without_phases_is_read_back() {
    let data = DataSet::new(Vec::new(), 2, Vec::new());
    assert_same(&data, &read_back(&data).data);
}

#[test]
fn plain_and_compressed_files_of_all_ranks_are_written() {
    let data = by_hand();
    for (compressed, suffix) in [(None, "json"), (Some(5), "json.br")] {
        let directory = tempfile::tempdir().unwrap();
        let staging = Staging::new(directory.path()).unwrap();
        write_model(&data, "sub/model", compressed, &staging).unwrap();
        let names: Vec<String> = staging.written().into_keys().collect();
        assert_eq!(names, [0, 1, 2].map(|rank| format!("sub/model.{rank}.{suffix}")));
        staging.publish(None, &Inputs::none(), &[]).unwrap();
        let back = read_stem(&directory.path().join("sub/model"), &complete_request()).unwrap();
        assert_same(&data, &back.data);
        assert_eq!(back.findings.warnings, Vec::<String>::new());
        assert_eq!(back.findings.phases_skipped, [(0, 1), (3, 4)]);
    }
}

#[test]
fn models_that_files_cannot_hold_write_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let staging = Staging::new(directory.path()).unwrap();
    let key = ObjectKey::new(true, 0, None).piece(1);
    let phase = Phase::builder(1).objects([(1.0, 0)]).build().unwrap();
    let error = write_model(&DataSet::new(vec![key], 1, vec![phase]), "model", None, &staging).unwrap_err();
    assert!(matches!(error, WriteError::Model(ModelFilesError::Piece { .. })), "{error}");
    assert!(staging.written().is_empty());
    let outside = write_model(&by_hand(), "../model", None, &staging).unwrap_err();
    assert!(matches!(outside, WriteError::Outside { name } if Path::new(&name).ends_with("model.0.json")));
}
