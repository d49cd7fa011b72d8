// SPDX-License-Identifier: MIT OR Apache-2.0
//! Identity of a process, and the check that it has ended.

use std::fs;
use std::io;

use serde::{Deserialize, Serialize};

/// A process on a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Name of the machine.
    pub host: String,
    /// Number of the process.
    pub pid: u32,
    /// Place in which the number is unique; `None` if the system does not tell.
    scope: Option<Scope>,
    /// Start of the process in ticks since the start of the system. It distinguishes processes with the same number.
    started: Option<u64>,
}

/// Start of the operating system, namespace of process numbers, and user. Processes of other users may be invisible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Scope {
    boot: String,
    namespace: String,
    user: u32,
}

impl Process {
    /// Returns this process.
    pub fn current() -> Self {
        let pid = std::process::id();
        Process { host: host(), pid, scope: scope(), started: state_of(pid).ok().map(|(_, started)| started) }
    }

    /// True if the process ran where this one runs, and has ended. False if this cannot be determined, such as for a
    /// process on another machine, in another container or of another user.
    pub fn has_ended(&self) -> bool {
        if self.scope.is_none() || self.scope != scope() || self.started.is_none() {
            return false;
        }
        match state_of(self.pid) {
            // A killed process stays in the state Z until its parent has asked for its exit code.
            Ok((state, started)) => matches!(state, 'Z' | 'X') || Some(started) != self.started,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(unix)]
fn scope() -> Option<Scope> {
    Some(Scope {
        boot: fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned(),
        namespace: fs::read_link("/proc/self/ns/pid").ok()?.to_string_lossy().into_owned(),
        user: rustix::process::geteuid().as_raw(),
    })
}

#[cfg(not(unix))]
fn scope() -> Option<Scope> {
    None
}

/// Returns the state and the start of a process from `/proc`.
///
/// # Errors
/// If there is no such process (`NotFound`), or the system does not tell.
fn state_of(pid: u32) -> io::Result<(char, u64)> {
    let text = fs::read(format!("/proc/{pid}/stat"))?;
    parsed(&String::from_utf8_lossy(&text)).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn parsed(stat: &str) -> Option<(char, u64)> {
    // The second field is a name in parentheses, which may contain any characters.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_whitespace();
    let state = fields.next()?.chars().next()?;
    // The start is field 22, and the state is field 3.
    Some((state, fields.nth(18)?.parse().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_killed_process_has_ended_and_this_one_has_not() {
        assert!(!Process::current().has_ended());
        let mut child = Command::new("sleep").arg("100").stdout(Stdio::null()).spawn().unwrap();
        let (_, started) = state_of(child.id()).unwrap();
        let process = Process { pid: child.id(), started: Some(started), ..Process::current() };
        assert!(!process.has_ended());
        child.kill().unwrap();
        while matches!(state_of(child.id()), Ok(('S' | 'R' | 'D', _))) {
            std::thread::yield_now();
        }
        // Also before the exit code is taken.
        assert!(process.has_ended());
        child.wait().unwrap();
        assert!(process.has_ended());
    }

    #[test]
    fn processes_of_another_machine_or_with_the_same_number_are_distinguished() {
        let current = Process::current();
        let later = Process { started: current.started.map(|started| started + 1), ..current.clone() };
        assert!(later.has_ended());
        let scope = Scope { boot: "another".to_owned(), ..current.scope.clone().unwrap() };
        let elsewhere = Process { scope: Some(scope), pid: u32::MAX, ..current };
        assert!(!elsewhere.has_ended());
    }
}
