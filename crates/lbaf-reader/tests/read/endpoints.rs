// SPDX-License-Identifier: MIT OR Apache-2.0
//! Object or rank at each endpoint of a communication.

use std::collections::BTreeMap;

use lbaf_model::{PhaseId, Volume};
use lbaf_reader::{AbsentEndpoints, CommunicationCounts, Recorded, Request};
use lbaf_vom::CommunicationKind::{self, CollectionToNode, NodeToCollection, SendRecv, WriteShared};
use lbaf_vom::packed_id;
use serde_json::{Value, json};

use crate::data_set::{DataSet, edges, id, send, sentinel, task};

/// Returns the packed id, with home 2, of a non-migratable object on each of three ranks.
fn element() -> u64 {
    packed_id(5, 2, false)
}

/// Data set of three ranks. Rank r has the migratable object 103 + 4 r, and the non-migratable objects 0 and
/// `element`. Rank `logger` records the communications.
fn logged_on(logger: usize, communications: &[Value]) -> DataSet {
    let tasks = |rank: u64| json!([task(103 + 4 * rank, 1.0), sentinel(0, 0.0), sentinel(element(), 0.5)]);
    let mut ranks: Vec<(Value, Value)> = (0..3).map(|rank| (tasks(rank), json!([]))).collect();
    ranks[logger].1 = json!(communications);
    DataSet::of_phase(&ranks)
}

fn counts(recorded: &Recorded) -> CommunicationCounts {
    recorded.findings.communications[&PhaseId(0)].clone()
}

fn of_kinds(kinds: &[(CommunicationKind, u64)]) -> BTreeMap<CommunicationKind, u64> {
    kinds.iter().copied().collect()
}

fn request(absent_endpoints: AbsentEndpoints, communication_kinds: &[CommunicationKind]) -> Request<'_> {
    Request { absent_endpoints, communication_kinds, ..Request::default() }
}

/// Asserts that endpoint `end`, recorded on rank `logger`, is the object with this `number` on rank `rank`.
#[track_caller]
fn check(end: &Value, logger: usize, number: u64, rank: u32) {
    let to = logged_on(logger, &[send(&id(103), end, 1.0)]).read();
    assert_eq!(edges(&to), [[(Some(103), 0), (Some(number), rank)]]);
    let from = logged_on(logger, &[send(end, &id(103), 1.0)]).read();
    assert_eq!(edges(&from), [[(Some(number), rank), (Some(103), 0)]]);
}

#[test]
fn a_migratable_object_is_found_on_any_rank() {
    for logger in 0..3 {
        check(&id(111), logger, 111, 2);
        // Neither a home nor `migratable` leads to another object.
        check(&json!({"id": 107, "home": 0, "migratable": false}), logger, 107, 1);
    }
}

#[test]
fn the_stated_home_distinguishes_equal_numbers() {
    for logger in 0..3 {
        for home in 0..3 {
            check(&json!({"id": 0, "home": home}), logger, 0, home);
            check(&json!({"id": element(), "home": home}), logger, element(), home);
        }
    }
}

#[test]
fn the_home_in_the_id_distinguishes_equal_numbers_if_the_stated_home_does_not() {
    for logger in 0..3 {
        check(&id(element()), logger, element(), 2);
        // A home without such an object is ignored.
        check(&json!({"id": element(), "home": 9}), logger, element(), 2);
    }
}

#[test]
fn the_recording_rank_distinguishes_equal_numbers_if_no_home_does() {
    for logger in 0..3_usize {
        check(&id(0), logger, 0, u32::try_from(logger).unwrap());
        check(&json!({"id": 0, "home": 9}), logger, 0, u32::try_from(logger).unwrap());
    }
}

/// Ranks 0 and 1 each have an object 0, so endpoint 0 could mean another object in another file.
#[test]
fn an_entry_whose_endpoint_depends_on_the_rank_stays_in_its_file() {
    for (end, stays) in [(id(0), true), (json!({"type": "object", "id": 0, "home": 1}), false)] {
        let rank = |rank: u64| {
            let mut tasks = vec![task(103 + 4 * rank, 1.0)];
            tasks.extend((rank < 2).then(|| sentinel(0, 0.0)));
            (json!(tasks), json!([send(&id(103 + 4 * rank), &end, 1.0)]))
        };
        let data = DataSet::of_phase(&[rank(0), rank(1), rank(2)]);
        let recorded = data.read_as(&Request { records: true, ..Request::default() }).unwrap();
        let files = recorded.records.unwrap().files;
        let loggers = files.iter().map(|file| file.phases[0].communications[0].logger);
        assert_eq!(loggers.map(|logger| logger.is_none()).collect::<Vec<_>>(), [stays; 3]);
    }
}

