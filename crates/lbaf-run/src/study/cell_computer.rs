// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computation of single cells without an output directory, such as in several processes.

use std::sync::{Arc, Mutex, PoisonError};

use lbaf_config::StudyConfig;
use lbaf_strategies::{Cancel, Cancelled};

use super::cell_result::{CellResult, CellTiming};
use super::computed_cell::ComputedCell;
use super::identity::{Digests, identity};
use super::plan::{configuration, depends_on_program};
use super::single_cell::{compute_cell, guarded};
use crate::{Silent, Source};

/// Computes single cells of a study without storing them, for example in several processes: each has a `CellComputer`
/// for the same configuration, and the process with the [`Study`](super::Study) distributes the numbers of
/// [missing cells](super::Study::missing) and [stores](super::Study::keep) their results.
///
/// ```
/// use std::path::Path;
///
/// use lbaf_config::{ConfigError, StudyConfig};
/// use lbaf_run::Silent;
/// use lbaf_run::study::{CellComputer, ComputedCell, Study};
/// use lbaf_strategies::Cancel;
///
/// let directory = tempfile::tempdir()?;
/// let text = "
/// configuration:
///   from_samplers:
///     n_ranks: 4
///     n_objects: 100
///     n_mapped_ranks: 2
///     load_sampler: {name: uniform, parameters: [0.5, 1.5]}
/// axes: {algorithm.name: [Greedy, RandomLB]}
/// ";
/// let config = || StudyConfig::of_text("<text>", text, directory.path(), &[], Some(directory.path()));
/// let study = Study::open(config()?, &Silent)?;
/// study.keep_failed(&Silent)?;
/// assert_eq!(study.missing(), [[0, 1]]);
///
/// let computer = CellComputer::new(config()?);
/// for number in study.missing().concat() {
///     let bytes = computer.compute(number, &Cancel::new())?.to_bytes();
///     study.keep(&ComputedCell::from_bytes(&bytes)?)?;
/// }
/// assert_eq!(study.results()?.competitors, ["Greedy", "RandomLB"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CellComputer {
    study: StudyConfig,
    digests: Digests,
    /// Key of the data read last, and the data.
    latest: Mutex<Option<(String, Arc<Source>)>>,
}

impl CellComputer {
    /// Creates a computer for the cells of a study.
    pub fn new(study: StudyConfig) -> Self {
        CellComputer { study, digests: Digests::default(), latest: Mutex::new(None) }
    }

    /// Computes a cell. Its result is an error if its configuration or its data are invalid, its strategy rejects them,
    /// its computation panics or reaches the time limit, or the study has no cell of this number. The data read last
    /// stay in memory, so consecutive cells of a group of [`missing`](super::Study::missing) read them once.
    ///
    /// # Errors
    /// If the computation was cancelled.
    pub fn compute(&self, number: usize, cancel: &Cancel) -> Result<ComputedCell, Cancelled> {
        cancel.check()?;
        let failed = |result| ComputedCell::new(number, result, CellTiming::default());
        let n_cells = self.study.cells.len();
        if number >= n_cells {
            let error = format!("there is no cell {number}; the study has {n_cells}, numbered from 0");
            return Ok(failed(CellResult::failed(error)));
        }
        let prepare = || {
            let (layers, run) = configuration(&self.study, number)?;
            let identity = identity(self.study.command, &run, &layers, &self.digests)?;
            let key = Source::key(&run);
            let source = match self.known(&key) {
                Some(source) => source,
                None => self.remember(key, Source::read(&run, &layers, &Silent)?),
            };
            Ok((source, depends_on_program(&run), identity.cell))
        };
        match guarded(prepare, CellResult::failed_for_now)? {
            Ok((source, may_fail_for_now, identity)) => {
                let cell = compute_cell(&self.study, number, may_fail_for_now, Ok(&source), cancel)?;
                Ok(cell.identified(identity))
            }
            Err(result) => Ok(failed(result)),
        }
    }

    // Data are read while the mutex is unlocked. Reading is parallel, so a thread that waits for a part of it may
    // meanwhile compute another cell. If the thread held the mutex, the other cell would wait for it forever.

    /// Returns the data read last if they have this key. Otherwise drops them, to hold one data set at a time.
    fn known(&self, key: &str) -> Option<Arc<Source>> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.as_ref().is_some_and(|(known, _)| known != key) {
            *latest = None;
        }
        latest.as_ref().map(|(_, source)| Arc::clone(source))
    }

    fn remember(&self, key: String, source: Source) -> Arc<Source> {
        let source = Arc::new(source);
        let latest = Some((key, Arc::clone(&source)));
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = latest;
        source
    }
}
