// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nodes of the tree.

use std::fmt;

use serde::de::Unexpected;

use super::{Error, Place};

/// Value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Place of the value. An indented mapping or list and an omitted value have the place of their key.
    pub place: Place,
}

/// YAML values.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~` or an omitted value.
    Null,
    /// `true`, `False`, `yes`, ...
    Bool(bool),
    /// Integer in the ranges of `u64` and `i64`, exact.
    Integer(i128),
    /// Number with a fraction or exponent, or integer outside these ranges.
    Float(f64),
    /// Any other or quoted scalar.
    String(String),
    /// Value of an argument `key=value`, whose meaning depends on the type to read: `1` can be a number or `true`.
    Argument(String),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in the order written. Keys are unique.
    Mapping(Vec<Entry>),
}

/// Key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// Key as written, without quotes: the integer key `0` is the text "0".
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The text.
    pub text: String,
    /// Place of the key.
    pub place: Place,
}

/// Formats the node like YAML with brackets, but without quotes or escapes. Equal values give equal texts.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = |position: usize| if position > 0 { ", " } else { "" };
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number:?}"),
            Value::String(text) | Value::Argument(text) => f.write_str(text),
            Value::Sequence(items) => {
                f.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", separator(position))?;
                }
                f.write_str("]")
            }
            Value::Mapping(entries) => {
                f.write_str("{")?;
                for (position, Entry { key, value }) in entries.iter().enumerate() {
                    write!(f, "{}{}: {value}", separator(position), key.text)?;
                }
                f.write_str("}")
            }
        }
    }
}

impl Value {
    /// Converts the value to serde's type for error messages.
    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Integer(number) => match (u64::try_from(*number), i64::try_from(*number)) {
                (Ok(number), _) => Unexpected::Unsigned(number),
                (_, Ok(number)) => Unexpected::Signed(number),
                _ => Unexpected::Other("a number"),
            },
            Value::Float(number) => Unexpected::Float(*number),
            Value::String(text) | Value::Argument(text) => Unexpected::Str(text),
            Value::Sequence(_) => Unexpected::Seq,
            Value::Mapping(_) => Unexpected::Map,
        }
    }
}

