// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a configuration.

use std::path::PathBuf;
use std::sync::Arc;

use lbaf_config::{Layers, Overrides, resolve};
use lbaf_report::illustrate;
use lbaf_run::{Prepared, infeasible};
use lbaf_writer::Inputs;
use pyo3::prelude::*;

use crate::call::Call;
use crate::engine::work;
use crate::failure::Failure;
use crate::own_strategy::{OwnStrategy, registered};

/// A configuration as files, or as a text with the directory to which its paths are relative.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Configuration {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) text: Option<String>,
    pub(crate) directory: PathBuf,
    pub(crate) set: Vec<String>,
    pub(crate) output_dir: Option<PathBuf>,
    pub(crate) own: Vec<Py<OwnStrategy>>,
}

/// Name that error messages use for a configuration from a dictionary.
pub(crate) const NAME: &str = "<dict>";

impl Configuration {
    /// Reads the configuration of a run, with the own strategies of this call.
    fn layers(&self, py: Python<'_>, call: &Arc<Call>) -> Result<(Layers, Overrides), Failure> {
        let layers = match &self.text {
            Some(text) => Layers::of_text(NAME, text, &self.directory, &self.set)?,
            None => Layers::read(&self.files, &self.set)?,
        };
        let own = registered(&self.own, call, py)?;
        let overrides =
            Overrides { set: self.set.clone(), output_dir: self.output_dir.clone(), ..Overrides::default() };
        Ok((layers.with_own_strategies(own), overrides))
    }

    /// Returns a function that reads the configuration of a run and its data. With `writes`, it keeps the records that
    /// output files need.
    pub(crate) fn prepared(
        &self,
        py: Python<'_>,
        call: &Arc<Call>,
        writes: bool,
    ) -> PyResult<impl FnOnce() -> Result<Prepared, Failure> + Send + use<>> {
        let (layers, overrides) = self.layers(py, call)?;
        let call = Arc::clone(call);
        Ok(move || {
            let run = resolve(&layers, &overrides)?;
            let notes = Arc::clone(&call);
            layers.processes.listen(Arc::new(move |line: &str| lbaf_run::Messages::note(&*notes, line)));
            Ok(Prepared::new(run, layers, &overrides, writes, &*call)?)
        })
    }
}

/// Outcome of a run: its output directory, a sentence if the result exceeds upper bounds that the strategy promises to
/// keep, warnings, and notes.
type Outcome = (PathBuf, Option<String>, Vec<String>, Vec<String>);

/// Runs a configuration and writes the results as `lbaf run` does.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    configuration: Configuration,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let call = Call::begin();
    let prepare = configuration.prepared(py, &call, true)?;
    let state = Arc::clone(&call);
    let (directory, broken) = work(py, &call, threads, progress.as_ref(), move || {
        let call = state;
        let mut prepared = prepare()?;
        let staging = prepared.staging(&*call)?;
        let balanced = prepared.balance(&*call, &call.cancel)?;
        let mut outputs = prepared.write(&balanced, staging, &*call)?;
        illustrate(&mut outputs, &*call)?;
        // An interrupted run publishes nothing.
        call.cancel.check()?;
        let mut inputs = Inputs::none();
        prepared.files().iter().for_each(|file| inputs.add(file));
        let summary = outputs.publish(&inputs)?;
        Ok((prepared.run.output_dir.clone(), infeasible(&summary, &prepared.run)))
    })?;
    let (warnings, notes) = call.messages();
    Ok((directory, broken, warnings, notes))
}
