// SPDX-License-Identifier: MIT OR Apache-2.0
//! All cells together, and what belongs together in them.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_study::Median;

use super::cell::{Cell, Row, Values};
use crate::config::{Role, Study};

/// A study with the results of its cells.
pub(super) struct Results<'a> {
    pub(super) study: &'a Study,
    pub(super) cells: Vec<Cell>,
    /// Repetitions of the same, in the order of their first cells.
    pub(super) groups: Vec<Group>,
    /// Positions of groups by problem and competitor.
    places: BTreeMap<(usize, usize), usize>,
    /// What competitors were tried on, in the order of their first cells.
    pub(super) problems: Vec<Problem>,
    /// Names of competitors, in the order of their first cells.
    pub(super) competitors: Vec<String>,
}

/// A competitor on a problem, again and again.
pub(super) struct Group {
    pub(super) problem: usize,
    pub(super) competitor: usize,
    /// Cells, and positions of rows in them.
    pub(super) members: Vec<(usize, usize)>,
    /// Repetitions that failed.
    pub(super) n_failed: usize,
}

/// What is balanced: a choice on each axis of problems, and a phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    /// Labels on the axes of problems.
    pub(super) labels: Vec<String>,
    pub(super) phase: Option<u64>,
    /// What it is called; empty if there is but one.
    pub(super) name: String,
    /// The same as part of names of files, different for each; empty if there is but one.
    pub(super) file: String,
}

impl<'a> Results<'a> {
    pub(super) fn new(study: &'a Study, cells: Vec<Cell>) -> Self {
        let (mut competitors, mut problems) = (Numbered::default(), Numbered::default());
        let mut groups: Vec<Group> = Vec::new();
        let mut places = BTreeMap::new();
        for (number, cell) in cells.iter().enumerate() {
            let labels = labels(study, number, Role::Problem);
            // Who failed in every cell is no competitor.
            for (position, row) in cell.rows.iter().enumerate() {
                let competitor = competitors.number(self::labels(study, number, Role::Competitor));
                let problem = problems.number((labels.clone(), row.phase));
                let place = *places.entry((problem, competitor)).or_insert(groups.len());
                if place == groups.len() {
                    groups.push(Group { problem, competitor, members: Vec::new(), n_failed: 0 });
                }
                groups[place].members.push((number, position));
            }
        }
        let problems = named(study, problems.in_order);
        for (number, _) in cells.iter().enumerate().filter(|(_, cell)| cell.error.is_some()) {
            let [competitor, labels] =
                [Role::Competitor, Role::Problem].map(|role| labels(study, number, role));
            let is_its = |group: &&mut Group| {
                competitors.in_order[group.competitor] == competitor
                    && problems[group.problem].labels == labels
            };
            groups.iter_mut().filter(is_its).for_each(|group| group.n_failed += 1);
        }
        let competitors = competitors.in_order.iter().map(|labels| competitor(labels, &cells)).collect();
        Results { study, cells, groups, places, problems, competitors }
    }

    pub(super) fn row(&self, (cell, row): (usize, usize)) -> &Row {
        &self.cells[cell].rows[row]
    }

    /// The group of a competitor on a problem.
    pub(super) fn group(&self, problem: usize, competitor: usize) -> Option<&Group> {
        self.places.get(&(problem, competitor)).map(|&place| &self.groups[place])
    }

    /// The median of a quantity over the repetitions of a group.
    pub(super) fn median(&self, group: &Group, quantity: &str) -> Option<Median> {
        let values = group.members.iter().filter_map(|&member| value(&self.row(member).values, quantity));
        Median::of(values, self.study.report.confidence)
    }

    /// Steps of a group: of each number the median of a quantity over repetitions that have it.
    pub(super) fn course(&self, group: &Group, quantity: &str) -> Vec<(u64, Median)> {
        let mut by_step: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for step in group.members.iter().flat_map(|&member| &self.row(member).steps) {
            by_step.entry(step.number).or_default().extend(value(&step.values, quantity));
        }
        let median = |values: Vec<f64>| Median::of(values, self.study.report.confidence);
        by_step.into_iter().filter_map(|(number, values)| Some((number, median(values)?))).collect()
    }

    /// Whether some repetition exceeds a bound of the work model.
    pub(super) fn is_over_bounds(&self, group: &Group) -> bool {
        let of = |quantity: &str| {
            group.members.iter().any(|&member| value(&self.row(member).values, quantity).unwrap_or(0.0) > 0.0)
        };
        of("ranks_over_bounds") || of("phases_over_bounds")
    }

