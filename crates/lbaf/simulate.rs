// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: simulation of the time of a whole run, compared with reference scenarios.

mod console;

use clap::Args;
use lbaf_run::simulate::Simulations;
use lbaf_strategies::Cancel;

use crate::arguments::{ConfigurationArgs, OverrideArgs, StepArgs};
use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) files: ConfigurationArgs,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

/// Simulates a configuration and writes the results. Returns the text to print.
pub(crate) fn simulate(args: &SimulateArgs, messages: Messages, cancel: &Cancel) -> Result<String, Error> {
    let overrides = args.overrides.overrides()?;
    let (prepared, messages) = crate::run::prepare(&args.files.configurations, &overrides, false, messages)?;
    let run = &prepared.run;
    let simulations = Simulations::new(&prepared)?;
    let staging = lbaf_run::staging(&run.output_dir, &messages)?;
    let mut outputs = simulations.run(&messages, cancel)?.write(&run.output_dir, staging)?;
    if let Some(plots) = &run.plots {
        lbaf_report::simulation::illustrate(&mut outputs, plots, &messages)?;
    }
    // An interrupted command publishes nothing.
    cancel.check()?;
    let summary = outputs.publish(&inputs::all())?;
    if args.overrides.json {
        return Ok(String::from_utf8_lossy(&summary.to_json()).into_owned());
    }
    Ok(console::report(&summary, run))
}
