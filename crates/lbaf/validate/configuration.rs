// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of configurations. Their data are not read.

use std::path::{Path, PathBuf};

use lbaf_config::{ConfigError, Layers, Overrides, StudyConfig, resolve};

/// Keys that only studies have.
const KEYS_OF_STUDIES: [&str; 4] = ["axes", "base", "combine", "configuration"];

/// Errors of a configuration.
pub(super) struct Report {
    pub(super) path: PathBuf,
    /// Kind of the configuration; `None` if the file is not YAML.
    pub(super) kind: Option<&'static str>,
    /// Errors, each with its place.
    pub(super) errors: Vec<String>,
}

/// True if a file is a configuration, according to its name.
pub(super) fn is_configuration(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// Checks a configuration. Of a study, all cells are checked.
pub(super) fn check(path: PathBuf) -> Report {
    let mut errors = Vec::new();
    let mut add = |error: ConfigError| {
        let texts = match error {
            ConfigError::Invalid(invalid) => invalid.texts().to_vec(),
            other => vec![other.to_string()],
        };
        for text in texts {
            if !errors.contains(&text) {
                errors.push(text);
            }
        }
    };
    let kind = match Layers::alone(&path) {
        Err(error) => {
            add(error);
            None
        }
        Ok(layers) if KEYS_OF_STUDIES.iter().any(|key| layers.tree.get(key).is_some()) => {
            match StudyConfig::read(&path, &[], None) {
                Err(error) => add(error),
                Ok(study) => {
                    let cells = study.cells.iter().map(|cell| study.layers(cell));
                    let resolved = cells.map(|layers| resolve(&layers?, &Overrides::default()));
                    resolved.filter_map(Result::err).for_each(&mut add);
                }
            }
            Some("study")
        }
        Ok(_) => {
            let layers = Layers::read(std::slice::from_ref(&path), &[]);
            if let Err(error) = layers.and_then(|layers| resolve(&layers, &Overrides::default())) {
                add(error);
            }
            Some("configuration of a run")
        }
    };
    Report { path, kind, errors }
}
