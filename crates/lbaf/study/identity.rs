// SPDX-License-Identifier: MIT OR Apache-2.0
//! What makes a cell the same as one that was computed before: configuration, data, and what is computed.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lbaf_config::yaml::{Node, Value};
use lbaf_config::{Layers, Origin, RunConfig, StudyCommand};
use lbaf_run::Source;
use serde_json::Value as Json;

use super::cell::VERSION;
use crate::data;
use crate::error::Error;
use crate::inputs;

/// Keys that say what is written and how, not what comes out.
const WITHOUT_EFFECT: [&str; 10] = [
    "output_dir",
    "output_file_stem",
    "write_JSON",
    "plots",
    "visualization",
    "logging_level",
    "log_to_file",
    "overwrite_validator",
    // Where the data are does not matter, but what they are.
    "from_data.data_stem",
    // It counts where something is drawn with it.
    "seed",
];

/// What decides a cell, and its bounds.
pub(super) struct Identity {
    /// The digest of all that decides the result.
    pub(super) cell: String,
    /// The digest of the data: cells that agree in it and in the work model have the same lower bounds in every phase.
    pub(super) problem: String,
}

/// Digests of files, each computed once.
#[derive(Default)]
pub(super) struct Digests(Mutex<HashMap<PathBuf, String>>);

/// The identity of a cell.
pub(super) fn identity(
    command: StudyCommand,
    run: &RunConfig,
    layers: &Layers,
    digests: &Digests,
) -> Result<Identity, Error> {
    let mut inputs = digests.of_all(&Source::inputs(run, layers)?)?;
    let strategies = run.strategies.all();
    let draws =
        matches!(run.origin, Origin::Samplers(_)) || strategies.iter().any(|strategy| strategy.draws());
    inputs.push(format!("{:?}", draws.then_some(run.seed)));
    // As they will run: some parameters are by default what other keys say.
    let parameters = strategies.iter().map(|strategy| strategy.parameters()).collect();
    inputs.push(serde_json::Value::Array(parameters).to_string());
    for strategy in &strategies {
        inputs.extend(strategy.digest()?);
    }
    Ok(Identity { cell: digest(command, layers, &inputs), problem: problem(run, digests)? })
}

/// The digest of what bounds depend on beside the work model, which is known only when strategies have met their phases.
fn problem(run: &RunConfig, digests: &Digests) -> Result<String, Error> {
    let data = match &run.origin {
        Origin::Files(stem) => digests.of_all(&data::locate(&stem.path, stem.suffix.as_deref())?.files)?,
        Origin::Samplers(spec) => vec![format!("{spec:?}, {}", run.seed)],
    };
    // Noise is a matter of all phases that are read.
    let denoise = run.denoise.as_ref().map(|labelling| (labelling, &run.phases));
    let read = format!(
        "{:?}",
        (&run.communication_kinds, run.absent_endpoints, run.nodes, &run.rank_alpha, denoise)
    );
    Ok(shortened(&serde_json::json!([data, read])))
}

/// The same of a cell whose configuration or data are wrong, as far as they are known: its choices tell it from others,
/// for what they came to is not known.
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

/// A configuration in which order and spelling of keys do not matter.
fn canonical(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        // Wider than JSON has them.
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
    fn of_all(&self, files: &[PathBuf]) -> Result<Vec<String>, Error> {
        files.iter().map(|file| self.of(file)).collect()
    }

    fn of(&self, file: &Path) -> Result<String, Error> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = known().get(file) {
            return Ok(digest.clone());
        }
        let bytes = inputs::read(file)
            .map_err(|source| Error::Input(format!("cannot read {}: {source}", file.display())))?;
        let digest = lbaf_writer::sha256(&bytes);
        known().insert(file.to_path_buf(), digest.clone());
        Ok(digest)
    }
}
