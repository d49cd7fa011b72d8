// SPDX-License-Identifier: MIT OR Apache-2.0
//! Three sentences that say what the numbers mean.

use lbaf_model::Limit;

use super::number::{counted, percent, percent_at_most, rounded_up, significant, significant_to};
use super::summary::{PhaseResult, Start};
use crate::config::ranges;

/// How much less time an ideal balance of load, free of all other work, would take, what limits improvement, and what was reached; then
/// what else the reader must not miss. Time is the maximum work over ranks, summed over phases: ranks wait for
/// each other at the end of each. `beyond_load` says whether work has parts of which the bound does not know all.
pub(crate) fn sentences(phases: &[PhaseResult], beyond_load: bool) -> Vec<String> {
    let sum = |value: fn(&PhaseResult) -> f64| phases.iter().map(value).sum::<f64>();
    let before = sum(|phase| phase.before.work.max);
    let longest_loads = sum(|phase| phase.before.load.max);
    let after = sum(|phase| phase.after.work.max);
    if longest_loads <= 0.0 && (before > 0.0 || after > 0.0) {
        let [before, after] = [before, after].map(significant);
        return vec![format!(
            "There is no load to balance; the largest work is {before} before, and {after} after."
        )];
    }
    if before <= 0.0 || longest_loads <= 0.0 {
        return vec!["There is no load to balance.".to_owned()];
    }
    let bound = sum(|phase| phase.lower_bound.work);
    let ideal = 1.0 - sum(|phase| phase.ideal_work) / before;
    let is_best = phases.iter().all(is_within_bounds) && gap_of(after, bound) < NONE;
    let mut sentences = vec![
        format!("Ideal load balance would run in {} less time.", percent(ideal.max(0.0))),
        limit(phases, (1.0 - bound / before).max(0.0), beyond_load && !is_best),
        format!("{}, {}.", change(before, after), outcome(phases, after, bound)),
    ];
    sentences.extend(fewer_migrations(phases));
    sentences.extend(limited(phases));
    sentences.extend(longer(phases));
    sentences.extend(phases.iter().flat_map(over_bounds));
    sentences.extend(infeasible(phases));
    sentences.extend(unproven(phases));
    sentences
}

/// What half of the migrations would come to, where the strategy has been there in every phase.
fn fewer_migrations(phases: &[PhaseResult]) -> Option<String> {
    let most = |phase: &PhaseResult| phase.front.last().map_or(0, |point| point.migrations) / 2;
    let mut halfway = (0, 0.0);
    for phase in phases {
        let point = phase.front.iter().rfind(|point| point.migrations <= most(phase))?;
        halfway = (halfway.0 + point.migrations, halfway.1 + point.max_work);
    }
    if !phases.iter().all(is_within_bounds) {
        return None;
    }
    let bound: f64 = phases.iter().map(|phase| phase.lower_bound.work).sum();
    let n: usize = phases.iter().map(|phase| phase.migrations.count).sum();
    (halfway.0 > 0 && bound > 0.0).then(|| {
        let quality = quality(halfway.1, bound, best(phases));
        let quality = quality.trim_start_matches("which is ");
        format!("With {} instead of {n} it would be {quality}.", counted(halfway.0, "migration"))
    })
}

/// What keeps the ideal out of reach: of all phases, the limit that costs most.
fn limit(phases: &[PhaseResult], share: f64, beyond_load: bool) -> String {
    let cost = |phase: &PhaseResult| phase.lower_bound.work - phase.ideal_work;
    let limited = phases.iter().filter(|phase| phase.lower_bound.is_limited());
    let worst = limited.max_by(|a, b| cost(a).total_cmp(&cost(b)));
    let unknown = if beyond_load { "; memory and communication may limit more than is proven" } else { "" };
    let Some(worst) = worst else {
        return format!(
            "Neither the largest object nor objects that may not migrate limit improvement{unknown}."
        );
    };
    let (limit, verb) = match worst.lower_bound.limit {
        Limit::Search => {
            let limit = "All that costs or is bounded, together,";
            return format!("{limit} limits improvement to {}: a search has proven it.", percent(share));
        }
        Limit::Sentinels => ("Objects that may not migrate", "limit"),
        Limit::LargeObjects if worst.n_migratable < worst.n_objects => {
            ("Large objects beside those that may not migrate", "limit")
        }
        Limit::LargeObjects => ("Large objects", "limit"),
        Limit::LargestBlock => ("Largest block, kept whole,", "limits"),
        Limit::LargeBlocks => ("Large blocks, kept whole,", "limit"),
        Limit::FastestRanks => ("Large objects on few fast ranks", "limit"),
        Limit::Packing => ("Objects that cannot be packed evenly", "limit"),
        Limit::Memory => ("Memory", "limits"),
        Limit::Communication => ("Communication", "limits"),
        Limit::Homing => ("Blocks away from home", "limit"),
        Limit::LargestObject | Limit::Mean => ("Largest object", "limits"),
    };
    format!("{limit} {verb} improvement to {}{unknown}.", percent(share))
}

