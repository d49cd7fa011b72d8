// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf compare`: a study of strategies on one data set, without a study file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lbaf_config::{Overrides, StudyConfig, resolve};
use lbaf_run::study::{self, Study};
use lbaf_run::{Messages as _, Prepared, Silent};
use lbaf_strategies::{Cancel, StrategyName};
use lbaf_text::Shown as _;
use lbaf_text::number::counted;
use serde::Deserialize;
use serde_json::json;

use crate::arguments::{CommonArgs, OutputDirArg};
use crate::direct::{Assigned, assignment, check_apart, output_dir, strategy_named, utf8};
use crate::error::Error;
use crate::progress::Messages;
use crate::study::{Done, conclude, opened};
use crate::{data, directories};

/// Name for all strategies that need only data, except `BruteForce` and `Milp`.
const ALL: &str = "all";

#[derive(Debug, Args)]
#[command(override_usage = "lbaf compare [OPTIONS] --data <STEM>")]
pub(crate) struct CompareArgs {
    /// Data to balance: the path of the files up to the rank, or a directory with one data set.
    #[arg(long, value_name = "STEM")]
    data: Option<PathBuf>,
    /// Data given without `--data`: an error, whose message names the option.
    #[arg(value_name = "STEM", hide = true)]
    misplaced: Option<PathBuf>,
    /// Strategies to compare, separated by commas. `all` stands for every strategy that needs only data, except
    /// `BruteForce` and `Milp`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = ALL)]
    strategies: Vec<String>,
    /// Seeds of strategies that draw random numbers, for example `3`, `0-4` or `1,2`. The tables show medians over
    /// seeds.
    #[arg(long, value_name = "SEEDS", allow_negative_numbers = true, default_value = "0-4")]
    seeds: String,
    /// Phases to read and balance, for example `3`, `0-10`, `0-3,7` or `all`.
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    phases: Option<String>,
    /// Seconds after which a strategy is stopped and counts as failed.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 60.0)]
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
    let given = match (&args.data, &args.misplaced) {
        (Some(data), None) => data,
        (_, Some(stem)) => {
            let stem = stem.shown();
            return Err(Error::Usage(format!("data are named by --data: `lbaf compare --data {stem}`")));
        }
        (None, None) => return Err(Error::Usage("give data: `lbaf compare --data <STEM>`".to_owned())),
    };
    let assigned = Assigned::of(&args.set)?;
    for (key, option) in [("algorithm.name", "--strategies"), ("seed", "--seeds")] {
        assigned.refuse(key, option)?;
    }
    if let Some(phases) = &args.phases {
        assigned.refuse("from_data.phase_ids", "--phases")?;
        data::selection(phases)?;
    }
    let (strategies, mut seeds) = (strategies(&args.strategies)?, seeds(&args.seeds)?);
    if Duration::try_from_secs_f64(args.time_limit).map_or(true, |limit| limit.is_zero()) {
        let message = "--time-limit: the time limit must be a number of seconds above 0";
        return Err(Error::Usage(format!("{message}, not {}", args.time_limit)));
    }
    let located = assigned.locate(given, None)?;
    let stem = utf8(&located.stem)?;
    let mut set = vec![assignment(("from_data.data_stem", stem))];
    set.extend(args.phases.iter().map(|phases| assignment(("from_data.phase_ids", phases))));
    set.extend(args.set.iter().cloned());
    let chosen = args.output.output_dir.clone().or_else(|| assigned.output_dir());
    let directory = chosen.clone().unwrap_or_else(|| output_dir(&located.stem, "comparison"));
    check_apart(&located.stem, &directory)?;
    let names: Vec<&str> = strategies.iter().map(|strategy| strategy.name()).collect();
    let configured = |seeds: &[u64]| {
        let axes = json!({ "algorithm.name": names, "seed": seeds });
        let text = json!({ "axes": axes, "time_limit": args.time_limit }).to_string();
        let config = StudyConfig::of_text("lbaf compare", &text, Path::new(""), &set, Some(&directory))?;
        Ok::<_, Error>(opened(config, messages))
    };
    let config = configured(&seeds)?;
    check(&config, args.phases.as_ref())?;
    if chosen.is_none() {
        directories::check_replaceable(&directory, false, study::is_stored_cell)?;
    }
    let previous = previous_cells(&directory);
    let mut study = Study::open(config, &messages)?;
    if study.counts().different <= strategies.len() {
        // No strategy draws random numbers, or there is one seed.
        seeds.truncate(1);
        study = Study::open(configured(&seeds)?, &messages)?;
    }
    study.compute(&messages, cancel)?;
    let head = summary(&study, strategies.len(), seeds.len());
    let done = conclude(&study, &head, args.json, messages, cancel)?;
    if previous.iter().any(|cell| study.identities().all(|identity| identity != cell)) {
        messages.note(&format!(
            "the tables and charts in {} replace those of a comparison with other strategies, seeds, data or settings; \
             the results of that comparison are kept and need not be computed again; use --output-dir to keep the \
             tables and charts of both",
            directory.shown()
        ));
    }
    Ok(done)
}

