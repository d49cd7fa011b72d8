// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of each cell and each step, by name.

use lbaf_plot::Best;

use super::cell::Values;
use crate::config::{Study, StudyCommand};
use crate::error::Error;
use crate::report::summary::{Iteration, PhaseResult};
use crate::yaml;

/// A quantity of cells or steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    /// The name of its column.
    pub(super) name: &'static str,
    /// What tables and charts call it.
    pub(super) title: &'static str,
    pub(super) kind: Kind,
    pub(super) best: Option<Best>,
}

/// What the numbers of a quantity are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Things that are counted.
    Count,
    /// A number without a unit.
    Number,
    /// A part of something, which tables and charts show in percent.
    Share,
    Seconds,
    Bytes,
}

impl Quantity {
    /// The unit in tables and charts.
    pub(super) fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Count | Kind::Number => "",
            Kind::Share => "%",
            Kind::Seconds => "s",
            Kind::Bytes => "B",
        }
    }

    /// A value in that unit.
    pub(super) fn shown(&self, value: f64) -> f64 {
        if self.kind == Kind::Share { 100.0 * value } else { value }
    }
}

const fn quantity(name: &'static str, title: &'static str, kind: Kind, best: Option<Best>) -> Quantity {
    Quantity { name, title, kind, best }
}

const LEAST: Option<Best> = Some(Best::Least);
const GREATEST: Option<Best> = Some(Best::Greatest);

/// Of a phase that was balanced.
const OF_PHASE: [Quantity; 19] = [
    quantity("n_ranks", "ranks", Kind::Count, None),
    quantity("n_objects", "objects", Kind::Count, None),
    quantity("load_imbalance_before", "load imbalance before", Kind::Number, None),
    quantity("load_imbalance", "load imbalance", Kind::Number, LEAST),
    quantity("min_load", "min load", Kind::Seconds, None),
    quantity("max_load_before", "max load before", Kind::Seconds, None),
    quantity("max_load", "max load", Kind::Seconds, LEAST),
    quantity("max_work_before", "max work before", Kind::Number, None),
    quantity("max_work", "max work", Kind::Number, LEAST),
    quantity("work_imbalance", "work imbalance", Kind::Number, LEAST),
    quantity("lower_bound", "lower bound", Kind::Number, None),
    quantity("above_bound", "above bound", Kind::Share, LEAST),
    quantity("off_rank_bytes", "off-rank volume", Kind::Bytes, LEAST),
    quantity("max_memory", "max memory", Kind::Bytes, LEAST),
    quantity("ranks_over_bounds", "ranks over bounds", Kind::Count, LEAST),
    quantity("migrations", "migrations", Kind::Count, LEAST),
    quantity("migrated_load", "migrated load", Kind::Seconds, LEAST),
    quantity("migrated_bytes", "migrated volume", Kind::Bytes, LEAST),
    quantity("messages", "messages", Kind::Count, LEAST),
];

/// Of an iteration of a strategy.
const OF_ITERATION: [Quantity; 6] = [
    quantity("load_imbalance", "load imbalance", Kind::Number, LEAST),
    quantity("max_work", "max work", Kind::Number, LEAST),
    quantity("transfers", "transfers", Kind::Count, None),
    quantity("rejections", "rejected", Kind::Count, None),
    quantity("messages", "messages", Kind::Count, None),
    quantity("knowledge", "ranks known", Kind::Share, None),
];

/// What there is of each cell.
pub(super) fn of_cells(command: StudyCommand) -> &'static [Quantity] {
    match command {
        StudyCommand::Run => &OF_PHASE,
        StudyCommand::Simulate => &OF_PHASE,
    }
}

/// What there is of each step.
pub(super) fn of_steps(command: StudyCommand) -> &'static [Quantity] {
    match command {
        StudyCommand::Run => &OF_ITERATION,
        StudyCommand::Simulate => &OF_ITERATION,
    }
}

/// What is made of the results: what decides, and what tables and charts show.
pub(super) struct Reported {
    pub(super) objective: Quantity,
    pub(super) quantities: Vec<Quantity>,
    /// Of steps.
    pub(super) of_steps: Vec<Quantity>,
}

