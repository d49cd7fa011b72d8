// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of simulations.

use comfy_table::CellAlignment;
use lbaf_config::RunConfig;
use lbaf_text::number::{bytes, counted, percent, signed_percent, significant};
use lbaf_text::{Shown as _, line};

use crate::console::{layout, new_table};
use lbaf_run::simulate::{LoadModelResults, Scenario, ScenarioResult, SimulationSummary};

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
    out.extend([layout(&table), "\n\n".to_owned(), sentences(results)]);
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

fn sentences(results: &SimulationSummary) -> String {
    let of = |scenario: Scenario| results.scenario(scenario);
    let (Some(never), Some(simulated), Some(perfect)) =
        (of(Scenario::Never), of(Scenario::Configured), of(Scenario::Perfect))
    else {
        return String::new();
    };
    let phases = counted(results.n_phases, "phase");
    let gained = if never.total > 0.0 { 1.0 - simulated.total / never.total } else { 0.0 };
    let outcome = if gained >= 0.0 {
        format!("ends {} sooner than without balancing", percent(gained))
    } else {
        format!("takes {} longer than without balancing", percent(-gained))
    };
    let lost = simulated.phase_seconds - perfect.phase_seconds;
    let lost = if lost > 0.0 && perfect.phase_seconds > 0.0 {
        format!(
            " Its phases take {} longer than with perfect knowledge.",
            percent(lost / perfect.phase_seconds)
        )
    } else {
        String::new()
    };
    let left = match simulated.n_evacuated {
        0 => String::new(),
        n => format!(" {} moved away from lost ranks, which counts as migration.", counted(n, "object")),
    };
    let proven = match simulated.is_proven {
        Some(true) => " No schedule is better.",
        Some(false) => " Its schedule is the best found; others may be better.",
        None => "",
    };
    let noise = of(Scenario::Denoised)
        .filter(|_| results.is_noise_known)
        .map_or_else(String::new, |denoised| chased(simulated, denoised));
    let over = match simulated.n_phases_over_bounds {
        0 => String::new(),
        n => format!(" {} exceed upper bounds of the work model.", counted(n, "phase")),
    };
    let skipped = match simulated.n_skipped {
        0 => String::new(),
        n => format!(" {} balancing was skipped.", times(n)),
    };
    format!(
        "The run of {phases} {outcome}.{}{proven}{skipped}{lost}{noise}{left}{over}\n",
        paid(simulated, results.n_phases)
    )
}

/// Returns a sentence on the cost of reacting to noise: the difference between the times without and with
/// `denoise`.
fn chased(simulated: &ScenarioResult, denoised: &ScenarioResult) -> String {
    let cost = simulated.total - denoised.total;
    let share = if denoised.total > 0.0 { cost.abs() / denoised.total } else { 0.0 };
    if share < 1e-9 {
        " Reacting to noise costs nothing here.".to_owned()
    } else if cost > 0.0 {
        format!(" Reacting to noise costs {} ({} s).", percent(share), significant(cost))
    } else {
        format!(
            " Predictions without noise cost {} more than predictions with noise ({} s).",
            percent(share),
            significant(-cost)
        )
    }
}

/// Returns a sentence on the number of phases after which balancing has saved more time than it cost.
fn paid(simulated: &ScenarioResult, n_phases: usize) -> String {
    match (simulated.n_balancings, simulated.break_even_after) {
        (0, _) => " It is never balanced.".to_owned(),
        (_, Some(after)) => format!(" After {after} of its phases, balancing saved more time than it cost."),
        (_, None) => format!(
            " Within {}, balancing does not save more time than it costs.",
            counted(n_phases, "phase")
        ),
    }
}

/// Formats a count, for example "Once" or "3 times".
fn times(count: usize) -> String {
    if count == 1 { "Once".to_owned() } else { format!("{count} times") }
}
