// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters: quantities of tasks, and their communication.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Slot, Volume};
use lbaf_noise::RunStats;

use super::timeline::whole;
use super::{Export, PROGRAM, Place};
use crate::record::{CounterEvent, CounterStats};

/// Names of counters with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterNames {
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

/// Names of the counters for the communication of tasks.
const EXCHANGED: [&str; 3] = ["bytes sent", "bytes received", "messages sent"];

impl CounterNames {
    /// Returns the number of a name, which is added if new.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Returns the name of a number.
    fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }
}

/// Returns bytes sent, bytes received and messages sent by a task, over all kinds of communication.
fn exchanged(communication: &[(i64, &DataSet)], at: usize, slot: Slot) -> [f64; 3] {
    let (mut sent, mut received) = (Volume::default(), 0.0);
    for (_, data) in communication {
        let graph = data.phases()[at].communication();
        for (_, volume) in graph.outgoing(slot) {
            sent += volume;
        }
        received += graph.incoming(slot).map(|(_, volume)| volume.bytes).sum::<f64>();
    }
    [sent.bytes, received, sent.messages as f64]
}

/// Returns the name and value of every counter of a task.
fn of_task<'a>(export: &'a Export<'_>, place: Place) -> impl Iterator<Item = (&'a str, f64)> {
    let task = export.task(place);
    let carried = task.counters.iter().map(|&(number, value)| (export.counters.name(number), value));
    let communication = !export.communication.is_empty();
    let exchanged = communication.then(|| exchanged(export.communication, place.at(), task.slot));
    carried.chain(EXCHANGED.into_iter().zip(exchanged.into_iter().flatten()))
}

/// Returns the counters of an execution, numbered as in `indices`. They are read at `exit`, the end of the execution.
pub(super) fn events(
    export: &Export<'_>,
    indices: &BTreeMap<&str, i64>,
    place: Place,
    exit: i64,
) -> Vec<CounterEvent> {
    let event = |(name, value): (&str, f64)| CounterEvent {
        counter_idx: indices[name],
        counter_name: name.to_owned(),
        counter_value: whole(value) as f64,
        pid: PROGRAM,
        rid: i64::from(place.rank),
        tid: 0,
        ts: exit,
    };
    of_task(export, place).map(event).collect()
}

/// Returns the number of each name, in alphabetical order, independent of the order in files.
pub(super) fn indices<'a>(export: &'a Export<'_>) -> BTreeMap<&'a str, i64> {
    let mut names: Vec<&str> = export.counters.names.iter().map(String::as_str).chain(EXCHANGED).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().zip(0..).collect()
}

/// Returns the statistics of each counter over all tasks, and the number of values that were rounded.
pub(super) fn statistics(export: &Export<'_>) -> (Vec<CounterStats>, u64) {
    let mut statistics: BTreeMap<&str, RunStats> = BTreeMap::new();
    let mut n_rounded = 0;
    for (rank, facts) in export.ranks.iter().enumerate() {
        for (at, tasks) in facts.tasks.iter().enumerate() {
            for index in 0..tasks.len() {
                for (name, value) in of_task(export, Place::new(at, rank, index)) {
                    n_rounded += u64::from(value.fract() != 0.0);
                    statistics.entry(name).or_default().push(whole(value) as f64);
                }
            }
        }
    }
    let record = |(name, stats): (&str, RunStats)| CounterStats {
        app: PROGRAM,
        counter: name.to_owned(),
        stats: (&stats).into(),
    };
    (statistics.into_iter().map(record).collect(), n_rounded)
}
