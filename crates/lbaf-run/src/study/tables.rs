// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results as tables for other programs: CSV and Parquet with the same content.

use lbaf_columns::{DataFrame, Format, Values as Column};
use lbaf_config::{AxisRole, StudyCommand};
use lbaf_study::Median;

use super::cell_result::{ResultRow, Values};
use super::competitor_marks::CompetitorMarks;
use super::quantity::{QuantityKind, StudyQuantity, of_cells, of_steps};
use super::results::{Group, StudyResults};

/// File name of a table without suffix, and the table.
pub(super) type Named = (&'static str, DataFrame);

/// Returns the files of a table, in every format of this build.
pub(super) fn printed((name, grid): &Named) -> Vec<(String, Vec<u8>)> {
    let file = |format: Format| {
        let mut bytes = Vec::new();
        grid.clone().write(format, &mut bytes).expect("invariant: columns have a value for every row");
        (format!("{name}.{}", format.extension()), bytes)
    };
    Format::ALL.iter().map(|&format| file(format)).collect()
}

/// Returns the table of cells: one row per cell and phase, or one with the error of a failed cell.
pub(super) fn cells(results: &StudyResults<'_>) -> Named {
    let mut rows: Vec<(usize, Option<&ResultRow>)> = Vec::new();
    for (number, cell) in results.cells.iter().enumerate() {
        rows.extend(cell.rows.iter().map(|row| (number, Some(row))));
        rows.extend(cell.error.is_some().then_some((number, None)));
    }
    let mut grid = DataFrame::default();
    add_axes(&mut grid, results, rows.iter().map(|row| row.0));
    let same_as = rows.iter().map(|&(number, _)| results.same_as[number]);
    let same_as = same_as.zip(&rows).map(|(first, row)| (first != row.0).then_some(first as u64));
    grid.add("same_as", Column::Unsigned(same_as.collect()));
    if results.study.command == StudyCommand::Run {
        grid.add(
            "phase",
            Column::Unsigned(rows.iter().map(|(_, row)| row.and_then(|row| row.phase)).collect()),
        );
    }
    let strategy = rows.iter().map(|(_, row)| row.and_then(|row| row.strategy.clone()));
    grid.add("balanced_by", Column::Text(strategy.collect()));
    add_values(
        &mut grid,
        of_cells(results.study.command),
        rows.iter().map(|(_, row)| row.map(|row| &row.values)),
    );
    let errors = rows.iter().map(|(number, row)| match row {
        None => results.cells[*number].error.as_deref().and_then(first_line),
        Some(_) => None,
    });
    grid.add("error", Column::Text(errors.collect()));
    ("cells", grid)
}

/// Returns the table of steps: one row per cell, phase and iteration, or for simulated runs, per cell and phase.
pub(super) fn steps(results: &StudyResults<'_>) -> Named {
    let mut rows = Vec::new();
    for (number, cell) in results.cells.iter().enumerate() {
        rows.extend(
            cell.rows.iter().flat_map(|row| row.steps.iter().map(move |step| (number, row.phase, step))),
        );
    }
    let mut grid = DataFrame::default();
    add_axes(&mut grid, results, rows.iter().map(|row| row.0));
    let numbers = Column::Unsigned(rows.iter().map(|row| Some(row.2.number)).collect());
    let name = match results.study.command {
        StudyCommand::Run => {
            grid.add("phase", Column::Unsigned(rows.iter().map(|row| row.1).collect()));
            grid.add("iteration", numbers);
            "iterations"
        }
        StudyCommand::Simulate => {
            grid.add("phase", numbers);
            "phases"
        }
    };
    add_values(&mut grid, of_steps(results.study.command), rows.iter().map(|row| Some(&row.2.values)));
    (name, grid)
}

/// Returns the table of medians, one row per group and known quantity: the median over repetitions, its interval if
/// there are several, and a flag for a median worse than at the start. A group whose cells all failed has rows without
/// a median.
pub(super) fn medians(results: &StudyResults<'_>) -> Named {
    let mut rows = Vec::new();
    for group in &results.groups {
        for quantity in of_cells(results.study.command) {
            let median = results.median(group, quantity.name);
            if median.is_some() || group.members.is_empty() {
                rows.push((group, quantity, median));
            }
        }
    }
    let mut grid = DataFrame::default();
    add_groups(&mut grid, results, rows.iter().map(|row| row.0));
    grid.add("quantity", Column::Text(rows.iter().map(|row| Some(row.1.name.to_owned())).collect()));
    let n = |median: &Option<Median>| median.map_or(0, |median| median.n as u64);
    grid.add("n", Column::Unsigned(rows.iter().map(|row| Some(n(&row.2))).collect()));
    grid.add("failed", Column::Unsigned(rows.iter().map(|row| Some(row.0.n_failed as u64)).collect()));
    let mut add = |name: &str, of: &dyn Fn(Median) -> Option<f64>| {
        grid.add(name, Column::Float(rows.iter().map(|row| of(row.2?)).collect()));
    };
    add("median", &|median| Some(median.value));
    let several = |median: &Median| median.n > 1;
    add("low", &|median| Some(median).filter(several).map(|median| median.low));
    add("high", &|median| Some(median).filter(several).map(|median| median.high));
    add("confidence", &|median| Some(median).filter(several).map(|median| median.confidence));
    let is_worse = rows.iter().map(|(group, quantity, _)| results.is_worse_than_start(group, quantity));
    grid.add("worse_than_start", Column::Flag(is_worse.collect()));
    ("medians", grid)
}

/// Returns the ranking: one row per competitor with its placing over all problems by the median of the objective.
pub(super) fn ranking(results: &StudyResults<'_>) -> Named {
    let placings = results.placings();
    let standings: Vec<CompetitorMarks> =
        (0..placings.len()).map(|at| CompetitorMarks::of(results, results.of_competitor(at))).collect();
    let mut grid = DataFrame::default();
    grid.add("competitor", Column::Text(results.competitors.iter().cloned().map(Some).collect()));
    grid.add("mean_place", Column::Float(placings.iter().map(|placing| placing.mean_place).collect()));
    let mut add = |name: &str, numbers: Vec<usize>| {
        grid.add(name, Column::Unsigned(numbers.into_iter().map(|number| Some(number as u64)).collect()));
    };
    add("wins", placings.iter().map(|placing| placing.n_wins).collect());
    add("problems", placings.iter().map(|placing| placing.n_problems).collect());
    add("worse_than_start", standings.iter().map(|standing| standing.worse_on).collect());
    add("failed", standings.iter().map(|standing| standing.n_failed).collect());
    ("ranking", grid)
}

/// Returns the Pareto front of `quantities`, one row per group: its medians, a flag for a result worse than the start,
/// and a flag for a place on the front.
pub(super) fn front(results: &StudyResults<'_>, quantities: &[StudyQuantity]) -> Named {
    let mut grid = DataFrame::default();
    add_groups(&mut grid, results, results.groups.iter());
    let points = points(results, quantities);
    for (at, quantity) in quantities.iter().enumerate() {
        grid.add(quantity.name, Column::Float(points.iter().map(|point| point[at]).collect()));
    }
    add_verdicts(&mut grid, results, quantities, &points);
    ("front", grid)
}

/// Returns the Pareto front of `quantities` and the measured seconds of strategies.
pub(super) fn timed_front(results: &StudyResults<'_>, quantities: &[StudyQuantity]) -> Named {
    let (name, mut grid) = ("timings_front", DataFrame::default());
    add_groups(&mut grid, results, results.groups.iter());
    let mut points = points(results, quantities);
    for (point, group) in points.iter_mut().zip(&results.groups) {
        point.push(seconds(results, group));
    }
    let names = quantities.iter().map(|quantity| quantity.name).chain(["strategy_seconds"]);
    for (at, name) in names.enumerate() {
        grid.add(name, Column::Float(points.iter().map(|point| point[at]).collect()));
    }
    add_verdicts(&mut grid, results, quantities, &points);
    (name, grid)
}

/// Returns the table of times, one row per cell and phase: seconds of the strategy, and of the cell without reading
/// data.
pub(super) fn timings(results: &StudyResults<'_>) -> Named {
    let mut rows = Vec::new();
    for (number, (cell, timing)) in results.cells.iter().zip(&results.timings).enumerate() {
        // Strategies of a simulated run are not timed.
        let seconds = |position: usize| timing.strategy_seconds.get(position).copied();
        rows.extend(cell.rows.iter().enumerate().map(|(at, row)| (number, row.phase, seconds(at))));
    }
    let mut grid = DataFrame::default();
    add_axes(&mut grid, results, rows.iter().map(|row| row.0));
    grid.add("phase", Column::Unsigned(rows.iter().map(|row| row.1).collect()));
    grid.add("strategy_seconds", Column::Float(rows.iter().map(|row| row.2).collect()));
    grid.add(
        "cell_seconds",
        Column::Float(rows.iter().map(|row| Some(results.timings[row.0].cell_seconds)).collect()),
    );
    ("timings", grid)
}

/// Returns the medians of `quantities` for each group.
fn points(results: &StudyResults<'_>, quantities: &[StudyQuantity]) -> Vec<Vec<Option<f64>>> {
    let median = |group: &Group, quantity: &StudyQuantity| {
        results.median(group, quantity.name).map(|median| median.value)
    };
    let point = |group: &Group| quantities.iter().map(|quantity| median(group, quantity)).collect();
    results.groups.iter().map(point).collect()
}

/// Returns the median seconds of the strategy in a group; `None` if no time is known.
fn seconds(results: &StudyResults<'_>, group: &Group) -> Option<f64> {
    let seconds = group
        .members
        .iter()
        .filter_map(|&(cell, row)| results.timings.get(cell)?.strategy_seconds.get(row).copied());
    Median::of(seconds, results.study.report.confidence).map(|median| median.value)
}

/// Adds columns for the number and choices of each row's cell.
fn add_axes(grid: &mut DataFrame, results: &StudyResults<'_>, cells: impl Iterator<Item = usize>) {
    let cells: Vec<usize> = cells.collect();
    let study = results.study;
    grid.add("cell", Column::Unsigned(cells.iter().map(|&cell| Some(cell as u64)).collect()));
    for (at, axis) in study.axes.iter().enumerate() {
        let label = |&cell: &usize| Some(axis.choices[study.cells[cell][at]].label.clone());
        grid.add(axis.name.clone(), Column::Text(cells.iter().map(label).collect()));
    }
}

/// Adds columns that identify each row's group: problem, phase and competitor.
fn add_groups<'g>(
    grid: &mut DataFrame,
    results: &StudyResults<'_>,
    groups: impl Iterator<Item = &'g Group> + Clone,
) {
    let problems = results.study.axes.iter().filter(|axis| axis.role == AxisRole::Problem).enumerate();
    for (at, axis) in problems {
        let label = |group: &Group| Some(results.problems[group.problem].labels[at].clone());
        grid.add(axis.name.clone(), Column::Text(groups.clone().map(label).collect()));
    }
    if results.study.command == StudyCommand::Run {
        let phase = |group: &Group| results.problems[group.problem].phase;
        grid.add("phase", Column::Unsigned(groups.clone().map(phase).collect()));
    }
    let competitor = |group: &Group| Some(results.competitors[group.competitor].clone());
    grid.add("competitor", Column::Text(groups.map(competitor).collect()));
}

