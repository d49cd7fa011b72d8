// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options of the import.

/// Options for converting a database to load-balancing data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
pub struct ImportOptions {
    /// Program; `None` selects the lowest number.
    pub pid: Option<i64>,
    /// Definition of an object.
    pub object: ObjectOf,
    /// Time that counts as load.
    pub time: TimeOf,
    /// True if objects are migratable, for studies of a migratable version of the application.
    pub migratable: bool,
    /// True if only steps with executions become phases, instead of all steps up to the last one.
    pub compact_phases: bool,
    /// True if executions that are only in windows (`event_window`) of other executions are imported too.
    pub use_windows: bool,
    /// True if attributes of tasks and metadata contain the original records, from which an export can restore the
    /// database.
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

/// Definition of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectOf {
    /// A function on a thread of a rank.
    #[default]
    Thread,
    /// A function on a rank, on all threads.
    Rank,
    /// Each execution.
    Event,
}

/// Time of an execution that counts as load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeOf {
    /// Exclusive time, without called functions.
    #[default]
    Exclusive,
    /// Inclusive time. The time of a called function counts for itself and for each of its callers.
    Total,
}
