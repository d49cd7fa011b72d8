// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf compare`: a study of strategies on one data set, without a study file.

use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_config::StudyConfig;
use lbaf_run::study::Study;
use lbaf_strategies::{Cancel, StrategyName};
use serde_json::json;

use crate::arguments::{CommonArgs, OutputDirArg};
use crate::direct;
use crate::error::Error;
use crate::progress::Messages;
use crate::study::{Done, conclude};

/// Name that stands for all strategies that need only data, except `BruteForce` and `Milp`.
const ALL: &str = "all";

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Data to balance: the path of the files up to the rank, or a directory with one data set.
    #[arg(long, value_name = "STEM")]
    data: PathBuf,
    /// Strategies to compare, separated by commas. `all` stands for every strategy that needs only data, except
    /// `BruteForce` and `Milp`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = ALL)]
    strategies: Vec<String>,
    /// Seeds of strategies that draw random numbers, for example `0-4`. The tables show medians over seeds.
    #[arg(long, value_name = "SEEDS", default_value = "0-4")]
    seeds: String,
    /// Phases to read and balance, for example `3`, `0-10`, `0-3,7` or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    phases: String,
    /// Seconds after which a strategy is stopped and counts as failed.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time_limit: f64,
    /// Set a key of the configuration, for example `--set work_model.name=CCM`.
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Results are written to `lbaf-output/<stem>-comparison` by default, and a repeated comparison computes only
    /// missing cells.
    #[command(flatten)]
    output: OutputDirArg,
    /// Print `study.json` instead of tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Computes missing cells and writes the comparison.
pub(crate) fn compare(args: &CompareArgs, messages: Messages, cancel: &Cancel) -> Result<Done, Error> {
    let data = direct::utf8(&args.data)?;
    // An axis is a list or a range.
    let seeds = args.seeds.parse::<u64>().map_or_else(|_| json!(args.seeds), |seed| json!([seed]));
    let axes = json!({ "algorithm.name": names(&args.strategies)?, "seed": seeds });
    let text = json!({ "axes": axes, "time_limit": args.time_limit }).to_string();
    let mut set = vec![
        format!("from_data.data_stem={}", json!(data)),
        format!("from_data.phase_ids={}", json!(args.phases)),
    ];
    set.extend(args.set.iter().cloned());
    let output =
        args.output.output_dir.clone().unwrap_or_else(|| direct::output_dir(&args.data, "comparison"));
    let config = StudyConfig::of_text("lbaf compare", &text, Path::new(""), &set, Some(&output))?;
    let study = Study::open(config, &messages)?;
    study.compute(&messages, cancel)?;
    conclude(&study, study.counts(), args.json, messages)
}

/// Returns the names of the strategies to compare.
fn names(given: &[String]) -> Result<Vec<&'static str>, Error> {
    use StrategyName::{BruteForce, External, Milp, OfflineLB, PrescribedPermutation};
    let needs_more = [BruteForce, External, Milp, OfflineLB, PrescribedPermutation];
    let mut names = Vec::new();
    for name in given {
        if name == ALL {
            let all = StrategyName::ALL.iter().filter(|strategy| !needs_more.contains(strategy));
            names.extend(all.map(|strategy| strategy.name()));
        } else {
            names.push(name.parse::<StrategyName>()?.name());
        }
    }
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    Ok(names)
}
