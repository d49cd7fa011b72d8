// SPDX-License-Identifier: MIT OR Apache-2.0
//! Status of a study from its output directory, without its file.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{CELLS, CellProgress};
use crate::RunError;
use crate::study::store::{CLAIMS, CellStore};
use crate::study::summary::FILE;

/// Status of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyStatus {
    /// Number of distinct cells; `None` if no process shares the study and its results are not written.
    pub cells: Option<usize>,
    /// Stored cells, with failed ones; of the study if its cells are known, else all in the directory.
    pub stored: usize,
    /// Failed cells among them.
    pub failed: usize,
    /// True if all results are written.
    pub is_written: bool,
    /// Cells that all running processes together compute in a second; `None` if they have computed none.
    pub cells_per_second: Option<f64>,
    /// Seconds until all cells are stored, at this rate; `None` if the rate or the number of cells is unknown.
    pub seconds_left: Option<f64>,
    /// Processes in the directory, ascending by name.
    pub processes: Vec<ProcessStatus>,
}

/// A process of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProcessStatus {
    /// Name.
    pub name: String,
    /// Name of its machine.
    pub host: String,
    /// Number of the process.
    pub pid: u32,
    /// True if it ran on this machine and has ended without leaving the study.
    pub has_ended: bool,
    /// True if its lease has expired by the clocks of this machine and of the file system. The process was probably
    /// killed or suspended.
    pub is_expired: bool,
    /// Seconds from its start to its last sign of life.
    pub seconds: f64,
    /// Its progress at that time.
    #[serde(flatten)]
    pub progress: CellProgress,
}

impl ProcessStatus {
    /// True unless the process has ended or its lease has expired.
    pub fn is_running(&self) -> bool {
        !self.has_ended && !self.is_expired
    }
}

/// The keys of `study.json` that matter here.
#[derive(Deserialize)]
struct Written {
    cells: BTreeSet<String>,
}

impl StudyStatus {
    /// Reads the status of the study in an output directory. Nothing is written.
    ///
    /// # Errors
    /// If the directory holds no study.
    pub fn read(output_dir: &Path) -> Result<Self, RunError> {
        if !output_dir.is_dir() {
            let directory = output_dir.display();
            return Err(RunError::Input(format!(
                "{directory} is not a directory; give the output directory of a study"
            )));
        }
        let store = CellStore::at(output_dir);
        let written: Option<Written> = lbaf_reader::read_file(&output_dir.join(FILE))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let claims = output_dir.join(CLAIMS);
        let shared: Option<BTreeSet<String>> =
            lbaf_claims::notice(&claims, CELLS).map(|text| text.lines().map(str::to_owned).collect());
        let found: Vec<String> = store.names().collect();
        if found.is_empty() && written.is_none() && shared.is_none() {
            return Err(RunError::Input(format!(
                "{} holds no study; give the output directory of `lbaf study`",
                output_dir.display()
            )));
        }
        let cells = shared.as_ref().or(written.as_ref().map(|written| &written.cells));
        let ours = found.into_par_iter().filter(|name| cells.is_none_or(|cells| cells.contains(name)));
        let (stored, failed) = ours
            .filter_map(|name| store.cell(&name))
            .map(|cell| (1, usize::from(cell.error.is_some())))
            .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        let leases = lbaf_claims::leases::<CellProgress>(&claims);
        let processes: Vec<ProcessStatus> = leases
            .into_iter()
            .map(|lease| ProcessStatus {
                has_ended: lease.process.has_ended(),
                is_expired: lease.age.is_some_and(|age| age.as_secs_f64() > lease.expiry),
                name: lease.name,
                host: lease.process.host,
                pid: lease.process.pid,
                seconds: lease.seconds,
                progress: lease.note,
            })
            .collect();
        let n_cells = cells.map(BTreeSet::len);
        let left = n_cells.map_or(0, |n_cells| n_cells.saturating_sub(stored));
        let rate: f64 = processes
            .iter()
            .filter(|process| process.is_running() && process.seconds > 0.0)
            .map(|process| process.progress.computed as f64 / process.seconds)
            .sum();
        let is_written =
            written.as_ref().is_some_and(|written| cells.is_none_or(|cells| *cells == written.cells));
        Ok(StudyStatus {
            cells: n_cells,
            stored,
            failed,
            is_written: is_written && left == 0,
            cells_per_second: (rate > 0.0).then_some(rate),
            seconds_left: (rate > 0.0 && n_cells.is_some()).then(|| left as f64 / rate),
            processes,
        })
    }
}
