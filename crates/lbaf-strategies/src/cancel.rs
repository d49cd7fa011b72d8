// SPDX-License-Identifier: MIT OR Apache-2.0
//! Token that requests a computation to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// Token that carries a request to stop, which all its clones share. A thread or a signal handler calls
/// [`cancel`](Self::cancel), and computations poll the token. A poll loads one flag (and those of the parents of a
/// [`child`](Self::child)) and reads no clock, so inner loops can poll every few microseconds. A request cannot be
/// withdrawn.
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
pub struct Cancel(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    was_made: AtomicBool,
    /// Token whose requests also apply to this one.
    parent: Option<Cancel>,
}

impl Cancel {
    /// Returns a token without a request to stop.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Returns a token for a part of a computation. A request to `self` also stops the part; a request to the returned
    /// token stops only the part, for example after a time limit.
    #[must_use]
    pub fn child(&self) -> Self {
        Cancel(Arc::new(Request { was_made: AtomicBool::new(false), parent: Some(self.clone()) }))
    }

    /// Requests that all computations with this token stop. Safe in signal handlers.
    pub fn cancel(&self) {
        self.0.was_made.store(true, Ordering::Relaxed);
    }

    /// True once a stop has been requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.was_made.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Polls the token: `cancel.check()?`.
    ///
    /// # Errors
    /// If a stop was requested.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Iterates over `items`, polls the token every [`STRIDE`] items, and ends early once a stop has been requested.
    /// For long loops over steps of microseconds or less.
    pub(crate) fn polled<I: IntoIterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        let goes_on = |&(at, _): &(usize, I::Item)| at % STRIDE != 0 || !self.is_cancelled();
        items.into_iter().enumerate().take_while(goes_on).map(|(_, item)| item)
    }
}

/// Loop iterations between two polls.
const STRIDE: usize = 1024;

/// Error of a computation that was stopped by its [`Cancel`] token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cancelled")]
pub struct Cancelled;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_apply_to_children_but_not_to_parents_or_siblings() {
        let parent = Cancel::new();
        let (one, other) = (parent.child(), parent.child());
        one.cancel();
        assert_eq!([&parent, &one, &other].map(Cancel::is_cancelled), [false, true, false]);
        parent.cancel();
        assert!(other.is_cancelled());
    }
}
