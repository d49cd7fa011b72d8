// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `study.json` that the page shows.

use std::collections::BTreeMap;

use lbaf_config::StudyCommand;
use lbaf_run::study::CellConfigurations;
use serde::Deserialize;

use super::view::{ProblemView, StudyAxisView};

/// Content of `study.json`.
#[derive(Deserialize)]
pub(super) struct SavedStudy {
    pub(super) lbaf: String,
    /// `run` or `simulate`.
    pub(super) command: String,
    pub(super) files: Vec<String>,
    pub(super) axes: Vec<StudyAxisView>,
    pub(super) n_cells: usize,
    pub(super) problems: Vec<ProblemView>,
    pub(super) objective: String,
    pub(super) quantities: Vec<String>,
    pub(super) confidence: f64,
    pub(super) failed: Vec<FailedCell>,
    pub(super) warnings: BTreeMap<String, usize>,
    pub(super) notes: Vec<String>,
    pub(super) configurations: CellConfigurations,
}

/// A cell without results.
#[derive(Deserialize)]
pub(super) struct FailedCell {
    pub(super) cell: usize,
    pub(super) error: String,
}

impl SavedStudy {
    /// Returns the command of each cell.
    pub(super) fn of_command(&self) -> StudyCommand {
        if self.command == "simulate" { StudyCommand::Simulate } else { StudyCommand::Run }
    }

    /// Returns the positions of the axes with a role.
    pub(super) fn axes_of(&self, role: &str) -> Vec<usize> {
        (0..self.axes.len()).filter(|&at| self.axes[at].role == role).collect()
    }
}
