// SPDX-License-Identifier: MIT OR Apache-2.0
//! Export of a data set to the records of a provenance database.
//!
//! A data set has durations but no points in time, so executions get synthetic start times. A phase begins when the
//! previous one ends, and lasts as long as the load of its most loaded rank. In a phase, the tasks of a rank run one
//! after another in the order of its file. The command `lbaf provenance export` records this in the metadata entry
//! `lbaf.timeline`.

mod counters;
mod events;
mod exported;
mod normals;
mod timeline;
mod totals;

use lbaf_model::{DataSet, Slot};
use lbaf_noise::Labels;

pub use counters::CounterNames;
pub use exported::Exported;
pub use timeline::Timeline;

use crate::Stored;
use crate::record::MetadataEntry;

/// Program of all records: a data set has only one.
const PROGRAM: i64 = 0;

/// Data of a rank in its file, but not in the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankFacts {
    /// Name of the host; may be empty.
    pub hostname: String,
    /// Descriptions and values of its metadata.
    pub metadata: Vec<(String, String)>,
    /// Names and values of quantities of the whole rank, written as the state of its node.
    pub node_state: Vec<(String, f64)>,
    /// Tasks of each phase in the order of the file, by position of the phase. Empty for phases that repeat another
    /// one.
    pub tasks: Vec<Vec<TaskFacts>>,
}

/// Data of a task in its file, but not in the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskFacts {
    /// Object.
    pub slot: Slot,
    /// Counters of the task: number of the name, and value.
    pub counters: Box<[(u32, f64)]>,
    /// True if the task ran on a GPU.
    pub is_gpu: bool,
}

/// Input of an export.
pub struct Export<'a> {
    /// Labelled data.
    pub labels: &'a Labels<'a>,
    /// Data of each rank.
    pub ranks: &'a [RankFacts],
    /// Names of counters.
    pub counters: &'a CounterNames,
    /// Communication graphs, one for each kind of communication: the number of the kind in files, and the data set
    /// with this kind only.
    pub communication: &'a [(i64, &'a DataSet)],
    /// Limit on the window of a recorded execution: at most this number of executions before it, and at most the same
    /// number after it. Chimbuko's scripts set 5.
    pub window: usize,
}

impl<'a> Export<'a> {
    /// Selects the executions to be written, and computes totals over all executions. O((n + m) log n) for n tasks and
    /// m edges. Records are created when [files](Exported::files) are written, each in time proportional to the
    /// executions and messages in its window.
    ///
    /// Differences from Chimbuko: the final models judge all times (unless labels were made in phase order), and times
    /// of tasks keep fractions of a microsecond.
    pub fn exported(&'a self) -> Exported<'a> {
        Exported::new(self)
    }

    fn metadata(&self) -> Vec<Stored<MetadataEntry>> {
        let entry = |rid: usize, descr: &str, value: &str| {
            Stored::new(MetadataEntry {
                descr: descr.to_owned(),
                pid: PROGRAM,
                rid: i64::from(rid as u32),
                tid: 0,
                value: value.to_owned(),
            })
        };
        let of_rank = |(rid, rank): (usize, &RankFacts)| {
            rank.metadata.iter().map(move |(descr, value)| entry(rid, descr, value)).collect::<Vec<_>>()
        };
        self.ranks.iter().enumerate().flat_map(of_rank).collect()
    }
}

/// Task of a rank: position of the phase, rank, and position of the task in the phase of its file. Only 12 bytes,
/// because every task may have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    at: u32,
    rank: u32,
    index: u32,
}

impl Place {
    fn new(at: usize, rank: usize, index: usize) -> Self {
        Place { at: at as u32, rank: rank as u32, index: index as u32 }
    }

    fn at(self) -> usize {
        self.at as usize
    }

    fn rank(self) -> usize {
        self.rank as usize
    }
}

impl Export<'_> {
    fn task(&self, place: Place) -> &TaskFacts {
        &self.ranks[place.rank()].tasks[place.at()][place.index as usize]
    }

    /// Number of the phase.
    fn step(&self, at: usize) -> i64 {
        self.labels.data().phases()[at].id().0.cast_signed()
    }

    fn event_id(&self, place: Place) -> String {
        format!("{}:{}:{}", place.rank, self.step(place.at()), place.index)
    }

    fn function(&self, place: Place) -> usize {
        let object = self.labels.data().phases()[place.at()].object(self.task(place).slot);
        self.labels.functions().of_object(object)
    }
}
