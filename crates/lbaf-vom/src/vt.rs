// SPDX-License-Identifier: MIT OR Apache-2.0
//! What vt itself would crash on or misread in a file that its schema accepts: its reader, `TemperedLB`, and
//! OfflineLB, which replays the placement in files.
//!
//! What the schema refuses is said already, so mistakes of form are passed over here.

use simd_json::{Node, StaticNode};

use crate::collector::{Collector, Segment};
use crate::parse::find_phase_id;
use crate::walker::Walker;
use crate::{Metadata, PhaseRanges, VtChecks, home_of_packed_id, packed_id};

/// What of a file is to be compared with the other files of its data set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtFile {
    /// Phases with an entry, in the order of the file.
    pub phases: Vec<VtPhase>,
    /// Phases without data.
    pub skipped: PhaseRanges,
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseRanges,
}

/// The objects that vt takes a file to place in a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VtPhase {
    /// Number of the phase.
    pub id: u64,
    /// Objects that may migrate: the id by which vt knows each, packed where the file has `seq_id`, and which
    /// of the tasks it is.
    pub movable: Vec<(u64, usize)>,
}

type Placed<'a> = Walker<'a, true>;

/// Walks a document and reports what vt cannot take.
pub(crate) fn walk<'a>(
    document: Placed<'a>,
    checks: VtChecks,
    raw: &[u8],
    collector: &mut Collector<'a, '_>,
) -> VtFile {
    if raw.starts_with(b"\xef\xbb\xbf") {
        let message = "the file begins with a byte order mark, which vt's reader does not take; remove it";
        collector.error(0, || message.to_owned());
    }
    let mut metadata = Metadata::default();
    if let Some(walker) = document.member("metadata") {
        collector.inside(Segment::Key("metadata"), |collector| check_rank(walker, checks, collector));
        metadata = Metadata::walk(&mut { walker }, None).unwrap_or_default();
    }
    let mut phases = Vec::new();
    if let Some(walker) = document.member("phases") {
        collector.inside(Segment::Key("phases"), |collector| {
            each_element(walker, |walker, index| {
                collector.inside(Segment::Index(index), |collector| {
                    phases.push(walk_phase(walker, index, collector));
                });
            });
            check_numbers(walker, &phases, &metadata, collector);
            check_movable(walker, &phases, collector);
        });
    }
    let Metadata { skipped, identical_to_previous, .. } = metadata;
    VtFile { phases, skipped, identical_to_previous }
}

fn check_rank<'a>(metadata: Placed<'a>, checks: VtChecks, collector: &mut Collector<'a, '_>) {
    let Some(stated) = metadata.member("rank") else { return };
    if let (Some(rank), Some(other)) = (checks.rank, unsigned(stated))
        && rank != other
    {
        collector.inside(Segment::Key("rank"), |collector| {
            collector.error(stated.offset(), || {
                format!("the metadata say rank {other}, but the name of the file says {rank}")
            });
        });
    }
}

/// Phases must be 0, 1, .. or declared.
fn check_numbers<'a>(
    walker: Placed<'a>,
    phases: &[VtPhase],
    metadata: &Metadata,
    collector: &mut Collector<'a, '_>,
) {
    let entries = phases.iter().map(|phase| (phase.id, phase.id));
    let declared = metadata.skipped.ranges.iter().chain(&metadata.identical_to_previous.ranges).copied();
    let mut covered: Vec<(u64, u64)> = entries.chain(declared).collect();
    covered.sort_unstable();
    let (mut next, mut gaps) = (0, Vec::new());
    for (first, last) in covered {
        if first > next {
            gaps.push((next, first - 1));
        }
        next = next.max(last.saturating_add(1));
    }
    if !gaps.is_empty() {
        collector.error(walker.offset(), || {
            format!(
                "{} neither here nor declared in `metadata.phases`; vt wants phases 0 to {} without gaps",
                listed(&gaps),
                next - 1
            )
        });
    }
}

/// "phase 3 is", "phases 1-100, 102-200 and more are".
fn listed(gaps: &[(u64, u64)]) -> String {
    const FEW: usize = 4;
    if let &[(only, last)] = gaps
        && only == last
    {
        return format!("phase {only} is");
    }
    let range = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let few: Vec<String> = gaps.iter().take(FEW).map(range).collect();
    let more = if gaps.len() > FEW { " and more" } else { "" };
    format!("phases {}{more} are", few.join(", "))
}

