// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expected seconds of cells: the mean of cells of the same competitor and problem.

use std::collections::HashMap;

use lbaf_config::{AxisRole, StudyConfig};

/// Means of the seconds of cells that differ only in their repetition.
pub(in crate::study) struct Costs {
    /// Number of the kind of each cell.
    kinds: Vec<usize>,
    /// Sum of seconds and number of known cells of each kind.
    known: Vec<(f64, u32)>,
}

impl Costs {
    pub(in crate::study) fn new(study: &StudyConfig) -> Self {
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::new();
        let kind = |cell: &Vec<usize>| {
            let choices = study.axes.iter().zip(cell);
            let choices = choices.filter(|(axis, _)| axis.role != AxisRole::Repetition);
            let next = numbers.len();
            *numbers.entry(choices.map(|(_, &choice)| choice).collect()).or_insert(next)
        };
        let kinds = study.cells.iter().map(kind).collect();
        Costs { kinds, known: vec![(0.0, 0); numbers.len()] }
    }

    /// Adds the seconds of a computed cell.
    pub(in crate::study) fn add(&mut self, cell: usize, seconds: f64) {
        let (sum, n) = &mut self.known[self.kinds[cell]];
        *sum += seconds;
        *n += 1;
    }

    /// Returns the expected seconds of a cell; `None` if no cell of its kind is known.
    pub(in crate::study) fn of(&self, cell: usize) -> Option<f64> {
        let (sum, n) = self.known[self.kinds[cell]];
        (n > 0).then(|| sum / f64::from(n))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn costs_are_means_over_repetitions() {
        let text = "axes: {algorithm.name: [LPT, Refine], seed: [1, 2, 3]}\n";
        let study = StudyConfig::of_text("study", text, Path::new("a"), &[], Some(Path::new("out"))).unwrap();
        let mut costs = Costs::new(&study);
        // Cells 0 to 2 are LPT, 3 to 5 Refine.
        costs.add(0, 1.0);
        costs.add(2, 2.0);
        assert_eq!((costs.of(1), costs.of(4)), (Some(1.5), None));
    }
}
