// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations of runs, simulations and studies: the YAML of LBAF users, and a few keys more.
//!
//! Files are layered ([`Layers`]), read into structures of what users may write, and resolved ([`resolve`]) into a
//! [`RunConfig`], what a run will do, or a [`StudyConfig`]. Every error shows the line that it is about.
//! [`yaml`] holds the located tree; [`vt_files`] reads vt's own specification and LB configuration files.
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

pub use balancing::Balancing;
pub use chart::{ALL_CHARTS, CHARTS_OF_RUNS, CHARTS_OF_SIMULATIONS, chart_named};
pub use denoise::{DenoiseSettings, DetectorName, ModelName, labelling_in_json};
pub use error::ConfigError;
pub use invocation::Invocation;
pub use layers::{Layers, Overrides};
/// Ascending phases in few words: `0-3, 7`.
pub use lbaf_reader::phases_in_words as ranges;
pub use logging::{Logging, LoggingLevel};
pub use machine::{MachineConfig, machine_error};
pub use own_strategies::OwnStrategies;
pub use phases::Selection;
pub use plots::{FONT_PT, PlotSettings, Plots, unfit_height};
pub use resolve::{check_rank_alpha, check_work, refused, resolve, work_by_arguments};
pub use simulation::{SimulationConfig, TrialName, When};
pub use strategies::{Balancers, Strategies};
pub use study::{Axis, AxisRole, Command as StudyCommand, StudyConfig};
pub use visualization::{Qoi, Visualization};
pub use work_model::constant_work;

/// A run, resolved: its data, objective, strategies and outputs.
pub struct RunConfig {
    /// The data: files, or distributions to draw from.
    pub origin: Origin,
    /// True if files must be valid by their schema.
    pub check_schema: bool,
    /// Phases to read.
    pub phases: Selection,
    /// Kinds of communication that count.
    pub communication_kinds: Vec<CommunicationKind>,
    /// Treatment of communication with objects that are not in the phase.
    pub absent_endpoints: AbsentEndpoints,
    /// True if subphases are read, also if no strategy looks at them.
    pub subphases: bool,
    /// Assignment of ranks to nodes.
    pub nodes: NodeRule,
    /// Factors on the loads of single ranks.
    pub rank_alpha: BTreeMap<u32, f64>,
    /// The objective.
    pub model: Box<dyn WorkModel>,
    /// The model's parameters for the summary.
    pub model_parameters: serde_json::Value,
    /// The strategy of each phase.
    pub strategies: Strategies,
    /// A data set whose placements are the map of a strategy.
    pub map: Option<Stem>,
    /// Files that are read beside data and configuration.
    pub other_inputs: Vec<PathBuf>,
    /// Phases that are balanced, and from which placement.
    pub balancing: Balancing,
    /// Seed of all random streams.
    pub seed: u64,
    /// Directory of all outputs.
    pub output_dir: PathBuf,
    /// Stem of the names of reassigned files, also if none are written.
    pub output_file_stem: String,
    /// Reassigned files to write, if any.
    pub files: Option<lbaf_writer::Options>,
    /// True if their tasks carry LBAF's quantities of objects.
    pub object_quantities: bool,
    /// Charts and tables for papers, if any.
    pub plots: Option<Plots>,
    /// LBAF's picture of objects on ranks.
    pub visualization: Option<Visualization>,
    /// Detection of noise, if it is to be taken out of recorded times.
    pub denoise: Option<Labelling>,
    /// Settings of `lbaf simulate`.
    pub simulation: SimulationConfig,
    /// Level of messages, and the log file.
    pub logging: Logging,
    /// The configuration as the user gave it, for the summary.
    pub invocation: Invocation,
    /// Keys that were understood in another way, or have no effect in this version: one sentence each.
    pub notes: Vec<String>,
    /// Keys that have no effect for another key's sake.
    pub warnings: Vec<String>,
    /// Notes on the result that are known before the run, for the summary.
    pub summary_notes: Vec<String>,
}

impl RunConfig {
    /// The strategy that runs in a phase; without one every object stays.
    pub fn strategy_at(&self, phase: PhaseId) -> Option<&dyn Strategy> {
        self.strategies.at(phase.0)
    }
}

/// Source of the data.
#[derive(Debug)]
pub enum Origin {
    /// From files.
    Files(Stem),
    /// From distributions.
    Samplers(Box<SampledSpec>),
}

/// Files of all ranks.
#[derive(Clone, Debug)]
pub struct Stem {
    /// The stem as the user wrote it.
    pub as_written: String,
    /// The stem relative to the working directory.
    pub path: PathBuf,
    /// Suffix of the files; `None` for the one that is found.
    pub suffix: Option<String>,
    /// Number of ranks that the user expects; another number is a warning.
    pub expected_ranks: Option<usize>,
}
