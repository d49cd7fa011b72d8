// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a data set to the records of a provenance database.
//!
//! Recorded data have no clock, so executions lie on a made one: phases one after the other, each as long as its most
//! loaded rank takes, and the tasks of a rank behind one another in the order of its file. A metadata entry says so.

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

/// The program of all records: data sets are of one.
const PROGRAM: i64 = 0;

/// What a file says of a rank beside the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankFacts {
    /// The name of its host; may be empty.
    pub hostname: String,
    /// What it says of itself: descriptions and values.
    pub metadata: Vec<(String, String)>,
    /// Numbers of the whole rank: the state of its node.
    pub node_state: Vec<(String, f64)>,
    /// By position of the phase among all, its tasks in the order of the file. Empty for phases that repeat another.
    pub tasks: Vec<Vec<TaskFacts>>,
}

/// What a file says of a task beside the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskFacts {
    /// The object.
    pub slot: Slot,
    /// Numbers that it carries, each under the number of its name.
    pub counters: Box<[(u32, f64)]>,
    /// Whether it ran on a GPU.
    pub is_gpu: bool,
}

/// What is to become records.
pub struct Export<'a> {
    /// The data, judged.
    pub labels: &'a Labels<'a>,
    /// By rank.
    pub ranks: &'a [RankFacts],
    /// The names of counters.
    pub counters: &'a CounterNames,
    /// Who talks to whom, for each kind of communication by its number in files: the same phases, with that kind alone.
    pub communication: &'a [(i64, &'a DataSet)],
    /// How many executions windows have on each side; 5 where Chimbuko is launched by its scripts.
    pub window: usize,
}

impl<'a> Export<'a> {
    /// Chooses the executions that are written, and sums up the others. O(tasks); records are made when
    /// [files](Exported::files) are written, O(window + degree) for each execution.
    ///
    /// Differs from Chimbuko in that it judges all times by the final models (unless the labels were made in the order of
    /// phases), and in that times of tasks below a microsecond keep their fractions.
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

/// A task of a rank: the position of the phase among all, the rank, and the position of the task in the file. There may be
/// as many as there are tasks.
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
