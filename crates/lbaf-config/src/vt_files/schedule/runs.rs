// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intervals of phases with the same rule.

use std::ops::RangeInclusive;

use super::{BalancerSchedule, Rule};
use crate::vt_files::anchor::Anchor;

/// Consecutive phases with the same rule, or without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseInterval<'a> {
    /// First phase.
    pub first: u64,
    /// Last phase.
    pub last: u64,
    /// Rule. Without one, no balancer runs.
    pub rule: Option<&'a Rule>,
}

/// Iterator over the ascending intervals of a [`BalancerSchedule`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    schedule: &'a BalancerSchedule,
    /// First phase of the next interval; `None` at the end.
    next: Option<u64>,
    last: u64,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(schedule: &'a BalancerSchedule, phases: RangeInclusive<u64>) -> Self {
        let (first, last) = phases.into_inner();
        Runs { schedule, next: Some(first).filter(|&first| first <= last), last }
    }

    /// Returns the first phase after `first` at which the rule may change. `rule` is the rule of `first`.
    fn change_after(&self, first: u64, rule: Option<&Rule>) -> Option<u64> {
        let next = first.checked_add(1)?;
        if rule.is_some_and(|rule| rule.anchor != Anchor::ALWAYS) {
            return Some(next);
        }
        // Rules for multiples that follow a rule for every phase in the file never apply.
        let others = self.schedule.periodic().take_while(|other| other.anchor != Anchor::ALWAYS);
        others.filter_map(|other| other.anchor.first_from(next)).chain(self.schedule.exact_from(next)).min()
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = PhaseInterval<'a>;

    fn next(&mut self) -> Option<PhaseInterval<'a>> {
        let first = self.next.take()?;
        let rule = self.schedule.rule_at(first);
        self.next = self.change_after(first, rule).filter(|&next| next <= self.last);
        Some(PhaseInterval { first, last: self.next.map_or(self.last, |next| next - 1), rule })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the intervals as `first-last:line`, with `-` if no rule applies.
    fn runs(text: &str, phases: RangeInclusive<u64>) -> Vec<String> {
        let schedule = BalancerSchedule::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let line =
            |run: &PhaseInterval<'_>| run.rule.map_or_else(|| "-".to_owned(), |rule| rule.line.to_string());
        schedule.runs(phases).map(|run| format!("{}-{}:{}", run.first, run.last, line(&run))).collect()
    }

    #[test]
    fn an_interval_ends_where_another_rule_applies() {
        assert_eq!(
            runs("%10 GreedyLB\n12 NoLB", 0..=21),
            ["0-0:1", "1-9:-", "10-10:1", "11-11:-", "12-12:2", "13-19:-", "20-20:1", "21-21:-"]
        );
        assert_eq!(
            runs("%4 RotateLB\nGreedyLB\n%2 NoLB\n6 RandomLB", 0..=9),
            ["0-0:1", "1-3:2", "4-4:1", "5-5:2", "6-6:4", "7-7:2", "8-8:1", "9-9:2"]
        );
    }

    #[test]
    fn long_runs_take_one_step() {
        assert_eq!(runs("GreedyLB", 0..=u64::MAX), [format!("0-{}:1", u64::MAX)]);
        assert_eq!(runs("", 5..=1 << 62), [format!("5-{}:-", 1_u64 << 62)]);
        assert_eq!(
            runs("%4611686018427387904 GreedyLB", 1..=u64::MAX),
            [
                "1-4611686018427387903:-",
                "4611686018427387904-4611686018427387904:1",
                "4611686018427387905-9223372036854775807:-",
                "9223372036854775808-9223372036854775808:1",
                "9223372036854775809-13835058055282163711:-",
                "13835058055282163712-13835058055282163712:1",
                "13835058055282163713-18446744073709551615:-",
            ]
        );
    }
}
