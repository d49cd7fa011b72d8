// SPDX-License-Identifier: MIT OR Apache-2.0
//! Run configurations as written. Unknown keys are rejected with their place.

pub(super) mod denoise;
pub(super) mod machine;
mod plots;
pub(super) mod simulation;
pub(crate) mod word_or_mapping;

use std::collections::BTreeMap;

use lbaf_synth::SampledSpec;
use lbaf_vom::CommunicationKind;
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

pub(super) use self::plots::{Charts, Format, Palette, PlotSettings, Plots, Tables, Width};
use super::Selection;
use super::logging::LoggingLevel;
use crate::yaml;

/// A run configuration.
// `algorithm.parameters` and `algorithm.args` are removed before a configuration is deserialized, because their
// keys depend on the strategy.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    /// Recorded data. A configuration has either this section or `from_samplers`.
    pub(super) from_data: Option<FromData>,
    /// Synthetic data, drawn from distributions.
    pub(super) from_samplers: Option<SampledSpec>,
    /// Definition of the work of a rank, which strategies minimize.
    #[serde(default)]
    pub(super) work_model: WorkModel,
    /// The strategy, and the phases that it balances.
    pub(super) algorithm: Algorithm,
    /// Name of the written data files up to the rank. Default `output_file`.
    #[serde(default = "default_stem")]
    pub(super) output_file_stem: String,
    /// Directory of all outputs, relative to the configuration. Default: the working directory.
    pub(super) output_dir: Option<String>,
    /// Data files with new placements. Without this section, none are written.
    #[serde(rename = "write_JSON")]
    pub(super) write_json: Option<WriteJson>,
    /// Charts and tables for papers.
    #[serde(default)]
    pub(super) plots: Plots,
    /// Layout of the tables for papers.
    #[serde(default)]
    pub(super) tables: Tables,
    /// Seed of all random numbers, except those of strategies with a seed of their own. Default 0.
    #[serde(default)]
    pub(super) seed: Option<u64>,
    /// Refuse data files that do not conform to their schema.
    #[serde(default)]
    pub(super) check_schema: bool,
    /// LBAF's picture of objects on ranks.
    pub(super) visualization: Option<Visualization>,
    /// Correction of recorded times for noise.
    #[serde(default)]
    pub(super) denoise: denoise::Denoise,
    /// Settings of `lbaf simulate`.
    #[serde(default)]
    pub(super) simulation: simulation::Simulation,
    /// Accepted for compatibility with LBAF, without effect.
    #[expect(dead_code, reason = "accepted for LBAF; data are always validated")]
    pub(super) overwrite_validator: Option<bool>,
    /// Lowest level of the messages.
    pub(super) logging_level: Option<LoggingLevel>,
    /// File to which messages are also appended, even with `-q`.
    pub(super) log_to_file: Option<String>,
}

