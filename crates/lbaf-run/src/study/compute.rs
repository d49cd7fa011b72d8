// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel computation of cells. Cells with the same data share one copy.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lbaf_config::{StudyConfig, ranges};
use lbaf_strategies::Cancel;
use lbaf_text::number::counted;
use rayon::Scope;

use super::cell_result::{CellResult, CellTiming};
use super::plan::{CellState, PlannedCell, configuration};
use super::progress::CellSteps;
use super::sharing::{Batch, Board, Costs, Pick, Session, batches};
use super::single_cell::{compute_cell, guarded};
use super::store::{CellStore, Stored};
use crate::{Messages, RunError, Silent, Source};

/// Time after which the computed cells of a batch are stored, although other cells of the batch are still missing.
/// They are stored once the cell in progress is complete.
const STORING: Duration = Duration::from_secs(1);
/// Shortest and longest time between two looks at the cells of other processes.
const LOOKS: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(2));
/// Longest time without a look at the cancel token.
const CANCEL_CHECK: Duration = Duration::from_millis(100);
/// Largest number of stored clock times that are read to estimate costs.
const MOST_TIMINGS: usize = 256;

/// Data of a batch; if the data cannot be read, the result of its failed cells.
type Loaded = Result<Source, CellResult>;

/// Data that a thread keeps for its next batch, with their number.
type Held = (usize, Arc<Loaded>);

/// Computes the missing cells with valid configurations, and stores their results or errors. With a session, other
/// processes compute some of these cells, and this process waits until all are stored.
///
/// # Errors
/// If a cell cannot be stored or claimed, or the study was cancelled.
pub(super) fn compute(
    study: &StudyConfig,
    planned: &[PlannedCell],
    store: &CellStore,
    session: Option<&Session>,
    messages: &dyn Messages,
    cancel: &Cancel,
) -> Result<(), RunError> {
    let batches = batches(planned);
    let missing = batches.iter().flat_map(Batch::cells).map(|cell| &*cell.identity).collect();
    let steps = CellSteps::start(messages, store, missing);
    let board = Mutex::new(Board::new(batches, costs(study, planned, store)));
    let work = Work { study, store, session, cancel, board, steps, error: Mutex::new(None), messages };
    let mut wait = LOOKS.0;
    loop {
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|scope| work.step(scope, None));
            }
        });
        if let Some(error) = work.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        cancel.check()?;
        let n_left = work.board().n_taken_cells();
        if n_left == 0 {
            return Ok(());
        }
        let began = Instant::now();
        while began.elapsed() < wait {
            thread::sleep(wait.saturating_sub(began.elapsed()).min(CANCEL_CHECK));
            cancel.check()?;
        }
        if wait < LOOKS.1 && wait * 3 / 2 >= LOOKS.1 {
            let (left, seconds) = (counted(n_left, "cell"), study.leases.expire_after.as_secs_f64());
            messages.note(&format!(
                "waiting for {left} of other processes; a process that gives no sign of life for {seconds} s is replaced"
            ));
        }
        wait = (wait * 3 / 2).min(LOOKS.1);
        if let Some(session) = session {
            session.remove_expired();
        }
        work.board().reopen_taken();
    }
}

/// Returns the missing cells grouped by data, in the order of their numbers. Of cells with the same identity, only the
/// first counts.
pub(super) fn groups(planned: &[PlannedCell]) -> Vec<Vec<&PlannedCell>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut known: HashSet<&str> = HashSet::new();
    let mut groups: Vec<Vec<&PlannedCell>> = Vec::new();
    for cell in planned.iter().filter(|cell| matches!(cell.state, CellState::Missing)) {
        let Some(data) = cell.data.as_deref().filter(|_| known.insert(&cell.identity)) else { continue };
        let place = *places.entry(data).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(cell);
    }
    groups
}

/// Returns the expected costs of cells, estimated from the clock times of some stored cells.
fn costs(study: &StudyConfig, planned: &[PlannedCell], store: &CellStore) -> Costs {
    let mut costs = Costs::new(study);
    let kept: Vec<&PlannedCell> =
        planned.iter().filter(|cell| matches!(cell.state, CellState::Kept)).collect();
    for cell in kept.iter().step_by(kept.len().div_ceil(MOST_TIMINGS).max(1)) {
        if let Some(timing) = store.timing(&cell.identity) {
            costs.add(cell.number, timing.cell_seconds);
        }
    }
    costs
}

/// The computation, shared by all threads.
struct Work<'w> {
    study: &'w StudyConfig,
    store: &'w CellStore,
    session: Option<&'w Session>,
    cancel: &'w Cancel,
    board: Mutex<Board<'w, Loaded>>,
    steps: CellSteps,
    /// The first error, which ends the computation.
    error: Mutex<Option<RunError>>,
    messages: &'w dyn Messages,
}

