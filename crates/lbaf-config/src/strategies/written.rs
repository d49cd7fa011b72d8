// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies of configurations.

use std::sync::Arc;

use lbaf_external::{ExternalError, ExternalStrategy};
use lbaf_reader::is_there;
use lbaf_strategies::{MapSource, PlacementMap, Strategy, StrategyConfig, StrategyError, StrategyName};

use super::{Balancers, Strategies};
use crate::ConfigError;
use crate::own_strategies::Make;
use crate::settings::{self, PARAMETERS, Settings};
use crate::yaml::{self, Node, Value};
use crate::{Layers, Stem, permutation, raw};

/// Creates the strategy of all phases, or the strategies of an LB configuration file.
pub(crate) fn strategies(
    raw: &raw::Algorithm,
    settings: Settings,
    seed: Option<u64>,
    layers: &Layers,
    tree: &Node,
) -> Result<Strategies, ConfigError> {
    match (&raw.name, &raw.lb_config) {
        (Some(name), None) => {
            let (parameters, arguments) = settings.merged(layers)?;
            let strategy = strategy(name, parameters, &arguments, seed, layers, tree)?;
            Ok(Strategies::Same { strategy, arguments })
        }
        (None, Some(file)) => {
            settings.refuse(layers)?;
            let finish = |strategy: &mut dyn Strategy| finish(strategy, seed, layers);
            Balancers::read(file, layers, finish).map(|balancers| Strategies::ByPhase(Box::new(balancers)))
        }
        (Some(_), Some(_)) => {
            let message = "`name` and `lb_config` exclude each other: one strategy for all phases, or a file that \
                           names a balancer for each";
            Err(layers.error(&tree.error_at_key("algorithm.lb_config", message)))
        }
        (None, None) => {
            let message = "missing key `name` (or `lb_config`, a file that names a balancer for each phase)";
            Err(layers.error(&tree.error_at("algorithm", message)))
        }
    }
}

fn strategy(
    name: &str,
    parameters: Option<Node>,
    arguments: &Node,
    seed: Option<u64>,
    layers: &Layers,
    tree: &Node,
) -> Result<Box<dyn Strategy>, ConfigError> {
    if let Some(make) = layers.own_strategies.get(name) {
        return finished(own_strategy(make, parameters.as_ref(), layers, tree)?, seed, layers);
    }
    let name: StrategyName = name.parse().map_err(|error: StrategyError| unknown(&error, layers, tree))?;
    let place = tree.error_at("algorithm.name", "").place.unwrap_or(tree.place);
    let parameters = parameters.unwrap_or(Node { value: Value::Null, place });
    let config: StrategyConfig = yaml::from_node_with(&parameters, name).map_err(|error| {
        let section = settings::section(&error, arguments);
        layers.error(&error.within(section))
    })?;
    let strategy = match config.strategy().external() {
        None => config.build(),
        Some(external) => {
            let refused = |error: ExternalError| match StrategyError::from(error) {
                StrategyError::Parameter { key, message, .. } => {
                    layers.error(&layers.tree.error_at(&format!("{PARAMETERS}.{key}"), message))
                }
                error => error.into(),
            };
            Box::new(ExternalStrategy::new(external.clone(), &layers.processes).map_err(refused)?)
        }
    };
    finished(strategy, seed, layers)
}

/// Creates one of the program's own strategies.
fn own_strategy(
    make: &Make,
    parameters: Option<&Node>,
    layers: &Layers,
    tree: &Node,
) -> Result<Box<dyn Strategy>, ConfigError> {
    let given = parameters.filter(|node| node.value != Value::Null);
    let read = |node: &Node| yaml::from_node::<serde_json::Map<String, serde_json::Value>>(node);
    let parameters = given.map(read).transpose().map_err(|error| layers.error(&error.within(PARAMETERS)))?;
    let refused = |error| match error {
        StrategyError::Parameter { key, message, .. } => {
            layers.error(&layers.tree.error_at(&format!("{PARAMETERS}.{key}"), message))
        }
        StrategyError::Parameters { message, .. } => {
            let path = if given.is_some() { PARAMETERS } else { "algorithm" };
            layers.error(&layers.tree.error_at(path, message))
        }
        error => layers.error(&tree.error_at("algorithm.name", error.to_string())),
    };
    make(parameters.unwrap_or_default().into()).map_err(refused)
}

/// Returns the error about an unknown strategy, with a list of the program's own strategies.
fn unknown(error: &StrategyError, layers: &Layers, tree: &Node) -> ConfigError {
    let own: Vec<&str> = layers.own_strategies.names().collect();
    let own =
        if own.is_empty() { String::new() } else { format!("; this program also has {}", own.join(", ")) };
    layers.error(&tree.error_at("algorithm.name", format!("{error}{own}")))
}

fn finished(
    mut strategy: Box<dyn Strategy>,
    seed: Option<u64>,
    layers: &Layers,
) -> Result<Box<dyn Strategy>, ConfigError> {
    finish(&mut *strategy, seed, layers)?;
    Ok(strategy)
}

/// Completes a strategy with a seed, and the content of the file that its parameters name.
fn finish(strategy: &mut dyn Strategy, seed: Option<u64>, layers: &Layers) -> Result<(), ConfigError> {
    strategy.settle_seed(seed, &random_seed);
    read_permutation(strategy, layers)
}

/// Reads the file with the placement that a strategy replays.
fn read_permutation(strategy: &mut dyn Strategy, layers: &Layers) -> Result<(), ConfigError> {
    let read = |key: &str, path: &str| {
        permutation::read(&layers.path(path)).map_err(|error| match error {
            // The error is shown at the path, because the file has no faulty line.
            ConfigError::File { path: file, source } => {
                let message = format!("cannot read {}: {source}", file.display());
                layers.error(&layers.tree.error_at(&format!("algorithm.parameters.{key}"), message))
            }
            error => error,
        })
    };
    let Some(PlacementMap { key, source, .. }) = strategy.placement_map() else { return Ok(()) };
    let path = match source {
        MapSource::File(path) => path,
        MapSource::FileOrStem(path) if is_there(&layers.path(path)) => path,
        _ => return Ok(()),
    };
    let content = read(key, path)?;
    strategy.set_map(Arc::new(content));
    Ok(())
}

/// Returns the path, as written, of the file with the placement that a strategy replays.
pub(crate) fn permutation_file(strategy: &dyn Strategy) -> Option<&str> {
    let map = strategy.placement_map()?;
    match (map.source, map.content) {
        (MapSource::File(path), _) | (MapSource::FileOrStem(path), Some(_)) => Some(path),
        _ => None,
    }
}

/// Returns the data set with the placement that a strategy replays; `None` if the placement is in a single file, or if
/// the strategy replays none.
pub(crate) fn map_stem(strategy: &dyn Strategy, layers: &Layers) -> Option<Stem> {
    let (stem, suffix) = match strategy.placement_map()? {
        PlacementMap { content: Some(_), .. } => return None,
        PlacementMap { source: MapSource::FileOrStem(stem), .. } => (stem, None),
        PlacementMap { source: MapSource::DataSet(stem, suffix), .. } => (stem, suffix.map(str::to_owned)),
        _ => return None,
    };
    Some(Stem { as_written: stem.to_owned(), path: layers.path(stem), suffix, expected_ranks: None })
}

/// Returns a seed for strategies with a new seed in every run. The summary records it.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one("seed")
}
