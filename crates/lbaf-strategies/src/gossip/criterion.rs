// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acceptance criteria of transfers.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::primitives::works::{Ends, is_relief, keeps_bounds, relief};

/// Criterion that accepts or rejects a transfer. All criteria use the work model, so bounds, communication and
/// homing are included.
///
/// Every criterion rejects a transfer that would take the source or the destination further over an upper bound,
/// unless the transfer reduces the larger of the violations of the two ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Criterion {
    /// The larger work of the two ranks must decrease (LBAF). The gain is the decrease.
    #[default]
    Tempered,
    /// No transferred object may have a communication partner that stays on the source (LBAF). The gain is 1 if
    /// this holds, else -1.
    StrictLocalizing,
    /// The work of the destination must stay below the mean work: criterion 6 of SAND2019-5139, and of H. Menon, L.
    /// Kale, A distributed dynamic load balancer for iterative applications, SC13, doi:10.1145/2503210.2503284.
    Grapevine,
    /// The work of the destination must stay below the work of the source before the transfer: criterion 6' of
    /// SAND2019-5139, vt's default.
    ModifiedGrapevine,
}

/// Gain of a transfer, compared by the reduction of the excess over bounds, then by the value of the criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gain {
    pub(super) excess: f64,
    pub(super) value: f64,
}

impl Criterion {
    /// Returns the gain of a transfer that changes the works of its two ranks from `before` to `after`, or `None` if it
    /// does not keep bounds (see [`keeps_bounds`]). `target` is the target work of a rank. `breaks` is true if a
    /// transferred object has a communication partner that stays on the source. With `StrictLocalizing`, a smaller
    /// excess is no gain.
    pub(super) fn gain(self, before: Ends, after: Ends, target: f64, breaks: bool) -> Option<Gain> {
        if !keeps_bounds(before, after) {
            return None;
        }
        let relief = relief(before, after);
        let relieved = is_relief(relief, before);
        let costs = |ends: Ends| (ends.0.cost(), ends.1.cost());
        let value = self.value(costs(before), costs(after), target, breaks);
        let counts = relieved && self != Criterion::StrictLocalizing;
        Some(Gain { excess: if counts { relief } else { 0.0 }, value })
    }

    /// Returns the value of the gain, from the costs of both ranks `before` and `after` the transfer.
    #[inline]
    pub(super) fn value(self, before: (f64, f64), after: (f64, f64), target: f64, breaks: bool) -> f64 {
        match self {
            Criterion::Tempered => before.0.max(before.1) - after.0.max(after.1),
            Criterion::StrictLocalizing => {
                if breaks {
                    -1.0
                } else {
                    1.0
                }
            }
            Criterion::Grapevine => target - after.1,
            Criterion::ModifiedGrapevine => before.0 - after.1,
        }
    }
}

impl Gain {
    pub(super) fn is_positive(self) -> bool {
        self.excess > 0.0 || (self.excess == 0.0 && self.value > 0.0)
    }

    pub(super) fn is_negative(self) -> bool {
        self.excess == 0.0 && self.value < 0.0
    }
}

impl Eq for Gain {}

impl PartialOrd for Gain {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Gain {
    fn cmp(&self, other: &Self) -> Ordering {
        self.excess.total_cmp(&other.excess).then(self.value.total_cmp(&other.value))
    }
}
