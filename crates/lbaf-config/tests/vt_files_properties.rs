// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of the parsers of both formats with oracles, which apply the documented rules to a single phase.

use std::collections::BTreeMap;

use lbaf_config::vt_files::{BALANCERS, BalancerSchedule, ScheduleFile, Specification};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// Returns settings with the same cases in every run, unless `PROPTEST_RNG_SEED` is set.
fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    ProptestConfig { rng_seed, ..config }
}

/// A line of a specification: `%` or not, its number and its offsets, the first without its sign.
type Line = ((bool, i128), (i128, i128));

fn is_enabled(lines: &[Line], phase: i128) -> bool {
    let within =
        |anchor: i128, (before, after): (i128, i128)| anchor - before <= phase && phase <= anchor + after;
    lines.iter().any(|&((periodic, number), offsets)| {
        if periodic {
            (0..=phase + offsets.0).any(|other| other % number == 0 && within(other, offsets))
        } else {
            within(number, offsets)
        }
    })
}

/// Writes the lines in one of several notations.
fn specification_text(lines: &[Line], spelling: usize) -> String {
    let line = |&((periodic, number), (before, after)): &Line| {
        let percent = if periodic { ["%", "% "][spelling % 2] } else { "" };
        let sign = if before > 0 { "-" } else { "" };
        let (start, blank) = [("", " "), ("\t ", "  \t")][spelling / 2 % 2];
        let end = ["\n", "\r\n", " # 7 0 0\n\n"][spelling % 3];
        format!("{start}{percent}{number}{blank}{sign}{before}{blank}{after}{end}")
    };
    lines.iter().map(line).collect()
}

