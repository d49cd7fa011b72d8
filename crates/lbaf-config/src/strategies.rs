// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies of the phases of a run.

mod balancers;
mod written;

use lbaf_strategies::{Strategy, StrategyError};

use super::Layers;
use crate::ConfigError;
use crate::yaml::{self, Node, Value};

pub use balancers::Balancers;
pub(super) use written::{map_stem, permutation_file, strategies};

/// Strategies of a run.
pub enum Strategies {
    /// One strategy for all phases.
    Same {
        /// The strategy.
        strategy: Box<dyn Strategy>,
        /// Parameters that were written as arguments.
        arguments: Node,
    },
    /// Strategies of an LB configuration file.
    ByPhase(Box<Balancers>),
}

impl Strategies {
    /// Uses `strategy` for all phases, instead of the configured ones.
    pub fn of(strategy: impl Strategy + 'static, layers: &Layers) -> Self {
        let arguments = Node { value: Value::Mapping(Vec::new()), place: layers.tree.place };
        Strategies::Same { strategy: Box::new(strategy), arguments }
    }

    /// Returns the strategy of a phase. Without one, every object stays on its rank.
    pub fn at(&self, phase: u64) -> Option<&dyn Strategy> {
        match self {
            Strategies::Same { strategy, .. } => Some(&**strategy),
            Strategies::ByPhase(balancers) => balancers.strategy(balancers.rule_at(phase)?),
        }
    }

    /// Returns all strategies.
    pub fn all(&self) -> Vec<&dyn Strategy> {
        match self {
            Strategies::Same { strategy, .. } => vec![&**strategy],
            Strategies::ByPhase(balancers) => {
                balancers.rules().iter().filter_map(|rule| balancers.strategy(rule)).collect()
            }
        }
    }

    /// Returns all strategies mutably, to complete them when the data are read.
    pub fn all_mut(&mut self) -> Vec<&mut dyn Strategy> {
        match self {
            Strategies::Same { strategy, .. } => vec![&mut **strategy],
            Strategies::ByPhase(balancers) => balancers.all_mut().collect(),
        }
    }

    /// Returns the LB configuration file.
    pub fn balancers(&self) -> Option<&Balancers> {
        match self {
            Strategies::Same { .. } => None,
            Strategies::ByPhase(balancers) => Some(balancers),
        }
    }

    /// Checks that this version implements the balancers of all `phases`.
    ///
    /// # Errors
    /// At the rule with a balancer that this version does not implement.
    pub fn check(&self, phases: impl IntoIterator<Item = u64>) -> Result<(), ConfigError> {
        let Some(balancers) = self.balancers() else { return Ok(()) };
        for phase in phases {
            let Some(rule) = balancers.rule_at(phase) else { continue };
            if let Some(error) = balancers.lacking(rule) {
                let message = format!(
                    "phase {phase}: {error}; exclude the phase (`algorithm.phase_id`), or name another balancer"
                );
                return Err(balancers.error_at(rule, None, &message));
            }
        }
        Ok(())
    }

    /// Creates an error about the strategy of a phase.
    ///
    /// # Panics
    /// If no rule of the LB configuration file applies to the phase.
    pub fn error_at(&self, phase: u64, message: &str, layers: &Layers) -> ConfigError {
        match self {
            Strategies::Same { .. } => layers.error(&layers.tree.error_at("algorithm", message)),
            Strategies::ByPhase(balancers) => {
                let rule = balancers.rule_at(phase).expect("invariant: a strategy runs, so a rule names it");
                balancers.error_at(rule, None, message)
            }
        }
    }

    /// Creates the error of a strategy in a phase. An error about parameters shows the place where they were written.
    ///
    /// # Panics
    /// If no rule of the LB configuration file applies to the phase.
    pub fn refused(&self, phase: u64, mut error: StrategyError, layers: &Layers) -> ConfigError {
        if let StrategyError::Outside { message, .. } | StrategyError::Broken { message, .. } = &mut error {
            *message = format!("phase {phase}: {message}");
        }
        let (key, message) = match &error {
            StrategyError::Parameters { message, .. } => (None, message),
            StrategyError::Parameter { key, message, .. } => (Some(key), message),
            _ => return error.into(),
        };
        match self {
            Strategies::Same { arguments, .. } => {
                let argument = key.and_then(|key| arguments.get(key));
                if let (Some(key), Some(argument)) = (key, argument) {
                    let error = yaml::Error::new(message, argument.place).within(key);
                    return layers.error(&error.within("algorithm.args"));
                }
                let only_arguments = layers.tree.get("algorithm.parameters").is_none()
                    && layers.tree.get("algorithm.args").is_some();
                if only_arguments {
                    let message = key.map_or_else(|| message.clone(), |key| format!("`{key}`: {message}"));
                    return layers.error(&layers.tree.error_at("algorithm.args", message));
                }
                let key = key.map_or_else(String::new, |key| format!(".{key}"));
                let path = format!("algorithm.parameters{key}");
                layers.error(&layers.tree.error_at(&path, message))
            }
            Strategies::ByPhase(balancers) => {
                let rule = balancers.rule_at(phase).expect("invariant: a strategy ran, so a rule names it");
                let (name, key) = (rule.choice.balancer.name, key.map(String::as_str));
                let message = key
                    .map_or_else(|| format!("{name}: {message}"), |key| format!("{name}.{key}: {message}"));
                balancers.error_at(rule, key, &message)
            }
        }
    }
}
