// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running process of a command, which reads problems on standard input and writes answers to standard
//! output.
//!
//! Each pipe has its own thread. So neither side waits for the other to read, even if problem and answer are long. A
//! thread ends when its pipe closes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, absolute};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::standard_error::StandardError;
use crate::{ExternalError, Listener};

mod group;

use group::Group;
pub use group::kill_all;

/// Longest interval between checks of the clock, the process and the cancellation token.
const POLL: Duration = Duration::from_millis(50);

/// Time for persistent processes to exit on their own after the end of their input. It is part of the one
/// second within which an interrupted `lbaf` must end.
const TO_END: Duration = Duration::from_millis(500);

/// Time for pipes to close after a process was killed.
const GRACE: Duration = Duration::from_secs(1);

/// Length in bytes from which an answer is too long. A hundred iterations of a hundred thousand objects take up to a
/// third of it.
const MOST_BYTES: u64 = 256 << 20;

/// Command to start.
pub(crate) struct ProcessCommand<'a> {
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [String],
    /// Working directory, to which relative paths refer.
    pub(crate) directory: &'a Path,
    /// True if the process answers many problems, each with a line; false if its complete output answers a
    /// single problem.
    pub(crate) is_persistent: bool,
    pub(crate) listener: &'a Listener,
}

/// Limits of the wait for an answer: time limit and cancellation token.
pub(crate) struct Patience<'a> {
    pub(crate) limit: Duration,
    /// `None` if the deadline is beyond the range of the clock; the wait is then unlimited.
    pub(crate) deadline: Option<Instant>,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

/// Process of a command, with its pipes.
pub(crate) struct Process {
    name: String,
    is_persistent: bool,
    group: Group,
    /// `None` while a problem is being written, and after the last problem.
    stdin: Option<ChildStdin>,
    /// Thread that writes the latest problem; it returns standard input if further problems can follow.
    writer: Option<JoinHandle<Option<ChildStdin>>>,
    answers: Option<Receiver<Said>>,
    reader: JoinHandle<()>,
    standard_error: StandardError,
    n_problems: u64,
}

/// Message from the thread that reads standard output.
enum Said {
    Answer(Vec<u8>),
    TooMuch,
}

/// True if a program is a path instead of a name on the search path.
pub(crate) fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

impl Process {
    /// Starts a command.
    ///
    /// # Errors
    /// If the system cannot start the command or a thread.
    pub(crate) fn start(program: &ProcessCommand<'_>) -> Result<Self, ExternalError> {
        let started = || -> io::Result<Self> {
            let directory = absolute(Path::new(".").join(program.directory))?;
            let path = if is_path(program.name) { directory.join(program.name) } else { program.name.into() };
            let mut command = Command::new(path);
            command.args(program.arguments).current_dir(directory);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut group = Group::spawn(&mut command)?;
            let (stdin, Some(stdout), Some(stderr)) = group.take_pipes() else {
                unreachable!("invariant: all three pipes were requested")
            };
            let standard_error = StandardError::read(stderr, Listener::clone(program.listener))?;
            // The channel holds one answer. If the process writes more lines, the reading thread waits until this
            // answer is taken.
            let (sender, answers) = sync_channel(1);
            let is_persistent = program.is_persistent;
            let read =
                move || if is_persistent { read_lines(stdout, &sender) } else { read_all(stdout, &sender) };
            let reader = thread::Builder::new().name("stdout".to_owned()).spawn(read)?;
            Ok(Process {
                name: program.name.to_owned(),
                is_persistent,
                group,
                stdin,
                writer: None,
                answers: Some(answers),
                reader,
                standard_error,
                n_problems: 0,
            })
        };
        started().map_err(|source| ExternalError::Start { program: program.name.to_owned(), source })
    }

    /// Returns the number of the next problem, from 1.
    pub(crate) fn next_turn(&mut self) -> u64 {
        self.n_problems += 1;
        self.n_problems
    }

