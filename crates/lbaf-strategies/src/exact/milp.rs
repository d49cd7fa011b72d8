// SPDX-License-Identifier: MIT OR Apache-2.0
//! The best arrangement by a mixed-integer program.

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

/// Relative distance from a bound of a solver up to which work is proven: a millionth by which solutions miss whole numbers, and another by
/// which bounds may be too high.
const PROOF: f64 = 2e-6;

/// Finds an arrangement of the objects that may migrate by a mixed-integer program whose answer no other arrangement
/// beats, and says how far from the best it may be where the solver does not get that far.
///
/// **When to use it.** On small cases, beside `BruteForce`, which is mostly faster where it gets to an end: for a second
/// proof, and for the distance from the best where a proof takes too long, because a solver has a bound at any time.
/// What is too large for the solvers here is written to a file for others by `lbaf milp CONFIG --format lp`.
///
/// **How.** The program says for every object which rank it is on, and from that what communication and blocks cost;
/// the largest work is made small, within all bounds of the work model. It starts from the better of the initial
/// placement and Greedy's, after exchanges that help the rank of most work, and never ends above it. A result is
/// judged by its work as all strategies' are, not by what the solver says. Of what is found objects go back to where
/// they were as far as the maximum work stays the same.
///
/// **What is proven** holds up to the tolerance of solvers: their bound, less a millionth of it. Where bytes outweigh
/// seconds by far the program is written again with what was found, until numbers are near each other. Without limits in
/// time a result is the same in every run; with `time_limit`, one that was cut by it depends on the machine, and a note
/// says so.
///
/// **Bounds.** All of them, of ranks and nodes, but that on `homed_blocks_ratio`, which is not linear: it is refused.
/// If the program has no solution no arrangement keeps the bounds; then the start is returned.
///
/// **Cost.** Exponential. The program has a binary column for every object and rank. Programs of more than `max_columns`
/// columns, which would take hours, are not solved: the result is the start then, without exchanges if there are more than
/// 2000 objects. The summary (`proven`), the console and a note say of a result whether it is proven to be the best, or within
/// `gap`; `require_proof` refuses it if it is not.
///
/// **Reference.** J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv
/// 2404.16793: `comcp` and `fwmp` are its programs. `compact` has only those of its columns that say what stays on a
/// rank, which is less to write and nearer to whole numbers.
///
/// **Other implementations.** The paper's scripts are for Python, `PuLP` and a solver beside it, one phase of data
/// with consecutive ids. LBAF and vt have no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Milp {
    /// Who solves the program (microlp).
    pub solver: MilpSolver,
    /// How it is written down (compact).
    pub formulation: MilpFormulation,
    /// Objects of one block that may migrate stay together (false).
    pub whole_clusters: bool,
    /// Stop when the maximum work is proven to be this near the best, as a part of it: 0.01 for 1 % (0).
    pub gap: f64,
    /// Nodes of the search tree, not of the machine: stop after so many, with the best that was found and its
    /// distance from what is proven (10000).
    pub max_nodes: u64,
    /// Stop after so many seconds; a result that this cut is not the same on every machine. A solver that misses a bound
    /// by rounding, or finds far better than was known, is asked again, with as many seconds (null: never).
    pub time_limit: Option<f64>,
    /// Do not solve programs with more columns: one for each rank and object, or cluster; where they count, one for each
    /// rank and edge or block (2000).
    pub max_columns: u64,
    /// Refuse phases in which limits leave open whether the result is the best, or within `gap` of it, instead of giving
    /// the best arrangement known (false).
    pub require_proof: bool,
}

/// Programs that solve programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilpSolver {
    /// In pure Rust, always there: for a dozen objects on a few ranks, more where load alone costs.
    #[default]
    Microlp,
    /// Stronger, in C++; only where lbaf was built with `--features highs`.
    Highs,
}

/// Ways of writing the same problem down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilpFormulation {
    /// Everything, with the fewest columns.
    #[default]
    Compact,
    /// The paper's, for load and memory alone; work models with communication or homing costs are refused.
    Comcp,
    /// The paper's with communication: columns for every edge and every two ranks.
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

    fn draws(&self) -> bool {
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
            let note =
                self.note(problem, work, "the start reaches a lower bound, so nothing was left to solve");
            return Ok(Outcome { is_proven: Some(true), notes: vec![note], ..Outcome::at_once(assignment) });
        }
        let (best, mut end) = self.search(problem, &start, context.cancel())?;
        if !best.0.is_over_bound() && end.bound.is_some_and(|bound| bound > best.0.cost() * (1.0 + PROOF)) {
            let message = "what it proved is not true of what was found".to_owned();
            end = End { stop: Stop::Failed, bound: None, message, ..end };
        }
        let (work, assignment) = start.near_initial(best, context.cancel());
        context.check()?;
        let proof = self.proof(problem, work, &end);
        let is_proven = is_proven(work, least(problem, &end), self.gap, end.stop);
        if !is_proven && self.require_proof {
            let message = format!(
                "phase {}: {proof}; the maximum work is {work}: raise the limit, or take the result without `require_proof`",
                problem.phase.id()
            );
            return Err(StrategyError::Parameters { strategy: self.name(), message });
        }
        let bound = end.bound.filter(|_| !work.is_over_bound());
        Ok(Outcome {
            // Not above what was found, whatever the solver's tolerance.
            proven_bound: bound.map(|bound| bound.min(work.cost())),
            is_proven: Some(is_proven),
            notes: vec![self.note(problem, work, &proof)],
            ..Outcome::at_once(assignment)
        })
    }
}

