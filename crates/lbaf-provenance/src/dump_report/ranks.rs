// SPDX-License-Identifier: MIT OR Apache-2.0
//! Anomalies by rank and host.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dump::{Dump, UniqueEvents};

/// Summary of a rank of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RankSummary {
    /// Program.
    pub pid: i64,
    /// Rank.
    pub rid: i64,
    /// Host; `None` if neither events nor metadata give it.
    pub hostname: Option<String>,
    /// Number of its anomalies in the dump.
    pub anomaly_count: u64,
    /// Number of its normal executions in the dump. Chimbuko records at most one for each step and function with
    /// anomalies.
    pub normal_count: u64,
    /// Sum of the severities of its anomalies, in microseconds.
    pub accumulated_severity_us: f64,
    /// Number of steps with anomalies.
    pub steps_with_anomalies: u64,
    /// Number of anomalies divided by the number of steps from the first to the last step of any event in the dump;
    /// `None` without steps. No other rate is available: dumps lack the number of executions of a rank.
    pub anomalies_per_step: Option<f64>,
}

/// Summary of a host: sums over its ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HostSummary {
    /// Name; `None` for all ranks whose host is unknown.
    pub hostname: Option<String>,
    /// Number of its ranks, of all programs.
    pub rank_count: u64,
    /// Number of anomalies in the dump.
    pub anomaly_count: u64,
    /// Number of normal executions in the dump, not all executions.
    pub normal_count: u64,
    /// Sum of the severities of anomalies, in microseconds.
    pub accumulated_severity_us: f64,
    /// Number of steps with anomalies, summed over the ranks.
    pub steps_with_anomalies: u64,
    /// Number of anomalies divided by the number of steps, as for ranks.
    pub anomalies_per_step: Option<f64>,
}

/// Summarizes all ranks in events or metadata, most severe first; ties by number of anomalies, then by program and
/// rank.
pub(super) fn rank_summaries(dump: &Dump, events: &UniqueEvents) -> Vec<RankSummary> {
    let mut ranks: BTreeMap<(i64, i64), RankSummary> = BTreeMap::new();
    let mut step_of_before = None;
    for event in &events.anomalies {
        let rank = ranks.entry((event.pid, event.rid)).or_default();
        rank.anomaly_count += 1;
        rank.accumulated_severity_us += event.outlier_severity;
        // Events are ordered by program, rank and step.
        let step = Some((event.pid, event.rid, event.io_step));
        rank.steps_with_anomalies += u64::from(step != step_of_before);
        step_of_before = step;
    }
    for event in &events.normal {
        ranks.entry((event.pid, event.rid)).or_default().normal_count += 1;
    }
    let mut hostnames: BTreeMap<(i64, i64), &str> = BTreeMap::new();
    for event in events.all().filter(|event| !event.hostname.is_empty()) {
        hostnames.entry((event.pid, event.rid)).or_insert(&event.hostname);
    }
    // Host names of events take precedence over those of metadata. Of the metadata, those of the lowest
    // thread are used, because other threads represent a GPU.
    let mut metadata = dump.metadata.clone();
    metadata.sort_by_key(|entry| (entry.tid, &entry.value));
    for entry in metadata {
        ranks.entry((entry.pid, entry.rid)).or_default();
        if entry.descr == "Hostname" && !entry.value.is_empty() {
            hostnames.entry((entry.pid, entry.rid)).or_insert(&entry.value);
        }
    }
    let mut summaries: Vec<RankSummary> = ranks
        .into_iter()
        .map(|((pid, rid), rank)| RankSummary {
            pid,
            rid,
            hostname: hostnames.get(&(pid, rid)).map(|&name| name.to_owned()),
            anomalies_per_step: per_step(rank.anomaly_count, events),
            ..rank
        })
        .collect();
    // The sort is stable: remaining ties stay ordered by program and rank.
    summaries.sort_by(|one, other| {
        let severities = other.accumulated_severity_us.total_cmp(&one.accumulated_severity_us);
        severities.then(other.anomaly_count.cmp(&one.anomaly_count))
    });
    summaries
}

/// Summarizes the hosts of ranks, most severe first; ties by number of anomalies, then by name, with the unknown host
/// after all names.
pub(super) fn host_summaries(ranks: &[RankSummary], events: &UniqueEvents) -> Vec<HostSummary> {
    let mut hosts: BTreeMap<(bool, Option<&str>), HostSummary> = BTreeMap::new();
    for rank in ranks {
        let hostname = rank.hostname.as_deref();
        let host = hosts.entry((hostname.is_none(), hostname)).or_default();
        host.rank_count += 1;
        host.anomaly_count += rank.anomaly_count;
        host.normal_count += rank.normal_count;
        host.accumulated_severity_us += rank.accumulated_severity_us;
        host.steps_with_anomalies += rank.steps_with_anomalies;
    }
    let mut summaries: Vec<HostSummary> = hosts
        .into_iter()
        .map(|((_, hostname), host)| HostSummary {
            hostname: hostname.map(str::to_owned),
            anomalies_per_step: per_step(host.anomaly_count, events),
            ..host
        })
        .collect();
    summaries.sort_by(|one, other| {
        let severities = other.accumulated_severity_us.total_cmp(&one.accumulated_severity_us);
        severities.then(other.anomaly_count.cmp(&one.anomaly_count))
    });
    summaries
}

