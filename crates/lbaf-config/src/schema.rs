// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON Schemas of configurations, for editors and for checks without `lbaf`.

mod forms;

use lbaf_model::RankQuantity;
use lbaf_strategies::StrategyName;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::raw::Configuration;
use crate::study::RawStudy;

/// Returns the JSON Schema of the configuration of a run or simulation.
///
/// The schema is stricter than [`resolve`](crate::resolve): names must be spelled exactly, and keys of older LBAF
/// versions are refused. It does not check most conditions on several keys, conditions on data, ranges of most numbers,
/// parameters of external commands, or the existence of files. [`resolve`](crate::resolve) and later steps check them.
pub fn run_schema() -> Value {
    let mut schema = schema_of::<Configuration>("Configuration of a run of lbaf");
    add_strategies(&mut schema["properties"]["algorithm"]);
    let parameters = &mut schema["properties"]["work_model"]["properties"]["parameters"]["properties"];
    parameters["upper_bounds"]["propertyNames"] = json!({"enum": bounded()});
    schema["oneOf"] = json!([{"required": ["from_data"]}, {"required": ["from_samplers"]}]);
    schema
}

/// Returns the JSON Schema of a study.
///
/// As in [`run_schema`], names must be spelled exactly. Changes on an axis are not checked, and no key of a
/// configuration is required, because another layer may have it.
pub fn study_schema() -> Value {
    let mut configuration = run_schema();
    // The other layers of a cell may have the required keys.
    if let Some(members) = configuration.as_object_mut() {
        for key in ["$schema", "title", "description", "oneOf", "required"] {
            members.remove(key);
        }
    }
    let definitions = configuration.as_object_mut().and_then(|members| members.remove("$defs"));
    forget_required(&mut configuration["properties"]);
    let mut schema = schema_of::<RawStudy>("Study of lbaf");
    let description = schema["properties"]["configuration"]["description"].take();
    configuration["description"] = description;
    configuration["type"] = json!(["object", "null"]);
    schema["properties"]["configuration"] = configuration;
    if let Some(Value::Object(definitions)) = definitions {
        let all = schema.as_object_mut().map(|members| members.entry("$defs").or_insert_with(|| json!({})));
        if let Some(Value::Object(all)) = all {
            all.extend(definitions);
        }
    }
    schema
}

/// Returns the names of quantities that can have upper bounds, including the names that LBAF gives them.
fn bounded() -> Vec<String> {
    let names = RankQuantity::ALL.iter().map(|quantity| quantity.name());
    let of_lbaf = names.clone().filter_map(|name| Some(format!("number_of_{}", name.strip_prefix("num_")?)));
    names.map(str::to_owned).chain(of_lbaf).collect()
}

/// Allows `null` in place of every mapping without required keys.
fn allow_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("type") == Some(&json!("object")) && !members.contains_key("required") {
                members.insert("type".to_owned(), json!(["object", "null"]));
            }
            members.values_mut().for_each(allow_null);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(allow_null),
        _ => {}
    }
}

/// Allows that top-level sections lack keys, which another layer may have.
fn forget_required(sections: &mut Value) {
    for section in sections.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(members) = section.as_object_mut() {
            members.remove("required");
            // In `algorithm`, `oneOf` requires a name or a file, and cases of `allOf` require parameters of some
            // strategies.
            members.remove("oneOf");
            for case in members.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
                forget(&mut case["then"], "anyOf");
                forget(&mut case["then"]["properties"]["parameters"], "required");
            }
        }
        if let Some(Value::Array(forms)) = section.get_mut("anyOf") {
            forms.iter_mut().filter_map(Value::as_object_mut).for_each(|form| {
                form.remove("required");
            });
        }
    }
}

fn forget(schema: &mut Value, key: &str) {
    schema.as_object_mut().and_then(|members| members.remove(key));
}

fn schema_of<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    allow_null(&mut schema);
    // `null` cannot replace the configuration itself.
    schema["type"] = "object".into();
    schema["title"] = title.into();
    schema
}

/// Adds the names of strategies, and the parameters of each.
fn add_strategies(algorithm: &mut Value) {
    let mut names: Vec<&str> = Vec::new();
    let mut cases = Vec::new();
    for strategy in StrategyName::ALL {
        let mut parameters = strategy.schema();
        if let Some(members) = parameters.as_object_mut() {
            for key in ["$schema", "title", "description"] {
                members.remove(key);
            }
        }
        let requires_some = parameters.get("required").is_some();
        parameters["type"] = "object".into();
        allow_null(&mut parameters);
        let mut then = json!({"properties": {"parameters": parameters}});
        if requires_some {
            then["anyOf"] = json!([{"required": ["parameters"]}, {"required": ["args"]}]);
        }
        names.extend(strategy.names());
        cases.push(json!({
            "if": {"properties": {"name": {"enum": strategy.names()}}, "required": ["name"]},
            "then": then,
        }));
    }
    algorithm["properties"]["name"]["enum"] = names.into();
    algorithm["allOf"] = cases.into();
    algorithm["oneOf"] = json!([{"required": ["name"]}, {"required": ["lb_config"]}]);
}
