// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases constructed by hand.

use std::borrow::Cow;

use lbaf_model::{Communication, Object, ObjectIdx, Phase, PhaseId, RankId, Volume};
use lbaf_study::{History, Measured};

/// Creates a phase from number and load of each object, and from sender, receiver, bytes and number of
/// messages of each communication. The rank of an object is its number modulo `n_ranks`.
pub(crate) fn phase(
    id: u64,
    n_ranks: usize,
    loads: &[(usize, f64)],
    messages: &[(u32, u32, f64, u64)],
) -> Phase {
    let communication = |&(from, to, bytes, messages): &(u32, u32, f64, u64)| Communication {
        volume: Volume { bytes, messages },
        ..Communication::from((from, to, bytes))
    };
    Phase::builder(n_ranks)
        .id(PhaseId(id))
        .objects(loads.iter().map(|&(object, load)| Object::new(load, RankId::from(object % n_ranks))))
        .indices(loads.iter().map(|&(object, _)| ObjectIdx::from(object)))
        .communications(messages.iter().map(communication))
        .build()
        .unwrap()
}

/// Returns the history of phases with their recorded placements.
pub(crate) fn history(phases: &[Phase]) -> History<'_> {
    let mut history = History::default();
    for phase in phases {
        history.push(Measured { phase, assignment: Cow::Borrowed(phase.recorded_assignment()) });
    }
    history
}
