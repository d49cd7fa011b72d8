// SPDX-License-Identifier: MIT OR Apache-2.0
//! Run configurations as written. Unknown keys are rejected with their place.

pub(super) mod denoise;
pub(super) mod machine;
pub(super) mod simulation;

use std::collections::BTreeMap;

use lbaf_synth::SampledSpec;
use lbaf_vom::CommunicationKind;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::Selection;
use super::logging::LoggingLevel;
use crate::yaml;

/// A run configuration. `algorithm.parameters` and `algorithm.args` have been removed before, because their
/// keys depend on the strategy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    pub(super) from_data: Option<FromData>,
    pub(super) from_samplers: Option<SampledSpec>,
    #[serde(default)]
    pub(super) work_model: WorkModel,
    pub(super) algorithm: Algorithm,
    #[serde(default = "default_stem")]
    pub(super) output_file_stem: String,
    pub(super) output_dir: Option<String>,
    #[serde(rename = "write_JSON")]
    pub(super) write_json: Option<WriteJson>,
    #[serde(default)]
    pub(super) plots: Plots,
    #[serde(default)]
    pub(super) seed: Option<u64>,
    #[serde(default)]
    pub(super) check_schema: bool,
    pub(super) visualization: Option<Visualization>,
    #[serde(default)]
    pub(super) denoise: denoise::Denoise,
    #[serde(default)]
    pub(super) simulation: simulation::Simulation,
    #[expect(dead_code, reason = "accepted for LBAF; data are always validated")]
    pub(super) overwrite_validator: Option<bool>,
    pub(super) logging_level: Option<LoggingLevel>,
    pub(super) log_to_file: Option<String>,
}

fn default_stem() -> String {
    "output_file".to_owned()
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FromData {
    pub(super) data_stem: String,
    #[serde(default)]
    pub(super) phase_ids: Selection,
    pub(super) expected_ranks: Option<usize>,
    #[serde(default)]
    pub(super) ranks_per_node: RanksPerNode,
    pub(super) suffix: Option<String>,
    #[serde(default)]
    pub(super) communication_types: CommunicationTypes,
    #[serde(default)]
    pub(super) absent_endpoints: AbsentEndpoints,
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
                f.write_str("a number of ranks from 1 on, or from_files")
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
                        Err(E::custom(format!("expected a number of ranks or from_files, found {text:?}")))
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
                f.write_str("a list of communication types, or all")
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

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AbsentEndpoints {
    #[default]
    Drop,
    Home,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkModel {
    #[serde(default)]
    pub(super) name: WorkModelName,
    #[serde(default)]
    pub(super) parameters: WorkModelParameters,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum WorkModelName {
    #[default]
    LoadOnly,
    AffineCombination,
    #[serde(rename = "CCM")]
    Ccm,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkModelParameters {
    pub(super) alpha: Option<f64>,
    pub(super) beta: Option<f64>,
    pub(super) gamma: Option<f64>,
    pub(super) delta: Option<f64>,
    pub(super) upper_bounds: Option<BTreeMap<String, f64>>,
    #[serde(default)]
    pub(super) rank_alpha: BTreeMap<u32, f64>,
    pub(super) epsilon: Option<Epsilon>,
    pub(super) on_rank_volume: Option<OnRankVolume>,
    pub(super) memory: Option<Memory>,
}

/// Penalty for exceeding an upper bound, a number. vt writes infinity as `inf`, whereas YAML requires `.inf`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Epsilon(pub(super) f64);

impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Epsilon;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("inf or 0")
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
                number.map(Epsilon).map_err(|_| E::custom(format!("expected inf or 0, found {text:?}")))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The on-rank volume that gamma of CCM multiplies.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OnRankVolume {
    Paper,
    Vt,
}

/// Definition of the memory of a rank for upper bounds of CCM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Memory {
    #[default]
    WithoutSerialized,
    WithSerialized,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Algorithm {
    pub(super) name: Option<String>,
    pub(super) lb_config: Option<String>,
    #[serde(default)]
    pub(super) phase_id: Selection,
    #[serde(default)]
    pub(super) placement: Placement,
    pub(super) phase_modulus: Option<u64>,
    #[serde(default)]
    pub(super) min_imbalance: f64,
    #[expect(dead_code, reason = "the key is removed before, but suggested for misspelt keys")]
    parameters: Option<IgnoredAny>,
    #[expect(dead_code, reason = "as parameters")]
    args: Option<IgnoredAny>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Placement {
    #[default]
    Recorded,
    Carry,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the choices are independent")]
pub(super) struct WriteJson {
    #[serde(default)]
    pub(super) compressed: bool,
    /// Brotli quality, 0 to 11.
    pub(super) quality: Option<u32>,
    pub(super) suffix: Option<String>,
    pub(super) communications: Option<bool>,
    #[serde(default)]
    pub(super) offline_lb_compatible: bool,
    #[serde(default)]
    pub(super) empty_ranks: EmptyRanks,
    #[serde(default)]
    pub(super) lb_iterations: bool,
    #[serde(default)]
    pub(super) object_quantities: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EmptyRanks {
    #[default]
    Insert,
    Refuse,
    Warn,
}

/// `none`, or settings of charts.
#[derive(Debug)]
pub(super) enum Plots {
    None,
    Some(PlotSettings),
}

impl Default for Plots {
    fn default() -> Self {
        Plots::Some(PlotSettings::default())
    }
}

impl<'de> Deserialize<'de> for Plots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Plots;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("none, or a mapping with formats, charts, phases, width, dpi, pgfplots and style")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Plots, E> {
                if yaml::meant(text, &["none"]).is_some() {
                    return Ok(Plots::None);
                }
                Err(E::custom(format!("expected none or a mapping, found {text:?}")))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Plots, A::Error> {
                let map = serde::de::value::MapAccessDeserializer::new(map);
                PlotSettings::deserialize(map).map(Plots::Some)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PlotSettings {
    pub(super) formats: Option<Vec<Format>>,
    pub(super) charts: Option<Charts>,
    pub(super) phases: Option<Selection>,
    pub(super) width: Width,
    pub(super) dpi: Option<u32>,
    pub(super) pgfplots: bool,
    pub(super) style: ChartStyle,
}

/// Names of charts; in files, a single name or a list.
#[derive(Debug)]
pub(super) struct Charts(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for Charts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Charts;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("names of charts, or all")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Charts, E> {
                Ok(Charts(vec![name.to_owned()]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Charts, A::Error> {
                Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(list)).map(Charts)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Style of charts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ChartStyle {
    pub(super) palette: Option<Palette>,
    pub(super) font_size: Option<f64>,
    pub(super) height: Option<f64>,
    pub(super) titles: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Palette {
    #[serde(alias = "color")]
    Colour,
    #[serde(alias = "gray")]
    Grey,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Svg,
    Pdf,
    Png,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Width {
    #[default]
    OneColumn,
    TwoColumn,
}

/// LBAF's picture of objects on ranks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Visualization {
    pub(super) x_ranks: u32,
    pub(super) y_ranks: u32,
    pub(super) z_ranks: u32,
    pub(super) object_jitter: f64,
    pub(super) rank_qoi: String,
    pub(super) object_qoi: Option<String>,
    pub(super) force_continuous_object_qoi: Option<bool>,
    pub(super) save_meshes: Option<bool>,
    pub(super) output_visualization_dir: Option<String>,
    pub(super) output_visualization_file_stem: Option<String>,
}
