// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of nodes.

use std::collections::BTreeSet;

use lbaf_reader::Recorded;
use lbaf_text::line;

/// Returns a name for the node of each rank, on one line and without hidden characters: the host name in the file of
/// the rank, else `node` and the number of the node. If both are unknown, the name is `rank` and the number of the
/// rank, which is not a host name.
pub(super) fn of_ranks(recorded: &Recorded) -> Vec<String> {
    let files = recorded.findings.hostnames.iter().zip(&recorded.findings.shared_nodes).enumerate();
    let name = |(rank, (name, node)): (usize, (&Option<String>, &Option<lbaf_vom::SharedNode>))| match (
        name, node,
    ) {
        (Some(name), _) => line(name).into_owned(),
        (None, Some(node)) => format!("node{}", node.id),
        (None, None) => format!("rank{rank}"),
    };
    files.map(name).collect()
}

/// Returns the names of slow nodes, sorted, each once. Leaves out names of ranks, which stand for nodes without a known
/// host.
pub(super) fn named(recorded: &Recorded, slow: impl Iterator<Item = String>) -> Vec<String> {
    let known = of_ranks(recorded);
    let findings = &recorded.findings;
    let is_host = |rank: usize| findings.hostnames[rank].is_some() || findings.shared_nodes[rank].is_some();
    let hosts: BTreeSet<&String> =
        (0..known.len()).filter(|&rank| is_host(rank)).map(|rank| &known[rank]).collect();
    let slow: BTreeSet<String> = slow.filter(|name| hosts.contains(name)).collect();
    slow.into_iter().collect()
}
