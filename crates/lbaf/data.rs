// SPDX-License-Identifier: MIT OR Apache-2.0
//! Location and reading of data sets, whose files are registered as inputs.

use std::path::Path;

use lbaf_config::Selection;
use lbaf_model::DataSet;
use lbaf_reader::{Findings, Located, PhaseFindings, Recorded, Request, Visited};

use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;

/// Reads the files of a stem.
pub(crate) fn read(located: &Located, request: &Request<'_>, messages: Messages) -> Result<Recorded, Error> {
    Ok(lbaf_run::read(located, request, &messages)?)
}

/// Reads the files of a stem, and visits the phases one after the other.
pub(crate) fn visit<T: Send>(
    located: &Located,
    request: &Request<'_>,
    messages: Messages,
    visit: &(dyn Fn(&DataSet, &PhaseFindings) -> T + Sync),
) -> Result<Visited<T>, Error> {
    Ok(lbaf_run::visit(located, request, &messages, visit)?)
}

/// Finds the files of a stem and registers them as inputs. If there are none, the error lists the existing stems or
/// suffixes.
pub(crate) fn locate(stem: &Path, suffix: Option<&str>) -> Result<Located, Error> {
    let located = lbaf_run::locate(stem, suffix)?;
    inputs::note_all(&located.files);
    Ok(located)
}

/// Parses the argument `--phases`.
pub(crate) fn selection(phases: &str) -> Result<Selection, Error> {
    Selection::parse(phases).map_err(|message| Error::Usage(format!("--phases: {message}")))
}

/// Checks that the data contain each phase that `--phases` selects by its number and, unless they have no phases at
/// all, at least one selected phase.
pub(crate) fn check_selection(selection: &Selection, findings: &Findings) -> Result<(), Error> {
    let recorded = &findings.phases_recorded;
    let hold = || format!("in the data, which hold {}", findings.named_phases_recorded());
    if let Some(phase) = selection.missing_from(|phase| recorded.binary_search(&phase).is_ok()) {
        return Err(Error::Configuration(format!("--phases: phase {phase} is not {}", hold())));
    }
    if !recorded.is_empty() && !recorded.iter().any(|&phase| selection.contains(phase)) {
        return Err(Error::Configuration(format!("--phases: none of these phases is {}", hold())));
    }
    Ok(())
}
