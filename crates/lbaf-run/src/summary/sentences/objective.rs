// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words for the objective: time if work consists of load alone, otherwise maximum work with its terms.

use lbaf_model::{RankQuantity, WorkModel};
use lbaf_text::number::significant;

/// Words for the quantity that strategies minimize.
pub struct Objective {
    /// Terms of work; `None` if work is time.
    parts: Option<String>,
    /// True if memory or communication may impose a tighter limit than lower bounds capture.
    pub is_beyond_bounds: bool,
    /// True if work has or could have a term for communication.
    pub counts_communication: bool,
    /// True if an upper bound of the work model limits the memory of ranks or nodes.
    pub limits_memory: bool,
}

impl Objective {
    /// Returns the words for a work model.
    pub fn new(model: &dyn WorkModel) -> Self {
        let is_of_memory =
            |quantity| matches!(quantity, RankQuantity::MaxMemoryUsage | RankQuantity::MemoryWithSerialized);
        let limits_memory = model.bounds().iter().any(|bound| is_of_memory(bound.quantity));
        let Some(terms) = model.terms() else {
            return Objective {
                parts: Some(model.name().to_owned()),
                is_beyond_bounds: true,
                counts_communication: true,
                limits_memory,
            };
        };
        let parts = [
            ("load", terms.load),
            ("communication", terms.off_rank.max(terms.on_rank)),
            ("homing", terms.homing),
        ];
        let parts: Vec<&str> =
            parts.into_iter().filter(|(_, factor)| *factor > 0.0).map(|(name, _)| name).collect();
        // A constant term adds the same time on every rank.
        let is_time = parts.iter().all(|&part| part == "load") && terms.load == 1.0;
        Objective {
            parts: (!is_time).then(|| in_a_row(&parts)),
            is_beyond_bounds: !is_time || !model.bounds().is_empty(),
            counts_communication: terms.off_rank.max(terms.on_rank) > 0.0,
            limits_memory,
        }
    }

    /// Returns the quantity: `time` or `maximum work (...)`.
    pub fn noun(&self) -> String {
        self.parts.as_ref().map_or_else(|| "time".to_owned(), |parts| format!("maximum work ({parts})"))
    }

    /// Returns `takes less than ...` or `has less maximum work than ...`.
    pub fn below(&self, work: f64) -> String {
        let number = significant(work);
        if self.parts.is_none() {
            format!("takes less than {number} s")
        } else {
            format!("has less maximum work than {number}")
        }
    }

    /// Returns the sentence on the saving of ideal load balance, in percent.
    pub fn ideal(&self, percent: &str) -> String {
        match self.parts {
            None => format!("Ideal load balance would reduce the time by {percent}."),
            Some(_) => {
                format!(
                    "Ideal load balance without any other cost would reduce the {} by {percent}.",
                    self.noun()
                )
            }
        }
    }

    /// Returns the predicate of one or several phases with more time or work than at the start.
    pub fn has_more(&self, is_one: bool) -> String {
        match (&self.parts, is_one) {
            (None, true) => "takes longer".to_owned(),
            (None, false) => "take longer".to_owned(),
            (Some(_), true) => format!("has more {}", self.noun()),
            (Some(_), false) => format!("have more {}", self.noun()),
        }
    }
}

/// Joins names with commas and `and`: `load, communication and homing`.
pub fn in_a_row(parts: &[&str]) -> String {
    match parts {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => parts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::{Affine, AffineParameters, Ccm, CcmParameters, LoadOnly};

    use super::*;

    #[test]
    fn work_is_time_if_it_consists_of_load_alone() {
        let affine = |beta, gamma| {
            Affine::new(AffineParameters { beta, gamma, ..AffineParameters::default() }).expect("a model")
        };
        let ccm = Ccm::new(CcmParameters { alpha: 0.0, gamma: 1.0, delta: 1.0, ..CcmParameters::default() });
        let models: [(&dyn WorkModel, &str); 4] = [
            (&LoadOnly::default(), "time"),
            (&affine(0.0, 8.0), "time"),
            (&affine(1.0, 8.0), "maximum work (load and communication)"),
            (&ccm.expect("a model"), "maximum work (communication and homing)"),
        ];
        for (model, expected) in models {
            assert_eq!(Objective::new(model).noun(), expected);
        }
    }
}
