// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console table of phases with a barrier after every subphase.

use lbaf_run::summary::PhaseResult;
use lbaf_run::summary::subphases::Subphases;
use lbaf_text::number::{significant, significant_to};

use super::{layout, new_table};

/// Returns a table with a line for each phase with subphases and one with the sums; empty without subphases.
pub(crate) fn table(phases: &[PhaseResult]) -> String {
    let known = || phases.iter().filter_map(|phase| Some((phase.phase, phase.subphases.as_ref()?)));
    if known().next().is_none() {
        return String::new();
    }
    let number = |number: f64| significant_to(number, 5);
    let mut table = new_table(&[
        "\nphase",
        "\nsubphases",
        "sum of maxima\nbefore (s)",
        "\nafter",
        "lower\nbound",
        "imbalance\nbefore",
        "\nafter",
        "as a whole\nbefore",
        "\nafter",
    ]);
    for (id, Subphases { numbers, before, after, lower_bound, .. }) in known() {
        table.add_row([
            id.to_string(),
            numbers.len().to_string(),
            number(before.sum_of_maxima),
            number(after.sum_of_maxima),
            number(*lower_bound),
            significant(before.imbalance),
            significant(after.imbalance),
            significant(before.whole_imbalance),
            significant(after.whole_imbalance),
        ]);
    }
    let sum = |of: fn(&Subphases) -> f64| number(known().map(|(_, subphases)| of(subphases)).sum());
    table.add_row([
        "all".to_owned(),
        String::new(),
        sum(|subphases| subphases.before.sum_of_maxima),
        sum(|subphases| subphases.after.sum_of_maxima),
        sum(|subphases| subphases.lower_bound),
    ]);
    format!("\nWith a barrier after every subphase:\n{}\n", layout(&table))
}
