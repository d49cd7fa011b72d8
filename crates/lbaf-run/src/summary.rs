// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`: all results of a run, from which paper tables, charts and sentences are derived.
//!
//! The fields of [`Summary`] and of the types in it are the keys of the file. Loads are in seconds, volumes and memory
//! in bytes, work in the unit of the work model. Imbalances, excesses and gaps are fractions: 0.1 is 10 %. `None` is
//! absent from the file or null.
//!
//! The content does not depend on the machine, the number of threads or measured times.

mod amounts;
pub mod bounds;
pub mod doubt;
#[doc(hidden)]
pub mod fixture;
pub mod overall;
mod phase;
pub mod rounding;
pub mod saved;
pub mod sentences;
mod snapshot;
pub mod statistics_file;
pub mod subphases;
pub mod tables;
mod violation;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use lbaf_config::Invocation;
use lbaf_model::{DataSet, WorkModel};
use lbaf_reader::CommunicationCounts;
use lbaf_strategies::Strategy;
use lbaf_vom::CommunicationKind;
use lbaf_writer::{Staging, Written};
use serde::{Deserialize, Serialize};

pub use phase::{BeforeAfter, FrontPoint, Iteration, Locks, Migrations, PhaseResult, Start};
pub use snapshot::{Moments, Snapshot};
pub use violation::{Violation, scope_name};

/// Version of the schema, which increases when a key changes its meaning or is removed.
pub const VERSION: u32 = 4;
/// Oldest supported version of the schema. Renamed keys are read under both names.
pub const OLDEST_VERSION: u32 = 2;

/// Name of the file. It is written last and not listed in [`files`](Summary::files).
pub const FILE: &str = "summary.json";
/// Name of the file with clock times and properties of the machine. Only this file and the log file differ between
/// equal runs.
pub const TIMINGS: &str = "timings.json";
/// Value of [`Summary::schema`].
pub const SCHEMA: &str = "lbaf-summary";

/// The content of `summary.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the keys, [`VERSION`] in new files.
    pub version: u32,
    /// Version of the program.
    pub lbaf: String,
    /// Configuration files, lowest precedence first, and the values set on the command line.
    pub configuration: Invocation,
    /// The data.
    pub input: Input,
    /// Name and parameters of the work model.
    pub work_model: Named,
    /// Name and parameters of the strategy; with an LB configuration file, [`LB_CONFIG`] and the file.
    pub strategy: Named,
    /// Balancers of an LB configuration file that applied to a phase, in the order of its lines; phases without a line
    /// come last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub balancers: Vec<BalancerRuns>,
    /// Noise removed from the recorded times; `None` if they are balanced as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denoise: Option<Denoised>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Results of the selected phases, ascending by number; if placements are carried over, of all phases from the
    /// first selected one.
    pub phases: Vec<PhaseResult>,
    /// Settings of the charts; `None` if none were drawn.
    pub plots: Option<lbaf_config::PlotSettings>,
    /// Sentences on the benefit of ideal balance, the limiting factor and the result, as on the console
    /// ([`sentences`]).
    pub sentences: Vec<String>,
    /// Notes on the run, and of the strategy on its result.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Warnings on data and result.
    pub warnings: Vec<String>,
    /// All other files of the run by name, except [`TIMINGS`].
    pub files: BTreeMap<String, FileDigest>,
}

/// Noise removed from the recorded times of all phases of the data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Denoised {
    /// Settings of the detector, with the keys of `denoise` in a configuration.
    pub labelling: serde_json::Value,
    /// Number of tasks in all phases of the data.
    pub n_tasks: usize,
    /// Number of anomalies among them.
    pub n_anomalies: usize,
    /// Seconds by which the anomalies exceed the typical times of their objects.
    pub excess_seconds: f64,
    /// Mean over the [counted](lbaf_noise::Decomposition::counted) phases of the load imbalance as measured, in the
    /// recorded placements.
    pub mean_imbalance: f64,
    /// Part of `mean_imbalance` that is noise.
    pub mean_noise: f64,
    /// Reason why the noise is unknown, without full stop; `None` if it is known.
    #[serde(default, alias = "doubt", skip_serializing_if = "Option::is_none")]
    pub no_estimate_reason: Option<String>,
    /// The findings in a sentence, for runs that balance typical times. Not in the file.
    #[serde(skip)]
    pub note: String,
    /// The findings in a sentence, for simulations, which run with measured times and predict from typical ones. Not in
    /// the file.
    #[serde(skip)]
    pub simulated: String,
}

/// Name of the strategy if an LB configuration file selects the strategies.
pub const LB_CONFIG: &str = "lb_config";

/// A line of an LB configuration file, and the phases to which it applied.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalancerRuns {
    /// Number of the line, from 1; `None` for phases without a line.
    pub line: Option<usize>,
    /// The balancer and its arguments, as written; `None` without a line.
    pub balancer: Option<String>,
    /// The strategy that implements the balancer; `None` if all objects stay in place.
    pub strategy: Option<Named>,
    /// Numbers of the phases, ascending.
    pub phases: Vec<u64>,
}

