// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who talked to whom: windows see both ends of a message, some of them several times.

use std::collections::BTreeMap;

use lbaf_vom::CommunicationKind;
use lbaf_vom::record::{Communication, Entity, EntityKind};

use super::executions::{Executions, Home, ObjectKey};
use super::objects::Objects;
use crate::Database;
use crate::record::Message;

/// What became of the messages in windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageCounts {
    /// Ends of messages in all windows.
    pub n_ends: usize,
    /// Those that another window has already.
    pub n_repeated: usize,
    /// Those that are neither `SEND` nor `RECV`, or have a negative size.
    pub n_unusable: usize,
    /// Messages of which both ends are known.
    pub n_paired: usize,
    /// Messages of which only the sending is known.
    pub n_sent: usize,
    /// Messages of which only the receiving is known.
    pub n_received: usize,
    /// Messages between objects.
    pub n_between_objects: usize,
    /// Messages from an object to a rank, since nobody knows which object received them.
    pub n_to_ranks: usize,
    /// Messages to an object from a rank.
    pub n_from_ranks: usize,
    /// Messages of which no end belongs to an object; they are left out.
    pub n_dropped: usize,
    /// Messages from or to a rank that has no file; they are left out.
    pub n_beyond_ranks: usize,
    /// Ends of messages in executions that only windows know, of objects that have no task then; the objects count as
    /// not known.
    pub n_ends_in_windows: usize,
}

type Communications = BTreeMap<(u16, u64), Vec<Communication>>;

/// An end of a message. What is alike in all but the last is the same end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End<'a> {
    timestamp: i64,
    rid: i64,
    tid: i64,
    has_no_event: bool,
    event_id: &'a str,
}

/// What ends of the same message have in common: source, target, tag and size.
type Route = (i64, i64, i64, i64);

#[derive(Default)]
struct Ends<'a> {
    sent: Vec<End<'a>>,
    received: Vec<End<'a>>,
}

/// Who sends or receives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Party<'a> {
    Object(&'a ObjectKey<'a>),
    Rank(u16),
}

impl<'a> Party<'a> {
    /// The object at an end, or the rank if nobody knows the object; none if there is no such rank.
    fn of(home: Option<&'a Home<'a>>, rid: i64, n_ranks: usize) -> Option<Self> {
        match home {
            Some(home) => Some(Party::Object(&home.key)),
            None => u16::try_from(rid).ok().filter(|&rank| usize::from(rank) < n_ranks).map(Party::Rank),
        }
    }
}

/// The communications of each rank and step, and what became of messages.
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
        let mut home =
            |end: Option<&End<'_>>| home_of(end?, executions, objects, &mut counts.n_ends_in_windows);
        // Those of the same route arrive in the order in which they were sent.
        let ends: Vec<_> = (0..sent.len().max(received.len()))
            .map(|nth| (home(sent.get(nth)), home(received.get(nth))))
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

/// The ends of messages of a program by what those of the same message have in common, each as often as it is in the window
/// that has it most often, and in the order of time.
fn routes<'a>(database: &'a Database, pid: i64, counts: &mut MessageCounts) -> BTreeMap<Route, Ends<'a>> {
    let mut ends = BTreeMap::new();
    for event in super::events(database).filter(|event| event.pid == pid) {
        // Windows overlap, so that several have the same end; but equal ends in one window are of different messages.
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

/// Where the execution of an end belongs, if its object has a task there.
fn home_of<'a>(
    end: &End<'_>,
    executions: &'a Executions<'a>,
    objects: &Objects<'_>,
    n_ends_in_windows: &mut usize,
) -> Option<&'a Home<'a>> {
    let home = executions.homes.get(end.event_id)?;
    let has_task = !home.is_in_window || objects.has_task(home.step, &home.key);
    *n_ends_in_windows += usize::from(!has_task);
    has_task.then_some(home)
}

fn entity(party: Party<'_>, objects: &Objects<'_>) -> Entity {
    match party {
        Party::Object(key) => objects.entity(key),
        Party::Rank(rank) => {
            Entity { id: Some(u64::from(rank)), kind: EntityKind::Node, ..Entity::default() }
        }
    }
}
