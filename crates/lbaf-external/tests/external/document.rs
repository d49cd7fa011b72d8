// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks `docs/external.md`: its tables of keys are generated from the types, and its example is the problem
//! of `examples/quartet`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use lbaf_external::{External, answer_schema, request_schema};
use lbaf_model::LoadOnly;
use lbaf_reader::{Request, locate, read};
use serde_json::Value;

use crate::made_phase::Posed;
use crate::requests::bytes;
use crate::schemas::check;

const FILE: &str = "docs/external.md";

/// A schema with the definitions that it refers to.
#[derive(Clone, Copy)]
struct Schema<'a> {
    root: &'a Value,
    value: &'a Value,
}

impl<'a> Schema<'a> {
    fn text(self, key: &str) -> &'a str {
        self.value[key].as_str().unwrap_or_default()
    }

    fn at(self, value: &'a Value) -> Self {
        Schema { value, ..self }
    }

    fn list(self, key: &str) -> Vec<Self> {
        self.value[key].as_array().into_iter().flatten().map(|value| self.at(value)).collect()
    }

    /// Returns the definition to which this schema refers, or its only alternative other than null, or else the schema
    /// itself.
    fn resolved(self) -> Self {
        if let Some(name) = self.text("$ref").strip_prefix("#/$defs/") {
            return self.at(&self.root["$defs"][name]);
        }
        let meant = self.list("anyOf").into_iter().find(|one| one.text("type") != "null");
        meant.map_or(self, Schema::resolved)
    }

    fn kind(self) -> String {
        let schema = self.resolved();
        let choices = schema.list("oneOf");
        if !choices.is_empty() {
            let names: Vec<String> =
                choices.iter().map(|choice| format!("`{}`", choice.text("const"))).collect();
            return names.join(" or ");
        }
        let name = schema.value["type"].as_str().or(schema.value["type"][0].as_str()).unwrap_or_default();
        match name {
            "boolean" => "true or false".to_owned(),
            "integer" => "whole number".to_owned(),
            "number" => name.to_owned(),
            "string" => "text".to_owned(),
            "object" => "mapping".to_owned(),
            "array" if schema.value["prefixItems"].is_array() => {
                let entries: Vec<String> = schema.list("prefixItems").into_iter().map(Schema::kind).collect();
                format!("pair of {}", entries.join(" and "))
            }
            "array" => {
                let entry = schema.at(&schema.value["items"]).kind();
                let (noun, rest) = entry.split_at(entry.find(" of").unwrap_or(entry.len()));
                format!("list of {noun}s{rest}")
            }
            other => panic!("a type without a word: {other}"),
        }
    }

    fn meaning(self) -> String {
        let choices = self.resolved().list("oneOf");
        let choices =
            choices.iter().map(|one| format!("`{}`: {}", one.text("const"), one.text("description")));
        let texts: Vec<String> =
            std::iter::once(self.text("description").to_owned()).chain(choices).collect();
        texts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Appends the table of this mapping, named `path`, and the tables of the mappings in it.
    fn tables(self, path: &str, tables: &mut String) {
        let required = self.list("required");
        let is_required = |key: &str| required.iter().any(|name| name.value == key);
        let properties: Vec<(&String, Schema<'a>)> = self.value["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, value)| (key, self.at(value)))
            .collect();
        if !path.is_empty() {
            let _ = writeln!(tables, "\n`{path}`: {}", self.meaning());
        }
        tables.push_str("\n| key | type | meaning |\n|---|---|---|\n");
        for (key, schema) in &properties {
            let optional = if is_required(key) { "" } else { ", optional" };
            let _ = writeln!(tables, "| `{key}` | {}{optional} | {} |", schema.kind(), schema.meaning());
        }
        for (key, schema) in properties {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let items = schema.at(&schema.value["items"]).resolved();
            let inner = [(path.clone(), schema.resolved()), (format!("{path}[]"), items)];
            for (path, inner) in inner {
                if inner.value["properties"].is_object() {
                    inner.tables(&path, tables);
                }
            }
        }
    }
}

fn tables(schema: &Value) -> String {
    let mut tables = String::new();
    Schema { root: schema, value: schema }.tables("", &mut tables);
    tables
}

/// Returns the problem of the only phase of `examples/quartet` as JSON, one object per line.
fn quartet() -> String {
    let stem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/quartet/data");
    let recorded = read(&locate(&stem, None).unwrap().files, &Request::default(), &|_| {}).unwrap();
    let (phase, keys) = (recorded.data.phases()[0].clone(), recorded.data.keys().to_vec());
    let problem = bytes(&Posed { phase, keys, model: Box::new(LoadOnly::default()) }, External::default());
    let problem: Value = serde_json::from_slice(&problem).unwrap();
    let member = |(key, value): (&String, &Value)| match value.as_array() {
        Some(entries) if !entries.is_empty() => {
            let entries: Vec<String> = entries.iter().map(|entry| format!("    {entry}")).collect();
            format!("  \"{key}\": [\n{}\n  ]", entries.join(",\n"))
        }
        _ => format!("  \"{key}\": {value}"),
    };
    let members: Vec<String> = problem.as_object().unwrap().iter().map(member).collect();
    format!("\n```json\n{{\n{}\n}}\n```\n", members.join(",\n"))
}

/// Returns the document with new content between the comments that contain `name`.
fn with(document: &str, name: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- {name}: generated -->\n"), format!("\n<!-- end of {name} -->"));
    let (before, rest) = document.split_once(&begin).expect("a comment at the beginning of the part");
    let (_, after) = rest.split_once(&end).expect("a comment at the end of the part");
    format!("{before}{begin}{content}{end}{after}")
}

#[test]
fn the_document_describes_problem_and_answer() {
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE)).unwrap();
    let mut expected = document;
    let parts = [
        ("example", quartet()),
        ("problem", tables(&request_schema())),
        ("answer", tables(&answer_schema())),
    ];
    for (name, content) in parts {
        expected = with(&expected, name, &content);
    }
    check(FILE, &expected);
}
