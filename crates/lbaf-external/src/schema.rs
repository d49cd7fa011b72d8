// SPDX-License-Identifier: MIT OR Apache-2.0
//! Request and answer as JSON Schema.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::answer::Answer;
use crate::request::Request;

/// The JSON Schema (draft 2020-12) of the problem that a command gets on standard input.
pub fn request_schema() -> Value {
    of::<Request<'_>>(SchemaSettings::draft2020_12().for_serialize())
}

/// The JSON Schema (draft 2020-12) of the answer that a command prints on standard output.
pub fn answer_schema() -> Value {
    of::<Answer>(SchemaSettings::draft2020_12().for_deserialize())
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
