// SPDX-License-Identifier: MIT OR Apache-2.0
//! All errors of a configuration: an invalid key is removed from the tree, which is then checked again.

use crate::error::Invalid;
use crate::yaml::{self, Node, Place};
use crate::{ConfigError, Layers};

/// Keys whose value determines the meaning of the other keys of their section.
const SELECTORS: [&str; 2] = ["name", "detector"];

/// Beginning of messages about unknown keys.
const UNKNOWN: &str = "unknown key ";

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
    let mut tree = Tree { layers: layers.clone(), removed: Vec::new(), shortened: Vec::new(), kind };
    let mut found: Vec<Invalid> = Vec::new();
    let mut next = Some(first);
    while let Some(invalid) = next.take() {
        let error = invalid.error.clone();
        let is_consequence = error.as_deref().is_some_and(|error| tree.explains(error));
        if !is_consequence && found.iter().all(|known| known.texts() != invalid.texts()) {
            found.push(invalid);
        }
        let Some(error) = error else { break };
        // A required key that was removed is replaced. All other invalid keys are removed.
        let is_changed = is_consequence && tree.complete() || tree.remove(&error) || tree.complete();
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
    /// Keys that were removed.
    removed: Vec<String>,
    /// Paths of mappings from which an unknown key was removed. It may have been the misspelt name of a required key.
    shortened: Vec<String>,
    kind: Kind,
}

impl Tree {
    /// True if an error can be a consequence of a removal.
    fn explains(&self, error: &yaml::Error) -> bool {
        let yaml::Error { message, path, .. } = error;
        if message.starts_with(UNKNOWN) {
            // The message lists the known keys.
            return false;
        }
        let is_missing = message.starts_with("missing key ");
        is_missing && self.shortened.contains(path)
            || self.removed.iter().any(|key| message.contains(&format!("`{key}`")))
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
        let key = path.pop().unwrap_or_default();
        if SELECTORS.contains(&&*key) && !path.is_empty() && path != ["algorithm"] {
            tree.take(&path.join("."));
            self.removed.extend(path.pop());
        }
        self.removed.push(key);
        if error.message.starts_with(UNKNOWN) {
            self.shortened.push(error.path.clone());
        }
        true
    }

    /// Adds keys that every run needs, if they are missing. Returns false if none is missing.
    fn complete(&mut self) -> bool {
        if self.kind == Kind::Study {
            return false;
        }
        let tree = &mut self.layers.tree;
        let lacks = |tree: &Node, keys: [&str; 2]| keys.iter().all(|key| tree.get(key).is_none());
        let mut added = Vec::new();
        if lacks(tree, ["algorithm.name", "algorithm.lb_config"]) {
            tree.take("algorithm.parameters");
            tree.take("algorithm.args");
            added.push("algorithm.name=NoLB");
        }
        if lacks(tree, ["from_data.data_stem", "from_samplers"]) {
            added.push("from_data.data_stem=data");
        }
        if added.is_empty() {
            return false;
        }
        let completed =
            added.iter().try_fold(self.layers.clone(), |layers, assignment| layers.set(assignment));
        completed.map(|layers| self.layers = layers).is_ok()
    }
}
