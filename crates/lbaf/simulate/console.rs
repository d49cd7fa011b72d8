// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of simulations.

use comfy_table::CellAlignment;
use lbaf_config::RunConfig;
use lbaf_text::number::{bytes, percent, signed_percent, significant};
use lbaf_text::{Shown as _, line};

use crate::console::{layout, new_table};
use lbaf_run::simulate::{LoadModelResults, ScenarioResult, SimulationSummary};

/// Returns a table of all scenarios, and a summary in sentences.
pub(super) fn report(results: &SimulationSummary, run: &RunConfig) -> String {
    let mut table = new_table(&[
        "scenario",
        "total",
        "phases",
        "strategy",
        "migration",
        "balancings",
        "migrations",
        "bytes",
        "speed-up",
        "efficiency",
    ]);
    for scenario in &results.runs {
        table.add_row(row(scenario));
    }
    let mut out = match &results.machine {
        Some(machine) => {
            format!(
                "Simulated machine, different from the recorded one:\n- {}\n\n",
                machine.assumed.join("\n- ")
            )
        }
        None => String::new(),
    };
    out.extend([layout(&table), "\n\n".to_owned(), results.sentences.join(" ")]);
    if !results.sentences.is_empty() {
        out.push('\n');
    }
    out += &results.load_models.as_ref().map_or_else(String::new, load_models);
    for note in &results.notes {
        out += &line(note);
        out.push('\n');
    }
    out + &format!("Results are in {}\n", run.output_dir.shown())
}

/// Returns a table of the prediction errors of load models.
fn load_models(examined: &LoadModelResults) -> String {
    let mut table = new_table(&[
        "load model",
        "horizon",
        "phases",
        "mean error",
        "bias",
        "rank correlation",
        "imbalance",
        "imbalance known",
        "imbalance lost",
    ]);
    if let Some(names) = table.column_mut(0) {
        names.set_cell_alignment(CellAlignment::Left);
    }
    let share = |number: Option<f64>| number.map_or_else(String::new, signed_percent);
    for model in &examined.load_models {
        for (at, of) in model.horizons.iter().enumerate() {
            table.add_row([
                if at == 0 { model.load_model.clone() } else { String::new() },
                of.horizon.to_string(),
                of.n_phases.to_string(),
                share(of.mean_error),
                share(of.bias),
                of.rank_correlation.map_or_else(String::new, |correlation| format!("{correlation:.3}")),
                share(of.imbalance),
                share(of.imbalance_known),
                share(of.imbalance_lost),
            ]);
        }
    }
    let what = match &examined.balanced_with {
        Some(strategy) => format!(", and imbalance of work if {strategy} balances the predicted loads"),
        None => String::new(),
    };
    format!("\nErrors of the predicted loads of objects{what}:\n{}\n\n", layout(&table))
}

fn row(run: &ScenarioResult) -> Vec<String> {
    let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
    vec![
        run.scenario.name().to_owned(),
        significant(run.total),
        significant(run.phase_seconds),
        significant(run.strategy_seconds),
        significant(run.migration_seconds),
        run.n_balancings.to_string(),
        run.n_migrations.to_string(),
        bytes(run.migrated_bytes),
        ratio(run.speedup),
        run.efficiency.map_or_else(String::new, percent),
    ]
}
