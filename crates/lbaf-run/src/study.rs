// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies: runs or simulations over a grid of choices, and their comparison.
//!
//! [`Study`] is a grid of cells with the store of their results, [`StudyResults`] compares the results, and
//! [`StudyOutputs`] holds their tables before they are published. Cells are cached under a hash of all their inputs, so
//! a study computes only missing cells, also after an interruption or a change of its grid.
//!
//! ```
//! use lbaf_config::StudyConfig;
//! use lbaf_run::study::Study;
//! use lbaf_run::{Silent, staging};
//! use lbaf_strategies::Cancel;
//! use lbaf_writer::Inputs;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("study.yaml");
//! std::fs::write(&file, "
//! configuration:
//!   from_samplers:
//!     n_ranks: 4
//!     n_objects: 100
//!     n_mapped_ranks: 2
//!     load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! axes:
//!   algorithm.name: [Greedy, RandomLB]
//!   seed: 0-2
//! output_dir: results
//! ")?;
//! let study = Study::open(StudyConfig::read(&file, &[], None)?, &Silent)?;
//! assert_eq!(study.counts().cells, 6);
//! study.compute(&Silent, &Cancel::new())?;
//!
//! let results = study.results()?;
//! assert_eq!(results.competitors, ["Greedy", "RandomLB"]);
//! assert_eq!(results.placings()[0].mean_place, Some(1.0));
//! let group = results.group(0, 1).expect("RandomLB on the only problem");
//! let median = results.median(group, "load_imbalance").expect("all cells have it");
//! assert_eq!(median.n, 3);
//!
//! let mut inputs = Inputs::none();
//! study.files().iter().for_each(|file| inputs.add(file));
//! let summary = results.write(staging(&study.config.output_dir, &Silent)?)?.publish(&inputs)?;
//! assert_eq!(summary.n_cells, 6);
//! assert!(directory.path().join("results/medians.csv").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bound_distances;
mod bounds;
mod cell_computer;
mod cell_configurations;
mod cell_result;
mod comparison;
mod competitor_marks;
mod compute;
mod computed_cell;
mod identity;
mod merge;
mod outputs;
mod plan;
mod problem;
mod progress;
mod quantity;
mod results;
mod shard;
mod shared_work;
mod sharing;
mod single_cell;
mod store;
mod summary;
mod tables;
mod time_limit;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lbaf_config::StudyConfig;

use crate::{Messages, RunError};
use plan::{CellState, PlannedCell};
use sharing::Session;
use store::{CellStore, Stored};

pub use cell_computer::CellComputer;
pub use cell_configurations::CellConfigurations;
pub use cell_result::{CellResult, CellTiming, ResultRow, Step, Values};
pub use competitor_marks::{CompetitorMarks, FAILED, meaning};
pub use computed_cell::ComputedCell;
pub use outputs::StudyOutputs;
pub use problem::StudyProblem;
pub use quantity::{Better, QuantityKind, ReportedQuantities, StudyQuantity, of_cells};
pub use results::{Group, StudyResults};
pub use shard::Shard;
pub use sharing::{CellProgress, ProcessStatus, StudyStatus};
pub use store::is_stored_cell;
pub use summary::{AxisSummary, FILE, FailedCell, ProblemSummary, SCHEMA, StudySummary};

/// A grid of cells, and the store of their results in the output directory.
pub struct Study {
    /// The configuration.
    pub config: StudyConfig,
    /// Objective and reported quantities.
    pub reported: ReportedQuantities,
    /// Name of this process in leases and in [`StudyStatus`]. By default, its machine and number.
    pub process: String,
    is_shard: bool,
    cells: Vec<PlannedCell>,
    store: CellStore,
    files: Vec<PathBuf>,
    /// This process among those that share the study, from its first attempt to claim work until the results are
    /// written or it fails.
    session: Mutex<Option<Arc<Session>>>,
}

/// Numbers of cells of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellCounts {
    /// All cells.
    pub cells: usize,
    /// Distinct cells. Cells with the same inputs count once, such as repetitions of a strategy without random numbers.
    pub different: usize,
    /// Distinct cells without a stored result, or with a stored error that may be temporary.
    pub missing: usize,
}

impl Study {
    /// Resolves the configurations of all cells and finds their stored results, without computing cells.
    ///
    /// # Errors
    /// If a reported quantity or the name of an axis is invalid, or the output directory cannot be written. A cell with
    /// an invalid configuration fails only in [`compute`](Self::compute), without effect on other cells.
    pub fn open(config: StudyConfig, messages: &dyn Messages) -> Result<Self, RunError> {
        Study::open_cells(config, None, messages)
    }

