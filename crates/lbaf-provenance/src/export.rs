// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a data set to the records of a provenance database.
//!
//! Recorded data have no clock, so executions lie on a made one: phases one after the other, each as long as its most
//! loaded rank takes, and the tasks of a rank behind one another in the order of its file. A metadata entry says so.

mod counters;
mod events;
mod normals;
mod timeline;
mod totals;

use lbaf_model::{DataSet, Slot};

pub use counters::CounterNames;
pub use timeline::Timeline;

use crate::record::{AdModel, CounterStats, Event, FunctionStats, MetadataEntry};
use crate::{Database, Labels, Stored};
use events::Events;

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
    pub counters: Vec<(u32, f64)>,
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

/// The records of all collections, in the order in which Chimbuko writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exported {
    /// Executions that are anomalies.
    pub anomalies: Vec<Event>,
    /// For each of them where there is one, the most normal execution of the same function on the same rank.
    pub normalexecs: Vec<Event>,
    /// What is known of ranks.
    pub metadata: Vec<MetadataEntry>,
    /// What functions took.
    pub func_stats: Vec<FunctionStats>,
    /// Counters of all tasks.
    pub counter_stats: Vec<CounterStats>,
    /// What was learnt.
    pub ad_model: Vec<AdModel>,
    /// Values of counters that were rounded, because the schema has whole numbers.
    pub n_rounded: u64,
}

impl From<Exported> for Database {
    fn from(exported: Exported) -> Self {
        fn stored<T: serde::Serialize>(records: Vec<T>) -> Vec<Stored<T>> {
            records.into_iter().map(Stored::new).collect()
        }
        Database {
            anomalies: stored(exported.anomalies),
            normalexecs: stored(exported.normalexecs),
            metadata: stored(exported.metadata),
            func_stats: stored(exported.func_stats),
            counter_stats: stored(exported.counter_stats),
            ad_model: stored(exported.ad_model),
        }
    }
}

impl Export<'_> {
    /// Makes the records. O(tasks), and O(window + degree) for each execution that is written.
    ///
    /// Differs from Chimbuko in that it judges all times by the final models (unless the labels were made in the order of
    /// phases), and in that times of tasks below a microsecond keep their fractions.
    pub fn records(&self) -> Exported {
        let timeline = Timeline::of(self.labels.data());
        let events = Events::new(self, &timeline);
        let (anomalies, normalexecs) = normals::chosen(self);
        let anomalies: Vec<Event> = anomalies.into_iter().map(|place| events.event(place)).collect();
        let normalexecs: Vec<Event> = normalexecs.into_iter().map(|place| events.event(place)).collect();
        let (counter_stats, n_rounded) = counters::statistics(self);
        Exported {
            func_stats: totals::function_stats(self, &anomalies),
            ad_model: totals::models(self),
            metadata: self.metadata(),
            anomalies,
            normalexecs,
            counter_stats,
            n_rounded,
        }
    }

    fn metadata(&self) -> Vec<MetadataEntry> {
        let entry = |rid: usize, descr: &str, value: &str| MetadataEntry {
            descr: descr.to_owned(),
            pid: PROGRAM,
            rid: i64::from(rid as u32),
            tid: 0,
            value: value.to_owned(),
        };
        let of_rank = |(rid, rank): (usize, &RankFacts)| {
            rank.metadata.iter().map(move |(descr, value)| entry(rid, descr, value)).collect::<Vec<_>>()
        };
        self.ranks.iter().enumerate().flat_map(of_rank).collect()
    }
}

/// A task of a rank: the rank, the position of the phase among all, and that of the task in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    at: usize,
    rank: usize,
    index: usize,
}

impl Export<'_> {
    fn task(&self, place: Place) -> &TaskFacts {
        &self.ranks[place.rank].tasks[place.at][place.index]
    }

    /// Number of the phase.
    fn step(&self, at: usize) -> i64 {
        self.labels.data().phases()[at].id().0.cast_signed()
    }

    fn event_id(&self, place: Place) -> String {
        format!("{}:{}:{}", place.rank, self.step(place.at), place.index)
    }

    fn function(&self, place: Place) -> usize {
        let object = self.labels.data().phases()[place.at].object(self.task(place).slot);
        self.labels.functions().of_object(object)
    }
}
