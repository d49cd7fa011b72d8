// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that must not leave half a result behind.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::error::exit;

/// From now on a write beyond the file-size limit is an error like any other instead of the end of the
/// process, and an interrupt removes what was not published before it ends the process. When memory is refused, the
/// standard library says so and aborts, which becomes an exit code.
///
/// # Errors
/// If the system refuses, mostly because it starts no thread.
pub(crate) fn handle() -> io::Result<()> {
    // Whoever handles the signal gets the error of the write; nobody needs the flag.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, exit::RESOURCE.into(), always)?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let end = move || {
        if let Some(signal) = signals.forever().next() {
            lbaf_writer::remove_unpublished();
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(end).map(drop)
}
