// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a study: competitors on each problem, the objective on all problems, values by step, and the ranking.

use std::fmt::Write as _;

use lbaf_plot::{Cell, Entry, Layout, Quantity as Column, Table};
use lbaf_run::study::{
    Better, CompetitorMarks, FAILED, Group, QuantityKind, ReportedQuantities, StudyQuantity, StudyResults,
    meaning,
};
use lbaf_study::{Median, Placing};
use lbaf_text::number::{counted, significant_to};

use super::{MOST_ACROSS, MOST_PROBLEMS, has_course, of_problem, steps_name, suffix};

/// Maximum number of steps in a table, which must fit on a page.
const MOST_STEPS: usize = 60;

/// Returns all tables, with the names of their files.
pub(super) fn tables(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Vec<(String, Table)> {
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

/// Returns the sentences of a caption on repetitions, intervals and marks.
fn about<'g>(
    results: &StudyResults<'_>,
    reported: &ReportedQuantities,
    groups: impl Iterator<Item = &'g Group> + Clone,
    n_problems: usize,
) -> String {
    let medians: Vec<Median> = groups
        .clone()
        .filter_map(|group| results.median(group, reported.objective.name))
        .filter(|median| median.n > 1)
        .collect();
    let mut about = String::new();
    let counts = || medians.iter().map(|median| median.n);
    if let (Some(least), Some(most)) = (counts().min(), counts().max()) {
        let n = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let confidence = medians.iter().map(|median| median.confidence).fold(1.0, f64::min);
        // Few repetitions may give less than the requested confidence.
        let confidence = significant_to(100.0 * confidence.min(results.study.report.confidence), 3);
        let _ = write!(
            about,
            " Medians of {n} repetitions, with intervals of {confidence} % confidence in brackets"
        );
        let is_single = |group: &Group| group.members.len() == 1 && group.n_failed == 0;
        about +=
            if groups.clone().any(is_single) { "; strategies without random numbers ran once." } else { "." };
    }
    if CompetitorMarks::of(results, groups).worse_on > 0 {
        about += " ";
        about += &meaning(results, n_problems);
    }
    about
}

/// Returns the cell of the median of a group; `failed` for the objective of a group without results.
fn group_cell(
    results: &StudyResults<'_>,
    reported: &ReportedQuantities,
    group: &Group,
    quantity: &StudyQuantity,
) -> Cell {
    if group.members.is_empty() && *quantity == reported.objective {
        return Cell::Text(FAILED.to_owned());
    }
    cell(results, quantity, results.median(group, quantity.name))
}

/// Returns the entry of a competitor, with its marks.
fn entry<'g>(
    results: &StudyResults<'_>,
    competitor: usize,
    groups: impl Iterator<Item = &'g Group>,
) -> Entry {
    Entry::compared(CompetitorMarks::of(results, groups).marked(&results.competitors[competitor]))
}

/// Returns the cell of a median. Its interval is included unless the interval is narrower than the printed digits.
fn cell(results: &StudyResults<'_>, quantity: &StudyQuantity, median: Option<Median>) -> Cell {
    let Some(Median { value, low, high, .. }) = median else { return Cell::Absent };
    let [value, low, high] = [value, low, high].map(|number| quantity.shown(number));
    if high - low > libm::exp10(-f64::from(results.study.report.digits)) * value.abs() {
        return Cell::Interval { value, low, high };
    }
    quantity.count(value).map_or(Cell::Real(value), Cell::Count)
}

fn best(better: Better) -> lbaf_plot::Best {
    match better {
        Better::Less => lbaf_plot::Best::Least,
        Better::More => lbaf_plot::Best::Greatest,
    }
}

fn column(results: &StudyResults<'_>, quantity: &StudyQuantity, cells: Vec<Cell>) -> Column {
    Column {
        name: quantity.title.to_owned(),
        group: String::new(),
        unit: results.unit(quantity).to_owned(),
        digits: if quantity.kind == QuantityKind::Count { 1 } else { results.study.report.digits },
        best: quantity.better.map(best),
        cells,
    }
}

