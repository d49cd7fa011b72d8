// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ranks over a bound give away first.

use lbaf_model::{RankId, Slot};

use super::groups::Group;
use super::placement::{Placement, gift};

/// Takes objects off ranks that are over a bound, whole groups first, as long as others can hold them and the
/// maximum work does not rise.
pub(super) fn relieve(placement: &mut Placement<'_>) {
    let phase = placement.phase();
    let limit = phase.rank_ids().map(|rank| placement.cost(rank)).fold(0.0, f64::max).next_up();
    for from in phase.rank_ids() {
        while placement.excess(from) > 0.0
            && let Some((to, objects)) = relief(placement, from, limit)
        {
            placement.apply(&gift(from, to, &objects));
        }
    }
}

/// Objects whose leaving relieves a rank, and the least loaded rank that can hold them.
fn relief(placement: &mut Placement<'_>, from: RankId, limit: f64) -> Option<(RankId, Vec<Slot>)> {
    let phase = placement.phase();
    let largest = |group: &Group| {
        let objects = group.objects().iter().copied();
        let memory = |slot| phase.memory(slot).footprint_bytes + phase.memory(slot).working_bytes;
        objects.max_by(|&a, &b| memory(a).total_cmp(&memory(b)))
    };
    let groups = placement.groups_of(from);
    // A block leaves memory with the last of its objects only.
    let whole =
        groups.iter().filter(|(shared, _)| shared.is_some()).map(|(_, group)| group.objects().to_vec());
    let single = groups.iter().filter_map(|(_, group)| largest(group)).map(|slot| vec![slot]);
    let takers: Vec<RankId> = placement.ascending().filter(|&rank| rank != from).collect();
    for objects in whole.chain(single) {
        for &to in &takers {
            if placement.relieves(&gift(from, to, &objects), limit) {
                return Some((to, objects));
            }
        }
    }
    None
}
