// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs as one HTML page that needs nothing else: no network, no other file, no server.
//!
//! A [`Page`] is plain data. [`Page::to_html`] embeds them, with style, scripts and the chart library, into one
//! document whose bytes depend on them alone. Numbers of statistics stay what they are; what there is for every rank or
//! object goes into [`Column`]s, which hold seven digits and take little room.
//!
//! ```
//! use lbaf_page::Page;
//!
//! let page = Page { lbaf: "0.1.0".to_owned(), runs: Vec::new() };
//! let html = page.to_html()?;
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), lbaf_page::PageError>(())
//! ```
#![forbid(unsafe_code)]

mod assets;
mod base64;
mod column;
mod detail;
mod document;
mod error;
mod length;
mod page;
mod phase;
mod quantity;

pub use column::Column;
pub use detail::{Detail, Neighbours, Objects};
pub use error::PageError;
pub use page::{Fact, Page, Run};
pub use phase::{Bound, FrontPoint, Iteration, KnownBound, Migrations, OverBounds, Phase, RestrictedBound};
pub use quantity::{Moments, OverRanks, Quantity, Side, Unit};
