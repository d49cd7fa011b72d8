// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of pictures: positions and texts are correct, and no text is cut off.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod sample;

use std::collections::BTreeMap;

use lbaf_picture::{Attribute, Frame, Grid, Objects, Picture, PictureError, Ranges, Scene};
use lbaf_plot::{Format, text_width};
use sample::{Sample, scene};

/// Side of the page in the units of its drawing.
const PAGE: f64 = 16_933.0;

fn drawn(scene: &Scene, frame: &Frame<'_>) -> String {
    let mut ranges = Ranges::default();
    ranges.add(frame).unwrap();
    Picture::new(scene, &ranges).unwrap().draw(frame).unwrap().as_str().to_owned()
}

/// Returns the value of an attribute in a line of SVG.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} in {line}"))
}

/// Returns texts with their bounding boxes: left, top, right, bottom.
fn texts(svg: &str) -> Vec<(String, [f64; 4])> {
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    lines
        .map(|line| {
            let text = line.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
            let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            let (x, y, em) = (number(line, "x"), number(line, "y"), number(line, "font-size"));
            let width = text_width(&text, em);
            let left = match attribute(line, "text-anchor") {
                Some("middle") => x - width / 2.0,
                Some("end") => x - width,
                _ => x,
            };
            (text, [left, y - 0.73 * em, left + width, y + 0.21 * em])
        })
        .collect()
}

/// Asserts that texts are inside the page and do not overlap.
#[track_caller]
fn check_texts(svg: &str, what: &str) {
    let texts = texts(svg);
    for (i, (text, [left, top, right, bottom])) in texts.iter().enumerate() {
        assert!(
            *left >= 0.0 && *top >= 0.0 && *right <= PAGE && *bottom <= PAGE,
            "{what}: {text} is cut off"
        );
        for (other, [l, t, r, b]) in &texts[..i] {
            let apart = right <= l || r <= left || bottom <= t || b <= top;
            assert!(apart, "{what}: {text:?} and {other:?} overlap");
        }
    }
}

#[test]
fn no_text_is_cut_off_or_overlaps() {
    for axes in [
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
        [8, 4, 1],
        [32, 16, 1],
        [64, 64, 1],
        [4, 4, 4],
        [1, 60, 1],
        [300, 1, 1],
    ] {
        for per_rank in [0, 1, 12] {
            for (what, change) in sample::CHANGES {
                let mut sample = Sample::new(Grid { axes }, per_rank);
                change(&mut sample);
                let svg = drawn(&sample.scene, &sample.frame());
                check_texts(&svg, &format!("{axes:?} {per_rank} {what}"));
            }
        }
    }
}

/// Returns x, y and side of each tile in hundredths of a millimetre, from the data of paths.
fn tiles(svg: &str) -> Vec<[f64; 3]> {
    let paths = svg.lines().filter(|line| line.starts_with("<path d=\"M") && line.contains("fill=\"#"));
    let data = paths.filter_map(|line| attribute(line, "d"));
    let rectangles = data.flat_map(|data| data.split('M').skip(1).map(str::to_owned).collect::<Vec<_>>());
    rectangles
        .map(|text| {
            let parts: Vec<f64> =
                text.split([' ', 'h', 'v', 'z']).filter_map(|part| part.parse().ok()).collect();
            [parts[0], parts[1], parts[2]]
        })
        .collect()
}

#[test]
fn every_rank_has_its_own_tile_inside_the_page() {
    for axes in [[2, 2, 1], [32, 16, 1], [3, 5, 4]] {
        let sample = Sample::new(Grid { axes }, 0);
        let tiles = tiles(&drawn(&sample.scene, &sample.frame()));
        assert_eq!(tiles.len(), axes.iter().product::<u32>() as usize);
        for (i, [x, y, side]) in tiles.iter().enumerate() {
            assert!(*x >= 0.0 && *y >= 0.0 && x + side <= PAGE && y + side <= PAGE);
            let apart = |[u, v, _]: &[f64; 3]| (x - u).abs().max((y - v).abs()) >= *side;
            assert!(tiles[..i].iter().all(apart), "{axes:?}");
        }
    }
}

#[test]
fn places_without_a_rank_stay_empty() {
    let mut sample = Sample::new(Grid { axes: [2, 2, 1] }, 1);
    sample.scene.grid = Grid { axes: [3, 3, 1] };
    assert_eq!(tiles(&drawn(&sample.scene, &sample.frame())).len(), 4);
    sample.scene.grid = Grid { axes: [3, 1, 1] };
    let mut ranges = Ranges::default();
    ranges.add(&sample.frame()).unwrap();
    let refused = Picture::new(&sample.scene, &ranges).err().map(|error| error.to_string());
    assert_eq!(refused.as_deref(), Some("a grid of 3 x 1 x 1 is too small for 4 ranks"));
    assert!(matches!(Picture::new(&sample.scene, &Ranges::default()), Err(PictureError::NoFrame)));
}

/// Counts the circles, squares, hollow objects and rings above the legends.
fn marks(svg: &str) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let legend = svg.lines().position(|line| line.contains(">Inter-object volume<")).unwrap();
    for line in svg.lines().take(legend).filter(|line| line.contains("stroke=\"#323232\"")) {
        let shape = if line.starts_with("<circle") { "circle" } else { "square" };
        *counts.entry(shape).or_insert(0) += 1;
        if line.contains("fill-opacity") {
            *counts.entry("hollow").or_insert(0) += 1;
        }
    }
    let rings = svg
        .lines()
        .take(legend)
        .filter(|line| line.contains("fill=\"none\" stroke=\"#000000\" stroke-width"));
    counts.insert("ring", rings.filter(|line| line.starts_with("<circle")).count());
    counts
}