fn change(before: f64, after: f64) -> String {
    let change = 1.0 - after / before;
    // Below rounding there is nothing to expect.
    if change.abs() < 1e-9 {
        "Expect the same time after balancing".to_owned()
    } else if change > 0.0 {
        format!("Expect {} less after balancing", percent(change))
    } else {
        format!("Expect {} more after balancing", percent(-change))
    }
}

/// Gaps below are rounding.
const NONE: f64 = 1e-9;

/// How far a phase ends from its bound, relative to it.
fn gap(phase: &PhaseResult) -> f64 {
    gap_of(phase.after.work.max, phase.lower_bound.work)
}

fn gap_of(after: f64, bound: f64) -> f64 {
    // Sums over phases, and bounds of earlier versions, may be above by rounding.
    if bound > 0.0 { (after / bound - 1.0).max(0.0) } else { 0.0 }
}

/// What a bound is on.
fn best(phases: &[PhaseResult]) -> &'static str {
    if phases.iter().any(|phase| phase.blocks_whole) {
        "the best possible with blocks kept whole"
    } else {
        "the best possible"
    }
}

/// What came of it. Where bounds of the work model are exceeded, less work is no better result.
fn outcome(phases: &[PhaseResult], after: f64, bound: f64) -> String {
    if phases.iter().all(is_within_bounds) {
        quality(after, bound, best(phases))
    } else {
        "but not within the bounds of the work model".to_owned()
    }
}

fn is_within_bounds(phase: &PhaseResult) -> bool {
    phase.violations.is_empty()
}

/// How far from the bound on the `best`. A percentage is for small distances; nobody reads "within 99%" as twice.
fn quality(after: f64, bound: f64, best: &str) -> String {
    let gap = gap_of(after, bound);
    if after <= 0.0 {
        format!("which is {best}")
    } else if bound <= 0.0 {
        format!("with no bound on {best}")
    } else if gap < NONE {
        format!("which is {best}")
    } else if gap < 0.5 {
        format!("within {} of {best}", percent_at_most(gap))
    } else {
        format!("at most {} times {best}", significant_to(rounded_up(gap + 1.0, 3), 3))
    }
}

/// Limits of single phases that are worth a sentence.
const NAMED: [Limit; 10] = [
    Limit::LargestObject,
    Limit::LargestBlock,
    Limit::Sentinels,
    Limit::LargeObjects,
    Limit::LargeBlocks,
    Limit::FastestRanks,
    Limit::Packing,
    Limit::Memory,
    Limit::Communication,
    Limit::Homing,
];

/// What limits single phases, and how near they come: a sentence for each, or one for all that have the same kind
/// of limit if they are many.
fn limited(phases: &[PhaseResult]) -> Vec<String> {
    const FEW: usize = 4;
    let cost = |phase: &PhaseResult| phase.lower_bound.work - phase.ideal_work;
    let mut sentences = Vec::new();
    for limit in NAMED {
        let limited: Vec<&PhaseResult> = phases
            .iter()
            .filter(|phase| phase.lower_bound.limit == limit && is_within_bounds(phase))
            .collect();
        let worst = limited.iter().max_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(worst) = worst.filter(|_| limited.len() > FEW) else {
            sentences.extend(limited.into_iter().map(|phase| (phase.phase, limited_phase(phase))));
            continue;
        };
        let ids: Vec<u64> = limited.iter().map(|phase| phase.phase).collect();
        let n_optimal = limited.iter().filter(|phase| gap(phase) < NONE).count();
        let optimal = match n_optimal {
            0 => "none of them is".to_owned(),
            n if n == ids.len() => "all of them are".to_owned(),
            1 => "1 of them is".to_owned(),
            n => format!("{n} of them are"),
        };
        let sentence = format!(
            "{} phases ({}) have a limit of one kind, phase {} the hardest: {}; {optimal} optimal.",
            ids.len(),
            ranges(&ids),
            worst.phase,
            culprit(worst),
        );
        sentences.push((ids[0], sentence));
    }
    sentences.sort();
    sentences.into_iter().map(|(_, sentence)| sentence).collect()
}

