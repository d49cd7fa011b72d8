// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distribution of records to output files.

use lbaf_model::{Assignment, RankId, Slot};
use lbaf_reader::PhaseRecords;

/// Record in an output file, identified by its position in the input files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// Rank whose input file contains the record.
    pub(crate) origin: u32,
    /// Position of the record in the phase of that file.
    pub(crate) position: u32,
}

/// Distribution of the records of one phase under an assignment.
pub(crate) struct Scatter<'a> {
    files: &'a [&'a PhaseRecords],
    assignment: &'a Assignment,
    tasks: Vec<Vec<Arrival>>,
    communications: Vec<Vec<Arrival>>,
}

impl<'a> Scatter<'a> {
    /// Determines the records that move. O(records).
    pub(crate) fn new(files: &'a [&'a PhaseRecords], assignment: &'a Assignment) -> Self {
        let tasks = arrivals(files, |file| file.tasks.iter().map(|task| Some(task.slot)), assignment);
        let communications =
            arrivals(files, |file| file.communications.iter().map(|entry| entry.logger), assignment);
        Scatter { files, assignment, tasks, communications }
    }

    /// Iterates over the tasks of a rank's output file: first those that stay on the rank, in the order of its input
    /// file, then those from other ranks, in the order of these ranks.
    pub(crate) fn tasks(&self, rank: usize) -> impl Iterator<Item = Arrival> + '_ {
        let staying = self.files[rank].tasks.iter().map(|task| Some(task.slot));
        self.staying(rank, staying).chain(self.tasks[rank].iter().copied())
    }

    /// Iterates over the communications of a rank's file in the same order.
    pub(crate) fn communications(&self, rank: usize) -> impl Iterator<Item = Arrival> + '_ {
        let staying = self.files[rank].communications.iter().map(|entry| entry.logger);
        self.staying(rank, staying).chain(self.communications[rank].iter().copied())
    }

    fn staying(
        &self,
        rank: usize,
        owners: impl Iterator<Item = Option<Slot>>,
    ) -> impl Iterator<Item = Arrival> {
        (0_u32..)
            .zip(owners)
            .filter(move |(_, owner)| owner.is_none_or(|slot| self.assignment.rank_of(slot).index() == rank))
            .map(move |(position, _)| Arrival { origin: rank as u32, position })
    }
}

fn arrivals<'a, Owners: Iterator<Item = Option<Slot>>>(
    files: &[&'a PhaseRecords],
    owners: impl Fn(&'a PhaseRecords) -> Owners,
    assignment: &Assignment,
) -> Vec<Vec<Arrival>> {
    let mut arrivals = vec![Vec::new(); files.len()];
    for (origin, &file) in (0_u32..).zip(files) {
        for (position, owner) in (0_u32..).zip(owners(file)) {
            if let Some(rank) =
                owner.map(|slot| assignment.rank_of(slot)).filter(|&rank| rank != RankId(origin))
            {
                arrivals[rank.index()].push(Arrival { origin, position });
            }
        }
    }
    arrivals
}