    /// Sends a problem, which is a line, and returns the answer. The process is unusable after an error, and
    /// after its first answer if it is not persistent.
    ///
    /// # Errors
    /// If the process fails, takes too long, or writes too much or nothing, if the run is cancelled, or if the system
    /// cannot start a thread.
    pub(crate) fn exchange(
        &mut self,
        problem: Vec<u8>,
        patience: &Patience<'_>,
    ) -> Result<Vec<u8>, ExternalError> {
        self.refuse_more()?;
        let Some(mut stdin) = self.stdin.take() else { return Err(self.ended(patience)) };
        let is_persistent = self.is_persistent;
        let write = move || {
            let written = stdin.write_all(&problem).and_then(|()| stdin.flush());
            // A write error is not an error of the command, which may answer without reading all of its
            // input. If the command failed, its exit status shows it.
            (is_persistent && written.is_ok()).then_some(stdin)
        };
        let writer = thread::Builder::new().name("stdin".to_owned()).spawn(write);
        let writer = writer.map_err(|source| ExternalError::Start { program: self.name.clone(), source })?;
        self.writer = Some(writer);
        let answer = self.next_answer(patience)?;
        if is_persistent {
            self.wait_until(patience, |process| Ok(process.has_written().then_some(())))?;
            self.stdin = self.writer.take().and_then(|writer| writer.join().unwrap_or_default());
            self.refuse_more()?;
        } else {
            let status = self.exit_status(patience)?;
            if !status.success() {
                return Err(self.died(status.to_string()));
            }
        }
        if answer.trim_ascii().is_empty() {
            return Err(ExternalError::NoAnswer { program: self.name.clone(), stderr: self.last_words() });
        }
        Ok(answer)
    }

    /// True if no thread is writing a problem.
    fn has_written(&self) -> bool {
        self.writer.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the next answer on standard output.
    fn next_answer(&mut self, patience: &Patience<'_>) -> Result<Vec<u8>, ExternalError> {
        loop {
            let pause = self.check(patience)?;
            let Some(answers) = &self.answers else {
                unreachable!("invariant: the receiver exists until the process is closed")
            };
            match answers.recv_timeout(pause) {
                Ok(Said::Answer(answer)) => return Ok(answer),
                Ok(Said::TooMuch) => {
                    return Err(ExternalError::TooLong {
                        program: self.name.clone(),
                        most_bytes: MOST_BYTES,
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(patience)),
                // If the process has ended but its standard output is still open, another process that it
                // started keeps the pipe open, so the group is killed.
                Err(RecvTimeoutError::Timeout) => {
                    if matches!(self.group.status(), Ok(Some(_))) && !self.reader.is_finished() {
                        self.group.kill();
                    }
                }
            }
        }
    }

    /// Returns an error if a persistent process has written a line without a problem to answer. A process that is not
    /// persistent may answer before it has read the problem, so it is not checked.
    fn refuse_more(&self) -> Result<(), ExternalError> {
        let answers = self.answers.as_ref().filter(|_| self.is_persistent);
        let more = answers.and_then(|answers| answers.try_recv().ok());
        more.map_or(Ok(()), |_| Err(ExternalError::TooManyLines { program: self.name.clone() }))
    }

    /// Returns the time until the next check of the process.
    ///
    /// # Errors
    /// If the time limit has expired or the run is cancelled; the process is then killed.
    fn check(&mut self, patience: &Patience<'_>) -> Result<Duration, ExternalError> {
        let left =
            patience.deadline.map_or(POLL, |deadline| deadline.saturating_duration_since(Instant::now()));
        let is_cancelled = (patience.is_cancelled)();
        if !is_cancelled && !left.is_zero() {
            return Ok(left.min(POLL));
        }
        self.group.kill();
        let program = self.name.clone();
        Err(if is_cancelled {
            ExternalError::Cancelled { program }
        } else {
            ExternalError::Late { program, seconds: patience.limit.as_secs_f64(), stderr: self.last_words() }
        })
    }

    /// Waits until `ready` returns a value, and returns it. The first checks are frequent, because the value
    /// is expected soon.
    fn wait_until<T>(
        &mut self,
        patience: &Patience<'_>,
        ready: impl Fn(&mut Self) -> Result<Option<T>, ExternalError>,
    ) -> Result<T, ExternalError> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Some(ready) = ready(self)? {
                return Ok(ready);
            }
            thread::sleep(pause.min(self.check(patience)?));
            pause = (2 * pause).min(POLL);
        }
    }

    fn exit_status(&mut self, patience: &Patience<'_>) -> Result<ExitStatus, ExternalError> {
        self.wait_until(patience, |process| {
            let status = process.group.status();
            status.map_err(|error| process.died(error.to_string()))
        })
    }

    /// Returns the error for a process that has closed its output or input without an answer, after waiting
    /// for its exit.
    fn ended(&mut self, patience: &Patience<'_>) -> ExternalError {
        match self.exit_status(patience) {
            Ok(status) => self.died(format!("{status}, before it answered")),
            Err(error) => error,
        }
    }

    fn died(&mut self, status: String) -> ExternalError {
        ExternalError::Died { program: self.name.clone(), status, stderr: self.last_words() }
    }

    /// Returns the kept end of standard error once it is closed. If it stays open, the group is killed, and the wait
    /// ends after [`GRACE`].
    fn last_words(&mut self) -> String {
        if !finishes(|| self.standard_error.is_finished(), POLL) {
            // A process that the command started keeps standard error open.
            self.group.kill();
            finishes(|| self.standard_error.is_finished(), GRACE);
        }
        self.standard_error.end()
    }

    /// Closes this side of the pipes. The thread that reads standard output stops if it waits to deliver a line, and a
    /// persistent process reaches the end of its input.
    fn close(&mut self) {
        self.answers = None;
        self.stdin = None;
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.group.status(), Ok(None))
    }

