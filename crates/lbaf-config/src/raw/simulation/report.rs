// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `simulation.report`: an examination of load models.

use schemars::JsonSchema;
use serde::Deserialize;

use super::LoadModel;
use crate::raw::word_or_mapping::word_or_mapping;

/// Report on load models: `none`, or its settings.
#[derive(Debug)]
pub(in super::super::super) enum Report {
    None,
    Some(ReportSettings),
}

impl Default for Report {
    fn default() -> Self {
        Report::Some(ReportSettings::default())
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super::super) struct ReportSettings {
    /// Load models to compare. Default: the usual ones.
    pub(in super::super::super) load_models: Option<Vec<LoadModel>>,
    /// Distances in phases between a prediction and the data that it uses.
    pub(in super::super::super) horizons: Option<Vec<u32>>,
    /// Upper limit on the number of predicted phases.
    pub(in super::super::super) max_phases: Option<usize>,
    /// Strategy that balances predicted loads.
    pub(in super::super::super) balance: TrialName,
}

/// Strategy that balances predicted loads, so that predictions can be evaluated by their effect on balance.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
pub enum TrialName {
    /// LPT.
    #[default]
    #[serde(rename = "LPT")]
    Lpt,
    /// The strategy of the configuration.
    #[serde(rename = "algorithm")]
    Algorithm,
    /// No balancing.
    #[serde(rename = "none")]
    None,
}

word_or_mapping! {
    Report: "none, or a mapping with load_models, horizons, max_phases and balance",
    {"none" => Report::None},
    ReportSettings => Report::Some
}
