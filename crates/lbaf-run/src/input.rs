// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data of a run: files that were found, or a data set that is drawn.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lbaf_reader::{MadeFiles, Recorded, Request};
use lbaf_synth::SampledSpec;

use crate::Messages;
use crate::RunError;
use crate::data;
use lbaf_config::{Origin, RunConfig, Stem};

use crate::schema_check::check_schema;

/// What data that are drawn are called.
const DRAWN: &str = "sampled data";

/// Data that can be read.
pub enum Input {
    Files {
        stem: Stem,
        located: lbaf_reader::Located,
    },
    /// Made rank by rank when they are read.
    Drawn(MadeFiles),
}

impl Input {
    /// Finds the files, or draws the population, which takes much less memory than its files.
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

    pub fn n_ranks(&self) -> usize {
        match self {
            Input::Files { located, .. } => located.files.len(),
            Input::Drawn(files) => files.n_ranks,
        }
    }

    pub fn read(&self, request: &Request<'_>, messages: &dyn Messages) -> Result<Recorded, RunError> {
        match self {
            Input::Files { located, .. } => data::read(located, request, messages),
            Input::Drawn(files) => {
                let bar = messages.progress("drawing", files.n_ranks);
                Ok(lbaf_reader::read(files, request, &|done| bar.set(done))?)
            }
        }
    }

    /// Files that are no place for outputs.
    pub fn files(&self) -> &[PathBuf] {
        match self {
            Input::Files { located, .. } => &located.files,
            Input::Drawn(_) => &[],
        }
    }

    /// Where the files are, if there are any.
    pub fn stem(&self) -> Option<&Path> {
        match self {
            Input::Files { stem, .. } => Some(&stem.path),
            Input::Drawn(_) => None,
        }
    }

    /// What the names of the files end in, if there are any.
    pub fn suffix(&self) -> Option<&str> {
        match self {
            Input::Files { located, .. } => Some(&located.suffix),
            Input::Drawn(_) => None,
        }
    }

    /// Where the data are, as the user wrote it.
    pub fn as_written(&self) -> &str {
        match self {
            Input::Files { stem, .. } => &stem.as_written,
            Input::Drawn(files) => &files.name,
        }
    }
}

/// For people: where the data are, from here.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Files { stem, .. } => stem.path.display().fmt(f),
            Input::Drawn(files) => f.write_str(&files.name),
        }
    }
}

fn drawn(spec: &SampledSpec, seed: u64) -> Result<Input, RunError> {
    // The configuration was checked when it was read, where errors have a place.
    let population =
        lbaf_synth::populate(spec, seed).map_err(|error| RunError::configuration(error.to_string()))?;
    Ok(Input::Drawn(MadeFiles {
        name: DRAWN.to_owned(),
        n_ranks: population.n_ranks() as usize,
        make: Arc::new(move |rank| lbaf_vom::print(&population.file(rank as u32))),
    }))
}
