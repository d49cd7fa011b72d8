// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that must not leave half a result behind.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// From now on a write beyond the file-size limit is an error like any other instead of the end of the
/// process, and an interrupt removes what was not published before it ends the process.
///
/// # Errors
/// If the system refuses; then everything works but for this.
pub(crate) fn handle() -> io::Result<()> {
    // Whoever handles the signal gets the error of the write; nobody needs the flag.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            lbaf_writer::remove_unpublished();
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}
