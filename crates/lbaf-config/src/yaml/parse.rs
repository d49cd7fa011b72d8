// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parser of YAML texts.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::granit_parser::{Scanner, StrInput, TokenType};
use serde_saphyr::{Budget, Location, MessageFormatter, NonFiniteFloatPolicy, Spanned, UserMessageFormatter};

use super::raw::Raw;
use super::{Entry, Error, Key, Node, Place, SourceId, Sources, Value, words};

/// Parses a source into a mapping, which is empty for an empty text.
///
/// # Errors
/// At the first invalid YAML or duplicate key, and if the top level is not a mapping.
pub fn parse(source: SourceId, sources: &Sources) -> Result<Node, Error> {
    let mut root = parse_text(sources.text(source), source)?;
    match root.value {
        Value::Mapping(_) => {}
        Value::Null => root.value = Value::Mapping(Vec::new()),
        other => {
            let message = format!("expected keys and values, found {}", words::found(other.unexpected()));
            return Err(Error::new(message, root.place));
        }
    }
    Ok(root)
}

/// Parses a text with the lines and columns of `source`.
pub(super) fn parse_text(text: &str, source: SourceId) -> Result<Node, Error> {
    let options = serde_saphyr::options! {
        budget: Some(budget()),
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options)
        .map_err(|error| syntax_error(&error, text, source))
        .and_then(|raw| located(raw, source))
}

/// Returns the limits on a text. The number of values is unlimited, because lists of objects may be long. The limit on
/// depth protects the stacks of threads. The library's limits on aliases also apply.
fn budget() -> Budget {
    let limits = serde_saphyr::budget! {
        max_events: usize::MAX,
        max_nodes: usize::MAX,
        max_depth: 32,
        max_recorded_anchor_events: 200_000,
    };
    limits.unwrap_or_default()
}

fn located(raw: Spanned<Raw>, source: SourceId) -> Result<Node, Error> {
    let value = match raw.value {
        Raw::Scalar(value) => value,
        Raw::Sequence(items) => {
            Value::Sequence(items.into_iter().map(|item| located(item, source)).collect::<Result<_, _>>()?)
        }
        Raw::Mapping(entries) => {
            // The library distinguishes `0` from `'0'`, which are the same key here.
            let mut seen = HashSet::new();
            if let Some((key, _)) = entries.iter().find(|(key, _)| !seen.insert(key.value.as_str())) {
                return Err(Error::new(duplicate(&key.value), place(key.defined, source)));
            }
            Value::Mapping(
                entries.into_iter().map(|entry| located_entry(entry, source)).collect::<Result<_, _>>()?,
            )
        }
    };
    Ok(Node { value, place: place(raw.defined, source) })
}

fn located_entry((key, raw): (Spanned<String>, Spanned<Raw>), source: SourceId) -> Result<Entry, Error> {
    let mut value = located(raw, source)?;
    let key = Key { text: key.value, place: place(key.defined, source) };
    // Indented collections and omitted values have no text of their own.
    if value.place.length == 0 {
        value.place = key.place;
    }
    Ok(Entry { key, value })
}

fn place(location: Location, source: SourceId) -> Place {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Place {
        source,
        line: number(location.line()).max(1),
        column: number(location.column()).max(1),
        length: number(location.span().len()),
    }
}

fn syntax_error(error: &serde_saphyr::Error, text: &str, source: SourceId) -> Error {
    use serde_saphyr::Error as Cause;
    let place = error.location().map(|location| place(location, source));
    let mut message = match error {
        Cause::AliasError { error, .. } => syntax_error(error, text, source).message,
        Cause::DuplicateMappingKey { key: Some(key), .. } => duplicate(key),
        Cause::MultipleDocuments { .. } => "more than one YAML document; keep one per file".to_owned(),
        Cause::UnknownAnchor { .. } => "no such anchor; quote a text that starts with `*`".to_owned(),
        Cause::Budget { breach, .. } => too_large(breach),
        // Values of any type are accepted, so only a key can have the wrong type.
        Cause::Unexpected { .. } | Cause::NullIntoString { .. } => {
            "a key must be a word or a number".to_owned()
        }
        other => UserMessageFormatter.format_message(other).into_owned(),
    };
    // In configurations, only windows of phases begin with `%`.
    if message.ends_with("`%'") {
        message += "; quote a text that starts with `%`";
    }
    // The parser often fails in a later line than that of the open bracket.
    if let (Some(place), Some((bracket, line))) = (place, open_bracket(text))
        && line < place.line
    {
        let _ = write!(message, "; is the `{bracket}` in line {line} closed?");
    }
    let path = String::new();
    Error { message, place, path }
}

