// SPDX-License-Identifier: MIT OR Apache-2.0
//! Homes of blocks and working memory of ranks in written files. A reader of the files must get the values of the
//! model.
//!
//! Readers take both from tasks, and the memory of a rank also from the metadata. Without a stated home, the home of
//! a block would be the new rank of its first task, and the memory of a rank would move with its tasks.

use lbaf_model::Phase;
use lbaf_reader::{PhaseRecords, TaskRecord};
use lbaf_vom::{NONE, RANK_WORKING_BYTES};

use crate::members::Member;
use crate::scatter::Arrival;

/// Phase of the model, and its records, whose values may differ from those of the model.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    phase: &'a Phase,
    files: &'a [&'a PhaseRecords],
}

impl<'a> Facts<'a> {
    pub(crate) fn new(phase: &'a Phase, files: &'a [&'a PhaseRecords]) -> Self {
        Facts { phase, files }
    }

    /// Returns the members of `user_defined` that a task needs in the file of `rank`.
    pub(crate) fn members(self, arrival: Arrival, rank: usize) -> Vec<Member> {
        let mut members = Vec::new();
        members.extend(self.home(arrival).map(|home| ("home_rank", home.into())));
        let bytes = self.rank_bytes(arrival, rank);
        members.extend(bytes.map(|bytes| (RANK_WORKING_BYTES, bytes.into())));
        members
    }

    /// Returns the working memory of `rank` in bytes; `None` if a reader derives the same value from these tasks of
    /// its file.
    pub(crate) fn unstated(self, rank: usize, tasks: impl Iterator<Item = Arrival>) -> Option<f64> {
        let stated = |arrival| self.rank_bytes(arrival, rank).unwrap_or(self.stated_bytes(arrival));
        let found = tasks.map(stated).fold(0.0, f64::max);
        Some(self.bytes_of(rank)).filter(|bytes| *bytes != found)
    }

    /// Returns the home of the block of a task in the model; `None` if the task states it or has no block.
    fn home(self, arrival: Arrival) -> Option<u32> {
        let (file, task) = self.record(arrival);
        let stated = file.memory[task.memory as usize].block;
        let stated = (stated != NONE).then(|| file.blocks[stated as usize].home)?;
        let block = self.phase.memory(task.slot).block?;
        Some(self.phase.blocks()[block.index()].home.0).filter(|home| *home != stated)
    }

    /// Returns the working memory of the new rank of a task; `None` if it equals that of the old rank or the task
    /// states it.
    fn rank_bytes(self, arrival: Arrival, rank: usize) -> Option<f64> {
        let bytes = self.bytes_of(rank);
        let is_new = self.bytes_of(arrival.origin as usize) != bytes;
        Some(bytes).filter(|bytes| is_new && self.stated_bytes(arrival) != *bytes)
    }

    fn bytes_of(self, rank: usize) -> f64 {
        self.phase.ranks()[rank].working_bytes
    }

    fn stated_bytes(self, arrival: Arrival) -> f64 {
        let (file, task) = self.record(arrival);
        file.memory[task.memory as usize].rank_working_bytes
    }

    fn record(self, Arrival { origin, position }: Arrival) -> (&'a PhaseRecords, TaskRecord) {
        let file = self.files[origin as usize];
        (file, file.tasks[position as usize])
    }
}
