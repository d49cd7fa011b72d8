// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backtraces of panics only: with `RUST_BACKTRACE`, the standard library also prints one when memory is refused, which
//! is not a defect of the program.

use std::backtrace::Backtrace;
use std::ffi::OsStr;
use std::io::{self, Write};

/// Environment variable with which users request backtraces.
const REQUESTED: &str = "RUST_BACKTRACE";
/// Environment variable that requests backtraces of panics only.
const OF_PANICS: &str = "LBAF_BACKTRACE";
const NONE: &str = "0";

/// Limits requested backtraces to panics. The standard library reads the environment, so the program restarts itself
/// with a changed one; on other systems than Unix, it does not, and requests are left to the standard library.
pub(crate) fn of_panics_only() {
    let is_requested = |name| std::env::var_os(name).is_some_and(|style| style != OsStr::new(NONE));
    if is_requested(REQUESTED) {
        restart();
    } else if is_requested(OF_PANICS) {
        let message = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            message(panic);
            let _ = writeln!(io::stderr(), "{}", Backtrace::force_capture());
        }));
    }
}

/// Restarts the program. Returns only if this is not possible, and then changes nothing.
#[cfg(unix)]
fn restart() {
    use std::os::unix::process::CommandExt;

    if let Ok(program) = std::env::current_exe() {
        let mut arguments = std::env::args_os();
        let name = arguments.next().unwrap_or_default();
        let mut command = std::process::Command::new(program);
        let _ = command.arg0(name).args(arguments).env(REQUESTED, NONE).env(OF_PANICS, "1").exec();
    }
}

#[cfg(not(unix))]
fn restart() {}
