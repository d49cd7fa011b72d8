// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank that pictures and tables show.

use std::fmt;

use crate::{RankId, RankQuantity, RankTotals, Work};

/// A quantity of a rank that pictures and tables can show: those of its totals, and three that are none of
/// them, and that no bound can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankQoi {
    /// Its number.
    Id,
    /// Work by the work model.
    Work,
    /// Number of other ranks that it knows of.
    Kappa,
    /// One of its totals.
    Total(RankQuantity),
}

impl RankQoi {
    /// Every quantity, in the order of tables.
    pub fn all() -> impl Iterator<Item = RankQoi> {
        let totals = RankQuantity::ALL.iter().copied().map(RankQoi::Total);
        [RankQoi::Id, RankQoi::Work, RankQoi::Kappa].into_iter().chain(totals)
    }

    /// The name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            RankQoi::Id => "id",
            RankQoi::Work => "work",
            RankQoi::Kappa => "kappa",
            RankQoi::Total(quantity) => quantity.name(),
        }
    }

    /// Meaning, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            RankQoi::Id => "Number of the rank.",
            RankQoi::Work => "What the work model makes of load, communication and memory.",
            RankQoi::Kappa => "Knowledge ratio: ranks it has heard of over all others.",
            RankQoi::Total(quantity) => quantity.meaning(),
        }
    }

    /// The unit, empty for counts and ratios.
    pub fn unit(self) -> &'static str {
        match self {
            RankQoi::Id | RankQoi::Work | RankQoi::Kappa => "",
            RankQoi::Total(quantity) => quantity.unit(),
        }
    }

    /// The value for a rank; `None` for a knowledge ratio that no strategy has told.
    pub fn of(self, rank: RankId, totals: &RankTotals, work: Work, knowledge: Option<f64>) -> Option<f64> {
        match self {
            RankQoi::Id => Some(f64::from(rank.0)),
            RankQoi::Work => Some(work.cost()),
            RankQoi::Kappa => knowledge,
            RankQoi::Total(quantity) => Some(quantity.of(totals)),
        }
    }
}

impl fmt::Display for RankQoi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
