// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sentences on the ranking: the first competitor, the quantity, the number of problems, and the lead.

use lbaf_text::number::{bytes, counted, percent, significant_to};

use super::view::{CompetitorView, GroupView, MedianView, StudyPage, StudyQuantityView};

/// Significant digits, as on the console.
const DIGITS: u8 = 4;

/// Returns the sentences on the ranking.
pub(super) fn sentences(page: &StudyPage) -> Vec<String> {
    let Some(objective) = page.quantities.first() else { return Vec::new() };
    if let [only] = &page.competitors[..] {
        return page
            .groups
            .iter()
            .filter_map(|group| of_single(page, objective, only, group))
            .take(1)
            .collect();
    }
    let mut order: Vec<(f64, usize)> = (page.competitors.iter().enumerate())
        .filter_map(|(at, competitor)| Some((competitor.mean_place?, at)))
        .collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let Some(&(place, first)) = order.first() else {
        return vec!["No problem was solved by all competitors, so there is no ranking.".to_owned()];
    };
    let leading: Vec<usize> =
        order.iter().take_while(|(other, _)| *other == place).map(|(_, at)| *at).collect();
    let mut sentences = if leading.len() > 1 {
        vec![shared(page, objective, &leading)]
    } else {
        vec![leads(page, objective, first)]
    };
    let next = order.iter().find(|(other, _)| *other > place).map(|(_, at)| *at);
    if let Some(next) = next.filter(|_| leading.len() == 1) {
        sentences.extend(against(page, objective, [first, next]));
    }
    let unplaced = page.competitors.iter().filter(|competitor| competitor.mean_place.is_none());
    let unplaced: Vec<&str> = unplaced.map(|competitor| &*competitor.name).collect();
    if !unplaced.is_empty() {
        sentences.push(format!("Not placed because of failed cells: {}.", unplaced.join("; ")));
    }
    sentences
}

/// Returns the sentence on a study of one competitor; `None` if the group has no median.
fn of_single(
    page: &StudyPage,
    objective: &StudyQuantityView,
    competitor: &CompetitorView,
    group: &GroupView,
) -> Option<String> {
    let median = median(group)?;
    let on = match &*page.problems[group.problem].name {
        "" => String::new(),
        name => format!(" on {name}"),
    };
    Some(format!("{}: {} is {}{on}.", competitor.name, objective.name, printed(objective, group, median)))
}

/// Returns the sentence on competitors that share the first place.
fn shared(page: &StudyPage, objective: &StudyQuantityView, leading: &[usize]) -> String {
    let names: Vec<&str> = leading.iter().map(|&at| &*page.competitors[at].name).collect();
    let (last, others) = names.split_last().expect("invariant: several competitors lead");
    let problems = counted(page.competitors[leading[0]].problems, "problem");
    format!("{} and {last} share the first place by {} over {problems}.", others.join(", "), objective.name)
}

/// Returns the sentence on the first competitor.
fn leads(page: &StudyPage, objective: &StudyQuantityView, first: usize) -> String {
    let competitor = &page.competitors[first];
    let (name, of) = (&competitor.name, counted(page.competitors.len(), "competitor"));
    let place = competitor.mean_place.unwrap_or_default();
    if competitor.problems > 1 {
        let (place, wins) = (significant_to(place, DIGITS), counted(competitor.wins, "win"));
        let problems = counted(competitor.problems, "problem");
        return format!(
            "{name} ranks first of {of} by {}: mean place {place} over {problems}, with {wins}.",
            objective.name
        );
    }
    let its = page.groups.iter().find(|group| group.competitor == first && group.n_failed == 0);
    let value = its.and_then(|group| Some((group, median(group)?)));
    let value =
        value.map_or_else(String::new, |(group, median)| format!(": {}", printed(objective, group, median)));
    format!("{name} ranks first of {of} by {} on one problem{value}.", objective.name)
}

/// Returns the sentence that compares the first two competitors; `None` if they have no common problem with medians.
fn against(page: &StudyPage, objective: &StudyQuantityView, pair: [usize; 2]) -> Option<String> {
    let on = |problem: usize, competitor: usize| {
        page.groups.iter().find(|group| group.problem == problem && group.competitor == competitor)
    };
    let pairs: Vec<[(&GroupView, MedianView); 2]> = (0..page.problems.len())
        .filter_map(|problem| {
            let [one, other] = pair.map(|competitor| on(problem, competitor));
            let known = |group: &'_ GroupView| median(group);
            let (one, other) = (one?, other?);
            Some([(one, known(one)?), (other, known(other)?)])
        })
        .collect();
    let next = &page.competitors[pair[1]];
    let apart = |[one, other]: &[(&GroupView, MedianView); 2]| {
        let ([_, low, high], [_, other_low, other_high]) = (one.1.with_ends(), other.1.with_ends());
        high < other_low || other_high < low
    };
    let has_intervals = pairs.iter().flatten().any(|(_, median)| matches!(median, MedianView::Interval(_)));
    match &pairs[..] {
        [] => None,
        [only @ [one, other]] => {
            let [value, its] = [one.1, other.1].map(|median| median.with_ends()[0]);
            let distance = if value > 0.0 && its > value && objective.better == Some("less") {
                format!(", {} more", percent(its / value - 1.0))
            } else {
                String::new()
            };
            let apart = match (has_intervals, apart(only)) {
                (false, _) => "",
                (true, true) => "; their intervals do not overlap",
                (true, false) => "; their intervals overlap",
            };
            let printed = printed(objective, other.0, other.1);
            let over = if other.0.over_kept { ", but exceeds upper bounds of the work model" } else { "" };
            Some(format!("The next, {}, has {printed}{distance}{over}{apart}.", next.name))
        }
        pairs => {
            let cost = |median: MedianView| {
                let value = median.with_ends()[0];
                if objective.better == Some("more") { -value } else { value }
            };
            let better = pairs.iter().filter(|[one, other]| cost(one.1) < cost(other.1)).count();
            let place = next.mean_place.map_or_else(String::new, |place| significant_to(place, DIGITS));
            let intervals = if has_intervals {
                format!(
                    "; intervals do not overlap on {} of them",
                    pairs.iter().filter(|pair| apart(pair)).count()
                )
            } else {
                String::new()
            };
            Some(format!(
                "Its {} is better than that of the next, {} (mean place {place}), on {better} of {} that both \
                 solved{intervals}.",
                objective.name,
                next.name,
                counted(pairs.len(), "problem")
            ))
        }
    }
}