    /// Opens a shard of the cells, for one of several processes. [`merge`](Self::merge) combines the shards.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_shard(config: StudyConfig, shard: Shard, messages: &dyn Messages) -> Result<Self, RunError> {
        Study::open_cells(config, Some(shard), messages)
    }

    fn open_cells(
        config: StudyConfig,
        shard: Option<Shard>,
        messages: &dyn Messages,
    ) -> Result<Self, RunError> {
        let reported = ReportedQuantities::new(&config)?;
        let store = CellStore::open(&config.output_dir, messages)?;
        let is_ours = |identity: &str| shard.is_none_or(|shard| shard.has(identity));
        let (cells, files) = plan::plan(&config, &store, is_ours);
        let lbaf_claims::Process { host, pid, .. } = lbaf_claims::Process::current();
        let (process, is_shard) = (format!("{host}-{pid}"), shard.is_some());
        Ok(Study { config, reported, process, is_shard, cells, store, files, session: Mutex::default() })
    }

    /// Returns all input files, which outputs must not replace.
    pub fn files(&self) -> Vec<PathBuf> {
        [&self.config.base.files[..], &self.files].concat()
    }

    /// Returns the numbers of cells when the study was opened.
    pub fn counts(&self) -> CellCounts {
        let missing = self.cells.iter().filter(|cell| !matches!(cell.state, CellState::Kept));
        CellCounts {
            cells: self.cells.len(),
            different: plan::n_different(self.cells.iter()),
            missing: plan::n_different(missing),
        }
    }

    /// Returns the identity of each cell, under which its result is stored.
    pub fn identities(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| &*cell.identity)
    }

    /// Returns the numbers of the distinct cells with valid configurations that were missing when the study was opened,
    /// grouped by data. Groups and numbers are ascending. A [`CellComputer`] computes these cells, after
    /// [`keep_failed`](Self::keep_failed) has stored the invalid ones.
    pub fn missing(&self) -> Vec<Vec<usize>> {
        let groups = compute::groups(&self.cells);
        groups.iter().map(|group| group.iter().map(|cell| cell.number).collect()).collect()
    }

    /// Stores cells with invalid configurations or data, with their errors, and warns about them.
    /// [`compute`](Self::compute) does this first.
    ///
    /// # Errors
    /// If a cell cannot be stored.
    pub fn keep_failed(&self, messages: &dyn Messages) -> Result<(), RunError> {
        if let Some(sentence) = plan::wrong(&self.cells) {
            messages.warning(&sentence);
        }
        let failed: Vec<(&PlannedCell, CellResult)> =
            self.cells.iter().filter_map(|cell| Some((cell, cell.failed()?))).collect();
        let timing = &CellTiming::default();
        let stored = failed.iter().map(|(cell, result)| Stored { identity: &cell.identity, result, timing });
        self.store.keep_all(&stored.collect::<Vec<_>>())
    }

    /// Stores a cell that a [`CellComputer`] with the same configuration computed. A cell that was invalid when the
    /// study was opened is stored with the error found then.
    ///
    /// # Errors
    /// If the study or shard has no cell of this number, the configuration or the data of the cell have changed since
    /// the study was opened, or the cell cannot be stored.
    pub fn keep(&self, cell: &ComputedCell) -> Result<(), RunError> {
        let place = self.cells.binary_search_by_key(&cell.number(), |planned| planned.number);
        let planned = place.map(|place| &self.cells[place]).map_err(|_| {
            let (number, n_cells) = (cell.number(), self.config.cells.len());
            RunError::Input(if number < n_cells {
                format!("cell {number} is not in this shard")
            } else {
                format!("there is no cell {number}; the study has {n_cells}, numbered from 0")
            })
        })?;
        if cell.identity().is_some_and(|identity| identity != planned.identity) {
            return Err(RunError::Input(format!(
                "the configuration or the data of cell {} changed during the study; start it again",
                cell.number()
            )));
        }
        match planned.failed() {
            Some(failed) => self.store.keep(&planned.identity, &failed, &CellTiming::default()),
            None => self.store.keep(&planned.identity, cell.result(), cell.timing()),
        }
    }

    /// Returns the labels of a cell, axis by axis; `None` if the study has no cell of this number.
    pub fn labels(&self, number: usize) -> Option<Vec<&str>> {
        Some(self.config.labels(self.config.cells.get(number)?))
    }

    /// Copies missing cells from the output directories of shards.
    ///
    /// # Errors
    /// If a shard is not the output directory of a study, its files are being replaced, or a cell is missing from all
    /// shards or cannot be stored.
    pub fn merge(&self, shards: &[PathBuf]) -> Result<(), RunError> {
        merge::merge(&self.config, &self.cells, &self.store, shards)
    }

    /// Reads the results of all cells; for a shard, of its own cells.
    ///
    /// # Errors
    /// If a cell has no stored result.
    pub fn cells(&self) -> Result<Vec<CellResult>, RunError> {
        // Listing the directory makes cells of other processes visible on network file systems.
        drop(self.store.names());
        let cell = |planned: &PlannedCell| {
            self.store.cell(&planned.identity).ok_or_else(|| {
                RunError::Input(format!(
                    "the stored result of cell {} is missing; did another program clean up the output directory?",
                    planned.number
                ))
            })
        };
        self.cells.iter().map(cell).collect()
    }

    /// Reads and groups the results of all cells.
    ///
    /// # Errors
    /// If a cell has no stored result or belongs to another shard.
    pub fn results(&self) -> Result<StudyResults<'_>, RunError> {
        if self.cells.len() < self.config.cells.len() {
            return Err(RunError::Input(
                "a shard lacks the results of other shards; merge the shards first".to_owned(),
            ));
        }
        let cells = self.cells()?;
        let timing = |cell: &PlannedCell| self.store.timing(&cell.identity).unwrap_or_default();
        let timings = self.cells.iter().map(timing).collect();
        let (study, planned) = ((&self.config, &self.reported), (&self.cells[..], &self.store));
        Ok(StudyResults::new(study, planned, cells, timings))
    }
}
