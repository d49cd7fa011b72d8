// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plan of the phases in the written files, with their records and placements.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lbaf_model::{Assignment, DataSet, Phase, PhaseId, carry};

/// Result for one phase, to be written.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The balanced phase.
    pub phase: PhaseId,
    /// New placement of its objects.
    pub assignment: Assignment,
    /// Placements after the iterations of a strategy, for `lb_iterations`.
    pub iterations: Vec<Assignment>,
}

impl Placement {
    /// Creates the placement of a phase, without iterations.
    pub fn new(phase: PhaseId, assignment: Assignment) -> Self {
        Placement { phase, assignment, iterations: Vec::new() }
    }
}

/// Phase to be written.
#[derive(Clone, Debug)]
pub(crate) struct PlannedPhase<'a> {
    /// Number of the phase in the output.
    pub(crate) id: PhaseId,
    /// Phase that supplies the objects and records.
    pub(crate) source: &'a Phase,
    pub(crate) assignment: Cow<'a, Assignment>,
    pub(crate) iterations: &'a [Assignment],
}

/// Phases of all written files.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// Phases with an entry, ascending.
    pub(crate) phases: Vec<PlannedPhase<'a>>,
    /// Phases that remain listed as identical to the previous one.
    pub(crate) repeated: Vec<PhaseId>,
    /// Phases to be listed as skipped, as inclusive ranges; `None` keeps the lists of the input.
    pub(crate) skipped: Option<Vec<(u64, u64)>>,
}

/// Plans every phase under its own number. A balanced phase gets its new placement. Any other phase keeps the recorded
/// placement or, if placements are `carried` and an earlier phase was balanced, gets that of the previous phase. A
/// phase recorded as a repetition remains one only if the last entry before it has the records of the repeated phase
/// and the same placement as the repetition, and if both have no iterations.
pub(crate) fn as_read<'a>(
    data: &'a DataSet,
    placements: &'a [Placement],
    repeats: &BTreeMap<PhaseId, PhaseId>,
    carried: bool,
) -> Plan<'a> {
    let found = by_phase(placements);
    let mut plan = Plan { phases: Vec::new(), repeated: Vec::new(), skipped: None };
    // The last phase whose placement applies to later phases, and this placement.
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
        // Readers repeat the previous entry. So this entry must have the records of the phase that was repeated when
        // the data were recorded, and the placement of this phase.
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

/// Plans phases as OfflineLB needs them: after phase p, each rank takes the objects that its file lists for
/// phase p + 1.
///
/// A balanced phase p is written in its initial placement, and phase p + 1 in the new placement of p. Phase p + 1 has
/// its own records if it was read, or else copies of those of p. Later phases keep this placement until the next
/// balanced phase. Objects that are missing in the previous phase are placed as recorded. Phases before the first
/// balanced one and gaps are listed as skipped.
pub(crate) fn offline<'a>(data: &'a DataSet, placements: &'a [Placement]) -> Plan<'a> {
    let found = by_phase(placements);
    let first = placements.iter().map(|placement| placement.phase).min();
    let mut phases: BTreeMap<PhaseId, PlannedPhase<'a>> = BTreeMap::new();
    // The last phase whose placement applies to later phases, and this placement.
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