    /// Cells without results, and why.
    pub(super) fn failed(&self) -> impl Iterator<Item = (usize, &str)> {
        self.cells.iter().enumerate().filter_map(|(number, cell)| Some((number, cell.error.as_deref()?)))
    }
}

fn value(values: &Values, quantity: &str) -> Option<f64> {
    values.get(quantity).copied()
}

/// Different items in the order in which they came.
struct Numbered<T> {
    in_order: Vec<T>,
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { in_order: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Clone + Ord> Numbered<T> {
    fn number(&mut self, item: T) -> usize {
        let next = self.in_order.len();
        let number = *self.numbers.entry(item.clone()).or_insert(next);
        if number == next {
            self.in_order.push(item);
        }
        number
    }
}

/// Labels of a cell on the axes of a role.
fn labels(study: &Study, cell: usize, role: Role) -> Vec<String> {
    let axes = study.axes.iter().zip(study.labels(&study.cells[cell]));
    axes.filter(|(axis, _)| axis.role == role).map(|(_, label)| label.to_owned()).collect()
}

/// What a competitor is called: by its labels; where nobody competes, by the strategy that ran, if it was but one.
fn competitor(labels: &[String], cells: &[Cell]) -> String {
    if !labels.is_empty() {
        return labels.join(", ");
    }
    let ran: BTreeSet<&String> =
        cells.iter().flat_map(|cell| &cell.rows).filter_map(|row| row.strategy.as_ref()).collect();
    match (ran.first(), ran.len()) {
        (Some(strategy), 1) => (*strategy).clone(),
        _ => "as configured".to_owned(),
    }
}

/// Labels of a problem, and its phase.
type Unnamed = (Vec<String>, Option<u64>);

/// Axes that choose phases.
const PHASES: [&str; 2] = ["algorithm.phase_id", "from_data.phase_ids"];

/// Problems are called by what differs between them.
fn named(study: &Study, problems: Vec<Unnamed>) -> Vec<Problem> {
    // A phase is called by its number already, unless that would not tell problems apart.
    let mut names = names(study, &problems, &PHASES);
    if (1..names.len()).any(|at| names[..at].contains(&names[at])) {
        names = self::names(study, &problems, &[]);
    }
    let mut files: Vec<String> = Vec::new();
    for name in &names {
        let slug = slug(name);
        let another = |n: usize| if n == 1 { slug.clone() } else { format!("{slug}_{n}") };
        // One of so many is not taken yet.
        files.extend((1..=files.len() + 1).map(another).find(|file| !files.contains(file)));
    }
    let problem = |(((labels, phase), name), file)| Problem { labels, phase, name, file };
    problems.into_iter().zip(names).zip(files).map(problem).collect()
}

/// What problems are called by their labels on axes that differ, but for some, and by their phase if that differs.
fn names(study: &Study, problems: &[Unnamed], without: &[&str]) -> Vec<String> {
    let differ =
        |same: &dyn Fn(&Unnamed, &Unnamed) -> bool| problems.windows(2).any(|pair| !same(&pair[0], &pair[1]));
    let phases = differ(&|one, other| one.1 == other.1);
    let on_axes = study.axes.iter().filter(|axis| axis.role == Role::Problem).enumerate();
    let axes: Vec<(usize, Option<&str>)> = on_axes
        .filter(|(at, axis)| {
            !without.contains(&&*axis.name) && differ(&|one, other| one.0[*at] == other.0[*at])
        })
        .map(|(at, axis)| (at, axis.key.as_deref()))
        .collect();
    let part = |labels: &[String], (axis, key): &(usize, Option<&str>)| match key {
        Some(key) => format!("{key} = {}", labels[*axis]),
        None => labels[*axis].clone(),
    };
    let name = |(labels, phase): &Unnamed| {
        let mut parts: Vec<String> = axes.iter().map(|axis| part(labels, axis)).collect();
        parts.extend(phase.filter(|_| phases).map(|phase| format!("phase {phase}")));
        parts.join(", ")
    };
    problems.iter().map(name).collect()
}

/// A name as part of one of a file.
fn slug(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut slug: String = name.chars().map(plain).collect();
    while slug.contains("__") {
        slug = slug.replace("__", "_");
    }
    slug.trim_matches('_').to_owned()
}
