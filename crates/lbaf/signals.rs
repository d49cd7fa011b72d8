// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that must not leave half a result behind.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lbaf_reader::read_file;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::error::exit;

/// From now on a write beyond the file-size limit is an error like any other instead of the end of the
/// process, and an interrupt removes what was not published before it ends the process. When memory is refused, the
/// standard library says so and aborts. Every `SIGABRT` becomes the exit code for that, also of a panic within a panic: the
/// handler cannot tell them apart.
///
/// # Errors
/// If the system refuses, mostly because it starts no thread.
pub(crate) fn handle() -> io::Result<()> {
    // The write itself fails once the signal is handled; the flag is not read.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, exit::RESOURCE.into(), always)?;
    let ignored = read_file(Path::new("/proc/self/status"))
        .ok()
        .and_then(|status| ignored(&String::from_utf8_lossy(&status)));
    // A handler would undo `nohup`. Where it cannot be seen, a hangup ends the process without cleaning up, and the next one
    // does that.
    let is_handled = |signal: &i32| match ignored {
        Some(ignored) => ignored >> (signal - 1) & 1 == 0,
        None => *signal != SIGHUP,
    };
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(is_handled))?;
    let end = move || {
        if let Some(signal) = signals.forever().next() {
            // Nothing is published any more.
            let _published = lbaf_writer::remove_unpublished();
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(end).map(drop)
}

/// The signals that the process was started to ignore, a bit for each from the first, as Linux says.
fn ignored(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SIGHUP is 1 and SIGPIPE 13, the latter ignored by every Rust program.
    #[test]
    fn ignored_signals_are_read_as_linux_prints_them() {
        assert_eq!(ignored("Name:\tlbaf\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"), Some(1 << 12 | 1));
        assert_eq!(ignored("Name:\tlbaf\n"), None);
    }
}
