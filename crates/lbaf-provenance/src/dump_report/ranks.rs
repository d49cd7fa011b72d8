// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which ranks and hosts anomalies are on.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dump::{Dump, UniqueEvents};

/// A rank of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RankSummary {
    /// The program.
    pub pid: i64,
    /// The rank.
    pub rid: i64,
    /// Its host, none if neither events nor metadata name it.
    pub hostname: Option<String>,
    /// Its anomalies in the dump.
    pub anomaly_count: u64,
    /// Its other executions in the dump: at most one for each step and function with anomalies, not all that it had.
    pub normal_count: u64,
    /// Sum of the severities of its anomalies, in microseconds.
    pub accumulated_severity_us: f64,
    /// Steps in which it had any.
    pub steps_with_anomalies: u64,
    /// Its anomalies divided by the analysed steps of the run: those from the first to the last one of any event in the
    /// dump. Dumps do not say how many executions a rank had, so there is no other rate. None without steps.
    pub anomalies_per_step: Option<f64>,
}

/// A host: the sums over its ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HostSummary {
    /// Its name; none for all ranks of which nobody knows the host.
    pub hostname: Option<String>,
    /// Its ranks, of all programs.
    pub rank_count: u64,
    /// Anomalies in the dump.
    pub anomaly_count: u64,
    /// Other executions in the dump, not all that there were.
    pub normal_count: u64,
    /// Sum of the severities of anomalies, in microseconds.
    pub accumulated_severity_us: f64,
    /// Steps with anomalies, which count for each rank that had any in them.
    pub steps_with_anomalies: u64,
    /// Anomalies divided by the analysed steps of the run, as for ranks.
    pub anomalies_per_step: Option<f64>,
}

/// All ranks that events or metadata name, the one that matters most first.
pub(super) fn rank_summaries(dump: &Dump, events: &UniqueEvents) -> Vec<RankSummary> {
    let mut ranks: BTreeMap<(i64, i64), RankSummary> = BTreeMap::new();
    let mut step_of_before = None;
    for event in &events.anomalies {
        let rank = ranks.entry((event.pid, event.rid)).or_default();
        rank.anomaly_count += 1;
        rank.accumulated_severity_us += event.outlier_severity;
        // Events are in the order of programs, ranks and steps.
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
    // What events say counts first; of metadata the first thread, for others stand for a GPU.
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
    // Stable, so that equal ones stay in the order by program and rank.
    summaries.sort_by(|one, other| {
        let severities = other.accumulated_severity_us.total_cmp(&one.accumulated_severity_us);
        severities.then(other.anomaly_count.cmp(&one.anomaly_count))
    });
    summaries
}

/// All hosts of ranks, the one that matters most first; at equal values, who has no name is last.
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

    /// Rank 0 on `a`: two anomalies in step 2, one in step 5; rank 1 on `b`: one worth the same, and a normal execution in
    /// step 11; rank 2 on `b`: one worth as much as rank 3, which is on no known host. Steps are 2 to 11, ten of them.
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
        // Rank 4 had nothing. What events say of rank 1 counts first.
        let metadata = vec![
            hostname(1, "other"),
            MetadataEntry { tid: 9, value: "a".to_owned(), ..hostname(2, "") },
            hostname(2, "b"),
            MetadataEntry { descr: "CUDA Device".to_owned(), ..hostname(4, "0") },
        ];
        (events, normal, metadata)
    }

    #[test]
    fn ranks_are_in_the_order_of_what_they_lost() {
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
    fn hosts_that_equal_are_in_the_order_of_their_names() {
        let metadata = [hostname(0, "b"), hostname(1, "a"), hostname(2, "")];
        let dump = Dump { metadata: metadata.iter().collect(), ..Dump::default() };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        let hosts = host_summaries(&ranks, &dump.unique_events());
        let names: Vec<Option<&str>> = hosts.iter().map(|host| host.hostname.as_deref()).collect();
        assert_eq!(names, [Some("a"), Some("b"), None]);
        assert_eq!(ranks[0].anomalies_per_step, None, "without events there are no steps");
    }

    #[test]
    fn of_equal_severities_more_anomalies_are_worse() {
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
    fn programs_have_ranks_of_their_own() {
        let one = event("0:0:0", 0, 0, 1, 1.0);
        let other = Event { pid: 1, ..one.clone() };
        let dump = Dump { anomalies: vec![&other, &one], ..Dump::default() };
        let ranks = rank_summaries(&dump, &dump.unique_events());
        assert_eq!(ranks.iter().map(|rank| (rank.pid, rank.rid)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    }
}
