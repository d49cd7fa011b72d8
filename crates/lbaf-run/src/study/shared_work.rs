// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells and results of a study, computed and written by the processes that share it.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lbaf_claims::{Attempt, Claim};
use lbaf_strategies::Cancel;
use lbaf_text::Shown as _;
use lbaf_text::number::counted;

use super::sharing::{self, Alone, Session};
use super::{CellCounts, Study, compute, plan};
use crate::{Messages, RunError};

impl Study {
    /// Computes missing cells in parallel, and stores completed cells in the meantime; failed cells with their errors.
    ///
    /// Processes that compute the same study in the same output directory at the same time share its cells. Each
    /// returns once all cells are stored. Cells of a process that was killed are computed by others; see
    /// [`lbaf_claims`] and [`Leases`](lbaf_config::Leases). A shard shares its cells with no other process.
    ///
    /// # Errors
    /// If a cell cannot be stored or claimed, another thread of this process computes a study in the same directory, or
    /// the study was cancelled; completed cells are stored.
    pub fn compute(&self, messages: &dyn Messages, cancel: &Cancel) -> Result<(), RunError> {
        let CellCounts { different, missing, .. } = self.counts();
        if missing > 0 {
            let (all, directory) = (counted(different, "cell"), self.config.output_dir.shown());
            messages
                .note(&format!("computing {missing} of {all}; completed cells are stored in {directory}"));
        }
        self.keep_failed(messages)?;
        if missing == 0 {
            return Ok(());
        }
        let _alone = Alone::enter(&self.config.output_dir)?;
        let session = if self.is_shard { None } else { Some(self.join()?) };
        let computed =
            compute::compute(&self.config, &self.cells, &self.store, session.as_deref(), messages, cancel);
        if computed.is_err() {
            // Leaves the study at once, so that other processes need not wait until this value is dropped.
            self.joined().take();
        }
        computed
    }

    /// Calls `write` in one of the processes that share the study, and waits for its end in all others, which return
    /// `None`. If a process ends without success, another one calls `write`. Call it once all cells are stored.
    ///
    /// # Errors
    /// If `write` fails, the directory of claims cannot be written, or the study was cancelled.
    pub fn in_one_process<T, E: From<RunError>>(
        &self,
        cancel: &Cancel,
        write: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let _alone = Alone::enter(&self.config.output_dir)?;
        let written = self.claim_results(cancel).map_err(E::from).and_then(|claimed| match claimed {
            Some(claim) => {
                let written = write()?;
                claim.done().map_err(RunError::from)?;
                Ok(Some(written))
            }
            None => Ok(None),
        });
        let session = self.joined().take();
        if let Some(session) = session.filter(|_| written.is_ok()) {
            session.complete();
        }
        written
    }

    /// Claims the work of writing the results; `None` if another process has done it, for which this one waits.
    fn claim_results(&self, cancel: &Cancel) -> Result<Option<Claim>, RunError> {
        const LOOKS: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
        let session = self.join()?;
        let work = plan::name_of_results(&self.cells);
        let mut wait = LOOKS.0;
        loop {
            match session.claim(&work)? {
                Attempt::Won(claim) => {
                    if claim.is_taken_over {
                        // The process that replaced the files is gone, also if it ran on another machine.
                        lbaf_writer::restore(&self.config.output_dir, true)?;
                    }
                    return Ok(Some(claim));
                }
                Attempt::Done => return Ok(None),
                Attempt::Taken => thread::sleep(wait),
            }
            session.remove_expired();
            wait = (wait * 3 / 2).min(LOOKS.1);
            cancel.check()?;
        }
    }

    /// Joins the processes that share the study, once.
    fn join(&self) -> Result<Arc<Session>, RunError> {
        let mut joined = self.joined();
        if let Some(session) = &*joined {
            return Ok(Arc::clone(session));
        }
        let identities: BTreeSet<&str> = self.identities().collect();
        let session = Arc::new(sharing::join(&self.config, &self.process, identities.into_iter())?);
        *joined = Some(Arc::clone(&session));
        Ok(session)
    }

    fn joined(&self) -> MutexGuard<'_, Option<Arc<Session>>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
