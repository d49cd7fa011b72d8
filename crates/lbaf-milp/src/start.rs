// SPDX-License-Identifier: MIT OR Apache-2.0
//! A placement as a start for solvers.

use lbaf_model::Assignment;

use crate::formulated::Formulated;

impl Formulated<'_> {
    /// A placement as lines `name value`: a MIP start for Gurobi (`.mst`) and CPLEX-like readers, of the columns that
    /// place objects alone; solvers find the others.
    pub fn start(&self, assignment: &Assignment) -> String {
        let columns = &self.program().columns;
        let line = |(column, value): (crate::ColumnId, f64)| format!("{} {value}\n", columns[column.0].name);
        let lines = self.values_of_placement(assignment).into_iter().map(line);
        std::iter::once("# MIP start\n".to_owned()).chain(lines).collect()
    }
}
