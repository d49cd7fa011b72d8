// SPDX-License-Identifier: MIT OR Apache-2.0
//! Information about objects from all files of a data set, which completes endpoints of communications.

use lbaf_reader::{LoadedFile, ReadError};
use lbaf_vom::{EndpointKind, Generation, NONE, PhaseRows};
use rustc_hash::FxHashMap;

use super::ConvertError;

/// Distinct values of the tasks with one number: rank of the file, home, and migratability.
type Homes = Vec<(u32, u32, bool)>;

/// Migratability of all tasks with the same number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Migratable {
    Agreed(bool),
    /// Several objects share the number.
    Contradicted,
}

/// Objects of a data set by their kind of number (true for sequence numbers) and their number.
#[derive(Debug, Default)]
pub struct Known {
    migratable: FxHashMap<(bool, u64), Migratable>,
    /// Homes by phase (`None` for all phases together) and sequence number. Collected only if an endpoint of a
    /// communication may need them.
    homes: FxHashMap<(Option<u64>, u64), Homes>,
    /// Collections of migratable objects, by the same keys as `migratable`.
    collections: FxHashMap<(bool, u64), u64>,
    /// Number of ranks, if the files of all ranks are known.
    pub(crate) n_ranks: Option<usize>,
    /// Generation of the files, if all have the same.
    pub(crate) generation: Option<Generation>,
}

impl Known {
    /// Collects the objects from files of a data set. `is_whole` is true if the files are those of all ranks.
    pub fn of(files: &[LoadedFile], is_whole: bool) -> Self {
        let mut migratable = FxHashMap::default();
        let tasks = files.iter().flat_map(|file| &file.rows.phases).flat_map(|phase| &phase.tasks);
        for task in tasks {
            let said = Migratable::Agreed(task.migratable);
            let known = migratable.entry((task.is_sequence, task.id)).or_insert(said);
            if *known != said {
                *known = Migratable::Contradicted;
            }
        }
        let first = files.first().map(|file| file.rows.generation);
        let generation = first.filter(|&first| files.iter().all(|file| file.rows.generation == first));
        let n_ranks = is_whole.then_some(files.len());
        Known { migratable, n_ranks, generation, ..Known::default() }
    }

    /// Adds the homes of objects with sequence numbers, if several objects share a number, an endpoint of a
    /// communication states no home, or there are recorded iterations. The files belong to consecutive ranks from
    /// `first_rank` on and must have been read with records.
    ///
    /// # Errors
    /// If a document cannot be read again.
    pub fn with_homes(mut self, files: &[LoadedFile], first_rank: u32) -> Result<Self, ReadError> {
        let mut phases = files.iter().flat_map(|file| &file.rows.phases);
        let is_shared = self.migratable.values().any(|&said| said == Migratable::Contradicted);
        if !is_shared && !phases.any(leaves_homes_to_tasks) {
            return Ok(self);
        }
        for (rank, file) in (first_rank..).zip(files) {
            let Some(document) = &file.document else { continue };
            let document = document.bytes()?;
            for phase in &file.rows.phases {
                let sequences =
                    phase.tasks.iter().zip(&phase.task_places).filter(|(task, _)| task.is_sequence);
                for (task, place) in sequences {
                    let home = &lbaf_vom::value_of(place.record.of(&document))["entity"]["home"];
                    let home = home.as_u64().and_then(|home| u32::try_from(home).ok()).unwrap_or(rank);
                    for phase in [Some(phase.id), None] {
                        let homes = self.homes.entry((phase, task.id)).or_default();
                        let found = (rank, home, task.migratable);
                        if !homes.contains(&found) {
                            homes.push(found);
                        }
                    }
                }
            }
        }
        Ok(self)
    }

