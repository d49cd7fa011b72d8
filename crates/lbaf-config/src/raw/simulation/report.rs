// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `simulation.report`: an examination of load models.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::LoadModel;

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

impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Report;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("none, or a mapping with load_models, horizons, max_phases and balance")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Report, E> {
                match word {
                    "none" => Ok(Report::None),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Report, A::Error> {
                ReportSettings::deserialize(MapAccessDeserializer::new(map)).map(Report::Some)
            }
        }
        deserializer.deserialize_any(Form)
    }
}
