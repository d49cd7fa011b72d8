// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a study: medians with intervals, Pareto fronts, and medians by step. A competitor has the same look in all
//! charts.

use lbaf_plot::{Front, FrontPoint, MedianTimeSeries, Medians, Series, State, TimeSeries, Trusted};
use lbaf_run::study::{Group, ReportedQuantities, StudyQuantity, StudyResults};
use lbaf_study::Median;

use super::{MOST_ACROSS, MOST_PROBLEMS, has_course, median, of_problem, steps_name, suffix};
use crate::charts::AnyChart;

/// Looks of competitors by number, the same in all charts.
struct Looks(Vec<usize>);

impl Looks {
    /// Numbers the competitors in order. If there are more competitors than looks, those with a line in a chart come
    /// first, then those on a Pareto front.
    fn new(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Self {
        let n = results.competitors.len();
        let mut order: Vec<usize> = Vec::new();
        if n > State::N_LOOKS {
            let problems = || 0..results.problems.len().min(MOST_PROBLEMS);
            order.extend(problems().flat_map(|problem| {
                shown_in_course(results, reported, problem).into_iter().map(|(_, group)| group.competitor)
            }));
            if let [up, across] = &reported.front()[..] {
                let (_, is_on) = front_values(results, up, across);
                let on_front = results.groups.iter().zip(is_on).filter(|(_, is_on)| *is_on);
                order.extend(on_front.map(|(group, _)| group.competitor));
            }
        }
        order.extend(0..n);
        let mut numbers = vec![usize::MAX; n];
        let mut next = 0;
        for competitor in order {
            if numbers[competitor] == usize::MAX {
                numbers[competitor] = next;
                next += 1;
            }
        }
        Self(numbers)
    }

    fn of(&self, competitor: usize) -> State {
        State::Run(self.0[competitor])
    }
}

/// Maximum number of legible lines with intervals in a chart.
const MOST_LINES: usize = 6;

/// Returns all charts, with the names of their files.
pub(super) fn charts(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Vec<(String, AnyChart)> {
    let looks = Looks::new(results, reported);
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    if results.competitors.len() > 1 || results.problems.len() > 1 {
        for quantity in &reported.quantities {
            let together: Vec<usize> = (0..results.problems.len()).collect();
            let chart = are_alike(results, quantity)
                .then(|| compared((results, &looks), reported, quantity, &together))
                .flatten();
            if let Some(chart) = chart {
                charts.push((quantity.name.to_owned(), chart));
                continue;
            }
            for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
                let name = format!("{}{}", quantity.name, suffix(results, problem));
                charts.extend(
                    compared((results, &looks), reported, quantity, &[problem]).map(|chart| (name, chart)),
                );
            }
        }
    }
    for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
        let name = |kind: &str| format!("{kind}{}", suffix(results, problem));
        charts.extend(front((results, &looks), reported, problem).map(|chart| (name("front"), chart)));
        for quantity in &reported.of_steps {
            let kind = format!("{}_{}", steps_name(results), quantity.name);
            charts.extend(
                course((results, &looks), reported, quantity, problem).map(|chart| (name(&kind), chart)),
            );
        }
    }
    charts
}

