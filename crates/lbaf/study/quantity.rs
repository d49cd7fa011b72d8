// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of each cell and each step, by name.

mod run;
mod simulation;

use lbaf_config::yaml;
use lbaf_config::{StudyCommand, StudyConfig};
use lbaf_plot::Best;
use lbaf_text::Shown as _;
pub(super) use run::{LARGEST_EXCESS, row_of_phase};
pub(super) use simulation::row_of_run;

use super::cell::Values;
use crate::error::Error;

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

    /// A value so that less is better.
    pub(super) fn cost(&self, value: f64) -> f64 {
        if self.best == Some(Best::Greatest) { -value } else { value }
    }

    /// A number of things as what it is; nothing of other quantities, or of a median between two numbers.
    pub(super) fn count(&self, value: f64) -> Option<u64> {
        let is_count = self.kind == Kind::Count && value >= 0.0 && value.fract() == 0.0;
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
        is_count.then_some(value as u64)
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

/// Columns of tables beside axes and quantities.
const COLUMNS: [&str; 18] = [
    "cell",
    "same_as",
    "phase",
    "iteration",
    "balanced_by",
    "error",
    "competitor",
    "quantity",
    "n",
    "failed",
    "median",
    "low",
    "high",
    "confidence",
    "worse_than_start",
    "on_front",
    "strategy_seconds",
    "cell_seconds",
];

/// What there is of each cell.
pub(super) fn of_cells(command: StudyCommand) -> &'static [Quantity] {
    match command {
        StudyCommand::Run => &run::OF_PHASE,
        StudyCommand::Simulate => &simulation::OF_RUN,
    }
}

/// What there is of each step.
pub(super) fn of_steps(command: StudyCommand) -> &'static [Quantity] {
    match command {
        StudyCommand::Run => &run::OF_ITERATION,
        StudyCommand::Simulate => &simulation::OF_PHASE,
    }
}

/// What is made of the results: what decides, and what tables and charts show.
pub(super) struct Reported {
    pub(super) objective: Quantity,
    pub(super) quantities: Vec<Quantity>,
    /// Of steps.
    pub(super) of_steps: Vec<Quantity>,
    command: StudyCommand,
    /// All that there are of cells.
    of_cells: &'static [Quantity],
}

impl Reported {
    /// What the study names, or the usual.
    pub(super) fn new(study: &StudyConfig) -> Result<Self, Error> {
        let (cells, steps) = (of_cells(study.command), of_steps(study.command));
        let (objective, usual, usual_steps): (&str, &[&str], &[&str]) = match study.command {
            StudyCommand::Run => (
                "max_work",
                &["above_bound", "load_imbalance", "migrations"],
                &["transfers", "rejections", "max_work"],
            ),
            StudyCommand::Simulate => {
                ("total", &["speedup", "efficiency", "balancings", "migrations"], &["time"])
            }
        };
        let named = |key: &str, name: &str, among: &[&'static [Quantity]]| {
            let all: Vec<&Quantity> = among.iter().flat_map(|quantities| quantities.iter()).collect();
            all.iter().find(|quantity| quantity.name == name).map(|quantity| **quantity).ok_or_else(|| {
                let mut names: Vec<&str> = Vec::new();
                for quantity in &all {
                    // Some are of cells and of steps.
                    if !names.contains(&quantity.name) {
                        names.push(quantity.name);
                    }
                }
                Error::Configuration(format!(
                    "{}: report.{key}: there is no quantity `{name}`{}",
                    study.file.shown(),
                    yaml::instead(name, &names)
                ))
            })
        };
        let is_column = |name: &str| {
            COLUMNS.contains(&name)
                || [cells, steps].iter().any(|all| all.iter().any(|quantity| quantity.name == name))
        };
        if let Some(axis) = study.axes.iter().find(|axis| is_column(&axis.name)) {
            return Err(Error::Configuration(format!(
                "{}: axes.{}: results have a column of this name; call the axis something else",
                study.file.shown(),
                axis.name
            )));
        }
        let objective = named("objective", study.report.objective.as_deref().unwrap_or(objective), &[cells])?;
        if objective.best.is_none() {
            return Err(Error::Configuration(format!(
                "{}: report.objective: of `{}` neither less nor more is better",
                study.file.shown(),
                objective.name
            )));
        }
        let mut reported = Reported {
            objective,
            quantities: vec![objective],
            of_steps: Vec::new(),
            command: study.command,
            of_cells: cells,
        };
        if let Some(names) = &study.report.quantities {
            for name in names {
                let quantity = named("quantities", name, &[cells, steps])?;
                if cells.contains(&quantity) && quantity != objective {
                    reported.quantities.push(quantity);
                }
                if let Some(step) = steps.iter().find(|step| step.name == name) {
                    reported.of_steps.push(*step);
                }
            }
        } else {
            let find = |among: &[Quantity], names: &[&str]| -> Vec<Quantity> {
                names
                    .iter()
                    .filter_map(|name| among.iter().find(|quantity| quantity.name == *name).copied())
                    .collect()
            };
            let others = find(cells, usual).into_iter().filter(|quantity| *quantity != objective);
            reported.quantities.extend(others);
            reported.of_steps = find(steps, usual_steps);
            let of_objective = steps.iter().find(|step| step.name == objective.name);
            reported.of_steps.extend(of_objective.filter(|step| !usual_steps.contains(&step.name)));
        }
        Ok(reported)
    }

    /// What results are compared with to tell whether balancing did any good.
    pub(super) fn start(&self) -> &'static str {
        match self.command {
            StudyCommand::Run => "the start",
            StudyCommand::Simulate => "never balancing",
        }
    }

    /// What charts call it.
    pub(super) fn start_name(&self) -> &'static str {
        match self.command {
            StudyCommand::Run => "start",
            StudyCommand::Simulate => "never balanced",
        }
    }

    /// What fronts are of: how good, and for how many migrations.
    pub(super) fn front(&self) -> Vec<Quantity> {
        let migrations = self.of_cells.iter().find(|quantity| quantity.name == "migrations");
        std::iter::once(self.objective)
            .chain(migrations.copied().filter(|other| *other != self.objective))
            .collect()
    }
}

fn named<const N: usize>(quantities: &[Quantity; N], values: [Option<f64>; N]) -> Values {
    let pairs = quantities.iter().zip(values);
    pairs.filter_map(|(quantity, value)| Some((quantity.name.to_owned(), value?))).collect()
}
