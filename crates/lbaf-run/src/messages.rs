// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and progress of a run.

/// Receiver of the messages and the progress of a run. Texts are sentences without a prefix. Names in them
/// may contain any characters, including control characters.
pub trait Messages: Send + Sync {
    /// Receives a warning about unusual data or an unusual configuration.
    fn warning(&self, text: &str);

    /// Receives a note about an action that the user did not request.
    fn note(&self, text: &str);

    /// Receives a completed step with its duration.
    fn detail(&self, text: &str);

    /// Receives a line for the log only.
    fn log(&self, text: &str);

    /// Starts to show the progress of an activity of `n` steps. The activity ends when the returned value is
    /// dropped. The default implementation shows nothing.
    fn progress(&self, _activity: &'static str, _n: usize) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// Progress of an activity, which any thread can report.
pub trait Progress: Send + Sync {
    /// Receives the number of steps done so far.
    fn set(&self, done: usize);
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
