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

/// A prediction of the load of objects. Models are made of each other: those with a field `of`, or with one for each
/// collection, take values of another, and that of what it says of the past as well as of what it says of the future.
///
/// The names, and what they compute, are those of vt's load models. Where vt has but one phase to look at, or an object is
/// younger than a model looks back, ours take the phases that there are; and no load is predicted to be below 0, neither
/// that of a model nor those of the models that it is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadModel {
    /// Measured loads. It predicts nothing.
    Measured,
    /// The next phases are as the last one was.
    NaivePersistence(Box<LoadModel>),
    /// The next phases are as the median of the last ones; of an even number, the mean of the middle two.
    PersistenceMedianLastN {
        /// Number of phases.
        n: usize,
        /// Model whose values the median is taken of.
        of: Box<LoadModel>,
    },
    /// The next phases go on along the straight line that is nearest to the last ones by least squares. Time is counted in
    /// phase numbers, so that phases that the data lack leave their room.
    LinearModel {
        /// Number of phases.
        n: usize,
        /// Model whose values the line is fitted to.
        of: Box<LoadModel>,
    },
    /// Total load of several consecutive phases: the prediction for a placement that lasts that long.
    MultiplePhases {
        /// Number of phases.
        n_phases: u32,
        /// Model of a single phase.
        of: Box<LoadModel>,
    },
    /// Load and what its messages from other ranks cost.
    CommOverhead {
        /// Seconds for each message.
        per_message: f64,
        /// Seconds for each byte.
        per_byte: f64,
        /// The load.
        of: Box<LoadModel>,
    },
    /// Cost of messages from or to other ranks, whichever is larger; no load.
    WeightedMessages {
        /// Seconds for each message.
        per_message: f64,
        /// Seconds for each byte.
        per_byte: f64,
    },
    /// `alpha x load + beta x` what its messages cost `+ gamma`.
    WeightedCommunicationVolume {
        /// Factor on the load.
        alpha: f64,
        /// Factor on the cost of messages.
        beta: f64,
        /// Seconds added to the load of every object.
        gamma: f64,
        /// The load.
        of: Box<LoadModel>,
        /// Model of the cost of messages.
        messages: Box<LoadModel>,
    },
    /// A model for each collection. Objects are in that which their last phase says, if its
    /// [coordinates](lbaf_model::Phase::coordinates) are there.
    PerCollection {
        /// Those of collections, by their number in the files.
        collections: BTreeMap<u64, LoadModel>,
        /// That of all other objects.
        default: Box<LoadModel>,
    },
    /// `(sum over s of load_s^p)^(1/p)` over the subphases of the last phase: the larger `p`, the more the longest of them
    /// counts. Without vt's `of`: nothing but what was measured is known by subphase.
    Norm {
        /// From 1 on; infinite for the longest alone.
        p: f64,
    },
    /// Measured load of some subphases of the last phase. Without vt's `of`, as `Norm`.
    SelectSubphases {
        /// Their numbers in the files.
        subphases: Vec<u32>,
    },
}

impl LoadModel {
    /// The usual model: the next phase is as the last one was.
    pub fn naive() -> Self {
        LoadModel::NaivePersistence(Box::new(LoadModel::Measured))
    }

    /// Seconds that an object is predicted to take `ahead` phase numbers after the next phase: 0 is that phase itself. Nothing
    /// if it was in none of the phases that the model looks at.
    pub fn predict(&self, history: &History<'_>, object: ObjectIdx, ahead: u32) -> Option<f64> {
        self.at(history, object, i64::from(ahead))
    }

    /// True if it repeats the loads of the last phase.
    pub(crate) fn is_naive(&self) -> bool {
        matches!(self, LoadModel::NaivePersistence(of) if **of == LoadModel::Measured)
    }

    /// True if it looks at where objects were.
    pub(crate) fn needs_placements(&self) -> bool {
        let talks = |model: &LoadModel| {
            matches!(model, LoadModel::CommOverhead { .. } | LoadModel::WeightedMessages { .. })
        };
        self.parts().into_iter().any(talks)
    }

    /// The model that it predicts one phase with: [`LoadModel::MultiplePhases`], wherever it is in it, predicts several together.
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

    /// Models that it is made of, itself first.
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

    /// Number of past phases that it uses.
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

    /// The load at a place in time, at least 0: -1 is the last phase, -2 the one before it in the data; 0 is the next phase,
    /// and 1 has the number after it.
    fn at(&self, history: &History<'_>, object: ObjectIdx, time: i64) -> Option<f64> {
        self.formula(history, object, time).map(|load| load.max(0.0))
    }

    /// The same as the formula of the model gives it, which may be below 0.
    fn formula(&self, history: &History<'_>, object: ObjectIdx, time: i64) -> Option<f64> {
        match self {
            LoadModel::Measured => history.load(object, back(time)?),
            LoadModel::NaivePersistence(of) => of.at(history, object, time.min(-1)),
            // What was, needs no prediction.
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
                // Messages are as in the last phase: nothing but loads is predicted.
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

/// A time in the past as a number of phases.
fn back(time: i64) -> Option<usize> {
    usize::try_from(-time).ok().filter(|&back| back > 0)
}

fn cost(volume: Volume, per_message: f64, per_byte: f64) -> f64 {
    per_message * volume.messages as f64 + per_byte * volume.bytes
}
