// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank for pictures and tables.

use std::fmt;

use crate::{RankId, RankQuantity, RankTotals, Work};

/// A quantity of a rank for pictures and tables: one of its totals, or its number, work or knowledge, which
/// cannot have upper bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankQoi {
    /// Number of the rank.
    Id,
    /// Work by the work model.
    Work,
    /// Knowledge: the share of the other ranks that this rank has heard of.
    Kappa,
    /// One of the totals of the rank.
    Total(RankQuantity),
}

impl RankQoi {
    /// Returns every quantity, in the order of tables.
    pub fn all() -> impl Iterator<Item = RankQoi> {
        let totals = RankQuantity::ALL.iter().copied().map(RankQoi::Total);
        [RankQoi::Id, RankQoi::Work, RankQoi::Kappa].into_iter().chain(totals)
    }

    /// Returns the name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            RankQoi::Id => "id",
            RankQoi::Work => "work",
            RankQoi::Kappa => "kappa",
            RankQoi::Total(quantity) => quantity.name(),
        }
    }

    /// Returns the meaning, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            RankQoi::Id => "Number of the rank.",
            RankQoi::Work => "Work by the work model, from load, communication and memory.",
            RankQoi::Kappa => "Knowledge ratio: share of the other ranks that the rank knows.",
            RankQoi::Total(quantity) => quantity.meaning(),
        }
    }

    /// Returns the unit, empty for the number of the rank, work, counts and ratios.
    pub fn unit(self) -> &'static str {
        match self {
            RankQoi::Id | RankQoi::Work | RankQoi::Kappa => "",
            RankQoi::Total(quantity) => quantity.unit(),
        }
    }

    /// Returns the value for a rank; `None` for a knowledge ratio that the strategy does not report.
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
