// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of the gallery in several sizes and every format.
#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod cells;
mod documents;
mod gallery;
mod golden;
mod matrices;

use std::sync::Arc;

use gallery::{by_rank, gallery, histogram, phases, rank_values};
use lbaf_plot::{Chart, Format, Palette, PlotError, Style, Svg, Width};
use resvg::usvg::{Group, Node, Options, Rect, TextChunk, Tree, fontdb::Database};

const WIDTHS: [Width; 2] = [Width::OneColumn, Width::TwoColumn];

fn style(width: Width) -> Style {
    Style { width, ..Style::default() }
}

/// Returns the texts of a picture with their bounding boxes, in the unit of the tree.
fn texts(tree: &Tree) -> Vec<(String, Rect)> {
    fn collect(group: &Group, texts: &mut Vec<(String, Rect)>) {
        for node in group.children() {
            match node {
                Node::Group(group) => collect(group, texts),
                Node::Text(text) => {
                    let words = text.chunks().iter().map(TextChunk::text).collect();
                    let place = text.flattened().bounding_box().transform(text.abs_transform());
                    texts.push((words, place.unwrap()));
                }
                _ => {}
            }
        }
    }
    let mut texts = Vec::new();
    collect(tree.root(), &mut texts);
    texts
}

fn tree(svg: &Svg) -> Tree {
    let mut fonts = Database::new();
    fonts.load_font_data(include_bytes!("../../fonts/LiberationSans-Regular.ttf").to_vec());
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    Tree::from_str(svg.as_str(), &options).unwrap()
}

/// Returns the points of the last line or outline of a colour, in drawing units.
fn polyline(svg: &Svg, stroke: &str) -> Vec<(i32, i32)> {
    let is_line = |line: &&str| line.starts_with("<polyline") && line.contains(stroke);
    // Lines of the legend come first.
    let line = svg.as_str().lines().rfind(is_line).unwrap();
    let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    points.split_whitespace().map(point).collect()
}

const BEFORE: &str = "#E69F00";
const AFTER: &str = "#0072B2";

/// Checks that all texts are on the page and do not overlap.
fn check_texts(name: &str, svg: &Svg) {
    let tree = tree(svg);
    let page = tree.size();
    let texts = texts(&tree);
    assert!(texts.len() >= 5, "{name}: {texts:?}");
    for (i, (text, place)) in texts.iter().enumerate() {
        let inside = place.left() >= 0.0
            && place.top() >= 0.0
            && place.right() <= page.width()
            && place.bottom() <= page.height();
        assert!(inside, "{name}: `{text}` at {place:?}");
        for (other, other_place) in &texts[..i] {
            let apart = place.left() > other_place.right()
                || place.right() < other_place.left()
                || place.top() > other_place.bottom()
                || place.bottom() < other_place.top();
            assert!(apart, "{name}: `{text}` on `{other}`");
        }
    }
}

#[test]
fn keeps_all_text_on_the_page_and_apart() {
    for (name, chart) in gallery() {
        for width in WIDTHS {
            check_texts(&name, &chart.draw(&style(width)).unwrap());
        }
    }
}

#[test]
fn letters_have_the_assumed_width() {
    let svg = histogram(&[1.0], &[1.0]).draw(&Style::default()).unwrap();
    let tree = tree(&svg);
    let texts = texts(&tree);
    let before = texts.iter().find(|(text, _)| text == "before").unwrap();
    // `before` is about 7.5 mm wide: 0.085 of the width of the page.
    assert!((0.06..0.09).contains(&(before.1.width() / tree.size().width())), "{before:?}");
}

#[test]
fn prints_no_text_below_seven_points() {
    for (name, chart) in gallery() {
        let svg = chart.draw(&Style::default()).unwrap();
        for size in svg.as_str().split("font-size=\"").skip(1) {
            let size: f64 = size.split('"').next().unwrap().parse().unwrap();
            // Hundredths of a millimetre to points.
            assert!(size / 100.0 / 25.4 * 72.0 >= 7.0, "{name}: {size}");
        }
    }
}

#[test]
fn places_every_line_and_polygon_on_the_page() {
    for (name, chart) in gallery() {
        for width in WIDTHS {
            let svg = chart.draw(&style(width)).unwrap();
            let text = svg.as_str();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{}", name);
            let view_box = text.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
            let (right, bottom) = view_box.split_once(' ').unwrap();
            let (right, bottom): (i64, i64) = (right.parse().unwrap(), bottom.parse().unwrap());
            for points in text.split("points=\"").skip(1) {
                for pair in points.split('"').next().unwrap().split_whitespace() {
                    let (x, y) = pair.split_once(',').unwrap();
                    let (x, y): (i64, i64) = (x.parse().unwrap(), y.parse().unwrap());
                    assert!((0..=right).contains(&x) && (0..=bottom).contains(&y), "{pair}");
                }
            }
        }
    }
}

