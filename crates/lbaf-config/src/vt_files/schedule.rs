// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB configuration files: balancers of phases.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;

use crate::vt_files::anchor::Anchor;
use crate::vt_files::argument::Argument;
use crate::vt_files::balancer::Balancer;
use crate::vt_files::error::{Fault, ScheduleError};
use crate::vt_files::line::{Words, lines};

mod runs;

pub use runs::{PhaseInterval, Runs};

/// Balancers of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalancerSchedule {
    /// Rules in the order of their lines.
    rules: Vec<Rule>,
    /// Phases with an individual rule, ascending, each with the index of the rule.
    exact: Vec<(u64, usize)>,
    /// Indices of the rules for multiples. The first one that matches a phase applies.
    periodic: Vec<usize>,
}

/// Line of an LB configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Line number, from 1.
    pub line: usize,
    /// Phases of the rule, unless another rule takes precedence.
    pub anchor: Anchor,
    /// Balancer to run.
    pub choice: ConfiguredBalancer,
}

/// Balancer and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredBalancer {
    /// Balancer. `NoLB` keeps every object where it is.
    pub balancer: &'static Balancer,
    /// Arguments as given, each key once.
    pub arguments: Vec<Argument>,
}

const ANCHOR: [&str; 2] = [
    "a phase or a balancer, as in `%10 GreedyLB`",
    "a whole number or a balancer after `%`, as in `%10 GreedyLB`",
];
const BALANCER: &str = "a balancer after the phase, as in `%10 GreedyLB`";
const ARGUMENT: &str = "an argument `key=value`, as in `%10 GreedyLB min=0.9`";

impl BalancerSchedule {
    /// Reads lines `[%] [<phase>] <balancer> [<key>=<value> ..]`. Lines without a number apply to every phase.
    ///
    /// # Errors
    /// At the first invalid word, and at a repeated phase or period.
    pub fn parse(text: &str) -> Result<Self, ScheduleError> {
        let mut schedule = BalancerSchedule::default();
        let mut seen: HashMap<Anchor, usize> = HashMap::new();
        for mut words in lines(text) {
            let start = words.start();
            let rule = Rule::take(&mut words)?;
            let anchor = rule.anchor;
            if let Some(first_line) = seen.insert(anchor, rule.line) {
                return Err(ScheduleError { position: start, fault: Fault::Twice { anchor, first_line } });
            }
            let index = schedule.rules.len();
            match anchor {
                Anchor::Phase(phase) => schedule.exact.push((phase, index)),
                Anchor::Every(_) => schedule.periodic.push(index),
            }
            schedule.rules.push(rule);
        }
        schedule.exact.sort_unstable();
        Ok(schedule)
    }

    /// Returns the rules in the order of their lines.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the balancer of a phase.
    pub fn at(&self, phase: u64) -> Option<&ConfiguredBalancer> {
        self.rule_at(phase).map(|rule| &rule.choice)
    }

    /// Returns the rule for a phase: its individual rule, else the first matching rule for multiples.
    pub fn rule_at(&self, phase: u64) -> Option<&Rule> {
        let own = self.exact.binary_search_by_key(&phase, |&(phase, _)| phase);
        let index = match own {
            Ok(position) => Some(self.exact[position].1),
            Err(_) => self.periodic.iter().copied().find(|&index| self.rules[index].anchor.matches(phase)),
        };
        index.map(|index| &self.rules[index])
    }

    /// Returns consecutive intervals of phases with the same rule, or without one. Each takes O(rules) steps,
    /// independent of its length.
    pub fn runs(&self, phases: RangeInclusive<u64>) -> Runs<'_> {
        Runs::new(self, phases)
    }

    /// Returns the first phase from `phase` on with an individual rule.
    pub(crate) fn exact_from(&self, phase: u64) -> Option<u64> {
        let next = self.exact.partition_point(|&(own, _)| own < phase);
        self.exact.get(next).map(|&(own, _)| own)
    }

    /// Returns the rules for multiples, in order of precedence.
    pub(crate) fn periodic(&self) -> impl Iterator<Item = &Rule> {
        self.periodic.iter().map(|&index| &self.rules[index])
    }
}

