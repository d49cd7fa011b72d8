// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reasons why a decomposition into noise is not meaningful.

use crate::{Labels, Tested};

/// Largest fraction of the tested tasks that can be flagged as outliers without doubt about the decomposition.
const MOST_FLAGGED: f64 = 0.25;

/// Reason why judgements cannot split an imbalance into noise and persistent imbalance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Only one phase was measured: there is nothing to compare it with.
    SinglePhase,
    /// Fewer than half of the tasks could be tested.
    FewTested(Tested),
    /// More than a quarter of the tested tasks were flagged.
    ManyFlagged(Tested),
}

impl Doubt {
    /// Returns the first reason that applies, in the order of the variants; `None` if none applies.
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
