// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is on a page.

use serde::Serialize;

use crate::length::length;
use crate::{PageError, Phase, Quantity, document};

/// One run, or several to compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// The version of lbaf that makes the page.
    pub lbaf: String,
    /// The runs; the first is shown first.
    pub runs: Vec<Run>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Run {
    /// What it is called beside others.
    pub name: String,
    /// What it was told and what it read.
    pub facts: Vec<Fact>,
    /// What the numbers mean.
    pub sentences: Vec<String>,
    /// What the strategy says.
    pub notes: Vec<String>,
    /// What is odd.
    pub warnings: Vec<String>,
    /// What of it is not in the page, or how much; and what to do about it.
    pub left_out: Vec<String>,
    /// Number of ranks.
    pub n_ranks: usize,
    /// What ranks have, in the order in which phases have them.
    pub quantities: Vec<Quantity>,
    /// The phases, ascending.
    pub phases: Vec<Phase>,
}

/// Something that the heading says of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub label: String,
    /// What it is.
    pub value: String,
    /// Settings below it: names and values.
    pub settings: Vec<(String, String)>,
}

impl Run {
    /// How many bytes it takes in the page.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn size(&self) -> Result<usize, PageError> {
        length(self)
    }
}

impl Page {
    /// The page as a document: all of it, in UTF-8.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn to_html(&self) -> Result<String, PageError> {
        document::html(self)
    }

    /// How many bytes the document takes beside the data.
    pub fn frame_size() -> usize {
        document::frame_size()
    }
}
