// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parsers of vt's specification and LB configuration files, compared with a simple parser.
#![no_main]

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use lbaf_config::vt_files::{BALANCERS, BalancerSchedule, ScheduleError, ScheduleFile, Specification};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = ScheduleFile::parse(bytes);
    let Ok(text) = str::from_utf8(bytes) else {
        assert!(file.is_err());
        return;
    };
    match (Specification::parse(text), plain_specification(text)) {
        (Ok(specification), Some(plain)) => check_specification(&plain, &specification),
        (Err(error), None) => check_error(text, &error),
        (found, plain) => panic!("the simple reader gives {plain:?}, lbaf gives {found:?}"),
    }
    match (BalancerSchedule::parse(text), plain_schedule(text)) {
        (Ok(schedule), Some(plain)) => check_schedule(&plain, &schedule),
        (Err(error), None) => check_error(text, &error),
        (found, plain) => panic!("the simple reader gives {plain:?}, lbaf gives {found:?}"),
    }
    if let Err(error) = file {
        check_error(text, &error);
    }
});

/// Checks that the position of an error is in the text, and that its message is short.
fn check_error(text: &str, error: &ScheduleError) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.split('\n').nth(error.position.line - 1).expect("the line exists");
    assert!((1..=line.chars().count() + 1).contains(&error.position.column), "{error}");
    assert!(error.to_string().len() < 1000, "{error}");
}

/// Returns the phases to compare: the first, the last, and those around 2^62, the largest number in a file.
fn windows_of_phases() -> [RangeInclusive<u64>; 3] {
    [0..=300, (1 << 62) - 20..=(1 << 62) + 20, u64::MAX - 40..=u64::MAX]
}

/// Returns the words of every non-blank line, and true if `%` precedes them.
fn lines(text: &str) -> Vec<(bool, Vec<&str>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let said = text.split('\n').map(|line| line.split('#').next().unwrap_or_default().trim_ascii());
    said.filter(|line| !line.is_empty())
        .map(|line| match line.strip_prefix('%') {
            Some(rest) => (true, rest.split_ascii_whitespace().collect()),
            None => (false, line.split_ascii_whitespace().collect()),
        })
        .collect()
}

/// Parses the number of a phase or an offset.
fn number(word: &str) -> Option<i128> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let number: i128 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    (number <= 1 << 62).then_some(if word.starts_with('-') { -number } else { number })
}

/// True if no two lines have the same phase or the same period, and no period is 0.
fn are_apart<T>(lines: &[(bool, i128, T)]) -> bool {
    let anchors: BTreeSet<(bool, i128)> =
        lines.iter().map(|&(periodic, number, _)| (periodic, number)).collect();
    anchors.len() == lines.len() && !anchors.contains(&(true, 0))
}

/// Returns a flag for `%`, the number and two offsets of each line; `None` if any line has another form.
fn plain_specification(text: &str) -> Option<Vec<(bool, i128, [i128; 2])>> {
    let line = |(periodic, words): (bool, Vec<&str>)| match words[..] {
        [anchor, first, last] if !anchor.starts_with('-') => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= 0 && last >= 0).then_some((periodic, number(anchor)?, [first, last]))
        }
        _ => None,
    };
    let lines: Vec<_> = lines(text).into_iter().map(line).collect::<Option<_>>()?;
    are_apart(&lines).then_some(lines)
}

/// Returns a flag for multiples, the number (1 if absent), and the balancer with its arguments of each line; `None` if
/// any line has another form.
fn plain_schedule(text: &str) -> Option<Vec<(bool, i128, String)>> {
    let line = |(periodic, words): (bool, Vec<&str>)| {
        let is_number = words.first()?.starts_with(|letter: char| letter.is_ascii_digit());
        let anchor = if is_number { number(words[0])? } else { 1 };
        let said = &words[usize::from(is_number)..];
        let balancer = BALANCERS.iter().find(|balancer| Some(&balancer.name) == said.first())?;
        let pairs: Vec<Vec<&str>> = said[1..].iter().map(|word| word.split('=').collect()).collect();
        let is_pair =
            |pair: &Vec<&str>| pair.len() == 2 && balancer.keys.contains(&pair[0]) && !pair[1].is_empty();
        let keys: BTreeSet<&str> = pairs.iter().map(|pair| pair[0]).collect();
        let is_valid = pairs.iter().all(is_pair) && keys.len() == pairs.len();
        is_valid.then(|| (periodic || !is_number, anchor, said.join(" ")))
    };
    let lines: Vec<_> = lines(text).into_iter().map(line).collect::<Option<_>>()?;
    are_apart(&lines).then_some(lines)
}

fn check_specification(lines: &[(bool, i128, [i128; 2])], specification: &Specification) {
    let is_enabled = |phase: i128| {
        lines.iter().any(|&(periodic, number, [first, last])| {
            // The largest multiple whose window has begun.
            let anchor = if periodic { (phase - first) / number * number } else { number };
            anchor + first <= phase && phase <= anchor + last
        })
    };
    for phases in windows_of_phases() {
        let mut ranges = specification.ranges(phases.clone()).peekable();
        for phase in phases.clone() {
            let expected = is_enabled(phase.into());
            assert_eq!(specification.contains(phase), expected, "phase {phase}");
            assert_eq!(ranges.peek().is_some_and(|range| range.contains(&phase)), expected, "phase {phase}");
            ranges.next_if(|range| *range.end() == phase);
        }
        assert!(ranges.next().is_none());
        let ends = specification.ranges(phases.clone()).map(|range| *range.end());
        let starts = specification.ranges(phases).map(|range| *range.start()).skip(1);
        assert!(ends.zip(starts).all(|(end, start)| end + 1 < start), "adjacent ranges are merged");
    }
    let printed: Vec<String> = specification.windows().iter().map(ToString::to_string).collect();
    assert_eq!(Specification::parse(&printed.join("\n")).as_ref(), Ok(specification));
}

fn check_schedule(lines: &[(bool, i128, String)], schedule: &BalancerSchedule) {
    let decided = |phase: i128| {
        let own = lines.iter().find(|(periodic, number, _)| !periodic && *number == phase);
        let divided = || lines.iter().find(|(periodic, number, _)| *periodic && phase % number == 0);
        own.or_else(divided).map(|(_, _, choice)| choice.clone())
    };
    for phases in windows_of_phases() {
        let mut runs = schedule.runs(phases.clone()).peekable();
        for phase in phases {
            let expected = decided(phase.into());
            assert_eq!(schedule.at(phase).map(ToString::to_string), expected, "phase {phase}");
            let run = runs.peek().copied().expect("every phase is in a run");
            assert!((run.first..=run.last).contains(&phase));
            assert_eq!(run.rule.map(|rule| rule.choice.to_string()), expected, "phase {phase}");
            runs.next_if(|run| run.last == phase);
        }
        assert!(runs.next().is_none());
    }
}
