// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures, CSV and LaTeX of selected charts, compared byte for byte with golden files. `LBAF_BLESS=1 cargo test
//! -p lbaf-plot` rewrites the golden files; inspect the result.

use std::path::Path;

use lbaf_plot::Style;

use crate::gallery::gallery;

/// Names of charts of the gallery, and names of their golden files.
const GOLDEN: [(&str, &str); 11] = [
    ("rank values, 32 ranks", "rank_values"),
    ("by rank, 32 ranks", "by_rank"),
    ("memory, 12 ranks", "memory"),
    ("histogram, 64 ranks", "histogram"),
    ("distribution, 64 ranks", "distribution"),
    ("work parts, 12 ranks", "work_parts"),
    ("course, 4 phases from 0, scale 1e-1", "course"),
    ("course of 3 runs", "course_of_runs"),
    ("heat map, 4 phases from 0, scale 1e-1", "heat_map"),
    ("matrix, 32 ranks by 1", "matrix"),
    ("piles, scale 1e0", "piles"),
];

#[test]
fn pictures_equal_the_inspected_ones() {
    let gallery = gallery();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (chart, file) in GOLDEN {
        let (_, chart) = gallery.iter().find(|(name, _)| name == chart).unwrap();
        let figure = chart.figure(&Style::default()).unwrap();
        let svg = figure.draw(&Style::default()).unwrap().as_str().to_owned();
        for (extension, text) in
            [("svg", svg), ("csv", figure.csv()), ("tex", figure.pgfplots(&Style::default()))]
        {
            let path = folder.join(format!("{file}.{extension}"));
            if std::env::var_os("LBAF_BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let golden = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(text == golden, "{} differs from the picture, CSV or LaTeX of the chart", path.display());
        }
    }
}
