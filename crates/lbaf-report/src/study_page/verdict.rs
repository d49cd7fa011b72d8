// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sentences on the ranking: the first competitor, the quantity, the number of problems, and the distance to the next.

use lbaf_text::number::{bytes, counted, percent, significant_to};

use super::view::{CompetitorView, GroupView, MedianView, StudyPage, StudyQuantityView};

/// Significant digits, as on the console.
const DIGITS: u8 = 4;

/// Returns the sentences.
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

/// Returns the sentence on a study of one competitor.
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

/// Returns the sentence that compares the first two competitors.
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
