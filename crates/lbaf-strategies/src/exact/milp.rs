// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Milp`: an optimal placement by mixed-integer programming.

use lbaf_milp::{Form, Formulated, FormulationError, ProgramSize};
use lbaf_model::{Assignment, Work, best_lower_bound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::exact::brute_force::{Candidate, Known, Start, better, unproven, value};
use crate::parameters::parameters;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod end;
#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod scaled;
mod solve;

use end::{End, Limits, Stop};

/// Relative tolerance of a proof: a millionth for the integrality tolerance of solutions, and a millionth by which the
/// bound of a solver may be too high.
const PROOF: f64 = 2e-6;

/// Finds a placement of the migratable objects with the least maximum work by mixed-integer programming.
///
/// If the solver stops before it proves that its placement is optimal, the largest possible distance from the
/// optimum is reported.
///
/// **When to use it.** On small cases, together with `BruteForce`, which mostly completes faster. `Milp` gives a
/// second, independent proof. Where a proof takes too long, it gives the distance from the optimum, because a
/// solver has a lower bound at any time. `lbaf milp CONFIG --format lp` writes larger programs to a file for
/// other solvers.
///
/// **Algorithm.** Binary variables assign each object to a rank; further variables express the cost of
/// communication and blocks. The program minimizes the maximum work within all bounds of the work model. The
/// solver starts from the better of the initial placement and the placement of `Greedy`, after exchanges that
/// reduce the work of the critical rank. The result is never worse than this start. As for every strategy, the
/// work of a result is computed by the work model, not by the solver. Finally, objects return to their initial
/// ranks as far as the maximum work stays the same.
///
/// **Accuracy of proofs.** The reported lower bound is the bound of the solver, lowered by its tolerance of about a
/// millionth. A placement counts as optimal if its maximum work is at most a relative 2e-6 above the lower bound. If
/// the solver finds a placement with less than half the work of the start, but no proof, the program is scaled to the
/// work of this placement and solved again, because solvers are inaccurate if numbers differ by orders of magnitude.
/// Without a time limit, the result is the same in every run. A result that was cut off by `time_limit` depends on
/// the machine; a note reports this.
///
/// **Bounds.** The program contains all bounds of ranks and nodes. A bound on `homed_blocks_ratio` is an error,
/// because it is not linear. If the program is infeasible, no placement is within the bounds, and the start is
/// returned.
///
/// **Cost.** Exponential. The program has a binary column for each pair of an object and a rank. A program with
/// more than `max_columns` columns, which would take hours, is not solved. The result is then the start.
/// Exchanges are left out if there are more than 2000 objects or more than 262144 pairs of an object and a
/// rank. The summary (`proven`), the console and a note report whether a result is proven to be optimal or
/// within `gap`; `require_proof` makes an unproven result an error.
///
/// **Reference.** J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv
/// 2404.16793. `comcp` and `fwmp` are the programs of this paper. `compact` keeps only those columns that
/// express the communication that stays on a rank, so it is smaller and its linear relaxation is tighter.
///
/// **Other implementations.** The scripts of the paper need Python, `PuLP`, a solver, and a single phase with
/// consecutive ids. LBAF and vt have no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Milp {
    /// Solver of the program (microlp).
    pub solver: MilpSolver,
    /// Formulation of the program (compact).
    pub formulation: MilpFormulation,
    /// Keeps the migratable objects of a block together on one rank (false).
    pub whole_clusters: bool,
    /// Stops once the maximum work is proven to be within this fraction of the optimum, such as 0.01 for 1 %
    /// (0).
    pub gap: f64,
    /// Maximum number of nodes of the search tree. The solver then stops with the best placement found and its
    /// distance from the proven bound (10000).
    pub max_nodes: u64,
    /// Stops after this number of seconds; a result that was cut off differs between machines. If a solution
    /// violates a bound by rounding, or is far better than the start, the solver runs again with the same time
    /// limit (null: no limit).
    pub time_limit: Option<f64>,
    /// Maximum number of columns of a program to solve. A program has one column for each pair of a rank and an
    /// object or cluster, and one for each pair of a rank and an edge or block that the work model counts
    /// (2000).
    pub max_columns: u64,
    /// Refuses phases whose result is not proven to be optimal, or within `gap` of the optimum, instead of returning
    /// the best known placement (false).
    pub require_proof: bool,
}

