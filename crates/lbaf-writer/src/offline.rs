// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks without a migratable object, which vt's OfflineLB cannot handle.
//!
//! If a rank has no migratable object in phase p + 1, the replay aborts. If a rank has none in phase p, OfflineLB
//! ignores the rank, even if it receives objects. An added object of load 0 in every phase prevents both.

use lbaf_model::{DataSet, ObjectKey};
use lbaf_reader::FileRecords;
use lbaf_vom::{NONE, packed_id, sequence_of_packed_id};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::plan::Plan;

/// Returns the first written phase in which a rank has no migratable object, and the ranks without one in at least one
/// written phase; `None` if there are none.
pub(crate) fn empty_ranks(plan: &Plan<'_>, n_ranks: usize) -> Option<(u64, Vec<usize>)> {
    let mut first = None;
    let mut is_empty = vec![false; n_ranks];
    for phase in &plan.phases {
        let mut owns = vec![false; n_ranks];
        for slot in phase.source.slots().filter(|&slot| phase.source.is_migratable(slot)) {
            owns[phase.assignment.rank_of(slot).index()] = true;
        }
        for (rank, _) in owns.iter().enumerate().filter(|(_, owns)| !**owns) {
            first.get_or_insert(phase.id.0);
            is_empty[rank] = true;
        }
    }
    let ranks = (0..n_ranks).filter(|&rank| is_empty[rank]).collect();
    first.map(|first| (first, ranks))
}

/// Returns a record of an object of load 0 for each of these ranks, with the kind of id of the data set. `named` has
/// the sequence numbers at endpoints of communications.
pub(crate) fn dummies(
    ranks: &[usize],
    data: &DataSet,
    named: &FxHashSet<u64>,
    collection: &Value,
) -> Vec<Vec<u8>> {
    let uses_sequences =
        data.keys().iter().find(|key| key.rank().is_none()).is_some_and(|key| key.is_sequence);
    // vt packs sequence numbers into ids, so an added object must differ in its sequence number from every `seq_id`
    // and from the ids of migratable objects. Ids of non-migratable objects always differ in their lowest bits.
    let sequence = |key: &ObjectKey| {
        if key.is_sequence { key.number } else { sequence_of_packed_id(key.number) }
    };
    let shares_sequences = |key: &&ObjectKey| key.is_sequence || key.rank().is_none();
    let first_free =
        data.keys().iter().filter(shares_sequences).map(sequence).max().map_or(0, |last| last + 1);
    let free = (first_free..).filter(|sequence| !named.contains(sequence));
    // Packed ids with different homes differ even with the same sequence number. They hold 16 bits of the home.
    let sequences: Vec<u64> = if uses_sequences {
        free.take(ranks.len()).collect()
    } else {
        let free: Vec<u64> = free.take((data.n_ranks() >> 16) + 1).collect();
        ranks.iter().map(|rank| free[rank >> 16]).collect()
    };
    let dummy = |(sequence, &rank): (u64, &usize)| {
        let identity = if uses_sequences {
            ("seq_id", sequence)
        } else {
            ("id", packed_id(sequence, rank as u16, true))
        };
        let mut task = json!({
            "entity": { "collection_id": collection, "home": rank, "migratable": true, "type": "object" },
            "node": rank,
            "resource": "cpu",
            "time": 0.0,
        });
        task["entity"][identity.0] = json!(identity.1);
        task.to_string().into_bytes()
    };
    debug_assert!(data.n_ranks() < NONE as usize);
    sequences.into_iter().zip(ranks).map(dummy).collect()
}

/// Returns the sequence numbers at endpoints of communications of a file, including objects without a task. An added
/// object must have none of them.
pub(crate) fn sequences_of_ends(file: &FileRecords, document: &[u8]) -> FxHashSet<u64> {
    let mut sequences = FxHashSet::default();
    for entry in file.phases.iter().flat_map(|phase| &phase.communications) {
        let entry = lbaf_vom::value_of(entry.record.of(document));
        for end in [&entry["from"], &entry["to"]] {
            let packed = end["id"].as_u64().map(sequence_of_packed_id);
            sequences.extend(packed.or_else(|| end["seq_id"].as_u64()));
        }
    }
    sequences
}

/// Returns the `collection_id` of the first task of a file that has one, among the first 16 tasks.
pub(crate) fn collection_of_first_object(file: &FileRecords, document: &[u8]) -> Option<Value> {
    let tasks = file.phases.iter().flat_map(|phase| &phase.tasks);
    tasks.take(16).find_map(|task| {
        let task: Value = serde_json::from_slice(task.record.of(document)).ok()?;
        task.get("entity")?.get("collection_id").cloned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packed id holds 16 bits of the home.
    #[test]
    fn added_objects_of_more_than_65536_ranks_have_different_ids() {
        let key = ObjectKey::new(false, packed_id(5, 0, true), None);
        let data = DataSet::new(vec![key], 65_538, Vec::new());
        let records = dummies(&[0, 1, 65_537], &data, &FxHashSet::default(), &json!(7));
        let id = |record: &Vec<u8>| lbaf_vom::value_of(record)["entity"]["id"].as_u64().unwrap();
        let ids: Vec<u64> = records.iter().map(id).collect();
        assert_eq!(ids, [packed_id(6, 0, true), packed_id(6, 1, true), packed_id(7, 1, true)]);
    }
}