/// Lines without a repeated phase or period, in any order.
fn specification_lines() -> impl Strategy<Value = Vec<Line>> {
    let anchor = prop_oneof![(Just(false), 0..130_i128), (Just(true), 1..40_i128)];
    let offset = || prop_oneof![Just(0), 0..5_i128, 0..60_i128];
    btree_map(anchor, (offset(), offset()), 0..6)
        .prop_map(|lines| lines.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

/// A line of an LB configuration: `%` or not, its number, and the position of its balancer in [`BALANCERS`].
type Choice = ((bool, u64), usize);

fn balancer_lines() -> impl Strategy<Value = Vec<Choice>> {
    let anchor = prop_oneof![(Just(false), 0..60_u64), (Just(true), 1..12_u64)];
    btree_map(anchor, 0..BALANCERS.len(), 0..8)
        .prop_map(|lines| lines.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

/// Returns the position of the line that applies to a phase.
fn decided_by(lines: &[Choice], phase: u64) -> Option<usize> {
    let own = lines.iter().position(|&(anchor, _)| anchor == (false, phase));
    own.or_else(|| lines.iter().position(|&((periodic, number), _)| periodic && phase.is_multiple_of(number)))
}

fn balancer_text(lines: &[Choice]) -> String {
    let line = |&((periodic, number), balancer): &Choice| {
        let percent = if periodic { "%" } else { "" };
        format!("{percent}{number} {}\n", BALANCERS[balancer].name)
    };
    lines.iter().map(line).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_phase_is_enabled_if_it_is_in_a_window(lines in specification_lines(), spelling in 0_usize..12) {
        let text = specification_text(&lines, spelling);
        let specification = Specification::parse(&text).unwrap();
        for phase in 0..300 {
            prop_assert_eq!(specification.contains(phase), is_enabled(&lines, phase.into()), "{} in {:?}", phase, text);
        }
    }

    #[test]
    fn ranges_hold_all_enabled_phases_and_do_not_touch(
        lines in specification_lines(),
        (first, last) in (0_u64..300, 0_u64..300),
    ) {
        let specification = Specification::parse(&specification_text(&lines, 0)).unwrap();
        let ranges: Vec<_> = specification.ranges(first..=last).collect();
        let listed: Vec<u64> = ranges.iter().cloned().flatten().collect();
        let expected: Vec<u64> = (first..=last).filter(|&phase| is_enabled(&lines, phase.into())).collect();
        prop_assert_eq!(listed, expected);
        for pair in ranges.windows(2) {
            prop_assert!(pair[0].end() + 1 < *pair[1].start(), "{:?}", ranges);
        }
    }

    #[test]
    fn display_round_trips(lines in specification_lines()) {
        let specification = Specification::parse(&specification_text(&lines, 3)).unwrap();
        let printed: Vec<String> = specification.windows().iter().map(ToString::to_string).collect();
        prop_assert_eq!(Specification::parse(&printed.join("\n")).unwrap(), specification);
    }

    #[test]
    fn individual_lines_or_the_first_divisor_apply_to_a_phase(lines in balancer_lines()) {
        let schedule = BalancerSchedule::parse(&balancer_text(&lines)).unwrap();
        for phase in 0..200 {
            let expected = decided_by(&lines, phase);
            prop_assert_eq!(schedule.rule_at(phase).map(|rule| rule.line - 1), expected);
            let name = expected.map(|line| BALANCERS[lines[line].1].name);
            prop_assert_eq!(schedule.at(phase).map(|choice| choice.balancer.name), name);
        }
    }

    #[test]
    fn runs_cover_every_phase_once(lines in balancer_lines(), (first, last) in (0_u64..200, 0_u64..200)) {
        let schedule = BalancerSchedule::parse(&balancer_text(&lines)).unwrap();
        let mut next = first;
        let mut before = None;
        for run in schedule.runs(first..=last) {
            prop_assert_eq!(run.first, next);
            prop_assert!(run.last >= run.first && run.last <= last);
            let decider = run.rule.map(|rule| rule.line - 1);
            prop_assert!((run.first..=run.last).all(|phase| decided_by(&lines, phase) == decider));
            prop_assert_ne!(before, Some(decider), "adjacent runs have the same rule");
            (next, before) = (run.last + 1, Some(decider));
        }
        prop_assert_eq!(next, if first <= last { last + 1 } else { first });
    }

    #[test]
    fn nothing_panics(
        words in vec(
            select(vec![
                "%", "%7", "0", "-3", "3", "#", "\n", "\r\n", "\u{feff}", "=", "min=1", "GreedyLB", "RandomLB",
                "seed=2", "ü", "\u{85}", "\0", "4611686018427387904", "-4611686018427387904", "18446744073709551616",
            ]),
            0..20,
        ),
        glue in select(vec!["", " ", "\t"]),
    ) {
        let text = words.join(glue);
        match ScheduleFile::parse(text.as_bytes()) {
            Ok(ScheduleFile::Specification(specification)) => {
                for phase in [0, 1, 1 << 62, u64::MAX] {
                    let listed = specification.ranges(phase..=phase).count() == 1;
                    prop_assert_eq!(listed, specification.contains(phase));
                }
            }
            Ok(ScheduleFile::Balancers(schedule)) => {
                for phase in [0, 1, 1 << 62, u64::MAX] {
                    let run = schedule.runs(phase..=phase).next().unwrap();
                    prop_assert_eq!(run.rule, schedule.rule_at(phase));
                }
            }
            Err(error) => {
                let line = text.split('\n').nth(error.position.line - 1).unwrap();
                prop_assert!(error.position.column <= line.chars().count() + 1, "{}", error);
            }
        }
    }
}

/// Compares the oracles with results found by hand.
#[test]
fn the_oracle_agrees_with_the_example_of_vt() {
    let lines = [((false, 0), (0, 10)), ((true, 100), (3, 3)), ((false, 200), (5, 5))];
    let enabled: Vec<i128> = (0..=300).filter(|&phase| is_enabled(&lines, phase)).collect();
    let expected: Vec<i128> = (0..=10).chain(97..=103).chain(195..=205).chain(297..=300).collect();
    assert_eq!(enabled, expected);
    let balancers = [((true, 10), 1), ((false, 0), 2), ((true, 5), 3)];
    let lines: BTreeMap<u64, usize> =
        (0..=11).filter_map(|phase| Some((phase, decided_by(&balancers, phase)?))).collect();
    assert_eq!(lines, BTreeMap::from([(0, 1), (5, 2), (10, 0)]));
}
