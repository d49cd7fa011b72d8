// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of results as SVG, PDF and PNG, at the size and with the text of a figure in a paper.
//!
//! A [`Chart`] is its data. It is drawn once, as an [`Svg`], with plotters; PDF and PNG are derived from that same picture, so
//! that the three cannot differ. The font is part of the program and fonts of the system are never read: the bytes of a
//! chart depend on its data and its [`Style`] alone.
//!
//! ```
//! use lbaf_plot::{Chart, Format, RankLoads, Style};
//!
//! let chart = RankLoads {
//!     before: vec![4.0, 1.0, 1.0],
//!     after: vec![2.0, 2.0, 2.0],
//!     mean: 2.0,
//!     bound: 2.0,
//!     bound_name: String::new(),
//!     quantity: "load".to_owned(),
//!     unit: "s".to_owned(),
//!     title: String::new(),
//! };
//! let style = Style::default();
//! let pdf = chart.draw(&style)?.to_bytes(Format::Pdf, style.png_dpi)?;
//! assert!(pdf.starts_with(b"%PDF"));
//! # Ok::<(), lbaf_plot::PlotError>(())
//! ```
#![forbid(unsafe_code)]

mod axis;
mod bins;
mod canvas;
mod chart;
mod error;
mod font;
mod frame;
mod imbalance_per_phase;
mod legend;
mod load_histogram;
mod palette;
mod pdf;
mod plot;
mod png;
mod rank_loads;
mod scale;
mod step;
mod style;
mod svg;
mod thinning;
mod tick;
mod unit;

pub use chart::Chart;
pub use error::PlotError;
pub use font::{FAMILY as FONT_FAMILY, fitted, text_width};
pub use imbalance_per_phase::{ImbalancePerPhase, PhaseImbalance};
pub use load_histogram::LoadHistogram;
pub use rank_loads::RankLoads;
pub use style::{Format, Style, Width};
pub use svg::{Size, Svg};
