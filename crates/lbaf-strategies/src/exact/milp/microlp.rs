// SPDX-License-Identifier: MIT OR Apache-2.0
//! The solver microlp, written in Rust.

// A length of time; strategies use no clock.
use core::time::Duration;

use lbaf_milp::{Program, Relation, VariableId};
use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    TerminationReason, Variable,
};

use super::end::{End, Limits, Stop};
use super::scaled::Scaled;
use crate::Cancel;

/// Number of nodes between two polls for cancellation. The number has no effect on the search.
const SLICE: u64 = 8;

/// Solves a program. Polls for cancellation every [`SLICE`] nodes; a single linear program cannot be interrupted.
pub(super) fn solve(
    scaled: &Scaled<'_>,
    start: &[(VariableId, f64)],
    limits: Limits,
    cancel: &Cancel,
) -> End {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let unknowns = scaled.program.variables.iter().enumerate();
    let variables: Vec<Variable> = unknowns
        .map(|(at, unknown)| {
            let cost = f64::from(u8::from(VariableId(at) == Program::OBJECTIVE));
            if unknown.is_binary {
                problem.add_binary_var(cost)
            } else {
                problem.add_var(cost, scaled.bounds(at))
            }
        })
        .collect();
    for (terms, relation, rhs) in scaled.constraints() {
        let terms: Vec<(Variable, f64)> =
            terms.into_iter().map(|(at, factor)| (variables[at], factor)).collect();
        let comparison = match relation {
            Relation::AtMost => ComparisonOp::Le,
            Relation::AtLeast => ComparisonOp::Ge,
            Relation::Equal => ComparisonOp::Eq,
        };
        problem.add_constraint(&terms[..], comparison, rhs);
    }
    let mut options = SolveOptions::default();
    options.mip_gap = limits.gap;
    let mut nodes_left = limits.max_nodes;
    let mut slice = || {
        let slice = nodes_left.min(SLICE);
        nodes_left -= slice;
        slice
    };
    options.node_limit = Some(slice());
    let time_limit = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    options.time_limit = time_limit;
    options.warm_start = Some(start.iter().map(|&(VariableId(at), value)| (variables[at], value)).collect());
    let failed = |stop, message| End { stop, values: None, bound: None, n_nodes: 0, message };
    let mut outcome = problem.solve_with(options);
    while let Ok(paused) = &outcome
        && paused.termination_reason() == TerminationReason::NodeLimit
        && !cancel.is_cancelled()
    {
        let nodes = slice();
        if nodes == 0 {
            break;
        }
        let elapsed = paused.stats().elapsed;
        let mut options = ResumeOptions::default();
        options.node_limit = Some(nodes);
        options.mip_gap = Some(limits.gap);
        options.time_limit = time_limit.map(|limit| limit.saturating_sub(elapsed));
        outcome = outcome.and_then(|paused| paused.resume_with(options));
    }
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(Error::Infeasible) => return failed(Stop::Infeasible, String::new()),
        Err(error) => return failed(Stop::Failed, error.to_string()),
    };
    let stats = outcome.stats();
    let stop = match outcome.termination_reason() {
        TerminationReason::ProvenOptimal => Stop::Complete,
        TerminationReason::MipGap => Stop::Gap,
        TerminationReason::NodeLimit => Stop::Nodes,
        // The time limit. Reasons added by later versions of microlp also count as a time limit, because this reason
        // claims nothing about the solution.
        _ => Stop::Time,
    };
    let values = match &outcome {
        SolveOutcome::Solution(solution) => {
            Some(variables.iter().map(|&variable| solution.var_value(variable)).collect())
        }
        SolveOutcome::Interrupted(_) => None,
    };
    End { stop, values, bound: stats.best_bound, n_nodes: stats.nodes_solved, message: String::new() }
}
