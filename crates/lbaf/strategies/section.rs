// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration section of a strategy, with comments and all defaults.

use lbaf_strategies::StrategyName;

use super::markdown::wrapped;
use super::parameter::{Parameter, parameters};

/// Returns the section `algorithm` for a strategy.
pub(super) fn section(strategy: StrategyName) -> String {
    let mut out = comment(strategy.summary(), "") + &format!("algorithm:\n  name: {strategy}\n");
    let parameters = parameters(strategy);
    if parameters.is_empty() {
        return out;
    }
    out += "  parameters:\n";
    for Parameter { key, kind, default, is_required, meaning, choices } in &parameters {
        out += &meaning.iter().map(|paragraph| comment(paragraph, "    ")).collect::<String>();
        for (name, meaning) in choices {
            out += &comment(&format!("- {name}: {meaning}"), "    ");
        }
        if choices.is_empty() || *is_required {
            let required = if *is_required { "; required" } else { "" };
            out += &comment(&format!("({kind}{required})"), "    ");
        }
        out += &["    ", key, ": ", default, "\n"].concat();
    }
    out
}

/// Formats a text as indented comment lines.
fn comment(text: &str, indent: &str) -> String {
    const WIDTH: usize = 100;
    let lines = wrapped(text, 0, WIDTH - indent.len() - 2);
    lines.lines().flat_map(|line| [indent, "# ", line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lbaf_config::yaml::{Sources, from_node_with, parse};

    /// A printed section changes nothing in a configuration.
    #[test]
    fn sections_hold_the_defaults() {
        for &strategy in StrategyName::ALL {
            let mut sources = Sources::default();
            let source = sources.add("section", section(strategy));
            let mut tree = parse(source, &sources).expect("it is YAML");
            let parameters = tree.take("algorithm.parameters").unwrap_or(lbaf_config::yaml::Node {
                value: lbaf_config::yaml::Value::Null,
                place: tree.place,
            });
            let read =
                from_node_with(&parameters, strategy).unwrap_or_else(|error| panic!("{strategy}: {error}"));
            assert_eq!(read, super::super::default(strategy));
        }
    }
}
