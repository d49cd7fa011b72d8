// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and progress of a run.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Receiver of the messages and the progress of a run. Texts are sentences without a prefix such as `warning:`.
/// Names in them may contain any characters, including control characters.
pub trait Messages: Send + Sync {
    /// Receives a warning about unusual data or an unusual configuration.
    fn warning(&self, text: &str);

    /// Receives a note, for example about an action that the user did not request.
    fn note(&self, text: &str);

    /// Receives a sentence about a completed step, with its duration.
    fn detail(&self, text: &str);

    /// Receives a line that only the log shows.
    fn log(&self, text: &str);

    /// Starts the display of progress of an activity of `n` steps. Dropping the returned value ends the display. The
    /// default implementation displays nothing.
    fn progress(&self, _activity: &'static str, _n: usize) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// Receiver of the progress of an activity. Any thread can report progress.
pub trait Progress: Send + Sync {
    /// Receives the number of steps done so far.
    fn set(&self, done: usize);
}

/// Counter of the steps of an activity that several threads perform.
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
