// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of a work model: time where load alone counts, and else maximum work with what it counts.

use lbaf_model::WorkModel;

use lbaf_text::number::significant;

/// What strategies minimise, in words.
pub struct Objective {
    /// What work consists of; nothing if it is time.
    parts: Option<String>,
    /// Whether lower bounds do not know all that costs or is bounded.
    pub is_beyond_bounds: bool,
}

impl Objective {
    pub fn new(model: &dyn WorkModel) -> Self {
        let Some(terms) = model.terms() else {
            return Objective { parts: Some(model.name().to_owned()), is_beyond_bounds: true };
        };
        let parts = [
            ("load", terms.load),
            ("communication", terms.off_rank.max(terms.on_rank)),
            ("homing", terms.homing),
        ];
        let parts: Vec<&str> =
            parts.into_iter().filter(|(_, factor)| *factor > 0.0).map(|(name, _)| name).collect();
        // A constant is time that every rank takes.
        let is_time = parts.iter().all(|&part| part == "load") && terms.load == 1.0;
        Objective {
            parts: (!is_time).then(|| in_a_row(&parts)),
            is_beyond_bounds: !is_time || !model.bounds().is_empty(),
        }
    }

    /// What there is more or less of.
    pub fn noun(&self) -> String {
        self.parts.as_ref().map_or_else(|| "time".to_owned(), |parts| format!("maximum work ({parts})"))
    }

    /// What no placement does that is bounded by so much.
    pub fn below(&self, work: f64) -> String {
        let number = significant(work);
        if self.parts.is_none() {
            format!("takes less than {number} s")
        } else {
            format!("has less maximum work than {number}")
        }
    }

    /// What an ideal balance of load would save.
    pub fn ideal(&self, percent: &str) -> String {
        match self.parts {
            None => format!("Ideal load balance would run in {percent} less time."),
            Some(_) => {
                format!(
                    "If load alone counted, ideal load balance would have {percent} less {}.",
                    self.noun()
                )
            }
        }
    }

    /// What `verb` of single phases is, where they take more of it.
    pub fn has_more(&self, is_one: bool) -> String {
        match (&self.parts, is_one) {
            (None, true) => "takes longer".to_owned(),
            (None, false) => "take longer".to_owned(),
            (Some(_), true) => format!("has more {}", self.noun()),
            (Some(_), false) => format!("have more {}", self.noun()),
        }
    }
}

/// Names in a sentence: "load", "load and homing", "load, communication and homing".
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
    fn work_is_time_where_load_alone_counts() {
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
