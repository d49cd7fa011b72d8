// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB configuration files of vt, and the strategies that implement their balancers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::vt_files::{Argument, BalancerSchedule, Position, Rule, ScheduleError, ScheduleFile};
use lbaf_strategies::{Strategy, StrategyConfig, StrategyError, StrategyName};
use lbaf_text::Shown as _;

use crate::ConfigError;
use crate::Layers;
use crate::error::Invalid;
use crate::yaml::{self, Entry, Key, Node, Place, SourceId, Sources, Value};

/// LB configuration file of vt, with the strategies of its balancers.
pub struct Balancers {
    /// Path as written.
    pub as_written: String,
    /// Path relative to the working directory.
    pub file: PathBuf,
    schedule: BalancerSchedule,
    /// Balancer of each rule, by line number.
    strategies: BTreeMap<usize, Balancer>,
    sources: Sources,
    source: SourceId,
}

/// Balancer of a line.
enum Balancer {
    Runs(StrategyConfig),
    /// `NoLB`.
    None,
    /// A balancer that this version does not implement, with the error message.
    Lacking(StrategyError),
}

impl Balancers {
    /// Reads the file. `finish` completes a strategy with settings beyond its parameters.
    ///
    /// # Errors
    /// If the file cannot be read or has another format, at the first invalid word, even in a line that applies to no
    /// phase, or if `finish` fails. [`Strategies::check`](super::Strategies::check) reports balancers that this version
    /// does not implement.
    pub fn read(
        written: &str,
        layers: &Layers,
        finish: impl Fn(&mut dyn Strategy) -> Result<(), ConfigError>,
    ) -> Result<Self, ConfigError> {
        let file = layers.path(written);
        let at_key = |message: String| layers.error(&layers.tree.error_at("algorithm.lb_config", message));
        let bytes = lbaf_reader::read_file(&file)
            .map_err(|source| at_key(format!("cannot read {}: {source}", file.display())))?;
        let mut sources = Sources::default();
        let source = sources.add_bytes(file.display().to_string(), &bytes);
        let source = source.map_err(|error| rendered(&sources, &error))?;
        let schedule = match parse(sources.text(source), source) {
            Ok(schedule) => schedule,
            Err(None) => {
                let file = file.shown();
                return Err(at_key(format!(
                    "{file} is a specification of output (`lbaf spec {file}`), not an LB configuration file"
                )));
            }
            Err(Some(error)) => return Err(rendered(&sources, &error)),
        };
        let mut balancers = Balancers {
            as_written: written.to_owned(),
            file,
            schedule,
            strategies: BTreeMap::new(),
            sources,
            source,
        };
        for rule in balancers.schedule.rules() {
            let balancer = match rule.choice.balancer.name {
                "NoLB" => Balancer::None,
                name => match name.parse::<StrategyName>() {
                    Err(error) => Balancer::Lacking(error),
                    Ok(strategy) => {
                        let strategy = yaml::from_node_with(&balancers.arguments(rule), strategy);
                        let mut strategy = strategy.map_err(|error| balancers.error(&error.within(name)))?;
                        finish(strategy.strategy_mut())?;
                        Balancer::Runs(strategy)
                    }
                },
            };
            balancers.strategies.insert(rule.line, balancer);
        }
        Ok(balancers)
    }

    /// Returns the rule of a phase.
    pub fn rule_at(&self, phase: u64) -> Option<&Rule> {
        self.schedule.rule_at(phase)
    }

    /// Returns the rules in the order of their lines.
    pub fn rules(&self) -> &[Rule] {
        self.schedule.rules()
    }

    /// Returns the strategy that a rule runs; `None` for `NoLB` and for balancers that this version does not implement.
    pub fn strategy(&self, rule: &Rule) -> Option<&dyn Strategy> {
        match &self.strategies[&rule.line] {
            Balancer::Runs(strategy) => Some(strategy.strategy()),
            Balancer::None | Balancer::Lacking(_) => None,
        }
    }

    /// Returns all strategies that run.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn Strategy> {
        self.strategies.values_mut().filter_map(|balancer| match balancer {
            Balancer::Runs(strategy) => Some(strategy.strategy_mut()),
            Balancer::None | Balancer::Lacking(_) => None,
        })
    }

    /// Returns the error of a rule whose balancer this version does not implement.
    pub(super) fn lacking(&self, rule: &Rule) -> Option<&StrategyError> {
        match &self.strategies[&rule.line] {
            Balancer::Lacking(error) => Some(error),
            Balancer::Runs(_) | Balancer::None => None,
        }
    }

    /// Creates an error at the value of argument `key` of a rule, else at the name of the balancer.
    pub(super) fn error_at(&self, rule: &Rule, key: Option<&str>, message: &str) -> ConfigError {
        let arguments = self.arguments(rule);
        let argument = key.and_then(|key| arguments.get(key));
        self.error(&yaml::Error::new(message, argument.map_or(arguments.place, |argument| argument.place)))
    }

    /// Returns the arguments of a rule as a mapping, placed at the name of the balancer.
    fn arguments(&self, rule: &Rule) -> Node {
        let place = |position: Position, text: &str| Place {
            source: self.source,
            line: position.line,
            column: position.column,
            length: text.chars().count(),
        };
        let entry = |argument: &Argument| {
            let key = Key { text: argument.key.clone(), place: place(argument.position, &argument.key) };
            let value = Value::Argument(argument.value.clone());
            let value = Node { value, place: place(argument.value_position(), &argument.value) };
            Entry { key, value }
        };
        let entries = rule.choice.arguments.iter().map(entry).collect();
        Node { value: Value::Mapping(entries), place: self.place_of(rule) }
    }

    /// Returns the place of the name of the balancer of a rule.
    fn place_of(&self, rule: &Rule) -> Place {
        let name = rule.choice.balancer.name;
        let line = self.sources.text(self.source).lines().nth(rule.line - 1).unwrap_or_default();
        let before = line.find(name).map_or(0, |at| line[..at].chars().count());
        Place { source: self.source, line: rule.line, column: before + 1, length: name.chars().count() }
    }

    fn error(&self, error: &yaml::Error) -> ConfigError {
        rendered(&self.sources, error)
    }
}

/// Parses the schedule. The error is `None` for a specification.
fn parse(text: &str, source: SourceId) -> Result<BalancerSchedule, Option<yaml::Error>> {
    let error = |error: ScheduleError| {
        let Position { line, column } = error.position;
        let rest = text.lines().nth(line - 1).unwrap_or_default().chars().skip(column - 1);
        let length = rest.take_while(|letter| !letter.is_ascii_whitespace()).count();
        Some(yaml::Error::new(error.fault.to_string(), Place { source, line, column, length }))
    };
    match (BalancerSchedule::parse(text), ScheduleFile::parse(text.as_bytes())) {
        (Ok(schedule), _) if !schedule.rules().is_empty() => Ok(schedule),
        (_, Ok(ScheduleFile::Specification(_))) => Err(None),
        (Err(fault), _) | (Ok(_), Err(fault)) => Err(error(fault)),
        (Ok(schedule), Ok(ScheduleFile::Balancers(_))) => Ok(schedule),
    }
}

fn rendered(sources: &Sources, error: &yaml::Error) -> ConfigError {
    ConfigError::Invalid(Invalid::in_other_file(sources, error))
}
