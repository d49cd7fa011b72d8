// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `denoise`: noise in recorded times.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::yaml;

/// Removal of noise. In files it is `false`, `true` for the default detector, the name of a detector, or a
/// mapping of settings.
#[derive(Debug, Default)]
pub(in super::super) struct Denoise(pub(in super::super) Option<DenoiseSettings>);

/// Settings of the detection. Defaults are those of `lbaf anomalies`.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DenoiseSettings {
    /// The detector.
    pub detector: DetectorName,
    /// Threshold for an anomaly, on a scale that depends on the detector. Default: that of the detector.
    pub threshold: Option<f64>,
    /// Maximum number of bins in the histogram of `hbos`.
    pub max_bins: Option<usize>,
    /// Tasks whose times are judged together: of an object, of a collection, or of an index in a collection.
    pub model: ModelName,
    /// True if tasks are compared only with tasks of the same and of earlier phases.
    pub online: bool,
    /// Number of recorded times of each object to skip, from its first phase on.
    pub skip_first: usize,
    /// Minimum number of samples of a model; with fewer, no task is an anomaly.
    pub min_samples: Option<u64>,
    /// Minimum time of an anomaly in microseconds.
    pub min_severity: Option<f64>,
    /// Largest deviation from the median that is still normal, as a fraction of the median.
    pub min_relative: Option<f64>,
}

/// Detectors by name.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DetectorName {
    /// Median and median absolute deviation.
    #[default]
    Mad,
    /// Mean and standard deviation, as in Chimbuko.
    Sstd,
    /// Histogram-based outlier score.
    Hbos,
    /// Copula-based outlier detection.
    Copod,
}

/// Sets of tasks with a common model.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelName {
    /// Tasks of an object.
    #[default]
    Object,
    /// Tasks of all objects of a collection.
    Collection,
    /// Tasks of all objects at an index of a collection.
    CollectionIndex,
}

impl<'de> Deserialize<'de> for Denoise {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Denoise;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false`, the name of a detector, or a mapping")
            }

            fn visit_bool<E: serde::de::Error>(self, is_on: bool) -> Result<Denoise, E> {
                Ok(Denoise(is_on.then(DenoiseSettings::default)))
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Denoise, E> {
                let detector = yaml::from_name::<_, E>(name)?;
                Ok(Denoise(Some(DenoiseSettings { detector, ..DenoiseSettings::default() })))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Denoise, A::Error> {
                Ok(Denoise(Some(DenoiseSettings::deserialize(MapAccessDeserializer::new(map))?)))
            }
        }
        deserializer.deserialize_any(Form)
    }
}
