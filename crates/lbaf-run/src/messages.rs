// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and progress of a run.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Receiver of messages and progress. Texts are sentences without a prefix such as `warning:`. Names in them may
/// contain any characters, even control characters.
pub trait Messages: Send + Sync {
    /// Receives a warning about data or configuration.
    fn warning(&self, text: &str);

    /// Receives a note, such as on an action that the user did not request.
    fn note(&self, text: &str);

    /// Receives a sentence about a completed step, with its duration.
    fn detail(&self, text: &str);

    /// Receives a line for the log only.
    fn log(&self, text: &str);

    /// Displays the progress of an activity of `n` steps until the returned value is dropped. The default displays
    /// nothing.
    fn progress(&self, _activity: &'static str, _n: usize) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// Receiver of the progress of an activity, from any thread.
pub trait Progress: Send + Sync {
    /// Receives the number of steps done so far.
    fn set(&self, done: usize);

    /// Receives the number of steps that have failed so far. The default displays nothing.
    fn failed(&self, _n: usize) {}
}

/// Counter of the steps of an activity, shared by threads.
pub struct Steps {
    bar: Box<dyn Progress>,
    done: AtomicUsize,
}

impl Steps {
    /// Starts an activity of `n` steps.
    pub fn new(messages: &dyn Messages, activity: &'static str, n: usize) -> Self {
        Steps { bar: messages.progress(activity, n), done: AtomicUsize::new(0) }
    }

    /// Counts a step.
    pub fn advance(&self) {
        self.bar.set(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }
}

/// Receiver that discards messages and progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Messages for Silent {
    fn warning(&self, _: &str) {}

    fn note(&self, _: &str) {}

    fn detail(&self, _: &str) {}

    fn log(&self, _: &str) {}
}

impl Progress for Silent {
    fn set(&self, _: usize) {}
}
