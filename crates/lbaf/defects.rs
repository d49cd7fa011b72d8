// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panics of the threads that a command waits for. A panic is a defect of this program.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::colour;
use crate::error::exit;

const MESSAGE: &str = "this is a defect of lbaf; nothing incomplete was published";

/// Runs a command and returns its exit code, or the code for a defect after a panic.
pub(crate) fn guarded(command: impl FnOnce() -> u8) -> u8 {
    // Values of the command are not read afterwards.
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let _ = writeln!(anstream::stderr(), "{}", colour::labelled("error", colour::ERROR, MESSAGE));
        exit::DEFECT
    })
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn a_panic_on_any_thread_is_a_defect() {
        assert_eq!(guarded(|| panic!("on the thread of the command")), exit::DEFECT);
        let on_workers = || {
            (0..64).into_par_iter().for_each(|step| assert_ne!(step, 63, "on a worker"));
            0
        };
        assert_eq!(guarded(on_workers), exit::DEFECT);
        assert_eq!(guarded(|| exit::OUTPUT), exit::OUTPUT);
    }
}
