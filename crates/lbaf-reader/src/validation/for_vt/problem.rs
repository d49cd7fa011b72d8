// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings between files, in words.

use std::path::PathBuf;

use lbaf_vom::{home_of_packed_id, sequence_of_packed_id};

/// Conflict of a record with those of other files or phases.
pub(super) enum Problem {
    /// There is another task of the object in the phase.
    Twin { id: u64, phase: u64, file: usize, task: usize },
    /// The object was on another rank before phases that are skipped.
    Lost { others: usize, skipped: (u64, u64) },
    /// The phase before lacks the object.
    New { others: usize, before: u64 },
    /// The object has another home in the phase before.
    OtherHome { id: u64, before: u64, id_before: u64 },
    /// An end of a communication that is another object than the task with its number.
    OtherEnd { key: &'static str, id: u64, task: u64 },
    /// Fewer subphases than another task of the rank.
    FewerSubphases { n: u64, most: u64, others: usize, migrates: bool },
}

impl Problem {
    pub(super) fn message(&self, paths: &[PathBuf]) -> String {
        match *self {
            Problem::Twin { id, phase, file, task } => format!(
                "the object that vt knows as id {id} is in phase {phase} already, as task {task} of {}",
                paths[file].display()
            ),
            Problem::Lost { others, skipped: (first, last) } => {
                let phases = if first == last {
                    format!("phase {first}, which is")
                } else {
                    format!("phases {first}-{last}, which are")
                };
                format!(
                    "{} on another rank than before {phases} skipped, and vt applies no migration across that",
                    objects(others, " is", " are")
                )
            }
            Problem::New { others, before } => format!(
                "{} new: phase {before} lacks {}; vt places only what the phase before has, which is no fault of the \
                 file",
                objects(others, " is", " are"),
                if others == 0 { "it" } else { "them" }
            ),
            Problem::OtherHome { id, before, id_before } => format!(
                "seq_id {} has home {} here, but {} in phase {before}; vt packs both numbers, so that it takes these for \
                 two objects",
                sequence_of_packed_id(id),
                home(id),
                home(id_before)
            ),
            Problem::OtherEnd { key, id, task } => format!(
                "`{key}` is seq_id {} with {} here, but its task has {}; vt takes these for two objects",
                sequence_of_packed_id(id),
                identity(id),
                identity(task)
            ),
            Problem::FewerSubphases { n, most, others, migrates: true } => format!(
                "{} to another rank after this phase, with fewer subphases ({n}) than another task of this rank ({most}), \
                 on which vt aborts; give every task of a rank as many",
                objects(others, " migrates", " migrate")
            ),
            Problem::FewerSubphases { n, most, others, migrates: false } => format!(
                "{} fewer subphases ({n}) than another task of this rank ({most}); vt aborts if a balancer moves {}",
                objects(others, " has", " have"),
                if others == 0 { "it" } else { "one of them" }
            ),
        }
    }
}

/// "this object is", "this object and 3 more of this rank are".
fn objects(others: usize, one: &str, many: &str) -> String {
    match others {
        0 => format!("this object{one}"),
        others => format!("this object and {others} more of this rank{many}"),
    }
}

fn home(id: u64) -> u32 {
    home_of_packed_id(id).unwrap_or(0)
}

fn identity(id: u64) -> String {
    format!("home {} and `migratable` {}", home(id), id & 3 == 3)
}
