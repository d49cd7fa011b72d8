// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies, and their cells on other machines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lbaf_config::StudyConfig;
use lbaf_run::study::ComputedCell;
use lbaf_writer::Inputs;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::Call;
use crate::engine::{caused, work};
use crate::failure::{Failure, exception};
use crate::own_strategy::registered;
use crate::run::{Configuration, NAME};

/// An opened study.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct Study {
    study: Arc<lbaf_run::study::Study>,
    call: Arc<Call>,
}

/// A failed cell: its number, its choice on each axis, its error, and the exception if an own strategy in this process
/// raised it.
type FailedCell = (usize, Vec<String>, String, Option<PyErr>);

fn configured(
    py: Python<'_>,
    configuration: &Configuration,
    call: &Arc<Call>,
) -> Result<StudyConfig, Failure> {
    let Configuration { files, text, directory, set, output_dir, own } = configuration;
    let output_dir = output_dir.as_deref();
    let study = match text {
        Some(text) => StudyConfig::of_text(NAME, text, directory, set, output_dir)?,
        None => StudyConfig::read(files.first().map_or(Path::new(""), |file| file), set, output_dir)?,
    };
    let notes = Arc::clone(call);
    study.base.processes.listen(Arc::new(move |line: &str| lbaf_run::Messages::note(&*notes, line)));
    Ok(study.with_own_strategies(registered(own, call, py)?))
}

/// Opens a study: resolves its cells and finds their stored results.
#[pyfunction]
pub(crate) fn open_study(
    py: Python<'_>,
    configuration: Configuration,
    threads: Option<usize>,
) -> PyResult<Study> {
    let call = Call::begin();
    let config = configured(py, &configuration, &call)?;
    let state = Arc::clone(&call);
    let open = move || Ok(Arc::new(lbaf_run::study::Study::open(config, &*state)?));
    let study = work(py, &call, threads, None, open)?;
    Ok(Study { study, call })
}

#[pymethods]
impl Study {
    /// Counts of all cells, of distinct cells, and of distinct cells without a stored result.
    #[getter]
    fn counts(&self) -> (usize, usize, usize) {
        let counts = self.study.counts();
        (counts.cells, counts.different, counts.missing)
    }

    #[getter]
    fn directory(&self) -> PathBuf {
        self.study.config.output_dir.clone()
    }

    #[getter]
    fn messages(&self) -> (Vec<String>, Vec<String>) {
        self.call.messages()
    }

    /// Numbers that identify the missing cells, in groups of cells that share data.
    fn missing(&self) -> Vec<Vec<usize>> {
        self.study.missing()
    }

    /// Computes the missing cells.
    fn compute(&self, py: Python<'_>, threads: Option<usize>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let (study, call) = (Arc::clone(&self.study), Arc::clone(&self.call));
        let compute = move || Ok(study.compute(&*call, &call.cancel)?);
        work(py, &self.call, threads, progress.as_ref(), compute)
    }

    /// Stores the cells with invalid configurations or data, with their errors.
    fn keep_failed(&self) -> PyResult<()> {
        Ok(self.study.keep_failed(&*self.call).map_err(Failure::from)?)
    }

    /// Stores a cell that a `CellComputer` computed.
    fn keep(&self, py: Python<'_>, cell: &[u8]) -> PyResult<()> {
        let keep = || Ok::<_, Failure>(self.study.keep(&ComputedCell::from_bytes(cell)?)?);
        Ok(py.detach(keep)?)
    }

    /// Writes the results of all cells, with charts if `draws` is true. Returns the failed cells and notes.
    fn finish(
        &self,
        py: Python<'_>,
        draws: bool,
        threads: Option<usize>,
    ) -> PyResult<(Vec<FailedCell>, Vec<String>)> {
        let Study { study: opened, call: shared } = self;
        let (study, call) = (Arc::clone(opened), Arc::clone(shared));
        let (failed, notes) = work(py, shared, threads, None, move || {
            let results = study.results()?;
            let write = || {
                let staging = lbaf_run::staging(&study.config.output_dir, &*call)?;
                let mut outputs = results.write(staging)?;
                if draws {
                    lbaf_report::study::illustrate(&mut outputs, &*call)?;
                }
                call.cancel.check()?;
                let mut inputs = Inputs::none();
                study.files().iter().for_each(|file| inputs.add(file));
                Ok::<_, Failure>(outputs.publish(&inputs)?.notes)
            };
            let notes = study.in_one_process(&call.cancel, write)?.unwrap_or_default();
            let failed: Vec<(usize, String)> =
                results.failed().map(|(number, error)| (number, error.to_owned())).collect();
            Ok((failed, notes))
        })?;
        let labels = |number| {
            let labels = opened.labels(number).unwrap_or_default();
            labels.into_iter().map(str::to_owned).collect()
        };
        let failed = failed.into_iter().map(|(number, error)| {
            let cause = shared.exception(&error);
            let exception = cause.map(|cause| caused(py, exception::STRATEGY, &error, cause));
            (number, labels(number), error, exception)
        });
        Ok((failed.collect(), notes))
    }
}

/// Computes single cells of a study, without its directory.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct CellComputer {
    computer: Arc<lbaf_run::study::CellComputer>,
    call: Arc<Call>,
}

#[pymethods]
impl CellComputer {
    #[new]
    fn new(py: Python<'_>, configuration: Configuration) -> PyResult<Self> {
        let call = Call::begin();
        let config = configured(py, &configuration, &call)?;
        Ok(CellComputer { computer: Arc::new(lbaf_run::study::CellComputer::new(config)), call })
    }

    /// Computes a cell. Returns its result as bytes for `Study.keep`.
    fn compute<'py>(
        &self,
        py: Python<'py>,
        number: usize,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (computer, cancel) = (Arc::clone(&self.computer), self.call.cancel.clone());
        let compute = move || Ok(computer.compute(number, &cancel)?.to_bytes());
        let cell = work(py, &self.call, threads, None, compute);
        // The result contains the texts of exceptions, so the exceptions themselves are not needed.
        self.call.forget();
        Ok(PyBytes::new(py, &cell?))
    }
}
