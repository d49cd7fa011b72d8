// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks on ranks, and the largest working memory and serialized size of objects on a rank.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_model::{BlockIdx, ObjectMemory, Phase, RankId, Slot};

use crate::expression::Expression;
use crate::program::{Constraint, Program, Relation, Variable, VariableId};
use crate::units::Units;

/// Presence of blocks on ranks.
pub(crate) struct Blocks {
    /// By rank: blocks of sentinels, always present.
    fixed: Vec<BTreeSet<BlockIdx>>,
    /// By rank: the other possible blocks, and the variable that is 1 if the block is present.
    phi: Vec<Vec<(BlockIdx, VariableId)>>,
}

impl Blocks {
    /// Creates a variable for each rank and each block of migratable objects, unless a sentinel on the rank works on
    /// the block. The variable is 1 if an object of the block is on the rank, else 0.
    pub(crate) fn new(
        program: &mut Program,
        phase: &Phase,
        units: &Units,
        chi: &[Vec<VariableId>],
        sentinels: &[Vec<Slot>],
        is_binary: bool,
    ) -> Self {
        let block = |slot: &Slot| phase.memory(*slot).block;
        let fixed: Vec<BTreeSet<BlockIdx>> =
            sentinels.iter().map(|slots| slots.iter().filter_map(block).collect()).collect();
        let mut members: BTreeMap<BlockIdx, Vec<usize>> = BTreeMap::new();
        for (at, unit) in units.units.iter().enumerate() {
            let blocks: BTreeSet<BlockIdx> = unit.slots.iter().filter_map(block).collect();
            for block in blocks {
                members.entry(block).or_default().push(at);
            }
        }
        let mut phi = Vec::with_capacity(fixed.len());
        for (rank, fixed) in fixed.iter().enumerate() {
            let movable = members.iter().filter(|(block, _)| !fixed.contains(block));
            let variable = |(&block, units): (&BlockIdx, &Vec<usize>)| {
                let chi: Vec<VariableId> = units.iter().map(|&unit| chi[unit][rank]).collect();
                let name = format!("{rank}_{}", phase.blocks()[block.index()].id);
                (block, presence(program, &name, &chi, is_binary))
            };
            phi.push(movable.map(variable).collect());
        }
        Blocks { fixed, phi }
    }

    /// Returns the sum of `value` over the blocks on a rank. The argument of `value` is the position of a block in the
    /// phase.
    pub(crate) fn sum(&self, rank: RankId, value: impl Fn(usize) -> f64) -> Expression {
        let fixed = self.fixed[rank.index()].iter().map(|block| value(block.index())).sum();
        let mut sum = Expression::constant(fixed);
        for &(block, variable) in &self.phi[rank.index()] {
            sum.add(value(block.index()), variable);
        }
        sum
    }
}

/// Creates a variable that is 1 if at least one of the variables `chi` is 1, else 0. (Constraints 18 and 19 of the
/// paper.)
fn presence(program: &mut Program, name: &str, chi: &[VariableId], is_binary: bool) -> VariableId {
    let phi = program.variable(Variable { name: format!("phi_{name}"), lower: 0.0, upper: 1.0, is_binary });
    for (at, &chi) in chi.iter().enumerate() {
        let name = format!("block_{name}_with{at}");
        program.constraints.push(Constraint {
            name,
            terms: vec![(chi, -1.0), (phi, 1.0)],
            relation: Relation::AtLeast,
            rhs: 0.0,
        });
    }
    let mut terms: Vec<(VariableId, f64)> = chi.iter().map(|&chi| (chi, -1.0)).collect();
    terms.push((phi, 1.0));
    program.constraints.push(Constraint {
        name: format!("block_{name}"),
        terms,
        relation: Relation::AtMost,
        rhs: 0.0,
    });
    phi
}

/// One kind of memory size of objects: working memory or serialized size.
pub(crate) struct Sizes<'a> {
    pub(crate) phase: &'a Phase,
    pub(crate) units: &'a Units,
    pub(crate) of: fn(&ObjectMemory) -> f64,
}

impl Sizes<'_> {
    /// Returns the largest size of these objects; 0 without objects.
    fn largest(&self, slots: &[Slot]) -> f64 {
        slots.iter().map(|&slot| (self.of)(self.phase.memory(slot))).fold(0.0, f64::max)
    }
}

/// Largest size of the objects on each rank, as variables that are at least the size of each object. They need no
/// constraint from above: they occur only in upper bounds, where a larger value never helps.
pub(crate) struct Largest {
    what: &'static str,
    made: Vec<Option<Expression>>,
}

impl Largest {
    pub(crate) fn new(what: &'static str, n_ranks: usize) -> Self {
        Largest { what, made: vec![None; n_ranks] }
    }

    /// Returns the largest size on a rank.
    pub(crate) fn at(
        &mut self,
        program: &mut Program,
        rank: RankId,
        sizes: &Sizes<'_>,
        sentinels: &[Slot],
        chi: &[Vec<VariableId>],
    ) -> &Expression {
        let what = self.what;
        self.made[rank.index()].get_or_insert_with(|| {
            let least = sizes.largest(sentinels);
            let larger =
                sizes.units.units.iter().zip(chi).map(|(unit, chi)| (sizes.largest(&unit.slots), unit, chi));
            let larger: Vec<_> = larger.filter(|&(size, _, _)| size > least).collect();
            if larger.is_empty() {
                return Expression::constant(least);
            }
            let name = format!("{what}_{rank}");
            let variable =
                program.variable(Variable { name, lower: least, upper: f64::INFINITY, is_binary: false });
            for (size, unit, chi) in larger {
                program.constraints.push(Constraint {
                    name: format!("{what}_{rank}_{}", unit.name),
                    terms: vec![(chi[rank.index()], -size), (variable, 1.0)],
                    relation: Relation::AtLeast,
                    rhs: 0.0,
                });
            }
            let mut largest = Expression::default();
            largest.add(1.0, variable);
            largest
        })
    }
}
