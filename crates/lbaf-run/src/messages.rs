// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and progress of a run, for the program that it is part of.

/// Receives what a run says while it goes on. Texts are sentences without a prefix; names in them may hold any characters.
pub trait Messages: Send + Sync {
    /// Something that the user should know.
    fn warning(&self, text: &str);

    /// Something that happened by itself.
    fn note(&self, text: &str);

    /// A step and its duration.
    fn detail(&self, text: &str);

    /// A line for the log alone.
    fn log(&self, text: &str);

    /// Progress over `n` steps. Default: none is shown.
    fn progress(&self, _activity: &'static str, _n: usize) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// Progress of an activity, from any thread.
pub trait Progress: Send + Sync {
    /// So many steps are done.
    fn set(&self, done: usize);
}

/// Messages and progress that are dropped.
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