/// The migratable object is on rank 2; non-migratable objects with the same number are on ranks 0 and 1.
#[test]
fn migratability_distinguishes_equal_numbers_before_the_home() {
    let object = |may_move: bool| json!({"entity": {"seq_id": 1, "migratable": may_move}, "time": 1.0});
    let partner = json!({"entity": {"seq_id": 2, "migratable": true}, "time": 1.0});
    let end = |may_move: bool| json!({"seq_id": 1, "home": 0, "migratable": may_move});
    let other = json!({"seq_id": 2, "migratable": true});
    for (may_move, rank) in [(true, 2), (false, 0)] {
        let entry = send(&end(may_move), &other, 1.0);
        let data = DataSet::of_phase(&[
            (json!([object(false)]), json!([])),
            (json!([object(false)]), json!([])),
            (json!([object(true), partner]), json!([entry])),
        ]);
        assert_eq!(edges(&data.read()), [[(Some(1), rank), (Some(2), 2)]]);
    }
}

#[test]
fn sequence_numbers_and_ids_are_different_objects() {
    let of_sequence = json!({"entity": {"seq_id": 103, "migratable": true}, "time": 1.0});
    let entry = send(&json!({"seq_id": 103}), &id(103), 1.0);
    let data =
        DataSet::of_phase(&[(json!([task(103, 1.0)]), json!([])), (json!([of_sequence]), json!([entry]))]);
    assert_eq!(edges(&data.read()), [[(Some(103), 1), (Some(103), 0)]]);
}

#[test]
fn an_absent_endpoint_is_dropped_and_counted() {
    let data = logged_on(0, &[send(&id(103), &id(115), 1.0), send(&id(103), &id(107), 1.0)]);
    let recorded = data.read();
    assert_eq!(edges(&recorded), [[(Some(103), 0), (Some(107), 1)]]);
    assert_eq!(counts(&recorded).absent, of_kinds(&[(SendRecv, 1)]));
    assert_eq!(counts(&recorded).counted, of_kinds(&[(SendRecv, 1)]));
    assert_eq!(counts(&recorded).n_entries(), 2);
}

#[test]
fn an_absent_endpoint_can_be_placed_on_its_home() {
    let at_home = |end: Value| {
        let data = logged_on(1, &[send(&id(103), &end, 1.0)]);
        let recorded = data.read_as(&request(AbsentEndpoints::Home, &[SendRecv])).unwrap();
        let absent = counts(&recorded).absent.values().sum::<u64>();
        (edges(&recorded), absent)
    };
    let at = |rank| (vec![[(Some(103), 0), (None, rank)]], 0);
    // The stated home 2 takes precedence over home 1 in the id.
    assert_eq!(at_home(json!({"id": packed_id(9, 1, true), "home": 2})), at(2));
    assert_eq!(at_home(id(packed_id(9, 1, true))), at(1));
    assert_eq!(at_home(json!({"seq_id": 9, "home": 0})), at(0));
    // Homes that do not exist or are unknown.
    for nowhere in [json!({"id": 115, "home": 3}), id(packed_id(9, 3, true)), json!({"seq_id": 9})] {
        assert_eq!(at_home(nowhere), (Vec::new(), 1));
    }
}

#[test]
fn endpoints_can_be_ranks() {
    let node = |rank: u64| json!({"type": "node", "id": rank});
    let entry =
        |kind: &str, from: Value, to: Value| json!({"type": kind, "from": from, "to": to, "bytes": 1});
    let data = logged_on(
        0,
        &[
            entry("CollectionToNode", id(103), node(2)),
            entry("NodeToCollection", node(0), id(107)),
            // The data set has only three ranks.
            entry("CollectionToNode", id(103), node(3)),
        ],
    );
    let kinds = [CollectionToNode, NodeToCollection];
    let recorded = data.read_as(&request(AbsentEndpoints::Drop, &kinds)).unwrap();
    assert_eq!(edges(&recorded), [[(Some(103), 0), (None, 2)], [(None, 0), (Some(107), 1)]]);
    assert_eq!(counts(&recorded).counted, of_kinds(&[(CollectionToNode, 1), (NodeToCollection, 1)]));
    assert_eq!(counts(&recorded).absent, of_kinds(&[(CollectionToNode, 1)]));
}

