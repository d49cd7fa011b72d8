// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of all cells, grouped by problem and competitor.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::summary::rounding::compare;
use lbaf_config::{AxisRole, MODEL_UNITS, StudyConfig, work_unit};
use lbaf_study::Median;

use super::bound_distances;
use super::cell_result::{CellResult, CellTiming, ResultRow, Values, exceeds_bounds};
use super::plan::{self, PlannedCell};
use super::problem::{StudyProblem, named};
use super::quantity::{LARGEST_EXCESS, QuantityKind, ReportedQuantities, StudyQuantity};
use super::store::CellStore;

/// A study with the results of its cells.
pub struct StudyResults<'a> {
    /// The study.
    pub study: &'a StudyConfig,
    /// Objective and reported quantities.
    pub reported: &'a ReportedQuantities,
    /// Results of the cells, by number.
    pub cells: Vec<CellResult>,
    /// Clock times of the cells.
    pub timings: Vec<CellTiming>,
    /// Identity of each cell, which names its stored result.
    pub identities: Vec<&'a str>,
    /// Warnings about the study: axes without an effect, different work models.
    pub notes: Vec<String>,
    /// The store of the cells.
    pub(super) store: &'a CellStore,
    /// Position of the first cell with the same identity, for each cell.
    pub same_as: Vec<usize>,
    /// Repetitions of each competitor on each problem, in the order of their first cells.
    pub groups: Vec<Group>,
    /// Positions of groups in `groups`, by problem and competitor.
    places: BTreeMap<(usize, usize), usize>,
    /// Problems, in the order of their first cells.
    pub problems: Vec<StudyProblem>,
    /// Names of competitors, in the order of their first cells.
    pub competitors: Vec<String>,
}

/// Repetitions of a competitor on a problem.
pub struct Group {
    /// Position of the problem in [`StudyResults::problems`].
    pub problem: usize,
    /// Position of the competitor in [`StudyResults::competitors`].
    pub competitor: usize,
    /// Results: position of a distinct cell, and of a row in it.
    pub members: Vec<(usize, usize)>,
    /// Number of distinct cells that failed.
    pub n_failed: usize,
}

/// Groups by problem and competitor.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    /// Positions in `groups`, by problem and competitor.
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

impl<'a> StudyResults<'a> {
    /// Groups the results of planned cells.
    pub(super) fn new(
        (study, reported): (&'a StudyConfig, &'a ReportedQuantities),
        (planned, store): (&'a [PlannedCell], &'a CellStore),
        mut cells: Vec<CellResult>,
        timings: Vec<CellTiming>,
    ) -> Self {
        let posed: Vec<Option<&str>> = planned.iter().map(|cell| cell.problem.as_deref()).collect();
        bound_distances::share(&mut cells, &posed);
        let (mut competitors, mut problems) = (Numbered::default(), Numbered::default());
        let mut phases: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
        for (number, cell) in cells.iter().enumerate() {
            competitors.number(labels(study, number, AxisRole::Competitor));
            let labels = labels(study, number, AxisRole::Problem);
            let known = cell.rows.iter().map(|row| problems.number((labels.clone(), row.phase)));
            phases.entry(labels.clone()).or_default().extend(known);
        }
        // If all cells of a problem failed, its phases are unknown.
        for (labels, known) in phases.iter_mut().filter(|(_, known)| known.is_empty()) {
            known.insert(problems.number((labels.clone(), None)));
        }
        let mut groups = Groups::default();
        let mut counted = BTreeSet::new();
        for (number, cell) in cells.iter().enumerate() {
            let competitor = competitors.number(labels(study, number, AxisRole::Competitor));
            let labels = labels(study, number, AxisRole::Problem);
            // Repetitions without random numbers have one identity and count as one cell.
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
        let identities = planned.iter().map(|cell| &*cell.identity).collect();
        let notes = plan::without_effect(study, planned);
        let mut results = StudyResults {
            study,
            reported,
            cells,
            timings,
            identities,
            notes,
            store,
            same_as,
            groups,
            places,
            problems,
            competitors,
        };
        results.notes.extend(results.other_objective());
        results
    }

    /// Returns a warning if competitors are ranked by work but have different work models on a problem.
    pub(super) fn other_objective(&self) -> Option<String> {
        let objective = &self.reported.objective;
        let model = |group: &Group| group.members.first().map(|&(cell, _)| &*self.cells[cell].work_model);
        let mut models: BTreeMap<usize, &str> = BTreeMap::new();
        let differ = self.groups.iter().any(|group| {
            model(group).is_some_and(|model| *models.entry(group.problem).or_insert(model) != model)
        });
        (differ && ["max_work", "work_imbalance"].contains(&objective.name)).then(|| {
            format!(
                "competitors are ranked by {}, but their work models differ, so their work is not comparable; \
                 set `report.objective` to a comparable quantity, for example load_imbalance",
                objective.title
            )
        })
    }

    /// Returns the unit of a quantity in tables and charts.
    pub fn unit(&self, quantity: &StudyQuantity) -> &'static str {
        if quantity.kind == QuantityKind::Work { self.work_unit() } else { quantity.unit() }
    }

