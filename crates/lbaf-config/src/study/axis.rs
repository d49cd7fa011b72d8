// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axes of a study.

use std::collections::BTreeSet;

use lbaf_study::MOST_CELLS;
use lbaf_text::line;

use super::super::layers::Layers;
use crate::ConfigError;
use crate::yaml::{self, Entry, Node, Value};

/// Dimension in which cells differ.
pub struct Axis {
    /// Name on one line, without hidden characters: a path of keys, or any name if choices have names.
    pub name: String,
    /// Role in the comparison.
    pub role: AxisRole,
    /// Last key of the path, shown before labels that are values; `None` if choices have names.
    pub key: Option<String>,
    /// Choices in the order of the file.
    pub choices: Vec<Choice>,
}

/// Role of an axis in comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisRole {
    /// Repetitions with other random numbers, over which medians are taken.
    Repetition,
    /// Ways of balancing, which compete with each other.
    Competitor,
    /// Problems to solve, the same for all competitors.
    Problem,
}

/// Choice on an axis.
pub struct Choice {
    /// Label on one line, without hidden characters, for tables, charts and messages.
    pub label: String,
    /// Change of the configuration: a further layer.
    pub change: Node,
}

/// Reads the axes. An axis is a list or range of values for the key at a path, or a mapping of named choices. A choice
/// is a mapping of changes, or a configuration file.
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
        _ => {
            return refused(
                layers,
                "expected a list of values, a range such as 0-9, or choices by name".to_owned(),
                &value,
            );
        }
    }
    if choices.is_empty() {
        return refused(layers, "the axis has no values".to_owned(), &value);
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

/// Returns a configuration with a single value at a path of keys.
fn under(path: &str, value: Node) -> Node {
    path.rsplit('.').fold(value, |value, key| {
        let place = value.place;
        let key = yaml::Key { text: key.to_owned(), place };
        Node { value: Value::Mapping(vec![Entry { key, value }]), place }
    })
}

/// Parses a range such as `0-9`; `None` for other texts and backward ranges.
fn numbers(range: &str) -> Option<std::ops::RangeInclusive<u64>> {
    let (first, last) = range.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// Returns the label of a value: its `name` if it has one, otherwise the value.
fn label(value: &Node) -> String {
    match value.get("name").map(|name| &name.value) {
        Some(Value::String(name)) => name.clone(),
        _ => match value.value {
            // Short notation: 4e9 instead of ten digits.
            Value::Float(number) if number != 0.0 && !(1e-4..1e6).contains(&number.abs()) => {
                format!("{number:e}")
            }
            Value::Float(number) => number.to_string(),
            _ => value.to_string(),
        },
    }
}

/// Keys that determine the way of balancing, with all keys below them.
const COMPETITORS: [&str; 3] = ["algorithm", "simulation.schedule", "simulation.load_model"];
/// Keys below [`COMPETITORS`] that determine the problem instead.
const PROBLEMS: [&str; 2] = ["algorithm.phase_id", "algorithm.phase_modulus"];

/// Returns the role of an axis: repetition if choices change only seeds, competitor if one changes the way of
/// balancing, otherwise problem.
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

/// Collects the paths of all values that are not mappings.
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
