// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a simulation: configuration, machine, phases and objects.

use lbaf_text::number::counted;

use super::saved_simulation::{SavedPhases, SavedSimulation};
use crate::page::Fact;

/// Returns the settings.
pub(super) fn facts(simulation: &SavedSimulation) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value, settings: Vec::new() };
    let mut facts = Vec::new();
    let files = &simulation.configuration.files;
    if !files.is_empty() {
        facts.push(fact("Configuration", files.join(", ")));
    }
    if !simulation.configuration.overrides.is_empty() {
        facts.push(fact("Overrides", simulation.configuration.overrides.join(" ")));
    }
    facts.push(fact("Seed", simulation.seed.to_string()));
    facts.push(match &simulation.machine {
        None => fact("Machine", "as recorded".to_owned()),
        Some(machine) => Fact {
            label: "Machine".to_owned(),
            value: format!("{}, {}", counted(machine.n_ranks, "rank"), counted(machine.n_objects, "object")),
            settings: machine
                .assumed
                .iter()
                .map(|sentence| ("assumed".to_owned(), sentence.clone()))
                .collect(),
        },
    });
    if let Some(coverage) = &simulation.coverage {
        let parts = [
            ("identical to an earlier phase", &coverage.identical),
            ("skipped in the files", &coverage.skipped),
            ("left out by the configuration", &coverage.left_out),
            ("missing from the files", &coverage.missing),
        ];
        let listed = |phases: &SavedPhases| format!("{} ({})", phases.count, phases.phases);
        facts.push(Fact {
            label: "Phases".to_owned(),
            value: listed(&coverage.simulated),
            settings: parts
                .into_iter()
                .filter(|(_, phases)| phases.count > 0)
                .map(|(name, phases)| (name.to_owned(), listed(phases)))
                .collect(),
        });
    }
    let changes = &simulation.objects;
    if changes.new + changes.gone > 0 {
        let sum = format!("{} new and {} gone, summed over phases", changes.new, changes.gone);
        facts.push(fact("Objects", sum));
    }
    facts.push(fact("Computed by", format!("lbaf {}", simulation.lbaf)));
    facts
}
