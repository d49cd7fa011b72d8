// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what users wrote to strategies.

use std::sync::Arc;

use lbaf_reader::is_there;
use lbaf_strategies::{
    OfflineLB, OfflineMap, Permutation, StrategyConfig, StrategyError, StrategyName, VT_SEED,
};

use super::{Balancers, Strategies};
use crate::ConfigError;
use crate::settings::{self, Settings};
use crate::yaml::{self, Node, Value};
use crate::{Layers, Stem, permutation, raw};

/// One strategy for all phases, or those of an LB configuration file.
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
            Ok(Strategies::Same { strategy: Box::new(strategy), arguments })
        }
        (None, Some(file)) => {
            settings.refuse(layers)?;
            let finish = |strategy: &mut StrategyConfig| finish(strategy, seed, layers);
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
) -> Result<StrategyConfig, ConfigError> {
    let name: StrategyName = name
        .parse()
        .map_err(|error: StrategyError| layers.error(&tree.error_at("algorithm.name", error.to_string())))?;
    let place = tree.error_at("algorithm.name", "").place.unwrap_or(tree.place);
    let parameters = parameters.unwrap_or(Node { value: Value::Null, place });
    let mut strategy = yaml::from_node_with(&parameters, name).map_err(|error| {
        let section = settings::section(&error, arguments);
        layers.error(&error.within(section))
    })?;
    finish(&mut strategy, seed, layers)?;
    Ok(strategy)
}

/// What parameters leave to the rest of the configuration, and to files that they name.
fn finish(strategy: &mut StrategyConfig, seed: Option<u64>, layers: &Layers) -> Result<(), ConfigError> {
    if let StrategyConfig::RandomLB(random) = strategy {
        let drawn = random.randomize_seed.then(random_seed);
        random.seed = drawn.or(random.seed).or(seed).or(Some(VT_SEED));
    }
    read_permutation(strategy, layers)
}

/// Reads the file that says where objects go, if there is one.
fn read_permutation(strategy: &mut StrategyConfig, layers: &Layers) -> Result<(), ConfigError> {
    let read = |key: &str, path: &str| {
        permutation::read(&layers.path(path)).map_err(|error| match error {
            // The path is wrong, not what is in the file.
            ConfigError::File { path: file, source } => {
                let message = format!("cannot read {}: {source}", file.display());
                layers.error(&layers.tree.error_at(&format!("algorithm.parameters.{key}"), message))
            }
            error => error,
        })
    };
    match strategy {
        StrategyConfig::PrescribedPermutation(prescribed) => {
            if let Permutation::File(file) = &mut prescribed.permutation {
                file.content = Some(Box::new(read("permutation", &file.path)?));
            }
        }
        StrategyConfig::OfflineLB(offline) => {
            if let Some(OfflineMap::Path(path)) = &offline.map
                && is_there(&layers.path(path))
            {
                offline.content = Some(Arc::new(read("map", path)?));
            }
        }
        _ => {}
    }
    Ok(())
}

/// The file that says where objects go, as it was written.
pub(crate) fn permutation_file(strategy: &StrategyConfig) -> Option<&str> {
    match strategy {
        StrategyConfig::PrescribedPermutation(prescribed) => match &prescribed.permutation {
            Permutation::File(file) => Some(&file.path),
            _ => None,
        },
        StrategyConfig::OfflineLB(offline) => match (&offline.map, &offline.content) {
            (Some(OfflineMap::Path(path)), Some(_)) => Some(path),
            _ => None,
        },
        _ => None,
    }
}

/// The data set that says where objects go: what is no file.
pub(crate) fn map_stem(strategy: &StrategyConfig, layers: &Layers) -> Option<Stem> {
    let StrategyConfig::OfflineLB(OfflineLB { map: Some(map), content: None }) = strategy else {
        return None;
    };
    let (stem, suffix) = match map {
        OfflineMap::Path(stem) => (stem, None),
        OfflineMap::DataSet(data) => (&data.data_stem, data.suffix.clone()),
    };
    Some(Stem { as_written: stem.clone(), path: layers.path(stem), suffix, expected_ranks: None })
}

/// A seed that nobody chose; the summary says which it was.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one("seed")
}
