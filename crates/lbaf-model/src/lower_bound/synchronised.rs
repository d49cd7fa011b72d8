// SPDX-License-Identifier: MIT OR Apache-2.0
//! What no placement can beat where ranks wait for each other behind every subphase.
//!
//! Such a phase takes `sum over s of max over r of t(r, s)` seconds ([`Synchronised`](crate::Synchronised)).
//!
//! Each subphase by itself is a phase whose objects have the loads that they have there. Any bound on the largest load of
//! a rank holds for it whatever the other subphases are, so no placement has less than the sum of these bounds. It need not be
//! reached: one placement has to be good in all subphases at once.
//!
//! And a sum of largest is no less than the largest sum: `sum over s of max over r >= max over r of sum over s`. So a
//! bound on the largest load of the phase as a whole holds too. Where all objects are alike in all subphases, it is the
//! better one if parts of them fit better than the whole.

use super::instance::Instance;
use super::items::Items;
use super::rounding::are_whole;
use super::{LowerBound, best, on_load};
use crate::{Phase, Slot};

/// Bounds on the seconds of a phase whose subphases are synchronised.
#[derive(Clone, Debug, PartialEq)]
pub struct SynchronisedBound {
    /// The best bound on the slowest rank of each subphase.
    pub by_subphase: Vec<LowerBound>,
    /// The best bound on the slowest rank in all of them together.
    pub whole: LowerBound,
}

impl SynchronisedBound {
    /// No placement takes fewer seconds: the sum over subphases, or the bound on the whole if that is more.
    pub fn seconds(&self) -> f64 {
        self.by_subphase.iter().map(|bound| bound.work).sum::<f64>().max(self.whole.work)
    }
}

/// The bounds for a phase; `None` if nobody knows its subphases. Each takes O(n log n + ranks log ranks) for n objects that
/// took time there. Bounds of work models and all that they count beside load are left aside.
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
    // These loads are sums themselves, exact or not, and what they are compared with is summed up by subphase.
    if !are_whole(subphases.seconds()) {
        whole.work = all.rounded_down_with(whole.work, 2 * columns.len());
    }
    let by_subphase =
        columns.into_iter().map(|column| best(on_load(&instance(&mut column.into_iter())))).collect();
    Some(SynchronisedBound { by_subphase, whole })
}
