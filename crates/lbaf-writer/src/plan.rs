// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which phases the written files have, with whose records and in which placement.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lbaf_model::{Assignment, DataSet, Phase, PhaseId, carry};

/// The result for one phase, to be written.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Which phase was balanced.
    pub phase: PhaseId,
    /// Where its objects go.
    pub assignment: Assignment,
    /// The placements of a strategy's iterations, for `lb_iterations`.
    pub iterations: Vec<Assignment>,
}

impl Placement {
    /// The placement of a phase, without those of iterations.
    pub fn new(phase: PhaseId, assignment: Assignment) -> Self {
        Placement { phase, assignment, iterations: Vec::new() }
    }
}

/// A phase as it will be written.
#[derive(Clone, Debug)]
pub(crate) struct PlannedPhase<'a> {
    /// The number it gets.
    pub(crate) id: PhaseId,
    /// The phase whose objects and records it has.
    pub(crate) source: &'a Phase,
    pub(crate) assignment: Cow<'a, Assignment>,
    pub(crate) iterations: &'a [Assignment],
}

/// What the written files have in common.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// Phases with an entry, ascending.
    pub(crate) phases: Vec<PlannedPhase<'a>>,
    /// Phases that stay listed as identical to the previous one.
    pub(crate) repeated: Vec<PhaseId>,
    /// Phases to be listed as skipped, as inclusive ranges; `None` keeps the lists of the input.
    pub(crate) skipped: Option<Vec<(u64, u64)>>,
}

/// Every phase that was read under its own number: a balanced one in the placement found for it, the others as they
/// were recorded or, if placements are `carried`, in that of the phase before. A phase that was recorded as a
/// repetition stays one as long as its placement is that of the phase it repeats.
pub(crate) fn as_read<'a>(
    data: &'a DataSet,
    placements: &'a [Placement],
    repeats: &BTreeMap<PhaseId, PhaseId>,
    carried: bool,
) -> Plan<'a> {
    let found = by_phase(placements);
    let mut plan = Plan { phases: Vec::new(), repeated: Vec::new(), skipped: None };
    // The last phase whose placement is in force, and that placement.
    let mut in_force: Option<(&Phase, Cow<'a, Assignment>)> = None;
    for phase in data.phases() {
        let placement = found.get(&phase.id()).copied();
        let mut planned = planned(phase, phase.id(), placement);
        if carried {
            if let (None, Some((before, assignment))) = (placement, &in_force) {
                planned.assignment = Cow::Owned(carry(before, assignment, phase, data.keys()).assignment);
            }
            if placement.is_some() || in_force.is_some() {
                in_force = Some((phase, planned.assignment.clone()));
            }
        }
        // Readers repeat the last entry before, which must hold the records of the base and its placement.
        let base = repeats.get(&phase.id()).and_then(|base| {
            let last = plan.phases.last()?;
            (last.id == *base || repeats.get(&last.id) == Some(base)).then_some(last)
        });
        let still_repeats = planned.iterations.is_empty()
            && base.is_some_and(|base| base.assignment == planned.assignment && base.iterations.is_empty());
        if still_repeats {
            plan.repeated.push(phase.id());
        } else {
            plan.phases.push(planned);
        }
    }
    plan
}

/// What OfflineLB needs: after phase p, each rank takes what its file lists under phase p + 1.
///
/// A balanced phase p is written in the placement it started from, and p + 1 in the one found for p, with the
/// records of p + 1 if that phase was read, else with copies of p's. Later phases keep that placement until the
/// next balanced one: nobody moved their objects. Objects that a phase has and the one before lacks are where
/// they were recorded. Phases before the first balanced one and gaps are listed as skipped.
pub(crate) fn offline<'a>(data: &'a DataSet, placements: &'a [Placement]) -> Plan<'a> {
    let found = by_phase(placements);
    let first = placements.iter().map(|placement| placement.phase).min();
    let mut phases: BTreeMap<PhaseId, PlannedPhase<'a>> = BTreeMap::new();
    // The last phase whose placement is in force, and that placement.
    let mut in_force: Option<(&Phase, Cow<'a, Assignment>)> = None;
    for phase in data.phases().iter().filter(|phase| first.is_none_or(|first| phase.id() >= first)) {
        let placement = found.get(&phase.id()).copied();
        let start: Cow<'a, Assignment> = match &in_force {
            Some((before, assignment)) => {
                Cow::Owned(carry(before, assignment, phase, data.keys()).assignment)
            }
            None => Cow::Borrowed(phase.recorded_assignment()),
        };
        let iterations = placement.map_or(&[][..], |placement| &placement.iterations);
        let assignment = start.clone();
        phases.insert(phase.id(), PlannedPhase { id: phase.id(), source: phase, assignment, iterations });
        let Some(placement) = placement else {
            in_force = in_force.map(|_| (phase, start));
            continue;
        };
        in_force = Some((phase, Cow::Borrowed(&placement.assignment)));
        let next = PhaseId(phase.id().0 + 1);
        if data.phase(next).is_none() {
            let assignment = Cow::Borrowed(&placement.assignment);
            phases.insert(next, PlannedPhase { id: next, source: phase, assignment, iterations: &[] });
        }
    }
    let mut next = 0;
    let mut skipped = Vec::new();
    for &PhaseId(phase) in phases.keys() {
        if phase > next {
            skipped.push((next, phase - 1));
        }
        next = phase + 1;
    }
    Plan { phases: phases.into_values().collect(), repeated: Vec::new(), skipped: Some(skipped) }
}

fn by_phase(placements: &[Placement]) -> BTreeMap<PhaseId, &Placement> {
    placements.iter().map(|placement| (placement.phase, placement)).collect()
}

fn planned<'a>(phase: &'a Phase, id: PhaseId, placement: Option<&'a Placement>) -> PlannedPhase<'a> {
    PlannedPhase {
        id,
        source: phase,
        assignment: placement.map_or_else(
            || Cow::Borrowed(phase.recorded_assignment()),
            |placement| Cow::Borrowed(&placement.assignment),
        ),
        iterations: placement.map_or(&[], |placement| &placement.iterations),
    }
}
