// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output directories of finished runs.

use std::path::{Path, PathBuf};

use lbaf_reader::{ReadError, is_there, read_file};
use lbaf_run::Messages;
use lbaf_run::summary::{self, Summary};
use lbaf_writer::Inputs;

use crate::ReportError;

/// A finished run: its output directory and its summary.
#[derive(Debug)]
pub struct SavedRun {
    /// The output directory.
    pub directory: PathBuf,
    /// The summary.
    pub summary: Summary,
}

impl SavedRun {
    /// Reads the summary in an output directory, and adds it to `inputs`.
    ///
    /// # Errors
    /// If the directory has no valid summary of a supported version, or if a replacement of its files is unfinished.
    pub fn read(directory: &Path, inputs: &mut Inputs) -> Result<Self, ReportError> {
        let checked = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        if let Some(unfinished) = lbaf_writer::unfinished(checked) {
            return Err(ReportError::Unfinished(unfinished));
        }
        let path = directory.join(summary::FILE);
        let bytes = file(&path, inputs)?.ok_or_else(|| {
            let name = directory.display();
            ReportError::Input(format!(
                "{name} is not the output directory of a run: it has no {}",
                summary::FILE
            ))
        })?;
        let summary: Summary = serde_json::from_slice(&bytes).map_err(|error| {
            ReportError::Input(format!("{}: not the summary of a run: {error}", path.display()))
        })?;
        if !(summary::OLDEST_VERSION..=summary::VERSION).contains(&summary.version) {
            let (found, oldest, newest) = (summary.version, summary::OLDEST_VERSION, summary::VERSION);
            return Err(ReportError::Input(format!(
                "{}: unsupported version {found} of the summary, expected {oldest} to {newest}: run `lbaf run` again with this version of lbaf",
                path.display()
            )));
        }
        Ok(SavedRun { directory: directory.to_path_buf(), summary })
    }

    /// Writes files, given by name and bytes, to the directory, and adds their digests to the summary. Existing files
    /// of the same name are replaced.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of the `inputs`.
    pub fn add<'a>(
        mut self,
        files: impl IntoIterator<Item = &'a (String, Vec<u8>)>,
        inputs: Inputs,
        messages: &dyn Messages,
    ) -> Result<(), ReportError> {
        let staging = lbaf_run::staging(&self.directory, messages)?;
        for (name, bytes) in files {
            staging.put(name, bytes)?;
        }
        self.summary.files.extend(summary::digests(&staging));
        staging.put(summary::FILE, &summary::pretty(&self.summary))?;
        let inputs = inputs.without(&self.directory.join(summary::FILE));
        staging.publish(Some(summary::FILE), &inputs, &[])?;
        Ok(())
    }
}

/// Returns the output directory of a run, given as the directory or as the summary in it.
pub fn directory_of(run: &Path) -> &Path {
    let is_summary = is_there(run) && run.file_name().is_some_and(|name| name == summary::FILE);
    if is_summary {
        run.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
    } else {
        run
    }
}

/// Reads an optional file of a run, and adds it to `inputs`; `None` if it does not exist.
pub(crate) fn file(path: &Path, inputs: &mut Inputs) -> Result<Option<Vec<u8>>, ReportError> {
    if !is_there(path) {
        return Ok(None);
    }
    inputs.add(path);
    let bytes = read_file(path).map_err(|source| ReadError::Io { path: path.to_path_buf(), source })?;
    Ok(Some(bytes))
}
