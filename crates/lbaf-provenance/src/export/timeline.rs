// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock for data that have none.

use lbaf_model::{DataSet, rank_totals};
use lbaf_noise::microseconds;

/// When phases begin, in microseconds: each behind the one before, which takes as long as its most loaded rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// By position of the phase; one more, where the last one ends.
    starts: Vec<f64>,
}

impl Timeline {
    /// The clock of a data set.
    pub fn of(data: &DataSet) -> Self {
        let mut starts = vec![0.0];
        let mut end = 0.0;
        for phase in data.phases() {
            let loads = rank_totals(phase, phase.recorded_assignment());
            end += microseconds(loads.iter().map(|rank| rank.load).fold(0.0, f64::max));
            starts.push(end);
        }
        Timeline { starts }
    }

    /// When a phase begins and ends.
    pub fn phase(&self, at: usize) -> [f64; 2] {
        [self.starts[at], self.starts[at + 1]]
    }
}

/// A time as records have it.
pub(super) fn whole(microseconds: f64) -> i64 {
    microseconds.round() as i64
}
