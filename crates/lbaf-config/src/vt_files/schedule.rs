// SPDX-License-Identifier: MIT OR Apache-2.0
//! The LB configuration file: which balancer runs in which phase.

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

/// Which balancer runs in which phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalancerSchedule {
    /// In the order of their lines.
    rules: Vec<Rule>,
    /// Phases that have a rule of their own, ascending, with its index.
    exact: Vec<(u64, usize)>,
    /// Indices of the rules for multiples, first come, first served.
    periodic: Vec<usize>,
}

/// A line of an LB configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its number, from 1.
    pub line: usize,
    /// The phases that it is for, unless a rule before it takes them.
    pub anchor: Anchor,
    /// What to do in them.
    pub choice: ConfiguredBalancer,
}

/// A balancer and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredBalancer {
    /// The balancer. `NoLB` keeps every object where it is.
    pub balancer: &'static Balancer,
    /// Its arguments as they were given, each key once.
    pub arguments: Vec<Argument>,
}

const ANCHOR: [&str; 2] = [
    "a phase or a balancer, as in `%10 GreedyLB`",
    "a whole number or a balancer behind `%`, as in `%10 GreedyLB`",
];
const BALANCER: &str = "a balancer behind the phase, as in `%10 GreedyLB`";
const ARGUMENT: &str = "an argument `key=value`, as in `%10 GreedyLB min=0.9`";

impl BalancerSchedule {
    /// Reads lines `[%] [<phase>] <balancer> [<key>=<value> ..]`. Without a number they are for every phase.
    ///
    /// # Errors
    /// At the first word that does not fit, and at a phase or period that has a line already.
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

    /// The rules in the order of their lines.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The balancer that runs in a phase, if one does.
    pub fn at(&self, phase: u64) -> Option<&ConfiguredBalancer> {
        self.rule_at(phase).map(|rule| &rule.choice)
    }

    /// The rule that decides a phase: its own, else the first one whose number divides it.
    pub fn rule_at(&self, phase: u64) -> Option<&Rule> {
        let own = self.exact.binary_search_by_key(&phase, |&(phase, _)| phase);
        let index = match own {
            Ok(position) => Some(self.exact[position].1),
            Err(_) => self.periodic.iter().copied().find(|&index| self.rules[index].anchor.matches(phase)),
        };
        index.map(|index| &self.rules[index])
    }

    /// What decides each of these phases: ascending runs without a gap, each decided by one rule or by none.
    /// Each takes as many steps as there are rules, however long it is.
    pub fn runs(&self, phases: RangeInclusive<u64>) -> Runs<'_> {
        Runs::new(self, phases)
    }

    /// The first phase from `phase` on with a rule of its own.
    pub(crate) fn exact_from(&self, phase: u64) -> Option<u64> {
        let next = self.exact.partition_point(|&(own, _)| own < phase);
        self.exact.get(next).map(|&(own, _)| own)
    }

    /// The rules for multiples, first come, first served.
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

    /// The number may be left out before a name, with or without `%`.
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
    /// As in an LB configuration file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.balancer.name)?;
        self.arguments.iter().try_for_each(|Argument { key, value, .. }| write!(f, " {key}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What runs in each phase, joined by commas.
    fn at(text: &str, phases: &[u64]) -> String {
        let schedule = BalancerSchedule::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let choice = |&phase| schedule.at(phase).map_or_else(|| "-".to_owned(), ToString::to_string);
        phases.iter().map(choice).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_phase_of_its_own_beats_every_multiple() {
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
    fn of_several_that_divide_the_first_wins() {
        assert_eq!(at("%2 GreedyLB\n%3 RotateLB", &[0, 2, 3, 6]), "GreedyLB, GreedyLB, RotateLB, GreedyLB");
        assert_eq!(at("%3 RotateLB\n%2 GreedyLB", &[0, 2, 3, 6]), "RotateLB, GreedyLB, RotateLB, RotateLB");
    }

    #[test]
    fn without_a_number_every_phase_is_meant() {
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
