// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys in the file of a study other than configurations and axes.

use std::time::Duration;

use lbaf_study::Combination;
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::super::raw::{Plots, Tables};
use crate::raw::word_or_mapping::word_or_mapping;

/// A study: runs over a grid of choices.
// `base`, `configuration` and `axes` are removed before a study is deserialized. They are listed so that they are
// suggested for misspelt keys.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "three keys are removed before deserialization")]
pub(crate) struct Study {
    /// Configuration file that all cells share, or a list of files, later ones with precedence.
    #[schemars(with = "Option<Base>")]
    base: Option<IgnoredAny>,
    /// Configuration that all cells share, with precedence over `base`.
    #[schemars(with = "Option<serde_json::Value>")]
    configuration: Option<IgnoredAny>,
    /// Axes by name: a path of keys with a list or a range of values, or any name with choices by name.
    #[schemars(with = "Option<Axes>")]
    axes: Option<IgnoredAny>,
    /// Command of each cell.
    #[serde(default)]
    pub(super) command: Command,
    /// Combination of the axes. Default `grid`.
    #[serde(default)]
    pub(super) combine: Combine,
    /// Directory of all results. Default: the name of the file without its extension.
    pub(super) output_dir: Option<String>,
    /// Seconds after which a cell fails.
    pub(super) time_limit: Option<f64>,
    /// Times by which processes that share the study recognize that one of them was killed.
    #[serde(default)]
    pub(super) leases: Leases,
    /// Charts and tables for papers.
    #[serde(default)]
    pub(super) plots: Plots,
    /// Layout of the tables for papers.
    #[serde(default)]
    pub(super) tables: Tables,
    /// Settings of the report.
    #[serde(default)]
    pub(super) report: Report,
}

/// The key `base`, for the schema.
pub(crate) struct Base;

/// The key `axes`, for the schema.
pub(crate) struct Axes;

/// Command that each cell runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Balances every selected phase, as `lbaf run`.
    #[default]
    Run,
    /// Simulates the whole run, as `lbaf simulate`.
    Simulate,
}

/// Times of the leases of processes, in seconds.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Leases {
    /// Seconds between two renewals of a lease. Default 10.
    renew_after: Option<f64>,
    /// Seconds without a renewal after which other processes compute the cells of the process, at least three times
    /// `renew_after`. Default 60.
    expire_after: Option<f64>,
}

impl Leases {
    /// Returns the times, or an error with its key.
    pub(super) fn intervals(&self) -> Result<super::Leases, (&'static str, String)> {
        const MOST_SECONDS: f64 = 1e9;
        let seconds = |key, given: Option<f64>, default: f64| {
            let given = given.unwrap_or(default);
            let duration = Duration::try_from_secs_f64(given).ok();
            let valid = duration.filter(|duration| !duration.is_zero() && given <= MOST_SECONDS);
            valid.ok_or_else(|| {
                (key, format!("expected seconds above 0 and at most {MOST_SECONDS}, found {given:?}"))
            })
        };
        let renew_after = seconds("renew_after", self.renew_after, 10.0)?;
        let expire_after = seconds("expire_after", self.expire_after, 60.0)?;
        if expire_after < renew_after.saturating_mul(3) {
            return Err(if self.expire_after.is_some() {
                let seconds = renew_after.as_secs_f64();
                ("expire_after", format!("expected at least three times `renew_after`, which is {seconds} s"))
            } else {
                let seconds = expire_after.as_secs_f64();
                (
                    "renew_after",
                    format!("expected at most a third of `expire_after`, whose default is {seconds} s"),
                )
            });
        }
        Ok(super::Leases { renew_after, expire_after })
    }
}

/// Settings of the report.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Report {
    /// Quantity that competitors are compared by.
    pub(super) objective: Option<String>,
    /// Quantities in tables and charts.
    pub(super) quantities: Option<Vec<String>>,
    /// Names of axes whose choices are problems to solve.
    pub(super) problems: Vec<String>,
    /// Names of axes whose choices are ways of balancing, which compete.
    pub(super) competitors: Vec<String>,
    /// Names of axes whose choices are repetitions of the same run.
    pub(super) repetitions: Vec<String>,
    /// Confidence of the intervals around medians. Default 0.95.
    confidence: Option<f64>,
    /// Significant digits of numbers in tables. Default 3.
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
pub(crate) struct Combine(pub(super) Combination);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sample {
    /// Number of cells to draw from the grid.
    sample: usize,
    /// Seed of the draw. Default 0.
    #[serde(default)]
    seed: u64,
}

word_or_mapping! {
    Combine: "`grid`, `zip`, or `{sample: N, seed: S}`",
    {"grid" => Combine(Combination::Grid), "zip" => Combine(Combination::Zip)},
    Sample => |Sample { sample: n, seed }| Combine(Combination::Sample { n, seed })
}
