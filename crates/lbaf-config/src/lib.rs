// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations of runs, simulations and studies, in LBAF's YAML format with additional keys.
//!
//! Files are merged as layers ([`Layers`]) and resolved ([`resolve`]) into a [`RunConfig`]. [`StudyConfig`] reads
//! studies. Errors about a key or value show the faulty line. [`yaml`] holds the tree with source positions;
//! [`vt_files`] reads vt's specification files and LB configuration files.
//!
//! ```
//! use lbaf_config::{Layers, Overrides, resolve};
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("run.yaml");
//! std::fs::write(&file, "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n")?;
//! let config = resolve(&Layers::read(&[file.clone()], &[])?, &Overrides::default())?;
//! assert_eq!(config.seed, 0);
//!
//! std::fs::write(&file, "from_data: {data_stem: data}\nalgorithm: {name: Gready}\n")?;
//! let error = resolve(&Layers::read(&[file], &[])?, &Overrides::default()).err().expect("misspelt");
//! assert!(error.to_string().contains("did you mean `Greedy`"), "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod all_errors;
mod balancing;
mod chart;
mod denoise;
mod error;
mod invocation;
mod layers;
mod logging;
mod machine;
mod old_keys;
mod own_strategies;
mod permutation;
mod phases;
mod plots;
mod raw;
mod resolve;
mod schema;
mod settings;
mod simulation;
mod strategies;
mod study;
mod visualization;
pub mod vt_files;
mod work_model;
pub mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use lbaf_model::{PhaseId, WorkModel};
use lbaf_noise::Labelling;
use lbaf_reader::{AbsentEndpoints, NodeRule};
use lbaf_strategies::Strategy;
use lbaf_synth::SampledSpec;
use lbaf_vom::CommunicationKind;

pub use all_errors::{KEYS_OF_RUNS, KEYS_OF_STUDIES};
pub use balancing::Balancing;
pub use chart::{ALL_CHARTS, CHARTS_OF_RUNS, CHARTS_OF_SIMULATIONS, chart_named};
pub use denoise::{DenoiseSettings, DetectorName, ModelName, labelling_in_json};
pub use error::{ConfigError, Invalid, InvalidValue};
pub use invocation::Invocation;
pub use layers::{Layers, Overrides};
/// Formats ascending phases as ranges: `0-3, 7`.
pub use lbaf_reader::{named_phases, phases_in_words as ranges};
pub use logging::{Logging, LoggingLevel};
pub use machine::{MachineConfig, machine_error};
pub use own_strategies::OwnStrategies;
pub use phases::Selection;
pub use plots::{FONT_PT, PlotSettings, Plots, unfit_height};
pub use resolve::{check_rank_alpha, check_work, refused, resolve, work_by_arguments};
pub use schema::{run_schema, study_schema};
pub use simulation::{SimulationConfig, TrialName, When};
pub use strategies::{Balancers, Strategies};
pub use study::{Axis, AxisRole, Command as StudyCommand, Leases, StudyConfig};
pub use visualization::{Qoi, Visualization};
pub use work_model::{MODEL_UNITS, constant_work, work_unit};

/// Settings of a run: data, work model, strategies and outputs.
pub struct RunConfig {
    /// Origin of the data.
    pub origin: Origin,
    /// True if data files must be valid according to their schema.
    pub check_schema: bool,
    /// Phases to read.
    pub phases: Selection,
    /// Limit on the memory of the run in bytes. Results do not depend on it.
    pub memory_bytes: u64,
    /// Kinds of communication to read.
    pub communication_kinds: Vec<CommunicationKind>,
    /// Treatment of communication with objects that are absent from the phase.
    pub absent_endpoints: AbsentEndpoints,
    /// True if subphases are read even if no strategy needs them.
    pub subphases: bool,
    /// Assignment of ranks to nodes.
    pub nodes: NodeRule,
    /// Factors on the loads of individual ranks.
    pub rank_alpha: BTreeMap<u32, f64>,
    /// Work model.
    pub model: Box<dyn WorkModel>,
    /// Parameters of the work model, for the summary.
    pub model_parameters: serde_json::Value,
    /// Strategies of the phases.
    pub strategies: Strategies,
    /// Data set whose placements a strategy replays.
    pub map: Option<Stem>,
    /// Input files other than data and configuration.
    pub other_inputs: Vec<PathBuf>,
    /// Phases to balance, and their initial placement.
    pub balancing: Balancing,
    /// Seed of all random streams, except those of strategies with their own seed.
    pub seed: u64,
    /// Directory of all outputs.
    pub output_dir: PathBuf,
    /// Stem of data files with new placements, even if none are written.
    pub output_file_stem: String,
    /// Options of the data files with new placements; `None` if none are written.
    pub files: Option<lbaf_writer::Options>,
    /// True if tasks in written data files carry LBAF's object quantities.
    pub object_quantities: bool,
    /// Charts and tables for papers.
    pub plots: Option<Plots>,
    /// LBAF's picture of objects on ranks.
    pub visualization: Option<Visualization>,
    /// Detection of the noise that is removed from recorded times; `None` to keep it.
    pub denoise: Option<Labelling>,
    /// Settings of `lbaf simulate`.
    pub simulation: SimulationConfig,
    /// Level of messages, and the log file.
    pub logging: Logging,
    /// Configuration as the user gave it, for the summary.
    pub invocation: Invocation,
    /// Notes on keys that were converted, ignored or read in a special way, one sentence each.
    pub notes: Vec<String>,
    /// Warnings about keys and options without effect in this configuration, one sentence each.
    pub warnings: Vec<String>,
    /// Notes for the summary that are known before the run.
    pub summary_notes: Vec<String>,
}

impl RunConfig {
    /// Returns the strategy of a phase. Without one, every object stays on its rank.
    pub fn strategy_at(&self, phase: PhaseId) -> Option<&dyn Strategy> {
        self.strategies.at(phase.0)
    }
}

/// Origin of the data.
#[derive(Debug)]
pub enum Origin {
    /// Recorded data files.
    Files(Stem),
    /// Distributions.
    Samplers(Box<SampledSpec>),
}

/// Data files of all ranks.
#[derive(Clone, Debug)]
pub struct Stem {
    /// Stem as written by the user.
    pub as_written: String,
    /// Stem relative to the working directory.
    pub path: PathBuf,
    /// Suffix of the files; `None` to detect it.
    pub suffix: Option<String>,
    /// Number of ranks that the user expects; a different number gives a warning.
    pub expected_ranks: Option<usize>,
}
