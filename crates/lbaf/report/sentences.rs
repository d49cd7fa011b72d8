// SPDX-License-Identifier: MIT OR Apache-2.0
//! Three sentences that say what the numbers mean.

use super::number::percent;
use super::summary::PhaseResult;

/// How much less time an ideal balance would take, what limits that, and what was reached. Time is the maximum
/// work over ranks, summed over phases: ranks wait for each other at the end of each.
pub(crate) fn sentences(phases: &[PhaseResult]) -> Vec<String> {
    let sum = |value: fn(&PhaseResult) -> f64| phases.iter().map(value).sum::<f64>();
    let before = sum(|phase| phase.before.work.max);
    if before <= 0.0 {
        return vec!["There is no work to balance.".to_owned()];
    }
    let after = sum(|phase| phase.after.work.max);
    let bound = sum(|phase| phase.lower_bound.work);
    let saved = |time: f64| (1.0 - time / before).max(0.0);
    vec![
        format!(
            "Ideal load balance would run in {} less time.",
            percent(saved(sum(|phase| phase.ideal_work)))
        ),
        limit(phases, saved(bound)),
        format!("{}, {}.", change(before, after), quality(after, bound)),
    ]
}

/// What keeps the ideal out of reach: of all phases, the limit that costs most.
fn limit(phases: &[PhaseResult], share: f64) -> String {
    let cost = |phase: &PhaseResult| phase.lower_bound.work - phase.ideal_work;
    let limited = phases.iter().filter(|phase| phase.lower_bound.is_limited());
    let worst = limited.max_by(|a, b| cost(a).total_cmp(&cost(b)));
    let Some(worst) = worst else {
        return "Neither the largest object nor objects that may not migrate limit improvement.".to_owned();
    };
    let (limit, verb) = match worst.lower_bound.limit.as_str() {
        "sentinels" => ("Objects that may not migrate", "limit"),
        _ => ("Largest object", "limits"),
    };
    format!("{limit} {verb} improvement to {}.", percent(share))
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

fn quality(after: f64, bound: f64) -> String {
    let gap = if bound > 0.0 { after / bound - 1.0 } else { 0.0 };
    if bound <= 0.0 {
        "with no bound on the best possible".to_owned()
    } else if gap < 1e-9 {
        "which is the best possible".to_owned()
    } else {
        format!("within {} of the best possible", percent(gap))
    }
}
