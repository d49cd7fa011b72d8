// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws the charts of the tests into a directory for visual inspection: `cargo run -p lbaf-plot --example
//! gallery -- DIR [NAME]`. With `NAME`, only charts with this text in their names are drawn.
#![allow(clippy::unwrap_used, reason = "a development tool")]

#[path = "../tests/charts/gallery.rs"]
mod gallery;

use std::path::PathBuf;

use lbaf_plot::{Format, Style, Width};

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap());
    let wanted = std::env::args().nth(2).unwrap_or_default();
    std::fs::create_dir_all(&folder).unwrap();
    for (name, chart) in gallery::gallery().into_iter().filter(|(name, _)| name.contains(&wanted)) {
        for width in [Width::OneColumn, Width::TwoColumn] {
            let style = Style { width, png_dpi: 150, has_titles: true, ..Style::default() };
            let svg = chart.draw(&style).unwrap();
            let file = format!("{}_{}.png", name.replace([' ', ','], "_"), width.name());
            std::fs::write(folder.join(file), svg.to_bytes(Format::Png, style.png_dpi).unwrap()).unwrap();
        }
    }
}
