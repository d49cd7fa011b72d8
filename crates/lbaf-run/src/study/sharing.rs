// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that share the cells of a study through its output directory.
//!
//! Cells are claimed in batches. All processes form the same batches from the same configuration, so a claim of a
//! batch excludes all other processes. Processes with another grid form batches with other names, so they may compute
//! the same cells.

mod alone;
mod batch;
mod board;
mod costs;
mod status;

use lbaf_claims::{Attempt, Claims, Intervals};
use lbaf_config::{Leases, StudyConfig};
use serde::{Deserialize, Serialize};

use super::store::CLAIMS;
use crate::RunError;

pub(super) use alone::Alone;
pub(super) use batch::{Batch, batches};
pub(super) use board::{Board, Pick};
pub(super) use costs::Costs;
pub use status::{ProcessStatus, StudyStatus};

/// Name of the notice (a text for all processes) with the identities of all distinct cells.
const CELLS: &str = "cells";

/// Progress of a process, as its lease states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellProgress {
    /// Cells that the process has computed, with failed ones.
    pub computed: usize,
    /// Failed cells among them.
    pub failed: usize,
    /// Batches taken over from processes that were gone.
    pub taken_over: usize,
}

/// This process among those that share a study.
pub(super) type Session = Claims<CellProgress>;

/// Joins the processes that share a study. `identities` are those of its distinct cells.
pub(super) fn join<'i>(
    study: &StudyConfig,
    process: &str,
    identities: impl Iterator<Item = &'i str>,
) -> Result<Session, RunError> {
    let Leases { renew_after: renewal, expire_after: expiry } = study.leases;
    let directory = study.output_dir.join(CLAIMS);
    let session = Claims::join(&directory, process, Intervals { renewal, expiry }, CellProgress::default())?;
    let lines: String = identities.flat_map(|identity| [identity, "\n"]).collect();
    session.notice(CELLS, &lines)?;
    Ok(session)
}

/// Claims work. A process that shares nothing always wins.
pub(super) fn claim(session: Option<&Session>, work: &str) -> Result<Claimed, RunError> {
    let Some(session) = session else { return Ok(Claimed::Won(None)) };
    Ok(match session.claim(work)? {
        Attempt::Won(claim) => {
            if claim.is_taken_over {
                session.note(|progress| progress.taken_over += 1);
            }
            Claimed::Won(Some(claim))
        }
        Attempt::Taken => Claimed::Taken,
        Attempt::Done => Claimed::Done,
    })
}

/// Result of an attempt to claim work.
pub(super) enum Claimed {
    /// This process has it, with a claim if it shares the study.
    Won(Option<lbaf_claims::Claim>),
    /// Another process has it.
    Taken,
    /// Another process has done it.
    Done,
}
