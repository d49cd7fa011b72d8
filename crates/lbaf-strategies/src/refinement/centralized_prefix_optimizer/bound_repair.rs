// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bound repair: ranks over a bound give objects away.

use lbaf_model::{RankId, Slot};

use super::placement::{Placement, gift};
use crate::Cancel;

/// Takes objects off ranks over a bound, whole groups first, as long as the maximum work does not rise.
pub(super) fn relieve(placement: &mut Placement<'_>, cancel: &Cancel) {
    let phase = placement.phase();
    let limit = phase.rank_ids().map(|rank| placement.cost(rank)).fold(0.0, f64::max).next_up();
    for from in phase.rank_ids() {
        // Every moved object may make room for another object.
        while placement.excess(from) > 0.0 && pass(placement, from, limit, cancel) {}
    }
}

/// Tries every group with a block, then every single object. Returns true if an object moved.
fn pass(placement: &mut Placement<'_>, from: RankId, limit: f64, cancel: &Cancel) -> bool {
    let phase = placement.phase();
    // A block leaves with its last object, so groups go first.
    let groups = placement.groups_of(from).into_iter().filter(|(shared, _)| shared.is_some());
    let groups: Vec<Vec<Slot>> = groups.map(|(_, group)| group.objects().to_vec()).collect();
    let mut relieved = false;
    for group in &groups {
        if cancel.is_cancelled() {
            return false;
        }
        relieved |= relieve_by(placement, from, group, limit);
    }
    let memory = |slot: &Slot| phase.memory(*slot).footprint_bytes + phase.memory(*slot).working_bytes;
    let mut objects: Vec<Slot> =
        placement.groups_of(from).iter().flat_map(|(_, group)| group.objects().to_vec()).collect();
    objects.sort_by(|a, b| memory(b).total_cmp(&memory(a)));
    for object in objects {
        if cancel.is_cancelled() {
            return false;
        }
        relieved |= relieve_by(placement, from, &[object], limit);
    }
    relieved
}

/// Gives objects to the least loaded rank that can hold them, if `from` is over a bound. Returns true on success.
fn relieve_by(placement: &mut Placement<'_>, from: RankId, objects: &[Slot], limit: f64) -> bool {
    let mut last = None;
    while placement.excess(from) > 0.0
        && let Some(to) = placement.next_taker(last, from)
    {
        if placement.relieves(&gift(from, to, objects), limit) {
            placement.apply(&gift(from, to, objects));
            return true;
        }
        last = Some(to);
    }
    false
}
