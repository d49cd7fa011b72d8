// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies: runs or simulations over a grid of choices, and their comparison.
//!
//! [`Study`] is a grid whose cells are known, with the store that keeps their results; [`StudyResults`] compares them, and
//! [`StudyOutputs`] holds their tables before they are published. Cells are kept under a hash of all their inputs, so that a
//! study computes only missing ones, also after an interruption or a change of its grid.
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
mod cell_result;
mod comparison;
mod competitor_marks;
mod compute;
mod identity;
mod merge;
mod outputs;
mod plan;
mod problem;
mod quantity;
mod results;
mod shard;
mod store;
mod summary;
mod tables;

use std::path::PathBuf;

use lbaf_config::StudyConfig;
use lbaf_strategies::Cancel;
use lbaf_text::Shown as _;
use lbaf_text::number::counted;

use crate::{Messages, RunError};
use plan::{CellState, PlannedCell};
use store::CellStore;

pub use cell_result::{CellResult, CellTiming, ResultRow, Step, Values};
pub use competitor_marks::{CompetitorMarks, FAILED, meaning};
pub use outputs::StudyOutputs;
pub use problem::StudyProblem;
pub use quantity::{Better, QuantityKind, ReportedQuantities, StudyQuantity};
pub use results::{Group, StudyResults};
pub use shard::Shard;
pub use summary::{AxisSummary, FILE, FailedCell, StudySummary};

/// A grid of cells, and the store of their results in the output directory.
pub struct Study {
    /// The configuration.
    pub config: StudyConfig,
    /// Objective and reported quantities.
    pub reported: ReportedQuantities,
    cells: Vec<PlannedCell>,
    store: CellStore,
    files: Vec<PathBuf>,
}

/// Numbers of cells of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellCounts {
    /// All cells.
    pub cells: usize,
    /// Different cells: repetitions of a strategy that draws no random numbers are one cell.
    pub different: usize,
    /// Different cells that are not kept.
    pub missing: usize,
}

impl Study {
    /// Resolves the configurations of all cells and finds those whose results are kept. Nothing is computed yet.
    ///
    /// # Errors
    /// If a reported quantity does not exist, or the output directory cannot be written. A cell with a wrong configuration
    /// fails in [`compute`](Self::compute), and the others have their results.
    pub fn open(config: StudyConfig, messages: &dyn Messages) -> Result<Self, RunError> {
        Study::open_cells(config, None, messages)
    }

    /// Opens a shard of the cells, for one of several processes. [`merge`](Self::merge) puts the shards together.
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
        Ok(Study { config, reported, cells, store, files })
    }

    /// Returns all files that were read or will be, which no output may replace.
    pub fn files(&self) -> Vec<PathBuf> {
        [&self.config.base.files[..], &self.files].concat()
    }

    /// Returns the numbers of cells, as they were when the study was opened.
    pub fn counts(&self) -> CellCounts {
        let missing = self.cells.iter().filter(|cell| !matches!(cell.state, CellState::Kept));
        CellCounts {
            cells: self.cells.len(),
            different: plan::n_different(self.cells.iter()),
            missing: plan::n_different(missing),
        }
    }

    /// Computes missing cells in parallel. Each is kept as soon as it is done. A cell that fails is kept with its error.
    ///
    /// # Errors
    /// If a cell cannot be kept, or a stop was requested; cells that were done by then are kept.
    pub fn compute(&self, messages: &dyn Messages, cancel: &Cancel) -> Result<(), RunError> {
        let CellCounts { different, missing, .. } = self.counts();
        if missing > 0 {
            let (all, directory) = (counted(different, "cell"), self.config.output_dir.shown());
            messages.note(&format!("computing {missing} of {all}; what is done is kept in {directory}"));
        }
        if let Some(sentence) = plan::wrong(&self.cells) {
            messages.warning(&sentence);
        }
        compute::compute(&self.config, &self.cells, &self.store, messages, cancel)
    }

    /// Takes missing cells from the output directories of shards that were computed elsewhere.
    ///
    /// # Errors
    /// If a cell is in none of them, or cannot be kept.
    pub fn merge(&self, shards: &[PathBuf]) -> Result<(), RunError> {
        merge::merge(&self.config, &self.cells, &self.store, shards)
    }

    /// Reads the results of the cells, of a shard those of its own cells.
    ///
    /// # Errors
    /// If a cell is not kept.
    pub fn cells(&self) -> Result<Vec<CellResult>, RunError> {
        let cell = |planned: &PlannedCell| {
            self.store.cell(&planned.identity).ok_or_else(|| {
                RunError::Input(format!(
                    "cell {} was kept and is gone; did something else clean up the output directory?",
                    planned.number
                ))
            })
        };
        self.cells.iter().map(cell).collect()
    }

    /// Reads and groups the results of all cells.
    ///
    /// # Errors
    /// If a cell is not kept, or this is a shard.
    pub fn results(&self) -> Result<StudyResults<'_>, RunError> {
        if self.cells.len() < self.config.cells.len() {
            return Err(RunError::Input(
                "a shard lacks the results of other shards; merge them first".to_owned(),
            ));
        }
        let cells = self.cells()?;
        let timing = |cell: &PlannedCell| self.store.timing(&cell.identity).unwrap_or_default();
        let timings = self.cells.iter().map(timing).collect();
        let (study, planned) = ((&self.config, &self.reported), (&self.cells[..], &self.store));
        Ok(StudyResults::new(study, planned, cells, timings))
    }
}
