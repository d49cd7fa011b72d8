// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that a program with this library defines, in addition to those of `lbaf`.

use std::collections::BTreeMap;
use std::sync::Arc;

use lbaf_strategies::{Strategy, StrategyError, StrategyName};
use serde_json::Value;

use crate::ConfigError;

/// Constructor of a strategy from `algorithm.parameters`, a JSON object that may be empty.
pub(crate) type Make = dyn Fn(Value) -> Result<Box<dyn Strategy>, StrategyError> + Send + Sync;

/// Strategies of a program by name. Configurations name them like strategies of `lbaf`: `algorithm: {name: NAME}`.
///
/// A study caches cells by name, parameters and [`digest`](Strategy::digest) of a strategy. Change the digest, for
/// example a version number, whenever the code of the strategy changes; otherwise a study reuses results of the old
/// code.
///
/// ```
/// use lbaf_config::{Layers, Overrides, OwnStrategies, resolve};
/// use lbaf_strategies::{Context, Outcome, Problem, Strategy, StrategyError};
///
/// struct Stay;
///
/// impl Strategy for Stay {
///     fn name(&self) -> &'static str {
///         "Stay"
///     }
///
///     fn digest(&self) -> Result<Option<String>, StrategyError> {
///         Ok(Some("1".to_owned()))
///     }
///
///     fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
///         Ok(Outcome::at_once(problem.initial.clone()))
///     }
/// }
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("run.yaml");
/// std::fs::write(&file, "from_data: {data_stem: data}\nalgorithm: {name: Stay}\n")?;
/// let own = OwnStrategies::default().with("Stay", |_| Ok(Box::new(Stay)))?;
/// let layers = Layers::read(&[file], &[])?.with_own_strategies(own);
/// let config = resolve(&layers, &Overrides::default())?;
/// assert_eq!(config.strategies.at(0).map(|strategy| strategy.name()), Some("Stay"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct OwnStrategies(BTreeMap<String, Arc<Make>>);

impl OwnStrategies {
    /// Adds a strategy, in place of an earlier one of this program with the same name. `make` creates it from its
    /// parameters, a JSON object. If `make` returns a [`StrategyError::Parameter`], the error message points at the
    /// parameter that it names.
    ///
    /// # Errors
    /// If `lbaf` already has a strategy with this name.
    pub fn with(
        mut self,
        name: impl Into<String>,
        make: impl Fn(Value) -> Result<Box<dyn Strategy>, StrategyError> + Send + Sync + 'static,
    ) -> Result<Self, ConfigError> {
        let name = name.into();
        if name.parse::<StrategyName>().is_ok() {
            return Err(ConfigError::Invalid(
                format!("`{name}` is a strategy of lbaf; choose another name").into(),
            ));
        }
        self.0.insert(name, Arc::new(make));
        Ok(self)
    }

    /// Returns the constructor of a strategy.
    pub(crate) fn get(&self, name: &str) -> Option<&Make> {
        self.0.get(name).map(|make| &**make)
    }

    /// Returns the names, ascending.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
