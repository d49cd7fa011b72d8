// SPDX-License-Identifier: MIT OR Apache-2.0
//! The total load over the total speed of the ranks.
//!
//! With `W_r = a_r L_r`, the loads sum up to all of it, so some rank has `W_r >= (sum of loads) / (sum of 1 /
//! a_r)`: if all had less, `sum of W_r / a_r` would be less than the sum of loads. O(ranks log ranks).

use super::instance::Instance;
use super::level::fill;
use super::{Limit, LowerBound};

/// The mean of work, if nothing but load counted and could be cut.
pub(super) fn bound(instance: &Instance<'_>) -> LowerBound {
    let total = instance.items.total + instance.sentinels.iter().sum::<f64>();
    let empty = instance.cost.iter().map(|&cost| (0.0, cost)).collect();
    instance.bound(Limit::Mean, fill(empty, total), None)
}
