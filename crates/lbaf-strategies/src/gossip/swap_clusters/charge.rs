// SPDX-License-Identifier: MIT OR Apache-2.0
//! Load and volumes that a rank has, or that a cluster adds to a rank.

use lbaf_model::{Bundle, RankId, RankTotals, Totals, View};

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

    /// Returns the changes on a rank that receives a cluster, or smaller changes: homing counts only if the cluster
    /// has partners on the rank.
    pub(super) fn added(totals: &Totals<'_>, to: RankId, cluster: &Bundle) -> Self {
        if cluster.partner_ranks().all(|partner| partner != to) {
            return Charge {
                load: cluster.load(),
                sent_bytes: cluster.sent_bytes(),
                received_bytes: cluster.received_bytes(),
                homing_bytes: 0.0,
            };
        }
        let (now, then) = (Charge::of(totals.rank(to)), Charge::of(&totals.with(to, cluster)));
        Charge {
            load: then.load - now.load,
            sent_bytes: then.sent_bytes - now.sent_bytes,
            received_bytes: then.received_bytes - now.received_bytes,
            homing_bytes: then.homing_bytes - now.homing_bytes,
        }
    }
}
