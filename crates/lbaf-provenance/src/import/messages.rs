// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication, from the messages in windows of recorded executions. Sender and receiver of a message are recorded
//! separately, each possibly in several windows.

use std::collections::BTreeMap;

use lbaf_vom::CommunicationKind;
use lbaf_vom::record::{Communication, Entity, EntityKind};

use super::executions::{Executions, ObjectKey, Origin};
use super::objects::Objects;
use crate::Database;
use crate::record::Message;

/// Counts of the messages in windows of recorded executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageCounts {
    /// Number of endpoints of messages in all windows, with repetitions.
    pub n_ends: usize,
    /// Number of endpoints that were already counted.
    pub n_repeated: usize,
    /// Number of endpoints that are neither `SEND` nor `RECV`, or have a negative size.
    pub n_unusable: usize,
    /// Number of messages with two known endpoints.
    pub n_paired: usize,
    /// Number of messages with a known sender only.
    pub n_sent: usize,
    /// Number of messages with a known receiver only.
    pub n_received: usize,
    /// Number of messages between objects.
    pub n_between_objects: usize,
    /// Number of messages from an object to a rank: the receiving object is unknown.
    pub n_to_ranks: usize,
    /// Number of messages from a rank to an object.
    pub n_from_ranks: usize,
    /// Number of messages without a known object, which are left out.
    pub n_dropped: usize,
    /// Number of messages from or to a rank without a file, which are left out.
    pub n_beyond_ranks: usize,
    /// Number of endpoints whose execution is only in windows and whose object has no task in the same step. Their
    /// objects count as unknown.
    pub n_ends_in_windows: usize,
}

type Communications = BTreeMap<(u16, u64), Vec<Communication>>;

/// Endpoint of a message. Equal values in different windows are the same endpoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End<'a> {
    timestamp: i64,
    rid: i64,
    tid: i64,
    has_no_event: bool,
    event_id: &'a str,
}

/// Common properties of both endpoints of a message: sender, receiver, tag and size.
type Route = (i64, i64, i64, i64);

#[derive(Default)]
struct Ends<'a> {
    sent: Vec<End<'a>>,
    received: Vec<End<'a>>,
}

/// Sender or receiver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Party<'a> {
    Object(&'a ObjectKey<'a>),
    Rank(u16),
}

impl<'a> Party<'a> {
    /// Returns the object at an endpoint, or its rank if the object is unknown; `None` if the rank has no file.
    fn of(origin: Option<&'a Origin<'a>>, rid: i64, n_ranks: usize) -> Option<Self> {
        match origin {
            Some(origin) => Some(Party::Object(&origin.key)),
            None => u16::try_from(rid).ok().filter(|&rank| usize::from(rank) < n_ranks).map(Party::Rank),
        }
    }
}