/// OfflineLB wants something that can move on every rank.
fn check_movable<'a>(walker: Placed<'a>, phases: &[VtPhase], collector: &mut Collector<'a, '_>) {
    let mut ascending: Vec<usize> = (0..phases.len()).collect();
    ascending.sort_by_key(|&entry| phases[entry].id);
    let (first, second) = (ascending.first().copied(), ascending.get(1).map(|&entry| &phases[entry]));
    each_element(walker, |walker, entry| {
        let phase = &phases[entry];
        if !phase.movable.is_empty() {
            return;
        }
        collector.inside(Segment::Index(entry), |collector| {
            if first != Some(entry) {
                let message = "no object of this rank may migrate in phase";
                collector.error(walker.offset(), || {
                    format!("{message} {}; vt's OfflineLB aborts on a rank without any", phase.id)
                });
            } else if let Some(second) = second.filter(|second| !second.movable.is_empty()) {
                collector.warning(walker.offset(), || {
                    let (first, second) = (phase.id, second.id);
                    format!(
                        "no object of this rank may migrate in phase {first}, so vt's OfflineLB ignores those that \
                         phase {second} puts here"
                    )
                });
            }
        });
    });
}

fn walk_phase<'a>(walker: Placed<'a>, index: usize, collector: &mut Collector<'a, '_>) -> VtPhase {
    let id = find_phase_id(walker).ok().flatten().unwrap_or(index as u64);
    let mut phase = VtPhase { id, movable: Vec::new() };
    each_member(walker, |walker, key| {
        collector.inside(Segment::Key(key), |collector| match key {
            "tasks" => each_element(walker, |walker, index| {
                collector.inside(Segment::Index(index), |collector| {
                    phase.movable.extend(walk_task(walker, collector).map(|id| (id, index)));
                });
            }),
            "user_defined" => {
                let message =
                    "`user_defined` of a phase crashes vt's reader, whatever is in it; leave it out";
                collector.error(walker.offset(), || message.to_owned());
            }
            _ => {}
        });
    });
    phase
}

/// The id by which vt knows the object of a task, if it may migrate.
fn walk_task<'a>(walker: Placed<'a>, collector: &mut Collector<'a, '_>) -> Option<u64> {
    let mut movable = None;
    each_member(walker, |walker, key| {
        collector.inside(Segment::Key(key), |collector| match key {
            "entity" => movable = walk_entity(walker, collector),
            "user_defined" => each_member(walker, |walker, key| {
                if let Node::String(_) = walker.ahead() {
                    collector.inside(Segment::Key(key), |collector| {
                        let message =
                            "a string in `user_defined` of a task aborts vt's TemperedLB; leave it out or \
                                       write a number";
                        collector.error(walker.offset(), || message.to_owned());
                    });
                }
            }),
            _ => {}
        });
    });
    movable
}

fn walk_entity<'a>(walker: Placed<'a>, collector: &mut Collector<'a, '_>) -> Option<u64> {
    let number = |key: &str| walker.member(key).and_then(unsigned);
    let (id, sequence, home) = (number("id"), number("seq_id"), number("home"));
    let migratable = walker.member("migratable").and_then(|walker| match walker.ahead() {
        Node::Static(StaticNode::Bool(migratable)) => Some(migratable),
        _ => None,
    });
    let Some(id) = id else {
        if sequence.is_some() && migratable != Some(true) && walker.member("collection_id").is_none() {
            let message = "vt's reader needs `collection_id` beside `seq_id`, also of what may not migrate";
            collector.error(walker.offset(), || message.to_owned());
        }
        return migratable.filter(|&migratable| migratable).and_then(|_| {
            // Homes have 16 bits there.
            Some(packed_id(sequence?, u16::try_from(home? & 0xffff).ok()?, true))
        });
    };
    // vt derives both from the id.
    let may_migrate = id & 3 == 3;
    if let Some(walker) = walker.member("id").filter(|_| migratable == Some(!may_migrate)) {
        collector.inside(Segment::Key("id"), |collector| {
            let not = if may_migrate { "" } else { " not" };
            collector.error(walker.offset(), || {
                format!(
                    "the lowest bits of {id} say that the object may{not} migrate, and vt goes by them, not by \
                     `migratable`"
                )
            });
        });
    }
    if let (Some(walker), Some(home), Some(packed)) =
        (walker.member("home"), home, home_of_packed_id(id).map(u64::from))
        && home != packed
    {
        collector.inside(Segment::Key("home"), |collector| {
            collector.warning(walker.offset(), || {
                format!("the home is {home} here, but {packed} in the id, and vt goes by the id")
            });
        });
    }
    may_migrate.then_some(id)
}

fn unsigned(mut walker: Placed<'_>) -> Option<u64> {
    walker.unsigned().ok()
}

/// The members of an object; of anything else, none.
fn each_member<'a>(walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, &'a str)) {
    let _ = walker.find(|walker, key| {
        each(walker, key);
        Ok(false)
    });
}

/// The elements of an array; of anything else, none.
fn each_element<'a>(mut walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, usize)) {
    let _ = walker.array(|walker, index| {
        each(*walker, index);
        walker.skip();
        Ok(())
    });
}