/// The data of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Stem of the files as spelled in the configuration; `sampled data` for synthetic data.
    pub stem: String,
    /// Suffix of the files; `None` for synthetic data.
    pub suffix: Option<String>,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Number of distinct objects in all phases read.
    pub n_objects: usize,
    /// Numbers of the phases read, ascending.
    pub phases_read: Vec<u64>,
    /// Decompressed bytes of all documents.
    pub document_bytes: u64,
    /// Communication entries of all phases read.
    pub communications: Communications,
}

/// Numbers of communication entries by type, such as `SendRecv`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Communications {
    /// Entries that count as volume.
    pub counted: BTreeMap<String, u64>,
    /// Entries of types that do not count as volume.
    pub other_types: BTreeMap<String, u64>,
    /// Ignored entries: an endpoint is an object or block without a task in the phase, or an unknown rank.
    pub absent_endpoints: BTreeMap<String, u64>,
}

impl From<&CommunicationCounts> for Communications {
    fn from(counts: &CommunicationCounts) -> Self {
        let named = |counts: &BTreeMap<CommunicationKind, u64>| {
            counts.iter().map(|(kind, &count)| (kind.name().to_owned(), count)).collect()
        };
        Communications {
            counted: named(&counts.counted),
            other_types: named(&counts.other_kinds),
            absent_endpoints: named(&counts.absent),
        }
    }
}

/// A strategy or work model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    /// Name of the strategy or work model.
    pub name: String,
    /// Name with the additions to the published algorithm; `None` without additions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Parameters by name.
    pub parameters: serde_json::Value,
}

impl Summary {
    /// Returns the summary of balanced phases, for a work model and its parameters. Fields that only a run of a
    /// configuration has are empty: configuration, source of the data, communication entries, files, balancers, noise,
    /// settings of charts, notes and warnings.
    pub fn of_phases(
        phases: Vec<PhaseResult>,
        data: &DataSet,
        (model, parameters): (&dyn WorkModel, &serde_json::Value),
        strategy: Named,
        seed: u64,
    ) -> Self {
        Summary {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            lbaf: env!("CARGO_PKG_VERSION").to_owned(),
            configuration: Invocation::default(),
            input: Input {
                stem: String::new(),
                suffix: None,
                n_ranks: data.n_ranks(),
                n_objects: data.n_objects(),
                phases_read: data.phases().iter().map(|phase| phase.id().0).collect(),
                document_bytes: 0,
                communications: Communications::default(),
            },
            work_model: Named { name: model.name().to_owned(), label: None, parameters: parameters.clone() },
            strategy,
            balancers: Vec::new(),
            denoise: None,
            seed,
            plots: None,
            sentences: sentences::sentences(&phases, &sentences::Objective::new(model)),
            notes: Vec::new(),
            warnings: Vec::new(),
            phases,
            files: BTreeMap::new(),
        }
    }

    /// Returns the label of the strategy, or the LB configuration file.
    pub fn strategy_label(&self) -> &str {
        let file = self.strategy.parameters.get(LB_CONFIG).and_then(serde_json::Value::as_str);
        file.filter(|_| self.strategy.name == LB_CONFIG).unwrap_or(self.strategy.label())
    }
}

impl From<&dyn Strategy> for Named {
    fn from(strategy: &dyn Strategy) -> Self {
        Named {
            name: strategy.name().to_owned(),
            label: Some(strategy.label()).filter(|_| !strategy.additions().is_empty()),
            parameters: strategy.parameters(),
        }
    }
}

impl Named {
    /// Returns the name with additions to the published algorithm.
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

/// Size and digest of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileDigest {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, 64 hexadecimal digits.
    pub sha256: String,
}

/// Returns sizes and digests of all files in `staging`, by name.
pub fn digests(staging: &Staging) -> BTreeMap<String, FileDigest> {
    let digest = |written: Written| FileDigest { bytes: written.bytes, sha256: written.sha256 };
    staging.written().into_iter().map(|(name, written)| (name, digest(written))).collect()
}

/// Returns the files under `outputs` of a results file; empty if it cannot be read.
pub fn outputs_of(results: &Path) -> BTreeMap<String, FileDigest> {
    #[derive(Deserialize)]
    struct Results {
        outputs: BTreeMap<String, FileDigest>,
    }
    let Ok(bytes) = lbaf_reader::read_file(results) else { return BTreeMap::new() };
    serde_json::from_slice(&bytes).map_or_else(|_| BTreeMap::new(), |Results { outputs }| outputs)
}

/// Returns the names of files in a directory that still have the given digests. Names that lead outside are skipped.
pub fn unchanged(directory: &Path, files: BTreeMap<String, FileDigest>) -> Vec<String> {
    let inside = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let is_as_it_was = |name: &str, digest: &FileDigest| {
        let path = directory.join(name);
        path.is_file() && lbaf_writer::sha256_of_file(&path).is_ok_and(|found| found == digest.sha256)
    };
    let unchanged = files.into_iter().filter(|(name, digest)| inside(name) && is_as_it_was(name, digest));
    unchanged.map(|(name, _)| name).collect()
}

/// Returns a value as indented JSON with a final newline.
///
/// # Panics
/// If the key of a map is neither a string nor a number, which no result has.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("invariant: keys are strings");
    bytes.push(b'\n');
    bytes
}
