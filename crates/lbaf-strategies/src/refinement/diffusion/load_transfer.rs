// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of objects that carry the flows.

use lbaf_model::{RankId, Slot, Transfer};

use super::neighbourhood::Neighbourhood;
use crate::Cancel;
use crate::primitives::exchange_search::Search;

/// Number of refused objects after which a flow is abandoned.
const MOST_REFUSALS: usize = 16;

/// Moves objects whose loads approximate the flows. Returns the number of refused transfers.
///
/// Ranks give in descending order of work, along the largest flow first. Objects that communicate with the receiver
/// go first, then the largest objects that fit.
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
        let talkers = talkers(search, from);
        for (flow, to) in flows {
            if cancel.is_cancelled() {
                return n_refused;
            }
            let first = talkers.partition_point(|&(rank, ..)| rank < to);
            let end = talkers.partition_point(|&(rank, ..)| rank <= to);
            n_refused += carry(search, (from, to), flow, &talkers[first..end]);
        }
    }
    n_refused
}

/// Rank, bytes, and an object that exchanges these bytes with the rank.
type Talker = (RankId, f64, Slot);

/// Returns the objects of `from` with the ranks of their partners, sorted by rank, then by descending volume. O(d
/// log d) for d edges.
fn talkers(search: &Search<'_>, from: RankId) -> Vec<Talker> {
    let (mut talkers, mut of_object): (Vec<Talker>, Vec<Talker>) = (Vec::new(), Vec::new());
    for &slot in search.objects(from) {
        of_object.extend(search.partners(slot).map(|(rank, bytes)| (rank, bytes, slot)));
        // A stable sort keeps the order of additions.
        of_object.sort_by_key(|&(rank, ..)| rank);
        of_object.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        talkers.append(&mut of_object);
    }
    talkers.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    talkers
}

/// Gives objects to a neighbour until the flow is carried as closely as possible. Returns the number of refused
/// transfers. O(log objects) for each object tried.
fn carry(search: &mut Search<'_>, (from, to): (RankId, RankId), flow: f64, talkers: &[Talker]) -> usize {
    let mut carrier = Carrier { from, to, flow, n_refused: 0 };
    for &(.., slot) in talkers {
        if carrier.is_done() {
            return carrier.n_refused;
        }
        if search.rank_of(slot) == from && carrier.fits(search.load(slot)) {
            carrier.attempt(search, slot);
        }
    }
    let mut at = search.objects(from).len();
    while !carrier.is_done() {
        let objects = search.objects(from);
        // An accepted object leaves the list, but earlier objects keep their positions.
        at =
            objects[..at.min(objects.len())].partition_point(|&slot| search.load(slot) <= 2.0 * carrier.flow);
        let Some(next) = at.checked_sub(1).map(|next| objects[next]) else { break };
        if !carrier.fits(search.load(next)) {
            break;
        }
        at -= 1;
        carrier.attempt(search, next);
    }
    carrier.n_refused
}

/// Remaining flow from a rank to a neighbour.
struct Carrier {
    from: RankId,
    to: RankId,
    /// Seconds of load.
    flow: f64,
    n_refused: usize,
}

impl Carrier {
    fn is_done(&self) -> bool {
        self.flow <= 0.0 || self.n_refused >= MOST_REFUSALS
    }

    /// True if an object of this load does not increase the deviation from the flow: `|flow - load| <= flow`.
    fn fits(&self, load: f64) -> bool {
        load > 0.0 && load <= 2.0 * self.flow
    }

    fn attempt(&mut self, search: &mut Search<'_>, slot: Slot) {
        let load = search.load(slot);
        let transfer = Transfer { from: self.from, to: self.to, objects: &[slot], returned: &[] };
        if search.attempt(&transfer, 0.0) {
            self.flow -= load;
        } else {
            self.n_refused += 1;
        }
    }
}
