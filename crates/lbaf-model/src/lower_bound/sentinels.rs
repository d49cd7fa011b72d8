// SPDX-License-Identifier: MIT OR Apache-2.0
//! Non-migratable objects (sentinels).
//!
//! Let `a_r` be the work of rank `r` per second of load, and `s_r` its seconds of sentinels. At maximum work
//! `W`, the rank has capacity for `max(0, W / a_r - s_r)` seconds of migratable load. The capacities of all
//! ranks must hold the migratable load, and `W` is at least the largest `a_r s_r`. The smallest such `W` is
//! the level to which the migratable load fills the ranks, as water fills vessels with bottoms of different
//! height. O(ranks log ranks).

use super::instance::Instance;
use super::level::fill;
use super::{Culprit, Limit, LowerBound};
use crate::RankId;

/// Returns the level to which migratable load fills ranks with sentinels, or the largest work of sentinels if
/// that is higher.
pub(super) fn bound(instance: &Instance<'_>) -> LowerBound {
    let ranks =
        instance.cost.iter().zip(&instance.sentinels).map(|(&cost, &load)| (cost * load, cost)).collect();
    let level = fill(ranks, instance.items.total);
    let (highest, culprit) = highest(instance);
    if highest >= level {
        instance.bound_by_term(Limit::Sentinels, highest, culprit)
    } else {
        instance.bound(Limit::Sentinels, level, culprit)
    }
}

/// Returns the largest work of the sentinels of a rank, and that rank, if the work is not 0. If this work
/// exceeds the level, the other ranks have capacity for all migratable load, and these sentinels are the
/// limiting factor.
fn highest(instance: &Instance<'_>) -> (f64, Option<(Culprit, f64)>) {
    let mut highest = (0.0, None);
    for (rank, (&cost, &load)) in instance.cost.iter().zip(&instance.sentinels).enumerate() {
        if cost * load > highest.0 {
            highest = (cost * load, Some((Culprit::Rank(RankId::from(rank)), load)));
        }
    }
    highest
}
