// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments in vt's notation, `key=value key=value`, as a mapping with source positions.

use crate::vt_files::{Argument, Position};

use super::{Entry, Error, Key, Node, Place, Sources, Value, words};

/// Parses a text into a mapping of keys to [`Value::Argument`]. A null value gives an empty mapping.
///
/// # Errors
/// If the value is not a text, and at the first word that is not an argument or repeats a key.
pub fn arguments(node: &Node, sources: &Sources) -> Result<Node, Error> {
    let text = match &node.value {
        Value::Null => "",
        Value::String(text) => text,
        Value::Mapping(_) => {
            let message = "expected arguments like \"min=1.0 auto=false\", found a mapping; keys with values belong \
                           under `parameters`";
            return Err(Error::new(message, node.place));
        }
        other => {
            let found = words::found(other.unexpected());
            let message = format!("expected arguments like \"min=1.0 auto=false\", found {found}");
            return Err(Error::new(message, node.place));
        }
    };
    let starts = starts(text, node.place, sources);
    let place = |position: Position, length: Option<usize>| {
        let start = starts.iter().find(|(known, _)| *known == position);
        start.map_or(node.place, |(_, place)| Place { length: length.unwrap_or(place.length), ..*place })
    };
    let list = Argument::list(text)
        .map_err(|error| Error::new(error.fault.to_string(), place(error.position, None)))?;
    let entry = |argument: Argument| {
        let (n_key, n_value) = (argument.key.chars().count(), argument.value.chars().count());
        let key = Key { text: argument.key, place: place(argument.position, Some(n_key)) };
        let value_of = |word: Place| Place { column: word.column + n_key + 1, length: n_value, ..word };
        let is_known = starts.iter().any(|(known, _)| *known == argument.position);
        let value_place = if is_known { value_of(key.place) } else { node.place };
        Entry { key, value: Node { value: Value::Argument(argument.value), place: value_place } }
    };
    Ok(Node { value: Value::Mapping(list.into_iter().map(entry).collect()), place: node.place })
}

/// Returns the position of each word in a text and its place in the source. Empty if the source has escapes, because
/// its characters then differ from those of the text.
fn starts(text: &str, place: Place, sources: &Sources) -> Vec<(Position, Place)> {
    let before = |position: &Position| (position.line, position.column) < (place.line, place.column);
    let mut written = letters(sources.text(place.source)).skip_while(|(_, at)| before(at)).peekable();
    // Skips the opening quote, or the header of a block.
    if written.next_if(|(letter, _)| matches!(letter, '|' | '>')).is_some() {
        while written.next_if(|(letter, _)| *letter != '\n').is_some() {}
    } else {
        written.next_if(|(letter, _)| matches!(letter, '"' | '\''));
    }
    let mut starts: Vec<(Position, Place)> = Vec::new();
    let mut is_inside = false;
    for (letter, position) in letters(text) {
        if letter.is_ascii_whitespace() {
            is_inside = false;
            continue;
        }
        if !is_inside {
            while written.next_if(|(letter, _)| letter.is_ascii_whitespace()).is_some() {}
        }
        match (written.next(), starts.last_mut()) {
            (Some((same, _)), Some((_, word))) if same == letter && is_inside => word.length += 1,
            (Some((same, Position { line, column })), _) if same == letter => {
                starts.push((position, Place { source: place.source, line, column, length: 1 }));
            }
            _ => return Vec::new(),
        }
        is_inside = true;
    }
    starts
}

