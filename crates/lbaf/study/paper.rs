// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables and charts for papers: competitors against each other, step by step, and what they cost.

use lbaf_plot::{
    Cell, Course, Entry, Front, FrontPoint, Layout, MedianCourse, Medians, PlotError, Quantity as Column,
    Series, State, Table, Trusted,
};
use lbaf_study::{Median, placings};
use rayon::prelude::*;

use super::quantity::{Kind, Quantity, Reported};
use super::results::{Group, Results};
use super::tables::{objectives, on_fronts};
use crate::config::StudyCommand;
use crate::error::Error;
use crate::report::charts::draw_one;
use crate::report::number::significant_to;
use crate::report::paper_tables::printed;

/// Side by side on a page there is room for so many problems, and for so many competitors.
const MOST_ACROSS: usize = 6;
/// A table of more steps is none for a page.
const MOST_STEPS: usize = 60;
/// Problems that get tables and charts of their own; all of them are in the CSV files.
pub(super) const MOST_PROBLEMS: usize = 8;

use crate::report::charts::AnyChart;

/// Tables and charts.
#[derive(Default)]
pub(super) struct Printed {
    /// Names of files and their bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Charts that were left out because a number has no place on an axis, and which.
    pub(super) refused: Vec<String>,
}

/// The files of all tables and charts.
pub(super) fn files(results: &Results<'_>, reported: &Reported) -> Result<Printed, Error> {
    if results.groups.is_empty() {
        return Ok(Printed::default());
    }
    let tables = tables(results, reported).into_iter().flat_map(|(name, table)| printed((&name, table)));
    let mut printed = Printed { files: tables.collect::<Result<_, _>>()?, refused: Vec::new() };
    if let Some(plots) = &results.study.plots {
        let charts = charts(results, reported);
        let drawn: Vec<Result<Vec<_>, Error>> =
            charts.par_iter().map(|chart| draw_one(chart, plots)).collect();
        for one in drawn {
            match one {
                Ok(files) => printed.files.extend(files),
                // A study is worth more than one of its pictures.
                Err(Error::Plot { chart, source: source @ PlotError::BadValue { .. } }) => {
                    printed.refused.push(format!("the chart {chart} is left out: {source}"));
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(printed)
}

fn tables(results: &Results<'_>, reported: &Reported) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    if results.problems.len() > 1 {
        tables.push(("objective".to_owned(), over_problems(results, reported)));
    }
    if results.competitors.len() > 1 && results.problems.len() > 1 {
        tables.push(("ranking".to_owned(), ranking(results, reported)));
    }
    for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
        tables.push((format!("medians{}", suffix(results, problem)), medians(results, reported, problem)));
        let steps = steps(results, reported, problem);
        tables.extend(
            steps.map(|table| (format!("{}{}", steps_name(results), suffix(results, problem)), table)),
        );
    }
    tables
}

/// What tells the files of problems apart; nothing if there is but one.
fn suffix(results: &Results<'_>, problem: usize) -> String {
    match results.problems.len() {
        1 => String::new(),
        _ => format!("_{}", results.problems[problem].file),
    }
}

fn steps_name(results: &Results<'_>) -> &'static str {
    match results.study.command {
        StudyCommand::Run => "iterations",
        StudyCommand::Simulate => "phases",
    }
}

/// What the numbers of a table of these groups are, as its caption says it.
fn about<'g>(results: &Results<'_>, reported: &Reported, groups: impl Iterator<Item = &'g Group>) -> String {
    let medians: Vec<Median> =
        groups.filter_map(|group| results.median(group, reported.objective.name)).collect();
    let (least, most) =
        (medians.iter().map(|median| median.n).min(), medians.iter().map(|median| median.n).max());
    let (Some(least), Some(most)) = (least, most.filter(|most| *most > 1)) else { return String::new() };
    let n = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let confidence = medians.iter().map(|median| median.confidence).fold(1.0, f64::min);
    // What few repetitions cannot have is not claimed.
    let confidence = significant_to(100.0 * confidence.min(results.study.report.confidence), 3);
    format!(" Medians of {n} repetitions, in brackets their intervals of {confidence} % confidence.")
}

/// A median as a cell, with its interval unless that is narrower than what is printed.
fn cell(results: &Results<'_>, quantity: &Quantity, median: Option<Median>) -> Cell {
    let Some(Median { value, low, high, .. }) = median else { return Cell::Absent };
    let [value, low, high] = [value, low, high].map(|number| quantity.shown(number));
    if high - low > 10_f64.powi(-i32::from(results.study.report.digits)) * value.abs() {
        return Cell::Interval { value, low, high };
    }
    quantity.count(value).map_or(Cell::Real(value), Cell::Count)
}

fn column(results: &Results<'_>, quantity: &Quantity, cells: Vec<Cell>) -> Column {
    Column {
        name: quantity.title.to_owned(),
        group: String::new(),
        unit: quantity.unit().to_owned(),
        // Parts of things that are counted are of no interest.
        digits: if quantity.kind == Kind::Count { 1 } else { results.study.report.digits },
        best: quantity.best,
        cells,
    }
}

/// Competitors by the objective on each problem.
fn over_problems(results: &Results<'_>, reported: &Reported) -> Table {
    let of = |problem: usize| {
        let cell = |competitor| {
            cell(results, &reported.objective, median(results, problem, competitor, &reported.objective))
        };
        let cells = (0..results.competitors.len()).map(cell).collect();
        Column { name: results.problems[problem].name.clone(), ..column(results, &reported.objective, cells) }
    };
    let layout =
        if results.problems.len() > MOST_ACROSS { Layout::QuantitiesDown } else { Layout::QuantitiesAcross };
    Table {
        caption: format!(
            "{} on each problem.{}",
            capitalized(reported.objective.title),
            about(results, reported, results.groups.iter())
        ),
        label: "tab:objective".to_owned(),
        head: if layout == Layout::QuantitiesDown { "problem" } else { "competitor" }.to_owned(),
        layout,
        entries: results.competitors.iter().map(Entry::compared).collect(),
        quantities: (0..results.problems.len()).map(of).collect(),
    }
}

fn ranking(results: &Results<'_>, reported: &Reported) -> Table {
    let placings = placings(&objectives(results, &reported.objective));
    let quantity = |name: &str, best, cells| Column {
        name: name.to_owned(),
        group: String::new(),
        unit: String::new(),
        digits: results.study.report.digits,
        best: Some(best),
        cells,
    };
    let places = placings.iter().map(|placing| Cell::of(placing.mean_place)).collect();
    let wins = placings.iter().map(|placing| Cell::Count(placing.n_wins as u64)).collect();
    Table {
        caption: format!(
            "Places by {} over {} problems: in the mean, and how often nobody was better.",
            reported.objective.title,
            placings.first().map_or(0, |placing| placing.n_problems)
        ),
        label: "tab:ranking".to_owned(),
        head: "competitor".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: results.competitors.iter().map(Entry::compared).collect(),
        quantities: vec![
            quantity("mean place", lbaf_plot::Best::Least, places),
            quantity("wins", lbaf_plot::Best::Greatest, wins),
        ],
    }
}

/// Competitors on one problem, by everything that is reported.
fn medians(results: &Results<'_>, reported: &Reported, problem: usize) -> Table {
    let competitors = of_problem(results, problem);
    let of = |quantity: &Quantity| {
        let cells = competitors
            .iter()
            .map(|(_, group)| cell(results, quantity, results.median(group, quantity.name)))
            .collect();
        column(results, quantity, cells)
    };
    Table {
        caption: format!(
            "{}{}",
            caption(results, problem, "Competitors compared"),
            about(results, reported, competitors.iter().map(|(_, group)| *group))
        ),
        label: format!("tab:medians{}", suffix(results, problem)),
        head: "competitor".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: competitors.iter().map(|(name, _)| Entry::compared(*name)).collect(),
        quantities: reported.quantities.iter().map(of).collect(),
    }
}

/// Steps of those competitors on a problem that have several, side by side.
fn steps(results: &Results<'_>, reported: &Reported, problem: usize) -> Option<Table> {
    let mut competitors = of_problem(results, problem);
    competitors.retain(|(_, group)| has_course(results, group));
    let numbers = numbers(results, &competitors);
    if competitors.is_empty()
        || reported.of_steps.is_empty()
        || competitors.len() > MOST_ACROSS
        || numbers.len() > MOST_STEPS
    {
        return None;
    }
    let mut quantities = Vec::new();
    for (name, group) in &competitors {
        for quantity in &reported.of_steps {
            let course = results.course(group, quantity.name);
            let at = |number: &u64| {
                let found = course.iter().find(|(other, _)| other == number);
                cell(results, quantity, found.map(|(_, median)| *median))
            };
            let cells: Vec<Cell> = numbers.iter().map(at).collect();
            let column = column(results, quantity, cells);
            // Steps do not compete.
            quantities.push(Column { group: (*name).to_owned(), best: None, ..column });
        }
    }
    let noun = steps_name(results).trim_end_matches('s');
    Some(Table {
        caption: format!(
            "{}{}",
            caption(results, problem, &capitalized(steps_name(results))),
            about(results, reported, competitors.iter().map(|(_, group)| *group))
        ),
        label: format!("tab:{}{}", steps_name(results), suffix(results, problem)),
        head: noun.to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: numbers.iter().map(|number| Entry::compared(number.to_string())).collect(),
        quantities,
    })
}

fn caption(results: &Results<'_>, problem: usize, what: &str) -> String {
    match &*results.problems[problem].name {
        "" => format!("{what}."),
        name => format!("{what}: {name}."),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Competitors that were tried on a problem.
fn of_problem<'r>(results: &'r Results<'_>, problem: usize) -> Vec<(&'r str, &'r Group)> {
    let competitors = results.competitors.iter().enumerate();
    competitors.filter_map(|(at, name)| Some((&**name, results.group(problem, at)?))).collect()
}

fn median(results: &Results<'_>, problem: usize, competitor: usize, quantity: &Quantity) -> Option<Median> {
    results.median(results.group(problem, competitor)?, quantity.name)
}

/// Whether there is more than a beginning and an end.
fn has_course(results: &Results<'_>, group: &Group) -> bool {
    group.members.iter().any(|&member| results.row(member).steps.len() > 2)
}

fn numbers(results: &Results<'_>, competitors: &[(&str, &Group)]) -> Vec<u64> {
    let members = competitors.iter().flat_map(|(_, group)| &group.members);
    let steps = members.flat_map(|&member| &results.row(member).steps);
    let mut numbers: Vec<u64> = steps.map(|step| step.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn charts(results: &Results<'_>, reported: &Reported) -> Vec<(String, AnyChart)> {
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    if results.competitors.len() > 1 || results.problems.len() > 1 {
        for quantity in &reported.quantities {
            let together: Vec<usize> = (0..results.problems.len()).collect();
            let chart =
                are_alike(results, quantity).then(|| compared(results, quantity, &together)).flatten();
            if let Some(chart) = chart {
                charts.push((quantity.name.to_owned(), chart));
                continue;
            }
            for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
                let name = format!("{}{}", quantity.name, suffix(results, problem));
                charts.extend(compared(results, quantity, &[problem]).map(|chart| (name, chart)));
            }
        }
    }
    for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
        let name = |kind: &str| format!("{kind}{}", suffix(results, problem));
        charts.extend(front(results, reported, problem).map(|chart| (name("front"), chart)));
        for quantity in &reported.of_steps {
            let kind = format!("{}_{}", steps_name(results), quantity.name);
            charts.extend(course(results, quantity, problem).map(|chart| (name(&kind), chart)));
        }
    }
    charts
}

/// Competitors by the median of a quantity, with its interval, on these problems.
fn compared(results: &Results<'_>, quantity: &Quantity, problems: &[usize]) -> Option<AnyChart> {
    let trusted = |problem, competitor| {
        let Median { value, low, high, .. } = median(results, problem, competitor, quantity)?;
        let [value, low, high] = [value, low, high].map(|number| quantity.shown(number));
        Some(Trusted { value, low, high })
    };
    let of = |(number, &problem): (usize, &usize)| Series {
        name: results.problems[problem].name.clone(),
        state: State::Run(number),
        values: (0..results.competitors.len()).map(|competitor| trusted(problem, competitor)).collect(),
    };
    let problems: Vec<Series<Vec<Option<Trusted>>>> = problems.iter().enumerate().map(of).collect();
    problems.iter().flat_map(|problem| &problem.values).flatten().next()?;
    Some(Box::new(Medians {
        competitors: results.competitors.clone(),
        problems,
        quantity: quantity.title.to_owned(),
        unit: quantity.unit().to_owned(),
        title: String::new(),
    }))
}

/// Problems whose largest values differ by more have charts of their own.
const ALIKE: f64 = 30.0;

/// Whether all problems have room in one chart, and the same scale serves them all.
fn are_alike(results: &Results<'_>, quantity: &Quantity) -> bool {
    let largest = |problem: usize| {
        let values = (0..results.competitors.len()).filter_map(|at| median(results, problem, at, quantity));
        values.map(|median| median.value).fold(0.0, f64::max)
    };
    let largest: Vec<f64> = (0..results.problems.len()).map(largest).filter(|value| *value > 0.0).collect();
    let (least, most) =
        (largest.iter().copied().fold(f64::INFINITY, f64::min), largest.iter().copied().fold(0.0, f64::max));
    results.problems.len() <= MOST_ACROSS && most <= ALIKE * least
}

/// How good competitors are against how much they move.
fn front(results: &Results<'_>, reported: &Reported, problem: usize) -> Option<AnyChart> {
    let [up, across] = &reported.front()[..] else { return None };
    let value =
        |group: &Group, quantity: &Quantity| results.median(group, quantity.name).map(|median| median.value);
    let all: Vec<Vec<Option<f64>>> =
        results.groups.iter().map(|group| vec![value(group, up), value(group, across)]).collect();
    let is_on = on_fronts(results, &[*up, *across], &all);
    let of = |(place, group): (usize, &Group)| {
        let [Some(y), Some(x)] = all[place][..] else { return None };
        Some(Series {
            name: results.competitors[group.competitor].clone(),
            state: State::Run(group.competitor),
            values: FrontPoint { x, y, is_on_front: is_on[place] },
        })
    };
    let groups = results.groups.iter().enumerate().filter(|(_, group)| group.problem == problem);
    let points: Vec<Series<FrontPoint>> = groups.filter_map(of).collect();
    // One point is no comparison.
    (points.len() > 1).then(|| {
        let named = |quantity: &Quantity| (quantity.title.to_owned(), quantity.unit().to_owned());
        Box::new(Front { points, across: named(across), up: named(up), title: String::new() }) as AnyChart
    })
}

/// Medians of a quantity from step to step.
fn course(results: &Results<'_>, quantity: &Quantity, problem: usize) -> Option<AnyChart> {
    let competitors =
        of_problem(results, problem).into_iter().filter(|(_, group)| has_course(results, group));
    let (mut series, mut intervals) = (Vec::new(), Vec::new());
    for (name, group) in competitors {
        let course = results.course(group, quantity.name);
        if course.is_empty() {
            continue;
        }
        let shown = |value: f64| quantity.shown(value);
        let values = course.iter().map(|(number, median)| (*number, shown(median.value))).collect();
        series.push(Series { name: name.to_owned(), state: State::Run(series.len()), values });
        intervals.push(
            course
                .iter()
                .map(|(number, median)| (*number, [shown(median.low), shown(median.high)]))
                .collect(),
        );
    }
    (!series.is_empty()).then(|| {
        let course = Course {
            steps: steps_name(results).trim_end_matches('s').to_owned(),
            series,
            bound: Vec::new(),
            bound_remark: String::new(),
            quantity: quantity.title.to_owned(),
            unit: quantity.unit().to_owned(),
            title: String::new(),
        };
        Box::new(MedianCourse { course, intervals }) as AnyChart
    })
}
