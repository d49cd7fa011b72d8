// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a call from Python: messages, progress, and the exceptions of own strategies.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::c_long;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use lbaf_run::{Messages, Progress};
use lbaf_strategies::Cancel;
use pyo3::prelude::*;

/// Number of own strategies that run in this process.
static N_BUSY: AtomicUsize = AtomicUsize::new(0);

/// Calls in progress, which [`end`] interrupts.
static CALLS: Mutex<Vec<Weak<Call>>> = Mutex::new(Vec::new());

thread_local! {
    /// Tokens of the calls whose own strategies run in this thread, innermost last.
    static RUNNING: RefCell<Vec<Cancel>> = const { RefCell::new(Vec::new()) };
}

/// State of a call, shared by the thread that called and the threads that work.
#[derive(Default)]
pub(crate) struct Call {
    /// Token that stops the call.
    pub(crate) cancel: Cancel,
    warnings: Mutex<Vec<String>>,
    notes: Mutex<Vec<String>>,
    activity: Mutex<Option<(&'static str, usize)>>,
    done: Arc<AtomicUsize>,
    /// Exceptions that own strategies raised, by the name of the strategy and the text that replaces the exception in
    /// errors of the engine.
    exceptions: Mutex<HashMap<(&'static str, String), PyErr>>,
    /// Identifiers of the Python threads that run own strategies: an entry for each run, because runs can be nested.
    busy: Mutex<Vec<c_long>>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True if an own strategy runs in this process.
pub(crate) fn is_any_busy() -> bool {
    N_BUSY.load(Ordering::Relaxed) > 0
}

/// Interrupts all own strategies at the end of the interpreter, and waits up to a second for them. Otherwise the
/// interpreter would end their threads within functions of the engine.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) {
    let began = Instant::now();
    while is_any_busy() && began.elapsed() < Duration::from_secs(1) {
        let calls: Vec<Arc<Call>> = locked(&CALLS).iter().filter_map(Weak::upgrade).collect();
        for call in &calls {
            call.interrupt(py);
        }
        py.detach(|| std::thread::sleep(Duration::from_millis(10)));
    }
}

impl Call {
    /// Begins a call. A call from an own strategy stops with the call that runs the strategy.
    pub(crate) fn begin() -> Arc<Self> {
        let cancel = RUNNING.with_borrow(|running| running.last().map(Cancel::child)).unwrap_or_default();
        let call = Arc::new(Call { cancel, ..Call::default() });
        let mut calls = locked(&CALLS);
        calls.retain(|call| call.strong_count() > 0);
        calls.push(Arc::downgrade(&call));
        call
    }

    /// Returns the activity in progress, the number of steps done, and the number of all steps.
    pub(crate) fn progress(&self) -> Option<(&'static str, usize, usize)> {
        let (activity, n) = (*locked(&self.activity))?;
        Some((activity, self.done.load(Ordering::Relaxed), n))
    }

    /// Returns the warnings and notes so far.
    pub(crate) fn messages(&self) -> (Vec<String>, Vec<String>) {
        (locked(&self.warnings).clone(), locked(&self.notes).clone())
    }

    /// Keeps an exception of an own strategy until the engine has returned. Of several exceptions with the same
    /// strategy and text, keeps the first.
    pub(crate) fn keep(&self, strategy: &'static str, message: &str, exception: PyErr) {
        let superfluous = match locked(&self.exceptions).entry((strategy, message.to_owned())) {
            Entry::Occupied(_) => Some(exception),
            Entry::Vacant(entry) => {
                entry.insert(exception);
                None
            }
        };
        // Dropped after the mutex is unlocked, because Python code may run.
        drop(superfluous);
    }

    /// Removes and returns the exception that caused an error of the engine. The form of the error is
    /// `<strategy>: <text>` or `<strategy>: phase <n>: <text>`.
    pub(crate) fn exception(&self, error: &str) -> Option<PyErr> {
        let is_behind = |(strategy, text): &&(&'static str, String)| {
            let rest = error.strip_prefix(strategy);
            rest.is_some_and(|rest| rest.starts_with(": ") && rest.ends_with(&**text))
        };
        let mut exceptions = locked(&self.exceptions);
        let key = exceptions.keys().filter(is_behind).max_by_key(|(_, text)| text.len())?.clone();
        exceptions.remove(&key)
    }

    /// Drops all exceptions, with the frames that they hold.
    pub(crate) fn forget(&self) {
        let exceptions = std::mem::take(&mut *locked(&self.exceptions));
        drop(exceptions);
    }

    /// Runs an own strategy in this thread, so that an interrupt reaches it.
    pub(crate) fn interruptible<T>(&self, py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let thread = py.import("threading")?.getattr("get_ident")?.call0()?.extract()?;
        let _busy = Busy::new(self, thread);
        work()
    }

    /// Stops the call: computations of the engine by its token, and own strategies by `KeyboardInterrupt`.
    pub(crate) fn interrupt(&self, py: Python<'_>) {
        self.cancel.cancel();
        let exception = py.get_type::<pyo3::exceptions::PyKeyboardInterrupt>();
        for &thread in &*locked(&self.busy) {
            // SAFETY: this thread is attached to the interpreter, the exception type is alive, and identifiers of
            // threads that have ended are ignored.
            unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(thread, exception.as_ptr()) };
        }
    }
}

/// An own strategy that runs in a thread.
struct Busy<'a> {
    call: &'a Call,
    thread: c_long,
}

impl<'a> Busy<'a> {
    fn new(call: &'a Call, thread: c_long) -> Self {
        N_BUSY.fetch_add(1, Ordering::Relaxed);
        RUNNING.with_borrow_mut(|running| running.push(call.cancel.clone()));
        locked(&call.busy).push(thread);
        Busy { call, thread }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut busy = locked(&self.call.busy);
        if let Some(position) = busy.iter().rposition(|&other| other == self.thread) {
            busy.swap_remove(position);
        }
        drop(busy);
        RUNNING.with_borrow_mut(Vec::pop);
        N_BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Messages for Call {
    fn warning(&self, text: &str) {
        locked(&self.warnings).push(text.to_owned());
    }

    fn note(&self, text: &str) {
        locked(&self.notes).push(text.to_owned());
    }

    fn detail(&self, _: &str) {}

    fn log(&self, _: &str) {}

    fn progress(&self, activity: &'static str, n: usize) -> Box<dyn Progress> {
        self.done.store(0, Ordering::Relaxed);
        *locked(&self.activity) = Some((activity, n));
        Box::new(Steps(Arc::clone(&self.done)))
    }
}

struct Steps(Arc<AtomicUsize>);

impl Progress for Steps {
    fn set(&self, done: usize) {
        self.0.fetch_max(done, Ordering::Relaxed);
    }
}
