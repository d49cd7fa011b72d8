// SPDX-License-Identifier: MIT OR Apache-2.0
//! What simulations came to, for people.

use crate::config::Run;
use crate::report::console::{layout, new_table};
use crate::report::number::{bytes, counted, percent, significant};

use super::Way;
use super::results::{Results, RunInTime};

/// A table of all ways, and what it means in a sentence or two.
pub(super) fn report(results: &Results, run: &Run) -> String {
    let mut table = new_table(&[
        "run",
        "total",
        "phases",
        "strategy",
        "migration",
        "balancings",
        "migrations",
        "bytes",
        "speed-up",
        "of the bound",
    ]);
    for way in &results.runs {
        table.add_row(row(way));
    }
    let changes = match (results.n_new, results.n_gone) {
        (0, 0) => String::new(),
        (new, gone) => format!(
            "Objects that a phase lacks or is the first to have: {new} came, {gone} went; new ones start where they were recorded.\n"
        ),
    };
    let machine = results.machine.as_ref().map_or_else(String::new, |machine| {
        format!("Not on the recorded machine, but with:\n- {}\n\n", machine.assumed.join("\n- "))
    });
    format!(
        "{machine}{}\n\n{changes}{}Results are in {}\n",
        layout(&table),
        sentences(results),
        run.output_dir.display()
    )
}

fn row(run: &RunInTime) -> Vec<String> {
    let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
    vec![
        name(run.way).to_owned(),
        significant(run.total),
        significant(run.phases),
        significant(run.strategy),
        significant(run.migration),
        run.n_balancings.to_string(),
        run.n_migrations.to_string(),
        bytes(run.migrated_bytes),
        ratio(run.speedup),
        run.efficiency.map_or_else(String::new, percent),
    ]
}

fn name(way: Way) -> &'static str {
    match way {
        Way::Recorded => "as recorded",
        Way::Never => "never balanced",
        Way::Simulated => "as configured",
        Way::Perfect => "perfect knowledge",
    }
}

fn sentences(results: &Results) -> String {
    let of = |way: Way| results.runs.iter().find(|run| run.way == way);
    let (Some(never), Some(simulated), Some(perfect)) =
        (of(Way::Never), of(Way::Simulated), of(Way::Perfect))
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
    let lost = simulated.phases - perfect.phases;
    let lost = if lost > 0.0 && perfect.phases > 0.0 {
        format!(" Its phases take {} more than with perfect knowledge.", percent(lost / perfect.phases))
    } else {
        String::new()
    };
    let left = match simulated.n_evacuated {
        0 => String::new(),
        n => format!(" {} left ranks that were lost; that is migration too.", counted(n, "object")),
    };
    let over = match simulated.n_phases_over_bounds {
        0 => String::new(),
        n => format!(" {} of them exceed bounds of the work model.", n),
    };
    format!("The run of {phases} {outcome}.{lost}{left}{over}\n")
}
