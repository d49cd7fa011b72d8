// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layers of a configuration: files over files, and the command line over all files.

use std::collections::HashMap;

use super::parse::parse_text;
use super::{Entry, Error, Key, Node, Place, Sources, Value, words};

/// Merges `over` into `base`: mappings key by key; all other values are replaced.
///
/// Keys and values keep their places. A key or mapping in both gets its place in `over`.
pub fn merge(base: Node, over: Node) -> Node {
    let place = over.place;
    let (below, above) = match (base.value, over.value) {
        (Value::Mapping(below), Value::Mapping(above)) => (below, above),
        (_, value) => return Node { value, place },
    };
    let positions: HashMap<String, usize> =
        above.iter().enumerate().map(|(position, entry)| (entry.key.text.clone(), position)).collect();
    let mut above: Vec<Option<Entry>> = above.into_iter().map(Some).collect();
    let overlaid = |mut entry: Entry| {
        if let Some(Entry { key, value }) = positions.get(&entry.key.text).and_then(|&at| above[at].take()) {
            (entry.key, entry.value) = (key, merge(entry.value, value));
        }
        entry
    };
    let mut entries: Vec<Entry> = below.into_iter().map(overlaid).collect();
    entries.extend(above.into_iter().flatten());
    let value = Value::Mapping(entries);
    Node { value, place }
}

/// Applies `key.path=value` of the command line, where `value` is YAML. Creates missing mappings on the path.
///
/// The value replaces even a mapping entirely: `algorithm.parameters={}` clears all parameters.
///
/// # Errors
/// If there is no `=`, a key is empty, the path leads through a value that is not a mapping, or the value is not valid
/// YAML.
pub fn set(tree: &mut Node, assignment: &str, sources: &mut Sources) -> Result<(), Error> {
    let source = sources.add("--set", assignment);
    let mut place = Place { source, line: 1, column: 1, length: assignment.chars().count() };
    let Some((path, text)) = assignment.split_once('=') else {
        return Err(Error::new("expected `key.path=value`, found no `=`", place));
    };
    // With spaces for the path, the value has the same column as in the argument.
    let padding = " ".repeat(path.chars().count() + 1);
    let value = parse_text(&(padding + text), source)?;
    let mut node = tree;
    let mut parents = String::new();
    for key in path.split('.') {
        place.length = key.chars().count();
        if key.is_empty() {
            return Err(Error::new("expected `key.path=value`, found an empty key", place));
        }
        let text = key.to_owned();
        node = child(node, Key { text, place }, &parents)?;
        if !parents.is_empty() {
            parents.push('.');
        }
        parents.push_str(key);
        place.column += place.length + 1;
    }
    *node = value;
    Ok(())
}

/// Sets the value at a path of keys joined by dots. Creates missing mappings on the path.
///
/// # Errors
/// If the path leads through a value that is not a mapping.
pub fn put(tree: &mut Node, path: &str, value: Node) -> Result<(), Error> {
    let place = value.place;
    let mut node = tree;
    let mut parents = String::new();
    for key in path.split('.') {
        node = child(node, Key { text: key.to_owned(), place }, &parents)?;
        if !parents.is_empty() {
            parents.push('.');
        }
        parents.push_str(key);
    }
    *node = value;
    Ok(())
}

