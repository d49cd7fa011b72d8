// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which records go to which file.

use lbaf_model::{Assignment, RankId, Slot};
use lbaf_reader::PhaseRecords;

/// A record on its way into the file of another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// The rank whose file had it.
    pub(crate) origin: u32,
    /// Its position there.
    pub(crate) position: u32,
}

/// Where the records of one phase go under an assignment.
pub(crate) struct Scatter<'a> {
    files: &'a [&'a PhaseRecords],
    assignment: &'a Assignment,
    tasks: Vec<Vec<Arrival>>,
    communications: Vec<Vec<Arrival>>,
}

impl<'a> Scatter<'a> {
    /// Notes what moves. O(records).
    pub(crate) fn new(files: &'a [&'a PhaseRecords], assignment: &'a Assignment) -> Self {
        let tasks = arrivals(files, |file| file.tasks.iter().map(|task| Some(task.slot)), assignment);
        let communications =
            arrivals(files, |file| file.communications.iter().map(|entry| entry.logger), assignment);
        Scatter { files, assignment, tasks, communications }
    }

    /// Tasks of a rank's file: those that stay in their order, then those that arrive, by origin.
    pub(crate) fn tasks(&self, rank: usize) -> impl Iterator<Item = Arrival> + '_ {
        let staying = self.files[rank].tasks.iter().map(|task| Some(task.slot));
        self.staying(rank, staying).chain(self.tasks[rank].iter().copied())
    }

    /// Communication of a rank's file, likewise.
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
