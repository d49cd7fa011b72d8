// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of anomaly detection in configurations and commands.

use lbaf_noise::{Algorithm, Copod, Detector, Grouping, Guards, Hbos, Labelling, Mad, Order, Sstd};
use serde_json::{Value, json};

use super::error::Keyed;
use super::raw::denoise::Denoise;
pub use super::raw::denoise::{DenoiseSettings, DetectorName, ModelName};

/// Largest number of bins; more take memory without further information.
const MOST_BINS: usize = 100_000;

impl Denoise {
    /// Returns the labelling, if the section requests one.
    pub(super) fn labelling(&self) -> Keyed<Option<Labelling>> {
        self.0.map(|settings| settings.labelling()).transpose()
    }
}

impl DenoiseSettings {
    /// Returns the labelling that the settings describe.
    ///
    /// # Errors
    /// If a setting is invalid: its key and the reason.
    pub fn labelling(&self) -> Keyed<Labelling> {
        let number = |key: &str, given: Option<f64>, default: f64| match given.unwrap_or(default) {
            number if number >= 0.0 && number.is_finite() => Ok(number),
            number => Err((key.to_owned(), format!("expected a non-negative number, not {number}"))),
        };
        let threshold = |default: f64| number("threshold", self.threshold, default);
        let share = |default: f64| match threshold(default)? {
            share if share <= 1.0 => Ok(share),
            more => Err((
                "threshold".to_owned(),
                format!("expected a fraction of the range of scores, at most 1, not {more}"),
            )),
        };
        let max_bins = match self.max_bins.unwrap_or(Hbos::default().max_bins) {
            bins if (2..=MOST_BINS).contains(&bins) => bins,
            bins => {
                return Err(("max_bins".to_owned(), format!("expected 2 to {MOST_BINS} bins, not {bins}")));
            }
        };
        let algorithm = match self.detector {
            DetectorName::Mad => Algorithm::Mad(Mad { threshold: threshold(Mad::default().threshold)? }),
            DetectorName::Sstd => Algorithm::Sstd(Sstd { sigma: threshold(Sstd::default().sigma)? }),
            DetectorName::Hbos => {
                let default = Hbos::default();
                Algorithm::Hbos(Hbos { threshold: share(default.threshold)?, max_bins, ..default })
            }
            DetectorName::Copod => Algorithm::Copod(Copod { threshold: share(Copod::default().threshold)? }),
        };
        let default = Guards::default();
        let guards = Guards {
            min_samples: self.min_samples.unwrap_or(default.min_samples),
            min_severity: number("min_severity", self.min_severity, default.min_severity)?,
            min_relative: number("min_relative", self.min_relative, default.min_relative)?,
        };
        Ok(Labelling {
            detector: Detector { algorithm, guards },
            grouping: match self.model {
                ModelName::Object => Grouping::Object,
                ModelName::Collection => Grouping::Collection,
                ModelName::CollectionIndex => Grouping::CollectionIndex,
            },
            order: if self.online { Order::Online } else { Order::Batch },
            n_skipped: self.skip_first,
            as_measured: false,
        })
    }
}

/// Returns the settings as JSON, with the keys of the configuration.
pub fn labelling_in_json(labelling: &Labelling) -> Value {
    let Labelling { detector, grouping, order, n_skipped, as_measured: _ } = labelling;
    let (threshold, max_bins) = match &detector.algorithm {
        Algorithm::Mad(mad) => (mad.threshold, None),
        Algorithm::Sstd(sstd) => (sstd.sigma, None),
        Algorithm::Hbos(hbos) => (hbos.threshold, Some(hbos.max_bins)),
        Algorithm::Copod(copod) => (copod.threshold, None),
    };
    let mut written = json!({
        "detector": detector.algorithm.name(),
        "threshold": threshold,
        "model": grouping.name(),
        "online": *order == Order::Online,
        "skip_first": n_skipped,
        "min_samples": detector.guards.min_samples,
        "min_severity": detector.guards.min_severity,
        "min_relative": detector.guards.min_relative,
    });
    if let Some(max_bins) = max_bins {
        written["max_bins"] = max_bins.into();
    }
    written
}