fn median(group: &GroupView) -> Option<MedianView> {
    group.medians.first().copied().flatten()
}

/// Returns a median with its interval.
fn printed(quantity: &StudyQuantityView, group: &GroupView, median: MedianView) -> String {
    let print = |value: f64| match quantity.kind {
        "bytes" => bytes(value),
        "share" => percent(value),
        "seconds" => format!("{} s", significant_to(value, DIGITS)),
        _ => significant_to(value, DIGITS),
    };
    match median {
        MedianView::Value(value) => print(value),
        MedianView::Interval([value, low, high]) => {
            let confidence = group.confidence.map_or_else(String::new, |confidence| {
                format!(" with {} % confidence", significant_to(100.0 * confidence, 3))
            });
            format!("{} [{}, {}]{confidence}", print(value), print(low), print(high))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::ProblemView;
    use super::*;

    /// Returns a page with the medians of competitors A, B, .. on each problem, and their mean places and wins.
    fn page(medians: &[&[MedianView]], placings: &[(Option<f64>, usize)]) -> StudyPage {
        let competitor = |(at, &(mean_place, wins)): (u8, &(Option<f64>, usize))| CompetitorView {
            name: char::from(b'A' + at).to_string(),
            mean_place,
            wins,
            problems: medians.len(),
            ..CompetitorView::default()
        };
        let group = |problem: usize, competitor: usize| GroupView {
            problem,
            competitor,
            n: 10,
            confidence: Some(0.978_515_625),
            medians: vec![Some(medians[problem][competitor])],
            ..GroupView::default()
        };
        StudyPage {
            quantities: vec![StudyQuantityView {
                key: "max_work".to_owned(),
                name: "max work".to_owned(),
                kind: "number",
                better: Some("less"),
            }],
            problems: (0..medians.len())
                .map(|at| ProblemView { name: format!("phase {at}"), choices: Vec::new(), phase: None })
                .collect(),
            competitors: (0..).zip(placings).map(competitor).collect(),
            groups: (0..medians.len())
                .flat_map(|problem| (0..medians[problem].len()).map(move |at| (problem, at)))
                .map(|(problem, at)| group(problem, at))
                .collect(),
            ..StudyPage::default()
        }
    }

    #[test]
    fn one_problem_has_its_medians_with_intervals() {
        let of = |next: [f64; 3]| {
            let medians = [MedianView::Interval([2.0, 1.5, 2.5]), MedianView::Interval(next)];
            sentences(&page(&[&medians], &[(Some(1.0), 1), (Some(2.0), 0)])).join(" ")
        };
        let first = "A ranks first of 2 competitors by max work on one problem: 2 [1.5, 2.5] with 97.9 % confidence. \
                     The next, B, has ";
        assert_eq!(
            of([3.0, 2.6, 4.0]),
            format!("{first}3 [2.6, 4] with 97.9 % confidence, 50% more; their intervals do not overlap.")
        );
        assert!(of([3.0, 2.5, 4.0]).ends_with(", 50% more; their intervals overlap."));
    }

    #[test]
    fn several_problems_have_the_mean_place_and_the_number_of_better_medians() {
        let value = MedianView::Value;
        let medians: [&[MedianView]; 3] = [
            &[value(1.0), MedianView::Interval([2.0, 1.5, 2.5])],
            &[value(3.0), MedianView::Interval([2.0, 1.5, 3.5])],
            &[value(1.0), value(2.0)],
        ];
        assert_eq!(
            sentences(&page(&medians, &[(Some(4.0 / 3.0), 2), (Some(5.0 / 3.0), 1)])),
            [
                "A ranks first of 2 competitors by max work: mean place 1.333 over 3 problems, with 2 wins.",
                "Its max work is better than that of the next, B (mean place 1.667), on 2 of 3 problems that both \
                 solved; intervals do not overlap on 2 of them."
            ]
        );
    }

    #[test]
    fn shared_and_missing_places_are_stated() {
        let value = MedianView::Value(1.0);
        let places = [(Some(1.5), 1), (Some(1.5), 1), (None, 0)];
        assert_eq!(
            sentences(&page(&[&[value, value, value]], &places)),
            [
                "A and B share the first place by max work over 1 problem.",
                "Not placed because of failed cells: C."
            ]
        );
        assert_eq!(
            sentences(&page(&[&[value, value]], &[(None, 0), (None, 0)])),
            ["No problem was solved by all competitors, so there is no ranking."]
        );
    }
}
