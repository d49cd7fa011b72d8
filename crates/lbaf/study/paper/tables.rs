// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: competitors on each problem, by the objective over all, step by step, and their places.

use lbaf_plot::{Cell, Entry, Layout, Quantity as Column, Table};
use lbaf_study::{Median, placings};

use super::{MOST_ACROSS, MOST_PROBLEMS, has_course, median, of_problem, steps_name, suffix};
use crate::report::number::significant_to;
use crate::study::quantity::{Kind, Quantity, Reported};
use crate::study::results::{Group, Results};
use crate::study::tables::objectives;

/// A table of more steps is none for a page.
const MOST_STEPS: usize = 60;

/// All tables, with the names of their files.
pub(super) fn tables(results: &Results<'_>, reported: &Reported) -> Vec<(String, Table)> {
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

fn numbers(results: &Results<'_>, competitors: &[(&str, &Group)]) -> Vec<u64> {
    let members = competitors.iter().flat_map(|(_, group)| &group.members);
    let steps = members.flat_map(|&member| &results.row(member).steps);
    let mut numbers: Vec<u64> = steps.map(|step| step.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