/// Solvers of mixed-integer programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilpSolver {
    /// Written in Rust and always available: for a dozen objects on a few ranks, or more if only load counts.
    #[default]
    Microlp,
    /// Faster, written in C++; available only if lbaf was built with `--features highs`.
    Highs,
}

/// Formulations of the placement problem as a mixed-integer program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilpFormulation {
    /// Covers every work model, with the fewest columns.
    #[default]
    Compact,
    /// Formulation COMCP of the paper, for load and memory only; work models with communication or homing costs
    /// are refused.
    Comcp,
    /// Formulation FWMP of the paper, which adds communication: columns for every edge and every pair of ranks.
    Fwmp,
}

impl From<MilpFormulation> for Form {
    fn from(formulation: MilpFormulation) -> Self {
        match formulation {
            MilpFormulation::Compact => Form::Compact,
            MilpFormulation::Comcp => Form::Comcp,
            MilpFormulation::Fwmp => Form::Fwmp,
        }
    }
}

impl Default for Milp {
    fn default() -> Self {
        Milp {
            solver: MilpSolver::default(),
            formulation: MilpFormulation::default(),
            whole_clusters: false,
            gap: 0.0,
            max_nodes: 10_000,
            time_limit: None,
            max_columns: 2000,
            require_proof: false,
        }
    }
}

impl Strategy for Milp {
    fn name(&self) -> &'static str {
        "Milp"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn repairs_bounds(&self) -> bool {
        true
    }

    fn time_limit(&self) -> Option<f64> {
        self.time_limit
    }

    fn formulation(&self) -> Option<Form> {
        Some(self.formulation.into())
    }

    fn keeps_blocks_whole(&self) -> bool {
        self.whole_clusters
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        self.check()?;
        let size =
            ProgramSize::of(problem.phase, problem.model, self.formulation.into(), self.whole_clusters);
        if size.n_units == 0 || size.n_ranks == 0 {
            return Ok(Outcome { is_proven: Some(true), ..Outcome::at_once(problem.initial.clone()) });
        }
        Formulated::check(problem.model, self.formulation.into()).map_err(|error| self.refusal(&error))?;
        if size.n_variables > self.max_columns {
            return self.unsolved(problem, context, size);
        }
        let start = Start::new(problem, context, self.whole_clusters)?;
        if start.best.is_proven {
            let (work, assignment) =
                start.near_initial((start.best.work, start.best.assignment.clone()), context.cancel());
            context.check()?;
            let note = self.note(problem, work, "the start reaches a lower bound, so no program was solved");
            return Ok(Outcome { is_proven: Some(true), notes: vec![note], ..Outcome::at_once(assignment) });
        }
        let (best, mut end) = self.search(problem, &start, context.cancel())?;
        if !best.0.is_over_bound() && end.bound.is_some_and(|bound| bound > best.0.cost() * (1.0 + PROOF)) {
            let message = "its proven bound contradicts the placement that it found".to_owned();
            end = End { stop: Stop::Failed, bound: None, message, ..end };
        }
        let (work, assignment) = start.near_initial(best, context.cancel());
        context.check()?;
        let proof = self.proof(problem, work, &end);
        let is_proven = is_proven(work, least(problem, &end), self.gap, end.stop);
        if !is_proven && self.require_proof {
            let message = format!(
                "phase {}: {proof}; the maximum work is {work}: raise the limit, or accept the result by `require_proof: false`",
                problem.phase.id()
            );
            return Err(StrategyError::Parameters { strategy: self.name(), message });
        }
        let bound = end.bound.filter(|_| !work.is_over_bound());
        Ok(Outcome {
            // The bound of the solver may exceed the work of the result by its tolerance.
            proven_bound: bound.map(|bound| bound.min(work.cost())),
            is_proven: Some(is_proven),
            notes: vec![self.note(problem, work, &proof)],
            ..Outcome::at_once(assignment)
        })
    }
}

