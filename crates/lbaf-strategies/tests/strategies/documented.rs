// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table in `docs/strategies.md` is generated from the registry.

use std::fs;
use std::path::PathBuf;

use lbaf_strategies::StrategyName;

const BEGIN: &str = "<!-- strategies -->\n";
const END: &str = "<!-- end of strategies -->\n";

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategies.md")
}

/// Splits a text into the part before the table, the table, and the part after the table.
fn split(text: &str) -> (&str, &str, &str) {
    let (before, rest) = text.split_once(BEGIN).expect("the page marks where the table begins");
    let (table, after) = rest.split_once(END).expect("the page marks where the table ends");
    (before, table, after)
}

#[test]
fn the_page_has_the_table_of_the_registry() {
    let text = fs::read_to_string(page()).unwrap();
    let how = "`cargo test -p lbaf-strategies write_the_table -- --ignored` updates the table of the page";
    assert_eq!(split(&text).1, StrategyName::table(), "{how}");
}

#[test]
#[ignore = "writes docs/strategies.md"]
fn write_the_table() {
    let text = fs::read_to_string(page()).unwrap();
    let (before, _, after) = split(&text);
    fs::write(page(), format!("{before}{BEGIN}{}{END}{after}", StrategyName::table())).unwrap();
}