/// Returns the message about an exceeded limit.
fn too_large(breach: &BudgetBreach) -> String {
    let budget = budget();
    let (things, limit) = match breach {
        BudgetBreach::Depth { .. } => {
            return format!("values are nested too deeply; at most {} levels are allowed", budget.max_depth);
        }
        BudgetBreach::Aliases { .. } => ("aliases", budget.max_aliases),
        BudgetBreach::Anchors { .. } => ("anchors", budget.max_anchors),
        BudgetBreach::MergeKeys { .. } => ("merge keys `<<`", budget.max_merge_keys),
        BudgetBreach::AliasAnchorRatio { .. } => {
            ("aliases for each anchor", budget.alias_anchor_ratio_multiplier)
        }
        BudgetBreach::RecordedAnchorEvents { .. } => {
            ("values in anchors, including repeated ones", budget.max_recorded_anchor_events)
        }
        BudgetBreach::RecordedAnchorBytes { .. } => {
            ("bytes in anchors, including repeated ones", budget.max_recorded_anchor_bytes)
        }
        BudgetBreach::ScalarBytes { .. } => {
            ("bytes of texts, including repeated ones", budget.max_total_scalar_bytes)
        }
        other => return format!("a limit of the YAML parser is exceeded: {other:?}"),
    };
    format!("the YAML text exceeds the limit of {limit} {things}")
}

fn duplicate(key: &str) -> String {
    format!("duplicate key `{key}`")
}

