// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults: the causes of errors, from which programs derive exit codes and exceptions.

use std::io;

use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_strategies::StrategyError;
use lbaf_vom::VomError;
use lbaf_writer::WriteError;

use crate::RunError;

/// Cause of an error. Errors of a run convert to it.
///
/// ```
/// use lbaf_run::{Fault, RunError};
///
/// let error = RunError::Input("the data are empty".to_owned());
/// assert_eq!(Fault::from(&error), Fault::Input);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The configuration, a parameter or a name is wrong, or does not fit the data.
    Configuration,
    /// Data, including outputs of external commands, are missing, invalid or unusable.
    Input,
    /// Outputs, or claims of shared work, cannot be written.
    Output,
    /// The system refuses memory or a temporary file, or a memory limit is too low.
    Resource,
    /// A defect of lbaf.
    Defect,
    /// The computation was stopped.
    Cancelled,
}

impl From<&StrategyError> for Fault {
    fn from(error: &StrategyError) -> Self {
        match error {
            StrategyError::Cancelled(_) => Fault::Cancelled,
            StrategyError::Broken { .. } => Fault::Defect,
            StrategyError::Outside { .. } => Fault::Input,
            StrategyError::UnknownName { .. }
            | StrategyError::Parameters { .. }
            | StrategyError::Parameter { .. }
            | StrategyError::Work { .. } => Fault::Configuration,
        }
    }
}

impl From<&ConfigError> for Fault {
    fn from(error: &ConfigError) -> Self {
        match error {
            ConfigError::Strategy(error) => error.into(),
            ConfigError::Unfinished(_) | ConfigError::Data(_) => Fault::Input,
            ConfigError::Invalid(_) | ConfigError::File { .. } => Fault::Configuration,
        }
    }
}

impl From<&ReadError> for Fault {
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Content { source: VomError::NoMemory { .. }, .. }
            | ReadError::Temporary(_)
            | ReadError::Memory { .. } => Fault::Resource,
            ReadError::Io { source, .. } if source.kind() == io::ErrorKind::OutOfMemory => Fault::Resource,
            _ => Fault::Input,
        }
    }
}

impl From<&WriteError> for Fault {
    fn from(error: &WriteError) -> Self {
        match error {
            WriteError::Read(_) | WriteError::Subphases { .. } | WriteError::Model(_) => Fault::Input,
            _ => Fault::Output,
        }
    }
}

impl From<&RunError> for Fault {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            RunError::Read(error) => error.into(),
            RunError::Write(error) => error.into(),
            RunError::Claims(_) => Fault::Output,
            RunError::Cancelled(_) => Fault::Cancelled,
            RunError::NotForVt { .. } => Fault::Defect,
            RunError::Input(_)
            | RunError::Unfinished(_)
            | RunError::NotBySchema(_)
            | RunError::MissingCells(_) => Fault::Input,
        }
    }
}
