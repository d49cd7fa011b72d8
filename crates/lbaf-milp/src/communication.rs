// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication volumes between and on ranks, as expressions. [`Form`] describes the variables `psi`, and
//! [`Formulated`](crate::Formulated) names the paper. A unit is a migratable object, or objects that stay together.

use std::collections::BTreeMap;

use lbaf_model::{Phase, RankId, Vertex};

use crate::expression::Expression;
use crate::form::Form;
use crate::program::{Constraint, Program, Relation, Variable, VariableId};
use crate::units::{Place, Units};

/// Volumes of a rank in bytes. In [`RankTotals`](lbaf_model::RankTotals), their names have the suffix `_bytes`.
#[derive(Clone, Default)]
pub(crate) struct Volumes {
    pub(crate) sent: Expression,
    pub(crate) received: Expression,
    pub(crate) on_rank: Expression,
    pub(crate) to_rank: Expression,
    pub(crate) from_rank: Expression,
}

/// Rules for the formulation of volumes.
#[derive(Clone, Copy)]
pub(crate) struct Counting {
    pub(crate) form: Form,
    /// True if on-rank volume has a cost. Additional constraints then keep the program from understating this volume.
    pub(crate) on_rank_costs: bool,
    /// Maximum number of bytes that count for an off-rank edge.
    pub(crate) most_off_rank: f64,
    /// Maximum number of bytes that count for an on-rank edge.
    pub(crate) most_on_rank: f64,
}

impl Counting {
    /// Returns the bytes that count for an edge of `bytes` if it is off-rank, and if it is on-rank.
    fn of(self, bytes: f64) -> (f64, f64) {
        (bytes.min(self.most_off_rank), bytes.min(self.most_on_rank))
    }
}

/// Returns the volumes of all ranks, and adds their variables and constraints to the program.
pub(crate) fn volumes(
    program: &mut Program,
    phase: &Phase,
    units: &Units,
    chi: &[Vec<VariableId>],
    counting: Counting,
) -> Vec<Volumes> {
    let volumes = vec![Volumes::default(); phase.n_ranks()];
    let mut count = Count { program, units, chi, counting, volumes, psi: BTreeMap::new() };
    for (from, to, volume) in phase.communication().edges().filter(|edge| edge.2.bytes > 0.0) {
        let bytes = volume.bytes;
        match (units.place(from), units.place(to)) {
            (Place::Fixed(here), Place::Fixed(there)) => {
                count.between_fixed((from, here), (to, there), bytes);
            }
            (Place::With(unit), Place::Fixed(there)) => count.sent_to_fixed(unit, (from, to), there, bytes),
            (Place::Fixed(here), Place::With(unit)) => count.sent_by_fixed(here, (from, to), unit, bytes),
            (Place::With(unit), Place::With(other)) if unit == other => {
                for (rank, volumes) in count.volumes.iter_mut().enumerate() {
                    volumes.on_rank.add(bytes, chi[unit][rank]);
                }
            }
            (Place::With(unit), Place::With(other)) if counting.form == Form::Fwmp => {
                count.as_paper(unit, other, bytes);
            }
            (Place::With(unit), Place::With(other)) => count.compact(unit, other, bytes),
        }
    }
    count.volumes
}

struct Count<'a> {
    program: &'a mut Program,
    units: &'a Units,
    chi: &'a [Vec<VariableId>],
    counting: Counting,
    volumes: Vec<Volumes>,
    /// By the units of both endpoints: a variable for each rank ([`Form::Compact`]), or for each pair of ranks
    /// ([`Form::Fwmp`]).
    psi: BTreeMap<(usize, usize), Vec<VariableId>>,
}

