// SPDX-License-Identifier: MIT OR Apache-2.0
//! What load-balancing data are made of a database.

/// How a database becomes load-balancing data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ImportOptions {
    /// The program; none for that with the lowest number.
    pub pid: Option<i64>,
    /// What is an object.
    pub object: ObjectOf,
    /// Which time is its load.
    pub time: TimeOf,
    /// Whether objects may migrate, for studies of what would be if they could.
    pub migratable: bool,
    /// Whether phases are only the steps that have executions, instead of all up to the last.
    pub compact_phases: bool,
    /// Whether executions that only windows know are taken too.
    pub use_windows: bool,
    /// Whether attributes carry the records, so that the database can be had back.
    pub carry_records: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        ImportOptions {
            pid: None,
            object: ObjectOf::default(),
            time: TimeOf::default(),
            migratable: false,
            compact_phases: false,
            use_windows: false,
            carry_records: true,
        }
    }
}

/// What is an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectOf {
    /// A function on a thread of a rank.
    #[default]
    Thread,
    /// A function on a rank, on whichever threads.
    Rank,
    /// Each execution.
    Event,
}

/// Which time of an execution counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeOf {
    /// That without functions which it called.
    #[default]
    Exclusive,
    /// That with them, which counts what they took again.
    Total,
}