#[test]
fn shapes_show_the_kinds_of_objects() {
    let mut sample = Sample::new(Grid { axes: [2, 2, 1] }, 5);
    sample.objects.migratable[3] = false;
    sample.objects.anomalous = (0..20).map(|object| object == 7 || object == 8).collect();
    sample.object_qoi[11] = f64::NAN;
    let svg = drawn(&sample.scene, &sample.frame());
    assert_eq!(marks(&svg), BTreeMap::from([("circle", 19), ("hollow", 1), ("ring", 2), ("square", 1)]));
    for word in ["migratable", "non-migratable", "anomaly", "none"] {
        assert!(texts(&svg).iter().any(|(text, _)| text == word), "{word}");
    }
    let plain = drawn(
        &Sample::new(Grid { axes: [2, 2, 1] }, 5).scene,
        &Sample::new(Grid { axes: [2, 2, 1] }, 5).frame(),
    );
    assert!(
        !plain.contains("migratable") && !plain.contains(">none<"),
        "unused shapes are not in the legend"
    );
}

#[test]
fn area_is_proportional_to_load() {
    let mut sample = Sample::new(Grid { axes: [1, 1, 1] }, 2);
    sample.objects.load = vec![4.0, 1.0];
    let svg = drawn(&sample.scene, &sample.frame());
    let radii: Vec<f64> =
        svg.lines().filter(|line| line.starts_with("<circle")).map(|line| number(line, "r")).collect();
    // The larger object comes first, then the smaller one, then both sizes in the legend.
    assert_eq!(radii, [450.0, 225.0, 450.0, 225.0]);
}

#[test]
fn the_caption_states_aggregated_details() {
    let caption = |axes, per_rank| {
        let sample = Sample::new(Grid { axes }, per_rank);
        let texts = texts(&drawn(&sample.scene, &sample.frame()));
        texts.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
    };
    assert!(!caption([2, 2, 1], 5).contains("drawn"));
    assert!(caption([4, 4, 1], 100).contains("Lines connect ranks whose objects communicate"));
    let strips = caption([40, 40, 1], 10);
    assert!(strips.contains("Objects are too small to be drawn one by one"), "{strips}");
    assert!(strips.contains("longest: 10") && strips.contains("Rank 0 is at the lower left"), "{strips}");
    assert!(caption([300, 1, 1], 4).contains("Objects and lines are not drawn"));
}

#[test]
fn frames_share_their_legends() {
    let grid = Grid { axes: [2, 2, 1] };
    let (first, mut second) = (Sample::new(grid, 3), Sample::new(grid, 3));
    second.rank_qoi[0] = 1000.0;
    second.objects.load[0] = 50.0;
    let mut ranges = Ranges::default();
    for sample in [&first, &second] {
        ranges.add(&sample.frame()).unwrap();
    }
    let picture = Picture::new(&first.scene, &ranges).unwrap();
    for sample in [&first, &second] {
        let svg = picture.draw(&sample.frame()).unwrap();
        let texts = texts(svg.as_str());
        assert!(texts.iter().any(|(text, _)| text == "1000"), "{texts:?}");
        assert!(texts.iter().any(|(text, _)| text == "50 s"), "{texts:?}");
    }
}

#[test]
fn pictures_are_reproducible_and_convert_to_pdf_and_png() {
    let sample = Sample::new(Grid { axes: [3, 2, 1] }, 4);
    let (first, second) = (drawn(&sample.scene, &sample.frame()), drawn(&sample.scene, &sample.frame()));
    assert_eq!(first, second);
    let other = Scene { seed: 1, ..sample.scene.clone() };
    assert_ne!(drawn(&other, &sample.frame()), first, "the seed moves objects");
    let mut ranges = Ranges::default();
    ranges.add(&sample.frame()).unwrap();
    let svg = Picture::new(&sample.scene, &ranges).unwrap().draw(&sample.frame()).unwrap();
    assert!(svg.to_bytes(Format::Pdf, 300).unwrap().starts_with(b"%PDF"));
    let png = svg.to_bytes(Format::Png, 300).unwrap();
    // The header contains width and height.
    assert_eq!(png[16..24], [0, 0, 7, 208, 0, 0, 7, 208], "2000 x 2000");
}

/// `LBAF_BLESS=1` rewrites `tests/golden/small.svg`; inspect the result.
#[test]
fn a_small_picture_is_unchanged() {
    let mut sample = Sample::new(Grid { axes: [2, 1, 1] }, 3);
    sample.objects.migratable[0] = false;
    let svg = drawn(&sample.scene, &sample.frame());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/small.svg");
    if std::env::var_os("LBAF_BLESS").is_some() {
        std::fs::write(path, &svg).unwrap();
    }
    assert_eq!(svg, std::fs::read_to_string(path).unwrap());
}

#[test]
fn special_characters_in_names_are_kept() {
    let mut sample = Sample::new(Grid { axes: [2, 1, 1] }, 2);
    sample.scene = scene(sample.scene.grid, "a<b & \"c\"_d", &"long ".repeat(60));
    sample.objects.attributes = vec![Attribute { name: "x<y".to_owned(), values: vec![1.0; 4] }];
    let frame = sample.frame();
    let svg = drawn(&sample.scene, &frame);
    check_texts(&svg, "odd names");
    assert!(texts(&svg).iter().any(|(text, _)| text == "Rank a<b & \"c\" d (s)"));
    let mesh = lbaf_picture::object_mesh(&sample.scene, &frame).unwrap();
    assert!(String::from_utf8(mesh).unwrap().contains("Name=\"x&lt;y\""));
    assert!(Objects::default().is_empty());
}
