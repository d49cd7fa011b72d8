// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process and all that it starts, which end together.

use std::io;
use std::process::{Child, ExitStatus};

/// A process that leads a group of its own, so that killing it also ends what it started: scripts start interpreters, which
/// would keep its pipes open. Killed and waited for when it is dropped. Where there are no groups, the process alone.
pub(super) struct Group {
    child: Child,
    status: Option<ExitStatus>,
}

impl Group {
    pub(super) fn new(child: Child) -> Self {
        Group { child, status: None }
    }

    /// The exit status, once the process has ended; what it started may still run.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
        }
        Ok(self.status)
    }

    /// Kills the process and all that it started, and waits for it.
    pub(super) fn kill(&mut self) {
        self.kill_members();
        if self.status.is_none() {
            // No error is possible but that it has ended already, which is as well.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    /// Kills what is left in the group. The number of a group is not given to another one while it has members, so that
    /// this is safe after the end of the process while one of its pipes is still open.
    #[cfg(unix)]
    fn kill_members(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill_members(&self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.kill();
        }
    }
}
