// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that must not leave half a result behind.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use lbaf_reader::read_file;
use lbaf_strategies::Cancel;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::error::exit;

/// Time from an interrupt to the end of a computation that has not ended by itself. Strategies poll the token much more often;
/// reading does not poll it.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// Interval of looking for a second signal meanwhile.
const POLL: Duration = Duration::from_millis(20);

/// The signal that asked the process to end.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicI32>);

impl Interrupt {
    /// The exit code after such a signal, as shells have it; without one, that of SIGINT.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.0.load(Ordering::Relaxed) {
            0 => exit::CANCELLED,
            signal => u8::try_from(128 + signal).unwrap_or(exit::CANCELLED),
        }
    }
}

/// From now on a write beyond the file-size limit is an error like any other instead of the end of the
/// process, and an interrupt sets `cancel`, so that computations stop and the command ends with what is whole. A second
/// interrupt, or the end of `grace`, kills commands of `External`, removes what was not published and ends the process. When
/// memory is refused, the standard library says so and aborts. Every `SIGABRT` becomes the exit code for that, also of a panic
/// within a panic: the handler cannot tell them apart.
///
/// # Errors
/// If the system refuses, mostly because it starts no thread.
pub(crate) fn handle(cancel: &Cancel, grace: Duration) -> io::Result<Interrupt> {
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
    let interrupt = Interrupt::default();
    let (received, cancel) = (interrupt.clone(), cancel.clone());
    let end = move || {
        let Some(signal) = signals.forever().next() else { return };
        received.0.store(signal, Ordering::Relaxed);
        cancel.cancel();
        let start = Instant::now();
        while start.elapsed() < grace && signals.pending().next().is_none() {
            std::thread::sleep(POLL);
        }
        // Nothing is started or published any more.
        let _killed = lbaf_external::kill_all();
        let _published = lbaf_writer::remove_unpublished();
        std::process::exit(128 + signal);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(end)?;
    Ok(interrupt)
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
