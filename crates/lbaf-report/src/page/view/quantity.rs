// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of ranks, before and after.

use serde::{Serialize, Serializer};

use super::PackedNumbers;

/// Name and unit of a quantity of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuantityLabel {
    /// Key in addresses of the page: a single word.
    pub key: String,
    /// Name to display.
    pub name: String,
    /// Unit of the quantity.
    pub unit: QuantityUnit,
}

/// Unit of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuantityUnit {
    /// Seconds.
    Seconds,
    /// Unit of the work model.
    Work,
    /// Bytes.
    Bytes,
    /// Count or ratio, without a unit.
    Count,
}

/// Distribution of a quantity over the ranks in one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverRanks {
    /// Distribution at the start.
    pub before: RankDistribution,
    /// Distribution in the result.
    pub after: RankDistribution,
}

impl OverRanks {
    /// Returns the approximate size of the values of ranks in the page, in bytes.
    pub fn size_of_values(&self) -> usize {
        [&self.before, &self.after]
            .into_iter()
            .filter_map(|side| side.values.as_ref())
            .map(PackedNumbers::size)
            .sum()
    }

    /// Removes the values of ranks and keeps the statistics.
    pub fn drop_values(&mut self) {
        self.before.values = None;
        self.after.values = None;
    }
}

/// Distribution of a quantity over the ranks under one placement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankDistribution {
    /// Statistics, if the run has them.
    pub moments: Option<MomentsView>,
    /// Mean over ranks; 0 if it is unknown.
    #[serde(serialize_with = "finite")]
    pub mean: f64,
    /// Value of every rank; `None` if the run wrote none or they do not fit.
    pub values: Option<PackedNumbers>,
}

/// Population statistics over ranks. The page contains them as a list in this order, which takes half the space of
/// named values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names of statistics are self-explanatory")]
pub struct MomentsView {
    pub sum: f64,
    pub min: f64,
    pub mean: f64,
    pub max: f64,
    /// max / mean - 1.
    pub imbalance: f64,
    pub deviation: f64,
    pub skewness: f64,
    pub kurtosis: f64,
}

impl Serialize for MomentsView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MomentsView { sum, min, mean, max, imbalance, deviation, skewness, kurtosis } = *self;
        let all = [sum, min, mean, max, imbalance, deviation, skewness, kurtosis];
        match all.iter().find(|number| !number.is_finite()) {
            Some(number) => Err(serde::ser::Error::custom(format!("{number} is not finite"))),
            None => all.serialize(serializer),
        }
    }
}

/// Serializes a finite number. Other numbers are rejected, because JSON would contain `null` instead.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
pub(super) fn finite<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_finite() {
        serializer.serialize_f64(*number)
    } else {
        Err(serde::ser::Error::custom(format!("{number} is not finite")))
    }
}
