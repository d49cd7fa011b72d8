// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the user is told while a command runs, on standard error.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How much to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Warnings too.
    #[default]
    Normal,
    /// What is being done and how long it took.
    Verbose,
}

/// Messages on standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    pub(crate) verbosity: Verbosity,
}

impl Messages {
    /// Something the user should know.
    pub(crate) fn warning(self, text: &str) {
        self.say(Verbosity::Normal, &format!("warning: {text}"));
    }

    /// Something that happened by itself.
    pub(crate) fn note(self, text: &str) {
        self.say(Verbosity::Normal, &format!("note: {text}"));
    }

    /// Something the user may want to know.
    pub(crate) fn detail(self, text: &str) {
        self.say(Verbosity::Verbose, text);
    }

    fn say(self, least: Verbosity, text: &str) {
        if self.verbosity >= least {
            // If standard error is gone, there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// A bar over `n` steps that shows itself after a second, and only to a person.
    pub(crate) fn bar(self, what: &'static str, n: usize) -> Bar {
        let visible = self.verbosity > Verbosity::Quiet && std::io::stderr().is_terminal();
        Bar { what, n, visible, started: Instant::now(), shown: OnceLock::new() }
    }
}

/// A progress bar, shared between threads.
pub(crate) struct Bar {
    what: &'static str,
    n: usize,
    visible: bool,
    started: Instant,
    shown: OnceLock<ProgressBar>,
}

impl Bar {
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Shows that `done` steps are done.
    pub(crate) fn set(&self, done: usize) {
        if self.visible && self.started.elapsed() >= Self::PATIENCE {
            self.shown.get_or_init(|| self.start()).set_position(done as u64);
        }
    }

    fn start(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.n as u64).with_message(self.what);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = self.shown.get() {
            bar.finish_and_clear();
        }
    }
}
