// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trees as YAML text, for configurations that users save to a file.

use std::fmt::Write as _;

use super::{Entry, Node, Value};

/// Spaces for each level of nested mappings.
const INDENT: usize = 2;
/// Texts, in lower case, that a reader of YAML may not take for a string unless they are quoted.
const WORDS: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "inf", "nan"];

/// Returns each key of a mapping with the YAML text of its entry: nested mappings indented, lists in brackets. All
/// texts together parse as the mapping. A value that is not a mapping has no entries.
pub fn sections(node: &Node) -> Vec<(&str, String)> {
    let Value::Mapping(entries) = &node.value else { return Vec::new() };
    let section = |entry| {
        let mut text = String::new();
        print_entry(&mut text, entry, 0);
        text
    };
    entries.iter().map(|entry| (&*entry.key.text, section(entry))).collect()
}

fn print_entry(text: &mut String, Entry { key, value }: &Entry, indent: usize) {
    let _ = write!(text, "{:indent$}{}:", "", name(&key.text));
    match &value.value {
        Value::Mapping(entries) if !entries.is_empty() => {
            text.push('\n');
            for entry in entries {
                print_entry(text, entry, indent + INDENT);
            }
        }
        _ => {
            text.push(' ');
            text.push_str(&flow(value));
            text.push('\n');
        }
    }
}

/// Formats a value in one line.
fn flow(node: &Node) -> String {
    match &node.value {
        Value::Float(number) if number.is_nan() => ".nan".to_owned(),
        Value::Float(number) if number.is_infinite() => {
            if *number > 0.0 { ".inf" } else { "-.inf" }.to_owned()
        }
        Value::String(text) => scalar(text),
        Value::Argument(text) if text.chars().all(is_plain) && !text.is_empty() => text.clone(),
        Value::Argument(text) => quoted(text),
        Value::Sequence(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Mapping(entries) => {
            let entry = |Entry { key, value }: &Entry| format!("{}: {}", name(&key.text), flow(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Float(_) => node.to_string(),
    }
}

/// Formats a string, in quotes unless YAML certainly reads it as a string without them.
fn scalar(text: &str) -> String {
    let is_path = ["/", "./", "../"].iter().any(|start| text.starts_with(start));
    let is_string = text.starts_with(|first: char| first.is_ascii_alphabetic()) || is_path;
    if is_string && text.chars().all(is_plain) && !WORDS.contains(&&*text.to_ascii_lowercase()) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Formats a key, which is a text even if it is a number without quotes.
fn name(key: &str) -> String {
    if !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.".contains(letter)) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_./-".contains(letter)
}

/// Formats a string in quotes, with the escapes of JSON, which YAML also has.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree;
    use super::*;

    fn printed(text: &str) -> String {
        sections(&tree(text).unwrap()).into_iter().map(|(_, section)| section).collect()
    }

    #[test]
    fn nested_mappings_are_indented_and_lists_are_in_brackets() {
        assert_eq!(
            printed("algorithm: {name: LPT, parameters: {}}\nx: [1, {a: b}]\nseed: 3\n"),
            "algorithm:\n  name: LPT\n  parameters: {}\nx: [1, {a: b}]\nseed: 3\n"
        );
    }

    /// The types of values survive: a quoted number remains a text, and an infinity a number.
    #[test]
    fn parsing_a_printed_tree_gives_the_tree_again() {
        for value in [
            "null",
            "true",
            "'true'",
            "12",
            "'12'",
            "1.0e-9",
            "1.0",
            ".inf",
            "-.inf",
            "'.inf'",
            "''",
            "'a: b'",
            "'#x'",
            "'- x'",
            "\"a\\nb\"",
            "'4e9'",
            "../data/x",
            "'0x10'",
            "'é'",
            "'y'",
            "'1:30'",
            "[1, 'two', [3.5]]",
            "{a: {b: 'no'}, 'c d': 1}",
            "[]",
            "{}",
            "'2024-01-01'",
            "'~'",
            "-5",
            "'%100 -3 3'",
        ] {
            let text = format!("key: {value}\nother: {{0: {value}}}\n");
            let printed = printed(&text);
            let again = tree(&printed).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(typed(&again), typed(&tree(&text).unwrap()), "{printed}");
        }
    }

    /// Returns a tree with the types of its values, without places.
    fn typed(node: &Node) -> String {
        match &node.value {
            Value::Sequence(items) => format!("{:?}", items.iter().map(typed).collect::<Vec<_>>()),
            Value::Mapping(entries) => {
                let entry = |entry: &Entry| (entry.key.text.clone(), typed(&entry.value));
                format!("{:?}", entries.iter().map(entry).collect::<Vec<_>>())
            }
            value => format!("{value:?}"),
        }
    }
}
