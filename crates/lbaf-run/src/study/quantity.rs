// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of cells and steps, by name.

mod run;
mod simulation;

use lbaf_config::yaml;
use lbaf_config::{StudyCommand, StudyConfig};
use lbaf_text::Shown as _;
pub(super) use run::{LARGEST_EXCESS, row_of_phase};
pub(super) use simulation::row_of_run;

use super::cell_result::Values;
use crate::RunError;

/// A quantity of cells, or of steps (iterations of a strategy, or phases of a simulated run).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyQuantity {
    /// Name of its column.
    pub name: &'static str,
    /// Title in tables and charts.
    pub title: &'static str,
    /// Kind of its values.
    pub kind: QuantityKind,
    /// Direction in which values are better; `None` if neither is better.
    pub better: Option<Better>,
}

/// Direction in which values of a quantity are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Smaller values.
    Less,
    /// Larger values.
    More,
}

/// Kind of the values of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityKind {
    /// Integer count.
    Count,
    /// Number without a unit.
    Number,
    /// Fraction, in percent in tables and charts.
    Share,
    /// Work, whose unit depends on the work models (see `StudyResults::unit`).
    Work,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
}

impl StudyQuantity {
    /// Returns the unit in tables and charts; empty for work, whose unit depends on the work models.
    pub fn unit(&self) -> &'static str {
        match self.kind {
            QuantityKind::Count | QuantityKind::Number | QuantityKind::Work => "",
            QuantityKind::Share => "%",
            QuantityKind::Seconds => "s",
            QuantityKind::Bytes => "B",
        }
    }

    /// Returns the value as a cost, where less is better: negated if larger values are better.
    pub fn cost(&self, value: f64) -> f64 {
        if self.better == Some(Better::More) { -value } else { value }
    }

    /// Returns a count as an integer; `None` for other quantities, and for a median between two integers.
    pub fn count(&self, value: f64) -> Option<u64> {
        let is_count = self.kind == QuantityKind::Count && value >= 0.0 && value.fract() == 0.0;
        #[expect(clippy::cast_sign_loss, reason = "the value is not negative")]
        is_count.then_some(value as u64)
    }

    /// Returns a value in the [`unit`](Self::unit) of the quantity.
    pub fn shown(&self, value: f64) -> f64 {
        if self.kind == QuantityKind::Share { 100.0 * value } else { value }
    }
}

const fn quantity(
    name: &'static str,
    title: &'static str,
    kind: QuantityKind,
    better: Option<Better>,
) -> StudyQuantity {
    StudyQuantity { name, title, kind, better }
}

const LEAST: Option<Better> = Some(Better::Less);
const GREATEST: Option<Better> = Some(Better::More);

/// Names of columns other than axes and quantities, in tables with columns for axes.
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

/// Returns all quantities of cells, in the order of the columns of `cells.csv`.
pub fn of_cells(command: StudyCommand) -> &'static [StudyQuantity] {
    match command {
        StudyCommand::Run => &run::OF_PHASE,
        StudyCommand::Simulate => &simulation::OF_RUN,
    }
}

/// Returns all quantities of steps.
pub(super) fn of_steps(command: StudyCommand) -> &'static [StudyQuantity] {
    match command {
        StudyCommand::Run => &run::OF_ITERATION,
        StudyCommand::Simulate => &simulation::OF_PHASE,
    }
}

/// Quantities that a study reports: the objective of rankings, and columns of tables.
pub struct ReportedQuantities {
    /// Objective of rankings.
    pub objective: StudyQuantity,
    /// Reported quantities of cells, beginning with the objective.
    pub quantities: Vec<StudyQuantity>,
    /// Reported quantities of steps.
    pub of_steps: Vec<StudyQuantity>,
    command: StudyCommand,
    /// All quantities of cells.
    of_cells: &'static [StudyQuantity],
}

impl ReportedQuantities {
    /// Returns the quantities that a study names, or the defaults.
    ///
    /// # Errors
    /// If a quantity is unknown, neither smaller nor larger values of the objective are better, or an axis has the name
    /// of a column.
    pub(super) fn new(study: &StudyConfig) -> Result<Self, RunError> {
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
        let named = |key: &str, name: &str, among: &[&'static [StudyQuantity]]| {
            let all: Vec<&StudyQuantity> = among.iter().flat_map(|quantities| quantities.iter()).collect();
            all.iter().find(|quantity| quantity.name == name).map(|quantity| **quantity).ok_or_else(|| {
                let mut names: Vec<&str> = Vec::new();
                for quantity in &all {
                    // Cells and steps share some names.
                    if !names.contains(&quantity.name) {
                        names.push(quantity.name);
                    }
                }
                RunError::configuration(format!(
                    "{}: report.{key}: unknown quantity `{name}`{}",
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
            return Err(RunError::configuration(format!(
                "{}: axes.{}: an axis must not have the name of a result column; rename the axis",
                study.file.shown(),
                axis.name
            )));
        }
        let objective = named("objective", study.report.objective.as_deref().unwrap_or(objective), &[cells])?;
        if objective.better.is_none() {
            return Err(RunError::configuration(format!(
                "{}: report.objective: `{}` is not an objective, because neither smaller nor larger values are better",
                study.file.shown(),
                objective.name
            )));
        }
        let mut reported = ReportedQuantities {
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
            let find = |among: &[StudyQuantity], names: &[&str]| -> Vec<StudyQuantity> {
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

    /// Returns the name of the state without balancing in sentences.
    pub fn start(&self) -> &'static str {
        match self.command {
            StudyCommand::Run => "the start",
            StudyCommand::Simulate => "never balancing",
        }
    }

    /// Returns the name of the state without balancing in charts.
    pub fn start_name(&self) -> &'static str {
        match self.command {
            StudyCommand::Run => "start",
            StudyCommand::Simulate => "never balanced",
        }
    }

    /// Returns the quantities of fronts: the objective and the number of migrations.
    pub fn front(&self) -> Vec<StudyQuantity> {
        let migrations = self.of_cells.iter().find(|quantity| quantity.name == "migrations");
        std::iter::once(self.objective)
            .chain(migrations.copied().filter(|other| *other != self.objective))
            .collect()
    }
}

fn named<const N: usize>(quantities: &[StudyQuantity; N], values: [Option<f64>; N]) -> Values {
    let pairs = quantities.iter().zip(values);
    pairs.filter_map(|(quantity, value)| Some((quantity.name.to_owned(), value?))).collect()
}
