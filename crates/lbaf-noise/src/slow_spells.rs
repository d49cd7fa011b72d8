// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks on which all objects take longer during a range of phases.

use lbaf_model::{PhaseId, RankId};

use crate::Labels;
use crate::median::median;

/// Minimum fraction of the compared objects of a rank whose times must change for the rank to count as changed. Jitter
/// or a spike can hide the changes of the others.
const ALL: f64 = 0.75;

/// Minimum fraction of the objects of a rank that must stay from phase to phase for the rank to be judged.
const STAYING: f64 = 0.5;

/// A spell ends when the logarithm of the slowdown falls to this fraction of its maximum. Jitter can leave such a
/// remainder after the end.
const LEFT: f64 = 1.0 / 3.0;

/// Range of phases in which nearly all objects of a rank take longer than before or after it, compared with the median
/// rank. Either the rank became slow, or the work of all its objects grew at once: times of objects that stay cannot
/// distinguish these cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowSpell {
    /// Slow rank.
    pub rank: RankId,
    /// First slow phase.
    pub first: PhaseId,
    /// Last slow phase, possibly the last phase of the run.
    pub last: PhaseId,
    /// Largest slowdown of the median object of the rank, divided by the slowdown of the median rank. The slowdown is
    /// relative to the times before the spell; if the spell began with the run, to the times after the spell.
    pub factor: f64,
    /// Number of objects that changed at the start of the spell, or at its end if the spell began with the run.
    pub n_objects: usize,
}

/// Change of the times of the objects of a rank in a phase.
struct Change {
    at: usize,
    factor: f64,
    n_objects: usize,
}

impl SlowSpell {
    /// Finds the spells of all ranks, in which objects take more than (1 + `slowdown`) times as long. They are ordered
    /// by rank, then by phase. O(tasks).
    pub fn of(labels: &Labels<'_>, slowdown: f64) -> Vec<SlowSpell> {
        let measured: Vec<usize> =
            (0..labels.data().phases().len()).filter(|&at| labels.is_measured(at)).collect();
        let mut changes: Vec<Vec<Change>> = Vec::new();
        changes.resize_with(labels.data().n_ranks(), Vec::new);
        for pair in measured.windows(2) {
            for (rank, change) in changes_of_ranks(labels, pair[0], pair[1], slowdown) {
                changes[rank].push(change);
            }
        }
        let spells =
            (0..).zip(&changes).flat_map(|(rank, changes)| spells(labels, RankId(rank), changes, slowdown));
        spells.collect()
    }
}

/// Returns the ranks whose objects nearly all become slower, or nearly all faster, from phase `before` to phase `at`,
/// each with its change. Only objects that stay on the rank and are not idle count.
fn changes_of_ranks(labels: &Labels<'_>, before: usize, at: usize, slowdown: f64) -> Vec<(usize, Change)> {
    let phases = labels.data().phases();
    let (earlier, phase) = (&phases[before], &phases[at]);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); phase.n_ranks()];
    let mut n_changed = vec![[0_usize; 2]; phase.n_ranks()];
    let mut n_here = vec![0_usize; phase.n_ranks()];
    let mut any = false;
    for slot in phase.slots() {
        let object = phase.object(slot);
        let rank = phase.recorded_assignment().rank_of(slot);
        n_here[rank.index()] += 1;
        let stayed =
            earlier.slot_of(object).is_some_and(|slot| earlier.recorded_assignment().rank_of(slot) == rank);
        let (was, is) = (labels.level(before, object), labels.level(at, object));
        let has_changed = was != is;
        // Idle objects tell nothing about speed.
        let typical = labels.typical_time_of_level(was).zip(labels.typical_time_of_level(is));
        let Some((was, is)) = typical.filter(|&(was, is)| stayed && was > 0.0 && is > 0.0) else { continue };
        any |= has_changed;
        ratios[rank.index()].push(if has_changed { is / was } else { 1.0 });
        n_changed[rank.index()][usize::from(is < was)] += usize::from(has_changed);
    }
    if !any {
        return Vec::new();
    }
    let n_objects: Vec<usize> = ratios.iter().map(Vec::len).collect();
    let middles: Vec<Option<f64>> = ratios.iter_mut().map(|ratios| median(ratios)).collect();
    // If most ranks change, the application changed: division by the change of the median rank removes this.
    let mut known: Vec<f64> = middles.iter().flatten().copied().collect();
    let Some(middle) = median(&mut known) else { return Vec::new() };
    let change = |rank: usize| {
        let factor = middles[rank]? / middle;
        let most = n_changed[rank][usize::from(factor < 1.0)];
        let are_all = most > 1
            && most as f64 >= ALL * n_objects[rank] as f64
            && n_objects[rank] as f64 >= STAYING * n_here[rank] as f64;
        let matters = factor.max(1.0 / factor) > 1.0 + slowdown;
        (are_all && matters).then_some((rank, Change { at, factor, n_objects: most }))
    };
    (0..phase.n_ranks()).filter_map(change).collect()
}

/// Builds the spells of a rank. A spell lasts from an increase of the times until decreases undo it. A rank whose
/// first change is a decrease was slow from the start.
fn spells(labels: &Labels<'_>, rank: RankId, changes: &[Change], slowdown: f64) -> Vec<SlowSpell> {
    let phases = labels.data().phases();
    let id = |at: usize| phases[at].id();
    let mut spells: Vec<SlowSpell> = Vec::new();
    // Time relative to the time before the spell.
    let mut slower: f64 = 1.0;
    for &Change { at, factor, n_objects } in changes {
        let was_slow = slower > 1.0 + slowdown;
        slower *= factor;
        let most = spells.last().filter(|_| was_slow).map_or(1.0, |spell| spell.factor);
        let is_slow = slower > (1.0 + slowdown).max(libm::pow(most, LEFT));
        let is_first = spells.is_empty();
        match spells.last_mut().filter(|_| was_slow) {
            Some(spell) if is_slow => spell.factor = spell.factor.max(slower),
            Some(spell) => spell.last = id(at - 1),
            None if is_slow => {
                spells.push(SlowSpell { rank, first: id(at), last: id(phases.len() - 1), factor, n_objects });
            }
            None if is_first => {
                spells.push(SlowSpell {
                    rank,
                    first: id(0),
                    last: id(at - 1),
                    factor: 1.0 / factor,
                    n_objects,
                });
            }
            None => {}
        }
        if !is_slow {
            slower = 1.0;
        }
    }
    spells
}
