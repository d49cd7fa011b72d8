// SPDX-License-Identifier: MIT OR Apache-2.0
//! A request to stop, which computations poll.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// A request to stop, shared by all its clones: one thread (or a signal handler) calls [`cancel`](Self::cancel), and
/// computations poll it. Polling is a load of one flag, so that inner loops can afford it every few microseconds; it
/// reads no clock. A request cannot be taken back.
///
/// ```
/// use lbaf_strategies::Cancel;
///
/// let cancel = Cancel::new();
/// let handler = cancel.clone();
/// assert!(cancel.check().is_ok());
/// handler.cancel();
/// assert!(cancel.check().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that is not set.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Requests that all computations with this token stop. Safe in signal handlers.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once a stop was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error once a stop was requested: `cancel.check()?` polls.
    ///
    /// # Errors
    /// If a stop was requested.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// The items of an iterator, with a poll every [`STRIDE`] items: for loops whose bodies take microseconds or less. Ends
    /// early once a stop was requested.
    pub(crate) fn polled<I: IntoIterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        let goes_on = |&(at, _): &(usize, I::Item)| at % STRIDE != 0 || !self.is_cancelled();
        items.into_iter().enumerate().take_while(goes_on).map(|(_, item)| item)
    }
}

/// Steps of a loop between two polls.
const STRIDE: usize = 1024;

/// The computation was stopped by its [`Cancel`] token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cancelled")]
pub struct Cancelled;
