// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `simulation`.

mod report;

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Selection;
use super::machine::Machine;
use super::word_or_mapping::word_or_mapping;
use crate::yaml;
pub use report::TrialName;
pub(in super::super) use report::{Report, ReportSettings};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Simulation {
    /// Load model that predicts the loads of the next phase from earlier ones.
    pub(in super::super) load_model: Option<LoadModel>,
    /// Phases after which the strategy runs.
    pub(in super::super) schedule: Option<Schedule>,
    /// Costs of balancing.
    pub(in super::super) costs: Costs,
    /// Assumed machine, if it differs from the recorded one.
    pub(in super::super) machine: Machine,
    /// Report on load models.
    pub(in super::super) report: Report,
    /// Assume a barrier at the end of every subphase.
    pub(in super::super) subphases: bool,
}

/// A load model by name, or with parameters.
#[derive(Debug)]
pub(in super::super) struct LoadModel(pub(in super::super) LoadModelSettings);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LoadModelSettings {
    /// Name of the model, as in vt.
    pub(in super::super) name: LoadModelName,
    /// Number of phases that the model uses, or that `MultiplePhases` predicts.
    pub(in super::super) n: Option<usize>,
    /// Seconds for each message.
    pub(in super::super) per_message: Option<f64>,
    /// Seconds for each byte.
    pub(in super::super) per_byte: Option<f64>,
    /// Factor on the load.
    pub(in super::super) alpha: Option<f64>,
    /// Factor on the cost of messages.
    pub(in super::super) beta: Option<f64>,
    /// Constant term in seconds of `WeightedCommunicationVolume`: alpha x load + beta x cost of messages +
    /// gamma.
    pub(in super::super) gamma: Option<f64>,
    /// Exponent of the norm.
    pub(in super::super) p: Option<f64>,
    /// Subphases that the model uses.
    pub(in super::super) subphases: Option<Vec<u32>>,
    /// Model from which this model takes its values.
    pub(in super::super) of: Option<Box<LoadModel>>,
    /// Models of individual collections, by collection id.
    pub(in super::super) collections: Option<BTreeMap<u64, LoadModel>>,
    /// Model of all other objects. Default `NaivePersistence`.
    pub(in super::super) default: Option<Box<LoadModel>>,
}

/// Names of vt's load models.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, JsonSchema)]
pub(in super::super) enum LoadModelName {
    NaivePersistence,
    PersistenceMedianLastN,
    LinearModel,
    MultiplePhases,
    CommOverhead,
    WeightedMessages,
    WeightedCommunicationVolume,
    PerCollection,
    Norm,
    SelectSubphases,
}

impl<'de> Deserialize<'de> for LoadModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = LoadModel;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a load model, or a mapping with `name` and parameters")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<LoadModel, E> {
                let name = yaml::from_name::<_, E>(name)?;
                Ok(LoadModel(LoadModelSettings {
                    name,
                    n: None,
                    per_message: None,
                    per_byte: None,
                    alpha: None,
                    beta: None,
                    gamma: None,
                    p: None,
                    subphases: None,
                    of: None,
                    collections: None,
                    default: None,
                }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LoadModel, A::Error> {
                LoadModelSettings::deserialize(MapAccessDeserializer::new(map)).map(LoadModel)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

/// Schedule: a word such as `never`, or a mapping such as `{every: 10}`.
#[derive(Debug)]
pub(in super::super) enum Schedule {
    Never,
    /// The schedule with the shortest simulated run.
    Best,
    /// All phases that `algorithm` selects; with `lb_config`, only those of them for which the file names a
    /// balancer.
    Algorithm,
    By(Box<ScheduleSettings>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ScheduleSettings {
    /// The strategy runs after phases whose number is a multiple of this number.
    pub(in super::super) every: Option<u64>,
    /// Phases after which the strategy runs.
    pub(in super::super) phases: Option<Selection>,
    /// Imbalance of work above which the strategy runs.
    pub(in super::super) threshold: Option<f64>,
    /// Assumed cost of the first balancing in seconds, for the adaptive schedule.
    pub(in super::super) adaptive: Option<f64>,
    /// Assumed cost of the first balancing in seconds, for the criterion of Menon et al.
    pub(in super::super) menon: Option<f64>,
    /// Assumed cost of the first balancing in seconds, for the criterion of Procassini et al.
    pub(in super::super) procassini: Option<f64>,
    /// Factor on the time without balancing in the criterion of Procassini et al. Default 1.
    pub(in super::super) factor: Option<f64>,
    /// Assumed cost of the first balancing in seconds, for the criterion of Zhai et al.
    pub(in super::super) zhai: Option<f64>,
    /// Assumed cost of the first balancing in seconds, for the criterion of Boulmier et al.
    pub(in super::super) boulmier: Option<f64>,
    /// vt's specification file of the phases after which the strategy runs.
    pub(in super::super) specification: Option<String>,
}

word_or_mapping! {
    Schedule: "`never`, `algorithm` or `best`, or one of the keys `every`, `phases`, `specification`, `threshold`, \
               `adaptive`, `menon`, `procassini`, `zhai` and `boulmier` with its value",
    {"never" => Schedule::Never, "best" => Schedule::Best, "algorithm" => Schedule::Algorithm},
    ScheduleSettings => |settings| Schedule::By(Box::new(settings))
}

/// Costs of balancing.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Costs {
    /// Time of the strategy in seconds, or `measured`.
    pub(in super::super) strategy_seconds: Option<StrategySeconds>,
    /// Seconds for each successive message in the protocol of the strategy; messages in parallel count once
    /// (`docs/simulate.md`, Protocols). Alternative to `strategy_seconds`.
    pub(in super::super) message_latency: Option<f64>,
    /// Seconds for each object that leaves or reaches a rank. Default: `message_latency`, or 0 without it.
    pub(in super::super) object_latency: Option<f64>,
    /// Bandwidth between ranks in bytes per second. Default: infinite.
    pub(in super::super) bandwidth: Option<f64>,
}

/// A number of seconds, or `measured`.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum StrategySeconds {
    Fixed(f64),
    Measured,
}

impl<'de> Deserialize<'de> for StrategySeconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl Visitor<'_> for Form {
            type Value = StrategySeconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds, or `measured`")
            }

            fn visit_f64<E: serde::de::Error>(self, seconds: f64) -> Result<StrategySeconds, E> {
                Ok(StrategySeconds::Fixed(seconds))
            }

            fn visit_u64<E: serde::de::Error>(self, seconds: u64) -> Result<StrategySeconds, E> {
                Ok(StrategySeconds::Fixed(seconds as f64))
            }

            fn visit_i64<E: serde::de::Error>(self, seconds: i64) -> Result<StrategySeconds, E> {
                Ok(StrategySeconds::Fixed(seconds as f64))
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<StrategySeconds, E> {
                match yaml::meant(word, &["measured"]) {
                    Some(_) => Ok(StrategySeconds::Measured),
                    None => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Form)
    }
}
