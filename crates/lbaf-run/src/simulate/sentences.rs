// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sentences on the results of a simulation.

use lbaf_text::number::{counted, percent, significant};

use super::{Scenario, ScenarioResult, SimulationSummary};

/// Returns sentences that compare the configured run with the scenarios `never` and `perfect`; none if one of them is
/// missing.
pub(super) fn sentences(results: &SimulationSummary) -> Vec<String> {
    let of = |scenario: Scenario| results.scenario(scenario);
    let (Some(never), Some(simulated), Some(perfect)) =
        (of(Scenario::Never), of(Scenario::Configured), of(Scenario::Perfect))
    else {
        return Vec::new();
    };
    let mut sentences = vec![
        format!("The run of {} {}.", counted(results.n_phases, "phase"), outcome(simulated, never)),
        paid(simulated, results.n_phases),
    ];
    sentences.extend(simulated.is_proven.map(|is_proven| {
        if is_proven {
            "No schedule is better."
        } else {
            "This schedule is the best found; others may be better."
        }
        .to_owned()
    }));
    if simulated.n_skipped > 0 {
        sentences.push(format!("Balancing was skipped {}.", times(simulated.n_skipped)));
    }
    let lost = simulated.phase_seconds - perfect.phase_seconds;
    if lost > 0.0 && perfect.phase_seconds > 0.0 {
        let lost = percent(lost / perfect.phase_seconds);
        sentences.push(format!("The phases of the run take {lost} longer than with perfect knowledge."));
    }
    let denoised = of(Scenario::Denoised).filter(|_| results.is_noise_known);
    sentences.extend(denoised.map(|denoised| chased(simulated, denoised)));
    if simulated.n_evacuated > 0 {
        let objects = counted(simulated.n_evacuated, "object");
        sentences
            .push(format!("{objects} moved away from lost ranks; the migration time includes the cost."));
    }
    if simulated.n_phases_over_bounds > 0 {
        let exceed = match simulated.n_phases_over_bounds {
            1 => "1 phase exceeds".to_owned(),
            n => format!("{n} phases exceed"),
        };
        sentences.push(format!("{exceed} upper bounds of the work model."));
    }
    sentences.extend(over_bounds_elsewhere(results, simulated));
    sentences
}

/// Returns a sentence on the scenarios that exceed upper bounds, except the configured one.
fn over_bounds_elsewhere(results: &SimulationSummary, configured: &ScenarioResult) -> Option<String> {
    let others = results.runs.iter().filter(|run| run.scenario != Scenario::Configured);
    let exceeding: Vec<String> = others
        .filter(|run| run.n_phases_over_bounds > 0)
        .map(|run| format!("{} ({})", run.scenario.name(), counted(run.n_phases_over_bounds, "phase")))
        .collect();
    let subject = if configured.n_phases_over_bounds > 0 { "Other scenarios" } else { "Scenarios" };
    (!exceeding.is_empty()).then(|| format!("{subject} that exceed upper bounds: {}.", exceeding.join(", ")))
}

/// Returns the end of a sentence that compares a run with the run without balancing.
fn outcome(simulated: &ScenarioResult, never: &ScenarioResult) -> String {
    let gained = 1.0 - simulated.total / never.total;
    if simulated.total == never.total {
        "takes as long as without balancing".to_owned()
    } else if never.total == 0.0 {
        format!("takes {} s longer than without balancing", significant(simulated.total))
    } else if gained >= 0.0 {
        format!("ends {} sooner than without balancing", percent(gained))
    } else {
        format!("takes {} longer than without balancing", percent(-gained))
    }
}

/// Returns a sentence on the cost of reacting to noise: the time of the configured run minus that of the denoised run.
fn chased(simulated: &ScenarioResult, denoised: &ScenarioResult) -> String {
    let cost = simulated.total - denoised.total;
    let share = if denoised.total > 0.0 { cost.abs() / denoised.total } else { 0.0 };
    if share < 1e-9 {
        "Reacting to noise costs nothing here.".to_owned()
    } else if cost > 0.0 {
        format!("Reacting to noise costs {} ({} s).", percent(share), significant(cost))
    } else {
        format!(
            "Predictions without noise cost {} more than predictions with noise ({} s).",
            percent(share),
            significant(-cost)
        )
    }
}

/// Returns a sentence on the number of phases after which balancing has saved more time than it cost.
fn paid(simulated: &ScenarioResult, n_phases: usize) -> String {
    match (simulated.n_balancings, simulated.break_even_after) {
        (0, _) => "The run is never balanced.".to_owned(),
        (n, None) if simulated.n_migrations == 0 => format!("{} moved no object.", counted(n, "balancing")),
        (_, Some(after)) => {
            let phases = counted(after, "phase");
            format!("After {phases} of the run, balancing had saved more time than it cost.")
        }
        (_, None) => {
            format!("Within {}, balancing does not save more time than it costs.", counted(n_phases, "phase"))
        }
    }
}

/// Formats a count: "Once", "3 times".
fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
