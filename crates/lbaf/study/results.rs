// SPDX-License-Identifier: MIT OR Apache-2.0
//! All cells together, and what belongs together in them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use lbaf_config::{Role, StudyConfig};
use lbaf_run::summary::rounding::compare;
use lbaf_study::Median;

use super::bounds;
use super::cell::{Cell, Row, Values, exceeds_bounds};
use super::plan::Planned;
use super::quantity::{LARGEST_EXCESS, Quantity};

/// A study with the results of its cells.
pub(super) struct Results<'a> {
    pub(super) study: &'a StudyConfig,
    pub(super) cells: Vec<Cell>,
    /// Of each cell the first one that is the same.
    pub(super) same_as: Vec<usize>,
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
    /// Cells, each different from the others, and positions of rows in them.
    pub(super) members: Vec<(usize, usize)>,
    /// Different cells that failed.
    pub(super) n_failed: usize,
}

/// Groups by problem and competitor.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    /// Positions of groups.
    places: BTreeMap<(usize, usize), usize>,
}

impl Groups {
    fn of(&mut self, problem: usize, competitor: usize) -> &mut Group {
        let place = *self.places.entry((problem, competitor)).or_insert(self.groups.len());
        if place == self.groups.len() {
            self.groups.push(Group { problem, competitor, members: Vec::new(), n_failed: 0 });
        }
        &mut self.groups[place]
    }
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
    /// The results of cells that were planned so.
    pub(super) fn new(study: &'a StudyConfig, planned: &[Planned], mut cells: Vec<Cell>) -> Self {
        let posed: Vec<Option<&str>> = planned.iter().map(|cell| cell.problem.as_deref()).collect();
        bounds::share(&mut cells, &posed);
        let (mut competitors, mut problems) = (Numbered::default(), Numbered::default());
        let mut phases: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
        for (number, cell) in cells.iter().enumerate() {
            competitors.number(labels(study, number, Role::Competitor));
            let labels = labels(study, number, Role::Problem);
            let known = cell.rows.iter().map(|row| problems.number((labels.clone(), row.phase)));
            phases.entry(labels.clone()).or_default().extend(known);
        }
        // Where every cell failed, the phases are unknown.
        for (labels, known) in phases.iter_mut().filter(|(_, known)| known.is_empty()) {
            known.insert(problems.number((labels.clone(), None)));
        }
        let mut groups = Groups::default();
        let mut counted = BTreeSet::new();
        for (number, cell) in cells.iter().enumerate() {
            let competitor = competitors.number(labels(study, number, Role::Competitor));
            let labels = labels(study, number, Role::Problem);
            // Repetitions that draw nothing are one cell.
            if !counted.insert((&planned[number].identity, competitor, labels.clone())) {
                continue;
            }
            for (position, row) in cell.rows.iter().enumerate() {
                let problem = problems.number((labels.clone(), row.phase));
                groups.of(problem, competitor).members.push((number, position));
            }
            if cell.error.is_some() {
                phases[&labels].iter().for_each(|&problem| groups.of(problem, competitor).n_failed += 1);
            }
        }
        let same_as = same_as(planned);
        let problems = named(study, problems.in_order);
        let competitors = competitors.in_order.iter().map(|labels| competitor(labels, &cells)).collect();
        let Groups { groups, places } = groups;
        Results { study, cells, same_as, groups, places, problems, competitors }
    }

    /// What is to be said if competitors on a problem have different work models and are ranked by work.
    pub(super) fn other_objective(&self, objective: &Quantity) -> Option<String> {
        let model = |group: &Group| group.members.first().map(|&(cell, _)| &*self.cells[cell].work_model);
        let mut models: BTreeMap<usize, &str> = BTreeMap::new();
        let differ = self.groups.iter().any(|group| {
            model(group).is_some_and(|model| *models.entry(group.problem).or_insert(model) != model)
        });
        (differ && ["max_work", "work_imbalance"].contains(&objective.name)).then(|| {
            format!(
                "competitors are ranked by {}, but their work models differ, so that work is not the same for all; \
                 `report.objective` may name a quantity that is, for example load_imbalance",
                objective.title
            )
        })
    }

    pub(super) fn row(&self, (cell, row): (usize, usize)) -> &Row {
        &self.cells[cell].rows[row]
    }

