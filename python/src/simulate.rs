// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulations of whole runs.

use std::path::PathBuf;
use std::sync::Arc;

use lbaf_report::simulation::{draw, illustrate};
use lbaf_run::Silent;
use lbaf_run::simulate::{Scenario, Simulations};
use lbaf_study::Simulated;
use lbaf_writer::Inputs;
use pyo3::prelude::*;

use crate::call::Call;
use crate::charts::{Files, files_and_reasons};
use crate::engine::work;
use crate::failure::Failure;
use crate::run::Configuration;
use crate::work_model::configured;

/// The scenarios of a simulation, from which charts are drawn.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct Simulation {
    scenarios: Arc<Vec<(Scenario, Simulated)>>,
    #[pyo3(get)]
    directory: PathBuf,
    #[pyo3(get)]
    warnings: Vec<String>,
    #[pyo3(get)]
    notes: Vec<String>,
}

/// Simulates a configuration and writes the results as `lbaf simulate` does.
#[pyfunction]
pub(crate) fn simulate(
    py: Python<'_>,
    configuration: Configuration,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Simulation> {
    let call = Call::begin();
    let prepare = configuration.prepared(py, &call, false)?;
    let state = Arc::clone(&call);
    let (directory, scenarios) = work(py, &call, threads, progress.as_ref(), move || {
        let call = state;
        let prepared = prepare()?;
        let run = &prepared.run;
        let simulated = Simulations::new(&prepared)?.run(&*call, &call.cancel)?;
        let scenarios = simulated.scenarios.clone();
        let staging = lbaf_run::staging(&run.output_dir, &*call)?;
        let mut outputs = simulated.write(&run.output_dir, staging)?;
        if let Some(plots) = &run.plots {
            illustrate(&mut outputs, plots, &*call)?;
        }
        // An interrupted simulation publishes nothing.
        call.cancel.check()?;
        let mut inputs = Inputs::none();
        prepared.files().iter().for_each(|file| inputs.add(file));
        outputs.publish(&inputs)?;
        Ok((run.output_dir.clone(), scenarios))
    })?;
    let (warnings, notes) = call.messages();
    Ok(Simulation { scenarios: Arc::new(scenarios), directory, warnings, notes })
}

#[pymethods]
impl Simulation {
    /// Draws charts. `text` is a configuration with the section `plots`. Returns files by name, and the reasons for
    /// which charts are not drawn.
    fn charts<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Files<'py>> {
        let (_, run) = configured("<plot>", text, ".".as_ref())?;
        let plots = run.plots.ok_or_else(|| Failure::config("`plots` selects no chart"))?;
        let scenarios = Arc::clone(&self.scenarios);
        let drawn = work(py, &Arc::default(), None, None, move || Ok(draw(&scenarios, &plots, &Silent)?))?;
        Ok(files_and_reasons(py, drawn))
    }
}
