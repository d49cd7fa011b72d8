// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of results as SVG, PDF and PNG, with the size and font size of a figure in a paper.
//!
//! A [`Chart`] contains its data. It is laid out as a [`Figure`], which the library plotters draws as an [`Svg`]. PDF
//! and PNG are derived from the SVG, so all three agree. A figure can also be written as CSV and LaTeX. The font is
//! part of the program and system fonts are never read: the bytes of a chart depend only on its data and [`Style`].
//!
//! ```
//! use lbaf_plot::{Chart, Format, Histogram, Series, Style};
//!
//! let chart = Histogram {
//!     series: vec![Series::before(vec![4.0, 1.0, 1.0]), Series::after(vec![2.0, 2.0, 2.0])],
//!     quantity: "load".to_owned(),
//!     unit: "s".to_owned(),
//!     title: String::new(),
//! };
//! let style = Style::default();
//! let figure = chart.figure(&style)?;
//! let pdf = figure.draw(&style)?.to_bytes(Format::Pdf, style.png_dpi)?;
//! assert!(pdf.starts_with(b"%PDF"));
//! assert!(figure.csv().starts_with("from_s,to_s,before,after\n"));
//! # Ok::<(), lbaf_plot::PlotError>(())
//! ```
//!
//! A [`Table`] compares entries by quantities, printed as LaTeX, Markdown or CSV:
//!
//! ```
//! use lbaf_plot::{Best, Cell, Entry, Layout, Quantity, Table};
//!
//! let table = Table {
//!     caption: "Two strategies.".to_owned(),
//!     label: "tab:two".to_owned(),
//!     head: "strategy".to_owned(),
//!     layout: Layout::QuantitiesAcross,
//!     entries: vec![Entry::compared("Greedy"), Entry::compared("Random")],
//!     quantities: vec![Quantity {
//!         name: "max load".to_owned(),
//!         group: String::new(),
//!         unit: "s".to_owned(),
//!         digits: 3,
//!         best: Some(Best::Least),
//!         cells: vec![Cell::Real(0.436), Cell::Real(0.845)],
//!     }],
//! };
//! assert!(table.to_markdown()?.contains("| Greedy   |       **436** |"));
//! # Ok::<(), lbaf_plot::TableError>(())
//! ```
#![forbid(unsafe_code)]

mod axis;
mod bar_axis;
mod bins;
mod canvas;
mod cells;
mod chart;
mod distribution;
mod envelope;
mod error;
mod figure;
mod font;
mod front;
mod heat_map;
mod histogram;
mod legend;
mod medians;
mod palette;
mod rank_values;
mod scale;
mod series;
mod spread;
mod stacked_bars;
mod step;
mod style;
mod svg;
mod table;
mod thinning;
mod tick;
mod time_series;
mod unit;
mod work_parts;

pub use chart::Chart;
pub use distribution::Distribution;
pub use error::PlotError;
pub use figure::Figure;
pub use font::{FAMILY as FONT_FAMILY, fitted, text_width};
pub use front::{Front, FrontPoint};
pub use heat_map::{HeatMap, Side};
pub use histogram::Histogram;
pub use medians::{MedianTimeSeries, Medians, Trusted};
pub use rank_values::{Level, LevelKind, RankOrder, RankValues};
pub use series::{Series, State};
pub use stacked_bars::StackedBars;
pub use style::{Format, Palette, Size, Style, Width};
pub use svg::Svg;
pub use table::{Best, Cell, Entry, Layout, Quantity, Role, Table, TableError, TableWidth};
pub use time_series::TimeSeries;
pub use work_parts::WorkParts;
