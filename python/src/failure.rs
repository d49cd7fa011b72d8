// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the engine, and the exceptions that they become.

use lbaf_config::ConfigError;
use lbaf_model::ModelError;
use lbaf_report::ReportError;
use lbaf_run::{Fault, RunError};
use lbaf_strategies::{Cancelled, StrategyError};
use lbaf_writer::WriteError;
use pyo3::prelude::*;

/// Error of the engine.
pub(crate) enum Failure {
    /// The call was cancelled, so its result does not matter.
    Cancelled,
    /// An error: the name of its exception in `lbaf_rs`, and its message.
    Error(&'static str, String),
}

/// Exceptions of `lbaf_rs`, which correspond to the exit codes of the command.
pub(crate) mod exception {
    pub(crate) const CONFIG: &str = "ConfigError";
    pub(crate) const INPUT: &str = "InputError";
    pub(crate) const STRATEGY: &str = "StrategyError";
    pub(crate) const PLACEMENT: &str = "PlacementError";
    pub(crate) const OUTPUT: &str = "OutputError";
    pub(crate) const RESOURCE: &str = "ResourceError";
    pub(crate) const DEFECT: &str = "DefectError";
}

impl Failure {
    pub(crate) fn config(message: impl Into<String>) -> Self {
        Failure::Error(exception::CONFIG, message.into())
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Failure::Error(exception::INPUT, message.into())
    }
}

/// Returns an exception of `lbaf_rs`.
pub(crate) fn raised(py: Python<'_>, name: &str, message: &str) -> PyErr {
    let create = || py.import("lbaf_rs._errors")?.getattr(name)?.call1((message,));
    create().map_or_else(|error| error, PyErr::from_value)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Cancelled => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
            Failure::Error(name, message) => Python::attach(|py| raised(py, name, &message)),
        }
    }
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Failure::Cancelled
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::input(error.to_string())
    }
}

impl Failure {
    fn of(fault: Fault, message: String) -> Self {
        let name = match fault {
            Fault::Cancelled => return Failure::Cancelled,
            Fault::Configuration => exception::CONFIG,
            Fault::Input => exception::INPUT,
            Fault::Output => exception::OUTPUT,
            Fault::Resource => exception::RESOURCE,
            Fault::Defect => exception::DEFECT,
        };
        Failure::Error(name, message)
    }
}

impl From<StrategyError> for Failure {
    fn from(error: StrategyError) -> Self {
        match error {
            // An own strategy or an external command.
            StrategyError::Outside { .. } => Failure::Error(exception::STRATEGY, error.to_string()),
            error => Failure::of((&error).into(), error.to_string()),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Strategy(error) => error.into(),
            error => Failure::of((&error).into(), error.to_string()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            error => Failure::of((&error).into(), error.to_string()),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Run(error) => error.into(),
            error => Failure::of((&error).into(), error.to_string()),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Failure::of((&error).into(), error.to_string())
    }
}
