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
    /// Load models to examine in addition to `simulation.load_model`. Default: `NaivePersistence`, and
    /// `PersistenceMedianLastN` and `LinearModel` over 5 phases.
    pub(in super::super::super) load_models: Option<Vec<LoadModel>>,
    /// Distances in phase numbers between a predicted phase and the last phase that the prediction uses. Default: 1,
    /// 2, 5 and 10 times the smallest distance between consecutive phases.
    pub(in super::super::super) horizons: Option<Vec<u32>>,
    /// Maximum number of predicted phases. Default 16.
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
    Report: "`none`, or a mapping with `load_models`, `horizons`, `max_phases` and `balance`",
    {"none" => Report::None},
    ReportSettings => Report::Some
}
