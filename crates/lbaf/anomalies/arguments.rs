// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf anomalies`, and options of anomaly detection.

use std::path::PathBuf;

use clap::Args;
use lbaf_config::{DenoiseSettings, DetectorName, ModelName};
use lbaf_noise::Labelling;

use crate::arguments::{CommonArgs, DataArgs, JsonArg, StemArg};
use crate::error::Error;

#[derive(Debug, Args)]
pub(crate) struct AnomaliesArgs {
    #[command(flatten)]
    pub(crate) data_set: StemArg,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) labelling: LabellingArgs,
    /// A rank is slow if objects take more than 1 + SHARE times as long there as the same objects take on the median
    /// rank, and chance does not explain the difference. Requires objects that migrated.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) slowdown: f64,
    /// Number of sockets of a node. A node is slow if the number of its slow ranks reaches the number of ranks of one
    /// socket.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) sockets_per_node: u16,
    /// If more than this share of the tasks of a rank in a phase are anomalies, and they are at least two, the rank is
    /// the cause, not the tasks.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub(crate) together: f64,
    /// Number of the worst anomalies, objects, ranks and phases to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) worst: usize,
    /// Write the names of slow nodes into a file, one per line, to exclude them from the next run.
    #[arg(long, value_name = "FILE")]
    pub(crate) exclude_hosts: Option<PathBuf>,
    /// Write all results into a directory: JSON, tables and charts.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Replace the file of `--exclude-hosts` if it exists.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_form: JsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Options of anomaly detection.
#[derive(Clone, Debug, Args)]
pub(crate) struct LabellingArgs {
    /// Detector: `mad` (median and median absolute deviation), or `sstd`, `hbos` or `copod` of Chimbuko.
    #[arg(long, value_name = "NAME", default_value = "mad")]
    detector: Name,
    /// Threshold of anomalies: robust standard deviations from the median (`mad`, default 6), standard deviations from
    /// the mean (`sstd`, default 6), or a share of the range of scores (`hbos` and `copod`, default 0.99).
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Maximum number of bins in the histograms of `hbos`. Default: 200.
    #[arg(long, value_name = "N")]
    max_bins: Option<usize>,
    /// Unit with its own model of times: each object, each collection, or each index of each collection.
    #[arg(long, value_name = "UNIT", default_value = "object")]
    model: Model,
    /// Learn and judge phase by phase, as during a run of the application. Default: learn from all phases, then
    /// judge.
    #[arg(long)]
    online: bool,
    /// Leave out the first N times of each object, because first calls take longer. They are neither anomalies nor
    /// part of the typical time.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip_first: usize,
    /// Minimum number of times of an object; objects with fewer times are not judged. Default: 5.
    #[arg(long, value_name = "N")]
    min_samples: Option<u64>,
    /// Minimum time of an anomaly in microseconds. Default: 0.
    #[arg(long, value_name = "US", allow_negative_numbers = true)]
    min_severity: Option<f64>,
    /// Minimum deviation of an anomaly from the median, as a share of the median. Default: 0.1.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_relative: Option<f64>,
}

/// Detectors by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    /// Median and median absolute deviation.
    Mad,
    /// Mean and standard deviation.
    Sstd,
    /// Histogram.
    Hbos,
    /// Empirical copula.
    Copod,
}

/// Groupings by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Model {
    /// Each object.
    Object,
    /// Each collection.
    Collection,
    /// Each index of each collection.
    CollectionIndex,
}

impl LabellingArgs {
    /// Returns the labelling that the options select.
    pub(crate) fn labelling(&self) -> Result<Labelling, Error> {
        let settings = DenoiseSettings {
            detector: match self.detector {
                Name::Mad => DetectorName::Mad,
                Name::Sstd => DetectorName::Sstd,
                Name::Hbos => DetectorName::Hbos,
                Name::Copod => DetectorName::Copod,
            },
            threshold: self.threshold,
            max_bins: self.max_bins,
            model: match self.model {
                Model::Object => ModelName::Object,
                Model::Collection => ModelName::Collection,
                Model::CollectionIndex => ModelName::CollectionIndex,
            },
            online: self.online,
            skip_first: self.skip_first,
            min_samples: self.min_samples,
            min_severity: self.min_severity,
            min_relative: self.min_relative,
        };
        settings
            .labelling()
            .map_err(|(key, message)| Error::Usage(format!("--{}: {message}", key.replace('_', "-"))))
    }
}

/// Parses a non-negative number.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a non-negative number".to_owned()),
    }
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = positive(text).ok().filter(|&share| share <= 1.0);
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
