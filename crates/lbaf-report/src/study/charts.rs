// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a study: medians with their intervals, Pareto fronts, and medians by step.

use lbaf_plot::{Front, FrontPoint, MedianTimeSeries, Medians, Series, State, TimeSeries, Trusted};
use lbaf_run::study::{Group, ReportedQuantities, StudyQuantity, StudyResults};
use lbaf_study::Median;

use super::{MOST_ACROSS, MOST_PROBLEMS, has_course, median, of_problem, steps_name, suffix};
use crate::charts::AnyChart;

/// Maximum number of names in a legend.
const MOST_NAMED: usize = 6;

/// Returns all charts, with the names of their files.
pub(super) fn charts(results: &StudyResults<'_>, reported: &ReportedQuantities) -> Vec<(String, AnyChart)> {
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    if results.competitors.len() > 1 || results.problems.len() > 1 {
        for quantity in &reported.quantities {
            let together: Vec<usize> = (0..results.problems.len()).collect();
            let chart = are_alike(results, quantity)
                .then(|| compared(results, reported, quantity, &together))
                .flatten();
            if let Some(chart) = chart {
                charts.push((quantity.name.to_owned(), chart));
                continue;
            }
            for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
                let name = format!("{}{}", quantity.name, suffix(results, problem));
                charts.extend(compared(results, reported, quantity, &[problem]).map(|chart| (name, chart)));
            }
        }
    }
    for problem in 0..results.problems.len().min(MOST_PROBLEMS) {
        let name = |kind: &str| format!("{kind}{}", suffix(results, problem));
        charts.extend(front(results, reported, problem).map(|chart| (name("front"), chart)));
        for quantity in &reported.of_steps {
            let kind = format!("{}_{}", steps_name(results), quantity.name);
            charts.extend(course(results, reported, quantity, problem).map(|chart| (name(&kind), chart)));
        }
    }
    charts
}

/// Returns a chart of the medians of a quantity with their intervals, by competitor and problem. The start comes
/// first if it is the same for all competitors.
fn compared(
    results: &StudyResults<'_>,
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
    let has_start = starts.iter().any(Option::is_some);
    let of = |((number, &problem), start): ((usize, &usize), Option<Trusted>)| Series {
        name: results.problems[problem].name.clone(),
        state: State::Run(number),
        values: (has_start.then_some(start).into_iter())
            .chain((0..results.competitors.len()).map(|competitor| of_competitor(problem, competitor)))
            .collect(),
    };
    let name = |at: usize| {
        let groups: Vec<&Group> = problems.iter().filter_map(|&problem| results.group(problem, at)).collect();
        let all = |is: &dyn Fn(&Group) -> bool| !groups.is_empty() && groups.iter().all(|group| is(group));
        let lacks = |group: &Group| results.median(group, quantity.name).is_none();
        let remark = if all(&|group| group.members.is_empty()) {
            " (failed)"
        } else if all(&|group| lacks(group) && results.exceeds_kept_bounds(group)) {
            " (over bounds)"
        } else {
            ""
        };
        format!("{}{remark}", results.competitors[at])
    };
    let competitors = (has_start.then(|| reported.start_name().to_owned()).into_iter())
        .chain((0..results.competitors.len()).map(name))
        .collect();
    let problems: Vec<Series<Vec<Option<Trusted>>>> =
        problems.iter().enumerate().zip(starts).map(of).collect();
    problems.iter().flat_map(|problem| &problem.values).flatten().next()?;
    Some(Box::new(Medians {
        competitors,
        problems,
        quantity: quantity.title.to_owned(),
        unit: quantity.unit().to_owned(),
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

/// Returns a chart of the Pareto front of the objective and the number of migrations.
fn front(results: &StudyResults<'_>, reported: &ReportedQuantities, problem: usize) -> Option<AnyChart> {
    let [up, across] = &reported.front()[..] else { return None };
    let value = |group: &Group, quantity: &StudyQuantity| {
        results.median(group, quantity.name).map(|median| median.value)
    };
    let all: Vec<Vec<Option<f64>>> =
        results.groups.iter().map(|group| vec![value(group, up), value(group, across)]).collect();
    let is_on = results.on_fronts(&[*up, *across], &all);
    let mut groups: Vec<(usize, &Group)> =
        results.groups.iter().enumerate().filter(|(_, group)| group.problem == problem).collect();
    // In a crowded chart, only points on the front are named, at most `MOST_NAMED` of them.
    groups.sort_by_key(|(place, _)| !is_on[*place]);
    let (mut points, mut others) = (Vec::new(), Vec::new());
    let is_crowded = groups.len() > MOST_NAMED;
    for (place, group) in groups {
        let [Some(y), Some(x)] = all[place][..] else { continue };
        let values = FrontPoint { x: across.shown(x), y: up.shown(y), is_on_front: is_on[place] };
        if is_crowded && (!is_on[place] || points.len() == MOST_NAMED) {
            others.push(values);
        } else {
            let state = State::Run(if is_crowded { points.len() } else { group.competitor });
            points.push(Series { name: results.competitors[group.competitor].clone(), state, values });
        }
    }
    // A single point compares nothing.
    (points.len() + others.len() > 1).then(|| {
        let named = |quantity: &StudyQuantity| (quantity.title.to_owned(), quantity.unit().to_owned());
        Box::new(Front { points, others, across: named(across), up: named(up), title: String::new() })
            as AnyChart
    })
}

/// Returns the best competitors on a problem among those with steps, limited by the size of a legend.
fn shown_in_course<'r>(
    results: &'r StudyResults<'_>,
    reported: &ReportedQuantities,
    problem: usize,
) -> Vec<(&'r str, &'r Group)> {
    let mut competitors = of_problem(results, problem);
    competitors.retain(|(_, group)| has_course(results, group));
    if competitors.len() > MOST_NAMED {
        let cost = |group: &Group| {
            let median = results.median(group, reported.objective.name);
            median.map_or(f64::INFINITY, |median| reported.objective.cost(median.value))
        };
        competitors.sort_by(|one, other| cost(one.1).total_cmp(&cost(other.1)));
        competitors.truncate(MOST_NAMED);
    }
    competitors
}

/// Returns a chart of the medians of a quantity by step.
fn course(
    results: &StudyResults<'_>,
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
        series.push(Series { name: name.to_owned(), state: State::Run(series.len()), values });
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
            unit: quantity.unit().to_owned(),
            title: String::new(),
        };
        Box::new(MedianTimeSeries { medians, intervals }) as AnyChart
    })
}
