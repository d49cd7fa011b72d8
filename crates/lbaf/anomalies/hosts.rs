// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nodes are called.

use lbaf_reader::Recorded;

/// By rank, the name of its node: as its file says, else by the number of the node there, else by that of the rank.
pub(super) fn of_ranks(recorded: &Recorded) -> Vec<String> {
    let files = recorded.findings.hostnames.iter().zip(&recorded.findings.shared_nodes).enumerate();
    let name = |(rank, (name, node)): (usize, (&Option<String>, &Option<lbaf_vom::SharedNode>))| match (
        name, node,
    ) {
        (Some(name), _) => name.clone(),
        (None, Some(node)) => format!("node{}", node.id),
        (None, None) => format!("rank{rank}"),
    };
    files.map(name).collect()
}