impl Count<'_> {
    fn between_fixed(&mut self, (from, here): (Vertex, RankId), (to, there): (Vertex, RankId), bytes: f64) {
        if here == there {
            if let Some(kept) = self.kept(here, (from, to)) {
                kept.add_constant(bytes);
            }
        } else {
            self.volumes[here.index()].sent.add_constant(bytes);
            self.volumes[there.index()].received.add_constant(bytes);
        }
    }

    fn sent_to_fixed(&mut self, unit: usize, ends: (Vertex, Vertex), there: RankId, bytes: f64) {
        let (chi, (off_rank, on_rank)) = (&self.chi[unit], self.counting.of(bytes));
        for (rank, &chi) in chi.iter().enumerate().filter(|&(rank, _)| rank != there.index()) {
            self.volumes[rank].sent.add(off_rank, chi);
            self.volumes[there.index()].received.add(off_rank, chi);
        }
        if let Some(kept) = self.kept(there, ends) {
            kept.add(on_rank, chi[there.index()]);
        }
    }

    fn sent_by_fixed(&mut self, here: RankId, ends: (Vertex, Vertex), unit: usize, bytes: f64) {
        let (chi, (off_rank, on_rank)) = (&self.chi[unit], self.counting.of(bytes));
        for (rank, &chi) in chi.iter().enumerate().filter(|&(rank, _)| rank != here.index()) {
            self.volumes[rank].received.add(off_rank, chi);
            self.volumes[here.index()].sent.add(off_rank, chi);
        }
        if let Some(kept) = self.kept(here, ends) {
            kept.add(on_rank, chi[here.index()]);
        }
    }

    /// Returns the volume that counts communication between these endpoints on the same rank, as in
    /// [`RankTotals::keep`](lbaf_model::RankTotals::keep); `None` if both endpoints are ranks.
    fn kept(&mut self, rank: RankId, ends: (Vertex, Vertex)) -> Option<&mut Expression> {
        let volumes = &mut self.volumes[rank.index()];
        match ends {
            (Vertex::Object(_), Vertex::Object(_)) => Some(&mut volumes.on_rank),
            (Vertex::Object(_), Vertex::Rank(_)) => Some(&mut volumes.to_rank),
            (Vertex::Rank(_), Vertex::Object(_)) => Some(&mut volumes.from_rank),
            (Vertex::Rank(_), Vertex::Rank(_)) => None,
        }
    }

    /// Counts an edge with the variables `psi[i,i,m]` only: the volume that leaves rank i is the volume that its
    /// objects send minus the on-rank volume. Edges in both directions between two units share variables.
    fn compact(&mut self, from: usize, to: usize, bytes: f64) {
        let ends = (from.min(to), from.max(to));
        let psi = self.psi(ends, Form::Compact);
        let (off_rank, on_rank) = self.counting.of(bytes);
        for (rank, volumes) in self.volumes.iter_mut().enumerate() {
            volumes.sent.add(off_rank, self.chi[from][rank]);
            volumes.sent.add(-off_rank, psi[rank]);
            volumes.received.add(off_rank, self.chi[to][rank]);
            volumes.received.add(-off_rank, psi[rank]);
            volumes.on_rank.add(on_rank, psi[rank]);
        }
    }

    /// Counts an edge with a variable `psi[i,j,m]` for every pair of ranks.
    fn as_paper(&mut self, from: usize, to: usize, bytes: f64) {
        let n_ranks = self.volumes.len();
        let psi = self.psi((from, to), Form::Fwmp);
        let (off_rank, on_rank) = self.counting.of(bytes);
        for (pair, psi) in psi.into_iter().enumerate() {
            let (here, there) = (pair / n_ranks, pair % n_ranks);
            if here == there {
                self.volumes[here].on_rank.add(on_rank, psi);
            } else {
                self.volumes[here].sent.add(off_rank, psi);
                self.volumes[there].received.add(off_rank, psi);
            }
        }
    }

    /// Returns the variables of a pair of units, one for each rank or each pair of ranks. The first call for a pair
    /// creates them.
    fn psi(&mut self, ends: (usize, usize), form: Form) -> Vec<VariableId> {
        if let Some(psi) = self.psi.get(&ends) {
            return psi.clone();
        }
        let n_ranks = self.volumes.len();
        let pairs: Vec<(usize, usize)> = if form == Form::Compact {
            (0..n_ranks).map(|rank| (rank, rank)).collect()
        } else {
            (0..n_ranks * n_ranks).map(|pair| (pair / n_ranks, pair % n_ranks)).collect()
        };
        let variables: Vec<VariableId> =
            pairs.into_iter().map(|ranks| self.both(ends, ranks, form)).collect();
        self.psi.insert(ends, variables.clone());
        variables
    }

    /// Creates a variable that is 1 if unit `from` is on rank `here` and unit `to` is on rank `there`, else 0.
    /// (Constraints 27 to 29 of the paper.) If on-rank volume has no cost, a larger value never makes a solution worse,
    /// so [`Form::Compact`] leaves out the constraint that forces the value 1.
    fn both(&mut self, (from, to): (usize, usize), (here, there): (usize, usize), form: Form) -> VariableId {
        let names = format!("{}_{}", self.units.units[from].name, self.units.units[to].name);
        let (ranks, is_binary) = match form {
            Form::Compact => (format!("{here}"), false),
            Form::Comcp | Form::Fwmp => (format!("{here}_{there}"), true),
        };
        let name = format!("{ranks}_{names}");
        let (a, b) = (self.chi[from][here], self.chi[to][there]);
        let variable = Variable { name: format!("psi_{name}"), lower: 0.0, upper: 1.0, is_binary };
        let psi = self.program.variable(variable);
        for (end, chi) in [("from", a), ("to", b)] {
            self.program.constraints.push(Constraint {
                name: format!("{end}_{name}"),
                terms: vec![(chi, -1.0), (psi, 1.0)],
                relation: Relation::AtMost,
                rhs: 0.0,
            });
        }
        if form == Form::Fwmp || self.counting.on_rank_costs {
            let mut terms = vec![(a, -1.0), (b, -1.0)];
            terms.sort_by_key(|&(variable, _)| variable);
            terms.push((psi, 1.0));
            let name = format!("both_{name}");
            self.program.constraints.push(Constraint { name, terms, relation: Relation::AtLeast, rhs: -1.0 });
        }
        psi
    }
}
