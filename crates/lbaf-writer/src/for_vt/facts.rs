// SPDX-License-Identifier: MIT OR Apache-2.0
//! Information in the tasks of a phase that other records of the phase need.

use lbaf_reader::PhaseRecords;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Entity;

/// Home and migratability, which vt packs with a sequence number into an id, and the collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) home: i64,
    pub(super) migratable: bool,
    /// As JSON; `None` if the task states none.
    pub(super) collection: Option<String>,
}

impl Identity {
    pub(super) fn of(entity: &Entity<'_>) -> Option<Self> {
        let migratable = match entity.id {
            // vt derives the migratability from the two lowest bits.
            Some(id) => id & 3 == 3,
            None => entity.migratable?,
        };
        let collection = entity.collection_id.map(|collection| collection.get().to_owned());
        Some(Identity { home: entity.home?, migratable, collection })
    }
}

/// Information in the tasks of a phase, from all files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Number of subphases that every migratable object needs: the largest `id` of a subphase, plus 1.
    pub(super) n_subphases: u64,
    /// Objects identified by `seq_id`. If several share a number, a migratable object takes precedence. Numbers of
    /// non-migratable objects that vt cannot distinguish are left out.
    pub(super) sequences: FxHashMap<u64, Identity>,
}

#[derive(Deserialize)]
struct Task<'a> {
    #[serde(borrow)]
    entity: Entity<'a>,
    #[serde(default)]
    subphases: Vec<Subphase>,
}

#[derive(Deserialize)]
struct Subphase {
    id: u64,
    #[serde(rename = "time")]
    _time: IgnoredAny,
}

/// True for a document with sequence numbers or subphases. Because of them, records of other documents may need
/// corrections too.
pub(super) fn is_of_interest(document: &[u8]) -> bool {
    let says = |key: &str| document.windows(key.len()).any(|part| part == key.as_bytes());
    says("\"seq_id\"") || says("\"subphases\"")
}

impl Facts {
    /// Combines the information of all files on a phase. `files` are in the order of ranks.
    pub(super) fn combined(files: impl Iterator<Item = OfFile>) -> Self {
        let mut all = Facts::default();
        let (mut homes, mut twins) = (FxHashSet::default(), FxHashSet::default());
        for OfFile { n_subphases, sequences } in files {
            all.n_subphases = all.n_subphases.max(n_subphases);
            for (number, identity) in sequences {
                // vt cannot distinguish non-migratable objects with the same number and home.
                if !identity.migratable && !homes.insert((number, identity.home)) {
                    twins.insert(number);
                }
                all.add(number, identity);
            }
        }
        // An endpoint without a home refers to the object on the rank that recorded the endpoint. With an added home,
        // it could refer to another object. Therefore endpoints with these numbers are not completed.
        all.sequences.retain(|number, identity| identity.migratable || !twins.contains(number));
        all
    }

    fn add(&mut self, number: u64, identity: Identity) {
        let known = self.sequences.entry(number).or_insert_with(|| identity.clone());
        if identity.migratable && !known.migratable {
            *known = identity;
        }
    }
}

/// Information in the tasks of a phase in one file.
#[derive(Default)]
pub(super) struct OfFile {
    n_subphases: u64,
    /// Objects identified by `seq_id`, in the order of the file.
    sequences: Vec<(u64, Identity)>,
}

impl OfFile {
    pub(super) fn new(file: &PhaseRecords, document: &[u8]) -> Self {
        let (mut n_subphases, mut sequences) = (0, Vec::new());
        for task in &file.tasks {
            let Ok(task) = serde_json::from_slice::<Task<'_>>(task.record.of(document)) else { continue };
            let last = task.subphases.iter().map(|subphase| subphase.id).max();
            n_subphases = n_subphases.max(last.map_or(0, |last| last.saturating_add(1)));
            if let (None, Some(number)) = (task.entity.id, task.entity.seq_id) {
                sequences.extend(Identity::of(&task.entity).map(|identity| (number, identity)));
            }
        }
        OfFile { n_subphases, sequences }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Objects that vt cannot distinguish were noticed only if the first known object was one of them.
    #[test]
    fn the_order_of_objects_with_one_number_does_not_decide_which_endpoints_are_completed() {
        let identity = |home, migratable| Identity { home, migratable, collection: None };
        let kept = |identities: &[Identity]| {
            let file =
                |identity: &Identity| OfFile { n_subphases: 0, sequences: vec![(5, identity.clone())] };
            Facts::combined(identities.iter().map(file)).sequences.remove(&5)
        };
        let (twin, other, movable) = (identity(1, false), identity(0, false), identity(2, true));
        let orders = |a: &Identity, b: &Identity| {
            [kept(&[a.clone(), a.clone(), b.clone()]), kept(&[b.clone(), a.clone(), a.clone()])]
        };
        assert_eq!(orders(&twin, &other), [None, None]);
        assert_eq!(orders(&twin, &movable), [Some(movable.clone()), Some(movable.clone())]);
    }
}
