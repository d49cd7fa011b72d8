// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backtraces for defects alone: with `RUST_BACKTRACE` the standard library also prints one when memory is refused, which
//! is no defect.

use std::backtrace::Backtrace;
use std::ffi::OsStr;
use std::io::{self, Write};

/// Variable of the environment by which users ask for backtraces.
const ASKED: &str = "RUST_BACKTRACE";
/// The same for a panic of this program.
const OF_PANICS: &str = "LBAF_BACKTRACE";
const NONE: &str = "0";

/// From now on a panic alone prints a backtrace where the user asks for them. The standard library reads what is asked for
/// from the environment, which only a new program can have otherwise, so that this one begins anew.
pub(crate) fn of_panics_alone() {
    let is_asked = |name| std::env::var_os(name).is_some_and(|style| style != OsStr::new(NONE));
    if is_asked(ASKED) {
        begin_anew();
    } else if is_asked(OF_PANICS) {
        let message = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            message(panic);
            let _ = writeln!(io::stderr(), "{}", Backtrace::force_capture());
        }));
    }
}

/// Returns if the system does not start the program once more; then everything is as it was.
#[cfg(unix)]
fn begin_anew() {
    use std::os::unix::process::CommandExt;

    if let Ok(program) = std::env::current_exe() {
        let mut arguments = std::env::args_os();
        let name = arguments.next().unwrap_or_default();
        let mut command = std::process::Command::new(program);
        let _ = command.arg0(name).args(arguments).env(ASKED, NONE).env(OF_PANICS, "1").exec();
    }
}

#[cfg(not(unix))]
fn begin_anew() {}
