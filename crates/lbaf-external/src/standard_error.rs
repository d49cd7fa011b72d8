// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard error of a command: passed on line by line, its end kept for messages.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Receives each line that a command writes to its standard error, without its end, while the command runs. Longer lines
/// than 8 KiB come in pieces.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// Bytes of a line, or of a piece of it.
const LONGEST_LINE: u64 = 8 << 10;

/// Bytes at the end of standard error that are kept.
const KEPT: usize = 4 << 10;

/// Reads the standard error of a process until it is closed.
pub(crate) struct StandardError {
    thread: JoinHandle<()>,
    end: Arc<Mutex<VecDeque<u8>>>,
}

impl StandardError {
    /// # Errors
    /// If the system starts no thread.
    pub(crate) fn read(pipe: ChildStderr, listener: Listener) -> io::Result<Self> {
        let end = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&end);
        let thread = thread::Builder::new()
            .name("stderr".to_owned())
            .spawn(move || pass_on(pipe, &listener, &kept))?;
        Ok(StandardError { thread, end })
    }

    /// True once the pipe is closed and all of it was passed on.
    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// The last that was written.
    pub(crate) fn end(&self) -> String {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&end.iter().copied().collect::<Vec<u8>>()).into_owned()
    }
}

fn pass_on(pipe: impl Read, listener: &Listener, kept: &Mutex<VecDeque<u8>>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    // A pipe that cannot be read has nothing more to say.
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
