// SPDX-License-Identifier: MIT OR Apache-2.0
//! Origin of a placement map.

use std::fmt;

use schemars::JsonSchema;
use serde::de::Error;
use serde::de::value::MapAccessDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

/// Origin of a placement map, as written in the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OfflineMap {
    /// Path of a file, or stem of a data set if there is no such file.
    Path(String),
    /// A data set.
    DataSet(DataSetMap),
}

/// Data set whose placements are used as a placement map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DataSetMap {
    /// Path of its files up to the rank number.
    pub data_stem: String,
    /// Suffix of its file names; only needed if files with several suffixes exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
}

impl fmt::Display for OfflineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OfflineMap::Path(path) | OfflineMap::DataSet(DataSetMap { data_stem: path, .. }) => {
                f.write_str(path)
            }
        }
    }
}

impl<'de> Deserialize<'de> for OfflineMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = OfflineMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a file, the stem of a data set, or a mapping with `data_stem`")
            }

            fn visit_str<E: Error>(self, path: &str) -> Result<OfflineMap, E> {
                Ok(OfflineMap::Path(path.to_owned()))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<OfflineMap, A::Error> {
                DataSetMap::deserialize(MapAccessDeserializer::new(map)).map(OfflineMap::DataSet)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