/// Returns the characters of a text with their positions.
fn letters(text: &str) -> impl Iterator<Item = (char, Position)> {
    let mut next = Position { line: 1, column: 1 };
    text.chars().map(move |letter| {
        let position = next;
        next = match letter {
            '\n' => Position { line: next.line + 1, column: 1 },
            _ => Position { column: next.column + 1, ..next },
        };
        (letter, position)
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{from_node, parse, set};
    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, default)]
    struct Parameters {
        min: f64,
        iters: u32,
        auto: bool,
        limit: Option<i64>,
        name: String,
        transfer: Transfer,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    enum Transfer {
        #[default]
        Original,
        SwapClusters,
    }

    fn read_from(tree: &Node, sources: &Sources) -> Result<Parameters, String> {
        let node = tree.get("args").unwrap();
        let read = arguments(node, sources).and_then(|tree| from_node(&tree));
        read.map_err(|error| sources.render(&error))
    }

    /// Returns the structure read from the arguments in a file `a.yaml`, or the rendered error.
    fn read(text: &str) -> Result<Parameters, String> {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", text);
        read_from(&parse(source, &sources).unwrap(), &sources)
    }

    #[test]
    fn values_have_the_expected_types() {
        let parameters = read("args: min=1 iters=4 auto=1 limit=-3 name=1 transfer=swap_clusters").unwrap();
        let expected = Parameters {
            min: 1.0,
            iters: 4,
            auto: true,
            limit: Some(-3),
            name: "1".to_owned(),
            transfer: Transfer::SwapClusters,
        };
        assert_eq!(parameters, expected);
        for (text, value) in
            [("true", true), ("t", true), ("1", true), ("false", false), ("f", false), ("0", false)]
        {
            assert_eq!(read(&format!("args: auto={text}")).unwrap().auto, value, "{text}");
        }
        for (text, number) in
            [("1e8", 1e8), ("-.5", -0.5), ("inf", f64::INFINITY), ("-.inf", f64::NEG_INFINITY), ("7", 7.0)]
        {
            assert_eq!(read(&format!("args: min={text}")).unwrap().min, number, "{text}");
        }
        assert_eq!(read("args:").unwrap(), Parameters::default());
        assert_eq!(read("args: ''").unwrap(), Parameters::default());
    }

    /// Returns the first line of the error.
    fn refused(text: &str) -> String {
        read(text).unwrap_err().lines().next().unwrap().to_owned()
    }

    #[test]
    fn errors_point_at_the_word() {
        assert_eq!(
            read("args: \"iters=2 auto=maybe\"").unwrap_err(),
            "a.yaml:1:21: auto: expected `true` or `false`, found the string \"maybe\"\n  |\n\
             1 | args: \"iters=2 auto=maybe\"\n  |                     ^^^^^"
        );
        for (text, error) in [
            ("args: iters=x", "1:13: iters: expected a whole number, found the string \"x\""),
            (
                "args: iters=999999999999999999999",
                "1:13: iters: expected a whole number, found the number 1e21",
            ),
            ("args: 'iter=1'", "1:8: unknown key `iter`; did you mean `iters`?"),
            ("args: transfer=Swap", "1:16: transfer: unknown value `Swap`; did you mean `SwapClusters`?"),
            (
                "args: min=1 auto",
                "1:13: expected an argument `key=value`, as in `min=0.9 auto=false`, found \"auto\"",
            ),
            ("args: min=1 min=2", "1:13: the argument `min` occurs twice; keep one of them"),
            ("args: 3", "1:7: expected arguments like \"min=1.0 auto=false\", found the number 3"),
            (
                "args: {min: 3}",
                "1:7: expected arguments like \"min=1.0 auto=false\", found a mapping; keys with values belong \
                 under `parameters`",
            ),
        ] {
            assert_eq!(refused(text), format!("a.yaml:{error}"), "{text}");
        }
    }

    #[test]
    fn words_are_found_in_all_lines_and_kinds_of_text() {
        for (text, place) in [
            ("args: min=1\n  iters=x", "2:9"),
            ("args: >-  # why\n  min=1\n  ü=1 iters=x", "3:3"),
            ("args: |\n\n  min=1\n   auto=1 iters=x\n", "4:17"),
            ("args: \"min=1\n   iters=x\"", "2:10"),
            ("--- {args: 'min=1 iters=x'}", "1:25"),
            // With escapes, the error points at the whole text.
            ("args: \"min=1\\titers=x\"", "1:7"),
        ] {
            assert!(refused(text).starts_with(&format!("a.yaml:{place}: ")), "{text}: {}", refused(text));
        }
    }

    #[test]
    fn errors_point_into_the_command_line() {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", "seed: 1\n");
        let mut tree = parse(source, &sources).unwrap();
        set(&mut tree, "args=min=1 iters=x", &mut sources).unwrap();
        let error = read_from(&tree, &sources).unwrap_err();
        assert!(error.starts_with("--set:1:18: iters: "), "{error}");
    }
}