impl Milp {
    /// Returns the best placement found, which may be the start, and the result of the solver. Programs are scaled to
    /// the work of the start. If the work of the placement is far smaller, the solver is inaccurate. Unless there is
    /// a proof or a limit was reached, the program is then scaled to this work and solved again.
    fn search(
        &self,
        problem: &Problem<'_>,
        start: &Start<'_>,
        cancel: &Cancel,
    ) -> Result<(Candidate, End), StrategyError> {
        /// The program is scaled again if the best work before the solution exceeds the best work after it by this
        /// factor.
        const FAR: f64 = 2.0;
        // Solvers measure the gap relative to their result; `gap` is relative to the optimum.
        let gap = self.gap / (1.0 + self.gap);
        let mut limits = Limits { gap, max_nodes: self.max_nodes, seconds: self.time_limit };
        let keeps_bounds = |found: &Assignment| !start.max_work(found).is_over_bound();
        let (mut best, mut before) = ((start.best.work, start.best.assignment.clone()), None);
        loop {
            // Costs above the best known work cannot be part of a better placement, so they need not be exact.
            let known = if best.0.is_over_bound() { f64::INFINITY } else { best.0.cost() };
            let formulated = self.formulated(problem, known)?;
            let mut end = solve::solve(self.solver, &formulated, &best, limits, keeps_bounds, cancel)
                .map_err(|message| StrategyError::Parameters { strategy: self.name(), message })?;
            cancel.check()?;
            if let Some(values) = &end.values {
                let found = formulated.placement_of_values(values);
                best = better(best, (start.max_work(&found), found));
            }
            limits.max_nodes = limits.max_nodes.saturating_sub(end.n_nodes);
            if let Some(before) = before {
                end = end.after(&before);
            }
            let work = best.0.cost();
            let is_far = !best.0.is_over_bound() && work * FAR < known;
            let is_proven = end.bound.is_some_and(|bound| work <= bound * (1.0 + self.gap + PROOF));
            let may_go_on = matches!(end.stop, Stop::Complete | Stop::Gap) && limits.max_nodes > 0;
            if !is_far || is_proven || !may_go_on {
                return Ok((best, end));
            }
            before = Some(end);
        }
    }

