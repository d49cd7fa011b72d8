// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf strategies`: strategies and their parameters, described by their doc comments.

mod console;
mod markdown;
mod parameter;
mod section;

use std::env;

use clap::Args;
use lbaf_strategies::{StrategyConfig, StrategyName};
use serde_json::{Value, json};

use crate::arguments::CommonArgs;
use crate::error::Error;

#[derive(Debug, Args)]
pub(crate) struct StrategiesArgs {
    /// Strategy to describe, by any of its names. Default: list all strategies.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print a section for a configuration, with all defaults, instead of the description.
    #[arg(long, requires = "name", conflicts_with = "json")]
    pub(crate) yaml: bool,
    /// Print the parameters with their defaults as a JSON Schema; without NAME, those of all strategies.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Lists the strategies, or describes one.
pub(crate) fn strategies(args: &StrategiesArgs) -> Result<String, Error> {
    let Some(name) = &args.name else {
        return Ok(if args.json { pretty(&all()) } else { console::list(width()) });
    };
    let strategy: StrategyName =
        name.parse().map_err(|error: lbaf_strategies::StrategyError| Error::Usage(error.to_string()))?;
    Ok(match (args.json, args.yaml) {
        (true, _) => pretty(&strategy.schema()),
        (false, true) => section::section(strategy),
        (false, false) => console::page(strategy, width()),
    })
}

fn all() -> Value {
    let one = |strategy: &StrategyName| {
        json!({
            "name": strategy.name(),
            "aliases": strategy.names()[1..],
            "summary": strategy.summary(),
            "parameters": strategy.schema(),
        })
    };
    json!({ "strategies": StrategyName::ALL.iter().map(one).collect::<Vec<_>>() })
}

/// Returns a strategy with default parameters.
fn default(strategy: StrategyName) -> StrategyConfig {
    let found = StrategyConfig::defaults().into_iter().find(|config| config.name() == strategy);
    found.expect("invariant: every strategy has defaults")
}

/// Returns the width of the text: `COLUMNS`, else the width of the terminal, else 80; limited to 40 to 120 columns.
fn width() -> usize {
    const DEFAULT: usize = 80;
    let given = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let detected = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.or_else(detected).unwrap_or(DEFAULT).clamp(40, 120)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("invariant: plain data") + "\n"
}
