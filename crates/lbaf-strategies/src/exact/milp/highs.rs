// SPDX-License-Identifier: MIT OR Apache-2.0
//! The solver HiGHS, written in C++.

use highs::{HighsModelStatus, HighsSolutionStatus, RowProblem, Sense};
use lbaf_milp::{Program, Relation, VariableId};

use super::end::{End, Limits, Stop};
use super::scaled::Scaled;

/// Solves a program with one thread, because phases are balanced in parallel.
pub(super) fn solve(scaled: &Scaled<'_>, start: &[(VariableId, f64)], limits: Limits) -> End {
    let mut problem = RowProblem::new();
    let variables = scaled.program.variables.iter().enumerate();
    let handles: Vec<_> = variables
        .map(|(at, variable)| {
            let cost = f64::from(u8::from(VariableId(at) == Program::OBJECTIVE));
            let (lower, upper) = scaled.bounds(at);
            problem.add_column_with_integrality(cost, lower..=upper, variable.is_binary)
        })
        .collect();
    for (terms, relation, rhs) in scaled.constraints() {
        let terms = terms.into_iter().map(|(at, factor)| (handles[at], factor));
        match relation {
            Relation::AtMost => problem.add_row(..=rhs, terms),
            Relation::AtLeast => problem.add_row(rhs.., terms),
            Relation::Equal => problem.add_row(rhs..=rhs, terms),
        };
    }
    let mut model = problem.optimise(Sense::Minimise);
    model.make_quiet();
    model.set_option("threads", 1);
    model.set_option("mip_rel_gap", limits.gap);
    model.set_option("mip_abs_gap", 0.0);
    model.set_option("mip_max_nodes", i32::try_from(limits.max_nodes).unwrap_or(i32::MAX));
    if let Some(seconds) = limits.seconds {
        model.set_option("time_limit", seconds);
    }
    // `start` has only the ranks of objects. HiGHS computes all values that are not binary.
    let mut values = vec![0.0; handles.len()];
    start.iter().for_each(|&(VariableId(at), value)| values[at] = value);
    model.set_solution(Some(&values), None, None, None);
    let failed = |stop, message| End { stop, values: None, bound: None, n_nodes: 0, message };
    let solved = match model.try_solve() {
        Ok(solved) => solved,
        Err(error) => return failed(Stop::Failed, format!("{error:?}")),
    };
    let stop = match solved.status() {
        HighsModelStatus::Optimal if limits.gap > 0.0 && solved.mip_gap() > 0.0 => Stop::Gap,
        HighsModelStatus::Optimal => Stop::Complete,
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => Stop::Infeasible,
        HighsModelStatus::ReachedTimeLimit => Stop::Time,
        HighsModelStatus::ReachedSolutionLimit | HighsModelStatus::ReachedIterationLimit => Stop::Nodes,
        status => return failed(Stop::Failed, format!("{status:?}")),
    };
    if stop == Stop::Infeasible {
        return failed(stop, String::new());
    }
    let has_values = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    let n_nodes = solved.int_info_value(c"mip_node_count").unwrap_or(0);
    End {
        stop,
        values: has_values.then(|| solved.get_solution().columns().to_vec()),
        bound: solved.double_info_value(c"mip_dual_bound").ok(),
        n_nodes: u64::try_from(n_nodes).unwrap_or(0),
        message: String::new(),
    }
}