    /// The group of a competitor on a problem.
    pub(super) fn group(&self, problem: usize, competitor: usize) -> Option<&Group> {
        self.places.get(&(problem, competitor)).map(|&place| &self.groups[place])
    }

    /// The groups of a competitor.
    pub(super) fn of_competitor(&self, competitor: usize) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.competitor == competitor)
    }

    /// The median of a quantity over the repetitions of a group; nothing if one of them lacks it.
    pub(super) fn median(&self, group: &Group, quantity: &str) -> Option<Median> {
        self.median_of(group, |row| value(&row.values, quantity))
    }

    /// The median of a quantity where the repetitions of a group started.
    fn median_at_start(&self, group: &Group, quantity: &str) -> Option<Median> {
        self.median_of(group, |row| value(&row.start, quantity))
    }

    /// The median of a quantity where all competitors on a problem started; nothing if they did not start alike.
    pub(super) fn start(&self, problem: usize, quantity: &Quantity) -> Option<Median> {
        let groups = (0..self.competitors.len()).filter_map(|at| self.group(problem, at));
        let groups = groups.filter(|group| !group.members.is_empty());
        let mut starts = groups.map(|group| self.median_at_start(group, quantity.name));
        let start = starts.next()??;
        starts.all(|other| other.is_some_and(|other| other.value == start.value)).then_some(start)
    }

    fn median_of(&self, group: &Group, of: impl Fn(&Row) -> Option<f64>) -> Option<Median> {
        let values = group.members.iter().map(|&member| of(self.row(member)));
        Median::of(values.collect::<Option<Vec<f64>>>()?, self.study.report.confidence)
    }

    /// True if the median of a quantity is worse than that of the start; nothing where the start has no such quantity.
    pub(super) fn is_worse_than_start(&self, group: &Group, quantity: &Quantity) -> Option<bool> {
        Some(self.against_start(group, quantity)?.is_gt())
    }

    /// True if a group ends worse than it started, in the order that the sentences of a run go by: excess over bounds of the
    /// work model first, then the objective.
    pub(super) fn ends_worse(&self, group: &Group, objective: &Quantity) -> Option<bool> {
        let by_excess = self.against_start(group, &LARGEST_EXCESS).unwrap_or(Ordering::Equal);
        Some(by_excess.then(self.against_start(group, objective)?).is_gt())
    }

    /// The median of a quantity against that of the start: less is better.
    fn against_start(&self, group: &Group, quantity: &Quantity) -> Option<Ordering> {
        let end = quantity.cost(self.median(group, quantity.name)?.value);
        let start = quantity.cost(self.median_at_start(group, quantity.name)?.value);
        Some(compare(end, start))
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

    /// True if some repetition exceeds bounds of the work model that another competitor keeps on the same problem. Its
    /// objective is then beside the point: that of results within bounds is not.
    pub(super) fn exceeds_kept_bounds(&self, group: &Group) -> bool {
        let mut others = (0..self.competitors.len()).filter_map(|other| self.group(group.problem, other));
        self.exceeds_bounds(group)
            && others.any(|other| !other.members.is_empty() && !self.exceeds_bounds(other))
    }

    /// True if some repetition exceeds bounds of the work model.
    pub(super) fn exceeds_bounds(&self, group: &Group) -> bool {
        group.members.iter().any(|&member| exceeds_bounds(&self.row(member).values))
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

/// Of each cell the position of the first one that is the same.
fn same_as(planned: &[Planned]) -> Vec<usize> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let positions = planned.iter().enumerate();
    positions.map(|(at, cell)| *first.entry(&cell.identity).or_insert(at)).collect()
}

/// Labels of a cell on the axes of a role.
fn labels(study: &StudyConfig, cell: usize, role: Role) -> Vec<String> {
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
fn named(study: &StudyConfig, problems: Vec<Unnamed>) -> Vec<Problem> {
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
fn names(study: &StudyConfig, problems: &[Unnamed], without: &[&str]) -> Vec<String> {
    let differ =
        |same: &dyn Fn(&Unnamed, &Unnamed) -> bool| problems.windows(2).any(|pair| !same(&pair[0], &pair[1]));
    let phases: BTreeSet<u64> = problems.iter().filter_map(|problem| problem.1).collect();
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
        parts.extend(phase.filter(|_| phases.len() > 1).map(|phase| format!("phase {phase}")));
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
