// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schemas of values with several forms, such as a number or a word. `Deserialize` of these types also accepts other
//! spellings.

use std::borrow::Cow;

use lbaf_vom::CommunicationKind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::raw::denoise::{Denoise, DenoiseSettings, DetectorName};
use crate::raw::simulation::{LoadModel, LoadModelName, LoadModelSettings, StrategySeconds};
use crate::raw::{Charts, CommunicationTypes, Epsilon, RanksPerNode};
use crate::study::{Axes, Base};
use crate::{ALL_CHARTS, CHARTS_OF_RUNS, CHARTS_OF_SIMULATIONS, Selection};

macro_rules! forms {
    ($($type:ident: |$generator:pat_param| $forms:expr;)*) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                json_schema!({"anyOf": $forms})
            }
        }
    )*};
}

forms! {
    RanksPerNode: |_| json!([{"type": "integer", "minimum": 1}, {"const": "from_files"}]);
    CommunicationTypes: |_| {
        let kinds: Vec<&str> = CommunicationKind::NAMED.into_iter().map(CommunicationKind::name).collect();
        one_or_list(&kinds, "all")
    };
    Epsilon: |_| json!([{"type": "number"}, {"const": "inf"}]);
    Charts: |_| one_or_list(&[&CHARTS_OF_RUNS[..], &CHARTS_OF_SIMULATIONS].concat(), ALL_CHARTS);
    Selection: |_| {
        let part = json!({"type": ["integer", "string"], "minimum": 0});
        json!([part, {"type": "array", "items": part}])
    };
    Denoise: |generator| json!([
        {"type": "boolean"},
        generator.subschema_for::<DetectorName>(),
        generator.subschema_for::<DenoiseSettings>(),
    ]);
    LoadModel: |generator| json!([
        generator.subschema_for::<LoadModelName>(),
        generator.subschema_for::<LoadModelSettings>(),
    ]);
    StrategySeconds: |_| json!([{"type": "number"}, {"const": "measured"}]);
    Base: |_| json!([{"type": "string"}, {"type": "array", "items": {"type": "string"}}]);
    Axes: |_| {
        let choice = json!({"type": ["object", "string"]});
        let axis = json!({"anyOf": [
            {"type": "array", "minItems": 1},
            {"type": "string", "pattern": "^ *[0-9]+ *- *[0-9]+ *$"},
            {"type": "object", "minProperties": 1, "additionalProperties": choice},
        ]});
        json!([{"type": "object", "additionalProperties": axis}])
    };
}

/// Returns the forms of a value that is a name or a list of names. `all` is the name that stands for all of them.
fn one_or_list(names: &[&str], all: &str) -> Value {
    let mut alone = names.to_vec();
    alone.push(all);
    json!([{"enum": alone}, {"type": "array", "items": {"enum": alone}}])
}
