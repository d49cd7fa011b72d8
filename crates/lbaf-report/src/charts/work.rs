// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of the terms of work.

use lbaf_config::constant_work;
use lbaf_plot::WorkParts;
use lbaf_run::summary::saved::RANKS;

use super::{AnyChart, Phase, bound_holds_for, work_unit};

pub(super) fn work_parts_before(runs: &[Phase<'_>]) -> Option<AnyChart> {
    parts(runs, "before")
}

pub(super) fn work_parts_after(runs: &[Phase<'_>]) -> Option<AnyChart> {
    parts(runs, "after")
}

/// Stacked bar chart of the terms of work, with the same scale before and after; `None` if fewer than two terms are above
/// 0, or if work is unknown.
fn parts(runs: &[Phase<'_>], when: &str) -> Option<AnyChart> {
    let phase = runs[0];
    let column = |name: &str, when: &str| phase.column(RANKS, &format!("{name}_{when}"));
    let is_there =
        |name: &str| ["before", "after"].iter().any(|when| column(name, when).iter().any(|part| *part > 0.0));
    let names = [("load", "work_load"), ("communication", "work_communication"), ("homing", "work_homing")];
    let mut parts: Vec<(String, Vec<f64>)> = names
        .into_iter()
        .filter(|(_, column)| is_there(column))
        .map(|(name, of)| (name.to_owned(), column(of, when)))
        .collect();
    let work = column("work", when);
    // The constant term is part of the work of every rank.
    let model = &phase.summary.work_model;
    let constant = constant_work(&model.name, &model.parameters);
    if constant > 0.0 {
        parts.push(("constant".to_owned(), vec![constant; work.len()]));
    }
    if parts.len() < 2 || work.is_empty() {
        return None;
    }
    Some(Box::new(WorkParts {
        parts,
        also: [column("work", "before"), column("work", "after")].concat(),
        bound: Some(phase.result.lower_bound.work),
        bound_remark: bound_holds_for([phase.result]).to_owned(),
        unit: work_unit([phase.summary]).to_owned(),
        title: format!("work {when}, phase {}", phase.result.phase),
    }))
}
