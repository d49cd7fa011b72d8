// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a simulation in its output directory.

use std::path::Path;

use lbaf_study::Simulated;
use lbaf_writer::{Inputs, Staging};

use super::{Scenario, SimulatedRun, SimulationSummary};
use crate::RunError;
use crate::summary;

/// Name of the summary, which is written last.
pub const FILE: &str = "simulation.json";
const PHASES: &str = "simulation.csv";
const LOAD_MODELS: &str = "load_models.csv";

/// Unpublished outputs of a simulation in the staging directory, complete except for charts.
pub struct SimulationOutputs {
    /// The scenarios, for charts.
    pub scenarios: Vec<(Scenario, Simulated)>,
    /// The summary, without the digests of files.
    pub summary: SimulationSummary,
    /// The staging directory; charts may be added.
    pub staging: Staging,
    /// Files of the previous simulation that publishing removes unless this one writes them.
    stale: Vec<String>,
}

impl SimulatedRun {
    /// Writes the tables into `staging`, the staging of `output_dir`. Charts may follow before
    /// [`SimulationOutputs::publish`].
    ///
    /// # Errors
    /// If the tables cannot be written.
    pub fn write(self, output_dir: &Path, staging: Staging) -> Result<SimulationOutputs, RunError> {
        let SimulatedRun { scenarios, summary } = self;
        staging.put(PHASES, summary.to_csv().as_bytes())?;
        if let Some(load_models) = &summary.load_models {
            staging.put(LOAD_MODELS, load_models.to_csv().as_bytes())?;
        }
        let stale = summary::unchanged(output_dir, summary::outputs_of(&output_dir.join(FILE)));
        Ok(SimulationOutputs { scenarios, summary, staging, stale })
    }
}

impl SimulationOutputs {
    /// Adds digests to the summary, and moves all files to the output directory. Removes unchanged files of an earlier
    /// simulation that this one does not write. Never replaces `inputs`.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of `inputs`.
    pub fn publish(self, inputs: &Inputs) -> Result<SimulationSummary, RunError> {
        let SimulationOutputs { mut summary, staging, stale, .. } = self;
        summary.outputs = summary::digests(&staging);
        staging.put(FILE, &summary.to_json())?;
        staging.publish(Some(FILE), inputs, &stale)?;
        Ok(summary)
    }
}
