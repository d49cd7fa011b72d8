// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects and their ids.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_vom::packed_id;
use lbaf_vom::record::Entity;
use rustc_hash::FxHashSet;

use super::executions::{Executions, ObjectKey};

/// Objects, numbered in the order of their keys.
pub(super) struct Objects<'a> {
    numbers: BTreeMap<&'a ObjectKey<'a>, u64>,
    /// Pairs of a step and an object with a task in this step.
    tasks: FxHashSet<(u64, &'a ObjectKey<'a>)>,
    migratable: bool,
}

impl<'a> Objects<'a> {
    pub(super) fn of(executions: &'a Executions<'a>, migratable: bool) -> Self {
        let occurrences = &executions.occurrences;
        let keys: BTreeSet<_> = occurrences.iter().map(|occurrence| &occurrence.key).collect();
        Objects {
            numbers: keys.into_iter().zip(0..).collect(),
            tasks: occurrences.iter().map(|occurrence| (occurrence.step, &occurrence.key)).collect(),
            migratable,
        }
    }

    pub(super) fn n_objects(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn has_task(&self, step: u64, key: &ObjectKey<'_>) -> bool {
        self.tasks.contains(&(step, key))
    }

    /// Returns the entity of an object in files.
    pub(super) fn entity(&self, key: &ObjectKey<'_>) -> Entity {
        let number = self.numbers.get(key).copied().unwrap_or_default();
        let mut index = vec![i64::from(key.rank)];
        index.extend(key.tid);
        if let Some((Some(label), _)) = key.event {
            index.extend([label.step, label.index]);
        }
        Entity {
            collection_id: Some(key.fid),
            home: Some(u32::from(key.rank)),
            id: Some(packed_id(number, key.rank, self.migratable)),
            index: Some(index),
            migratable: Some(self.migratable),
            ..Entity::default()
        }
    }
}
