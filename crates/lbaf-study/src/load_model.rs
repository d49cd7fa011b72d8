// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prediction of object loads from past loads.

mod last_values;
mod name;
mod norm;

use std::collections::BTreeMap;

use lbaf_model::{ObjectIdx, Volume};

use crate::History;
use last_values::{last_values, median, value_at};
use norm::{norm, selected};

/// Model that predicts the loads of objects. It may contain inner models: its field `of`, the model of
/// messages, or one model for each collection. The outer model is computed from the values of its inner
/// models, for past and for future phases.
///
/// Names and results are those of vt's load models, with two differences. A model of `n` phases uses only the phases
/// that have the object. No prediction of a model or of its inner models is below 0.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadModel {
    /// Measured loads of past phases; no value for future phases.
    Measured,
    /// All future phases have the load of the last phase.
    NaivePersistence(Box<LoadModel>),
    /// All future phases have the median load of the last `n` phases; for an even number of loads, the mean
    /// of the middle two.
    PersistenceMedianLastN {
        /// Number of phases.
        n: usize,
        /// Model that provides the values.
        of: Box<LoadModel>,
    },
    /// Future loads lie on the least-squares line through the loads of the last `n` phases. Time is counted
    /// in phase numbers, so that phases missing from the data count as elapsed time.
    LinearModel {
        /// Number of phases.
        n: usize,
        /// Model that provides the values.
        of: Box<LoadModel>,
    },
    /// Total load of the next `n_phases` phases, for a placement that lasts for all of them.
    MultiplePhases {
        /// Number of phases.
        n_phases: u32,
        /// Model of a single phase.
        of: Box<LoadModel>,
    },
    /// Load plus the cost of messages received from other ranks. Future phases have the communication of the
    /// last phase.
    CommOverhead {
        /// Seconds for each message.
        per_message: f64,
        /// Seconds for each byte.
        per_byte: f64,
        /// Model of the load.
        of: Box<LoadModel>,
    },
    /// Cost of the messages received from other ranks or, if larger, of the messages sent to other ranks. The load
    /// does not count. Future phases have the communication of the last phase.
    WeightedMessages {
        /// Seconds for each message.
        per_message: f64,
        /// Seconds for each byte.
        per_byte: f64,
    },
    /// `alpha x load + beta x cost of messages + gamma`.
    WeightedCommunicationVolume {
        /// Factor on the load.
        alpha: f64,
        /// Factor on the cost of messages.
        beta: f64,
        /// Seconds added to the load of every object.
        gamma: f64,
        /// Model of the load.
        of: Box<LoadModel>,
        /// Model of the cost of messages.
        messages: Box<LoadModel>,
    },
    /// A model for each collection. The collection of an object is taken from its last phase, if that phase
    /// has [coordinates](lbaf_model::Phase::coordinates).
    PerCollection {
        /// Models by the number of the collection in the files.
        collections: BTreeMap<u64, LoadModel>,
        /// Model of all other objects.
        default: Box<LoadModel>,
    },
    /// `(sum over s of load_s^p)^(1/p)` over the subphases of the last phase: the larger `p`, the larger the
    /// influence of the longest subphase. If the subphases of an object are unknown, its load. vt's field `of` is
    /// missing, because only measured loads are known by subphase.
    Norm {
        /// Exponent, at least 1; infinity selects the longest subphase alone.
        p: f64,
    },
    /// Sum of the measured loads of selected subphases of the last phase; 0 if the subphases of an object are
    /// unknown. vt's field `of` is missing, as in `Norm`.
    SelectSubphases {
        /// Numbers of the selected subphases in the files.
        subphases: Vec<u32>,
    },
}

impl LoadModel {
    /// Returns the default model: future phases have the measured load of the last phase.
    pub fn naive() -> Self {
        LoadModel::NaivePersistence(Box::new(LoadModel::Measured))
    }

    /// Returns the predicted load of an object in seconds, in the phase `ahead` phase numbers after the next
    /// phase. `None` if the model, or an inner model that it uses, has no value: because the object is in none of
    /// the phases that this model uses, or because this model has no value for future phases.
    pub fn predict(&self, history: &History<'_>, object: ObjectIdx, ahead: u32) -> Option<f64> {
        self.at(history, object, i64::from(ahead))
    }

    /// True if the model repeats the measured loads of the last phase.
    pub(crate) fn is_naive(&self) -> bool {
        matches!(self, LoadModel::NaivePersistence(of) if **of == LoadModel::Measured)
    }

    /// True if the model depends on past placements.
    pub(crate) fn needs_placements(&self) -> bool {
        let talks = |model: &LoadModel| {
            matches!(model, LoadModel::CommOverhead { .. } | LoadModel::WeightedMessages { .. })
        };
        self.parts().into_iter().any(talks)
    }

    /// Returns the model with [`LoadModel::MultiplePhases`] replaced by its inner model, which predicts a
    /// single phase. Models of messages, and inner models that are evaluated only for past phases, stay
    /// unchanged.
    #[must_use]
    pub fn of_one_phase(self) -> LoadModel {
        let within = |of: Box<LoadModel>| Box::new(of.of_one_phase());
        match self {
            LoadModel::MultiplePhases { of, .. } => of.of_one_phase(),
            LoadModel::CommOverhead { per_message, per_byte, of } => {
                LoadModel::CommOverhead { per_message, per_byte, of: within(of) }
            }
            LoadModel::WeightedCommunicationVolume { alpha, beta, gamma, of, messages } => {
                LoadModel::WeightedCommunicationVolume { alpha, beta, gamma, of: within(of), messages }
            }
            LoadModel::PerCollection { collections, default } => LoadModel::PerCollection {
                collections: collections.into_iter().map(|(id, of)| (id, of.of_one_phase())).collect(),
                default: within(default),
            },
            model => model,
        }
    }

