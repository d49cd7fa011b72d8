// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a study in its output directory.

use lbaf_columns::DataFrame;
use lbaf_config::StudyCommand;
use lbaf_writer::{Inputs, Staging};

use super::results::StudyResults;
use super::summary::{self, FILE, StudySummary};
use super::tables;
use crate::RunError;

/// Unpublished outputs of a study in the staging directory, complete except for charts and paper tables.
pub struct StudyOutputs<'r, 'a> {
    /// The results.
    pub results: &'r StudyResults<'a>,
    /// Warnings about the study.
    pub notes: Vec<String>,
    /// The staging directory; charts and paper tables may be added.
    pub staging: Staging,
    /// Files of the previous study that publishing removes unless this one writes them.
    stale: Vec<String>,
}

impl<'a> StudyResults<'a> {
    /// Returns the tables with their file names without suffix: `cells`, `iterations`, `medians`, `ranking`, `front`,
    /// `timings` and `timings_front`. For simulated runs, `phases` replaces `iterations`, and there is no
    /// `timings_front`.
    pub fn tables(&self) -> Vec<(&'static str, DataFrame)> {
        let front = self.reported.front();
        let mut all = vec![
            tables::cells(self),
            tables::steps(self),
            tables::medians(self),
            tables::ranking(self),
            tables::front(self, &front),
            tables::timings(self),
        ];
        // The total of a simulated run contains the assumed cost of strategies.
        all.extend((self.study.command == StudyCommand::Run).then(|| tables::timed_front(self, &front)));
        all
    }

    /// Writes the tables into `staging`. Charts may follow before [`StudyOutputs::publish`].
    ///
    /// # Errors
    /// If tables cannot be written.
    pub fn write(&self, staging: Staging) -> Result<StudyOutputs<'_, 'a>, RunError> {
        for table in self.tables() {
            for (name, bytes) in tables::printed(&table) {
                staging.put(&name, &bytes)?;
            }
        }
        let stale = summary::stale(&self.study.output_dir);
        Ok(StudyOutputs { results: self, notes: self.notes.clone(), staging, stale })
    }
}

impl<'r> StudyOutputs<'r, '_> {
    /// Adds the summary, and moves all files to the output directory. Removes unchanged files of an earlier study that
    /// this one does not write. Never replaces `inputs`.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of `inputs`.
    pub fn publish(self, inputs: &Inputs) -> Result<StudySummary<'r>, RunError> {
        let StudyOutputs { results, notes, staging, stale } = self;
        let summary = summary::summary(results, notes, &staging);
        staging.put(FILE, &summary.to_json())?;
        staging.publish(Some(FILE), inputs, &stale)?;
        results.store.tidy();
        Ok(summary)
    }
}