fn per_step(n_anomalies: u64, events: &UniqueEvents) -> Option<f64> {
    let n_steps = events.n_steps();
    (n_steps > 0).then(|| n_anomalies as f64 / n_steps as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::made::{event, hostname};
    use crate::record::{Event, MetadataEntry};

    /// Rank 0 on `a` has two anomalies in step 2 and one in step 5. Rank 1 on `b` has one anomaly of the same total
    /// severity, and a normal execution in step 11. Rank 2 on `b` and rank 3 on an unknown host have one anomaly each,
    /// equally severe. There are ten steps, 2 to 11.
    fn recorded() -> (Vec<Event>, Event, Vec<MetadataEntry>) {
        let mut events = vec![
            event("0", 0, 2, 1, 10.0),
            event("1", 0, 2, 2, 10.0),
            event("2", 0, 5, 1, 10.0),
            event("3", 1, 2, 1, 30.0),
            event("4", 3, 2, 1, 7.0),
            event("5", 2, 2, 1, 7.0),
        ];
        events[1].hostname = "a".to_owned();
        let normal = Event { hostname: "b".to_owned(), ..event("6", 1, 11, 1, 1.0) };
        // Rank 4 has no events. The host in the event of rank 1 takes precedence over that in the metadata.
        let metadata = vec![
            hostname(1, "other"),
            MetadataEntry { tid: 9, value: "a".to_owned(), ..hostname(2, "") },
            hostname(2, "b"),
            MetadataEntry { descr: "CUDA Device".to_owned(), ..hostname(4, "0") },
        ];
        (events, normal, metadata)
    }

    #[test]
    fn ranks_are_ordered_by_severity() {
        let (events, normal, metadata) = recorded();
        let dump = Dump {
            anomalies: events.iter().collect(),
            normalexecs: vec![&normal],
            metadata: metadata.iter().collect(),
            ..Dump::default()
        };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        let rank = |rid: i64, host: Option<&str>, counts: [u64; 3], severity: f64| RankSummary {
            pid: 0,
            rid,
            hostname: host.map(str::to_owned),
            anomaly_count: counts[0],
            normal_count: counts[1],
            accumulated_severity_us: severity,
            steps_with_anomalies: counts[2],
            anomalies_per_step: Some(counts[0] as f64 / 10.0),
        };
        let expected = [
            rank(0, Some("a"), [3, 0, 2], 30.0),
            rank(1, Some("b"), [1, 1, 1], 30.0),
            rank(2, Some("b"), [1, 0, 1], 7.0),
            rank(3, None, [1, 0, 1], 7.0),
            rank(4, None, [0, 0, 0], 0.0),
        ];
        assert_eq!(ranks, expected);

        let hosts = host_summaries(&ranks, &dump.unique_events());
        let host = |host: Option<&str>, counts: [u64; 4], severity: f64| HostSummary {
            hostname: host.map(str::to_owned),
            rank_count: counts[0],
            anomaly_count: counts[1],
            normal_count: counts[2],
            accumulated_severity_us: severity,
            steps_with_anomalies: counts[3],
            anomalies_per_step: Some(counts[1] as f64 / 10.0),
        };
        let expected = [
            host(Some("b"), [2, 2, 1, 2], 37.0),
            host(Some("a"), [1, 3, 0, 2], 30.0),
            host(None, [2, 1, 0, 1], 7.0),
        ];
        assert_eq!(hosts, expected);
    }

    #[test]
    fn hosts_in_a_tie_are_ordered_by_name() {
        let metadata = [hostname(0, "b"), hostname(1, "a"), hostname(2, "")];
        let dump = Dump { metadata: metadata.iter().collect(), ..Dump::default() };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        let hosts = host_summaries(&ranks, &dump.unique_events());
        let names: Vec<Option<&str>> = hosts.iter().map(|host| host.hostname.as_deref()).collect();
        assert_eq!(names, [Some("a"), Some("b"), None]);
        assert_eq!(ranks[0].anomalies_per_step, None, "without events there are no steps");
    }

    #[test]
    fn ranks_of_equal_severity_are_ordered_by_number_of_anomalies() {
        let mut events = [("0", 0, 4.0), ("1", 1, 2.0), ("2", 1, 2.0), ("3", 2, 1.0), ("4", 2, 3.0)]
            .map(|(id, rid, severity)| event(id, rid, 0, 1, severity));
        for event in &mut events {
            event.hostname = format!("n{}", event.rid);
        }
        let dump = Dump { anomalies: events.iter().collect(), ..Dump::default() };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        assert_eq!(ranks.iter().map(|rank| rank.rid).collect::<Vec<_>>(), [1, 2, 0]);
        let hosts = host_summaries(&ranks, &dump.unique_events());
        let names: Vec<Option<&str>> = hosts.iter().map(|host| host.hostname.as_deref()).collect();
        assert_eq!(names, [Some("n1"), Some("n2"), Some("n0")]);
    }

    #[test]
    fn programs_have_separate_ranks() {
        let one = event("0:0:0", 0, 0, 1, 1.0);
        let other = Event { pid: 1, ..one.clone() };
        let dump = Dump { anomalies: vec![&other, &one], ..Dump::default() };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        assert_eq!(ranks.iter().map(|rank| (rank.pid, rank.rid)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    }
}
