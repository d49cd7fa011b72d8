// SPDX-License-Identifier: MIT OR Apache-2.0
//! Load and volumes of a rank, or that a cluster adds to a rank.

use std::ops::Sub;

use lbaf_model::{Bundle, RankTotals};

/// Load and volumes of a rank, or their changes.
#[derive(Clone, Copy)]
pub(super) struct Charge {
    pub(super) load: f64,
    pub(super) sent_bytes: f64,
    pub(super) received_bytes: f64,
    pub(super) homing_bytes: f64,
}

impl Charge {
    pub(super) fn of(totals: &RankTotals) -> Self {
        let &RankTotals { load, sent_bytes, received_bytes, homing_bytes, .. } = totals;
        Charge { load, sent_bytes, received_bytes, homing_bytes }
    }

    /// Returns the load of a cluster, and its volumes on a rank without partners, without homing volumes.
    pub(super) fn alone(cluster: &Bundle) -> Self {
        Charge {
            load: cluster.load(),
            sent_bytes: cluster.sent_bytes(),
            received_bytes: cluster.received_bytes(),
            homing_bytes: 0.0,
        }
    }
}

impl Sub for Charge {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Charge {
            load: self.load - other.load,
            sent_bytes: self.sent_bytes - other.sent_bytes,
            received_bytes: self.received_bytes - other.received_bytes,
            homing_bytes: self.homing_bytes - other.homing_bytes,
        }
    }
}
