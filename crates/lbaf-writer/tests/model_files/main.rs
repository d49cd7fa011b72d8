// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of models without records: readers get the same model, and parts that files cannot hold are errors.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod random;
mod refused;
mod written;

use std::sync::Arc;

use lbaf_model::{DataSet, Phase, Slot, Subphases};
use lbaf_reader::{NodeRule, Recorded, Request, SyntheticFiles, read};
use lbaf_vom::record::DataFile;
use lbaf_vom::{Checks, CommunicationKind, Scratch, VtChecks, WantedRows};
use lbaf_writer::ModelFiles;
use proptest::prelude::*;

const KINDS: [CommunicationKind; 3] =
    [CommunicationKind::SendRecv, CommunicationKind::CollectionToNode, CommunicationKind::NodeToCollection];

fn complete_request() -> Request<'static> {
    Request {
        communication_kinds: &KINDS,
        nodes: NodeRule::FromFiles,
        coordinates: true,
        subphases: true,
        ..Request::default()
    }
}

fn printed(data: &DataSet) -> Vec<Vec<u8>> {
    let files = ModelFiles::new(data).unwrap();
    (0..files.n_ranks()).map(|rank| lbaf_vom::print(&files.file(rank))).collect()
}

fn read_back(data: &DataSet) -> Recorded {
    let files = ModelFiles::new(data).unwrap();
    let files: Vec<DataFile> = (0..files.n_ranks()).map(|rank| files.file(rank)).collect();
    let n_ranks = files.len();
    let make = Arc::new(move |rank: usize| files[rank].clone());
    let files = SyntheticFiles { name: "model".to_owned(), n_ranks, make };
    read(&files, &complete_request(), &|_| {}).unwrap()
}

fn assert_same(data: &DataSet, back: &DataSet) {
    assert_eq!((data.n_ranks(), data.keys()), (back.n_ranks(), back.keys()));
    let ids = |data: &DataSet| data.phases().iter().map(Phase::id).collect::<Vec<_>>();
    assert_eq!(ids(data), ids(back));
    for (phase, back) in data.phases().iter().zip(back.phases()) {
        let objects = |phase: &Phase| phase.slots().map(|slot| phase.object(slot)).collect::<Vec<_>>();
        assert_eq!(objects(phase), objects(back));
        let bits = |phase: &Phase| phase.columns().load.iter().map(|load| load.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(phase), bits(back), "loads");
        assert_eq!(phase.recorded_assignment(), back.recorded_assignment());
        assert_eq!(phase.columns().migratable, back.columns().migratable);
        assert_eq!(phase.ranks(), back.ranks());
        assert_eq!(phase.blocks(), back.blocks());
        assert!(phase.columns().memory.iter().eq(back.columns().memory.iter()), "memory");
        let edges = |phase: &Phase| phase.communication().edges().collect::<Vec<_>>();
        assert_eq!(edges(phase), edges(back));
        if phase.coordinates().is_some() {
            assert_eq!(phase.coordinates(), back.coordinates());
        }
        let none = Subphases::default();
        let times = |phase: &Phase| {
            let subphases = phase.subphases().unwrap_or(&none);
            let rows = (0..subphases.n_objects()).map(|at| subphases.numbered(Slot::from(at)).collect());
            let rows: Vec<Vec<(u32, f64)>> = rows.collect();
            (subphases.numbers().to_vec(), rows)
        };
        // Readers do not distinguish a phase whose objects have no subphases from one without subphases.
        if phase.subphases().is_some_and(|subphases| !subphases.is_empty()) {
            assert_eq!(times(phase), times(back));
        } else {
            assert_eq!(back.subphases(), None);
        }
    }
}

/// Returns the messages of a validation.
fn faults(printed: &[u8], vt: Option<VtChecks>) -> Vec<String> {
    let checks = Checks { limit: 10, rows: WantedRows::Nothing, vt };
    let validated = lbaf_vom::validate(printed, checks, &mut Scratch::default());
    validated.findings.kept.iter().map(|finding| finding.message.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn readers_get_the_same_model(data in random::model()) {
        let back = read_back(&data);
        assert_same(&data, &back.data);
        let counts = back.findings.communications.values();
        prop_assert!(counts.into_iter().all(|counts| counts.absent.is_empty() && counts.other_kinds.is_empty()));
    }

    #[test]
    fn files_fit_the_schema(data in random::model()) {
        for file in printed(&data) {
            prop_assert_eq!(faults(&file, None), Vec::<String>::new());
        }
    }
}
