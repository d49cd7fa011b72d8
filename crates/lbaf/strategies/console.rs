// SPDX-License-Identifier: MIT OR Apache-2.0
//! List and descriptions of strategies for the terminal.

use lbaf_strategies::StrategyName;

use super::markdown::{paragraphs, wrapped};
use super::parameter::{Parameter, parameters};

/// Lists all strategies with their summaries.
pub(super) fn list(width: usize) -> String {
    let mut out = wrapped(
        "Values of 'algorithm.name', in upper or lower case. 'lbaf strategies NAME' describes one.",
        0,
        width,
    );
    out.push('\n');
    let named: Vec<(String, &str)> =
        StrategyName::ALL.iter().map(|&strategy| (names(strategy), strategy.summary())).collect();
    out + &columns(named.iter().map(|(name, summary)| (name.as_str(), *summary)), 2, width)
}

/// Describes a strategy and its parameters.
pub(super) fn page(strategy: StrategyName, width: usize) -> String {
    let mut out = names(strategy) + "\n";
    let schema = strategy.schema();
    let description = schema.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
    let mut text = paragraphs(description);
    text.push(
        if super::default(strategy).build().honours_bounds() {
            "Upper bounds of the work model are satisfied; a run in which they cannot be satisfied ends with exit code 5."
        } else {
            "Upper bounds of the work model are ignored; a placement that exceeds them causes a warning."
        }
        .to_owned(),
    );
    for paragraph in text {
        out.push('\n');
        out += &wrapped(&paragraph, 0, width);
    }
    let parameters = parameters(strategy);
    if parameters.is_empty() {
        return out + "\nIt has no parameters.\n";
    }
    out += "\nParameters\n";
    for parameter in &parameters {
        out.push('\n');
        out += &explained(parameter, width);
    }
    out
}

fn names(strategy: StrategyName) -> String {
    match strategy.names() {
        [name] => (*name).to_owned(),
        [name, others @ ..] => format!("{name} ({})", others.join(", ")),
        [] => String::new(),
    }
}

fn explained(parameter: &Parameter, width: usize) -> String {
    const INDENT: usize = 6;
    let Parameter { key, kind, default, is_required, meaning, choices } = parameter;
    let default = if *is_required { "required".to_owned() } else { format!("default {default}") };
    // Of more than three choices, this line states the number; the columns below list their names and meanings.
    let kind = if choices.len() > 3 { &format!("one of these {}", choices.len()) } else { kind };
    let mut out = wrapped(&format!("{key}: {kind}; {default}"), 2, width);
    for paragraph in meaning {
        out += &wrapped(paragraph, INDENT, width);
    }
    out + &columns(choices.iter().map(|(name, meaning)| (name.as_str(), meaning.as_str())), INDENT, width)
}

/// Formats names and texts in two columns, or texts below names if the second column would be too narrow.
fn columns<'a>(
    rows: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    indent: usize,
    width: usize,
) -> String {
    const LEAST: usize = 40;
    let widest = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let second = indent + widest + 2;
    let mut out = String::new();
    for (name, text) in rows {
        let name = format!("{}{name}", " ".repeat(indent));
        if second + LEAST <= width {
            let text = wrapped(text, second, width);
            out += &name;
            out += &text[name.len().min(second)..];
        } else {
            out += &[&name, "\n", &wrapped(text, indent + 4, width)].concat();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_beside_names_if_the_width_allows() {
        let rows = [("a", "one two"), ("long", "three")];
        assert_eq!(columns(rows.into_iter(), 2, 80), "  a     one two\n  long  three\n");
        assert_eq!(columns(rows.into_iter(), 2, 40), "  a\n      one two\n  long\n      three\n");
    }

    #[test]
    fn no_page_is_too_wide_or_has_markdown() {
        let words = |page: &str, width: usize, of: &str| {
            for line in page.lines() {
                assert!(line.chars().count() <= width, "{of} at {width}: {line}");
                assert_eq!(line, line.trim_end(), "{of}");
            }
            for mark in ["**", "](", "[`", "crate::"] {
                assert!(!page.contains(mark), "{of}: {mark}");
            }
        };
        for width in [80, 120] {
            words(&list(width), width, "list");
            for &strategy in StrategyName::ALL {
                let page = page(strategy, width);
                words(&page, width, strategy.name());
                assert!(!page.contains('`'), "{strategy}");
            }
        }
    }
}