impl Rule {
    fn take(words: &mut Words<'_>) -> Result<Self, ScheduleError> {
        let line = words.start().line;
        let anchor = Rule::take_anchor(words)?;
        let name = words.expect(BALANCER)?;
        if !name.text.starts_with(|letter: char| letter.is_alphabetic()) {
            return Err(name.unexpected(BALANCER));
        }
        let balancer = Balancer::find(name.text).ok_or_else(|| {
            let shown = name.shown();
            name.fault(Fault::UnknownBalancer { hint: Balancer::instead(&shown), name: shown })
        })?;
        let mut arguments: Vec<Argument> = Vec::new();
        for word in words {
            let argument = Argument::read(word, ARGUMENT)?;
            if balancer.key(&argument.key).is_none() {
                let key = word.with(&argument.key).shown();
                let (balancer, hint) = (balancer.name, balancer.key_instead(&key));
                return Err(word.fault(Fault::UnknownKey { balancer, key, hint }));
            }
            arguments.push(argument.unlike(&arguments, word)?);
        }
        Ok(Rule { line, anchor, choice: ConfiguredBalancer { balancer, arguments } })
    }

    /// Takes the anchor. The number is optional before a name, with or without `%`.
    fn take_anchor(words: &mut Words<'_>) -> Result<Anchor, ScheduleError> {
        let mut ahead = words.clone();
        ahead.take_percent();
        if ahead.peek().is_some_and(|word| word.text.starts_with(|letter: char| letter.is_alphabetic())) {
            *words = ahead;
            return Ok(Anchor::ALWAYS);
        }
        words.anchor(ANCHOR)
    }
}

impl fmt::Display for ConfiguredBalancer {
    /// Formats the balancer as in an LB configuration file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.balancer.name)?;
        self.arguments.iter().try_for_each(|Argument { key, value, .. }| write!(f, " {key}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the balancers of the phases, separated by commas.
    fn at(text: &str, phases: &[u64]) -> String {
        let schedule = BalancerSchedule::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let choice = |&phase| schedule.at(phase).map_or_else(|| "-".to_owned(), ToString::to_string);
        phases.iter().map(choice).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn individual_phases_take_precedence_over_multiples() {
        let text = "%10 RandomLB seed=1\n0 HierarchicalLB min=0.9 max=1.1 auto=false\n% 5 GreedyLB min=1.0\n\
                    120 NoLB\n";
        assert_eq!(
            at(text, &[0, 5, 10, 11]),
            "HierarchicalLB min=0.9 max=1.1 auto=false, GreedyLB min=1.0, \
             RandomLB seed=1, -"
        );
        assert_eq!(at(text, &[115, 119, 120, 121, 130]), "GreedyLB min=1.0, -, NoLB, -, RandomLB seed=1");
    }

    #[test]
    fn the_first_matching_line_for_multiples_applies() {
        assert_eq!(at("%2 GreedyLB\n%3 RotateLB", &[0, 2, 3, 6]), "GreedyLB, GreedyLB, RotateLB, GreedyLB");
        assert_eq!(at("%3 RotateLB\n%2 GreedyLB", &[0, 2, 3, 6]), "RotateLB, GreedyLB, RotateLB, RotateLB");
    }

    #[test]
    fn lines_without_a_number_apply_to_every_phase() {
        for text in ["GreedyLB", "% GreedyLB", "%1 GreedyLB", "  %\t1 GreedyLB # all\r\n"] {
            assert_eq!(at(text, &[0, 1, u64::MAX]), "GreedyLB, GreedyLB, GreedyLB", "{text}");
        }
        assert_eq!(at("", &[0, 1]), "-, -");
    }

    #[test]
    fn keeps_arguments_in_their_order() {
        let text = "7 TemperedLB rounds=2 fanout=3 transfer=SwapClusters memory_threshold=1e8";
        assert_eq!(at(text, &[7]), &text[2..]);
        let schedule = BalancerSchedule::parse(text).unwrap();
        assert_eq!((schedule.rules()[0].line, schedule.rules()[0].anchor), (1, Anchor::Phase(7)));
    }
}
