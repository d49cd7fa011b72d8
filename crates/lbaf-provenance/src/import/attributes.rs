// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes of ranks: metadata, and ranks that share a host.

use std::collections::BTreeMap;

use lbaf_vom::record::SharedNode;
use serde_json::Value;

use crate::Database;

/// Names of attributes that record the origin of the data.
const OWN: [&str; 3] = ["partial", "provenance", "source"];
const HOSTNAME: &str = "Hostname";

/// Returns, for each rank, the attributes of its file, and its node; the node is `None` if the host is unknown.
pub(super) fn of_ranks(
    database: &Database,
    pid: i64,
    n_ranks: usize,
) -> impl Iterator<Item = (BTreeMap<String, Value>, Option<SharedNode>)> {
    let own = [("partial".to_owned(), 1.into()), ("source".to_owned(), "chimbuko".into())];
    let mut ranks = vec![BTreeMap::from(own); n_ranks];
    let entries = database.metadata.iter().map(|entry| &entry.record);
    for entry in entries.filter(|entry| entry.pid == pid) {
        let Some(rank) = usize::try_from(entry.rid).ok().and_then(|rid| ranks.get_mut(rid)) else { continue };
        let is_plain = entry.tid == 0 && !OWN.contains(&entry.descr.as_str());
        let name = if is_plain { entry.descr.clone() } else { format!("{}@{}", entry.descr, entry.tid) };
        rank.insert(name, entry.value.as_str().into());
    }
    // The host of the first execution, unless metadata give one.
    let mut first = BTreeMap::<usize, (i64, i64, &str)>::new();
    for event in super::events(database).filter(|event| event.pid == pid && !event.hostname.is_empty()) {
        let Ok(rank) = usize::try_from(event.rid) else { continue };
        let this = (event.io_step, event.entry, event.hostname.as_str());
        let first = first.entry(rank).or_insert(this);
        *first = this.min(*first);
    }
    for (rank, (_, _, hostname)) in first {
        if let Some(rank) = ranks.get_mut(rank) {
            rank.entry(HOSTNAME.to_owned()).or_insert_with(|| hostname.into());
        }
    }
    let shared_nodes = shared_nodes(&ranks);
    ranks.into_iter().zip(shared_nodes)
}

/// Assigns ranks with the same host to one node. Nodes are numbered by host name. Ranks without a host have no node.
fn shared_nodes(ranks: &[BTreeMap<String, Value>]) -> Vec<Option<SharedNode>> {
    let hosts: Vec<_> = ranks.iter().map(|rank| rank.get(HOSTNAME).and_then(Value::as_str)).collect();
    let mut sizes = BTreeMap::<&str, u32>::new();
    let positions: Vec<_> = hosts
        .iter()
        .map(|host| {
            host.map(|host| {
                let size = sizes.entry(host).or_default();
                *size += 1;
                *size - 1
            })
        })
        .collect();
    let num_nodes = sizes.len() as u32;
    let ids: BTreeMap<&str, u32> = sizes.keys().copied().zip(0..).collect();
    let node = |host: &str, rank| SharedNode { id: ids[host], num_nodes, rank, size: sizes[host] };
    hosts.iter().zip(positions).map(|(host, rank)| Some(node((*host)?, rank?))).collect()
}
