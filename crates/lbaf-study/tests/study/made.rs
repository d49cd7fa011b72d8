// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases that are written down by hand.

use std::borrow::Cow;

use lbaf_model::{
    Assignment, CommGraph, Communication, NodeId, ObjectIdx, ObjectMemory, Objects, Phase, PhaseColumns,
    PhaseId, Rank, RankId, Slot, Vertex, Volume,
};
use lbaf_study::{History, Measured};

/// Objects with loads, by number, each on the rank that is its number modulo the ranks; messages between them.
pub(crate) fn phase(
    id: u64,
    n_ranks: usize,
    loads: &[(usize, f64)],
    messages: &[(u32, u32, f64, u64)],
) -> Phase {
    let n = loads.len();
    let vertex = |slot| Vertex::Object(Slot(slot));
    let communications: Vec<Communication> = messages
        .iter()
        .map(|&(from, to, bytes, messages)| Communication {
            from: vertex(from),
            to: vertex(to),
            volume: Volume { bytes, messages },
        })
        .collect();
    let columns = PhaseColumns {
        objects: loads.iter().map(|&(object, _)| ObjectIdx::from(object)).collect::<Objects>(),
        load: loads.iter().map(|&(_, load)| load).collect(),
        memory: loads.iter().map(|_| ObjectMemory::default()).collect(),
        migratable: vec![true; n],
        recorded: Assignment::new(
            loads.iter().map(|&(object, _)| RankId((object % n_ranks) as u32)).collect(),
        ),
        ranks: vec![Rank { alpha: 1.0, node: NodeId(0), working_bytes: 0.0 }; n_ranks],
        blocks: Vec::new(),
        communication: CommGraph::new(n, n_ranks, &communications),
    };
    Phase::new(PhaseId(id), columns).unwrap()
}

/// Phases as they were recorded.
pub(crate) fn history(phases: &[Phase]) -> History<'_> {
    let mut history = History::default();
    for phase in phases {
        history.push(Measured { phase, assignment: Cow::Borrowed(phase.recorded_assignment()) });
    }
    history
}
