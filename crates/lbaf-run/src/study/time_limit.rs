// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time limit of a cell.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use lbaf_strategies::Cancel;

/// Time limit of a cell. `cancel` is cancelled with the study, or once the limit has passed. Dropping the value ends
/// the thread that waits for the limit.
pub(super) struct TimeLimit {
    pub(super) cancel: Cancel,
    limit: Option<Duration>,
    _watch: Option<Sender<()>>,
}

impl TimeLimit {
    /// Starts the limit. Without one, only the study can cancel the token.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn start(limit: Option<Duration>, study: &Cancel) -> io::Result<Self> {
        let cancel = study.child();
        let watch = limit.map(|limit| {
            let (watch, ended) = mpsc::channel();
            let token = cancel.clone();
            let wait = move || {
                if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    token.cancel();
                }
            };
            thread::Builder::new().spawn(wait).map(|_| watch)
        });
        Ok(TimeLimit { cancel, limit, _watch: watch.transpose()? })
    }

    /// Returns the error of a cell that reached the limit.
    pub(super) fn reached(&self) -> String {
        let seconds = self.limit.unwrap_or_default().as_secs_f64();
        format!("the time limit of {seconds} s was reached (`time_limit`)")
    }
}
