// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf strategies`: what strategies there are and what their parameters mean, from their own types and comments.

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
    /// The strategy, by any of its names. Default: a list of all.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print a section for a configuration instead, with all defaults.
    #[arg(long, requires = "name", conflicts_with = "json")]
    pub(crate) yaml: bool,
    /// Print the parameters as a JSON Schema, with defaults; of all strategies with their names.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Lists the strategies, or explains one.
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

/// A strategy with default parameters.
fn default(strategy: StrategyName) -> StrategyConfig {
    let found = StrategyConfig::defaults().into_iter().find(|config| config.name() == strategy);
    found.expect("invariant: every strategy has defaults")
}

/// Columns to fill: those of the terminal, but not more than can be read.
fn width() -> usize {
    const USUAL: usize = 80;
    let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(seen).unwrap_or(USUAL).clamp(40, 120)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("invariant: plain data") + "\n"
}
