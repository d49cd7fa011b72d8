// SPDX-License-Identifier: MIT OR Apache-2.0
//! The axes of a study: what can be chosen, and what each choice changes.

use std::collections::BTreeSet;

use lbaf_study::MOST_CELLS;
use lbaf_text::line;

use super::super::layers::Layers;
use crate::ConfigError;
use crate::yaml::{self, Entry, Node, Value};

/// Something that differs between cells.
pub struct Axis {
    /// On one line, without hidden characters: a path of keys, or a name where choices say themselves what they change.
    pub name: String,
    /// Its part in the comparison.
    pub role: AxisRole,
    /// What stands before a label that says nothing by itself: the key whose value it is; nothing if choices have names.
    pub key: Option<String>,
    /// The choices, in the order of the file.
    pub choices: Vec<Choice>,
}

/// What an axis is to those who compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisRole {
    /// The same again with other random numbers: medians are over these.
    Repetition,
    /// How it is balanced: these compete.
    Competitor,
    /// What is balanced: a problem for all of them.
    Problem,
}

/// A value on an axis.
pub struct Choice {
    /// On one line, without hidden characters: it is in tables, charts and messages.
    pub label: String,
    /// What it changes, as a configuration on top of others.
    pub change: Node,
}

/// The axes that were written. Each is a list of values under a path of keys, or choices by name, each a configuration or the
/// file of one.
pub(super) fn axes(written: Node, layers: &mut Layers) -> Result<Vec<Axis>, ConfigError> {
    let Value::Mapping(entries) = written.value else {
        let message = "expected axes by name, each with a list of values or with choices by name";
        return Err(layers.error(&yaml::Error::new(message, written.place).within("axes")));
    };
    entries.into_iter().map(|entry| axis(entry, layers)).collect()
}

fn axis(Entry { key, value }: Entry, layers: &mut Layers) -> Result<Axis, ConfigError> {
    let path = format!("axes.{}", key.text);
    let refused = |layers: &Layers, message: String, node: &Node| {
        Err(layers.error(&yaml::Error::new(message, node.place).within(&path)))
    };
    let mut choices = Vec::new();
    match &value.value {
        Value::Sequence(values) => {
            for value in values {
                choices.push(Choice {
                    label: line(&label(value)).into_owned(),
                    change: under(&key.text, value.clone()),
                });
            }
        }
        Value::String(range) => {
            let Some(numbers) = numbers(range) else {
                let message = format!("expected a list of values, or a range such as 0-9, found {range:?}");
                return refused(layers, message, &value);
            };
            if numbers.end() - numbers.start() >= MOST_CELLS as u64 {
                let message = format!("{range:?} has more values than a study may have cells ({MOST_CELLS})");
                return refused(layers, message, &value);
            }
            for number in numbers {
                let value = Node { value: Value::Integer(number.into()), place: value.place };
                choices.push(Choice { label: number.to_string(), change: under(&key.text, value) });
            }
        }
        Value::Mapping(named) => {
            for Entry { key, value } in named {
                let change = match &value.value {
                    Value::Mapping(_) => value.clone(),
                    Value::String(file) => layers.read_over(file, value)?,
                    _ => {
                        let message =
                            format!("`{}`: expected a mapping of changes, or a configuration file", key.text);
                        return refused(layers, message, value);
                    }
                };
                choices.push(Choice { label: line(&key.text).into_owned(), change });
            }
        }
        _ => return refused(layers, "expected a list of values, or choices by name".to_owned(), &value),
    }
    if choices.is_empty() {
        return refused(layers, "no values to choose from".to_owned(), &value);
    }
    let mut labels = BTreeSet::new();
    if let Some(choice) = choices.iter().find(|choice| !labels.insert(&choice.label)) {
        let message = format!(
            "two values have the label {}; give them names: `{}: {{name: {{..}}, other: {{..}}}}`",
            choice.label, key.text
        );
        return refused(layers, message, &value);
    }
    let role = role(&choices);
    let is_key = !matches!(value.value, Value::Mapping(_));
    let last = key.text.rsplit('.').next().filter(|_| is_key).map(|key| line(key).into_owned());
    Ok(Axis { name: line(&key.text).into_owned(), role, key: last, choices })
}

/// A value at a path of keys, as a configuration.
fn under(path: &str, value: Node) -> Node {
    path.rsplit('.').fold(value, |value, key| {
        let place = value.place;
        let key = yaml::Key { text: key.to_owned(), place };
        Node { value: Value::Mapping(vec![Entry { key, value }]), place }
    })
}

/// `0-9` as its numbers.
fn numbers(range: &str) -> Option<std::ops::RangeInclusive<u64>> {
    let (first, last) = range.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// What a value is called: its name if it has one, else itself.
fn label(value: &Node) -> String {
    match value.get("name").map(|name| &name.value) {
        Some(Value::String(name)) => name.clone(),
        _ => match value.value {
            // As people write them: 4e9, not ten digits.
            Value::Float(number) if number != 0.0 && !(1e-4..1e6).contains(&number.abs()) => {
                format!("{number:e}")
            }
            Value::Float(number) => number.to_string(),
            _ => value.to_string(),
        },
    }
}

/// Keys that say how it is balanced.
const COMPETITORS: [&str; 3] = ["algorithm", "simulation.schedule", "simulation.load_model"];
/// Keys among them that say what is balanced.
const PROBLEMS: [&str; 2] = ["algorithm.phase_id", "algorithm.phase_modulus"];

/// An axis that changes nothing but seeds repeats; one that changes how it is balanced, whatever else, has competitors.
fn role(choices: &[Choice]) -> AxisRole {
    let mut paths = Vec::new();
    for choice in choices {
        leaves(&choice.change, "", &mut paths);
    }
    let is_below = |path: &str, key: &str| {
        path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let competes =
        |path: &String| COMPETITORS.iter().any(|key| is_below(path, key)) && !PROBLEMS.contains(&&**path);
    let is_seed = |path: &String| path.rsplit('.').next() == Some("seed");
    if paths.iter().all(is_seed) {
        AxisRole::Repetition
    } else if paths.iter().any(competes) {
        AxisRole::Competitor
    } else {
        AxisRole::Problem
    }
}

/// The paths of all that is no mapping.
fn leaves(node: &Node, path: &str, paths: &mut Vec<String>) {
    match &node.value {
        Value::Mapping(entries) if !entries.is_empty() => {
            for Entry { key, value } in entries {
                let path = if path.is_empty() { key.text.clone() } else { format!("{path}.{}", key.text) };
                leaves(value, &path, paths);
            }
        }
        _ => paths.push(path.to_owned()),
    }
}
