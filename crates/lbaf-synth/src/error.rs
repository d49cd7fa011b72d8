// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a specification.

use std::fmt::Display;

use thiserror::Error;

/// Why a specification describes no data set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SynthError {
    /// A setting has a value that makes no sense, by itself or next to another one.
    #[error("{key} is {found}, but {rule}")]
    Setting {
        /// The setting, with dots between nested keys.
        key: String,
        /// Its value.
        found: String,
        /// What it has to be.
        rule: &'static str,
    },
    /// There are communications, and nothing that says how large they are.
    #[error(
        "communication_degree is {degree}, but nothing says how many bytes a communication carries; \
         add a volume_sampler"
    )]
    MissingVolumeSampler {
        /// The mean number of receivers of an object.
        degree: u32,
    },
}

/// Passes if `holds`, else blames the value `found` of setting `key`.
pub(crate) fn require(
    holds: bool,
    key: &str,
    found: impl Display,
    rule: &'static str,
) -> Result<(), SynthError> {
    if holds {
        Ok(())
    } else {
        Err(SynthError::Setting { key: key.to_owned(), found: found.to_string(), rule })
    }
}
