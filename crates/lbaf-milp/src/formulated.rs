// SPDX-License-Identifier: MIT OR Apache-2.0
//! A problem formulated as a program, with the meaning of its variables.

use lbaf_model::{
    Assignment, BoundScope, ObjectKey, OnRankVolume, Phase, RankId, RankQuantity, UpperBound, WorkModel,
    WorkTerms, best_lower_bound, ranks_by_node,
};

use crate::communication::{Counting, Volumes, volumes};
use crate::error::{FormulationError, SolutionError};
use crate::expression::Expression;
use crate::form::Form;
use crate::program::{Constraint, Program, Relation, VariableId};
use crate::quantity::Contents;
use crate::solution::Solution;
use crate::units::Units;

/// Relative margin by which a program reduces a lower bound on the work, because program and bound add up terms in
/// different orders.
const ROUNDING: f64 = 1e-9;

/// Mixed-integer program of a phase and a work model. An optimal solution is a placement with the least maximum work
/// within the upper bounds of the model.
///
/// J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv 2404.16793, section on
/// mixed-integer programs. The objective of an optimal solution equals the largest work that
/// [`works`](lbaf_model::works) computes for its placement. Unlike the paper, the program includes the alpha of each
/// rank, communication with ranks themselves, and non-migratable objects, which need no variables. Objects that must
/// stay together share the variables of the first of them. The largest working memory on a rank is a separate variable;
/// the paper has a constraint for every object.
///
/// The number of variables and coefficients is O(ranks x (objects + edges + blocks)), or O(ranks x (objects + ranks x
/// edges + blocks)) for [`Form::Fwmp`].
pub struct Formulated<'a> {
    initial: &'a Assignment,
    units: Units,
    /// Variables `chi`, by unit and by rank.
    chi: Vec<Vec<VariableId>>,
    program: Program,
}

