// SPDX-License-Identifier: MIT OR Apache-2.0
//! False alarms on clean samples and detection of a single anomaly, for each detector: the table of
//! `docs/anomalies.md`.

use std::fmt::Write as _;

use lbaf_noise::{Algorithm, Copod, Detector, Guards, Hbos, Judgement, Label, Model, Sstd};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

/// Samples in a batch, and number of batches. By default, fewer than five samples are not judged.
const BATCHES: [(usize, usize); 5] = [(5, 20_000), (10, 10_000), (50, 2000), (500, 400), (10_000, 40)];

/// Detectors: the median absolute deviation with and without default guards, then the columns of [`MEASURED`].
const COLUMNS: [&str; 9] = [
    "mad",
    "mad, no guards",
    "sstd, sigma 3",
    "sstd, sigma 6",
    "sstd, sigma 12",
    "hbos, 200 bins",
    "hbos, 20 bins",
    "hbos, 10 bins",
    "copod",
];

/// Percentages of clean samples that Chimbuko flags, for batches of at least ten samples. They were measured outside
/// this project, on other samples.
const MEASURED: [[f64; 7]; 4] = [
    [0.0, 0.0, 0.0, 96.0, 64.0, 42.0, 35.0],
    [0.2, 0.0, 0.0, 73.0, 10.0, 4.0, 7.0],
    [0.1, 0.0, 0.0, 7.0, 0.7, 0.9, 0.7],
    [0.3, 0.0, 0.0, 0.2, 0.0, 0.1, 0.0],
];

/// Result of a detector for batches of one size.
struct Cell {
    flagged_percent: f64,
    /// Fraction of batches in which the one anomaly was found.
    caught: f64,
}

fn detectors() -> [Detector; COLUMNS.len()] {
    let plain = |algorithm| Detector { algorithm, guards: Guards::NONE };
    let hbos = |max_bins| plain(Algorithm::Hbos(Hbos { max_bins, ..Hbos::default() }));
    let sstd = |sigma| plain(Algorithm::Sstd(Sstd { sigma }));
    let copod = plain(Algorithm::Copod(Copod::default()));
    let mad = plain(Algorithm::default());
    [Detector::default(), mad, sstd(3.0), sstd(6.0), sstd(12.0), hbos(200), hbos(20), hbos(10), copod]
}

/// Draws normally distributed samples with mean 1 and standard deviation 5 %; the same for each detector.
fn batches(n_samples: usize, n_batches: usize) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(n_samples as u64);
    let normal = Normal::new(1.0, 0.05).expect("a distribution");
    (0..n_batches).map(|_| normal.sample_iter(&mut rng).take(n_samples).collect()).collect()
}

fn outliers(detector: &Detector, values: &[f64], judgements: &mut Vec<Judgement>) -> usize {
    let mut model = Model::new(detector);
    model.learn(values);
    model.judge(values, judgements);
    judgements.iter().filter(|judgement| judgement.label == Label::Outlier).count()
}

fn cell(detector: &Detector, mut batches: Vec<Vec<f64>>) -> Cell {
    let (n_batches, n_samples) = (batches.len(), batches.iter().map(Vec::len).sum::<usize>());
    let (mut n_flagged, mut n_caught) = (0, 0);
    let mut judgements = Vec::new();
    for batch in &mut batches {
        n_flagged += outliers(detector, batch, &mut judgements);
        // One sample is 20 standard deviations above the mean.
        batch[0] = 2.0;
        outliers(detector, batch, &mut judgements);
        n_caught += usize::from(judgements[0].label == Label::Outlier);
    }
    Cell {
        flagged_percent: 100.0 * n_flagged as f64 / n_samples as f64,
        caught: n_caught as f64 / n_batches as f64,
    }
}

fn table() -> Vec<(usize, Vec<Cell>)> {
    BATCHES
        .into_iter()
        .map(|(n_samples, n_batches)| {
            let batches = batches(n_samples, n_batches);
            let cells = detectors().iter().map(|detector| cell(detector, batches.clone())).collect();
            (n_samples, cells)
        })
        .collect()
}

fn text(table: &[(usize, Vec<Cell>)]) -> String {
    let mut text = format!("| samples | {} |\n|--|{}\n", COLUMNS.join(" | "), "--|".repeat(COLUMNS.len()));
    for (n_samples, cells) in table {
        write!(text, "| {n_samples} |").expect("memory");
        for Cell { flagged_percent, caught } in cells {
            let caught = match *caught {
                0.0 => "no".to_owned(),
                1.0 => "yes".to_owned(),
                part => format!("{:.1} %", 100.0 * part),
            };
            write!(text, " {flagged_percent:.2} %, {caught} |").expect("memory");
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_documentation_has_the_rates_of_the_detectors() {
    let table = table();
    for ((n_samples, cells), measured) in table[1..].iter().zip(MEASURED) {
        for (name, cell) in COLUMNS.iter().zip(&cells[..2]) {
            assert!(cell.flagged_percent < 0.5, "{name} flags {} % of {n_samples}", cell.flagged_percent);
            assert!(cell.caught == 1.0, "{name} misses anomalies among {n_samples}");
        }
        for ((name, cell), measured) in COLUMNS.iter().zip(cells).skip(2).zip(measured) {
            let (ours, slack) = (cell.flagged_percent, 0.3 + 0.1 * measured);
            assert!(
                (ours - measured).abs() < slack,
                "{name} flags {ours} % of {n_samples}, not {measured} %"
            );
        }
    }
    let text = text(&table);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/anomalies.md");
    let page = std::fs::read_to_string(path).expect("a page");
    let (_, rest) = page.split_once("<!-- table of detectors -->\n").expect("a beginning of the table");
    let (found, _) = rest.split_once("<!-- end -->").expect("an end of the table");
    assert_eq!(found, text, "docs/anomalies.md should have this table:\n{text}");
}
