// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work models.

use std::path::Path;
use std::sync::Arc;

use lbaf_config::{Layers, Overrides, RunConfig, resolve};
use lbaf_model::{LoadOnly, WorkModel as Model};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::failure::Failure;

/// A work model with its parameters as JSON.
#[pyclass(frozen, from_py_object, module = "lbaf_rs._core")]
#[derive(Clone)]
pub(crate) struct WorkModel {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) parameters: Value,
}

impl WorkModel {
    pub(crate) fn of(model: Box<dyn Model>) -> Self {
        WorkModel { model: Arc::from(model), parameters: Value::Null }
    }
}

impl Default for WorkModel {
    fn default() -> Self {
        WorkModel { model: Arc::new(LoadOnly::default()), parameters: json!({ "alpha": 1.0 }) }
    }
}

#[pymethods]
impl WorkModel {
    /// Reads the work model of a configuration; the other sections do not matter.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let (_, run) = configured("<work_model>", text, Path::new("."))?;
        Ok(WorkModel { model: Arc::from(run.model), parameters: run.model_parameters })
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.model.name()
    }

    #[getter]
    fn parameters(&self) -> String {
        self.parameters.to_string()
    }
}

/// Reads a configuration from a text.
pub(crate) fn configured(name: &str, text: &str, directory: &Path) -> Result<(Layers, RunConfig), Failure> {
    let layers = Layers::of_text(name, text, directory, &[])?;
    let run = resolve(&layers, &Overrides::default())?;
    Ok((layers, run))
}
