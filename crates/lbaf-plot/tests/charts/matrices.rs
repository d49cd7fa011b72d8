// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices of ranks: squares with ticks and a legend, and cells that are visible on paper.

use lbaf_plot::{Chart, Style, Svg, Width};

use crate::gallery::matrix;
use crate::{check_texts, style, texts, tree};

/// Numbers of ranks, and of ranks in a group.
const SIZES: [(usize, usize); 5] = [(2, 1), (32, 1), (256, 1), (1000, 8), (4096, 32)];

/// Returns the corners of the frame around the cells, in hundredths of a millimetre. Its upper and right side are the
/// only line with three points.
fn frame(svg: &Svg) -> [(i32, i32); 3] {
    let lines =
        svg.as_str().lines().filter_map(|line| line.strip_prefix("<polyline")?.split("points=\"").nth(1));
    let points = |line: &str| -> Vec<(i32, i32)> {
        let pairs = line.split('"').next().unwrap().split_whitespace();
        pairs
            .map(|pair| pair.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect()
    };
    lines.map(points).find(|points| points.len() == 3).unwrap().try_into().unwrap()
}

fn styles() -> [Style; 4] {
    let two = style(Width::TwoColumn);
    [
        style(Width::OneColumn),
        Style { height_mm: Some(60.0), ..two.clone() },
        Style { font_pt: 12.0, ..style(Width::OneColumn) },
        two,
    ]
}

#[test]
fn cells_form_a_square_in_every_width() {
    for (n_ranks, size) in SIZES {
        for style in styles() {
            let svg = matrix(n_ranks, size, 3e7).draw(&style).unwrap();
            let [left_top, right_top, right_bottom] = frame(&svg);
            let (width, height) = (right_top.0 - left_top.0, right_bottom.1 - right_top.1);
            assert!(width.abs_diff(height) <= 2, "{n_ranks} {style:?}: {width} x {height}");
            // The square takes more than half of the shorter side of the page.
            let page = svg.as_str().split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
            let (wide, high) = page.split_once(' ').unwrap();
            let narrow = wide.parse::<i32>().unwrap().min(high.parse().unwrap());
            assert!(2 * width > narrow, "{n_ranks} {style:?}");
        }
    }
}

/// The label of the vertical axis is the only rotated text.
#[test]
fn the_label_of_the_vertical_axis_is_beside_the_square() {
    for style in styles() {
        let svg = matrix(256, 1, 3e7).draw(&style).unwrap();
        let turned = svg.as_str().split("rotate(270, ").nth(1).unwrap();
        let label: i32 = turned.split(',').next().unwrap().parse().unwrap();
        let distance = frame(&svg)[0].0 - label;
        assert!((300..1500).contains(&distance), "{style:?}: {distance} hundredths of a millimetre");
    }
}

#[test]
fn matrices_have_ticks_and_a_legend_in_every_width() {
    for (n_ranks, size) in SIZES {
        for style in styles() {
            let svg = matrix(n_ranks, size, 3e7).draw(&style).unwrap();
            check_texts(&format!("{n_ranks} ranks"), &svg);
            let texts: Vec<String> = texts(&tree(&svg)).into_iter().map(|(text, _)| text).collect();
            let n_ticks = texts.iter().filter(|text| text.trim().parse::<u32>().is_ok()).count();
            assert!(n_ticks >= 4, "{n_ranks}: {texts:?}");
            assert!(texts.iter().any(|text| text.starts_with("volume")), "{texts:?}");
        }
    }
}

/// A pixel of a screen is 0.26 mm, and a dot of a printer 0.04 mm.
#[test]
fn cells_are_visible_on_paper() {
    for (n_ranks, size) in SIZES {
        let svg = matrix(n_ranks, size, 3e7).draw(&Style::default()).unwrap();
        let [left_top, right_top, _] = frame(&svg);
        let cell = f64::from(right_top.0 - left_top.0) / 100.0 / n_ranks.div_ceil(size) as f64;
        assert!(cell > 0.25, "{n_ranks}: {cell} mm");
    }
}
