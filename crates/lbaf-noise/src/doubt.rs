// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs and detectors that say nothing of noise.

use crate::{Labels, Tested};

/// A detector that finds more than this part of all times odd does not tell exceptions.
const MOST_FLAGGED: f64 = 0.25;

/// Reason for which judgements cannot part an imbalance into noise and what stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// A single phase was measured, so that there is nothing to compare it with.
    SinglePhase,
    /// Fewer than half of the tasks could have been found odd.
    FewTested(Tested),
    /// More than a quarter of the tasks that could have been found odd were.
    ManyFlagged(Tested),
}

impl Doubt {
    /// The first reason that there is.
    pub fn of(labels: &Labels<'_>) -> Option<Self> {
        let tested = labels.tested();
        let n_phases = (0..labels.data().phases().len()).filter(|&at| labels.is_measured(at)).count();
        match tested {
            _ if n_phases == 1 => Some(Doubt::SinglePhase),
            Tested { n_tasks, n_tested, .. } if 2 * n_tested < n_tasks => Some(Doubt::FewTested(tested)),
            _ if tested.flagged_share() > MOST_FLAGGED => Some(Doubt::ManyFlagged(tested)),
            _ => None,
        }
    }
}
