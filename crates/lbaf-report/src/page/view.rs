// SPDX-License-Identifier: MIT OR Apache-2.0
//! Content of a page as plain data: runs, phases, quantities of ranks, objects.

mod detail;
mod length;
mod packed;
mod pairs;
mod phase;
mod quantity;

use serde::Serialize;

pub use self::detail::{LargestObjects, Neighbours, RankDetails};
use self::length::length;
pub use self::packed::PackedNumbers;
pub use self::pairs::{PairMigrations, PairVolumes, RankPairs};
pub use self::phase::{
    BoundView, FrontPointView, IterationView, KnownBoundView, MigrationTotals, OverBounds, PhaseView,
    RestrictedBoundView,
};
pub use self::quantity::{MomentsView, OverRanks, QuantityLabel, QuantityUnit, RankDistribution};
use super::document;
use crate::error::PageError;

/// Content of a page: one run, or several runs to compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// Version of lbaf that created the page.
    pub lbaf: String,
    /// The runs; the page initially shows the first.
    pub runs: Vec<RunView>,
}

/// View of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunView {
    /// Name that distinguishes it from other runs.
    pub name: String,
    /// Settings and data of the run.
    pub facts: Vec<Fact>,
    /// Sentences on the results.
    pub sentences: Vec<String>,
    /// Notes.
    pub notes: Vec<String>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Sentences on data missing from the page, and on the remedy.
    pub left_out: Vec<String>,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Quantities of ranks, in the order of [`PhaseView::quantities`].
    pub quantities: Vec<QuantityLabel>,
    /// The phases, ascending.
    pub phases: Vec<PhaseView>,
}

/// An entry among the settings in the heading of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Label of the entry.
    pub label: String,
    /// Value of the entry.
    pub value: String,
    /// Settings below the entry: names and values.
    pub settings: Vec<(String, String)>,
}

impl RunView {
    /// Returns the size of the run in the page, in bytes.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn size(&self) -> Result<usize, PageError> {
        length(self)
    }
}

impl Page {
    /// Returns the complete HTML document, in UTF-8.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn to_html(&self) -> Result<String, PageError> {
        let names: Vec<&str> = self.runs.iter().map(|run| run.name.as_str()).collect();
        Ok(document::html(&names.join(" | "), &serde_json::to_string(self)?))
    }

    /// Returns the approximate size of the document without the data, in bytes.
    pub fn frame_size() -> usize {
        document::frame_size()
    }
}

#[cfg(test)]
mod tests {
    use super::super::assets::ECHARTS;
    use super::*;

    fn page(text: &str) -> Page {
        let run = RunView {
            name: text.to_owned(),
            facts: vec![Fact { label: text.to_owned(), value: text.to_owned(), settings: Vec::new() }],
            sentences: vec![text.to_owned()],
            n_ranks: 1,
            ..RunView::default()
        };
        Page { lbaf: "0".to_owned(), runs: vec![run] }
    }

    /// Returns the content of the data element.
    fn data(html: &str) -> serde_json::Value {
        let (_, rest) = html.split_once(r#"<script type="application/json" id="data">"#).unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn no_text_breaks_out_of_the_page() {
        let plain = page("a").to_html().unwrap();
        for bad in
            ["</script><script>alert(1)</script>", "<!--<script>", "{{script}}", "]]>", "\u{2028}\"\\&amp;"]
        {
            let html = page(bad).to_html().unwrap();
            for tag in ["<script", "</script", "<!--", "-->"] {
                assert_eq!(html.matches(tag).count(), plain.matches(tag).count(), "{tag} in {bad}");
            }
            assert_eq!(data(&html)["runs"][0]["sentences"][0], bad);
        }
    }

    #[test]
    fn the_title_is_text() {
        let html = page("<b>&").to_html().unwrap();
        assert!(html.contains("<title>&lt;b&gt;&amp; "), "{}", &html[..200]);
    }

    #[test]
    fn the_same_data_are_the_same_bytes() {
        assert_eq!(page("a").to_html().unwrap(), page("a").to_html().unwrap());
    }

    #[test]
    fn no_external_source_is_loaded() {
        // The code of the chart library contains external addresses, but the page never uses this code.
        let html = page("a").to_html().unwrap().replace(ECHARTS, "");
        for source in ["<link", "<script src", "@import", "url(http", "<iframe", "<img"] {
            assert!(!html.contains(source), "{source}");
        }
    }

    #[test]
    fn the_frame_is_most_of_an_empty_page() {
        let html = page("a").to_html().unwrap();
        assert!(
            (html.len() - 2000..html.len()).contains(&Page::frame_size()),
            "{} of {}",
            Page::frame_size(),
            html.len()
        );
    }
}
