// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the iterations and fronts that fit into a page.

use super::shown_for;
use crate::error::PageError;
use crate::page::view::RunView;

/// Keeps iterations and fronts of phases, in the sequence `order`, while they fit into `most` bytes.
///
/// Returns a sentence on the dropped data; `None` if all fit.
pub(super) fn fit(run: &mut RunView, order: &[usize], most: usize) -> Result<Option<String>, PageError> {
    let (mut used, mut n_kept, mut n_had) = (0, 0, 0);
    for &at in order {
        let phase = &mut run.phases[at];
        if phase.iterations.is_empty() && phase.front.is_empty() {
            continue;
        }
        n_had += 1;
        used += phase.size_of_iterations()?;
        if used > most {
            phase.iterations = Vec::new();
            phase.front = Vec::new();
        } else {
            n_kept += 1;
        }
    }
    Ok((n_kept < n_had).then(|| {
        format!(
            "Iterations are {}, to limit the size of the page; summary.json has all.",
            shown_for(n_kept, n_had)
        )
    }))
}

#[cfg(test)]
mod tests {
    use crate::page::view::IterationView;

    use super::super::rank_values::tests::run;
    use super::*;

    #[test]
    fn phases_with_the_most_work_keep_their_iterations() {
        let iteration = IterationView {
            number: 1,
            max_work: 1.5,
            load_imbalance: 0.5,
            largest_excess: 0.0,
            transfers: 3,
            rejections: 4,
            messages: 5,
            knowledge: None,
        };
        let mut run = run();
        for phase in &mut run.phases {
            phase.iterations = vec![iteration; 100];
        }
        let of_phase = run.phases[0].size_of_iterations().unwrap();
        assert_eq!(fit(&mut run, &[1, 0], 2 * of_phase).unwrap(), None);
        let said = fit(&mut run, &[1, 0], 2 * of_phase - 1).unwrap().unwrap();
        assert!(said.starts_with("Iterations are shown only for the 1 of 2 phases"), "{said}");
        assert_eq!([0, 1].map(|at| run.phases[at].iterations.len()), [0, 100]);
    }
}