    /// True once the threads of all pipes have ended.
    fn has_closed(&self) -> bool {
        self.has_written() && self.reader.is_finished() && self.standard_error.is_finished()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close();
        if self.is_persistent {
            finishes(|| self.has_ended(), TO_END);
        }
        if self.has_ended() {
            finishes(|| self.has_closed(), POLL);
        }
        self.group.kill();
        // Only a process that has left the group can still keep a pipe open. The thread of this pipe is then abandoned.
        finishes(|| self.has_closed(), GRACE);
    }
}

/// Ends persistent processes. Together they have the time [`TO_END`] to exit on their own; then their groups
/// are killed.
pub(crate) fn end(mut processes: Vec<Process>) {
    processes.iter_mut().for_each(Process::close);
    finishes(|| processes.iter_mut().all(Process::has_ended), TO_END);
    for process in &mut processes {
        process.group.kill();
    }
}

/// True if `is_finished` returns true within the given time. The first checks are frequent.
fn finishes(mut is_finished: impl FnMut() -> bool, within: Duration) -> bool {
    let (began, mut pause) = (Instant::now(), Duration::from_micros(50));
    while !is_finished() {
        if began.elapsed() >= within {
            return false;
        }
        thread::sleep(pause);
        pause = (2 * pause).min(POLL);
    }
    true
}

/// Delivers standard output line by line, until it ends or the channel is closed.
fn read_lines(stdout: ChildStdout, answers: &SyncSender<Said>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let is_sent = match (&mut stdout).take(MOST_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == MOST_BYTES => answers.send(Said::TooMuch),
            Ok(_) => answers.send(Said::Answer(line)),
        };
        if is_sent.is_err() {
            return;
        }
    }
}

/// Delivers the complete standard output once it is closed.
fn read_all(stdout: ChildStdout, answers: &SyncSender<Said>) {
    let mut answer = Vec::new();
    let read = stdout.take(MOST_BYTES).read_to_end(&mut answer);
    let said = match read {
        Ok(_) if answer.len() as u64 == MOST_BYTES => Said::TooMuch,
        // After a read error, the text so far is delivered. Parsing reports that it is not a complete answer.
        Ok(_) | Err(_) => Said::Answer(answer),
    };
    // A closed channel means that the answer is no longer needed.
    let _ = answers.send(said);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_cancelled_run_does_not_wait_for_the_answer() {
        let arguments = ["-c", "sleep 100"].map(str::to_owned);
        let (directory, listener): (_, Listener) = (Path::new(""), Arc::new(|_: &str| {}));
        let program = ProcessCommand {
            name: "sh",
            arguments: &arguments,
            directory,
            is_persistent: false,
            listener: &listener,
        };
        let began = Instant::now();
        let is_cancelled = || began.elapsed() > Duration::from_millis(100);
        let patience =
            Patience { limit: Duration::from_mins(1), deadline: None, is_cancelled: &is_cancelled };
        let error = Process::start(&program).unwrap().exchange(vec![b'\n'], &patience).unwrap_err();
        assert_eq!(error.to_string(), "`sh` was killed because the run was cancelled");
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }
}