    /// Formulates the program, which is exact for placements with at most the given work.
    fn formulated<'a>(&self, problem: &Problem<'a>, most: f64) -> Result<Formulated<'a>, StrategyError> {
        let placed = (problem.phase, problem.initial, problem.keys);
        let (form, whole_clusters) = (self.formulation.into(), self.whole_clusters);
        Formulated::with_at_most(most, placed, problem.model, form, whole_clusters)
            .map_err(|error| self.refusal(&error))
    }

    fn refusal(&self, error: &FormulationError) -> StrategyError {
        StrategyError::Parameters { strategy: self.name(), message: error.to_string() }
    }

    fn check(&self) -> Result<(), StrategyError> {
        let refused = |key: &str, message: &str| {
            let (key, message) = (key.to_owned(), message.to_owned());
            Err(StrategyError::Parameter { strategy: self.name(), key, message })
        };
        if !(0.0..1.0).contains(&self.gap) {
            return refused("gap", &format!("must be at least 0 and below 1, not {}", self.gap));
        }
        if let Some(seconds) = self.time_limit.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return refused("time_limit", &format!("must be a number of seconds above 0, not {seconds}"));
        }
        if self.solver == MilpSolver::Highs && !cfg!(feature = "highs") {
            return refused(
                "solver",
                "this lbaf was built without HiGHS; build it with `--features highs`, use microlp, or write the \
                 program for HiGHS with `lbaf milp CONFIG --format lp`",
            );
        }
        Ok(())
    }

    fn note(&self, problem: &Problem<'_>, work: Work, proof: &str) -> String {
        format!("phase {}: {}: {}; {proof}", problem.phase.id(), self.name(), value(work))
    }

    /// Describes the end of the solver for a note.
    fn proof(&self, problem: &Problem<'_>, work: Work, end: &End) -> String {
        let among = if self.whole_clusters { " that keeps clusters whole" } else { "" };
        let solver = self.solver.name();
        let nodes = if end.n_nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", end.n_nodes) };
        let least = least(problem, end);
        let gap = || {
            if work.is_over_bound() {
                return format!("it found no placement{among} within the bounds");
            }
            // Round up, so that the reported gap is never too small.
            let percent = (1e5 * (work.cost() / least - 1.0).max(0.0)).ceil() / 1e3;
            if least > 0.0 {
                format!(
                    "no placement{among} has less maximum work than {least}, so this one is within \
                     {percent} % of the optimum"
                )
            } else {
                format!("no lower bound on the maximum work of a placement{among} is known")
            }
        };
        match end.stop {
            Stop::Infeasible => format!("{solver} proved that no placement{among} is within the bounds"),
            Stop::Complete if work.is_over_bound() => {
                format!(
                    "{solver} searched {nodes} and found no placement{among} that is exactly within \
                     the bounds"
                )
            }
            Stop::Complete if work.cost() <= least * (1.0 + PROOF) => {
                format!(
                    "{solver} proved in {nodes} that no placement{among} has less maximum work, up \
                     to a relative tolerance of 2e-6"
                )
            }
            Stop::Complete => format!("{solver} stopped at its tolerance after {nodes}: {}", gap()),
            Stop::Gap => format!("{solver} reached the gap after {nodes}: {}", gap()),
            Stop::Nodes => format!("{solver} stopped at `max_nodes` after {nodes}: {}", gap()),
            Stop::Time => format!(
                "{solver} stopped at `time_limit` after {nodes}: {}; another run may end differently",
                gap()
            ),
            Stop::Failed => {
                format!("{solver} failed after {nodes} ({}) and proved nothing", end.message)
            }
        }
    }

    /// Returns the outcome for a program that is too large to solve.
    fn unsolved(
        &self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
        size: ProgramSize,
    ) -> Result<Outcome, StrategyError> {
        let phase = problem.phase.id();
        let why = format!(
            "more than `max_columns` ({}), the limit for {}; `lbaf milp CONFIG --format lp` writes the \
             program for another solver, and `lbaf milp CONFIG --solution FILE` reads its solution",
            self.max_columns,
            self.solver.name(),
        );
        if self.require_proof {
            let message = format!("the {size} in phase {phase}, {why}");
            return Err(StrategyError::Parameters { strategy: self.name(), message });
        }
        let Known { work, assignment, is_proven } =
            Known::without_search(problem, context, self.whole_clusters)?;
        let proof = if is_proven {
            "it reaches a lower bound, so no program was solved".to_owned()
        } else {
            unproven(problem, &format!("the {size}, {why}"))
        };
        let notes = vec![self.note(problem, work, &proof)];
        Ok(Outcome { is_proven: Some(is_proven), notes, ..Outcome::at_once(assignment) })
    }
}

/// True if a result is proven. This is so if the solver proved that no placement is within the bounds, or if `work`
/// is within bounds and, up to [`PROOF`], within `gap` of `least`, a lower bound on the maximum work. False after a
/// failure of the solver. A gap reported by a solver is not a proof, because it applies to scaled numbers.
fn is_proven(work: Work, least: f64, gap: f64, stop: Stop) -> bool {
    match stop {
        Stop::Infeasible => true,
        Stop::Complete | Stop::Gap | Stop::Nodes | Stop::Time => {
            !work.is_over_bound() && work.cost() <= least * (1.0 + gap + PROOF)
        }
        Stop::Failed => false,
    }
}

/// Returns a lower bound on the maximum work of every placement that the program allows, given the result of a
/// solver.
fn least(problem: &Problem<'_>, end: &End) -> f64 {
    let known = best_lower_bound(problem.phase, problem.model).work;
    end.bound.map_or(known, |bound| bound.max(known))
}

impl MilpSolver {
    fn name(self) -> &'static str {
        match self {
            MilpSolver::Microlp => "microlp",
            MilpSolver::Highs => "HiGHS",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_reported_by_a_solver_needs_a_bound_that_proves_it() {
        let reached = |work, least| is_proven(work, least, 0.1, Stop::Gap);
        assert!(reached(Work::within(1.1), 1.0));
        // The scaled numbers of the solver may differ from the actual works.
        assert!(!reached(Work::within(1.2), 1.0));
        assert!(!reached(Work::within(1.0), 0.0));
        assert!(!reached(Work::with_excess(1.0, 0.5), 1.0));
        assert!(!is_proven(Work::within(1.0), 1.0, 0.1, Stop::Failed));
        assert!(is_proven(Work::with_excess(1.0, 0.5), 0.0, 0.1, Stop::Infeasible));
    }
}
