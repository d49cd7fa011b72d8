// SPDX-License-Identifier: MIT OR Apache-2.0
//! Specifications of data sets: drawn from samplers, or listed.

use lbaf_config::yaml::{self, Node, Value};
use lbaf_config::{ConfigError, Layers, ranges, refused};
use lbaf_run::Messages as _;
use lbaf_synth::{ListedSpec, Population, SampledSpec};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::Error;
use crate::progress::Messages;

/// Keys of both kinds, to suggest one for a misspelt key.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Keys {
    from_samplers: IgnoredAny,
    tasks: IgnoredAny,
    shared_blocks: IgnoredAny,
    communications: IgnoredAny,
    ranks: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sampled {
    from_samplers: SampledSpec,
}

const SAMPLERS: &str = "from_samplers";
const LISTED: [&str; 4] = ["tasks", "shared_blocks", "communications", "ranks"];

/// True if a file has a key of listed data, or if `from_samplers` is its only key.
pub(crate) fn is_specification(layers: &Layers) -> bool {
    let tree = &layers.tree;
    let is_listed = LISTED.iter().any(|key| tree.get(key).is_some());
    is_listed
        || matches!(&tree.value, Value::Mapping(entries) if entries.len() == 1 && entries[0].key.text == SAMPLERS)
}

/// Checks a specification without drawing its data.
///
/// # Errors
/// At the first invalid key or value.
pub(crate) fn check(layers: &Layers) -> Result<(), ConfigError> {
    let tree = &layers.tree;
    let checked = match kind(tree) {
        Ok(Kind::Sampled(samplers)) => yaml::from_node::<Sampled>(tree).and_then(|spec| {
            let valid = spec.from_samplers.validate();
            valid.map_err(|error| refused(samplers, &error).within(SAMPLERS))
        }),
        Ok(Kind::Listed) => yaml::from_node::<ListedSpec>(tree)
            .and_then(|spec| spec.population().map(drop).map_err(|error| refused(tree, &error))),
        Err(error) => Err(error),
    };
    checked.map_err(|error| layers.error(&error))
}

/// Kind of a specification.
enum Kind<'a> {
    Sampled(&'a Node),
    Listed,
}

fn kind(tree: &Node) -> Result<Kind<'_>, yaml::Error> {
    match (tree.get(SAMPLERS), LISTED.into_iter().find(|key| tree.get(key).is_some())) {
        (Some(samplers), None) => Ok(Kind::Sampled(samplers)),
        (None, Some(_)) => Ok(Kind::Listed),
        (Some(_), Some(key)) => {
            let message = format!("`{SAMPLERS}` and `{key}` exclude each other; keep one of them");
            Err(yaml::Error::new(message, tree.nearest_place(key)))
        }
        (None, None) => Err(neither(tree)),
    }
}

/// Returns the data set of a specification. `seed` has no effect on listed data, and a note then says so.
pub(super) fn population(
    layers: &Layers,
    seed: Option<u64>,
    messages: Messages,
) -> Result<Population, Error> {
    let tree = &layers.tree;
    let population = kind(tree).and_then(|kind| match kind {
        Kind::Sampled(samplers) => sampled(tree, samplers, seed.unwrap_or(0)),
        Kind::Listed => listed(tree, seed.is_some(), messages),
    });
    population.map_err(|error| layers.error(&error).into())
}

fn sampled(tree: &Node, samplers: &Node, seed: u64) -> Result<Population, yaml::Error> {
    let spec: Sampled = yaml::from_node(tree)?;
    lbaf_synth::populate(&spec.from_samplers, seed)
        .map_err(|error| refused(samplers, &error).within(SAMPLERS))
}

fn listed(tree: &Node, is_seeded: bool, messages: Messages) -> Result<Population, yaml::Error> {
    let spec: ListedSpec = yaml::from_node(tree)?;
    let population = spec.population().map_err(|error| refused(tree, &error))?;
    let unused = spec.unused_blocks();
    if !unused.is_empty() {
        messages.note(&format!("shared blocks that no task uses are not written: {}", ranges(&unused)));
    }
    if is_seeded {
        messages.note("--seed has no effect, because the specification lists all data");
    }
    Ok(population)
}

fn neither(tree: &Node) -> yaml::Error {
    let slip = yaml::from_node::<Keys>(tree).err();
    slip.unwrap_or_else(|| {
        let message = format!("expected `{SAMPLERS}`, or `tasks` and `ranks`, found neither");
        yaml::Error::new(message, tree.place)
    })
}
