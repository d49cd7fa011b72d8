// SPDX-License-Identifier: MIT OR Apache-2.0
//! Choice of the next batch of a thread.

use std::sync::{Arc, Weak};

use super::{Batch, Claimed, Costs, Session, claim};
use crate::RunError;

/// The batches of a study, with their states in this process. `S` is the type of data.
pub(in crate::study) struct Board<'p, S> {
    batches: Vec<Batch<'p>>,
    states: Vec<BatchState>,
    data: Vec<Data<S>>,
    pub(in crate::study) costs: Costs,
    /// Threads that had nothing to do because data were being read.
    n_idle: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BatchState {
    Open,
    /// Claimed by this process, or done.
    Settled,
    /// Claimed by another process at the last attempt.
    Taken,
}

/// Data of batches.
struct Data<S> {
    state: DataState<S>,
    /// True if another process has claimed one of the batches. Then it probably has the data in memory.
    is_elsewhere: bool,
}

enum DataState<S> {
    Unread,
    /// A thread of this process is reading them.
    Reading,
    /// In memory as long as a thread of this process computes a batch with them.
    Read(Weak<S>),
}

/// A batch to compute.
pub(in crate::study) struct Pick<S> {
    pub(in crate::study) batch: usize,
    pub(in crate::study) claim: Option<lbaf_claims::Claim>,
    /// The data; `None` if the caller must read them and pass them to [`Board::read`], or call [`Board::leave_unread`]
    /// if it does not need them.
    pub(in crate::study) source: Option<Arc<S>>,
}

impl<'p, S> Board<'p, S> {
    pub(in crate::study) fn new(batches: Vec<Batch<'p>>, costs: Costs) -> Self {
        let n_data = batches.iter().map(|batch| batch.data + 1).max().unwrap_or(0);
        let unread = || Data { state: DataState::Unread, is_elsewhere: false };
        Board {
            states: vec![BatchState::Open; batches.len()],
            data: (0..n_data).map(|_| unread()).collect(),
            batches,
            costs,
            n_idle: 0,
        }
    }

    pub(in crate::study) fn batch(&self, number: usize) -> &Batch<'p> {
        &self.batches[number]
    }

    /// Number of missing cells of batches that other processes have claimed.
    pub(in crate::study) fn n_taken_cells(&self) -> usize {
        let taken = self.batches.iter().zip(&self.states).filter(|(_, state)| **state == BatchState::Taken);
        taken.map(|(batch, _)| batch.cells().count()).sum()
    }

    /// Makes batches of other processes open, so that they are claimed again: their processes may be gone.
    pub(in crate::study) fn reopen_taken(&mut self) {
        for state in &mut self.states {
            if *state == BatchState::Taken {
                *state = BatchState::Open;
            }
        }
    }

    /// Claims the next batch. Preferred are batches with the data that the caller `holds`, then batches with data that
    /// no other process uses, then those with the largest or unknown cost. Returns `None` if no batch is open, or only
    /// batches whose data another thread is reading. That thread then calls [`read`](Self::read) or
    /// [`leave_unread`](Self::leave_unread).
    pub(in crate::study) fn pick(
        &mut self,
        session: Option<&Session>,
        holds: Option<usize>,
    ) -> Result<Option<Pick<S>>, RunError> {
        while let Some(number) = self.best(holds) {
            let Batch { name, data, .. } = &self.batches[number];
            let data = &mut self.data[*data];
            match claim(session, name)? {
                Claimed::Won(claim) => {
                    self.states[number] = BatchState::Settled;
                    let source = match &data.state {
                        DataState::Read(source) => source.upgrade(),
                        DataState::Unread | DataState::Reading => None,
                    };
                    if source.is_none() {
                        data.state = DataState::Reading;
                    }
                    return Ok(Some(Pick { batch: number, claim, source }));
                }
                Claimed::Taken => {
                    data.is_elsewhere = true;
                    self.states[number] = BatchState::Taken;
                }
                Claimed::Done => {
                    data.is_elsewhere = true;
                    self.states[number] = BatchState::Settled;
                }
            }
        }
        self.n_idle += usize::from(self.states.contains(&BatchState::Open));
        Ok(None)
    }

    /// Registers data that were read for a batch. Returns the number of idle threads, which may now have work.
    pub(in crate::study) fn read(&mut self, batch: usize, source: &Arc<S>) -> usize {
        self.data[self.batches[batch].data].state = DataState::Read(Arc::downgrade(source));
        std::mem::take(&mut self.n_idle)
    }

    /// Registers that the data of a batch were not needed. Returns the number of idle threads, which may now have work.
    pub(in crate::study) fn leave_unread(&mut self, batch: usize) -> usize {
        self.data[self.batches[batch].data].state = DataState::Unread;
        std::mem::take(&mut self.n_idle)
    }

    fn best(&self, holds: Option<usize>) -> Option<usize> {
        let open = (0..self.batches.len()).filter(|&number| {
            let data = &self.data[self.batches[number].data];
            self.states[number] == BatchState::Open && !matches!(data.state, DataState::Reading)
        });
        let key = |number: usize| {
            let batch = &self.batches[number];
            let is_held = holds == Some(batch.data);
            (!is_held, !is_held && self.data[batch.data].is_elsewhere, -self.cost(batch))
        };
        let before = |one: &(bool, bool, f64), other: &(bool, bool, f64)| {
            (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2))
        };
        // Of equally good batches, the first.
        open.map(|number| (key(number), number))
            .min_by(|one, other| before(&one.0, &other.0))
            .map(|(_, number)| number)
    }

    /// Returns the expected seconds of a batch; infinite if one of its cells is of an unknown kind.
    fn cost(&self, batch: &Batch<'_>) -> f64 {
        batch.cells().map(|cell| self.costs.of(cell.number).unwrap_or(f64::INFINITY)).sum()
    }
}
