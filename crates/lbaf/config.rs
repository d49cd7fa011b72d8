// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf config`: the JSON Schemas of configurations.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Print the JSON Schema of the configuration of a run, or of a study.
    #[arg(long, value_name = "KIND", required = true, num_args = 0..=1, default_missing_value = "run")]
    schema: Option<Kind>,
}

/// Kind of a configuration.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Configuration of `lbaf run`, `simulate` and `milp`.
    Run,
    /// File of `lbaf study`.
    Study,
}

/// Returns a schema.
pub(crate) fn schema(args: &ConfigArgs) -> String {
    let schema = match args.schema {
        Some(Kind::Study) => lbaf_config::study_schema(),
        Some(Kind::Run) | None => lbaf_config::run_schema(),
    };
    let mut text = serde_json::to_string_pretty(&schema).expect("invariant: plain data");
    text.push('\n');
    text
}
