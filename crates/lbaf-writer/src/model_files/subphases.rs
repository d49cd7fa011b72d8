// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of subphases.

use lbaf_model::{Slot, Subphases};
use lbaf_vom::record::Subphase;

/// Largest ratio of all times to nonzero times at which times of 0 s are written too.
const MOST_TIMES_PER_NONZERO: usize = 4;

/// Subphases of the objects of a phase.
#[derive(Debug)]
pub(super) struct Times<'a> {
    subphases: &'a Subphases,
    /// True if every object lists every subphase, as vt requires. False if this would make the files several times
    /// larger.
    is_full: bool,
    /// Positions of the subphases without a nonzero time, ascending. The first object lists them, so that readers count
    /// them too.
    unused: Vec<usize>,
}

impl<'a> Times<'a> {
    pub(super) fn new(subphases: &'a Subphases) -> Self {
        let mut is_used = vec![false; subphases.len()];
        let mut n_nonzero: usize = 0;
        for slot in (0..subphases.n_objects()).map(Slot::from) {
            for (position, _) in subphases.of(slot) {
                is_used[position] = true;
                n_nonzero += 1;
            }
        }
        let n_all = subphases.n_objects().saturating_mul(subphases.len());
        Times {
            subphases,
            is_full: n_all <= n_nonzero.saturating_mul(MOST_TIMES_PER_NONZERO),
            unused: (0..subphases.len()).filter(|&position| !is_used[position]).collect(),
        }
    }

    /// Returns the subphases of an object, ascending by number.
    pub(super) fn of(&self, slot: Slot) -> Vec<Subphase> {
        let mut times: Vec<(usize, f64)> = if self.is_full {
            let mut times: Vec<(usize, f64)> = (0..self.subphases.len()).map(|at| (at, 0.0)).collect();
            self.subphases.of(slot).for_each(|(at, seconds)| times[at].1 = seconds);
            times
        } else {
            let unused = self.unused.iter().filter(|_| slot == Slot(0)).map(|&at| (at, 0.0));
            self.subphases.of(slot).chain(unused).collect()
        };
        times.sort_by_key(|&(position, _)| position);
        let numbers = self.subphases.numbers();
        times.into_iter().map(|(at, time)| Subphase { id: u64::from(numbers[at]), time }).collect()
    }
}
