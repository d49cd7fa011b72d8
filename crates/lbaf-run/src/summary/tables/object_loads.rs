// SPDX-License-Identifier: MIT OR Apache-2.0
//! `object_loads.csv`: distribution of object loads.

use lbaf_model::Phase;

use super::{into_bytes, record};

/// Maximum number of rows of a phase after its first row. If a phase has more distinct loads, neighbouring loads share
/// a row with the largest of these loads and their number of objects.
const MOST_STEPS: usize = 500;

/// `object_loads.csv`: ascending loads of each phase, each with the number of objects up to that load and above the
/// previous one.
pub struct ObjectLoadsTable(csv::Writer<Vec<u8>>);

impl Default for ObjectLoadsTable {
    /// Returns a table without rows.
    fn default() -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        record(&mut table, &["phase", "load_s", "objects"]);
        ObjectLoadsTable(table)
    }
}

impl ObjectLoadsTable {
    /// Adds the rows of a phase.
    pub fn add(&mut self, phase: &Phase) {
        let mut loads = phase.columns().load.clone();
        loads.sort_unstable_by(f64::total_cmp);
        for (load, objects) in steps(&loads) {
            let row = [phase.id().to_string(), load.to_string(), objects.to_string()];
            record(&mut self.0, &row);
        }
    }

    /// Returns the table as CSV text.
    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.0)
    }
}

/// Selects steps from ascending loads, with their numbers of objects. The first step is the smallest load, the last the
/// largest.
fn steps(loads: &[f64]) -> Vec<(f64, usize)> {
    let n_steps = loads.chunk_by(|a, b| a == b).count();
    let least = if n_steps > MOST_STEPS { loads.len().div_ceil(MOST_STEPS) } else { 1 };
    let mut steps: Vec<(f64, usize)> = Vec::new();
    let mut waiting = 0;
    let mut n_seen = 0;
    for equal in loads.chunk_by(|a, b| a == b) {
        waiting += equal.len();
        n_seen += equal.len();
        // The smallest and the largest load are always steps.
        if waiting >= least || n_seen == loads.len() || steps.is_empty() {
            steps.push((equal[0], waiting));
            waiting = 0;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_loads_have_a_step_each() {
        assert_eq!(steps(&[0.0, 1.0, 1.0, 3.0]), [(0.0, 1), (1.0, 2), (3.0, 1)]);
        assert!(steps(&[]).is_empty());
    }

    #[test]
    fn many_loads_keep_their_count_and_the_largest() {
        let loads: Vec<f64> = (0..12_345).map(f64::from).collect();
        let steps = steps(&loads);
        assert!(steps.len() <= MOST_STEPS + 1, "{}", steps.len());
        assert_eq!(steps[0], (0.0, 1));
        assert_eq!(steps.iter().map(|(_, n)| n).sum::<usize>(), loads.len());
        assert_eq!(steps[steps.len() - 1].0, 12_344.0);
        let mut below = 0;
        for (load, n) in steps {
            below += n;
            assert_eq!(loads.partition_point(|other| *other <= load), below);
        }
    }
}
