// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters, as described by the schemas of strategies.

use lbaf_strategies::StrategyName;
use serde_json::Value;

use super::markdown::paragraphs;

/// Parameter of a strategy.
pub(super) struct Parameter {
    pub(super) key: String,
    /// Kinds of values, for example `number`.
    pub(super) kind: String,
    /// Default as YAML.
    pub(super) default: String,
    pub(super) is_required: bool,
    /// Description, by paragraph.
    pub(super) meaning: Vec<String>,
    /// Values with descriptions: name or kind, and description.
    pub(super) choices: Vec<(String, String)>,
}

/// Returns the parameters of a strategy in the order of their declaration.
pub(super) fn parameters(strategy: StrategyName) -> Vec<Parameter> {
    let schema = strategy.schema();
    let defaults =
        serde_json::to_value(super::default(strategy)).expect("invariant: parameters are plain data");
    let required: Vec<&str> = list(&schema, "required").iter().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let parameter = |(key, schema): (&String, &Value)| Parameter {
        key: key.clone(),
        kind: kind(schema),
        default: yaml(&defaults[key], schema),
        is_required: required.contains(&key.as_str()),
        meaning: paragraphs(description(schema)),
        choices: choices(schema),
    };
    properties.map(parameter).collect()
}

fn description(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the alternatives of a schema. An alternative that has alternatives itself is replaced by them.
fn alternatives(schema: &Value) -> Vec<&Value> {
    let own = list(schema, "oneOf").iter().chain(list(schema, "anyOf"));
    own.flat_map(|one| match alternatives(one) {
        none if none.is_empty() => vec![one],
        several => several,
    })
    .collect()
}

/// Returns the names of the types that a schema allows.
fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the values that a schema names, and its title if it has no constant.
fn names(schema: &Value) -> Vec<String> {
    let one = schema.get("const").or_else(|| schema.get("title")).into_iter();
    one.chain(list(schema, "enum")).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn kind(schema: &Value) -> String {
    let mut kinds: Vec<String> = Vec::new();
    let alternatives = alternatives(schema);
    for one in if alternatives.is_empty() { vec![schema] } else { alternatives } {
        match names(one) {
            none if none.is_empty() => kinds.extend(types(one).into_iter().map(|name| of_type(name, one))),
            named => kinds.extend(named),
        }
    }
    kinds.dedup();
    // `null` comes last.
    kinds.sort_by_key(|kind| kind == NOTHING);
    match kinds.split_last() {
        None => "any value".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

const NOTHING: &str = "null";

fn of_type(name: &str, schema: &Value) -> String {
    match name {
        "boolean" => "true or false".to_owned(),
        "integer" => match schema.get("minimum").and_then(Value::as_u64) {
            Some(least @ 1..) => format!("whole number, at least {least}"),
            _ => "whole number".to_owned(),
        },
        "number" => "number".to_owned(),
        "string" => "text".to_owned(),
        "array" => "list".to_owned(),
        "object" => "mapping".to_owned(),
        "null" => NOTHING.to_owned(),
        other => other.to_owned(),
    }
}

fn choices(schema: &Value) -> Vec<(String, String)> {
    let alternatives = alternatives(schema).into_iter();
    let choice = |one: &Value| (kind(one), paragraphs(description(one)).join(" "));
    alternatives.map(choice).filter(|(_, meaning)| !meaning.is_empty()).collect()
}

/// Formats a default as YAML.
fn yaml(value: &Value, schema: &Value) -> String {
    match value {
        // JSON cannot express infinity.
        Value::Null if types(schema) == ["number"] => ".inf".to_owned(),
        Value::String(text) if is_word(text) => text.clone(),
        other => other.to_string(),
    }
}

/// True for a word that YAML reads as the same text without quotes; false for some such texts, too.
fn is_word(text: &str) -> bool {
    const OTHERS: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "null", "y"];
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !OTHERS.contains(&text.to_lowercase().as_str())
}
