// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of objects that carry the flows.

use std::collections::BTreeMap;

use lbaf_model::{RankId, Slot, Transfer};

use super::neighbourhood::Neighbourhood;
use crate::Cancel;
use crate::primitives::exchange_search::Search;

/// Number of refused objects after which a flow is abandoned in this iteration.
const MOST_REFUSALS: usize = 16;

/// Moves objects along the flows, so that the moved load approximates each flow. Ranks give in descending order of
/// work, along the largest flow first. Objects that communicate with the receiver go first, then the largest other
/// objects that fit. Returns the number of refused transfers.
pub(super) fn hand_over(
    search: &mut Search<'_>,
    neighbourhood: &Neighbourhood,
    flows: &[f64],
    cancel: &Cancel,
) -> usize {
    let mut outflows: Vec<Vec<(f64, RankId)>> = vec![Vec::new(); search.n_ranks()];
    for (&(a, b), &flow) in neighbourhood.pairs().iter().zip(flows) {
        let (from, to) = if flow > 0.0 { (a, b) } else { (b, a) };
        if flow != 0.0 {
            outflows[from.index()].push((flow.abs(), to));
        }
    }
    let mut n_refused = 0;
    for from in search.descending() {
        let mut flows = std::mem::take(&mut outflows[from.index()]);
        flows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut talkers = talkers(search, from);
        for (flow, to) in flows {
            if cancel.is_cancelled() {
                return n_refused;
            }
            n_refused += carry(search, (from, to), flow, &talkers.remove(&to).unwrap_or_default());
        }
    }
    n_refused
}

/// Returns, for each rank, the objects of `from` that communicate with it, in descending order of volume.
fn talkers(search: &Search<'_>, from: RankId) -> BTreeMap<RankId, Vec<Slot>> {
    let mut bytes: BTreeMap<(RankId, Slot), f64> = BTreeMap::new();
    for &slot in search.objects(from) {
        for (rank, volume) in search.partners(slot) {
            *bytes.entry((rank, slot)).or_insert(0.0) += volume;
        }
    }
    let mut talkers: BTreeMap<RankId, Vec<(f64, Slot)>> = BTreeMap::new();
    for ((rank, slot), bytes) in bytes {
        talkers.entry(rank).or_default().push((bytes, slot));
    }
    let in_order = |mut slots: Vec<(f64, Slot)>| {
        slots.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        slots.into_iter().map(|(_, slot)| slot).collect()
    };
    talkers.into_iter().map(|(rank, slots)| (rank, in_order(slots))).collect()
}

/// Gives objects to a neighbour until the flow is carried as closely as whole objects allow. Returns the number of
/// refused transfers.
fn carry(search: &mut Search<'_>, (from, to): (RankId, RankId), mut flow: f64, talkers: &[Slot]) -> usize {
    let mut n_refused = 0;
    let others: Vec<Slot> = search.objects(from).iter().rev().copied().collect();
    for &slot in talkers.iter().chain(&others) {
        let load = search.load(slot);
        // An object may have up to twice the remaining flow: the deviation is then no larger than without the
        // object.
        if load <= 0.0 || load > 2.0 * flow || search.rank_of(slot) != from {
            continue;
        }
        if search.attempt(&Transfer { from, to, objects: &[slot], returned: &[] }, 0.0) {
            flow -= load;
        } else {
            n_refused += 1;
        }
        if flow <= 0.0 || n_refused >= MOST_REFUSALS {
            break;
        }
    }
    n_refused
}
