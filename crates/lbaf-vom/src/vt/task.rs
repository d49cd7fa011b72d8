// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks as vt reads them.

use super::entity::{Entity, Members};
use super::value::{negative, string, whole};
use super::{Placed, VtChecks, VtTask, each_element, each_member};
use crate::collector::{Collector, Segment};

/// Reports everything in the current task that vt cannot handle. Returns the task if vt can read it.
pub(super) fn walk<'a>(
    walker: Placed<'a>,
    index: usize,
    checks: VtChecks,
    collector: &mut Collector<'a, '_>,
) -> Option<VtTask> {
    let (mut entity, mut n_subphases) = (None, 0);
    each_member(walker, |walker, key| {
        collector.inside(Segment::Key(key), |collector| match key {
            "entity" => entity = walk_entity(walker, checks, collector),
            "subphases" => n_subphases = walk_subphases(walker, collector),
            "user_defined" => warn_of_strings(walker, collector),
            _ => {}
        });
    });
    let entity = entity?;
    Some(VtTask {
        id: entity.id,
        is_sequence: entity.is_sequence,
        is_migratable: entity.is_migratable(),
        n_subphases,
        index,
    })
}

fn walk_entity<'a>(
    walker: Placed<'a>,
    checks: VtChecks,
    collector: &mut Collector<'a, '_>,
) -> Option<Entity> {
    let members = Members::of(walker);
    if let Some((other, kind)) = members.kind.zip(members.kind()).filter(|&(_, kind)| kind != "object") {
        collector.inside(Segment::Key("type"), |collector| {
            collector.error(other.offset(), || {
                format!("vt ignores a task whose entity is of type {kind:?}; a task needs an \"object\"")
            });
        });
        return None;
    }
    members.object(walker, true, checks, collector)
}

/// Returns the number of subphases that vt stores for a task. At every subphase, vt resizes its list to the number of
/// the subphase plus 1, even if this shortens the list.
fn walk_subphases<'a>(walker: Placed<'a>, collector: &mut Collector<'a, '_>) -> u64 {
    let (mut n_subphases, mut is_said) = (0, false);
    each_element(walker, |walker, place| {
        let Some(id) = walker.member("id") else { return };
        let number = whole(id.ahead());
        n_subphases = number.map_or(0, |number| number.saturating_add(1));
        // Values that are not numbers are left to the schema check.
        let Some(number) = number.map(i128::from).or(negative(id.ahead()).map(i128::from)) else { return };
        if number != place as i128 && !std::mem::replace(&mut is_said, true) {
            collector.inside(Segment::Index(place), |collector| {
                collector.inside(Segment::Key("id"), |collector| {
                    collector.error(id.offset(), || {
                        format!(
                            "vt requires subphases numbered 0, 1, 2, ... in this order, but number {number} is at index \
                             {place}"
                        )
                    });
                });
            });
        }
    });
    n_subphases
}

fn warn_of_strings<'a>(user_defined: Placed<'a>, collector: &mut Collector<'a, '_>) {
    each_member(user_defined, |walker, key| {
        if string(walker.ahead()).is_some() {
            collector.inside(Segment::Key(key), |collector| {
                let message = "a string in `user_defined` of a task aborts vt's TemperedLB; remove it or \
                               write a number";
                collector.warning(walker.offset(), || message.to_owned());
            });
        }
    });
}