    /// Returns this model, followed by its inner models at all levels.
    pub fn parts(&self) -> Vec<&LoadModel> {
        let inner: Vec<&LoadModel> = match self {
            LoadModel::Measured
            | LoadModel::WeightedMessages { .. }
            | LoadModel::Norm { .. }
            | LoadModel::SelectSubphases { .. } => Vec::new(),
            LoadModel::NaivePersistence(of)
            | LoadModel::PersistenceMedianLastN { of, .. }
            | LoadModel::LinearModel { of, .. }
            | LoadModel::MultiplePhases { of, .. }
            | LoadModel::CommOverhead { of, .. } => vec![of],
            LoadModel::WeightedCommunicationVolume { of, messages, .. } => vec![of, messages],
            LoadModel::PerCollection { collections, default } => {
                collections.values().chain([&**default]).collect()
            }
        };
        [self].into_iter().chain(inner.into_iter().flat_map(LoadModel::parts)).collect()
    }

    /// Returns the maximum number of past phases that the model uses.
    pub fn depth(&self) -> usize {
        match self {
            LoadModel::Measured
            | LoadModel::WeightedMessages { .. }
            | LoadModel::Norm { .. }
            | LoadModel::SelectSubphases { .. } => 1,
            LoadModel::NaivePersistence(of)
            | LoadModel::MultiplePhases { of, .. }
            | LoadModel::CommOverhead { of, .. } => of.depth(),
            LoadModel::PersistenceMedianLastN { n, of } | LoadModel::LinearModel { n, of } => {
                n.saturating_add(of.depth() - 1)
            }
            LoadModel::WeightedCommunicationVolume { of, messages, .. } => of.depth().max(messages.depth()),
            LoadModel::PerCollection { collections, default } => {
                collections.values().map(LoadModel::depth).fold(default.depth(), usize::max)
            }
        }
    }

    /// Returns the load at `time`, at least 0. Negative times count phases of the history: -1 is the last
    /// phase, -2 the phase before it. Other times count phase numbers from 0, the next phase.
    fn at(&self, history: &History<'_>, object: ObjectIdx, time: i64) -> Option<f64> {
        self.formula(history, object, time).map(|load| load.max(0.0))
    }

    /// Returns the result of the formula of the model, which may be below 0.
    fn formula(&self, history: &History<'_>, object: ObjectIdx, time: i64) -> Option<f64> {
        match self {
            LoadModel::Measured => history.load(object, back(time)?),
            LoadModel::NaivePersistence(of) => of.at(history, object, time.min(-1)),
            // For past phases, these models have the value of their inner model.
            LoadModel::PersistenceMedianLastN { of, .. }
            | LoadModel::LinearModel { of, .. }
            | LoadModel::MultiplePhases { of, .. }
                if time < 0 =>
            {
                of.at(history, object, time)
            }
            LoadModel::PersistenceMedianLastN { n, of } => {
                median(last_values(*n, history, |time| of.at(history, object, time)))
            }
            LoadModel::LinearModel { n, of } => {
                value_at(&last_values(*n, history, |time| of.at(history, object, time)), time as f64)
            }
            LoadModel::MultiplePhases { n_phases, of } => {
                let n = i64::from(*n_phases);
                (time * n..(time + 1) * n).map(|time| of.at(history, object, time)).sum()
            }
            LoadModel::CommOverhead { per_message, per_byte, of } => {
                // Only loads are predicted. Future communication equals that of the last phase.
                let [received, _] = history.off_rank(object, back(time.min(-1))?)?;
                Some(of.at(history, object, time)? + cost(received, *per_message, *per_byte))
            }
            LoadModel::WeightedMessages { per_message, per_byte } => {
                let both = history.off_rank(object, back(time.min(-1))?)?;
                let [received, sent] = both.map(|volume| cost(volume, *per_message, *per_byte));
                Some(received.max(sent))
            }
            LoadModel::WeightedCommunicationVolume { alpha, beta, gamma, of, messages } => {
                let load = of.at(history, object, time)?;
                Some(alpha * load + beta * messages.at(history, object, time)? + gamma)
            }
            LoadModel::PerCollection { collections, default } => {
                let collection = history.collection(object);
                let model = collection.and_then(|collection| collections.get(&collection));
                model.unwrap_or(default).at(history, object, time)
            }
            LoadModel::Norm { p } => norm(history, object, time, *p),
            LoadModel::SelectSubphases { subphases } => selected(history, object, time, subphases),
        }
    }
}

/// Converts a negative time to a number of phases ago; `None` for other times.
fn back(time: i64) -> Option<usize> {
    usize::try_from(-time).ok().filter(|&back| back > 0)
}

fn cost(volume: Volume, per_message: f64, per_byte: f64) -> f64 {
    per_message * volume.messages as f64 + per_byte * volume.bytes
}
