// SPDX-License-Identifier: MIT OR Apache-2.0
//! The threads of a command.

use std::io;
use std::sync::mpsc;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::error::Error;

/// Memory that has to be free before a thread starts: its stack of 2 MiB, and what the system and the standard library
/// allocate meanwhile. A thread that is refused memory in its start aborts the process without an error. Above 32 MiB glibc
/// asks the system each time; smaller memory it keeps for later, and would say nothing about a thread's stack.
const START_MEMORY: usize = 40 << 20;

/// Starts the threads that everything parallel runs on, one after the other, so that each has all of [`START_MEMORY`].
///
/// # Errors
/// If the system refuses a thread or its memory.
pub(crate) fn start(n_threads: usize) -> Result<(), Error> {
    let (started, starts) = mpsc::channel();
    let spawn = |thread: ThreadBuilder| {
        let mut probe = Vec::<u8>::new();
        probe.try_reserve_exact(START_MEMORY).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // Otherwise the compiler may leave the allocation out.
        drop(std::hint::black_box(probe));
        std::thread::Builder::new().spawn(|| thread.run())?;
        starts.recv().map_err(io::Error::other)
    };
    ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .start_handler(move |_| started.send(()).expect("invariant: the receiver outlives the start"))
        .spawn_handler(spawn)
        .build_global()
        .map_err(|error| Error::Thread(error.to_string()))
}
