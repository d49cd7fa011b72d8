// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of configurations and specifications. The data of a configuration are not read.

use std::path::{Path, PathBuf};

use lbaf_config::{
    ConfigError, InvalidValue, KEYS_OF_RUNS, KEYS_OF_STUDIES, Layers, Overrides, StudyConfig, resolve,
};

use crate::make;

/// Kind of a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Run,
    Study,
    /// Specification for `lbaf make`.
    Specification,
}

/// Errors of a configuration.
pub(super) struct Report {
    pub(super) path: PathBuf,
    /// Kind of the configuration; `None` if the file cannot be read as YAML.
    pub(super) kind: Option<Kind>,
    pub(super) errors: Vec<InvalidValue>,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Run => "configuration of a run",
            Kind::Study => "study",
            Kind::Specification => "specification of data",
        }
    }

    /// Returns the kind of a configuration according to its keys; `None` without typical keys.
    fn of(layers: &Layers) -> Option<Self> {
        let has = |keys: &[&str]| keys.iter().any(|key| layers.tree.get(key).is_some());
        if has(&KEYS_OF_STUDIES) {
            Some(Kind::Study)
        } else if make::is_specification(layers) {
            Some(Kind::Specification)
        } else {
            has(&KEYS_OF_RUNS).then_some(Kind::Run)
        }
    }
}

/// True if the name of a file ends in `.yaml` or `.yml`.
pub(super) fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// True if a file in a directory is a configuration, or YAML with an error.
pub(super) fn is_recognized(path: &Path) -> bool {
    is_yaml(path) && path.is_file() && Layers::alone(path).map_or(true, |layers| Kind::of(&layers).is_some())
}

/// Checks a configuration, and all cells of a study.
pub(super) fn check(path: PathBuf) -> Report {
    let layers = match Layers::alone(&path) {
        Ok(layers) => layers,
        Err(error) => return Report { path, kind: None, errors: values(vec![error]) },
    };
    let kind = Kind::of(&layers).unwrap_or(Kind::Run);
    let errors = match kind {
        Kind::Study => StudyConfig::errors(&path),
        Kind::Specification => make::check(&layers).err().into_iter().collect(),
        Kind::Run => {
            let layers = Layers::read(std::slice::from_ref(&path), &[]);
            let resolved = layers.and_then(|layers| resolve(&layers, &Overrides::default()));
            resolved.err().into_iter().collect()
        }
    };
    Report { path, kind: Some(kind), errors: values(errors) }
}

/// Returns the single errors, each once.
fn values(errors: Vec<ConfigError>) -> Vec<InvalidValue> {
    let mut values: Vec<InvalidValue> = Vec::new();
    for error in errors {
        let of_error = match error {
            ConfigError::Invalid(invalid) => invalid.into_values(),
            other => vec![InvalidValue::of_text(other.to_string())],
        };
        for value in of_error {
            if values.iter().all(|known| known.text != value.text) {
                values.push(value);
            }
        }
    }
    values
}
