// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard error of a command, passed on line by line, with its end kept for messages.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Listener that receives each line of the standard error of a command, without the line end, while the
/// command runs. Lines longer than 8 KiB are passed on in pieces.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// Maximum length of a line in bytes; longer lines are split.
const LONGEST_LINE: u64 = 8 << 10;

/// Number of bytes that are kept of the end of standard error.
const KEPT: usize = 4 << 10;

/// Thread that reads the standard error of a process until it is closed, and the kept end of the text.
pub(crate) struct StandardError {
    thread: JoinHandle<()>,
    end: Arc<Mutex<VecDeque<u8>>>,
}

impl StandardError {
    /// Starts a thread that reads the standard error of a process.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn read(pipe: ChildStderr, listener: Listener) -> io::Result<Self> {
        let end = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&end);
        let thread = thread::Builder::new()
            .name("stderr".to_owned())
            .spawn(move || pass_on(pipe, &listener, &kept))?;
        Ok(StandardError { thread, end })
    }

    /// True once the pipe is closed and all of its text is passed on.
    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Returns the kept end of standard error.
    pub(crate) fn end(&self) -> String {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&end.iter().copied().collect::<Vec<u8>>()).into_owned()
    }
}

fn pass_on(pipe: impl Read, listener: &Listener, kept: &Mutex<VecDeque<u8>>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    // A read error ends the loop like the end of the pipe.
    while let Ok(1..) = (&mut pipe).take(LONGEST_LINE).read_until(b'\n', &mut line) {
        {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&line);
            let n_beyond = kept.len().saturating_sub(KEPT);
            kept.drain(..n_beyond);
        }
        let text = String::from_utf8_lossy(&line);
        listener(text.trim_end_matches(['\n', '\r']));
        line.clear();
    }
}