#[test]
fn kinds_that_do_not_count_as_volume_are_counted_separately() {
    let of_kind = |kind: &str| json!({"type": kind, "from": id(103), "to": id(107), "bytes": 1});
    let to_block = json!({"type": "shared_id", "id": 107});
    let shared = json!({"type": "WriteShared", "from": id(103), "to": to_block, "bytes": 1});
    let entries =
        [of_kind("SendRecv"), of_kind("Broadcast"), of_kind("Broadcast"), of_kind("Telepathy"), shared];
    let recorded = logged_on(0, &entries).read();
    let expected = CommunicationCounts {
        counted: of_kinds(&[(SendRecv, 1)]),
        other_kinds: of_kinds(&[
            (CommunicationKind::Broadcast, 2),
            (WriteShared, 1),
            (CommunicationKind::Other, 1),
        ]),
        absent: BTreeMap::new(),
    };
    assert_eq!(counts(&recorded), expected);
    // No task refers to the block, so its home is unknown.
    let recorded = logged_on(0, &entries).read_as(&request(AbsentEndpoints::Home, &[WriteShared])).unwrap();
    assert_eq!(counts(&recorded).counted, BTreeMap::new());
    assert_eq!(counts(&recorded).absent, of_kinds(&[(WriteShared, 1)]));
    assert_eq!(edges(&recorded).len(), 0);
}

/// Block 5 states home 1, where no task uses it. Block 6 states no home, so the rank of its task, 0, is its home.
#[test]
fn a_block_resides_on_its_home_rank() {
    let holder = |id: u64, facts: Value| json!({"entity": {"id": id, "type": "object", "migratable": true}, "node": 0, "time": 1.0, "user_defined": facts});
    let access = |kind: &str, block: u64, rank: u64| json!({"type": kind, "from": {"type": "shared_id", "id": block}, "to": {"type": "node", "id": rank}, "bytes": 8});
    let tasks = json!([
        holder(3, json!({"shared_id": 5, "shared_bytes": 8.0, "home_rank": 1})),
        holder(7, json!({"shared_id": 6, "shared_bytes": 8.0})),
    ]);
    let entries =
        json!([access("ReadOnlyShared", 5, 0), access("WriteShared", 5, 1), access("ReadOnlyShared", 6, 0),]);
    let data = DataSet::of_phase(&[(tasks, entries), (json!([task(11, 1.0)]), json!([]))]);
    let kinds = [CommunicationKind::ReadOnlyShared, WriteShared];
    let recorded = data.read_as(&request(AbsentEndpoints::Drop, &kinds)).unwrap();
    // A communication of a rank with itself is not an edge.
    assert_eq!(edges(&recorded), [[(None, 1), (None, 0)]]);
    assert_eq!(
        counts(&recorded).counted,
        of_kinds(&[(CommunicationKind::ReadOnlyShared, 2), (WriteShared, 1)])
    );
    assert_eq!(counts(&recorded).absent, BTreeMap::new());
}

#[test]
fn entries_of_the_same_pair_add_up_across_files() {
    let entry = |bytes| json!([send(&id(3), &id(7), bytes), send(&id(7), &id(7), 50.0)]);
    let data = DataSet::of_phase(&[(json!([task(3, 1.0)]), entry(1.5)), (json!([task(7, 1.0)]), entry(2.0))]);
    let recorded = data.read();
    let graph = recorded.data.phases()[0].communication();
    let volumes: Vec<Volume> = graph.edges().map(|(_, _, volume)| volume).collect();
    assert_eq!(volumes, [Volume { bytes: 3.5, messages: 4 }]);
    assert_eq!(graph.n_self_edges(), 2);
    assert_eq!(counts(&recorded).counted, of_kinds(&[(SendRecv, 4)]));
}
