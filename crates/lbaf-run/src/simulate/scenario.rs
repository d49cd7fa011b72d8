// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios: variants of a run over time, for comparison.

use lbaf_config::RunConfig;
use serde::{Serialize, Serializer};

/// A variant of the run over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// In each phase, all objects are on their recorded ranks.
    Recorded,
    /// From the recorded placement of the first phase, without balancing.
    Never,
    /// Schedule, strategy and load model of the configuration.
    Configured,
    /// As configured, but with loads predicted from recorded times without noise.
    Denoised,
    /// As configured, but balancing knows the loads of the next phase and has no cost.
    Perfect,
}

impl Scenario {
    /// All scenarios, in the order of tables.
    pub const ALL: [Scenario; 5] =
        [Scenario::Recorded, Scenario::Never, Scenario::Configured, Scenario::Denoised, Scenario::Perfect];

    /// Returns the scenarios of a configuration. `Denoised` requires a section `denoise`.
    pub fn of(run: &RunConfig) -> impl Iterator<Item = Scenario> {
        let is_denoised = run.denoise.is_some();
        Scenario::ALL.into_iter().filter(move |scenario| is_denoised || *scenario != Scenario::Denoised)
    }

    /// Returns the name of the scenario in files.
    pub fn key(self) -> &'static str {
        match self {
            Scenario::Recorded => "recorded",
            Scenario::Never => "never",
            Scenario::Configured => "configured",
            Scenario::Denoised => "denoised",
            Scenario::Perfect => "perfect",
        }
    }

    /// Returns the name of the scenario in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scenario::Recorded => "as recorded",
            Scenario::Never => "never balanced",
            Scenario::Configured => "as configured",
            Scenario::Denoised => "denoised",
            Scenario::Perfect => "perfect knowledge",
        }
    }

    /// Returns the name of the scenario in legends of charts.
    pub fn short_name(self) -> &'static str {
        match self {
            Scenario::Recorded | Scenario::Configured | Scenario::Denoised => self.name(),
            Scenario::Never => "never",
            Scenario::Perfect => "perfect",
        }
    }
}

impl Serialize for Scenario {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}
