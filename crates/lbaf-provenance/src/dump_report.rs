// SPDX-License-Identifier: MIT OR Apache-2.0
//! Report on a dump by function, counter, rank and host.

mod counters;
mod events;
mod functions;
mod ranks;

use std::cmp::Ordering;

use serde::Serialize;

pub use counters::CounterSummary;
use counters::counter_summaries;
pub use events::EventSummary;
use events::worst_events;
pub use functions::FunctionSummary;
use functions::function_summaries;
pub use ranks::{HostSummary, RankSummary};
use ranks::{host_summaries, rank_summaries};

use crate::dump::{Dump, UniqueEvents};

/// Report on a dump. The first of several records of an event, a function or a counter counts. Otherwise the report
/// does not depend on the order of records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DumpReport {
    /// Totals.
    pub totals: DumpTotals,
    /// Functions by accumulated severity, then accumulated score, largest first and unknown values last, then by
    /// program and number.
    pub functions: Vec<FunctionSummary>,
    /// Counters by program and name.
    pub counters: Vec<CounterSummary>,
    /// Ranks by accumulated severity, then number of anomalies, largest first, then by program and rank.
    pub ranks: Vec<RankSummary>,
    /// Hosts by accumulated severity, then number of anomalies, largest first, then by name.
    pub hosts: Vec<HostSummary>,
    /// Most severe anomalies, by severity, then score, largest first, then by program, rank, step and time.
    pub events: Vec<EventSummary>,
}

/// Counts of a dump.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DumpTotals {
    /// Number of events without duplicates.
    pub event_count: usize,
    /// Number of anomalies.
    pub anomaly_count: usize,
    /// Number of normal events.
    pub normal_count: usize,
    /// Number of omitted event records, whose program and `event_id` another record has. An event recorded both as
    /// normal and as an anomaly counts as an anomaly.
    pub duplicate_count: usize,
    /// First step in which an event was judged.
    pub first_step: Option<i64>,
    /// Last step in which an event was judged.
    pub last_step: Option<i64>,
    /// Number of steps from the first to the last.
    pub step_count: u64,
    /// Number of ranks of all programs in events or metadata.
    pub rank_count: usize,
    /// Number of known hosts of these ranks.
    pub host_count: usize,
}

impl DumpReport {
    /// Creates the report, with at most `most_events` events. O(n log n) for n records.
    pub fn of(dump: &Dump, most_events: usize) -> Self {
        let events = dump.unique_events();
        let ranks = rank_summaries(dump, &events);
        let hosts = host_summaries(&ranks, &events);
        DumpReport {
            totals: DumpTotals::of(&events, &ranks, &hosts),
            functions: function_summaries(dump, &events),
            counters: counter_summaries(&dump.counter_stats),
            ranks,
            hosts,
            events: worst_events(&events, most_events),
        }
    }
}

impl DumpTotals {
    fn of(events: &UniqueEvents, ranks: &[RankSummary], hosts: &[HostSummary]) -> Self {
        let steps = events.steps();
        DumpTotals {
            event_count: events.anomalies.len() + events.normal.len(),
            anomaly_count: events.anomalies.len(),
            normal_count: events.normal.len(),
            duplicate_count: events.n_duplicates,
            first_step: steps.map(|(first, _)| first),
            last_step: steps.map(|(_, last)| last),
            step_count: events.n_steps(),
            rank_count: ranks.len(),
            host_count: hosts.iter().filter(|host| host.hostname.is_some()).count(),
        }
    }
}

