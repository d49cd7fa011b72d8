// SPDX-License-Identifier: MIT OR Apache-2.0
//! The threads of a command.

use std::sync::mpsc;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::error::Error;

/// Starts the threads that everything parallel runs on, one after the other: a thread that is still starting takes memory and
/// aborts the process where that is refused, so none is starting when the next one is refused.
///
/// # Errors
/// If the system refuses a thread.
pub(crate) fn start(n_threads: usize) -> Result<(), Error> {
    let (started, starts) = mpsc::channel();
    let spawn = |thread: ThreadBuilder| {
        std::thread::Builder::new().spawn(|| thread.run())?;
        starts.recv().map_err(std::io::Error::other)
    };
    ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .start_handler(move |_| started.send(()).expect("invariant: the receiver outlives the start"))
        .spawn_handler(spawn)
        .build_global()
        .map_err(|error| Error::Thread(error.to_string()))
}
