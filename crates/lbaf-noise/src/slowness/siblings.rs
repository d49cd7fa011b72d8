// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of ranks by siblings of a collection, which can differ.

use std::collections::BTreeMap;

use crate::Labels;
use crate::median::median;
use crate::rank_effects::{Center, Weighted};

/// Probability that chance alone makes siblings on any rank of a healthy run stand out.
const FAMILY_WISE_ERROR: f64 = 0.05;

/// Comparison of objects that never migrated with siblings that never migrated.
pub(super) struct Siblings {
    /// Logarithm of the time relative to siblings, minus that of the median rank, for each rank; `None` without
    /// compared objects.
    pub(super) ranks: Vec<Option<Center>>,
    /// Number of compared tasks of each rank.
    pub(super) n_tasks: Vec<usize>,
}

/// Object that never migrated.
struct Rested {
    rank: usize,
    collection: Option<u64>,
    logs: Vec<f64>,
}

impl Siblings {
    /// Compares the ranks of a run. O(tasks).
    pub(super) fn of(labels: &Labels<'_>) -> Self {
        let n_ranks = labels.data().n_ranks();
        let mut collections: BTreeMap<u64, Vec<(usize, f64, usize)>> = BTreeMap::new();
        for mut object in rested(labels) {
            let n_times = object.logs.len();
            if let (Some(collection), Some(log)) = (object.collection, median(&mut object.logs)) {
                collections.entry(collection).or_default().push((object.rank, log, n_times));
            }
        }
        let mut n_tasks = vec![0; n_ranks];
        let mut of_ranks: Vec<Vec<Weighted>> = vec![Vec::new(); n_ranks];
        for siblings in collections.values() {
            // Siblings on one rank allow no comparison with other ranks.
            if siblings.iter().all(|(rank, ..)| *rank == siblings[0].0) {
                continue;
            }
            let mut logs: Vec<f64> = siblings.iter().map(|(_, log, _)| *log).collect();
            let usual = median(&mut logs).expect("invariant: a collection has an object");
            for &(rank, log, n_times) in siblings {
                of_ranks[rank].push(Weighted { value: log - usual, weight: 1.0 });
                n_tasks[rank] += n_times;
            }
        }
        let mut ranks: Vec<Option<Center>> = of_ranks.iter().map(|values| Center::of(values)).collect();
        let mut values: Vec<f64> = ranks.iter().flatten().map(|center| center.value).collect();
        let middle = median(&mut values).unwrap_or(0.0);
        for center in ranks.iter_mut().flatten() {
            *center = center.less(middle);
        }
        Siblings { ranks, n_tasks }
    }

    /// True if the objects on a rank take longer than their siblings and chance does not explain it.
    pub(super) fn stands_out(&self, center: Center) -> bool {
        self.ranks.iter().flatten().count() as f64 * center.chance(center.value) <= FAMILY_WISE_ERROR
    }
}

/// Returns the objects that never migrated, with their positive times.
fn rested(labels: &Labels<'_>) -> Vec<Rested> {
    let data = labels.data();
    let mut objects: Vec<Option<Rested>> = (0..data.n_objects()).map(|_| None).collect();
    let mut has_migrated = vec![false; data.n_objects()];
    let phases = data.phases().iter().enumerate().filter(|(at, _)| labels.is_measured(*at));
    for (_, phase) in phases {
        for slot in phase.slots().filter(|&slot| phase.load(slot) > 0.0) {
            let object = phase.object(slot).index();
            let rank = phase.recorded_assignment().rank_of(slot).index();
            let collection = || phase.coordinates().and_then(|coordinates| coordinates.collection(slot));
            let rested = objects[object].get_or_insert_with(|| Rested {
                rank,
                collection: collection(),
                logs: Vec::new(),
            });
            has_migrated[object] |= rested.rank != rank;
            rested.logs.push(libm::log(phase.load(slot)));
        }
    }
    objects
        .into_iter()
        .zip(has_migrated)
        .filter(|(_, has_migrated)| !has_migrated)
        .filter_map(|(object, _)| object)
        .collect()
}
