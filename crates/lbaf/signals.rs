// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signal handling: an interrupted command leaves no partial result.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use lbaf_reader::read_file;
use lbaf_strategies::Cancel;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::error::{Error, exit};

/// Time between an interrupt and the forced end of a command that polls the cancel token. Strategies poll it much more
/// often; reading does not poll it.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// Interval of checks for a second signal.
const POLL: Duration = Duration::from_millis(20);

/// Signal that interrupted the process.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicI32>);

impl Interrupt {
    /// Returns the exit code for the signal, as in shells, or that of SIGINT if there was none.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.0.load(Ordering::Relaxed) {
            0 => exit::CANCELLED,
            signal => u8::try_from(128 + signal).unwrap_or(exit::CANCELLED),
        }
    }
}

/// Installs the signal handlers of the process.
///
/// * `SIGXFSZ`: a write beyond the file-size limit becomes an ordinary error instead of the end of the process.
/// * `SIGHUP`, `SIGINT`, `SIGTERM`, unless the process ignores them: the first one sets `cancel`, which stops
///   computations. A second one, or the end of `grace`, kills commands of `External`, removes unpublished outputs and
///   ends the process.
/// * `SIGABRT` ends the process with the exit code for refused memory, because the standard library aborts if memory is
///   refused. A panic within a panic also aborts, and cannot be distinguished.
///
/// # Errors
/// If the system refuses a handler, or the thread that waits for signals.
pub(crate) fn handle(cancel: &Cancel, grace: Duration) -> Result<Interrupt, Error> {
    let signals = handlers().map_err(Error::SignalHandler)?;
    wait(signals, cancel, grace).map_err(|error| Error::Thread(error.to_string()))
}

/// Installs the handlers. Returns the signals that stop the command.
fn handlers() -> io::Result<Signals> {
    // With a handler, the write fails instead. The flag is never read.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, exit::RESOURCE.into(), always)?;
    let ignored = read_file(Path::new("/proc/self/status"))
        .ok()
        .and_then(|status| ignored(&String::from_utf8_lossy(&status)));
    // A handler would undo `nohup`. If the ignored signals are unknown, a hangup ends the process, and the next command
    // cleans up.
    let is_handled = |signal: &i32| match ignored {
        Some(ignored) => ignored >> (signal - 1) & 1 == 0,
        None => *signal != SIGHUP,
    };
    Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(is_handled))
}

/// Starts the thread that waits for signals.
fn wait(mut signals: Signals, cancel: &Cancel, grace: Duration) -> io::Result<Interrupt> {
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
        // After these calls, no command starts and no output is published.
        let _killed = lbaf_external::kill_all();
        let _published = lbaf_writer::remove_unpublished();
        std::process::exit(128 + signal);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(end)?;
    Ok(interrupt)
}

/// Returns the signals that the process ignores, from Linux's `/proc/self/status`: bit `n` is signal `n + 1`.
fn ignored(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit 0 is SIGHUP (signal 1). Bit 12 is SIGPIPE (signal 13), which every Rust program ignores.
    #[test]
    fn ignored_signals_are_read_as_linux_prints_them() {
        assert_eq!(ignored("Name:\tlbaf\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"), Some(1 << 12 | 1));
        assert_eq!(ignored("Name:\tlbaf\n"), None);
    }
}