/// Adds flags for groups that end worse than their start, and for groups on the front. The first of `quantities` is the
/// objective of [`StudyResults::ends_worse`].
fn add_verdicts(
    grid: &mut DataFrame,
    results: &StudyResults<'_>,
    quantities: &[StudyQuantity],
    points: &[Vec<Option<f64>>],
) {
    let objective = &quantities[0];
    let is_worse = results.groups.iter().map(|group| results.ends_worse(group, objective));
    grid.add("worse_than_start", Column::Flag(is_worse.collect()));
    let is_on = results.on_fronts(quantities, points);
    grid.add("on_front", Column::Flag(is_on.into_iter().map(Some).collect()));
}

fn add_values<'v>(
    grid: &mut DataFrame,
    quantities: &[StudyQuantity],
    rows: impl Iterator<Item = Option<&'v Values>>,
) {
    let rows: Vec<Option<&Values>> = rows.collect();
    for quantity in quantities {
        let values = rows.iter().map(|values| values.as_ref()?.get(quantity.name).copied());
        let column = match quantity.kind {
            QuantityKind::Count => Column::Unsigned(values.map(|value| quantity.count(value?)).collect()),
            _ => Column::Float(values.collect()),
        };
        grid.add(quantity.name, column);
    }
}

/// Returns the first line of an error; `study.json` has the whole error.
fn first_line(error: &str) -> Option<String> {
    error.lines().next().map(str::to_owned)
}