/// Returns the table of the medians of the objective, by competitor and problem.
fn over_problems(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Table {
    let of = |problem: usize| {
        let cell = |competitor| match results.group(problem, competitor) {
            Some(group) if results.exceeds_kept_bounds(group) => Cell::Text("over bounds".to_owned()),
            Some(group) => group_cell(results, reported, group, &reported.objective),
            None => Cell::Absent,
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
            about(results, reported, results.groups.iter(), results.problems.len())
        ),
        label: "tab:objective".to_owned(),
        head: if layout == Layout::QuantitiesDown { "problem" } else { "competitor" }.to_owned(),
        layout,
        entries: everywhere(results),
        quantities: (0..results.problems.len()).map(of).collect(),
    }
}

/// Returns the entries of all competitors, with marks that cover all problems.
fn everywhere(results: &StudyResults<'_>) -> Vec<Entry> {
    let entry = |at: usize| entry(results, at, results.of_competitor(at));
    (0..results.competitors.len()).map(entry).collect()
}

fn ranking(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Table {
    let placings = results.placings();
    let n_problems = placings.iter().map(|placing| placing.n_problems).max().unwrap_or(0);
    let quantity = |name: &str, best, cells| Column {
        name: name.to_owned(),
        group: String::new(),
        unit: String::new(),
        digits: results.study.report.digits,
        best: Some(best),
        cells,
    };
    let place =
        |placing: &Placing| placing.mean_place.map_or(Cell::Text("not placed".to_owned()), Cell::Real);
    let places = placings.iter().map(place).collect();
    let wins = placings.iter().map(|placing| Cell::Count(placing.n_wins as u64)).collect();
    let is_marked = CompetitorMarks::of(results, &results.groups).worse_on > 0;
    Table {
        caption: format!(
            "Mean places by {} over {}, and numbers of wins.{}",
            reported.objective.title,
            counted(n_problems, "problem"),
            if is_marked { format!(" {}", meaning(results, results.problems.len())) } else { String::new() }
        ),
        label: "tab:ranking".to_owned(),
        head: "competitor".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: everywhere(results),
        quantities: vec![
            quantity("mean place", lbaf_plot::Best::Least, places),
            quantity("wins", lbaf_plot::Best::Greatest, wins),
        ],
    }
}

/// Returns the table of the medians of all reported quantities on one problem.
fn medians(results: &StudyResults<'_>, reported: &ReportedQuantities, problem: usize) -> Table {
    let competitors = of_problem(results, problem);
    let of = |quantity: &StudyQuantity| {
        let cells =
            competitors.iter().map(|(_, group)| group_cell(results, reported, group, quantity)).collect();
        column(results, quantity, cells)
    };
    let entry = |group: &&Group| {
        let entry = entry(results, group.competitor, std::iter::once(*group));
        if results.exceeds_kept_bounds(group) { Entry::reference(entry.name) } else { entry }
    };
    Table {
        caption: format!(
            "{}{}{}",
            caption(results, problem, "Comparison of competitors"),
            about(results, reported, competitors.iter().map(|(_, group)| *group), 1),
            restrictions(results, &competitors)
        ),
        label: format!("tab:medians{}", suffix(results, problem)),
        head: "competitor".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: competitors.iter().map(|(_, group)| entry(group)).collect(),
        quantities: reported.quantities.iter().map(of).collect(),
    }
}

/// Returns sentences on the lower bounds of competitors that keep memory blocks whole, because gaps in the table refer
/// to the bound for all placements.
fn restrictions(results: &StudyResults<'_>, competitors: &[(&str, &Group)]) -> String {
    let sentence = |(name, group): &(&str, &Group)| {
        let bound = results.median(group, "whole_blocks_bound")?.value;
        let unit = results.work_unit();
        let bound = significant_to(bound, 4);
        Some(format!(
            " {name} keeps blocks whole; the max work of such placements is at least {bound} {unit}."
        ))
    };
    competitors.iter().filter_map(sentence).collect()
}

/// Returns the table of medians by step on one problem, with competitors side by side; `None` without intermediate
/// steps, or if the table would be too wide or too long.
fn steps(results: &StudyResults<'_>, reported: &ReportedQuantities, problem: usize) -> Option<Table> {
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
            let group = CompetitorMarks::of(results, [*group]).marked(name);
            quantities.push(Column { group, best: None, ..column });
        }
    }
    let noun = steps_name(results).trim_end_matches('s');
    Some(Table {
        caption: format!(
            "{}{}",
            caption(results, problem, &capitalized(steps_name(results))),
            about(results, reported, competitors.iter().map(|(_, group)| *group), 1)
        ),
        label: format!("tab:{}{}", steps_name(results), suffix(results, problem)),
        head: noun.to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: numbers.iter().map(|number| Entry::compared(number.to_string())).collect(),
        quantities,
    })
}

fn caption(results: &StudyResults<'_>, problem: usize, what: &str) -> String {
    match &*results.problems[problem].name {
        "" => format!("{what}."),
        name => format!("{what}: {name}."),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn numbers(results: &StudyResults<'_>, competitors: &[(&str, &Group)]) -> Vec<u64> {
    let members = competitors.iter().flat_map(|(_, group)| &group.members);
    let steps = members.flat_map(|&member| &results.row(member).steps);
    let mut numbers: Vec<u64> = steps.map(|step| step.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