/// Returns the innermost bracket that is open where the text stops being valid YAML, and its line.
fn open_bracket(text: &str) -> Option<(char, usize)> {
    let mut open = Vec::new();
    for token in Scanner::new(StrInput::new(text)).map_while(Result::ok) {
        match token.token_type() {
            TokenType::FlowSequenceStart => open.push(('[', token.span().start.line())),
            TokenType::FlowMappingStart => open.push(('{', token.span().start.line())),
            TokenType::FlowSequenceEnd | TokenType::FlowMappingEnd => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree;
    use super::*;

    fn rendered(text: &str) -> String {
        tree(text).unwrap_err()
    }

    fn root(text: &str) -> Node {
        tree(text).unwrap()
    }

    /// Parses `text` as the only value of a mapping.
    fn value(text: &str) -> Value {
        root(&format!("a: {text}\n")).take("a").unwrap().value
    }

    fn position(node: &Node, path: &str) -> (usize, usize, usize) {
        let place = node.get(path).unwrap().place;
        (place.line, place.column, place.length)
    }

    #[test]
    fn reads_all_notations_of_numbers() {
        for (text, number) in [
            ("1.0e-08", 1e-8),
            ("8.0e+9", 8e9),
            ("8e9", 8e9),
            ("1e-07", 1e-7),
            ("-.5", -0.5),
            (".inf", f64::INFINITY),
        ] {
            assert_eq!(value(text), Value::Float(number), "{text}");
        }
        assert_eq!(value("18446744073709551615"), Value::Integer(i128::from(u64::MAX)));
        assert_eq!(value("-9223372036854775808"), Value::Integer(i128::from(i64::MIN)));
        assert!(matches!(value(".nan"), Value::Float(number) if number.is_nan()));
    }

    #[test]
    fn reads_words_as_yaml_does() {
        assert_eq!(value("False"), Value::Bool(false));
        assert_eq!(value("yes"), Value::Bool(true));
        assert_eq!(value(""), Value::Null);
        assert_eq!(value("~"), Value::Null);
        for (text, string) in
            [("0-10", "0-10"), ("'1'", "1"), ("\"true\"", "true"), ("all", "all"), ("''", "")]
        {
            assert_eq!(value(text), Value::String(string.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_empty_text_is_an_empty_mapping() {
        for text in ["", "# nothing\n", "---\n"] {
            assert_eq!(root(text).value, Value::Mapping(Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn keeps_places() {
        let root = root("a:\n  b: word\n  c:\nd: {0: 3, x: [1,\n 22]}\n");
        assert_eq!(position(&root, "a"), (1, 1, 1), "an indented mapping has the place of its key");
        assert_eq!(position(&root, "a.b"), (2, 6, 4));
        assert_eq!(position(&root, "a.c"), (3, 3, 1), "an omitted value has the place of its key");
        assert_eq!(position(&root, "d"), (4, 4, 1));
        assert_eq!(position(&root, "d.0"), (4, 8, 1));
        let Value::Sequence(items) = &root.get("d.x").unwrap().value else { panic!("no list") };
        assert_eq!((items[1].place.line, items[1].place.column, items[1].place.length), (5, 2, 2));
    }

    #[test]
    fn values_of_anchors_stand_where_they_are_defined() {
        let root = root("base: &b {x: 1, y: abc}\nuse:\n  <<: *b\n  x: 2\nagain: *b\n");
        assert_eq!(position(&root, "use.x"), (4, 6, 1));
        assert_eq!(position(&root, "use.y"), (1, 20, 3));
        assert_eq!(position(&root, "again.y"), (1, 20, 3));
    }

    #[test]
    fn refuses_a_key_given_twice() {
        assert_eq!(
            rendered("seed: 1\na:\n  beta: 1\n  beta: 2\n"),
            "a.yaml:4:3: duplicate key `beta`\n  |\n4 |   beta: 2\n  |   ^^^^"
        );
        assert_eq!(
            rendered("{0: 1, '0': 2}"),
            "a.yaml:1:8: duplicate key `0`\n  |\n1 | {0: 1, '0': 2}\n  |        ^^^"
        );
    }

    #[test]
    fn points_back_to_an_open_bracket() {
        assert_eq!(
            rendered("a: [1, 2\nbeta: 3\n"),
            "a.yaml:2:5: illegal placement of ':' indicator; is the `[` in line 1 closed?\n  \
             |\n2 | beta: 3\n  |     ^"
        );
        assert_eq!(
            rendered("a: {b: [1, 2]\n"),
            "a.yaml:1:4: unclosed bracket '{'\n  |\n1 | a: {b: [1, 2]\n  |    ^"
        );
        assert!(!rendered("a: [1,\n2]\nb: @\n").contains("closed"));
    }

    #[test]
    fn explains_invalid_yaml() {
        for (text, start) in [
            ("a:\n\tb: 1\n", "a.yaml:2:2: tabs disallowed"),
            ("a: b: c\n", "a.yaml:1:5: mapping values are not allowed"),
            ("a: 1\n---\nb: 2\n", "a.yaml:3:1: more than one YAML document"),
            ("a: *.yaml\n", "a.yaml:1:4: no such anchor"),
            ("a: %5 -1 1\n", "a.yaml:1:4: unexpected character: `%'; quote a text that starts with `%`\n"),
            ("just words\n", "a.yaml:1:1: expected keys and values, found the string \"just words\""),
            ("? [1, 2]\n: 3\n", "a.yaml:1:3: a key must be a word or a number"),
            ("~: 3\n", "a.yaml:1:1: a key must be a word or a number"),
        ] {
            assert!(rendered(text).starts_with(start), "{}", rendered(text));
        }
    }

    #[test]
    fn messages_name_the_exceeded_limit() {
        let doubled = |n: usize| format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1);
        let bomb: String = (1..40).map(doubled).collect();
        let said = rendered(&format!("a0: &a0 [x, y]\n{bomb}"));
        assert!(
            said.contains("exceeds the limit of 200000 values in anchors, including repeated ones"),
            "{said}"
        );
        let many = rendered(&format!("a: &a 1\nb: [{}]\n", "*a, ".repeat(200)));
        assert!(many.contains("exceeds the limit of 10 aliases for each anchor"), "{many}");
        let deep: String = (0..200).flat_map(|depth| [" ".repeat(depth), "a:\n".to_owned()]).collect();
        assert!(rendered(&deep).contains(": values are nested too deeply"), "{}", rendered(&deep));
    }

    #[test]
    fn refuses_nesting_that_would_exhaust_the_stack() {
        assert!(rendered(&"[".repeat(100_000)).starts_with("a.yaml:1:"));
    }
}
