// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and progress of a run.

/// Receives messages and progress of a run. Texts are sentences without a prefix; names in them may hold any characters,
/// control characters too.
pub trait Messages: Send + Sync {
    /// Receives a warning: data or configuration are odd.
    fn warning(&self, text: &str);

    /// Receives a note: `lbaf` did something unasked.
    fn note(&self, text: &str);

    /// Receives a step and its duration.
    fn detail(&self, text: &str);

    /// Receives a line for the log only.
    fn log(&self, text: &str);

    /// Returns the progress of an activity of `n` steps, which ends when it is dropped. By default it is dropped.
    fn progress(&self, _activity: &'static str, _n: usize) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// Progress of an activity, from any thread.
pub trait Progress: Send + Sync {
    /// Receives the number of steps done so far.
    fn set(&self, done: usize);
}

/// Drops messages and progress.
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
