// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output directories of finished studies and simulations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lbaf_run::Messages;
use lbaf_run::summary::{self, FileDigest};
use lbaf_writer::Inputs;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::saved_run::file;
use crate::{OutputKind, ReportError};

/// Key under which a results file lists all other files.
const OUTPUTS: &str = "outputs";

/// A finished study or simulation: its output directory and its results file.
#[derive(Debug)]
pub struct SavedResults {
    /// Kind of the directory.
    pub kind: OutputKind,
    /// The output directory.
    pub directory: PathBuf,
    /// Content of the results file, with keys in their order.
    document: Value,
}

impl SavedResults {
    /// Reads the results file of an output directory, and adds it to `inputs`.
    ///
    /// # Errors
    /// If the results file cannot be read or is not JSON, or if a replacement of the files is unfinished.
    pub fn read(kind: OutputKind, directory: &Path, inputs: &mut Inputs) -> Result<Self, ReportError> {
        if let Some(unfinished) = lbaf_writer::unfinished(directory) {
            return Err(ReportError::Unfinished(unfinished));
        }
        let path = directory.join(kind.file());
        let bytes = file(&path, inputs)?.ok_or_else(|| {
            let (name, noun) = (directory.display(), kind.noun());
            ReportError::Input(format!(
                "{name} is not the output directory of a {noun}: it has no {}",
                kind.file()
            ))
        })?;
        let document = serde_json::from_slice(&bytes).map_err(|error| unfit(kind, directory, &error))?;
        Ok(SavedResults { kind, directory: directory.to_path_buf(), document })
    }

    /// Returns the content of the results file as a structure.
    ///
    /// # Errors
    /// If a key of the structure is missing or has another type.
    pub(crate) fn content<T: DeserializeOwned>(&self) -> Result<T, ReportError> {
        T::deserialize(&self.document).map_err(|error| unfit(self.kind, &self.directory, &error))
    }

    /// Returns a required table or other file of the directory, and adds it to `inputs`.
    pub(crate) fn bytes(&self, name: &str, inputs: &mut Inputs) -> Result<(PathBuf, Vec<u8>), ReportError> {
        let path = self.directory.join(name);
        let Some(bytes) = file(&path, inputs)? else {
            let message = format!("{} is missing; repeat the command that wrote it", path.display());
            return Err(ReportError::Input(message));
        };
        Ok((path, bytes))
    }

    /// Writes files, given by name and bytes, to the directory, and adds their digests to the results file. Existing
    /// files of the same name are replaced. The next study or simulation in the directory removes these files if they
    /// are unchanged.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of the `inputs`.
    ///
    /// # Panics
    /// If the results file is not a mapping. The functions that create pages return an error for such a file.
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
        let outputs = &mut self.document[OUTPUTS];
        let listed: BTreeMap<String, FileDigest> = serde_json::from_value(outputs.take())
            .map_err(|error| unfit(self.kind, &self.directory, &error))?;
        let all: BTreeMap<String, FileDigest> =
            listed.into_iter().chain(summary::digests(&staging)).collect();
        *outputs = serde_json::to_value(all).expect("invariant: digests are texts and numbers");
        let name = self.kind.file();
        staging.put(name, &summary::pretty(&self.document))?;
        let inputs = inputs.without(&self.directory.join(name));
        staging.publish(Some(name), &inputs, &[])?;
        Ok(())
    }
}

fn unfit(kind: OutputKind, directory: &Path, error: &serde_json::Error) -> ReportError {
    ReportError::Input(format!(
        "{}: not the results of a {} of this version of lbaf: {error}; repeat the command that wrote the file",
        directory.join(kind.file()).display(),
        kind.noun()
    ))
}