impl<'a> Formulated<'a> {
    /// Formulates a problem: a phase, its initial placement, and the keys of all objects of the data set, which give
    /// the names of variables. With `whole_clusters`, all migratable objects of a block stay together.
    ///
    /// # Errors
    /// If there are no migratable objects or no ranks, or if the formulation cannot express a part of the model.
    pub fn new(
        placed: (&Phase, &'a Assignment, &[ObjectKey]),
        model: &dyn WorkModel,
        form: Form,
        whole_clusters: bool,
    ) -> Result<Self, FormulationError> {
        Formulated::with_at_most(f64::INFINITY, placed, model, form, whole_clusters)
    }

    /// Returns the terms of a work model that this formulation can express for any phase.
    ///
    /// # Errors
    /// If the formulation cannot express a part of the model.
    pub fn check(model: &dyn WorkModel, form: Form) -> Result<WorkTerms, FormulationError> {
        let terms = model.terms().ok_or(FormulationError::Model { model: model.name() })?;
        check(form, &terms, model.bounds())?;
        match model.bounds().iter().find(|bound| bound.quantity == RankQuantity::HomedBlocksRatio) {
            Some(bound) => Err(FormulationError::Quantity { quantity: bound.quantity.name() }),
            None => Ok(terms),
        }
    }

    /// Formulates a problem for placements with a maximum work of at most `work`. A limit that is not positive is
    /// ignored.
    ///
    /// The program may understate the work of worse placements, but never below `work`: an edge or a block away from
    /// home that alone costs more than twice `work` counts as twice `work`. So coefficients have a similar size, as
    /// solvers need, even if communication or homing costs far more than load.
    ///
    /// # Errors
    /// As for [`Formulated::new`].
    pub fn with_at_most(
        work: f64,
        (phase, initial, keys): (&Phase, &'a Assignment, &[ObjectKey]),
        model: &dyn WorkModel,
        form: Form,
        whole_clusters: bool,
    ) -> Result<Self, FormulationError> {
        let terms = Formulated::check(model, form)?;
        let aspects = model.aspects();
        let units = Units::new(phase, initial, keys, whole_clusters);
        if units.units.is_empty() || phase.n_ranks() == 0 {
            return Err(FormulationError::Empty);
        }
        let least = match form {
            Form::Compact => best_lower_bound(phase, model).work * (1.0 - ROUNDING),
            Form::Comcp | Form::Fwmp => 0.0,
        };
        let mut program = Program::minimizing("W", least.max(0.0));
        let most_bytes = |seconds_per_byte: f64| {
            if seconds_per_byte > 0.0 && work > 0.0 { 2.0 * work / seconds_per_byte } else { f64::INFINITY }
        };
        let chi = place(&mut program, &units, phase.n_ranks());
        let volumes = if aspects.communication {
            let on_rank_costs = terms.on_rank > 0.0;
            let [most_off_rank, most_on_rank] = [terms.off_rank, terms.on_rank].map(most_bytes);
            let counting = Counting { form, on_rank_costs, most_off_rank, most_on_rank };
            volumes(&mut program, phase, &units, &chi, counting)
        } else {
            Vec::new()
        };
        let mut contents = Contents::new(phase, initial, &units, &chi, volumes);
        if aspects.homing || aspects.memory {
            contents.count_blocks(&mut program, form.is_all_binary());
        }
        works(&mut program, phase, &terms, &contents, most_bytes(terms.homing));
        for (number, bound) in model.bounds().iter().enumerate() {
            keep(&mut program, phase, bound, number, &mut contents)?;
        }
        program.comments = comments(phase, model, form, whole_clusters);
        Ok(Formulated { initial, units, chi, program })
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns a placement as lines `name value`, the format of MIP starts (`.mst`) of Gurobi. It contains only the
    /// variables `chi`, which place objects; solvers compute the others.
    pub fn start(&self, assignment: &Assignment) -> String {
        let variables = &self.program().variables;
        let line = |(variable, value): (VariableId, f64)| format!("{} {value}\n", variables[variable.0].name);
        let lines = self.values_of_placement(assignment).into_iter().map(line);
        std::iter::once("# MIP start\n".to_owned()).chain(lines).collect()
    }

    /// Returns the placement of a solution.
    ///
    /// # Errors
    /// If an object has no rank or two ranks in the solution.
    pub fn placement(&self, answer: &Solution) -> Result<Assignment, SolutionError> {
        let mut assignment = self.initial.clone();
        for (unit, variables) in self.units.units.iter().zip(&self.chi) {
            let name = |variable: VariableId| self.program.variables[variable.0].name.clone();
            let mut found = None;
            for (rank, &variable) in variables.iter().enumerate() {
                let Some(value) = answer.value(variable).filter(|value| value.value > 0.5) else { continue };
                if let Some((_, first)) = found {
                    let (object, line) = (unit.name.clone(), value.line);
                    return Err(SolutionError::TwoRanks {
                        object,
                        first: name(first),
                        second: name(variable),
                        line,
                    });
                }
                found = Some((rank, variable));
            }
            let Some((rank, _)) = found else {
                let variables = format!("chi_*_{}", unit.name);
                return Err(SolutionError::NoRank { object: unit.name.clone(), variables });
            };
            for &slot in &unit.slots {
                assignment.set(slot, RankId::from(rank));
            }
        }
        Ok(assignment)
    }

    /// Returns the placement that values of all variables encode: every object is on the rank whose variable has the
    /// largest value, the lowest rank in a tie.
    pub fn placement_of_values(&self, values: &[f64]) -> Assignment {
        let mut assignment = self.initial.clone();
        for (unit, variables) in self.units.units.iter().zip(&self.chi) {
            let mut best = 0;
            for (rank, variable) in variables.iter().enumerate() {
                if values[variable.0] > values[variables[best].0] {
                    best = rank;
                }
            }
            for &slot in &unit.slots {
                assignment.set(slot, RankId::from(best));
            }
        }
        assignment
    }

    /// Returns the values of the variables `chi` for a placement, as a start for solvers.
    pub fn values_of_placement(&self, assignment: &Assignment) -> Vec<(VariableId, f64)> {
        let of_unit = |(unit, variables): (&crate::units::Unit, &Vec<VariableId>)| {
            let here = assignment.rank_of(unit.slots[0]).index();
            let value =
                move |(rank, &variable): (usize, &VariableId)| (variable, f64::from(u8::from(rank == here)));
            variables.iter().enumerate().map(value).collect::<Vec<_>>()
        };
        self.units.units.iter().zip(&self.chi).flat_map(of_unit).collect()
    }
}

/// Returns an error if the formulation has no variables for a cost or an upper bound of the model.
fn check(form: Form, terms: &WorkTerms, bounds: &[UpperBound]) -> Result<(), FormulationError> {
    if form != Form::Comcp {
        return Ok(());
    }
    let costs = [
        ("communication between ranks (beta)", terms.off_rank),
        ("communication on ranks (gamma)", terms.on_rank),
        ("blocks away from home (delta)", terms.homing),
    ];
    let cost = costs.into_iter().find(|&(_, factor)| factor > 0.0);
    let cost = cost.map(|(what, factor)| format!("{what}, which costs {factor} seconds per byte"));
    let bound = bounds.iter().find(|bound| bound.quantity.aspects().communication);
    let what = cost.or_else(|| bound.map(|bound| format!("an upper bound on `{}`", bound.quantity)));
    what.map_or(Ok(()), |what| Err(FormulationError::Form { form, what, instead: "`fwmp` or `compact`" }))
}

/// Adds the constraints that every unit is on exactly one rank, and returns the variables `chi`.
fn place(program: &mut Program, units: &Units, n_ranks: usize) -> Vec<Vec<VariableId>> {
    let mut chi = Vec::with_capacity(units.units.len());
    for unit in &units.units {
        let variables: Vec<VariableId> =
            (0..n_ranks).map(|rank| program.binary(format!("chi_{rank}_{}", unit.name))).collect();
        let terms = variables.iter().map(|&variable| (variable, 1.0)).collect();
        program.constraints.push(Constraint {
            name: format!("place_{}", unit.name),
            terms,
            relation: Relation::Equal,
            rhs: 1.0,
        });
        chi.push(variables);
    }
    chi
}

/// Adds the constraints that no rank has more work than the objective. If work contains the larger of two volumes,
/// there is a constraint for each of them. A block away from home counts with at most `most_away` bytes.
fn works(program: &mut Program, phase: &Phase, terms: &WorkTerms, contents: &Contents<'_>, most_away: f64) {
    for rank in phase.rank_ids() {
        let mut base = Expression::constant(terms.constant);
        base.add_multiple(terms.load * phase.ranks()[rank.index()].alpha, &contents.load(rank));
        if terms.homing > 0.0 {
            base.add_multiple(terms.homing, &contents.homing(rank, most_away));
        }
        base.add(-1.0, Program::OBJECTIVE);
        for (name, constraint) in alternatives(base, terms, contents.volumes(rank)) {
            program.constraints.push(constraint.constraint(format!("work{name}_{rank}"), Relation::AtMost));
        }
    }
}

/// Returns the expressions that must be at most 0, with their names. Each is `base` plus the cost of volumes; there is
/// one for each choice of the larger volume.
fn alternatives(base: Expression, terms: &WorkTerms, volumes: Option<&Volumes>) -> Vec<(String, Expression)> {
    let mut all = vec![(String::new(), base)];
    let Some(volumes) = volumes else { return all };
    let mut split = |factor: f64, choices: [(&str, &Expression); 2]| {
        if factor > 0.0 && choices[0].1 != choices[1].1 {
            let each = all.iter().flat_map(|(name, expression)| {
                choices.map(|(choice, volume)| {
                    let mut expression = expression.clone();
                    expression.add_multiple(factor, volume);
                    (format!("{name}_{choice}"), expression)
                })
            });
            all = each.collect();
        } else if factor > 0.0 {
            for (_, expression) in &mut all {
                expression.add_multiple(factor, choices[0].1);
            }
        }
    };
    split(terms.off_rank, [("sent", &volumes.sent), ("received", &volumes.received)]);
    if terms.on_rank_volume == OnRankVolume::Vt {
        split(terms.on_rank, [("to_rank", &volumes.to_rank), ("from_rank", &volumes.from_rank)]);
    }
    if terms.on_rank > 0.0 {
        for (_, expression) in &mut all {
            expression.add_multiple(terms.on_rank, &volumes.on_rank);
        }
    }
    all
}

/// Adds the constraints of an upper bound for every rank or node.
fn keep(
    program: &mut Program,
    phase: &Phase,
    bound: &UpperBound,
    number: usize,
    contents: &mut Contents<'_>,
) -> Result<(), FormulationError> {
    let (what, places): (&str, Vec<Vec<usize>>) = match bound.scope {
        BoundScope::Rank => ("rank", (0..phase.n_ranks()).map(|rank| vec![rank]).collect()),
        BoundScope::Node => ("node", ranks_by_node(phase)),
    };
    for (place, ranks) in places.iter().enumerate().filter(|(_, ranks)| !ranks.is_empty()) {
        let mut sum = Expression::constant(-bound.limit);
        for &rank in ranks {
            sum.add_multiple(1.0, &contents.quantity(program, bound.quantity, RankId::from(rank))?);
        }
        let name = format!("bound{number}_{}_{what}_{place}", bound.quantity);
        program.bound_constraints.push(program.constraints.len());
        program.constraints.push(sum.constraint(name, Relation::AtMost));
    }
    Ok(())
}

fn comments(phase: &Phase, model: &dyn WorkModel, form: Form, whole_clusters: bool) -> Vec<String> {
    let mut comments = vec![
        format!("Phase {}, work model {}, formulation {form}.", phase.id(), model.name()),
        "W is the largest work of a rank. chi_I_K is 1 if object K is on rank I.".to_owned(),
    ];
    if whole_clusters {
        comments.push(
            "Objects of a block stay together: the columns of its first object place all of them.".to_owned(),
        );
    }
    comments
}
