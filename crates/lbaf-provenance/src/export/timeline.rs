// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic clock for data without points in time.

use lbaf_model::{DataSet, rank_totals};
use lbaf_noise::microseconds;

/// Start of each phase in microseconds. A phase begins when the previous one ends, and lasts as long as the load of
/// its most loaded rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Start of each phase by position, then the end of the last phase.
    starts: Vec<f64>,
}

impl Timeline {
    /// Creates the clock of a data set.
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

    /// Returns the start and end of a phase.
    pub fn phase(&self, at: usize) -> [f64; 2] {
        [self.starts[at], self.starts[at + 1]]
    }
}

/// Rounds a time in microseconds, or the value of a counter: both are integers in records.
pub(super) fn whole(microseconds: f64) -> i64 {
    microseconds.round() as i64
}
