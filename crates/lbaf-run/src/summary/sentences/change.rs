// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of results with starts: first by excess over upper bounds of the work model, then by work.

use std::cmp::Ordering;

use lbaf_text::number::{percent, significant};

use super::{Objective, is_within_bounds};
use crate::summary::rounding::compare;
use crate::summary::{PhaseResult, Snapshot, Start};

/// Returns the sentence that compares the result with the start, and gives its `quality`. Less work is no improvement
/// with more excess over upper bounds of the work model.
pub(super) fn change(phases: &[PhaseResult], objective: &Objective, quality: &str) -> String {
    let sum = |side: fn(&PhaseResult) -> &Snapshot| -> f64 {
        phases.iter().map(|phase| side(phase).work.max).sum()
    };
    let excess = |side: fn(&PhaseResult) -> &Snapshot| {
        phases.iter().map(|phase| side(phase).largest_excess).fold(0.0, f64::max)
    };
    let (before, after) = (sum(|phase| &phase.before), sum(|phase| &phase.after));
    let start_excess = excess(|phase| &phase.before);
    let by_excess = compare(excess(|phase| &phase.after), start_excess);
    let by_work = compare(after, before);
    let noun = objective.noun();
    let change = match by_work {
        Ordering::Equal => format!("the same {noun}"),
        Ordering::Less => format!("{} less {noun}", percent(1.0 - after / before)),
        Ordering::Greater => format!("{} more {noun}", percent(after / before - 1.0)),
    };
    let keeps = phases.iter().all(is_within_bounds);
    match (by_excess, by_work) {
        (Ordering::Greater, _) => {
            let bounds = if start_excess > 0.0 {
                "the upper bounds of the work model by more"
            } else {
                "upper bounds of the work model, which the start satisfies"
            };
            format!(
                "The result is worse than the start: it exceeds {bounds}; expect {change} after balancing."
            )
        }
        (Ordering::Less, _) if keeps => format!(
            "Expect {change} after balancing, {quality}; the result satisfies the upper bounds of the work model, which the start exceeds."
        ),
        (Ordering::Equal, Ordering::Greater) if keeps => {
            format!("The result is worse than the start: expect {change} after balancing, {quality}.")
        }
        (Ordering::Equal, Ordering::Greater) => format!(
            "The result is worse than the start: expect {change} after balancing; result and start exceed upper bounds of the work model."
        ),
        _ if keeps => format!("Expect {change} after balancing, {quality}."),
        _ => format!(
            "Expect {change} after balancing; the result still exceeds upper bounds of the work model, like the start."
        ),
    }
}

/// Returns the sentence that compares the result with a start without load or work, where percentages are undefined.
pub(super) fn from_nothing(phases: &[PhaseResult], objective: &Objective) -> String {
    let sum = |of: fn(&PhaseResult) -> f64| phases.iter().map(of).sum::<f64>();
    let (before, after) = (sum(|phase| phase.before.work.max), sum(|phase| phase.after.work.max));
    let nothing = if sum(|phase| phase.before.load.max) > 0.0 { "work" } else { "load" };
    if before <= 0.0 && after <= 0.0 {
        return "There is no load to balance.".to_owned();
    }
    let noun = objective.noun();
    let worse =
        if compare(after, before) == Ordering::Greater { ": the result is worse than the start" } else { "" };
    let [before, after] = [before, after].map(significant);
    format!(
        "There is no {nothing} to balance; the {noun} is {before} before and {after} after balancing{worse}."
    )
}

/// Returns a sentence on phases with more work than at their starts, although the sum may improve. `None` for a single
/// phase, or without such phases.
pub(super) fn worse(phases: &[PhaseResult], objective: &Objective) -> Option<String> {
    let ratio = |phase: &PhaseResult| phase.after.work.max / phase.before.work.max;
    let has_more = |phase: &&PhaseResult| {
        phase.before.work.max > 0.0
            && compare(phase.after.work.max, phase.before.work.max) == Ordering::Greater
    };
    let more: Vec<&PhaseResult> = phases.iter().filter(has_more).collect();
    let worst = more.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))).filter(|_| phases.len() > 1)?;
    // A start that was carried over is not the recorded placement.
    let is_carried = phases.iter().any(|phase| phase.start != Start::Recorded);
    Some(format!(
        "{} of {} phases {} than {}; the worst is phase {}, by {}.",
        more.len(),
        phases.len(),
        objective.has_more(more.len() == 1),
        if is_carried { "before" } else { "recorded" },
        worst.phase,
        percent(ratio(worst) - 1.0)
    ))
}