/// Checks the configurations of all cells, and reads the data.
///
/// # Errors
/// If a configuration is invalid, or the data cannot be read or do not fit it.
fn check(config: &StudyConfig, phases: Option<&String>) -> Result<(), Error> {
    let overrides = Overrides { phases: phases.cloned(), ..Overrides::default() };
    let resolved = |cell: &Vec<usize>| {
        let layers = config.layers(cell)?;
        Ok::<_, Error>((resolve(&layers, &overrides)?, layers))
    };
    // Seeds have no effect on the validity of a configuration.
    let cells = config.cells.iter().filter(|cell| cell[1] == 0);
    let runs: Vec<_> = cells.map(resolved).collect::<Result<_, _>>()?;
    if let Some((run, layers)) = runs.into_iter().next() {
        Prepared::new(run, layers, &overrides, false, &Silent)?;
    }
    Ok(())
}

/// Returns the identities of the cells of a previous comparison; empty without one.
fn previous_cells(directory: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Previous {
        cells: Vec<String>,
    }
    let bytes = lbaf_reader::read_file(&directory.join(study::FILE)).unwrap_or_default();
    serde_json::from_slice(&bytes).map_or_else(|_| Vec::new(), |Previous { cells }| cells)
}

/// Returns a sentence on the numbers of strategies, seeds and runs.
fn summary(study: &Study, n_strategies: usize, n_seeds: usize) -> String {
    let counts = study.counts();
    let seeds = match n_seeds {
        1 => String::new(),
        n => format!(", {} for those that draw random numbers", counted(n, "seed")),
    };
    let before = match counts.different - counts.missing.min(counts.different) {
        0 => String::new(),
        n if n == counts.different => ", computed before".to_owned(),
        n => format!(", {n} of them computed before"),
    };
    let strategies = counted(n_strategies, "strategy");
    format!("{strategies}{seeds}: {}{before}\n", counted(counts.different, "run"))
}

/// Returns the strategies to compare, each once.
fn strategies(given: &[String]) -> Result<Vec<StrategyName>, Error> {
    let mut strategies: Vec<StrategyName> = Vec::new();
    for name in given {
        let named = match name.as_str() {
            ALL => StrategyName::ALL.iter().copied().filter(|strategy| strategy.is_for_any_data()).collect(),
            name => vec![strategy_named("--strategies", name)?],
        };
        for strategy in named {
            if !strategies.contains(&strategy) {
                strategies.push(strategy);
            }
        }
    }
    Ok(strategies)
}

/// Largest number of seeds.
const MOST_SEEDS: usize = 100_000;

/// Parses numbers and ranges separated by commas. Returns ascending numbers.
fn seeds(text: &str) -> Result<Vec<u64>, Error> {
    let refused = |why: String| Err(Error::Usage(format!("--seeds: {why}")));
    let mut seeds = BTreeSet::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.trim().parse::<u64>(), last.trim().parse::<u64>()) else {
            return refused(format!(
                "expected numbers and ranges such as `3`, `0-4` or `1,2`, found `{part}`"
            ));
        };
        if first > last {
            return refused(format!("the range `{part}` is empty"));
        }
        let is_long = last - first >= MOST_SEEDS as u64;
        if !is_long {
            seeds.extend(first..=last);
        }
        if is_long || seeds.len() > MOST_SEEDS {
            return refused(format!("there are more than {MOST_SEEDS} seeds"));
        }
    }
    Ok(seeds.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_ranges_together_have_a_largest_number_of_seeds() {
        assert_eq!(seeds("0-99998,100000").unwrap().len(), MOST_SEEDS);
        assert_eq!(seeds("0-99999,7").unwrap().len(), MOST_SEEDS);
        let error = seeds("0-99998,100000-199998").unwrap_err().to_string();
        assert_eq!(error, "--seeds: there are more than 100000 seeds");
    }

    #[test]
    fn seeds_are_numbers_and_ranges() {
        assert_eq!(seeds("0-2, 7,1").unwrap(), [0, 1, 2, 7]);
        assert_eq!(seeds("3").unwrap(), [3]);
        for (wrong, why) in [
            ("", "found ``"),
            ("1,x", "found `x`"),
            ("-1", "found `-1`"),
            ("4-2", "the range `4-2` is empty"),
            ("0-100000", "more than 100000"),
        ] {
            let error = seeds(wrong).unwrap_err().to_string();
            assert!(error.starts_with("--seeds: ") && error.contains(why), "{error}");
        }
    }
}
