// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects that may not move.
//!
//! Each rank has its own already. At maximum work `W` a rank has room for `max(0, W / a_r - s_r)` seconds above
//! its `s_r` seconds of sentinels, and all rooms together must hold what may move; and `W` is not less than the
//! largest `a_r s_r`. The smallest such `W` is the level to which the movable load fills the ranks, as water fills
//! vessels of different bottoms. O(ranks log ranks).

use super::instance::Instance;
use super::level::fill;
use super::{Culprit, Limit, LowerBound};
use crate::RankId;

/// The level of all load above the sentinels.
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

/// The work of the sentinels of a rank that is most, and the rank, if any costs something. Where sentinels limit more than the
/// mean does, they are what limits: the room of the other ranks up to there holds all that may move.
fn highest(instance: &Instance<'_>) -> (f64, Option<(Culprit, f64)>) {
    let mut highest = (0.0, None);
    for (rank, (&cost, &load)) in instance.cost.iter().zip(&instance.sentinels).enumerate() {
        if cost * load > highest.0 {
            highest = (cost * load, Some((Culprit::Rank(RankId::from(rank)), load)));
        }
    }
    highest
}
