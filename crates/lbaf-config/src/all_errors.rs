// SPDX-License-Identifier: MIT OR Apache-2.0
//! All errors of a configuration: each invalid key or item of a list is removed, and the remainder is checked again.

use crate::error::{Invalid, InvalidValue};
use crate::yaml::{self, Node, Place};
use crate::{ConfigError, Layers};

/// Keys that determine the meaning of the other keys of their section.
const SELECTORS: [&str; 2] = ["name", "detector"];

/// Keys that only studies have.
pub const KEYS_OF_STUDIES: [&str; 4] = ["axes", "base", "combine", "configuration"];
/// Keys of which a configuration of a run has at least one.
pub const KEYS_OF_RUNS: [&str; 4] = ["from_data", "from_samplers", "algorithm", "work_model"];

/// Kind of a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Run,
    Study,
}

impl Kind {
    /// Returns an error if a configuration has only keys of the other kind.
    fn mistaken(self, layers: &Layers) -> Option<ConfigError> {
        let first = |keys: [&'static str; 4]| keys.into_iter().find(|key| layers.tree.get(key).is_some());
        let (own, other, message) = match self {
            Kind::Run => (
                first(KEYS_OF_RUNS),
                first(KEYS_OF_STUDIES),
                "this is a study, not the configuration of a run; `lbaf study` computes it",
            ),
            Kind::Study => (
                first(KEYS_OF_STUDIES),
                first(KEYS_OF_RUNS),
                "this is the configuration of a run, not a study; `lbaf run` computes it, and a study refers to it by \
                 the key `base`",
            ),
        };
        let key = other.filter(|_| own.is_none())?;
        Some(layers.error(&layers.tree.error_at_key(key, message)))
    }
}

/// Returns one error that lists up to [`Invalid::MAX`] invalid keys and values. If the tree without them is valid,
/// also returns the result of `check` for that tree. `check` returns the first error of a tree, and `first` is this
/// error for the whole tree. If `first` is not a [`ConfigError::Invalid`], it is returned alone. A configuration of
/// another kind has a single error.
pub(super) fn all_errors<T>(
    first: ConfigError,
    layers: &Layers,
    check: impl Fn(&Layers) -> Result<T, ConfigError>,
    kind: Kind,
) -> (ConfigError, Option<T>) {
    let ConfigError::Invalid(first) = first else { return (first, None) };
    if let Some(mistaken) = kind.mistaken(layers) {
        return (mistaken, None);
    }
    let mut tree = Tree { layers: layers.clone(), removed: Vec::new(), kind };
    let mut found: Vec<InvalidValue> = Vec::new();
    let mut valid = None;
    let mut next = Some(first);
    while let Some(invalid) = next.take() {
        // `check` returns one invalid value.
        let Some(mut value) = invalid.into_values().pop() else { break };
        let error = value.error.clone();
        let original = error.as_deref().and_then(|error| tree.before_removals(error));
        let is_consequence =
            original.as_ref().or(error.as_deref()).is_some_and(|original| tree.explains(original));
        if let Some(original) = original {
            value.text = tree.layers.error(&original).to_string();
            value.path = original.path;
        }
        if !is_consequence && found.iter().all(|known| known.text != value.text) {
            found.push(value);
        }
        let Some(error) = error else { break };
        let is_changed = tree.complete(&error) || tree.remove(&error);
        if is_changed && found.len() < Invalid::MAX {
            match check(&tree.layers) {
                Ok(value) => valid = Some(value),
                Err(ConfigError::Invalid(invalid)) => next = Some(invalid),
                Err(_) => {}
            }
        }
    }
    found.sort_by_key(|value| {
        let place = value.error.as_deref().and_then(|error| error.place);
        place.map_or((1, None, 0, 0), |Place { source, line, column, .. }| (0, Some(source), line, column))
    });
    (ConfigError::Invalid(Invalid::joined(found)), valid)
}

/// Parses a key `[position]`.
fn position(key: &str) -> Option<usize> {
    key.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Configuration without the keys that caused errors.
struct Tree {
    layers: Layers,
    /// Removals as path and key. For a removed key: the path of its mapping, and the key; for a misspelt key, a
    /// second entry has the suggested key. For a removed item of a list: the path of the list, and `[position]`. All
    /// positions are those before all removals.
    removed: Vec<(String, String)>,
    kind: Kind,
}

impl Tree {
    /// True if an error can be a consequence of a removal. Positions in its path are those before all removals.
    fn explains(&self, error: &yaml::Error) -> bool {
        let is_about = |(mapping, key): &(String, String)| {
            // A list without an item may have the wrong length.
            if position(key).is_some() {
                return !error.path.is_empty() && mapping.starts_with(&error.path);
            }
            // The absence of a section can cause an error in any other section.
            (mapping.is_empty() || *mapping == error.path) && error.message.contains(&format!("`{key}`"))
        };
        // Messages about unknown keys list the known keys.
        !error.message.starts_with("unknown ") && self.removed.iter().any(is_about)
    }

    /// Returns a copy of an error about an item of a list, with the position of the item before all removals in its
    /// path; `None` if the position has not changed.
    fn before_removals(&self, error: &yaml::Error) -> Option<yaml::Error> {
        let (list, rest) = error.path.split_once('[')?;
        let (item, rest) = rest.split_once(']')?;
        let now = item.parse().ok()?;
        let before = self.position_before_removals(list, now);
        let path = format!("{list}[{before}]{rest}");
        (before != now).then(|| yaml::Error { path, ..error.clone() })
    }

    fn position_before_removals(&self, list: &str, now: usize) -> usize {
        let removed = self.removed.iter().filter(|(path, _)| path == list);
        let mut removed: Vec<usize> = removed.filter_map(|(_, key)| position(key)).collect();
        removed.sort_unstable();
        removed.into_iter().fold(now, |at, removed| if removed <= at { at + 1 } else { at })
    }

    /// Removes the cause of an error. Returns false if it is not found.
    fn remove(&mut self, error: &yaml::Error) -> bool {
        let tree = &mut self.layers.tree;
        let path = error.place.and_then(|place| tree.remove_at(place));
        // No node has the place of a word in `algorithm.args`, so the whole value is removed by its path.
        let path = path.or_else(|| {
            tree.take(&error.path)?;
            Some(error.path.split('.').map(str::to_owned).collect())
        });
        let Some(mut path) = path else { return false };
        if let Some(now) = path.last().and_then(|key| position(key)) {
            path.pop();
            let list = self.joined(&path);
            let before = self.position_before_removals(&list, now);
            self.removed.push((list, format!("[{before}]")));
            return true;
        }
        let key = self.note(&mut path);
        // An item of a list without its name is removed after the error about the missing name.
        let has_section = path.last().is_some_and(|key| position(key).is_none()) && path != ["algorithm"];
        if SELECTORS.contains(&&*key) && has_section {
            self.layers.tree.take(&path.join("."));
            self.note(&mut path);
        }
        if let Some((_, suggestion)) = error.message.split_once("did you mean `") {
            let key = suggestion.split_once('`').map(|(key, _)| key.to_owned());
            self.removed.extend(key.map(|key| (error.path.clone(), key)));
        }
        true
    }

    /// Notes the removal of the last key of a path, and takes the key off the path.
    fn note(&mut self, path: &mut Vec<String>) -> String {
        let key = path.pop().unwrap_or_default();
        self.removed.push((self.joined(path), key.clone()));
        key
    }

    /// Returns a path as in errors, such as `a.b[2]`, with the positions before all removals.
    fn joined(&self, path: &[String]) -> String {
        path.iter().fold(String::new(), |parent, key| match position(key) {
            Some(now) => {
                let before = self.position_before_removals(&parent, now);
                format!("{parent}[{before}]")
            }
            None if parent.is_empty() => key.clone(),
            None => format!("{parent}.{key}"),
        })
    }

    /// Adds a missing strategy or stem of data, so that the check of a run can continue. Returns false for other
    /// errors.
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
