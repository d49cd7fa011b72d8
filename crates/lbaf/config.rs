// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run configuration: the YAML of LBAF users, and a few keys more.
//!
//! Files are layered, read into [`raw`] structures that say what users may write, and resolved into [`Run`],
//! which says what will be done.

mod balancing;
mod denoise;
#[cfg(test)]
mod kinds;
mod layers;
mod logging;
mod machine;
mod old_keys;
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
mod work_model;

use std::collections::BTreeMap;
use std::path::PathBuf;

use lbaf_model::{PhaseId, WorkModel};
use lbaf_provenance::Labelling;
use lbaf_reader::{AbsentEndpoints, NodeRule};
use lbaf_strategies::Strategy;
use lbaf_synth::SampledSpec;
use lbaf_vom::CommunicationKind;

use crate::report::summary;

pub(crate) use balancing::Balancing;
pub(crate) use denoise::{DenoiseSettings, DetectorName, ModelName, labelling_in_json};
pub(crate) use layers::{Layers, Overrides};
/// Ascending phases in few words: `0-3, 7`.
pub(crate) use lbaf_reader::phases_in_words as ranges;
pub(crate) use logging::{Logging, LoggingLevel};
pub(crate) use machine::{Machine, machine_error};
pub(crate) use phases::Selection;
pub(crate) use plots::{FONT_PT, Plots, unfit_height};
pub(crate) use resolve::{check_rank_alpha, check_work, refused, resolve, work_by_arguments};
pub(crate) use simulation::{Simulation, TrialName, When};
pub(crate) use strategies::Strategies;
pub(crate) use study::{Command as StudyCommand, Role, Study};
pub(crate) use visualization::{Qoi, Visualization};

/// What a run will do.
pub(crate) struct Run {
    pub(crate) origin: Origin,
    /// Whether files must be valid by their schema.
    pub(crate) check_schema: bool,
    /// Phases to read.
    pub(crate) phases: Selection,
    pub(crate) communication_kinds: Vec<CommunicationKind>,
    pub(crate) absent_endpoints: AbsentEndpoints,
    /// Whether subphases are wanted, also if no strategy looks at them.
    pub(crate) subphases: bool,
    pub(crate) nodes: NodeRule,
    pub(crate) rank_alpha: BTreeMap<u32, f64>,
    pub(crate) model: Box<dyn WorkModel>,
    /// The model's parameters for the summary.
    pub(crate) model_parameters: serde_json::Value,
    pub(crate) strategies: Strategies,
    /// A data set whose placements are the map of a strategy.
    pub(crate) map: Option<Stem>,
    /// Files that are read beside data and configuration.
    pub(crate) other_inputs: Vec<PathBuf>,
    pub(crate) balancing: Balancing,
    pub(crate) seed: u64,
    pub(crate) output_dir: PathBuf,
    /// What the names of reassigned files begin with, whether or not they are written.
    pub(crate) output_file_stem: String,
    pub(crate) files: Option<lbaf_writer::Options>,
    /// Whether their tasks carry LBAF's quantities of objects.
    pub(crate) object_quantities: bool,
    pub(crate) plots: Option<Plots>,
    /// LBAF's picture of objects on ranks.
    pub(crate) visualization: Option<Visualization>,
    /// How noise is told, if it is to be taken out of recorded times.
    pub(crate) denoise: Option<Labelling>,
    /// How it goes in time, for `lbaf simulate`.
    pub(crate) simulation: Simulation,
    pub(crate) logging: Logging,
    /// What the user said, for the summary.
    pub(crate) told: summary::Configuration,
    /// Keys that were understood in another way, or have no effect in this version: one sentence each.
    pub(crate) notes: Vec<String>,
    /// Keys that have no effect for another key's sake.
    pub(crate) warnings: Vec<String>,
    /// What is known of the result before it is made, for the summary.
    pub(crate) foreknown: Vec<String>,
}

impl Run {
    /// The strategy that runs in a phase; without one every object stays.
    pub(crate) fn strategy_at(&self, phase: PhaseId) -> Option<&dyn Strategy> {
        self.strategies.at(phase.0)
    }
}

/// Where the data come from.
#[derive(Debug)]
pub(crate) enum Origin {
    /// From files.
    Files(Stem),
    /// From distributions.
    Samplers(Box<SampledSpec>),
}

/// Files of all ranks.
#[derive(Clone, Debug)]
pub(crate) struct Stem {
    /// Where they are, as the user wrote it.
    pub(crate) as_written: String,
    /// Where they are, from here.
    pub(crate) path: PathBuf,
    pub(crate) suffix: Option<String>,
    pub(crate) expected_ranks: Option<usize>,
}
