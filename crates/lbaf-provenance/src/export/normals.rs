// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the executions to be written: all anomalies, and normal ones for comparison.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_noise::Label;

use super::{Export, Place};

/// Rank and function for which a normal execution is kept.
type Key = (usize, usize);

/// Returns the anomalies and the normal executions, each in the order in which Chimbuko writes them.
///
/// For every rank and function, the normal execution with the lowest score in a step is kept until the next step with a
/// normal execution. At a step with anomalies of the same rank and function, the kept execution is written and no
/// longer kept. If no execution is kept at that step, the next one that would be kept is written instead.
pub(super) fn chosen(export: &Export<'_>) -> (Vec<Place>, Vec<Place>) {
    let (mut anomalies, mut normals) = (Vec::new(), Vec::new());
    let mut kept: BTreeMap<Key, Place> = BTreeMap::new();
    let mut outstanding: BTreeSet<Key> = BTreeSet::new();
    for at in (0..export.labels.data().phases().len()).filter(|&at| export.labels.is_measured(at)) {
        for rank in 0..export.ranks.len() {
            let places: Vec<Place> =
                (0..export.ranks[rank].tasks[at].len()).map(|index| Place::new(at, rank, index)).collect();
            for (function, place) in most_normal(export, &places) {
                kept.insert((rank, function), place);
            }
            let of_rank: Vec<Key> = outstanding.range((rank, 0)..(rank + 1, 0)).copied().collect();
            for key in of_rank {
                if let Some(place) = kept.remove(&key) {
                    outstanding.remove(&key);
                    normals.push(place);
                }
            }
            let mut served = BTreeSet::new();
            for &place in &places {
                let slot = export.task(place).slot;
                if !export.labels.is_outlier(at, slot) {
                    continue;
                }
                anomalies.push(place);
                let key = (rank, export.function(place));
                if served.insert(key.1) {
                    match kept.remove(&key) {
                        Some(normal) => normals.push(normal),
                        None => drop(outstanding.insert(key)),
                    }
                }
            }
        }
    }
    (anomalies, normals)
}

/// Returns, by function, the normal execution with the lowest score among `places`, the first in a tie.
fn most_normal(export: &Export<'_>, places: &[Place]) -> BTreeMap<usize, Place> {
    let mut lowest: BTreeMap<usize, (f64, Place)> = BTreeMap::new();
    for &place in places {
        let judgement = export.labels.of_phase(place.at())[export.task(place).slot.index()];
        // Executions without a score are not suited for comparison.
        if judgement.label != Label::Normal || judgement.score < 0.0 {
            continue;
        }
        let entry = lowest.entry(export.function(place)).or_insert((judgement.score, place));
        if judgement.score < entry.0 {
            *entry = (judgement.score, place);
        }
    }
    lowest.into_iter().map(|(function, (_, place))| (function, place)).collect()
}