impl Reported {
    /// What the study names, or the usual.
    pub(super) fn new(study: &Study) -> Result<Self, Error> {
        let (cells, steps) = (of_cells(study.command), of_steps(study.command));
        let (objective, usual, usual_steps): (&str, &[&str], &[&str]) = match study.command {
            StudyCommand::Run => (
                "load_imbalance",
                &["above_bound", "migrations"],
                &["transfers", "rejections", "load_imbalance"],
            ),
            StudyCommand::Simulate => {
                ("total", &["speedup", "efficiency", "balancings", "migrations"], &["time"])
            }
        };
        let named = |key: &str, name: &str, among: &[&'static [Quantity]]| {
            let all: Vec<&Quantity> = among.iter().flat_map(|quantities| quantities.iter()).collect();
            all.iter().find(|quantity| quantity.name == name).map(|quantity| **quantity).ok_or_else(|| {
                let names: Vec<&str> = all.iter().map(|quantity| quantity.name).collect();
                Error::Configuration(format!(
                    "{}: report.{key}: there is no quantity `{name}`{}; there are {}",
                    study.file.display(),
                    yaml::instead(name, &names),
                    names.join(", ")
                ))
            })
        };
        let objective = named("objective", study.report.objective.as_deref().unwrap_or(objective), &[cells])?;
        let mut reported = Reported { objective, quantities: vec![objective], of_steps: Vec::new() };
        match &study.report.quantities {
            Some(names) => {
                for name in names {
                    let quantity = named("quantities", name, &[cells, steps])?;
                    if cells.contains(&quantity) && quantity != objective {
                        reported.quantities.push(quantity);
                    }
                    if let Some(step) = steps.iter().find(|step| step.name == name) {
                        reported.of_steps.push(*step);
                    }
                }
            }
            None => {
                let find = |among: &[Quantity], names: &[&str]| -> Vec<Quantity> {
                    names
                        .iter()
                        .filter_map(|name| among.iter().find(|quantity| quantity.name == *name).copied())
                        .collect()
                };
                reported.quantities.extend(find(cells, usual));
                reported.of_steps = find(steps, usual_steps);
            }
        }
        Ok(reported)
    }

    /// What fronts are of: how good, and for how many migrations.
    pub(super) fn front(&self) -> Vec<Quantity> {
        let migrations = OF_PHASE.iter().find(|quantity| quantity.name == "migrations");
        std::iter::once(self.objective)
            .chain(migrations.copied().filter(|other| *other != self.objective))
            .collect()
    }
}

/// The values of a phase.
pub(super) fn values_of(phase: &PhaseResult) -> Values {
    let PhaseResult { before, after, lower_bound, migrations, .. } = phase;
    let ratio = |one: f64, other: f64| (other > 0.0).then(|| one / other - 1.0);
    let messages: u64 = phase.iterations.iter().map(|iteration| iteration.messages).sum();
    let values = [
        Some(phase.rank_loads.before.len() as f64),
        Some(phase.n_objects as f64),
        Some(before.load.imbalance),
        Some(after.load.imbalance),
        Some(after.load.min),
        Some(before.load.max),
        Some(after.load.max),
        Some(before.work.max),
        Some(after.work.max),
        Some(after.work.imbalance),
        Some(lower_bound.work),
        ratio(after.work.max, lower_bound.work),
        Some(after.sent_volume.sum),
        Some(after.memory.max),
        Some(after.n_ranks_over_bound as f64),
        Some(migrations.count as f64),
        Some(migrations.load),
        Some(migrations.bytes),
        Some(messages as f64),
    ];
    named(&OF_PHASE, values)
}

/// The values of an iteration.
pub(super) fn values_of_iteration(iteration: &Iteration) -> Values {
    let values = [
        Some(iteration.load_imbalance),
        Some(iteration.max_work),
        Some(iteration.transfers as f64),
        Some(iteration.rejections as f64),
        Some(iteration.messages as f64),
        iteration.knowledge,
    ];
    named(&OF_ITERATION, values)
}

/// The values of the start, which took nothing yet.
pub(super) fn values_of_start(phase: &PhaseResult) -> Values {
    let start = [Some(phase.before.load.imbalance), Some(phase.before.work.max), None, None, None, None];
    named(&OF_ITERATION, start)
}

fn named<const N: usize>(quantities: &[Quantity; N], values: [Option<f64>; N]) -> Values {
    let pairs = quantities.iter().zip(values);
    pairs.filter_map(|(quantity, value)| Some((quantity.name.to_owned(), value?))).collect()
}
