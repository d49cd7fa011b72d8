// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bound on the time of a phase with a barrier after every subphase.
//!
//! Such a phase takes `sum over s of max over r of t(r, s)` seconds ([`Synchronised`](crate::Synchronised)),
//! where `t(r, s)` is the time of rank `r` in subphase `s`.
//!
//! Each subphase is a phase of its own, in which the load of an object is its time there. Lower bounds on the
//! slowest rank of each subphase hold independently, so no placement takes less than their sum. The sum may
//! be unreachable, because one placement must be good in all subphases.
//!
//! Besides, a sum of maxima is at least the maximum of the sums: `sum over s of max over r >= max over r of
//! sum over s`. So a lower bound on the time of the slowest rank in the whole phase holds too. It may be
//! larger if each subphase is easy to balance separately, but the whole phase is not.

use super::instance::Instance;
use super::items::Items;
use super::rounding::are_whole;
use super::{LowerBound, best, on_load};
use crate::{Phase, Slot};

/// Bounds on the seconds of a phase with a barrier after every subphase.
#[derive(Clone, Debug, PartialEq)]
pub struct SynchronisedBound {
    /// The best bound on the seconds of the slowest rank in each subphase.
    pub by_subphase: Vec<LowerBound>,
    /// The best bound on the seconds of the slowest rank in the whole phase.
    pub whole: LowerBound,
}

impl SynchronisedBound {
    /// Returns the least seconds of any placement: the sum over subphases, or the bound on the whole phase if
    /// larger.
    pub fn seconds(&self) -> f64 {
        self.by_subphase.iter().map(|bound| bound.work).sum::<f64>().max(self.whole.work)
    }
}

/// Returns the bounds for a phase; `None` if its subphases are unknown. Only times and alphas count, without
/// a work model. Each bound takes O(n log n + ranks log ranks) for n objects with time.
pub fn synchronised_bound(phase: &Phase) -> Option<SynchronisedBound> {
    let subphases = phase.subphases()?;
    let instance = |objects: &mut dyn Iterator<Item = (Slot, f64)>| {
        let mut sentinels = Vec::new();
        let mut loads = Vec::new();
        for (slot, seconds) in objects {
            if phase.is_migratable(slot) {
                loads.push(seconds);
            } else {
                sentinels.push((phase.recorded_assignment().rank_of(slot), seconds));
            }
        }
        let cost = phase.ranks().iter().map(|rank| rank.alpha).collect();
        Instance::with_sentinels(phase, Items::of_loads(loads), cost, &sentinels)
    };
    let columns = subphases.by_subphase();
    let all = instance(&mut phase.slots().map(|slot| (slot, subphases.sum(slot))));
    let mut whole = best(on_load(&all));
    // The loads of the whole phase are sums over subphases, and its bound is compared with sums by subphase.
    // Unless all sums are exact, their rounding errors count too.
    if !are_whole(subphases.seconds()) {
        whole.work = all.rounded_down_with(whole.work, 2 * columns.len());
    }
    let by_subphase =
        columns.into_iter().map(|column| best(on_load(&instance(&mut column.into_iter())))).collect();
    Some(SynchronisedBound { by_subphase, whole })
}
