// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads of a command.

use std::io;
use std::sync::mpsc;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::error::Error;

/// Memory in bytes that must be free before a thread starts: its stack of 2 MiB, and allocations of the system and the
/// standard library. A thread that gets no memory during its start aborts the process without an error. Above 32 MiB,
/// glibc always requests the memory from the system. Smaller allocations may come from memory that glibc has kept, so
/// they do not prove that a stack can be allocated.
const START_MEMORY: usize = 40 << 20;

/// Starts the threads of the global pool one after the other, so that each can use all of [`START_MEMORY`].
///
/// # Errors
/// If the system refuses a thread or its memory.
pub(crate) fn start(n_threads: usize) -> Result<(), Error> {
    let (started, starts) = mpsc::channel();
    let spawn = |thread: ThreadBuilder| {
        let mut probe = Vec::<u8>::new();
        probe.try_reserve_exact(START_MEMORY).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // Otherwise the compiler may remove the allocation.
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