    /// Adds the collections of migratable objects, if an endpoint of a communication lacks one or there are recorded
    /// iterations. Of several tasks with the same number, the first that states a collection counts, in the order of
    /// files and phases. The files must have been read with records.
    ///
    /// # Errors
    /// If a document cannot be read again.
    pub fn with_collections(mut self, files: &[LoadedFile]) -> Result<Self, ReadError> {
        let mut is_needed = false;
        for file in files {
            let Some(document) = &file.document else { continue };
            let document = document.bytes()?;
            is_needed |= file.rows.phases.iter().any(|phase| leaves_collections_to_tasks(phase, &document));
        }
        for file in files.iter().filter(|_| is_needed) {
            let Some(document) = &file.document else { continue };
            let document = document.bytes()?;
            for phase in &file.rows.phases {
                for (task, place) in phase.tasks.iter().zip(&phase.task_places) {
                    let key = (task.is_sequence, task.id);
                    if !task.migratable || self.collections.contains_key(&key) {
                        continue;
                    }
                    let entity = &lbaf_vom::value_of(place.record.of(&document))["entity"];
                    if let Some(collection) = entity["collection_id"].as_u64() {
                        self.collections.insert(key, collection);
                    }
                }
            }
        }
        Ok(self)
    }

    /// Returns the collection of the migratable object with a number, if a task states it.
    pub(crate) fn collection(&self, is_sequence: bool, number: u64) -> Option<u64> {
        self.collections.get(&(is_sequence, number)).copied()
    }

    /// Returns the home of the object with a sequence number in a phase: the common home of all tasks with this
    /// number, or else of those in the file of `rank`, or else `None`. If no task of the phase has the number, the
    /// tasks of all phases count.
    pub(crate) fn home(&self, phase: u64, sequence: u64, rank: u32) -> Option<u32> {
        let homes = self.homes_of(phase, sequence)?;
        let here = homes.iter().filter(|(other, ..)| *other == rank);
        only(homes.iter().map(|&(_, home, _)| home)).or_else(|| only(here.map(|&(_, home, _)| home)))
    }

    /// Returns the common migratability of the tasks with this sequence number and home; `None` if they differ or
    /// there are none.
    pub(crate) fn migratable_at(&self, phase: u64, sequence: u64, home: u64) -> Option<bool> {
        let homes = self.homes_of(phase, sequence)?.iter();
        only(homes.filter(|&&(_, other, _)| u64::from(other) == home).map(|&(.., migratable)| migratable))
    }

    fn homes_of(&self, phase: u64, sequence: u64) -> Option<&Homes> {
        let homes = |phase| self.homes.get(&(phase, sequence));
        homes(Some(phase)).or_else(|| homes(None))
    }

    /// Returns the migratability of the tasks with a number; `None` without such tasks.
    pub(crate) fn migratable(&self, is_sequence: bool, number: u64) -> Option<Migratable> {
        self.migratable.get(&(is_sequence, number)).copied()
    }

    /// Checks that no `id` equals a `seq_id`. In a form with only one of the keys, the two objects would become one.
    ///
    /// # Errors
    /// Returns the lowest number that two objects share.
    pub fn check_apart(&self) -> Result<(), ConvertError> {
        // The minimum does not depend on the order of iteration.
        let shared = self
            .migratable
            .keys()
            .filter(|&&(is_sequence, number)| is_sequence && self.migratable.contains_key(&(false, number)));
        let lowest = shared.map(|&(_, number)| number).min();
        lowest.map_or(Ok(()), |number| Err(ConvertError::SharedNumber { number }))
    }
}

/// Returns the common value; `None` if values differ or there are none.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// True for a phase with an endpoint that states no collection, and for a phase with iterations, whose endpoints are
/// not inspected.
fn leaves_collections_to_tasks(phase: &PhaseRows, document: &[u8]) -> bool {
    const KEY: &[u8] = b"\"collection_id\"";
    let n_stated = |record: &[u8]| record.windows(KEY.len()).filter(|&window| window == KEY).count();
    phase.n_iterations > 0 || phase.communications.iter().any(|row| n_stated(row.record.of(document)) < 2)
}

/// True for a phase with an endpoint that has a sequence number but states no home, and for a phase with iterations,
/// whose endpoints are not inspected.
fn leaves_homes_to_tasks(phase: &PhaseRows) -> bool {
    let mut ends = phase.communications.iter().flat_map(|row| [&row.from, &row.to]);
    phase.n_iterations > 0
        || ends.any(|end| end.is_sequence && end.home == NONE && end.kind == EndpointKind::Object)
}