/// Returns a chart of the medians of a quantity with intervals, by competitor and problem. The start comes first if it
/// is the same for all competitors.
fn compared(
    (results, looks): (&StudyResults<'_>, &Looks),
    reported: &ReportedQuantities,
    quantity: &StudyQuantity,
    problems: &[usize],
) -> Option<AnyChart> {
    let trusted = |median: Median| {
        let [value, low, high] = [median.value, median.low, median.high].map(|number| quantity.shown(number));
        Trusted { value, low, high }
    };
    let of_competitor = |problem, competitor| median(results, problem, competitor, quantity).map(trusted);
    let starts: Vec<Option<Trusted>> =
        problems.iter().map(|&problem| results.start(problem, quantity).map(trusted)).collect();
    let start = starts.iter().any(Option::is_some).then(|| Series {
        name: reported.start_name().to_owned(),
        state: State::Before,
        values: starts,
    });
    let remark = |at: usize| {
        let groups: Vec<&Group> = problems.iter().filter_map(|&problem| results.group(problem, at)).collect();
        let all = |is: &dyn Fn(&Group) -> bool| !groups.is_empty() && groups.iter().all(|group| is(group));
        let lacks = |group: &Group| results.median(group, quantity.name).is_none();
        if all(&|group| group.members.is_empty()) {
            " (failed)"
        } else if all(&|group| lacks(group) && results.exceeds_kept_bounds(group)) {
            " (over bounds)"
        } else {
            ""
        }
    };
    let of = |at: usize| Series {
        name: format!("{}{}", results.competitors[at], remark(at)),
        state: looks.of(at),
        values: problems.iter().map(|&problem| of_competitor(problem, at)).collect::<Vec<_>>(),
    };
    let competitors: Vec<Series<Vec<Option<Trusted>>>> =
        start.into_iter().chain((0..results.competitors.len()).map(of)).collect();
    competitors.iter().flat_map(|competitor| &competitor.values).flatten().next()?;
    Some(Box::new(Medians {
        problems: problems.iter().map(|&problem| results.problems[problem].name.clone()).collect(),
        competitors,
        quantity: quantity.title.to_owned(),
        unit: results.unit(quantity).to_owned(),
        title: String::new(),
    }))
}

/// Maximum ratio between the largest medians of problems in one chart.
const ALIKE: f64 = 30.0;

/// True if one chart with one scale can show all problems.
fn are_alike(results: &StudyResults<'_>, quantity: &StudyQuantity) -> bool {
    let largest = |problem: usize| {
        let values = (0..results.competitors.len()).filter_map(|at| median(results, problem, at, quantity));
        values.map(|median| median.value).fold(0.0, f64::max)
    };
    let largest: Vec<f64> = (0..results.problems.len()).map(largest).filter(|value| *value > 0.0).collect();
    let (least, most) =
        (largest.iter().copied().fold(f64::INFINITY, f64::min), largest.iter().copied().fold(0.0, f64::max));
    results.problems.len() <= MOST_ACROSS && most <= ALIKE * least
}

/// Returns a chart of the Pareto front of the objective and the number of migrations; `None` if the objective is the
/// number of migrations, or with fewer than two points.
fn front(
    (results, looks): (&StudyResults<'_>, &Looks),
    reported: &ReportedQuantities,
    problem: usize,
) -> Option<AnyChart> {
    let [up, across] = &reported.front()[..] else { return None };
    let (all, is_on) = front_values(results, up, across);
    let mut groups: Vec<(usize, &Group)> =
        results.groups.iter().enumerate().filter(|(_, group)| group.problem == problem).collect();
    // A crowded chart names only points on the front, as many as there are looks.
    let is_crowded = groups.len() > State::N_LOOKS;
    if is_crowded {
        groups.sort_by_key(|(place, _)| !is_on[*place]);
    }
    let (mut points, mut others) = (Vec::new(), Vec::new());
    for (place, group) in groups {
        let [Some(y), Some(x)] = all[place][..] else { continue };
        let values = FrontPoint { x: across.shown(x), y: up.shown(y), is_on_front: is_on[place] };
        if is_crowded && (!is_on[place] || points.len() == State::N_LOOKS) {
            others.push(values);
        } else {
            let state = looks.of(group.competitor);
            points.push(Series { name: results.competitors[group.competitor].clone(), state, values });
        }
    }
    (points.len() + others.len() > 1).then(|| {
        let named = |quantity: &StudyQuantity| (quantity.title.to_owned(), results.unit(quantity).to_owned());
        Box::new(Front { points, others, across: named(across), up: named(up), title: String::new() })
            as AnyChart
    })
}

/// Returns both quantities of the front for all groups, and true for each group on the front of its problem.
fn front_values(
    results: &StudyResults<'_>,
    up: &StudyQuantity,
    across: &StudyQuantity,
) -> (Vec<Vec<Option<f64>>>, Vec<bool>) {
    let value = |group: &Group, quantity: &StudyQuantity| {
        results.median(group, quantity.name).map(|median| median.value)
    };
    let all: Vec<Vec<Option<f64>>> =
        results.groups.iter().map(|group| vec![value(group, up), value(group, across)]).collect();
    let is_on = results.on_fronts(&[*up, *across], &all);
    (all, is_on)
}

/// Returns the competitors with intermediate steps on a problem; if there are more than [`MOST_LINES`], the best by the
/// objective.
fn shown_in_course<'r>(
    results: &'r StudyResults<'_>,
    reported: &ReportedQuantities,
    problem: usize,
) -> Vec<(&'r str, &'r Group)> {
    let mut competitors = of_problem(results, problem);
    competitors.retain(|(_, group)| has_course(results, group));
    if competitors.len() > MOST_LINES {
        let cost = |group: &Group| {
            let median = results.median(group, reported.objective.name);
            median.map_or(f64::INFINITY, |median| reported.objective.cost(median.value))
        };
        competitors.sort_by(|one, other| cost(one.1).total_cmp(&cost(other.1)));
        competitors.truncate(MOST_LINES);
    }
    competitors
}

/// Returns a chart of the medians of a quantity by step; `None` without steps that have it.
fn course(
    (results, looks): (&StudyResults<'_>, &Looks),
    reported: &ReportedQuantities,
    quantity: &StudyQuantity,
    problem: usize,
) -> Option<AnyChart> {
    let competitors = shown_in_course(results, reported, problem);
    let (mut series, mut intervals) = (Vec::new(), Vec::new());
    for (name, group) in competitors {
        let course = results.course(group, quantity.name);
        if course.is_empty() {
            continue;
        }
        let shown = |value: f64| quantity.shown(value);
        let values = course.iter().map(|(number, median)| (*number, shown(median.value))).collect();
        series.push(Series { name: name.to_owned(), state: looks.of(group.competitor), values });
        intervals.push(
            course
                .iter()
                .map(|(number, median)| (*number, [shown(median.low), shown(median.high)]))
                .collect(),
        );
    }
    (!series.is_empty()).then(|| {
        let medians = TimeSeries {
            steps: steps_name(results).trim_end_matches('s').to_owned(),
            series,
            bound: Vec::new(),
            bound_remark: String::new(),
            quantity: quantity.title.to_owned(),
            unit: results.unit(quantity).to_owned(),
            title: String::new(),
        };
        Box::new(MedianTimeSeries { medians, intervals }) as AnyChart
    })
}
