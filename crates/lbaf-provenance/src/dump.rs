// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dump of a run: records by collection.

use rustc_hash::FxHashSet;

use crate::record::{AdModel, CounterStats, Event, FunctionStats, MetadataEntry};

/// Records of a run. A user can dump some collections only, so any can be missing.
#[derive(Clone, Debug, Default)]
pub struct Dump<'a> {
    /// Executions that are anomalies.
    pub anomalies: Vec<&'a Event>,
    /// Some normal executions.
    pub normalexecs: Vec<&'a Event>,
    /// Metadata of ranks.
    pub metadata: Vec<&'a MetadataEntry>,
    /// Times of functions.
    pub func_stats: Vec<&'a FunctionStats>,
    /// Counters.
    pub counter_stats: Vec<&'a CounterStats>,
    /// Models of functions.
    pub ad_model: Vec<&'a AdModel>,
}

/// Events of a dump without duplicates, ordered by program, rank, step and time. Sums of floating-point numbers thus
/// depend on the order of the records only if duplicates differ.
pub(crate) struct UniqueEvents<'a> {
    pub(crate) anomalies: Vec<&'a Event>,
    pub(crate) normal: Vec<&'a Event>,
    /// Number of omitted records, whose program and `event_id` another record has.
    pub(crate) n_duplicates: usize,
}

impl<'a> Dump<'a> {
    /// Returns the first record of each event. An event recorded both as an anomaly and as normal counts as an
    /// anomaly.
    pub(crate) fn unique_events(&self) -> UniqueEvents<'a> {
        let mut seen = FxHashSet::default();
        let mut unique = |events: &[&'a Event]| {
            let mut kept: Vec<&Event> = events
                .iter()
                .copied()
                .filter(|event| seen.insert((event.pid, event.event_id.as_str())))
                .collect();
            kept.sort_by_key(|event| (event.pid, event.rid, event.io_step, event.entry, &event.event_id));
            kept
        };
        let (anomalies, normal) = (unique(&self.anomalies), unique(&self.normalexecs));
        let n_records = self.anomalies.len() + self.normalexecs.len();
        UniqueEvents { n_duplicates: n_records - anomalies.len() - normal.len(), anomalies, normal }
    }
}

impl<'a> UniqueEvents<'a> {
    /// Returns all events, anomalies first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'a Event> {
        self.anomalies.iter().chain(&self.normal).copied()
    }

    /// Returns the first and the last step in which an event was judged; `None` without events.
    pub(crate) fn steps(&self) -> Option<(i64, i64)> {
        let steps = || self.all().map(|event| event.io_step);
        steps().min().zip(steps().max())
    }

    /// Number of steps from the first to the last, including those without events; 0 for no events.
    pub(crate) fn n_steps(&self) -> u64 {
        self.steps().map_or(0, |(first, last)| first.abs_diff(last).saturating_add(1))
    }
}

/// Records for tests.
#[cfg(test)]
pub(crate) mod made {
    use crate::record::{Event, EventWindow, FunctionStats, MetadataEntry, StatisticsRecord};

    /// Creates an execution of function `f<fid>` of program 0 with a time in microseconds.
    pub(crate) fn event(event_id: &str, rid: i64, step: i64, fid: i64, exclusive: f64) -> Event {
        Event {
            algo_params: None,
            call_stack: Vec::new(),
            counter_events: Vec::new(),
            entry: step * 1000,
            event_id: event_id.to_owned(),
            event_window: EventWindow::default(),
            exit: step * 1000 + 500,
            fid,
            func: format!("f{fid}"),
            gpu_location: None,
            gpu_parent: None,
            hostname: String::new(),
            io_step: step,
            io_step_tend: 0,
            io_step_tstart: 0,
            is_gpu_event: false,
            node_state: None,
            outlier_score: 1.0,
            outlier_severity: exclusive,
            pid: 0,
            rid,
            runtime_exclusive: exclusive,
            runtime_total: 2.0 * exclusive,
            tid: 0,
            version: 2,
        }
    }

    /// Creates statistics of `count` values with this sum.
    pub(crate) fn statistics(count: f64, accumulate: f64) -> StatisticsRecord {
        let mean = if count > 0.0 { accumulate / count } else { 0.0 };
        StatisticsRecord { accumulate, count, mean, ..StatisticsRecord::default() }
    }

    /// Parses a function from the JSON of a dump.
    pub(crate) fn function(json: &str) -> FunctionStats {
        serde_json::from_str(json).expect("statistics of a function")
    }

    /// Creates the metadata entry for the host of a rank of program 0.
    pub(crate) fn hostname(rid: i64, value: &str) -> MetadataEntry {
        MetadataEntry { descr: "Hostname".to_owned(), pid: 0, rid, tid: 0, value: value.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::made::event;
    use super::*;

    #[test]
    fn an_event_counts_once_for_each_program() {
        let (one, again) = (event("0:1:1", 0, 1, 7, 5.0), event("0:1:1", 0, 1, 7, 6.0));
        let elsewhere = Event { pid: 1, ..one.clone() };
        let dump = Dump {
            anomalies: vec![&elsewhere, &one, &again],
            normalexecs: vec![&one, &again],
            ..Dump::default()
        };
        let events = dump.unique_events();
        assert_eq!(events.anomalies, [&one, &elsewhere]);
        assert!(events.normal.is_empty());
        assert_eq!(events.n_duplicates, 3);
    }

    #[test]
    fn steps_are_counted_from_the_first_to_the_last() {
        assert_eq!(Dump::default().unique_events().n_steps(), 0);
        let (late, early) = (event("a", 0, 9, 0, 1.0), event("b", 3, 5, 0, 1.0));
        let dump = Dump { anomalies: vec![&late], normalexecs: vec![&early], ..Dump::default() };
        assert_eq!(dump.unique_events().steps(), Some((5, 9)));
        assert_eq!(dump.unique_events().n_steps(), 5);
        let (first, last) = (event("a", 0, 0, 0, 1.0), event("b", 0, 0, 0, 1.0));
        let (first, last) = (Event { io_step: i64::MIN, ..first }, Event { io_step: i64::MAX, ..last });
        let dump = Dump { anomalies: vec![&first, &last], ..Dump::default() };
        assert_eq!(dump.unique_events().n_steps(), u64::MAX, "invalid steps do not cause a panic");
    }
}