#[test]
fn has_its_size_in_millimetres() {
    let svg = histogram(&[1.0], &[1.0]).draw(&style(Width::TwoColumn)).unwrap();
    let root = svg.as_str().lines().next().unwrap();
    assert!(root.contains("width=\"180mm\" height=\"70mm\" viewBox=\"0 0 18000 7000\""), "{root}");
    assert_eq!(svg.as_str().matches("<svg").count(), 1);
    assert_eq!(svg.as_str().matches("</svg>").count(), 1);
}

#[test]
fn labels_axes_series_and_lines() {
    let mut chart = rank_values(&[0.004, 0.002], &[0.003, 0.003]);
    chart.title = "Loads <& more>".to_owned();
    let svg = chart.draw(&Style { has_titles: true, ..Style::default() }).unwrap();
    let words: Vec<String> = texts(&tree(&svg)).into_iter().map(|(text, _)| text).collect();
    for expected in [
        "Loads <& more>",
        "before",
        "after",
        "mean 3.000 ms",
        "lower bound 3.030 ms (largest object)",
        "load (ms)",
        "ranks in descending order of load",
        "4",
    ] {
        assert!(words.iter().any(|word| word == expected), "{expected} in {words:?}");
    }
    assert!(svg.as_str().contains("<title>Loads &lt;&amp; more&gt;</title>"));
}

#[test]
fn draws_loads_to_scale() {
    let svg = rank_values(&[2.0, 4.0], &[3.0, 3.0]).draw(&Style::default()).unwrap();
    let (before, after) = (polyline(&svg, BEFORE), polyline(&svg, AFTER));
    let heights: Vec<i32> = before.iter().map(|&(_, y)| y).collect();
    let [four, _, two, _] = heights[..] else { panic!("{before:?}") };
    assert!(four < two, "the heaviest rank comes first and highest");
    assert!((after[0].1 - i32::midpoint(four, two)).abs() <= 1, "{before:?} {after:?}");
}

#[test]
fn breaks_the_line_where_phases_are_missing() {
    let lines = |numbers: &[u64]| {
        let svg = phases(numbers, 1.0).draw(&Style::default()).unwrap();
        let is_line = |line: &&str| line.starts_with("<polyline") && line.contains(AFTER);
        // One of these lines is the sample in the legend.
        svg.as_str().lines().filter(is_line).count() - 1
    };
    assert_eq!(lines(&[0, 1, 2, 3]), 1);
    assert_eq!(lines(&[0, 5, 10, 15]), 1);
    assert_eq!(lines(&[0, 1, 2, 7, 8, 9]), 2);
    assert_eq!(lines(&[4]), 0);
}

#[test]
fn keeps_the_heaviest_of_many_ranks_and_the_file_small() {
    let mut before = vec![1.0; 100_000];
    before[54_321] = 8.0;
    let svg = rank_values(&before, &vec![1.0; 100_000]).draw(&style(Width::TwoColumn)).unwrap();
    assert!(svg.as_str().len() < 200_000, "{}", svg.as_str().len());
    let (peak, after) = (polyline(&svg, BEFORE), polyline(&svg, AFTER));
    assert_eq!(peak[0].0, after[0].0);
    let base = svg_base(&svg);
    let ratio = f64::from(base - peak[0].1) / f64::from(base - after[0].1);
    assert!((ratio - 8.0).abs() < 0.02, "{ratio}");

    let many: Vec<u64> = (0..50_000).collect();
    let svg = phases(&many, 1.0).draw(&style(Width::TwoColumn)).unwrap();
    assert!(svg.as_str().len() < 300_000, "{}", svg.as_str().len());
}

/// Returns the vertical position of the horizontal axis, from the lowest point of black lines.
fn svg_base(svg: &Svg) -> i32 {
    let axes = svg.as_str().lines().filter(|line| line.starts_with("<polyline") && line.contains("#000000"));
    let points =
        axes.flat_map(|line| line.split("points=\"").nth(1).unwrap().split('"').next().unwrap().split(' '));
    let level: Vec<i32> = points.filter_map(|pair| pair.split_once(',')?.1.parse().ok()).collect();
    let lowest = *level.iter().max().unwrap();
    // Ticks extend 0.7 mm below the axis.
    lowest - 70
}

