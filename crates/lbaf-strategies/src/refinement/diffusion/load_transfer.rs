// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects that carry the flows.

use std::collections::BTreeMap;

use lbaf_model::{RankId, Slot, Transfer};

use super::neighbourhood::Neighbourhood;
use crate::Cancel;
use crate::primitives::exchange_search::Search;

/// So many objects in a row that may not go to a neighbour are enough to give up for this time.
const MOST_REFUSALS: usize = 16;

/// Moves objects so that about as much load passes as should flow: from the rank with most work on, along the largest
/// flow first, those that communicate with the receiver first and then the largest that fit. Says how many transfers
/// were refused.
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

/// Objects of a rank by the ranks that they communicate with, those with most volume first.
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

/// Gives objects to a neighbour until the flow is carried, to the nearest object; says how many it could not give.
fn carry(search: &mut Search<'_>, (from, to): (RankId, RankId), mut flow: f64, talkers: &[Slot]) -> usize {
    let mut n_refused = 0;
    let others: Vec<Slot> = search.objects(from).iter().rev().copied().collect();
    for &slot in talkers.iter().chain(&others) {
        let load = search.load(slot);
        // Of two ways to round the nearer one.
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
