// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads of the engine, which do the work of calls. The calling thread waits without the lock of the interpreter,
//! polls for signals, and reports progress.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::call::{Call, is_any_busy, locked};
use crate::failure::{Failure, exception, raised};

/// Interval between two polls for signals.
const POLL: Duration = Duration::from_millis(50);
/// Time that interrupted work has to stop by itself.
const GRACE: Duration = Duration::from_millis(500);

/// Stack of a thread in bytes. Own strategies can recurse as deeply as in the main thread. Only used pages take memory.
const STACK: usize = 16 << 20;

/// Identifier of this process, and its threads. A child process made by `fork` starts its own threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Place of the last panic, for the message of the exception.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Replaces the messages that panics print: a panic becomes an exception.
pub(crate) fn keep_panics_silent() {
    std::panic::set_hook(Box::new(|panic| {
        *locked(&PANIC) = panic.location().map(ToString::to_string).unwrap_or_default();
    }));
}

/// Runs `job` in `threads` threads, by default in one for each processor, and returns the result. `progress` is called
/// with the activity, the number of steps done, and the number of all steps.
///
/// After an interrupt, the job has [`GRACE`] to stop. A job that does not stop, for example while it reads a large
/// file, is abandoned: it runs to its end in its thread, and its result is dropped.
///
/// # Errors
/// The error of the job as an exception, caused by the exception of an own strategy if there is one;
/// `KeyboardInterrupt`; or the exception of `progress`.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    call: &Arc<Call>,
    threads: Option<usize>,
    progress: Option<&Py<PyAny>>,
    job: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let guarded = move || catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| Err(defect(&*panic)));
    let outcome = if rayon::current_thread_index().is_some() {
        // The job of a call from an own strategy runs in the thread of the strategy: all other threads of the engine
        // may wait for this thread.
        py.detach(guarded)
    } else {
        let pool = pool(threads)?;
        let (sender, receiver) = mpsc::sync_channel(1);
        // The result of an abandoned job has no receiver, so an error of `send` is ignored.
        pool.spawn(move || drop(sender.send(guarded())));
        py.detach(move || wait(&receiver, call, progress))?
    };
    outcome.map_err(|failure| exception_of(py, call, failure))
}

fn exception_of(py: Python<'_>, call: &Call, failure: Failure) -> PyErr {
    let Failure::Error(name, message) = failure else { return failure.into() };
    match call.exception(&message) {
        Some(cause) => caused(py, name, &message, cause),
        None => raised(py, name, &message),
    }
}

/// Returns the exception `name` with the exception of an own strategy as its cause. If the cause is a `PlacementError`,
/// the returned exception is one too.
pub(crate) fn caused(py: Python<'_>, name: &str, message: &str, cause: PyErr) -> PyErr {
    let placement = py.import("lbaf_rs._errors").and_then(|errors| errors.getattr(exception::PLACEMENT));
    let is_placement = placement.is_ok_and(|placement| cause.matches(py, placement).unwrap_or(false));
    let error = raised(py, if is_placement { exception::PLACEMENT } else { name }, message);
    // A cause without a traceback comes from the check of the placement, and adds nothing to the message.
    if cause.traceback(py).is_some() {
        error.set_cause(py, Some(cause));
    }
    error
}

fn wait<T>(
    receiver: &Receiver<Result<T, Failure>>,
    call: &Call,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Result<T, Failure>> {
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(outcome) => {
                // A last report with all steps.
                Python::attach(|py| report(py, call, progress))?;
                return Ok(outcome);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Err(Failure::Error(
                    exception::DEFECT,
                    "a thread ended without a result".to_owned(),
                )));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = poll(call, progress) {
            if receiver.recv_timeout(GRACE).is_err() {
                // Later calls start new threads, so that they do not wait for the abandoned job.
                drop(locked(&POOL).take());
            }
            return Err(error);
        }
    }
}

/// Handles signals and reports progress. Stops the call after an exception.
fn poll(call: &Call, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    Python::attach(|py| {
        let polled = py.check_signals().and_then(|()| report(py, call, progress));
        polled.inspect_err(|_| call.interrupt(py))
    })
}

fn report(py: Python<'_>, call: &Call, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    match (progress, call.progress()) {
        (Some(progress), Some(state)) => progress.call1(py, state).map(drop),
        _ => Ok(()),
    }
}

fn pool(threads: Option<usize>) -> Result<Arc<ThreadPool>, Failure> {
    let start = |n: usize| {
        ThreadPoolBuilder::new().num_threads(n).stack_size(STACK).build().map(Arc::new).map_err(|error| {
            let message = format!(
                "cannot start a thread: {error}; raise the limit on processes of this user (`ulimit -u`) or on memory \
                 (`ulimit -v`), or use fewer threads with `threads`"
            );
            Failure::Error(exception::RESOURCE, message)
        })
    };
    match threads {
        Some(0) => return Err(Failure::config("`threads` must be at least 1")),
        Some(n) => return start(n),
        None => {}
    }
    if is_any_busy() {
        // All threads may run own strategies that wait for this call in another thread.
        return start(0);
    }
    let process = std::process::id();
    let mut pool = locked(&POOL);
    match &*pool {
        Some((owner, pool)) if *owner == process => Ok(Arc::clone(pool)),
        _ => {
            let own = start(0)?;
            // Forgets the pool of a parent process: its threads do not exist here, and a drop would wait for their end.
            std::mem::forget(pool.replace((process, Arc::clone(&own))));
            Ok(own)
        }
    }
}

/// Panics in a thread of the engine, for the test that a panic becomes an exception.
#[pyfunction]
pub(crate) fn panic(py: Python<'_>, text: String) -> PyResult<()> {
    work(py, &Call::begin(), None, None, move || panic!("{text}"))
}

fn defect(panic: &(dyn Any + Send)) -> Failure {
    let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let words = words.unwrap_or("a panic without a message");
    let message = format!("a defect of lbaf, please report it: {words} ({})", locked(&PANIC));
    Failure::Error(exception::DEFECT, message)
}
