// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the values of individual ranks that fit into a page.

use super::shown_for;
use crate::page::view::{OverRanks, PhaseView, RunView};

/// Keys of the quantities whose values have priority.
const FIRST: [&str; 2] = ["load", "work"];

/// Returns the approximate size of the values of ranks in bytes.
pub(super) fn size(phases: &[PhaseView]) -> usize {
    phases.iter().flat_map(|phase| &phase.quantities).map(OverRanks::size_of_values).sum()
}

/// Drops values of ranks until the rest takes at most `most` bytes, and returns sentences on the dropped values.
///
/// Loads and works of all phases have priority over other quantities; `order` lists the phases by priority.
pub(super) fn fit(run: &mut RunView, order: &[usize], most: usize) -> Vec<String> {
    if size(&run.phases) <= most {
        return Vec::new();
    }
    let is_first: Vec<bool> =
        run.quantities.iter().map(|quantity| FIRST.contains(&quantity.key.as_str())).collect();
    let mut used = 0;
    let [n_first, n_others] = [true, false].map(|first| {
        let mut n_kept = 0;
        let mut is_full = false;
        for &at in order {
            let quantities = run.phases[at].quantities.iter_mut().zip(&is_first);
            let mut these: Vec<&mut OverRanks> = quantities
                .filter_map(|(quantity, &is_first)| (is_first == first).then_some(quantity))
                .collect();
            let size: usize = these.iter().map(|quantity| quantity.size_of_values()).sum();
            // Phases of lower priority must not replace a phase that did not fit.
            is_full |= used + size > most;
            if is_full {
                for quantity in &mut these {
                    quantity.drop_values();
                }
            } else {
                used += size;
                n_kept += 1;
            }
        }
        n_kept
    });
    let n_phases = run.phases.len();
    let kept = [("Loads and works", n_first), ("Other quantities", n_others)];
    kept.iter()
        .filter(|(_, n_kept)| *n_kept < n_phases)
        .map(|&(what, n_kept)| sentence(what, n_kept, n_phases))
        .collect()
}

fn sentence(what: &str, n_kept: usize, n_phases: usize) -> String {
    format!("{what} of individual ranks are {}, to limit the size of the page.", shown_for(n_kept, n_phases))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::page::view::{PackedNumbers, QuantityLabel, QuantityUnit, RankDistribution};

    use super::*;

    /// Returns a run of two phases with loads, works and memory of 1000 ranks. Each value takes about 5.4 bytes.
    pub(in super::super) fn run() -> RunView {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let side = RankDistribution {
            moments: None,
            mean: 0.0,
            values: Some(PackedNumbers::of_floats(&values, "value").unwrap()),
        };
        let quantity = |key: &str| QuantityLabel {
            key: key.to_owned(),
            name: key.to_owned(),
            unit: QuantityUnit::Count,
        };
        let phase = PhaseView {
            quantities: vec![OverRanks { before: side.clone(), after: side }; 3],
            ..PhaseView::default()
        };
        RunView {
            n_ranks: 1000,
            quantities: ["load", "work", "memory"].map(quantity).to_vec(),
            phases: vec![phase; 2],
            ..RunView::default()
        }
    }

    /// Returns for each phase whether the values of each quantity are kept, and the sentences.
    fn fitted(most: usize) -> ([Vec<bool>; 2], Vec<String>) {
        let mut run = run();
        let said = fit(&mut run, &[1, 0], most);
        assert!(size(&run.phases) <= most);
        let of = |at: usize| {
            let quantities = run.phases[at].quantities.iter();
            quantities.map(|quantity| quantity.before.values.is_some()).collect()
        };
        ([of(0), of(1)], said)
    }

    #[test]
    fn loads_and_works_come_first_and_phases_in_their_order() {
        // Before and after, a phase has 2 * 2 * 1000 * 5.4 B = 21.5 kB of loads and works, and 10.8 kB of memory.
        // Two phases have 64.5 kB. Phase 1 comes first.
        let (kept, said) = fitted(100_000);
        assert_eq!((kept, said.len()), ([vec![true; 3], vec![true; 3]], 0));
        let (kept, said) = fitted(60_000);
        assert_eq!(kept, [vec![true, true, false], vec![true; 3]]);
        assert!(
            said[0].starts_with("Other quantities of individual ranks are shown only for the 1 of 2 phases"),
            "{said:?}"
        );
        let (kept, said) = fitted(30_000);
        assert_eq!(kept, [vec![false; 3], vec![true, true, false]]);
        assert!(
            said[0].starts_with("Loads and works of individual ranks are shown only for the 1 of 2 phases"),
            "{said:?}"
        );
        assert!(said[1].starts_with("Other quantities of individual ranks are not shown, to"), "{said:?}");
        let (kept, said) = fitted(0);
        assert_eq!((kept, said.len()), ([vec![false; 3], vec![false; 3]], 2));
    }
}
