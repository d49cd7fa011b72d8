// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of the checks between records of a data set, in one file or in several.

use std::path::PathBuf;

use lbaf_vom::{home_of_packed_id, sequence_of_packed_id};

/// Conflict of a record with other records of its file, other files or other phases.
pub(super) enum Problem {
    /// The object has another task in the phase.
    Twin { id: u64, phase: u64, file: usize, task: usize },
    /// The object is on another rank than before the skipped phases.
    Lost { others: usize, skipped: (u64, u64) },
    /// The object is missing in the previous phase.
    New { others: usize, before: u64 },
    /// The object has another home in the previous phase.
    OtherHome { id: u64, before: u64, id_before: u64 },
    /// An endpoint has the sequence number of a task, but another home or migratability.
    OtherEnd { is_sender: bool, id: u64, task: u64 },
    /// The object has fewer subphases than another task of the rank.
    FewerSubphases { n: u64, most: u64, others: usize, migrates: bool },
}

impl Problem {
    pub(super) fn message(&self, paths: &[PathBuf]) -> String {
        match *self {
            Problem::Twin { id, phase, file, task } => format!(
                "the object with vt's id {id} already has a task in phase {phase}: task {task} of {}",
                paths[file].display()
            ),
            Problem::Lost { others, skipped: (first, last) } => {
                let phases = if first == last {
                    format!("phase {first}, which is")
                } else {
                    format!("phases {first}-{last}, which are")
                };
                format!(
                    "{} on another rank than before {phases} skipped; vt applies no migration across skipped phases",
                    objects(others, " is", " are")
                )
            }
            Problem::New { others, before } => {
                let them = if others == 0 { "it" } else { "them" };
                format!(
                    "{} new: phase {before} does not contain {them}; vt places only objects of the previous phase; \
                     ignore this if the application creates {them} in this phase",
                    objects(others, " is", " are")
                )
            }
            Problem::OtherHome { id, before, id_before } => format!(
                "seq_id {} has home {} here but home {} in phase {before}; vt packs the seq_id and the home \
                 into the id, so it treats these as two objects",
                sequence_of_packed_id(id),
                home(id),
                home(id_before)
            ),
            Problem::OtherEnd { is_sender, id, task } => format!(
                "`{}` has seq_id {}, {}, but the task with this seq_id has {}; vt treats these as two \
                 objects",
                if is_sender { "from" } else { "to" },
                sequence_of_packed_id(id),
                identity(id),
                identity(task)
            ),
            Problem::FewerSubphases { n, most, others, migrates: true } => format!(
                "{} to another rank after this phase, with fewer subphases ({n}) than another task of this rank ({most}); \
                 vt aborts on this; give all tasks of a rank the same number of subphases",
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

/// Formats the subject and verb: "this object is", "this object and 3 more of this rank are".
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
