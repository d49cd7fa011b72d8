// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a call from Python: messages, progress, and the exceptions of own strategies.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lbaf_run::{Messages, Progress};
use lbaf_strategies::Cancel;
use pyo3::prelude::*;

/// State of a call, shared by the thread that called and the threads that work.
#[derive(Default)]
pub(crate) struct Call {
    /// Token that stops the call.
    pub(crate) cancel: Cancel,
    warnings: Mutex<Vec<String>>,
    notes: Mutex<Vec<String>>,
    activity: Mutex<Option<(&'static str, usize)>>,
    done: Arc<AtomicUsize>,
    /// Exceptions that own strategies raised, by the text of the error that the engine carries instead.
    exceptions: Mutex<HashMap<String, PyErr>>,
    /// Identifiers of the Python threads that run own strategies, each as often as it runs one.
    busy: Mutex<Vec<std::ffi::c_long>>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Call {
    /// Returns the activity in progress with the numbers of steps done and of all steps.
    pub(crate) fn progress(&self) -> Option<(&'static str, usize, usize)> {
        let (activity, n) = (*locked(&self.activity))?;
        Some((activity, self.done.load(Ordering::Relaxed), n))
    }

    /// Returns the warnings and notes so far.
    pub(crate) fn messages(&self) -> (Vec<String>, Vec<String>) {
        (locked(&self.warnings).clone(), locked(&self.notes).clone())
    }

    /// Keeps an exception of an own strategy until the engine has returned.
    pub(crate) fn keep(&self, message: &str, exception: PyErr) {
        locked(&self.exceptions).entry(message.to_owned()).or_insert(exception);
    }

    /// Returns the exception whose text an error of the engine contains.
    pub(crate) fn exception(&self, error: &str) -> Option<PyErr> {
        let mut exceptions = locked(&self.exceptions);
        let text = exceptions.keys().filter(|text| error.contains(&***text)).max_by_key(|text| text.len())?;
        let text = text.clone();
        exceptions.remove(&text)
    }

    /// Runs an own strategy in this thread, so that an interrupt reaches it.
    pub(crate) fn interruptible<T>(&self, py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let thread = py.import("threading")?.getattr("get_ident")?.call0()?.extract()?;
        locked(&self.busy).push(thread);
        let result = work();
        let mut busy = locked(&self.busy);
        if let Some(position) = busy.iter().rposition(|&other| other == thread) {
            busy.swap_remove(position);
        }
        result
    }

    /// Stops the call: the engine by its token, and own strategies by `KeyboardInterrupt`.
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
