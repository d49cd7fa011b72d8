// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of the samples that a detector could test.

/// Counts of tasks, of tested samples and of flagged samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Number of tasks of measured phases.
    pub n_tasks: usize,
    /// Number of tasks that the detector could flag: it learnt their times, and knew enough times of their functions
    /// when it judged them.
    pub n_tested: usize,
    /// Number of flagged tasks, including those whose times changed for good.
    pub n_flagged: usize,
}

impl Tested {
    /// Returns the fraction of tested tasks that were flagged; 0 without tested tasks.
    pub fn flagged_share(&self) -> f64 {
        self.n_flagged as f64 / self.n_tested.max(1) as f64
    }
}
