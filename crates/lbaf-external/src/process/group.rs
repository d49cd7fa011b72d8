// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process and all that it starts, which end together.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Process identifiers of the groups that were started and not killed.
static LIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all commands that run, with everything that they started; no command starts until the result is dropped.
///
/// For programs that end by [`std::process::exit`], which drops nothing: commands lead process groups of their own, which
/// the Ctrl-C of a terminal does not reach. Without process groups (Windows) it kills nothing.
pub fn kill_all() -> impl Drop {
    let groups = live();
    groups.iter().for_each(|&leader| kill_group(leader));
    groups
}

/// A process that leads a group of its own, so that killing it also ends what it started: scripts start interpreters, which
/// would keep its pipes open. Killed and waited for when it is dropped. Where there are no groups, the process alone.
pub(super) struct Group {
    child: Child,
    status: Option<ExitStatus>,
    is_killed: bool,
}

impl Group {
    /// Starts a process that leads a new group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Held meanwhile, so that `kill_all` misses no process.
        let mut live = live();
        let child = command.spawn()?;
        live.push(child.id());
        Ok(Group { child, status: None, is_killed: false })
    }

    /// The pipes of the process, as far as they were asked for and not taken.
    pub(super) fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// The exit status, once the process has ended; what it started may still run. The process is not waited for before the
    /// group is killed, because that would free its number for another group.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = peek(&mut self.child)?;
        }
        Ok(self.status)
    }

    /// Kills the process and all that it started, and waits for it.
    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        let leader = self.child.id();
        kill_group(leader);
        live().retain(|&other| other != leader);
        // No error is possible but that it has ended already, which is as well.
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        self.status = self.status.or(status);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// The exit status of a process that has ended, which stays to be waited for.
#[cfg(unix)]
fn peek(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use std::os::unix::process::ExitStatusExt;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let ended = waitid(WaitId::Pid(Pid::from_child(child)), options)?;
    Ok(ended.map(|ended| {
        let code = ended.exit_status().map(|code| (code & 0xff) << 8);
        ExitStatus::from_raw(code.or(ended.terminating_signal()).unwrap_or_default())
    }))
}

#[cfg(not(unix))]
fn peek(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    child.try_wait()
}