/// Compares two values: the largest first, unknown values last.
pub(crate) fn largest_first(one: Option<f64>, other: Option<f64>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dump::made::{event, hostname};
    use crate::record::Event;

    #[test]
    fn an_empty_dump_has_an_empty_report() {
        let report = DumpReport::of(&Dump::default(), 10);
        assert_eq!(report.totals, DumpTotals::default());
        assert!(report.functions.is_empty() && report.counters.is_empty() && report.events.is_empty());
        assert!(report.ranks.is_empty() && report.hosts.is_empty());
    }

    #[test]
    fn unknown_values_come_last() {
        let mut values = [None, Some(1.0), Some(-1.0), None, Some(3.0)];
        values.sort_by(|&one, &other| largest_first(one, other));
        assert_eq!(values, [Some(3.0), Some(1.0), Some(-1.0), None, None]);
    }

    #[test]
    fn totals_count_each_event_once() {
        let one = Event { hostname: "n1".to_owned(), ..event("0:4:0", 0, 4, 1, 5.0) };
        let other = event("1:6:0", 1, 6, 1, 5.0);
        let named = [hostname(2, "n1"), hostname(3, "n2")];
        let dump = Dump {
            anomalies: vec![&one, &one],
            normalexecs: vec![&other],
            metadata: named.iter().collect(),
            ..Dump::default()
        };
        let expected = DumpTotals {
            event_count: 2,
            anomaly_count: 1,
            normal_count: 1,
            duplicate_count: 1,
            first_step: Some(4),
            last_step: Some(6),
            step_count: 3,
            rank_count: 4,
            host_count: 2,
        };
        assert_eq!(DumpReport::of(&dump, 0).totals, expected);
    }

    #[test]
    fn reports_do_not_depend_on_the_order_of_records() {
        let times = [0.1, 0.2, 0.3, 1e9, 0.7, 1e-9];
        let events: Vec<Event> = (0_i64..)
            .zip(times)
            .map(|(at, time)| event(&format!("{at}"), at % 2, at, at % 3, time))
            .collect();
        let forwards = Dump { anomalies: events.iter().collect(), ..Dump::default() };
        let backwards = Dump { anomalies: events.iter().rev().collect(), ..Dump::default() };
        assert_eq!(DumpReport::of(&forwards, 9), DumpReport::of(&backwards, 9));
    }

    proptest! {
        /// Ranks, hosts and functions count the same anomalies, each once.
        #[test]
        fn ranks_hosts_and_functions_count_the_same(
            rows in prop::collection::vec((0_i64..4, 0_i64..5, 0_i64..3, 0_u32..100, 0_u8..12), 0..40),
            n_anomalies in 0_usize..40,
        ) {
            let events: Vec<Event> = rows
                .iter()
                .map(|&(rid, step, fid, time, id)| Event {
                    hostname: ["", "a", "b", "a"][usize::from(id) % 4].to_owned(),
                    ..event(&format!("{id}"), rid, step, fid, f64::from(time))
                })
                .collect();
            let (anomalies, normal) = events.split_at(n_anomalies.min(events.len()));
            let dump = Dump {
                anomalies: anomalies.iter().collect(),
                normalexecs: normal.iter().collect(),
                ..Dump::default()
            };
            let report = DumpReport::of(&dump, usize::MAX);
            let totals = &report.totals;
            let of_ranks: u64 = report.ranks.iter().map(|rank| rank.anomaly_count).sum();
            let of_hosts: u64 = report.hosts.iter().map(|host| host.anomaly_count).sum();
            let of_functions: u64 = report.functions.iter().map(|function| function.anomaly_count).sum();
            let recorded: u64 = report.functions.iter().map(|function| function.recorded_count).sum();
            let n_anomalies = totals.anomaly_count as u64;
            prop_assert_eq!([of_ranks, of_hosts, of_functions], [n_anomalies; 3]);
            prop_assert_eq!(report.events.len(), totals.anomaly_count);
            prop_assert_eq!(recorded, totals.event_count as u64);
            prop_assert_eq!(totals.event_count + totals.duplicate_count, rows.len());
            // Severities are integers: sums are exact in any order.
            let severity: f64 = report.events.iter().map(|event| event.severity_us).sum();
            prop_assert_eq!(report.hosts.iter().map(|host| host.accumulated_severity_us).sum::<f64>(), severity);
            prop_assert!(report.ranks.iter().all(|rank| rank.steps_with_anomalies <= totals.step_count));
        }
    }
}