fn default_stem() -> String {
    "output_file".to_owned()
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FromData {
    /// Path of the data files up to the rank: `dir/data` for `dir/data.0.json`. A directory stands for the only
    /// stem in it.
    pub(super) data_stem: String,
    /// Phases to read. Default: all.
    #[serde(default)]
    pub(super) phase_ids: Selection,
    /// Number of ranks; data with another number give a warning.
    pub(super) expected_ranks: Option<usize>,
    /// Number of consecutive ranks that share a node, or `from_files` for the nodes in the files. Default 1.
    #[serde(default)]
    pub(super) ranks_per_node: RanksPerNode,
    /// Suffix of the data files. Default: detected.
    pub(super) suffix: Option<String>,
    /// Types of communication that count as volume, or `all`. Default `SendRecv`.
    #[serde(default)]
    pub(super) communication_types: CommunicationTypes,
    /// Treatment of communication with an object that has no task in the phase.
    #[serde(default)]
    pub(super) absent_endpoints: AbsentEndpoints,
    /// Read subphases even if no strategy needs them.
    #[serde(default)]
    pub(super) subphases: bool,
}

/// A number of ranks or `from_files`.
#[derive(Clone, Copy, Debug)]
pub(super) enum RanksPerNode {
    Number(u32),
    FromFiles,
}

impl Default for RanksPerNode {
    fn default() -> Self {
        RanksPerNode::Number(1)
    }
}

impl<'de> Deserialize<'de> for RanksPerNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = RanksPerNode;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number of ranks from 1 on, or `from_files`")
            }

            // LBAF converts the value with Python's `int()`, so `2.0` is valid.
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<RanksPerNode, E> {
                match number.to_string().parse() {
                    Ok(whole) => self.visit_u64(whole),
                    Err(_) => Err(E::custom(format!("expected a number of ranks from 1 on, found {number}"))),
                }
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<RanksPerNode, E> {
                match u32::try_from(number) {
                    Ok(number) if number > 0 => Ok(RanksPerNode::Number(number)),
                    _ => Err(E::custom(format!("expected a number of ranks from 1 on, found {number}"))),
                }
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<RanksPerNode, E> {
                self.visit_u64(u64::try_from(number).unwrap_or(0))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RanksPerNode, E> {
                if yaml::meant(text, &["from_files"]).is_some() {
                    return Ok(RanksPerNode::FromFiles);
                }
                match text.trim().parse() {
                    Ok(number) => self.visit_u64(number),
                    Err(_) => {
                        Err(E::custom(format!("expected a number of ranks or `from_files`, found {text:?}")))
                    }
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Names of communication types, or `all`.
#[derive(Clone, Debug)]
pub(super) enum CommunicationTypes {
    All,
    Named(Vec<String>),
}

impl Default for CommunicationTypes {
    fn default() -> Self {
        CommunicationTypes::Named(vec![CommunicationKind::SendRecv.name().to_owned()])
    }
}

impl<'de> Deserialize<'de> for CommunicationTypes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = CommunicationTypes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of communication types, or `all`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<CommunicationTypes, E> {
                Ok(match yaml::meant(text, &["all"]) {
                    Some(_) => CommunicationTypes::All,
                    None => CommunicationTypes::Named(vec![text.to_owned()]),
                })
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut items: A,
            ) -> Result<CommunicationTypes, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = items.next_element()? {
                    names.push(name);
                }
                Ok(CommunicationTypes::Named(names))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum AbsentEndpoints {
    #[default]
    Drop,
    Home,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkModel {
    /// Name of the model. Default `LoadOnly`.
    #[serde(default)]
    pub(super) name: WorkModelName,
    /// Parameters of the model.
    #[serde(default)]
    pub(super) parameters: WorkModelParameters,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub(super) enum WorkModelName {
    #[default]
    LoadOnly,
    AffineCombination,
    #[serde(rename = "CCM")]
    Ccm,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkModelParameters {
    /// Factor on the load in seconds. Default 1.
    #[schemars(range(min = 0))]
    pub(super) alpha: Option<f64>,
    /// Factor of `AffineCombination` and `CCM` on the larger of sent and received off-rank volume in bytes.
    /// Default 0.
    #[schemars(range(min = 0))]
    pub(super) beta: Option<f64>,
    /// Constant of `AffineCombination`, or factor of `CCM` on the on-rank volume in bytes. Default 0.
    #[schemars(range(min = 0))]
    pub(super) gamma: Option<f64>,
    /// Factor of `AffineCombination` and `CCM` on the homing volume in bytes. Default 0.
    #[schemars(range(min = 0))]
    pub(super) delta: Option<f64>,
    /// Upper bounds on quantities of a rank, by name. Unless `ranks_per_node` is 1, they apply to nodes.
    pub(super) upper_bounds: Option<BTreeMap<String, f64>>,
    /// Factors on the loads of individual ranks, by rank. They replace the recorded factors.
    #[serde(default)]
    pub(super) rank_alpha: BTreeMap<u32, f64>,
    /// Penalty of `CCM` for exceeding an upper bound: `inf`, or 0 for no bounds.
    pub(super) epsilon: Option<Epsilon>,
    /// Definition of the on-rank volume of `CCM`. Default `paper`.
    pub(super) on_rank_volume: Option<OnRankVolume>,
    /// Memory that an upper bound of `CCM` on `max_memory_usage` limits. Default `without_serialized`.
    pub(super) memory: Option<Memory>,
}

/// Penalty for exceeding an upper bound. vt writes infinity as `inf`, whereas YAML requires `.inf`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Epsilon(pub(super) f64);

impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Epsilon;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("`inf` or 0")
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Epsilon, E> {
                Ok(Epsilon(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Epsilon, E> {
                Ok(Epsilon(number as f64))
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Epsilon, E> {
                Ok(Epsilon(number as f64))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Epsilon, E> {
                let number = text.trim().parse();
                number.map(Epsilon).map_err(|_| E::custom(format!("expected `inf` or 0, found {text:?}")))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The on-rank volume that `gamma` of CCM multiplies.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OnRankVolume {
    Paper,
    Vt,
}

/// Definition of the memory of a rank for upper bounds of CCM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Memory {
    #[default]
    WithoutSerialized,
    WithSerialized,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Algorithm {
    /// Name of the strategy. `lbaf strategies` lists all.
    pub(super) name: Option<String>,
    /// LB configuration file of vt, which names a balancer for each phase. It replaces `name`.
    pub(super) lb_config: Option<String>,
    /// Phases to balance. Default: all.
    #[serde(default)]
    pub(super) phase_id: Selection,
    /// Initial placement of each phase.
    #[serde(default)]
    pub(super) placement: Placement,
    /// Balance only phases whose number is a multiple of this number.
    pub(super) phase_modulus: Option<u64>,
    /// Balance only phases whose imbalance of work is larger than this value or in which a rank exceeds an upper
    /// bound. Default 0: all phases.
    #[serde(default)]
    pub(super) min_imbalance: f64,
    /// Parameters of the strategy.
    #[expect(dead_code, reason = "removed before, listed so that it is suggested for misspelt keys")]
    #[schemars(with = "Option<BTreeMap<String, serde_json::Value>>")]
    parameters: Option<IgnoredAny>,
    /// Parameters of the strategy in vt's notation: `key=value key=value`.
    #[expect(dead_code, reason = "as parameters")]
    #[schemars(with = "Option<String>")]
    args: Option<IgnoredAny>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Placement {
    #[default]
    Recorded,
    Carry,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the choices are independent")]
pub(super) struct WriteJson {
    /// Compress the files with brotli.
    #[serde(default)]
    pub(super) compressed: bool,
    /// Brotli quality if compressed, 0 to 11. Default 5.
    pub(super) quality: Option<u32>,
    /// Suffix of the files. Default `json`.
    pub(super) suffix: Option<String>,
    /// Write communication. Default true.
    pub(super) communications: Option<bool>,
    /// Write the files that vt's OfflineLB expects.
    #[serde(default)]
    pub(super) offline_lb_compatible: bool,
    /// Treatment of ranks without a migratable object in files for OfflineLB. Default `insert`.
    #[serde(default)]
    pub(super) empty_ranks: EmptyRanks,
    /// Write the placement after every iteration of the strategy.
    #[serde(default)]
    pub(super) lb_iterations: bool,
    /// Write LBAF's quantities of objects into `user_defined` of tasks.
    #[serde(default)]
    pub(super) object_quantities: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum EmptyRanks {
    #[default]
    Insert,
    Refuse,
    Warn,
}

/// LBAF's picture of objects on ranks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Visualization {
    /// Number of ranks along x.
    pub(super) x_ranks: u32,
    /// Number of ranks along y.
    pub(super) y_ranks: u32,
    /// Number of ranks along z.
    pub(super) z_ranks: u32,
    /// Maximum random displacement of objects, as a fraction of the distance between them.
    pub(super) object_jitter: f64,
    /// Quantity of ranks to show.
    pub(super) rank_qoi: String,
    /// Quantity of objects to show. Default `load`.
    pub(super) object_qoi: Option<String>,
    /// Show the quantity of objects on a continuous scale, even with few distinct values. Default true.
    pub(super) force_continuous_object_qoi: Option<bool>,
    /// Also write meshes in VTK's format. Default true.
    pub(super) save_meshes: Option<bool>,
    /// Phases to draw. Default: the phase with the largest load imbalance before balancing and the phase with the
    /// largest one after it.
    pub(super) phases: Option<Selection>,
    /// Also draw each phase after each iteration of the strategy. Default false.
    pub(super) iterations: Option<bool>,
    /// Directory of the pictures, inside `output_dir`. Default: `output_dir`.
    pub(super) output_visualization_dir: Option<String>,
    /// Beginning of the names of the pictures. Default: `output_file_stem`.
    pub(super) output_visualization_file_stem: Option<String>,
}
