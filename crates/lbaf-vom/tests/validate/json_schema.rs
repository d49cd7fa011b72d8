// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed JSON Schemas are up to date, reject unknown keys, and contain the rules of entities.

use std::path::Path;

use lbaf_vom::{DocumentType, json_schema};
use serde_json::{Value, json};

fn schema(document: DocumentType) -> Value {
    serde_json::from_str(&json_schema(document)).expect("a schema is JSON")
}

#[test]
fn committed_files_are_as_generated() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    for (document, name) in [
        (DocumentType::LbDatafile, "lb_datafile.schema.json"),
        (DocumentType::LbStatsfile, "lb_statsfile.schema.json"),
    ] {
        let committed = std::fs::read_to_string(directory.join(name)).unwrap_or_default();
        let again = format!("lbaf validate --print-schema {document} > schemas/{name}");
        assert!(committed == json_schema(document), "schemas/{name} is out of date: {again}");
    }
}

/// Every reference is defined. Every object with `properties` requires only some of these and rejects other keys.
#[test]
fn schemas_are_closed() {
    for document in DocumentType::ALL {
        let schema = schema(document);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let mut values = vec![&schema];
        let (mut n_references, mut n_objects) = (0, 0);
        while let Some(value) = values.pop() {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                n_references += 1;
                let target = reference.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
                assert!(target.is_some_and(Value::is_object), "{reference}");
            }
            if value["type"] == "object" && value.get("properties").is_some() {
                n_objects += 1;
                assert_eq!(value["additionalProperties"], false);
                for key in value["required"].as_array().expect("a list") {
                    assert!(value["properties"].get(key.as_str().expect("a key")).is_some(), "{key}");
                }
            }
            match value {
                Value::Array(values_inside) => values.extend(values_inside),
                Value::Object(members) => values.extend(members.values()),
                _ => {}
            }
        }
        let expected = if document == DocumentType::LbDatafile { (15, 12) } else { (12, 5) };
        assert_eq!((n_references, n_objects), expected, "{document}");
    }
}

/// The rules of entities in JSON Schema.
#[test]
fn rules_of_entities_become_conditions() {
    let schema = schema(DocumentType::LbDatafile);
    let either = json!({"anyOf": [{"required": ["id"]}, {"required": ["seq_id"]}]});
    let collection = json!({
        "if": {"properties": {"migratable": {"const": true}}, "required": ["migratable", "seq_id"]},
        "then": {"required": ["collection_id"]},
    });
    for name in ["entity", "endpoint"] {
        assert_eq!(schema["$defs"][name]["allOf"], json!([either, collection]));
    }
    assert_eq!(schema["$defs"]["task"]["required"], json!(["entity", "node", "resource", "time"]));
    assert_eq!(schema["properties"]["type"], json!({"enum": ["LBDatafile"]}));
    assert_eq!(schema["required"], json!(["phases"]));
}
