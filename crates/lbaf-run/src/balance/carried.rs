// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sequential balancing: each phase after the first selected one starts in the result of the previous phase.

use std::borrow::Cow;

use lbaf_config::{RunConfig, ranges};
use lbaf_model::{Assignment, Changes, DataSet, Phase, carry};
use lbaf_strategies::Cancel;
use lbaf_text::number::counted;

use super::{Balanced, Failed, balance_one};
use crate::Steps;
use crate::summary::Start;

/// Balances the phases in sequence from the first selected one. Objects of later phases that are not selected stay
/// where the previous phase has placed them, if possible.
pub(crate) fn balance<'a>(
    run: &RunConfig,
    data: &'a DataSet,
    steps: &Steps,
    cancel: &Cancel,
) -> Result<(Vec<Balanced<'a>>, Vec<String>), Failed> {
    let mut balanced = Vec::new();
    let (mut changes, mut kept) = (Changes::default(), Vec::new());
    // The previous phase and its placement, where the next starts.
    let mut in_force: Option<(&Phase, Assignment)> = None;
    for phase in data.phases() {
        let id = phase.id().0;
        let (start, initial) = match &in_force {
            None => (Start::Recorded, Cow::Borrowed(phase.recorded_assignment())),
            Some((before, assignment)) => {
                let carried = carry(before, assignment, phase, data.keys());
                changes += carried.changes;
                (Start::Carried { from: before.id().0 }, Cow::Owned(carried.assignment))
            }
        };
        let is_balanced = run.balancing.contains(id);
        if !is_balanced && in_force.is_none() {
            continue;
        }
        if !is_balanced {
            kept.push(id);
        }
        let strategy = run.strategy_at(phase.id()).filter(|_| is_balanced);
        let result = balance_one(run, data, phase, strategy, (start, initial), cancel)?;
        if is_balanced {
            steps.advance();
        }
        in_force = Some((phase, result.after.outcome.assignment.clone()));
        balanced.push(result);
    }
    Ok((balanced, notes(changes, &kept)))
}

/// Returns notes on objects that cannot keep their rank of the previous phase, and on phases that are not balanced
/// (`kept`).
fn notes(changes: Changes, kept: &[u64]) -> Vec<String> {
    let mut notes = changes_in_words(changes);
    if !kept.is_empty() {
        let (n_phases, phases) = (counted(kept.len(), "phase"), ranges(kept));
        notes.push(format!(
            "phases that are not balanced keep the placement of the previous phase ({n_phases}: {phases})"
        ));
    }
    notes
}

/// Returns a sentence for each kind of object that cannot keep its rank of the previous phase.
pub fn changes_in_words(changes: Changes) -> Vec<String> {
    let Changes { n_new, n_gone, n_freed, n_fixed } = changes;
    let sentences = [
        (n_new, "missing from the previous phase start on their recorded rank"),
        (
            n_gone,
            "missing from the next phase are dropped; if they return, they start on their recorded rank",
        ),
        (n_freed, "that become migratable start on their recorded rank"),
        (n_fixed, "that become non-migratable are placed on their recorded rank"),
    ];
    let happened = sentences.into_iter().filter(|&(n, _)| n > 0);
    happened.map(|(n, what)| format!("objects {what} ({n} over all phases)")).collect()
}
