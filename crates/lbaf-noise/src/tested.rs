// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extent of what a detector was tried on.

/// Samples that a detector was tried on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Tasks of measured phases.
    pub n_tasks: usize,
    /// Those that the detector could have found odd: enough times are known for its threshold, and they were learnt.
    pub n_tested: usize,
    /// Those that it found odd, also where their times changed for good.
    pub n_flagged: usize,
}

impl Tested {
    /// The part of the tested tasks that the detector found odd, 0 of none.
    pub fn flagged_share(&self) -> f64 {
        self.n_flagged as f64 / self.n_tested.max(1) as f64
    }
}