#[test]
fn is_reproducible_byte_for_byte() {
    for (name, chart) in gallery().into_iter().filter(|(name, _)| name.contains("32 ranks")) {
        let style = Style::default();
        for format in [Format::Svg, Format::Pdf, Format::Png] {
            let bytes = || chart.draw(&style).unwrap().to_bytes(format, style.png_dpi).unwrap();
            assert_eq!(bytes(), bytes(), "{name} {format:?}");
        }
    }
}

#[test]
fn embeds_its_font_in_pdf_and_no_date() {
    let style = Style::default();
    let svg = rank_values(&[1.0, 2.0], &[1.5, 1.5]).draw(&style).unwrap();
    let pdf = svg.to_bytes(Format::Pdf, style.png_dpi).unwrap();
    let contains = |word: &str| pdf.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(pdf.starts_with(b"%PDF-"));
    assert!(contains("/FontFile2") && contains("LiberationSans"));
    assert!(!contains("Date") && !contains("/Subtype/Image"));
}

#[test]
fn has_the_pixels_of_the_resolution() {
    let chart = rank_values(&[1.0, 2.0], &[1.5, 1.5]);
    for (width, png_dpi, pixels) in [(Width::OneColumn, 300, (1039, 709)), (Width::TwoColumn, 72, (510, 198))]
    {
        let style = Style { width, png_dpi, ..Style::default() };
        let bytes = chart.draw(&style).unwrap().to_bytes(Format::Png, style.png_dpi).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let dimensions = reader.info().pixel_dims.unwrap();
        assert_eq!((reader.info().width, reader.info().height), pixels);
        // Pixels per metre.
        assert!((f64::from(dimensions.xppu) - f64::from(png_dpi) / 0.0254).abs() <= 0.5);

        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgb).unwrap();
        assert_eq!(&rgb[..3], &[255, 255, 255]);
        for color in [[230, 159, 0], [0, 114, 178]] {
            // Lines narrower than a pixel are mixed with the background.
            let is_drawn = rgb.chunks_exact(3).any(|pixel| pixel == color);
            assert!(is_drawn || png_dpi < 300, "{color:?}");
        }
    }
}

#[test]
fn refuses_impossible_resolutions() {
    let svg = rank_values(&[1.0], &[1.0]).draw(&Style::default()).unwrap();
    for png_dpi in [0, 35, 1201, u32::MAX] {
        let style = Style { png_dpi, ..Style::default() };
        let refused = svg.to_bytes(Format::Png, style.png_dpi);
        assert!(matches!(refused, Err(PlotError::Resolution { .. })), "{png_dpi}");
    }
}

#[test]
fn keeps_text_apart_in_other_sizes_too() {
    // One of three sizes for each chart, to save time.
    let sizes = [(6.0, 40.0), (10.0, 60.0), (12.0, 90.0)].into_iter().cycle();
    for ((name, chart), (font_pt, height_mm)) in gallery().into_iter().zip(sizes) {
        let style = Style { font_pt, height_mm: Some(height_mm), has_titles: true, ..Style::default() };
        check_texts(&name, &chart.draw(&style).unwrap());
    }
}

#[test]
fn grey_charts_have_no_colour() {
    let style = Style { palette: Palette::Grey, ..Style::default() };
    for (name, chart) in gallery() {
        let svg = chart.draw(&style).unwrap();
        for color in svg.as_str().split("=\"#").skip(1).map(|rest| &rest[..6]) {
            let [red, green, blue] = [&color[..2], &color[2..4], &color[4..]];
            assert!(red == green && green == blue, "{name}: {color}");
        }
    }
}

#[test]
fn every_chart_writes_its_numbers_and_its_latex() {
    for (name, chart) in gallery() {
        let figure = chart.figure(&Style::default()).unwrap();
        let csv = figure.csv();
        let n_cells = |line: &str| line.split(',').count();
        let first = csv.lines().next().unwrap();
        assert!(
            (csv.lines().count() > 1 || name.starts_with("matrix"))
                && csv.lines().all(|line| n_cells(line) == n_cells(first)),
            "{name}: {first}"
        );
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{name}");
        let latex = figure.pgfplots(&Style::default());
        assert!(
            latex.contains("\\begin{axis}") && !latex.contains("NaN") && !latex.contains("inf,"),
            "{name}"
        );
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{name}");
        assert!(latex.len() < 2_000_000, "{name}: {}", latex.len());
    }
}

#[test]
fn charts_by_number_keep_the_order_of_ranks() {
    let svg = by_rank(&[2.0, 4.0], &[3.0, 3.0]).draw(&Style::default()).unwrap();
    let heights: Vec<i32> = polyline(&svg, BEFORE).iter().map(|&(_, y)| y).collect();
    let [two, _, four, _] = heights[..] else { panic!("{heights:?}") };
    assert!(four < two);
}