fn limited_phase(phase: &PhaseResult) -> String {
    let PhaseResult { phase: id, lower_bound: bound, after, .. } = phase;
    let limit = culprit(phase);
    // The largest object is a bound of its own.
    let alone = bound.object.zip(bound.load).filter(|_| bound.limit == Limit::LargeObjects);
    let alone = alone.map(|(_, load)| load / after.load.mean - 1.0).filter(|&alone| alone > 0.0);
    let alone = alone.map(|alone| format!("; the object alone allows none below {}", imbalance(alone)));
    let alone = alone.unwrap_or_default();
    if gap(phase) < NONE {
        let imbalance = imbalance(after.load.imbalance);
        return format!(
            "Phase {id} is optimal: an imbalance of load of {imbalance}, limited by {limit}{alone}."
        );
    }
    let quality = quality(after.work.max, bound.work, best(std::slice::from_ref(phase)));
    if bound.load_limit != bound.limit {
        return format!("Phase {id} is {quality}, limited by {limit}.");
    }
    let imbalance = imbalance(bound.load_imbalance);
    format!("Phase {id} is {quality}, limited by {limit} to an imbalance of load of {imbalance}{alone}.")
}

fn imbalance(imbalance: f64) -> String {
    significant_to(imbalance, if imbalance < 1.0 { 4 } else { 5 })
}

/// What the bound of a phase comes from, by name.
fn culprit(phase: &PhaseResult) -> String {
    phase.lower_bound.culprit(phase.n_migratable < phase.n_objects)
}

/// A sum that improves can hide phases that do not.
fn longer(phases: &[PhaseResult]) -> Option<String> {
    let ratio = |phase: &PhaseResult| phase.after.work.max / phase.before.work.max;
    let is_longer = |phase: &&PhaseResult| phase.before.work.max > 0.0 && ratio(phase) > 1.0 + 1e-9;
    let longer: Vec<&PhaseResult> = phases.iter().filter(is_longer).collect();
    let worst = longer.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
    // What was carried from phase to phase was not recorded.
    let is_carried = phases.iter().any(|phase| phase.start != Start::Recorded);
    Some(format!(
        "{} of {} longer than {}, phase {} the most, by {}.",
        longer.len(),
        if phases.len() == 1 { "1 phase takes".to_owned() } else { format!("{} phases take", phases.len()) },
        if is_carried { "before" } else { "recorded" },
        worst.phase,
        percent(ratio(worst) - 1.0)
    ))
}

fn over_bounds(phase: &PhaseResult) -> impl Iterator<Item = String> + '_ {
    phase.violations.iter().map(|violation| format!("Phase {} is over a bound: {violation}.", phase.phase))
}

/// Phases of which a search for the best left open whether it is.
pub(crate) fn unproven(phases: &[PhaseResult]) -> Option<String> {
    let unproven = phases.iter().filter(|phase| phase.proven == Some(false));
    let ids: Vec<u64> = unproven.map(|phase| phase.phase).collect();
    match ids[..] {
        [] => None,
        [id] => Some(format!("The placement of phase {id} is not proven to be the best.")),
        _ => Some(format!(
            "The placements of {} phases ({}) are not proven to be the best.",
            ids.len(),
            ranges(&ids)
        )),
    }
}

/// Of the phases that cannot keep the bounds, the first.
fn infeasible(phases: &[PhaseResult]) -> Option<String> {
    let mut proofs = phases.iter().filter_map(|phase| phase.infeasibility.as_ref().zip(Some(phase.phase)));
    let (proof, phase) = proofs.next()?;
    let others = match proofs.count() {
        0 => String::new(),
        n => format!(", and {} like it", counted(n, "other phase")),
    };
    Some(format!("Phase {phase} is infeasible{others}: {proof}."))
}