impl<'w> Work<'w> {
    fn board(&self) -> MutexGuard<'_, Board<'w, Loaded>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if a thread has failed, so that the computation ends.
    fn has_failed(&self) -> bool {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Computes a batch, and spawns the next step. Steps are separate tasks of the pool: a thread that waits inside a
    /// cell may run one of them, but never all that remain.
    fn step<'s>(&'s self, scope: &Scope<'s>, held: Option<Held>) {
        if self.has_failed() {
            return;
        }
        let next = self.cancel.check().map_err(RunError::from).and_then(|()| {
            let pick = self.board().pick(self.session, held.as_ref().map(|held| held.0))?;
            pick.map(|pick| self.compute_pick(scope, pick, held)).transpose()
        });
        match next {
            Ok(Some(held)) => scope.spawn(move |scope| self.step(scope, held)),
            Ok(None) => {}
            Err(error) => {
                self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    /// Computes a batch, and returns the data that were used last; `None` if no data were needed. `held` are the data
    /// that the caller has from its previous batch.
    fn compute_pick<'s>(
        &'s self,
        scope: &Scope<'s>,
        Pick { batch, claim, source }: Pick<Loaded>,
        held: Option<Held>,
    ) -> Result<Option<Held>, RunError> {
        let (data, mut missing) = {
            let board = self.board();
            let batch = board.batch(batch);
            (batch.data, batch.missing.clone())
        };
        if claim.as_ref().is_some_and(|claim| claim.is_taken_over) {
            let mut numbers: Vec<u64> = missing.iter().flatten().map(|cell| cell.number as u64).collect();
            numbers.sort_unstable();
            self.messages.log(&format!("took over cells {}; their process is gone", ranges(&numbers)));
        }
        // Other data are released before new ones are read.
        let held = held.filter(|held| held.0 == data);
        let mut source = source.or(held.map(|held| held.1));
        let is_alike = missing.len() == 1;
        for cells in &mut missing {
            // Another process may have stored cells since the study was opened.
            cells.retain(|cell| !self.store.has(&cell.identity));
            if cells.is_empty() {
                continue;
            }
            let loaded = match source.take() {
                Some(source) if is_alike => source,
                other => {
                    drop(other);
                    self.read(scope, batch, cells[0].number)?
                }
            };
            self.compute_cells(cells, &loaded)?;
            source = Some(loaded);
        }
        if let Some(claim) = claim.filter(|_| !self.has_failed()) {
            claim.done()?;
        }
        if source.is_none() {
            self.spawn(scope, self.board().leave_unread(batch));
        }
        Ok(source.map(|source| (data, source)))
    }

    /// Spawns steps for threads that had nothing to do.
    fn spawn<'s>(&'s self, scope: &Scope<'s>, n_idle: usize) {
        for _ in 0..n_idle {
            scope.spawn(|scope| self.step(scope, None));
        }
    }

    /// Reads the data of a cell in a batch. Threads that waited for data continue.
    fn read<'s>(&'s self, scope: &Scope<'s>, batch: usize, cell: usize) -> Result<Arc<Loaded>, RunError> {
        let read = || {
            let (layers, run) = configuration(self.study, cell)?;
            Source::read(&run, &layers, &Silent)
        };
        let source = Arc::new(guarded(read, CellResult::failed_for_now)?);
        self.spawn(scope, self.board().read(batch, &source));
        Ok(source)
    }

    fn compute_cells(&self, cells: &[&PlannedCell], source: &Loaded) -> Result<(), RunError> {
        let mut computed: Vec<(&PlannedCell, CellResult, CellTiming)> = Vec::new();
        let mut last = Instant::now();
        for cell in cells {
            if self.has_failed() {
                break;
            }
            let PlannedCell { number, may_fail_for_now, .. } = **cell;
            match compute_cell(self.study, number, may_fail_for_now, source.as_ref(), self.cancel) {
                Ok(done) => computed.push((cell, done.result().clone(), done.timing().clone())),
                Err(cancelled) => {
                    self.store(&mut computed)?;
                    return Err(cancelled.into());
                }
            }
            if last.elapsed() >= STORING {
                self.store(&mut computed)?;
                last = Instant::now();
            }
        }
        self.store(&mut computed)
    }

    /// Stores computed cells, and reports them.
    fn store(&self, computed: &mut Vec<(&PlannedCell, CellResult, CellTiming)>) -> Result<(), RunError> {
        let stored =
            computed.iter().map(|(cell, result, timing)| Stored { identity: &cell.identity, result, timing });
        self.store.keep_all(&stored.collect::<Vec<_>>())?;
        let numbers: Vec<u64> = computed.iter().map(|(cell, ..)| cell.number as u64).collect();
        if !numbers.is_empty() {
            self.messages.log(&format!("stored cells {}", ranges(&numbers)));
        }
        let mut n_failed = 0;
        for (cell, result, timing) in computed.iter() {
            self.board().costs.add(cell.number, timing.cell_seconds);
            if let Some(error) = &result.error {
                n_failed += 1;
                self.messages.log(&format!("cell {} failed: {error}", cell.number));
            }
        }
        self.steps.advance(computed.len(), n_failed);
        if let Some(session) = self.session {
            let mut is_first = false;
            session.note(|progress| {
                is_first = progress.computed == 0;
                progress.computed += computed.len();
                progress.failed += n_failed;
            });
            if is_first && !computed.is_empty() {
                session.renew()?;
            }
        }
        computed.clear();
        Ok(())
    }
}
