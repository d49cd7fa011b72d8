// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets: reading, building and writing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lbaf_config::Origin;
use lbaf_model::{Assignment, ObjectIdx, ObjectKey, Objects};
use lbaf_reader::Located;
use lbaf_run::{Input, Source, staging};
use lbaf_writer::{Inputs, write_model};
use pyo3::prelude::*;

use crate::call::Call;
use crate::engine::work;
use crate::failure::Failure;
use crate::phase::Phase;
use crate::work_model::configured;

/// Phases with the keys of all their objects.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct DataSet {
    data: Arc<lbaf_model::DataSet>,
    warnings: Vec<String>,
}

/// Reads the data of a configuration, or `files` with the settings of the configuration.
#[pyfunction]
#[pyo3(signature = (text, directory, files, threads, progress))]
pub(crate) fn read(
    py: Python<'_>,
    text: &str,
    directory: PathBuf,
    files: Option<Vec<PathBuf>>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<DataSet> {
    let call = Call::begin();
    let (layers, mut run) = configured("<read>", text, &directory)?;
    let messages = Arc::clone(&call);
    let (recorded, of_configuration) = work(py, &call, threads, progress.as_ref(), move || {
        let call = messages;
        let input = match (files, &run.origin) {
            (Some(files), Origin::Files(stem)) => {
                let located = Located { stem: stem.path.clone(), suffix: String::new(), files };
                Input::Files { stem: stem.clone(), located }
            }
            _ => Input::find(&run, &*call)?,
        };
        let source = Source::of(&input, &run, &layers, &*call)?;
        let of_data = source.fit(&mut run, &layers, &*call)?;
        Ok((source.recorded, [run.warnings, of_data].concat()))
    })?;
    let (mut warnings, _) = call.messages();
    warnings.extend(of_configuration);
    warnings.extend(recorded.findings.warnings);
    Ok(DataSet { data: Arc::new(recorded.data), warnings })
}

#[pymethods]
impl DataSet {
    /// Joins phases with ascending numbers. Objects with equal keys are the same object.
    #[new]
    fn new(py: Python<'_>, phases: Vec<Py<Phase>>) -> PyResult<Self> {
        let phases: Vec<&Phase> = phases.iter().map(Py::get).collect();
        py.detach(|| joined(&phases)).map_err(PyErr::from)
    }

    #[getter]
    fn n_ranks(&self) -> usize {
        self.data.n_ranks()
    }

    #[getter]
    fn n_objects(&self) -> usize {
        self.data.n_objects()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn phases(&self) -> Vec<Phase> {
        (0..self.data.phases().len()).map(|at| Phase::of(Arc::clone(&self.data), at)).collect()
    }

    /// Writes the data as VOM files `<stem>.<rank>.json`, compressed with a brotli quality if one is given.
    #[pyo3(signature = (directory, stem, quality, threads))]
    fn write(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        stem: String,
        quality: Option<u32>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let call = Call::begin();
        let (data, messages) = (Arc::clone(&self.data), Arc::clone(&call));
        work(py, &call, threads, None, move || write(&data, &directory, &stem, quality, &messages))
    }
}

fn write(
    data: &lbaf_model::DataSet,
    directory: &Path,
    stem: &str,
    quality: Option<u32>,
    call: &Call,
) -> Result<(), Failure> {
    let staging = staging(directory, call)?;
    write_model(data, stem, quality, &staging)?;
    call.cancel.check()?;
    staging.publish(
        None,
        &Inputs::none(),
        &other_files(directory, stem, data.n_ranks(), quality.is_some()),
    )?;
    Ok(())
}

/// Returns the old files that would be read as part of the new data: files of further ranks, and files with the other
/// suffix.
fn other_files(directory: &Path, stem: &str, n_ranks: usize, is_compressed: bool) -> Vec<String> {
    let is_other = |name: &String| {
        let Some(rest) = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.')) else {
            return false;
        };
        let (rank, compressed) = match rest.strip_suffix(".json.br") {
            Some(rank) => (rank, true),
            None => (rest.strip_suffix(".json").unwrap_or_default(), false),
        };
        rank.parse::<usize>().is_ok_and(|rank| rank >= n_ranks || compressed != is_compressed)
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_other).collect()
}

fn joined(phases: &[&Phase]) -> Result<DataSet, Failure> {
    let number = |phase: &&Phase| phase.phase().id();
    let mut pairs =
        phases.iter().zip(phases.iter().skip(1)).map(|(first, next)| (number(first), number(next)));
    if let Some((first, next)) = pairs.find(|(first, next)| first >= next) {
        return Err(Failure::input(format!(
            "phases must ascend, but phase {next} follows phase {first}; give each a number with `id`"
        )));
    }
    let n_ranks = phases.iter().map(|phase| phase.phase().n_ranks()).max().unwrap_or(0);
    if let Some(other) = phases.iter().find(|phase| phase.phase().n_ranks() != n_ranks) {
        return Err(Failure::input(format!(
            "phase {} has {} ranks, and another has {n_ranks}; all phases of a data set have the same ranks",
            number(other),
            other.phase().n_ranks()
        )));
    }
    let of_phase = |phase: &&Phase| -> Vec<ObjectKey> {
        let model = phase.phase();
        model.slots().map(|slot| phase.data().key(model.object(slot))).collect()
    };
    let by_phase: Vec<Vec<ObjectKey>> = phases.iter().map(of_phase).collect();
    let mut keys = by_phase.concat();
    keys.sort_unstable();
    keys.dedup();
    let index = |key: &ObjectKey| ObjectIdx::from(keys.binary_search(key).unwrap_or_default());
    let indexed = |(phase, own): (&&Phase, &Vec<ObjectKey>)| {
        let columns = phase.phase().columns().clone();
        let objects =
            if own.len() == keys.len() { Objects::All(keys.len()) } else { own.iter().map(index).collect() };
        let recorded = Assignment::new(columns.recorded.as_slice().to_vec()).into();
        phase.phase().with_columns(lbaf_model::PhaseColumns { objects, recorded, ..columns })
    };
    let phases = phases.iter().zip(&by_phase).map(indexed).collect::<Result<Vec<_>, _>>()?;
    let data = Arc::new(lbaf_model::DataSet::new(keys, n_ranks, phases));
    Ok(DataSet { data, warnings: Vec::new() })
}
