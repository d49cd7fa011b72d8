// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of ranks, before and after.

use serde::{Serialize, Serializer};

use super::PackedNumbers;

/// A quantity of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuantityLabel {
    /// Its name in addresses of the page: a word.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// Its unit.
    pub unit: QuantityUnit,
}

/// Unit of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuantityUnit {
    /// Seconds.
    Seconds,
    /// The unit of the work model, whatever that is.
    Work,
    /// Bytes.
    Bytes,
    /// A number of things, or a ratio.
    Count,
}

/// A quantity over the ranks in one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverRanks {
    /// As the phase started.
    pub before: RankDistribution,
    /// As the strategy left it.
    pub after: RankDistribution,
}

impl OverRanks {
    /// About how many bytes the values of ranks take in the page.
    pub fn size_of_values(&self) -> usize {
        [&self.before, &self.after]
            .into_iter()
            .filter_map(|side| side.values.as_ref())
            .map(PackedNumbers::size)
            .sum()
    }

    /// Leaves statistics alone.
    pub fn drop_values(&mut self) {
        self.before.values = None;
        self.after.values = None;
    }
}

/// A quantity over the ranks under one placement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankDistribution {
    /// Its statistics, where the run has them.
    pub moments: Option<MomentsView>,
    /// Its mean over ranks.
    #[serde(serialize_with = "finite")]
    pub mean: f64,
    /// Its value of every rank; nothing if the run left none.
    pub values: Option<PackedNumbers>,
}

/// Statistics over ranks, of a population. In the page they are a list in this order, which takes half as much room as with
/// names.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "statistics are what they are called")]
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

/// A number as it is; one that is not finite would become `null`, and a page that shows nothing in its place.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) fn finite<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_finite() {
        serializer.serialize_f64(*number)
    } else {
        Err(serde::ser::Error::custom(format!("{number} is not finite")))
    }
}