/// Returns the value under a key of `parent`, which is created as null if it is missing.
fn child<'a>(parent: &'a mut Node, key: Key, path: &str) -> Result<&'a mut Node, Error> {
    if parent.value == Value::Null {
        parent.value = Value::Mapping(Vec::new());
    }
    let found = words::found(parent.value.unexpected());
    let Value::Mapping(entries) = &mut parent.value else {
        let message = format!("no key `{}` can be set here, because `{path}` is {found}", key.text);
        return Err(Error::new(message, key.place));
    };
    let position = entries.iter().position(|entry| entry.key.text == key.text).unwrap_or(entries.len());
    if position == entries.len() {
        let (value, place) = (Value::Null, key.place);
        let value = Node { value, place };
        entries.push(Entry { key, value });
    }
    Ok(&mut entries[position].value)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn tree(sources: &mut Sources, name: &str, text: &str) -> Node {
        let source = sources.add(name, text);
        parse(source, sources).unwrap()
    }

    fn after(text: &str, assignments: &[&str]) -> Result<String, String> {
        let mut sources = Sources::default();
        let mut tree = tree(&mut sources, "a.yaml", text);
        for assignment in assignments {
            set(&mut tree, assignment, &mut sources).map_err(|error| sources.render(&error))?;
        }
        Ok(tree.to_string())
    }

    #[test]
    fn merges_mappings_deeply_and_replaces_other_values() {
        let mut sources = Sources::default();
        let base = tree(&mut sources, "base", "a: {x: 1, y: [1, 2]}\nb: 1\nc: {z: 1}\ne: 2\n");
        let over = tree(&mut sources, "over", "d: 9\na:\n  y: [3]\n  w: 4\nc: 5\ne: {f: 6}\n");
        let (in_base, in_over) = (base.place.source, over.place.source);
        let merged = merge(base, over);
        assert_eq!(merged.to_string(), "{a: {x: 1, y: [3], w: 4}, b: 1, c: 5, e: {f: 6}, d: 9}");
        let written = |path| merged.get(path).map(|node| (node.place.source, node.place.line)).unwrap();
        assert_eq!(written("a.x"), (in_base, 1));
        assert_eq!(written("a.y"), (in_over, 3));
        assert_eq!(written("c"), (in_over, 5));
    }

    #[test]
    fn sets_any_yaml_value() {
        let text = "a: {b: 1, c: 2}\n";
        assert_eq!(after(text, &["a.b=[1, x]"]).unwrap(), "{a: {b: [1, x], c: 2}}");
        assert_eq!(after(text, &["a.b=1=2", "a.c=all"]).unwrap(), "{a: {b: 1=2, c: all}}");
        assert_eq!(after(text, &["a={d: 1.5}"]).unwrap(), "{a: {d: 1.5}}");
        assert_eq!(after(text, &["a.b="]).unwrap(), "{a: {b: null, c: 2}}");
    }

    #[test]
    fn makes_mappings_that_are_missing() {
        assert_eq!(after("a:\n", &["a.b.c=1", "a.b.d=true"]).unwrap(), "{a: {b: {c: 1, d: true}}}");
        assert_eq!(after("", &["x.y=2"]).unwrap(), "{x: {y: 2}}");
    }

    #[test]
    fn later_errors_point_into_the_argument() {
        let mut sources = Sources::default();
        let mut tree = tree(&mut sources, "a.yaml", "a: 1\n");
        set(&mut tree, "größe.b=[1, zwei]", &mut sources).unwrap();
        let Value::Sequence(items) = &tree.get("größe.b").unwrap().value else { panic!("no list") };
        assert_eq!(
            sources.render(&Error::new("no", items[1].place)),
            "--set:1:13: no\n  |\n1 | größe.b=[1, zwei]\n  |             ^^^^"
        );
        let value = tree.get("größe").unwrap();
        assert_eq!((value.place.column, value.place.length), (1, 5));
    }

    #[test]
    fn refuses_invalid_assignments() {
        let text = "algorithm: {name: GreedyLB}\n";
        assert_eq!(
            after(text, &["algorithm.name"]).unwrap_err(),
            "--set:1:1: expected `key.path=value`, found no `=`\n  |\n1 | algorithm.name\n  | ^^^^^^^^^^^^^^"
        );
        assert_eq!(
            after(text, &["algorithm..name=x"]).unwrap_err(),
            "--set:1:11: expected `key.path=value`, found an empty key\n  |\n1 | algorithm..name=x\n  |           ^"
        );
        assert_eq!(
            after(text, &["algorithm.name.max=1"]).unwrap_err(),
            "--set:1:16: no key `max` can be set here, because `algorithm.name` is the string \"GreedyLB\"\n  \
             |\n1 | algorithm.name.max=1\n  |                ^^^"
        );
        assert_eq!(
            after(text, &["algorithm.max=[1"]).unwrap_err(),
            "--set:1:15: unclosed bracket '['\n  |\n1 | algorithm.max=[1\n  |               ^"
        );
    }
}
