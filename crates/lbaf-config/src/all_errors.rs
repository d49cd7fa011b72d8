// SPDX-License-Identifier: MIT OR Apache-2.0
//! All errors of a configuration: an invalid key is removed from the tree, which is then checked again.

use crate::error::Invalid;
use crate::yaml::{self, Node, Place};
use crate::{ConfigError, Layers};

/// Keys whose value determines the meaning of the other keys of their section.
const SELECTORS: [&str; 2] = ["name", "detector"];

/// Kind of a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Run,
    Study,
}

/// Returns the error of all invalid keys and values. `first` is the error of the whole tree, and `check` returns the
/// first error of a tree. In a list, only the first invalid item is found.
pub(super) fn all_errors<T>(
    first: ConfigError,
    layers: &Layers,
    check: impl Fn(&Layers) -> Result<T, ConfigError>,
    kind: Kind,
) -> ConfigError {
    let ConfigError::Invalid(first) = first else { return first };
    let mut tree = Tree { layers: layers.clone(), removed: Vec::new(), kind };
    let mut found: Vec<Invalid> = Vec::new();
    let mut next = Some(first);
    while let Some(invalid) = next.take() {
        let error = invalid.error.clone();
        let is_consequence = error.as_deref().is_some_and(|error| tree.explains(error));
        if !is_consequence && found.iter().all(|known| known.texts() != invalid.texts()) {
            found.push(invalid);
        }
        let Some(error) = error else { break };
        let is_changed = tree.complete(&error) || tree.remove(&error);
        if is_changed
            && found.len() < Invalid::MAX
            && let Err(ConfigError::Invalid(invalid)) = check(&tree.layers)
        {
            next = Some(invalid);
        }
    }
    found.sort_by_key(|invalid| {
        let place = invalid.error.as_deref().and_then(|error| error.place);
        place.map_or((1, None, 0, 0), |Place { source, line, column, .. }| (0, Some(source), line, column))
    });
    ConfigError::Invalid(Invalid::joined(found))
}

/// A configuration without the keys that caused errors.
struct Tree {
    layers: Layers,
    /// Paths of mappings, and keys that were removed from them or of which a removed key is a misspelling.
    removed: Vec<(String, String)>,
    kind: Kind,
}

impl Tree {
    /// True if an error can be a consequence of a removal.
    fn explains(&self, error: &yaml::Error) -> bool {
        let is_about = |(mapping, key): &(String, String)| {
            // Any section may need another section.
            (mapping.is_empty() || *mapping == error.path) && error.message.contains(&format!("`{key}`"))
        };
        // The message about an unknown key lists the known keys.
        !error.message.starts_with("unknown ") && self.removed.iter().any(is_about)
    }

    /// Removes the cause of an error. Returns false if it was not found.
    fn remove(&mut self, error: &yaml::Error) -> bool {
        let tree = &mut self.layers.tree;
        let path = error.place.and_then(|place| tree.remove_at(place));
        // Words of an argument have their own places.
        let path = path.or_else(|| {
            tree.take(&error.path)?;
            Some(error.path.split('.').map(str::to_owned).collect())
        });
        let Some(mut path) = path else { return false };
        let mut note = |path: &mut Vec<String>| {
            let key = path.pop().unwrap_or_default();
            self.removed.push((path.join("."), key.clone()));
            key
        };
        let key = note(&mut path);
        if SELECTORS.contains(&&*key) && !path.is_empty() && path != ["algorithm"] {
            tree.take(&path.join("."));
            note(&mut path);
        }
        if let Some((_, suggestion)) = error.message.split_once("did you mean `") {
            let key = suggestion.split_once('`').map(|(key, _)| key.to_owned());
            self.removed.extend(key.map(|key| (error.path.clone(), key)));
        }
        true
    }

    /// Adds the key that every run needs, if an error is about its absence. Returns false for other errors.
    fn complete(&mut self, error: &yaml::Error) -> bool {
        if self.kind == Kind::Study || !error.message.contains("missing") {
            return false;
        }
        let tree = &mut self.layers.tree;
        let lacks = |tree: &Node, keys: [&str; 2]| keys.iter().all(|key| tree.get(key).is_none());
        let is_about =
            |section: &str| error.path == section || error.message.contains(&format!("`{section}`"));
        let assignment = if is_about("algorithm") && lacks(tree, ["algorithm.name", "algorithm.lb_config"]) {
            tree.take("algorithm.parameters");
            tree.take("algorithm.args");
            "algorithm.name=NoLB"
        } else if is_about("from_data") && lacks(tree, ["from_data.data_stem", "from_samplers"]) {
            "from_data.data_stem=data"
        } else {
            return false;
        };
        self.layers.clone().set(assignment).map(|layers| self.layers = layers).is_ok()
    }
}
