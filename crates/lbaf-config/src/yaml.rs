// SPDX-License-Identifier: MIT OR Apache-2.0
//! YAML trees with source positions: every key and value records where it was written.
//!
//! A configuration is layered from files and `--set key.path=value` arguments before it is read into structures, and
//! later errors must still point to the text of a value. The steps are [`Sources::add`] and [`parse()`] for each file,
//! [`merge`] from left to right, [`set`] for each argument, [`from_node`] for the structures, and [`Sources::render`]
//! for errors.

mod arguments;
mod error;
mod node;
mod overlay;
mod parse;
mod place;
mod print;
mod raw;
mod read;
mod source;
mod words;

pub use arguments::arguments;
pub use error::Error;
pub use node::{Entry, Key, Node, Value};
pub use overlay::{merge, put, set};
pub use parse::parse;
pub use place::{Place, SourceId};
pub use print::sections;
pub(crate) use read::from_name;
pub use read::{from_node, from_node_with};
pub use source::Sources;
pub use words::{alike, instead, meant};

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    /// Returns the tree of a file `a.yaml`, or the rendered error.
    pub(super) fn tree(text: &str) -> Result<Node, String> {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", text);
        parse(source, &sources).map_err(|error| sources.render(&error))
    }

    /// Returns the structure read from a file `a.yaml`, or the rendered error.
    pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", text);
        let read = parse(source, &sources).and_then(|tree| from_node(&tree));
        read.map_err(|error| sources.render(&error))
    }

    /// Checks cases "text => line:column: path: message", each the first line of an error.
    pub(super) fn assert_refused<T: DeserializeOwned + std::fmt::Debug>(cases: &[&str]) {
        for case in cases {
            let (text, message) = case.split_once(" => ").unwrap();
            let shown = read::<T>(text).unwrap_err();
            assert_eq!(shown.lines().next(), Some(format!("a.yaml:{message}").as_str()));
        }
    }

    #[test]
    fn later_files_and_arguments_take_precedence_and_errors_point_to_them() {
        #[derive(Debug, serde::Deserialize)]
        struct Limits {
            low: u8,
            high: u8,
        }
        let mut sources = Sources::default();
        let base = sources.add("base.yaml", "limits: {low: 1, high: 2}\n");
        let over = sources.add("over.yaml", "limits:\n  high: 300\n");
        let mut tree = merge(parse(base, &sources).unwrap(), parse(over, &sources).unwrap());
        let error = from_node::<Limits>(tree.get("limits").unwrap()).unwrap_err().within("limits");
        let shown = sources.render(&error);
        assert!(shown.starts_with("over.yaml:2:9: limits.high: expected a whole number"), "{shown}");
        set(&mut tree, "limits.high=3", &mut sources).unwrap();
        let limits: Limits = from_node(&tree.take("limits").unwrap()).unwrap();
        assert_eq!((limits.low, limits.high), (1, 3));
        assert!(tree.get("limits").is_none());
    }
}