    /// Returns the unit of work: `s` if the work models of all cells have work in seconds.
    pub fn work_unit(&self) -> &'static str {
        // The text of a work model is its name without spaces, a space, and its parameters.
        let parameters = |cell: &CellResult| serde_json::from_str(cell.work_model.split_once(' ')?.1).ok();
        let mut models = self.cells.iter().filter_map(parameters);
        if models.all(|parameters| work_unit(&parameters) == "s") { "s" } else { MODEL_UNITS }
    }

    /// Returns a row by the positions of a cell and of a row in it, as in [`Group::members`].
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, (cell, row): (usize, usize)) -> &ResultRow {
        &self.cells[cell].rows[row]
    }

    /// Returns the group of a competitor on a problem; `None` if the competitor has no cell for the problem.
    pub fn group(&self, problem: usize, competitor: usize) -> Option<&Group> {
        self.places.get(&(problem, competitor)).map(|&place| &self.groups[place])
    }

    /// Returns the groups of a competitor.
    pub fn of_competitor(&self, competitor: usize) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.competitor == competitor)
    }

    /// Returns the median of a quantity over the repetitions of a group; `None` without repetitions, or if one lacks
    /// the quantity.
    pub fn median(&self, group: &Group, quantity: &str) -> Option<Median> {
        self.median_of(group, |row| value(&row.values, quantity))
    }

    /// Returns the median of a quantity at the starts of a group; `None` without repetitions, or if one lacks it.
    fn median_at_start(&self, group: &Group, quantity: &str) -> Option<Median> {
        self.median_of(group, |row| value(&row.start, quantity))
    }

    /// Returns the median of a quantity at the common start of all competitors with results on a problem; `None` if
    /// their medians differ, a start lacks the quantity, or all cells failed.
    pub fn start(&self, problem: usize, quantity: &StudyQuantity) -> Option<Median> {
        let groups = (0..self.competitors.len()).filter_map(|at| self.group(problem, at));
        let groups = groups.filter(|group| !group.members.is_empty());
        let mut starts = groups.map(|group| self.median_at_start(group, quantity.name));
        let start = starts.next()??;
        starts.all(|other| other.is_some_and(|other| other.value == start.value)).then_some(start)
    }

    fn median_of(&self, group: &Group, of: impl Fn(&ResultRow) -> Option<f64>) -> Option<Median> {
        let values = group.members.iter().map(|&member| of(self.row(member)));
        Median::of(values.collect::<Option<Vec<f64>>>()?, self.study.report.confidence)
    }

    /// True if the median of a quantity is worse than at the start; `None` if the start or the result lacks
    /// the quantity.
    pub fn is_worse_than_start(&self, group: &Group, quantity: &StudyQuantity) -> Option<bool> {
        Some(self.against_start(group, quantity)?.is_gt())
    }

    /// True if the result of a group is worse than its start, first by excess over upper bounds of the work model, then
    /// by the objective, as in the sentences of a run. `None` if the start or the result lacks the objective.
    pub fn ends_worse(&self, group: &Group, objective: &StudyQuantity) -> Option<bool> {
        let by_excess = self.against_start(group, &LARGEST_EXCESS).unwrap_or(Ordering::Equal);
        Some(by_excess.then(self.against_start(group, objective)?).is_gt())
    }

    /// Compares the median of a quantity with that at the start: `Less` is better, `Greater` worse. `None` if one of
    /// the medians is unknown.
    fn against_start(&self, group: &Group, quantity: &StudyQuantity) -> Option<Ordering> {
        let end = quantity.cost(self.median(group, quantity.name)?.value);
        let start = quantity.cost(self.median_at_start(group, quantity.name)?.value);
        Some(compare(end, start))
    }

    /// Returns the numbers of steps, ascending, each with the median of a quantity over the repetitions that have it in
    /// this step.
    pub fn course(&self, group: &Group, quantity: &str) -> Vec<(u64, Median)> {
        let mut by_step: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for step in group.members.iter().flat_map(|&member| &self.row(member).steps) {
            by_step.entry(step.number).or_default().extend(value(&step.values, quantity));
        }
        let median = |values: Vec<f64>| Median::of(values, self.study.report.confidence);
        by_step.into_iter().filter_map(|(number, values)| Some((number, median(values)?))).collect()
    }

    /// True if a repetition exceeds upper bounds of the work model that another competitor satisfies on the same
    /// problem. The objective of such a group is not comparable with that of feasible results.
    pub fn exceeds_kept_bounds(&self, group: &Group) -> bool {
        let mut others = (0..self.competitors.len()).filter_map(|other| self.group(group.problem, other));
        self.exceeds_bounds(group)
            && others.any(|other| !other.members.is_empty() && !self.exceeds_bounds(other))
    }

    /// True if a repetition exceeds upper bounds of the work model.
    pub fn exceeds_bounds(&self, group: &Group) -> bool {
        group.members.iter().any(|&member| exceeds_bounds(&self.row(member).values))
    }

    /// Returns the numbers of cells without results, and their errors.
    pub fn failed(&self) -> impl Iterator<Item = (usize, &str)> {
        self.cells.iter().enumerate().filter_map(|(number, cell)| Some((number, cell.error.as_deref()?)))
    }
}

fn value(values: &Values, quantity: &str) -> Option<f64> {
    values.get(quantity).copied()
}

/// Distinct items in the order of their first occurrence.
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

/// Returns, for each cell, the position of the first cell with the same identity.
fn same_as(planned: &[PlannedCell]) -> Vec<usize> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let positions = planned.iter().enumerate();
    positions.map(|(at, cell)| *first.entry(&cell.identity).or_insert(at)).collect()
}

/// Returns the labels of a cell on axes of a role.
fn labels(study: &StudyConfig, cell: usize, role: AxisRole) -> Vec<String> {
    let axes = study.axes.iter().zip(study.labels(&study.cells[cell]));
    axes.filter(|(axis, _)| axis.role == role).map(|(_, label)| label.to_owned()).collect()
}

/// Returns the name of a competitor: its labels. Without axes of competitors, the strategy if only one ran, otherwise
/// `as configured`.
fn competitor(labels: &[String], cells: &[CellResult]) -> String {
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
