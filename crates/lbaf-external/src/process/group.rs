// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process groups: a process and its descendants, which are killed together.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Process identifiers of the leaders of all groups that were started, until their [`Group`] kills them.
static LIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all running commands and the processes that they started, unless these left the group of the command. While
/// the returned guard exists, no command can start, and other threads that drop a running command wait.
///
/// A Rust program must call this function before it exits by [`std::process::exit`], which drops nothing. Commands
/// would otherwise go on: they lead their own process groups, which Ctrl-C in a terminal does not reach. On systems
/// without process groups (Windows), the function kills nothing.
pub fn kill_all() -> impl Drop {
    let groups = live();
    groups.iter().for_each(|&leader| kill_group(leader));
    groups
}

/// Process that leads its own group. Killing the group also ends the processes that the leader started, such
/// as an interpreter started by a script, which would otherwise keep the pipes open. Dropping a `Group` kills
/// the group and waits for the leader. On systems without process groups, only the leader is killed.
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
        // Locked until the process is registered, so that `kill_all` misses none.
        let mut live = live();
        let child = command.spawn()?;
        live.push(child.id());
        Ok(Group { child, status: None, is_killed: false })
    }

    /// Takes the pipes that were requested and not yet taken; `None` for the others.
    pub(super) fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Returns the exit status once the process has ended; its descendants may still run. On Unix, the
    /// process is not reaped before the group is killed: its identifier might otherwise be reused for another
    /// group, which would then be killed.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = peek(&mut self.child)?;
        }
        Ok(self.status)
    }

    /// Kills the group, or without process groups only the process, and waits for the process.
    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        let leader = self.child.id();
        kill_group(leader);
        live().retain(|&other| other != leader);
        // An error means that the process has already ended.
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

/// Returns the exit status of a process that has ended, without reaping it.
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
