// SPDX-License-Identifier: MIT OR Apache-2.0
//! Identity of cells: hashes of all their inputs, under which results are cached.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::Source;
use lbaf_config::yaml::{Node, Value};
use lbaf_config::{ConfigError, Layers, Origin, RunConfig, StudyCommand};
use serde_json::Value as Json;

use super::cell_result::VERSION;
use crate::RunError;
use crate::data;

/// Keys that the hash of a cell excludes. Most only select files to write, and their form.
const WITHOUT_EFFECT: [&str; 11] = [
    "output_dir",
    "output_file_stem",
    "write_JSON",
    "plots",
    "tables",
    "visualization",
    "logging_level",
    "log_to_file",
    "overwrite_validator",
    // Results depend on the content of the data, not the path.
    "from_data.data_stem",
    // The seed has an effect only if random numbers are drawn.
    "seed",
];

/// Hashes of a cell.
pub(super) struct Identity {
    /// Hash of all inputs of the result.
    pub(super) cell: String,
    /// Hash of the data. Lower bounds depend on it and on the work model.
    pub(super) problem: String,
}

/// Digests of input files, each computed once.
#[derive(Default)]
pub(super) struct Digests {
    known: Mutex<HashMap<PathBuf, String>>,
    /// All input files, with or without a digest.
    files: Mutex<BTreeSet<PathBuf>>,
}

/// Returns the identity of a cell.
pub(super) fn identity(
    command: StudyCommand,
    run: &RunConfig,
    layers: &Layers,
    digests: &Digests,
) -> Result<Identity, RunError> {
    let mut inputs = digests.of_all(&Source::inputs(run, layers)?)?;
    let strategies = run.strategies.all();
    let uses_random_numbers = matches!(run.origin, Origin::Samplers(_))
        || strategies.iter().any(|strategy| strategy.uses_random_numbers());
    inputs.push(format!("{:?}", uses_random_numbers.then_some(run.seed)));
    // Parameters are hashed as in effect, because other keys may set their defaults.
    let parameters = strategies.iter().map(|strategy| strategy.parameters()).collect();
    inputs.push(serde_json::Value::Array(parameters).to_string());
    for strategy in &strategies {
        inputs.extend(strategy.digest().map_err(ConfigError::from)?);
    }
    Ok(Identity { cell: digest(command, layers, &inputs), problem: problem(run, digests)? })
}

/// Returns the hash of the data, on which lower bounds depend. The work model, on which they also depend, is known only
/// after the data are read.
fn problem(run: &RunConfig, digests: &Digests) -> Result<String, RunError> {
    let data = match &run.origin {
        Origin::Files(stem) => digests.of_all(&data::locate(&stem.path, stem.suffix.as_deref())?.files)?,
        Origin::Samplers(spec) => vec![format!("{spec:?}, {}", run.seed)],
    };
    // With `denoise`, the hash also covers its settings and the selected phases.
    let denoise = run.denoise.as_ref().map(|labelling| (labelling, &run.phases));
    let read = format!(
        "{:?}",
        (&run.communication_kinds, run.absent_endpoints, run.nodes, &run.rank_alpha, denoise)
    );
    Ok(shortened(&serde_json::json!([data, read])))
}

/// Returns the identity of a cell with an invalid configuration or data. It depends on choices instead of input files.
pub(super) fn identity_of_failed(command: StudyCommand, layers: &Layers, choices: &[&str]) -> String {
    let inputs: Vec<String> = ["wrong"].iter().chain(choices).map(|text| (*text).to_owned()).collect();
    digest(command, layers, &inputs)
}

fn digest(command: StudyCommand, layers: &Layers, inputs: &[String]) -> String {
    let mut tree = layers.tree.clone();
    for key in WITHOUT_EFFECT {
        tree.take(key);
    }
    if command == StudyCommand::Run {
        tree.take("simulation");
    }
    let all = serde_json::json!([VERSION, env!("CARGO_PKG_VERSION"), command, canonical(&tree), inputs]);
    shortened(&all)
}

fn shortened(all: &Json) -> String {
    let mut digest = lbaf_writer::sha256(all.to_string().as_bytes());
    digest.truncate(32);
    digest
}

/// Returns a form of a configuration that does not depend on the order or quoting of keys.
fn canonical(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        // JSON has no integers of this width.
        Value::Integer(number) => Json::from(number.to_string()),
        Value::Float(number) => Json::from(format!("{number:?}")),
        Value::String(text) | Value::Argument(text) => Json::from(format!("'{text}")),
        Value::Sequence(items) => items.iter().map(canonical).collect(),
        Value::Mapping(entries) => {
            let sorted: BTreeMap<&str, Json> =
                entries.iter().map(|entry| (&*entry.key.text, canonical(&entry.value))).collect();
            sorted.into_iter().map(|(key, value)| Json::from(vec![Json::from(key), value])).collect()
        }
    }
}

impl Digests {
    /// Registers input files.
    pub(super) fn note(&self, files: &[PathBuf]) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).extend(files.iter().cloned());
    }

    /// Returns all registered files, ascending.
    pub(super) fn files(self) -> Vec<PathBuf> {
        self.files.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }

    fn of_all(&self, files: &[PathBuf]) -> Result<Vec<String>, RunError> {
        self.note(files);
        files.iter().map(|file| self.of(file)).collect()
    }

    fn of(&self, file: &Path) -> Result<String, RunError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = known().get(file) {
            return Ok(digest.clone());
        }
        let bytes = lbaf_reader::read_file(file)
            .map_err(|source| RunError::Input(format!("cannot read {}: {source}", file.display())))?;
        let digest = lbaf_writer::sha256(&bytes);
        known().insert(file.to_path_buf(), digest.clone());
        Ok(digest)
    }
}