/// Returns the communications of each rank and step, and the counts of messages.
pub(super) fn communications(
    database: &Database,
    executions: &Executions<'_>,
    objects: &Objects<'_>,
    n_ranks: usize,
) -> (Communications, MessageCounts) {
    let mut counts = MessageCounts::default();
    let mut totals = BTreeMap::<(u16, u64, Party<'_>, Party<'_>), (f64, u64)>::new();
    for ((src, tar, _, bytes), Ends { sent, received }) in routes(database, executions.pid, &mut counts) {
        let n_paired = sent.len().min(received.len());
        counts.n_paired += n_paired;
        counts.n_sent += sent.len() - n_paired;
        counts.n_received += received.len() - n_paired;
        let mut origin =
            |end: Option<&End<'_>>| origin_of(end?, executions, objects, &mut counts.n_ends_in_windows);
        // Messages of the same route are received in the order in which they were sent.
        let ends: Vec<_> = (0..sent.len().max(received.len()))
            .map(|nth| (origin(sent.get(nth)), origin(received.get(nth))))
            .collect();
        for (sender, receiver) in ends {
            let Some(known) = sender.or(receiver) else {
                counts.n_dropped += 1;
                continue;
            };
            let (Some(from), Some(to)) = (Party::of(sender, src, n_ranks), Party::of(receiver, tar, n_ranks))
            else {
                counts.n_beyond_ranks += 1;
                continue;
            };
            match (from, to) {
                (Party::Object(_), Party::Object(_)) => counts.n_between_objects += 1,
                (_, Party::Rank(_)) => counts.n_to_ranks += 1,
                (Party::Rank(_), _) => counts.n_from_ranks += 1,
            }
            let total = totals.entry((known.key.rank, known.step, from, to)).or_default();
            total.0 += bytes as f64;
            total.1 += 1;
        }
    }
    let mut communications = Communications::new();
    for ((rank, step, from, to), (bytes, messages)) in totals {
        let kind = match (from, to) {
            (Party::Object(_), Party::Object(_)) => CommunicationKind::SendRecv,
            (_, Party::Rank(_)) => CommunicationKind::CollectionToNode,
            (Party::Rank(_), _) => CommunicationKind::NodeToCollection,
        };
        let [from, to] = [from, to].map(|party| entity(party, objects));
        let communication = Communication { bytes, from, messages, to, kind };
        communications.entry((rank, step)).or_default().push(communication);
    }
    (communications, counts)
}

/// Groups the endpoints of the messages of a program by route, in the order of time. Equal endpoints are counted as
/// often as in the window that has most of them. Endpoints that differ only in their execution are equal.
fn routes<'a>(database: &'a Database, pid: i64, counts: &mut MessageCounts) -> BTreeMap<Route, Ends<'a>> {
    let mut ends = BTreeMap::new();
    for event in super::events(database).filter(|event| event.pid == pid) {
        // Windows overlap and can repeat an endpoint. Equal endpoints in one window belong to different messages.
        let mut of_window = BTreeMap::new();
        for message in &event.event_window.comm_window {
            counts.n_ends += 1;
            let Message { bytes, src, tar, tag, timestamp, rid, tid, .. } = *message;
            let is_sent = message.kind == "SEND";
            if bytes < 0 || !is_sent && message.kind != "RECV" {
                counts.n_unusable += 1;
                continue;
            }
            let event_id = message.execdata_key.as_str();
            let end = End { timestamp, rid, tid, has_no_event: event_id.is_empty(), event_id };
            *of_window.entry(((src, tar, tag, bytes), is_sent, end)).or_insert(0_usize) += 1;
        }
        for (end, n) in of_window {
            let n_known = ends.entry(end).or_insert(0);
            counts.n_repeated += n.min(*n_known);
            *n_known = n.max(*n_known);
        }
    }
    let mut routes = BTreeMap::<Route, Ends<'a>>::new();
    for ((route, is_sent, end), n) in ends {
        let Ends { sent, received } = routes.entry(route).or_default();
        let before = if is_sent { sent } else { received };
        let place = |end: &End<'_>| (end.timestamp, end.rid, end.tid);
        if before.last().is_some_and(|last| place(last) == place(&end)) {
            counts.n_repeated += n;
        } else {
            before.extend(std::iter::repeat_n(end, n));
        }
    }
    routes
}

/// Returns the object and step of the execution of an endpoint; `None` if unknown, or if the object has no task in
/// this step.
fn origin_of<'a>(
    end: &End<'_>,
    executions: &'a Executions<'a>,
    objects: &Objects<'_>,
    n_ends_in_windows: &mut usize,
) -> Option<&'a Origin<'a>> {
    let origin = executions.origins.get(end.event_id)?;
    let has_task = !origin.is_in_window || objects.has_task(origin.step, &origin.key);
    *n_ends_in_windows += usize::from(!has_task);
    has_task.then_some(origin)
}

fn entity(party: Party<'_>, objects: &Objects<'_>) -> Entity {
    match party {
        Party::Object(key) => objects.entity(key),
        Party::Rank(rank) => {
            Entity { id: Some(u64::from(rank)), kind: EntityKind::Node, ..Entity::default() }
        }
    }
}
