// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters described by their own types and comments.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of parameters under the name of their strategy, every type where it is used.
pub(crate) fn of<T: JsonSchema>(name: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut members = match schema {
        Value::Object(members) => members,
        other => return other,
    };
    // What a reader looks for first.
    let mut ordered = Map::new();
    members.insert("title".to_owned(), name.into());
    for key in ["$schema", "title", "description"] {
        ordered.extend(members.remove(key).map(|value| (key.to_owned(), value)));
    }
    ordered.extend(members);
    Value::Object(ordered)
}