impl Node {
    /// Returns the value at a path of keys joined by dots.
    pub fn get(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, key| node.child(key))
    }

    /// Returns the value at a path of keys joined by dots, mutably.
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Node> {
        path.split('.').try_fold(self, |node, key| node.child_mut(key))
    }

    /// Removes the value at a path of keys joined by dots, with its key. Returns the value.
    pub fn take(&mut self, path: &str) -> Option<Node> {
        if let Some((key, rest)) = path.split_once('.') {
            return self.child_mut(key)?.take(rest);
        }
        let Value::Mapping(entries) = &mut self.value else {
            return None;
        };
        let position = entries.iter().position(|entry| entry.key.text == path)?;
        Some(entries.remove(position).value)
    }

    /// Removes the innermost entry or item whose key or value is at a place. Returns the keys of its path; an item has
    /// the key `[position]`. The only item of a list is removed with the list.
    pub(crate) fn remove_at(&mut self, place: Place) -> Option<Vec<String>> {
        let entries = match &mut self.value {
            Value::Sequence(items) => {
                let inside = items.iter_mut().enumerate().find_map(|(position, item)| {
                    let mut path = item.remove_at(place)?;
                    path.insert(0, format!("[{position}]"));
                    Some(path)
                });
                return inside.or_else(|| {
                    let position = items.iter().position(|item| item.place == place);
                    let position = position.filter(|_| items.len() > 1)?;
                    items.remove(position);
                    Some(vec![format!("[{position}]")])
                });
            }
            Value::Mapping(entries) => entries,
            _ => return None,
        };
        for Entry { key, value } in entries.iter_mut() {
            if let Some(mut path) = value.remove_at(place) {
                path.insert(0, key.text.clone());
                return Some(path);
            }
        }
        let position =
            entries.iter().position(|entry| entry.key.place == place || entry.value.is_at(place))?;
        Some(vec![entries.remove(position).key.text])
    }

    /// True if the value, or an item of it, is at a place.
    fn is_at(&self, place: Place) -> bool {
        let mut items = match &self.value {
            Value::Sequence(items) => items.iter(),
            _ => [].iter(),
        };
        self.place == place || items.any(|item| item.is_at(place))
    }

    /// Creates an error about the last key of a path, placed at the key if it exists.
    pub fn error_at_key(&self, path: &str, message: impl Into<String>) -> Error {
        let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
        let parent_node = if parent.is_empty() { Some(self) } else { self.get(parent) };
        let key = parent_node.and_then(|node| match &node.value {
            Value::Mapping(entries) => entries.iter().find(|entry| entry.key.text == key),
            _ => None,
        });
        let place = key.map_or_else(|| self.nearest_place(path), |entry| entry.key.place);
        Error::new(message, place).within(parent)
    }

    /// Creates an error about the value at a path, placed at the nearest existing value.
    pub fn error_at(&self, path: &str, message: impl Into<String>) -> Error {
        Error::new(message, self.nearest_place(path)).within(path)
    }

    /// Returns the place of the value at a path, or of its nearest existing ancestor. Positions in lists, from 0, count
    /// as keys.
    pub fn nearest_place(&self, path: &str) -> Place {
        let mut nearest = self;
        for key in path.split('.') {
            let Some(child) = nearest.child(key).or_else(|| nearest.item(key)) else { break };
            nearest = child;
        }
        nearest.place
    }

    fn child(&self, key: &str) -> Option<&Node> {
        let Value::Mapping(entries) = &self.value else {
            return None;
        };
        entries.iter().find(|entry| entry.key.text == key).map(|entry| &entry.value)
    }

    fn item(&self, position: &str) -> Option<&Node> {
        let Value::Sequence(items) = &self.value else {
            return None;
        };
        items.get(position.parse::<usize>().ok()?)
    }

    fn child_mut(&mut self, key: &str) -> Option<&mut Node> {
        let Value::Mapping(entries) = &mut self.value else {
            return None;
        };
        entries.iter_mut().find(|entry| entry.key.text == key).map(|entry| &mut entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;

    fn tree(text: &str) -> Node {
        tests::tree(text).unwrap()
    }

    #[test]
    fn gets_values_by_path() {
        let tree = tree("a:\n  b: {c: 3}\n  d: [x]\n");
        assert_eq!(tree.get("a.b.c").unwrap().value, Value::Integer(3));
        assert_eq!(tree.get("a.b.c").unwrap().place.column, 10);
        assert!(tree.get("a.x").is_none());
        assert!(tree.get("a.d.0").is_none());
        assert!(tree.get("a.b.c.d").is_none());
    }

    #[test]
    fn takes_a_value_out_once() {
        let mut tree = tree("a: {b: 1, c: 2}\nd: 3\n");
        assert_eq!(tree.take("a.b").unwrap().value, Value::Integer(1));
        assert!(tree.take("a.b").is_none());
        assert!(tree.take("x.y").is_none());
        assert_eq!(tree.get("a.c").unwrap().value, Value::Integer(2));
        assert_eq!(tree.take("d").unwrap().value, Value::Integer(3));
        assert!(tree.get("d").is_none());
    }

    #[test]
    fn places_an_error_at_the_nearest_value() {
        let tree = tree("a:\n  b: 1\n");
        let there = tree.error_at("a.b", "too small");
        assert_eq!((there.place.unwrap().line, there.place.unwrap().column), (2, 6));
        assert_eq!(there.to_string(), "a.b: too small");
        let missing = tree.error_at("a.c.d", "wanted");
        assert_eq!((missing.place.unwrap().line, missing.place.unwrap().column), (1, 1));
        assert_eq!(missing.to_string(), "a.c.d: wanted");
    }

    #[test]
    fn places_are_found_in_lists() {
        let tree = tree("a: [{b: 1}, {b: [20, 30]}]\n");
        let column = |path: &str| tree.nearest_place(path).column;
        assert_eq!([column("a.0.b"), column("a.1.b.1"), column("a.1.b.x"), column("a.2")], [9, 22, 17, 4]);
    }
}