impl Milp {
    /// The best that is found. If that is far better than what was known before, it is too small for the solver in units
    /// of what was known: then the program is written again in units of what was found, and solved from there.
    fn search(
        &self,
        problem: &Problem<'_>,
        start: &Start<'_>,
        cancel: &Cancel,
    ) -> Result<(Candidate, End), StrategyError> {
        /// How far is far.
        const FAR: f64 = 2.0;
        // Solvers measure a gap as a part of what they found, and here it is one of the best.
        let gap = self.gap / (1.0 + self.gap);
        let mut limits = Limits { gap, max_nodes: self.max_nodes, seconds: self.time_limit };
        let keeps_bounds = |found: &Assignment| !start.max_work(found).is_over_bound();
        let (mut best, mut before) = ((start.best.work, start.best.assignment.clone()), None);
        loop {
            // Nothing that costs more than what there is can be part of something better.
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

    /// The program of what has at most so much work.
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
            return refused("gap", &format!("a gap is a part from 0 to 1, not {}", self.gap));
        }
        if let Some(seconds) = self.time_limit.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return refused("time_limit", &format!("seconds are a number above 0, not {seconds}"));
        }
        if self.solver == MilpSolver::Highs && !cfg!(feature = "highs") {
            return refused(
                "solver",
                "this lbaf was built without HiGHS; build it with `--features highs`, take microlp, or write the \
                 program for HiGHS with `lbaf milp CONFIG --format lp`",
            );
        }
        Ok(())
    }

    fn note(&self, problem: &Problem<'_>, work: Work, proof: &str) -> String {
        format!("phase {}: {}: {}; {proof}", problem.phase.id(), self.name(), value(work))
    }

    /// Note on the end of the solver.
    fn proof(&self, problem: &Problem<'_>, work: Work, end: &End) -> String {
        let among = if self.whole_clusters { " that keeps clusters whole" } else { "" };
        let solver = format!("{} in {} nodes", self.solver.name(), end.n_nodes);
        let least = least(problem, end);
        let gap = || {
            if work.is_over_bound() {
                return format!("no arrangement{among} within the bounds was found");
            }
            // Not less than it is.
            let percent = (1e5 * (work.cost() / least - 1.0).max(0.0)).ceil() / 1e3;
            if least > 0.0 {
                format!("none{among} has less than {least}, so it is within {percent} % of the best")
            } else {
                format!("nothing is known of what others{among} have")
            }
        };
        match end.stop {
            Stop::Infeasible => {
                format!("no arrangement{among} keeps the bounds, as {} proved", self.solver.name())
            }
            Stop::Complete if work.is_over_bound() => {
                format!("{solver} found none{among} that keeps the bounds by more than its tolerance")
            }
            Stop::Complete if work.cost() <= least * (1.0 + PROOF) => {
                format!("none{among} has less, as {solver} proved but for two millionths")
            }
            Stop::Complete => format!("{solver} got as far as its tolerance lets it: {}", gap()),
            Stop::Gap => format!("{solver} reached the gap: {}", gap()),
            Stop::Nodes => format!("stopped at `max_nodes`, {solver}: {}", gap()),
            Stop::Time => {
                format!("stopped at `time_limit`, {solver}: {}; another run may end elsewhere", gap())
            }
            Stop::Failed => format!("{solver} failed ({}); nothing is proven by it", end.message),
        }
    }

    /// Outcome of a program that is too large.
    fn unsolved(
        &self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
        size: ProgramSize,
    ) -> Result<Outcome, StrategyError> {
        let phase = problem.phase.id();
        let why = format!(
            "more than the {} (`max_columns`) that {} may be expected to solve; `lbaf milp CONFIG --format lp` writes the \
             program for another solver, and `lbaf milp CONFIG --solution FILE` reads its answer",
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
            "it reaches a lower bound, so nothing was left to solve".to_owned()
        } else {
            unproven(problem, &format!("the {size}, {why}"))
        };
        let notes = vec![self.note(problem, work, &proof)];
        Ok(Outcome { is_proven: Some(is_proven), notes, ..Outcome::at_once(assignment) })
    }
}

/// True if no arrangement has less than `work` by more than the gap, where none has less than `least`; or if none keeps the
/// bounds. The word of a solver that it reached the gap is no proof: it speaks of its own numbers, in its own units.
fn is_proven(work: Work, least: f64, gap: f64, stop: Stop) -> bool {
    match stop {
        Stop::Infeasible => true,
        Stop::Complete | Stop::Gap | Stop::Nodes | Stop::Time => {
            !work.is_over_bound() && work.cost() <= least * (1.0 + gap + PROOF)
        }
        Stop::Failed => false,
    }
}

/// A maximum work that no arrangement is below, after a search.
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
    fn a_gap_that_a_solver_reached_is_no_proof_without_a_bound_that_says_so() {
        let reached = |work, least| is_proven(work, least, 0.1, Stop::Gap);
        assert!(reached(Work::within(1.1), 1.0));
        // The solver's numbers may be others than those that count.
        assert!(!reached(Work::within(1.2), 1.0));
        assert!(!reached(Work::within(1.0), 0.0));
        assert!(!reached(Work::with_excess(1.0, 0.5), 1.0));
        assert!(!is_proven(Work::within(1.0), 1.0, 0.1, Stop::Failed));
        assert!(is_proven(Work::with_excess(1.0, 0.5), 0.0, 0.1, Stop::Infeasible));
    }
}
