// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress of a study, with the cells of all processes that share it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::store::CellStore;
use crate::{Messages, Progress};

/// Shortest time between two looks at the store.
const LOOK: Duration = Duration::from_secs(1);
/// Looks at the store take at most this fraction of the time: 1 / `SHARE`.
const SHARE: u32 = 50;

/// Progress over the missing cells of a study.
pub(super) struct CellSteps {
    shown: Arc<Shown>,
    /// Thread that looks at the store, and the channel whose closing ends it; `None` if the system refused the thread.
    looking: Option<(Sender<()>, JoinHandle<()>)>,
}

struct Shown {
    bar: Box<dyn Progress>,
    /// Cells of this process.
    own: AtomicUsize,
    /// Stored cells of all processes at the last look.
    stored: AtomicUsize,
    failed: AtomicUsize,
}

impl Shown {
    fn show(&self) {
        let done = self.own.load(Ordering::Relaxed).max(self.stored.load(Ordering::Relaxed));
        self.bar.set(done);
    }
}

impl CellSteps {
    /// Starts the progress over `missing` cells, given by their identities. If the system refuses a thread, only cells
    /// of this process are shown.
    pub(super) fn start(messages: &dyn Messages, store: &CellStore, missing: HashSet<&str>) -> Self {
        let shown = Arc::new(Shown {
            bar: messages.progress("cells", missing.len()),
            own: AtomicUsize::new(0),
            stored: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
        });
        let (end, ended) = mpsc::channel();
        let (store, looking) = (store.clone(), Arc::clone(&shown));
        // Missing cells may have a file, such as one with a temporary error. Such files do not count as progress.
        let found: HashSet<String> = store.names().collect();
        let missing: HashSet<String> = missing.into_iter().map(str::to_owned).collect();
        let missing: HashSet<String> = missing.difference(&found).cloned().collect();
        let look = move || {
            let mut pause = LOOK;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let began = Instant::now();
                let stored = store.names().filter(|name| missing.contains(name)).count();
                looking.stored.store(stored, Ordering::Relaxed);
                looking.show();
                pause = LOOK.max(began.elapsed() * SHARE);
            }
        };
        let thread = thread::Builder::new().spawn(look);
        CellSteps { shown, looking: thread.ok().map(|thread| (end, thread)) }
    }

    /// Counts cells that this process has stored.
    pub(super) fn advance(&self, n: usize, n_failed: usize) {
        self.shown.own.fetch_add(n, Ordering::Relaxed);
        if n_failed > 0 {
            let failed = self.shown.failed.fetch_add(n_failed, Ordering::Relaxed) + n_failed;
            self.shown.bar.failed(failed);
        }
        self.shown.show();
    }
}

impl Drop for CellSteps {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.looking.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
