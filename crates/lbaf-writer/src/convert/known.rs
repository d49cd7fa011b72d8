// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all files of a data set say of its objects, for those of its ends that say less.

use lbaf_reader::LoadedFile;
use lbaf_vom::Generation;
use rustc_hash::FxHashMap;

use super::ConvertError;

/// The objects of a data set, by what names them: whether it is a sequence number, and the number.
#[derive(Debug, Default)]
pub struct Known {
    migratable: FxHashMap<(bool, u64), bool>,
    /// How many ranks there are, if all of their files are here.
    pub(crate) n_ranks: Option<usize>,
    /// The generation of all files, if they have the same.
    pub(crate) generation: Option<Generation>,
}

impl Known {
    /// Gathers the objects of the files of a data set, of all its ranks or (`is_whole` is false) of some.
    pub fn of(files: &[LoadedFile], is_whole: bool) -> Self {
        let mut migratable = FxHashMap::default();
        let tasks = files.iter().flat_map(|file| &file.rows.phases).flat_map(|phase| &phase.tasks);
        for task in tasks {
            // A number that several objects share counts as one that may move if any of them may.
            *migratable.entry((task.is_sequence, task.id)).or_insert(false) |= task.migratable;
        }
        let first = files.first().map(|file| file.rows.generation);
        let generation = first.filter(|&first| files.iter().all(|file| file.rows.generation == first));
        Known { migratable, n_ranks: is_whole.then_some(files.len()), generation }
    }

    /// Whether the object may move, if any task is of it.
    pub(crate) fn is_migratable(&self, is_sequence: bool, number: u64) -> Option<bool> {
        self.migratable.get(&(is_sequence, number)).copied()
    }

    /// Checks that no `id` and no `seq_id` are the same number, which would become one object in a form that has
    /// but one of them.
    ///
    /// # Errors
    /// The lowest number that two objects share.
    pub fn check_apart(&self) -> Result<(), ConvertError> {
        // The lowest is the same in any order.
        let shared = self
            .migratable
            .keys()
            .filter(|&&(is_sequence, number)| is_sequence && self.migratable.contains_key(&(false, number)));
        let lowest = shared.map(|&(_, number)| number).min();
        lowest.map_or(Ok(()), |number| Err(ConvertError::SharedNumber { number }))
    }
}
