// SPDX-License-Identifier: MIT OR Apache-2.0
//! Source of the data of a run: files, or synthetic data drawn from distributions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lbaf_config::{Origin, RunConfig, Stem};
use lbaf_reader::{Recorded, Request, SyntheticFiles};
use lbaf_synth::SampledSpec;

use crate::Messages;
use crate::RunError;
use crate::data;
use crate::schema_check::check_schema;

/// Name of synthetic data in messages and summaries.
const DRAWN: &str = "sampled data";

/// Source of the data of a run.
pub enum Input {
    /// Files on disk.
    Files {
        /// Stem of the files.
        stem: Stem,
        /// The files, ascending by rank.
        located: lbaf_reader::Located,
    },
    /// Synthetic data drawn from distributions; files are generated when they are read.
    Drawn(SyntheticFiles),
}

impl Input {
    /// Finds the files of a configuration, or draws its synthetic data.
    ///
    /// # Errors
    /// If files cannot be located or fail `check_schema`, or distributions are invalid.
    pub fn find(run: &RunConfig, messages: &dyn Messages) -> Result<Self, RunError> {
        let stem = match &run.origin {
            Origin::Files(stem) => stem,
            Origin::Samplers(spec) => return drawn(spec, run.seed),
        };
        let located = data::locate(&stem.path, stem.suffix.as_deref())?;
        if run.check_schema {
            check_schema(&stem.path, &located.files, messages)?;
        }
        Ok(Input::Files { stem: stem.clone(), located })
    }

    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> usize {
        match self {
            Input::Files { located, .. } => located.files.len(),
            Input::Drawn(files) => files.n_ranks,
        }
    }

    /// Reads the data.
    ///
    /// # Errors
    /// If a file cannot be read, or the files contradict each other.
    pub fn read(&self, request: &Request<'_>, messages: &dyn Messages) -> Result<Recorded, RunError> {
        match self {
            Input::Files { located, .. } => data::read(located, request, messages),
            Input::Drawn(files) => {
                let bar = messages.progress("drawing samples", files.n_ranks);
                Ok(lbaf_reader::read(files, request, &|done| bar.set(done))?)
            }
        }
    }

    /// Returns the input files, which outputs must not replace.
    pub fn files(&self) -> &[PathBuf] {
        match self {
            Input::Files { located, .. } => &located.files,
            Input::Drawn(_) => &[],
        }
    }

    /// Returns the path of the stem; `None` for synthetic data.
    pub fn stem(&self) -> Option<&Path> {
        match self {
            Input::Files { stem, .. } => Some(&stem.path),
            Input::Drawn(_) => None,
        }
    }

    /// Returns the suffix of the files; `None` for synthetic data.
    pub fn suffix(&self) -> Option<&str> {
        match self {
            Input::Files { located, .. } => Some(&located.suffix),
            Input::Drawn(_) => None,
        }
    }

    /// Returns the stem as spelled in the configuration, or the name of synthetic data.
    pub fn as_written(&self) -> &str {
        match self {
            Input::Files { stem, .. } => &stem.as_written,
            Input::Drawn(files) => &files.name,
        }
    }
}

/// Prints the stem as a path from the working directory, or the name of synthetic data.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Files { stem, .. } => stem.path.display().fmt(f),
            Input::Drawn(files) => f.write_str(&files.name),
        }
    }
}

fn drawn(spec: &SampledSpec, seed: u64) -> Result<Input, RunError> {
    // The configuration has rejected invalid distributions with their positions.
    let population =
        lbaf_synth::populate(spec, seed).map_err(|error| RunError::configuration(error.to_string()))?;
    Ok(Input::Drawn(SyntheticFiles {
        name: DRAWN.to_owned(),
        n_ranks: population.n_ranks() as usize,
        make: Arc::new(move |rank| population.file(rank as u32)),
    }))
}
