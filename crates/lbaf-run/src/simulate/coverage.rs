// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage of a simulation: phases that are simulated, and phases that are not.

use lbaf_model::Phase;
use lbaf_reader::Recorded;
use serde::Serialize;

use lbaf_config::{RunConfig, When};

use super::schedule::may_balance_after;

/// First and last phase of a range.
type Range = (u64, u64);

/// Maximum number of phases in gaps for which the schedule is evaluated.
const MOST_ASKED: u64 = 1 << 20;

/// Phases by their role in the simulation.
#[derive(Debug, Serialize)]
pub struct Coverage {
    /// Phases of the simulated run.
    pub simulated: PhaseCount,
    /// Phases of the run recorded as identical to an earlier phase, with its loads and placement.
    pub identical: PhaseCount,
    /// Phases that the files list as skipped, which have no data and take no time.
    pub skipped: PhaseCount,
    /// Recorded phases that the configuration excludes.
    pub left_out: PhaseCount,
    /// Phases between the first and the last simulated phase that the files neither contain nor list as skipped.
    pub missing: PhaseCount,
    /// Phases in gaps between simulated phases after which the schedule would balance the run.
    pub not_balanced: PhaseCount,
}

/// Number of phases, and a list of them.
#[derive(Debug, Default, Serialize)]
pub struct PhaseCount {
    /// Number of phases.
    pub count: u64,
    /// Ranges of phases; at most the first 64 ranges.
    #[serde(rename = "phases")]
    pub which: String,
    /// True if there may be more phases, because of a limit of the check.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub or_more: bool,
}

/// Maximum number of listed ranges; the others are only counted.
const MOST_LISTED: usize = 64;

impl Coverage {
    pub(super) fn new(run: &RunConfig, recorded: &Recorded) -> Self {
        let findings = &recorded.findings;
        let there: Vec<u64> = recorded.data.phases().iter().map(Phase::id).map(|id| id.0).collect();
        let is_there = |phase: &u64| there.binary_search(phase).is_ok();
        let left_out: Vec<u64> =
            findings.phases_recorded.iter().copied().filter(|phase| !is_there(phase)).collect();
        let identical = findings.repeats.keys().map(|id| id.0).filter(is_there);
        let gaps: Vec<Range> = there
            .windows(2)
            .filter(|pair| pair[1] - pair[0] > 1)
            .map(|pair| (pair[0] + 1, pair[1] - 1))
            .collect();
        let skipped = merged(findings.phases_skipped.clone());
        let explained = merged(skipped.iter().copied().chain(left_out.iter().copied().map(single)).collect());
        let is_asked = !matches!(
            run.simulation.schedule,
            When::Threshold(_) | When::Adaptive(_) | When::Criterion(_) | When::Best
        );
        let gap_phases = gaps.iter().flat_map(|&(first, last)| first..=last).take(MOST_ASKED as usize);
        let not_balanced = gap_phases.filter(|&phase| is_asked && may_balance_after(run, phase));
        let mut not_balanced = PhaseCount::of(&merged(not_balanced.map(single).collect()));
        not_balanced.or_more = is_asked && PhaseCount::of(&gaps).count > MOST_ASKED;
        Coverage {
            simulated: PhaseCount::of(&merged(there.iter().copied().map(single).collect())),
            identical: PhaseCount::of(&merged(identical.map(single).collect())),
            missing: PhaseCount::of(&without(&gaps, &explained)),
            not_balanced,
            left_out: PhaseCount::of(&merged(left_out.iter().copied().map(single).collect())),
            skipped: PhaseCount::of(&skipped),
        }
    }

    /// Returns a sentence for each kind of phase that needs an explanation.
    pub fn sentences(&self) -> Vec<String> {
        let sentences = [
            (&self.identical, "phases are recorded as identical to an earlier phase and take the same time"),
            (&self.skipped, "phases were skipped when the data were recorded and are not in the run"),
            (&self.left_out, "recorded phases are excluded by the configuration and are not in the run"),
            (&self.missing, "phases between the first and the last are not recorded and are not in the run"),
            (
                &self.not_balanced,
                "the schedule selects phases that are not in the run, so the run is not balanced after them",
            ),
        ];
        let happened = sentences.into_iter().filter(|(phases, _)| phases.count > 0);
        let sentence = |(phases, what): (&PhaseCount, &str)| {
            let (count, which) = (phases.count, &phases.which);
            let counted = match (count, phases.or_more) {
                (1, false) => "1 phase".to_owned(),
                (_, false) => format!("{count} phases"),
                (_, true) => format!("{count} or more phases"),
            };
            format!("{what} ({counted}: {which})")
        };
        happened.map(sentence).collect()
    }
}

impl PhaseCount {
    /// Counts and lists the phases of ascending ranges that do not touch.
    fn of(ranges: &[Range]) -> Self {
        let text = |&(first, last): &Range| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        };
        let size = |&(first, last): &Range| (last - first).saturating_add(1);
        let mut listed: Vec<String> = ranges.iter().take(MOST_LISTED).map(text).collect();
        listed.extend((ranges.len() > MOST_LISTED).then(|| "and others".to_owned()));
        PhaseCount {
            count: ranges.iter().map(size).fold(0, u64::saturating_add),
            which: listed.join(", "),
            or_more: false,
        }
    }
}

fn single(phase: u64) -> Range {
    (phase, phase)
}

/// Sorts ranges, and joins those that touch.
fn merged(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut merged: Vec<Range> = Vec::new();
    for (first, last) in ranges {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

/// Subtracts `others` from `ranges`, both ascending and without ranges that touch.
fn without(ranges: &[Range], others: &[Range]) -> Vec<Range> {
    let mut left = Vec::new();
    for &(first, last) in ranges {
        let mut from = Some(first);
        for &(begin, end) in others.iter().filter(|other| other.0 <= last && other.1 >= first) {
            let Some(start) = from else { break };
            if begin > start {
                left.push((start, begin - 1));
            }
            from = end.checked_add(1).filter(|&next| next <= last);
        }
        left.extend(from.map(|from| (from, last)));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_subtracted() {
        let ranges = [(1, 9), (20, 20), (30, 39)];
        assert_eq!(without(&ranges, &[(3, 4), (9, 31), (35, 35)]), [(1, 2), (5, 8), (32, 34), (36, 39)]);
        assert_eq!(without(&ranges, &[]), ranges);
        assert_eq!(without(&ranges, &[(0, u64::MAX)]), []);
        // The definition, phase by phase.
        for (first, last) in [(0, 3), (5, 25), (19, 21), (25, 60)] {
            let left = without(&ranges, &[(first, last)]);
            for phase in 0..70 {
                let is_in = |ranges: &[Range]| ranges.iter().any(|&(a, b)| (a..=b).contains(&phase));
                assert_eq!(is_in(&left), is_in(&ranges) && !(first..=last).contains(&phase), "{phase}");
            }
        }
    }

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(merged(vec![(7, 9), (0, 2), (3, 3), (8, 12)]), [(0, 3), (7, 12)]);
        let phases = PhaseCount::of(&[(0, 3), (7, 7)]);
        assert_eq!((phases.count, &phases.which[..]), (5, "0-3, 7"));
    }

    #[test]
    fn many_ranges_are_counted_and_the_first_are_listed() {
        let every_third: Vec<Range> = (0..66).map(|at| single(3 * at)).collect();
        let PhaseCount { count, which, .. } = PhaseCount::of(&every_third);
        assert_eq!((count, which.ends_with("186, 189, and others")), (66, true), "{which}");
        assert!(PhaseCount::of(&every_third[..64]).which.ends_with("186, 189"));
    }
}
