// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys in the file of a study other than configurations and axes.

use std::fmt;

use lbaf_study::Combination;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::super::raw::Plots;

/// A study. `base`, `configuration` and `axes` are removed before it is read; they are listed here so that they
/// are suggested for misspelt keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "three keys are removed before")]
pub(super) struct Study {
    base: Option<IgnoredAny>,
    configuration: Option<IgnoredAny>,
    axes: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) command: Command,
    #[serde(default)]
    pub(super) combine: Combine,
    pub(super) output_dir: Option<String>,
    pub(super) time_limit: Option<f64>,
    #[serde(default)]
    pub(super) plots: Plots,
    #[serde(default)]
    pub(super) report: Report,
}

/// Command that each cell runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Balances every selected phase, as `lbaf run`.
    #[default]
    Run,
    /// Simulates the whole run, as `lbaf simulate`.
    Simulate,
}

/// Settings of the report.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Report {
    pub(super) objective: Option<String>,
    pub(super) quantities: Option<Vec<String>>,
    pub(super) problems: Vec<String>,
    pub(super) competitors: Vec<String>,
    pub(super) repetitions: Vec<String>,
    confidence: Option<f64>,
    digits: Option<u8>,
}

impl Report {
    pub(super) fn confidence(&self) -> Result<f64, String> {
        match self.confidence.unwrap_or(0.95) {
            confidence if confidence > 0.0 && confidence < 1.0 => Ok(confidence),
            confidence => Err(format!("the confidence must be above 0 and below 1, not {confidence}")),
        }
    }

    pub(super) fn digits(&self) -> Result<u8, String> {
        match self.digits.unwrap_or(3) {
            digits @ 1..=17 => Ok(digits),
            digits => Err(format!("the number of digits must be 1 to 17, not {digits}")),
        }
    }
}

/// `grid`, `zip`, or the number of cells to draw from the grid.
#[derive(Debug, Default)]
pub(super) struct Combine(pub(super) Combination);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    sample: usize,
    #[serde(default)]
    seed: u64,
}

impl<'de> Deserialize<'de> for Combine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Combine;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("grid, zip, or {sample: N, seed: S}")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Combine, E> {
                match word {
                    "grid" => Ok(Combine(Combination::Grid)),
                    "zip" => Ok(Combine(Combination::Zip)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Combine, A::Error> {
                let Sample { sample: n, seed } = Sample::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Combine(Combination::Sample { n, seed }))
            }
        }
        deserializer.deserialize_any(Form)
    }
}
