// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects as vt identifies them, in tasks and at endpoints of communications.

use super::value::{boolean, negative, string, whole};
use super::{Placed, VtChecks, each_member};
use crate::collector::{Collector, Segment};
use crate::{home_of_packed_id, packed_id};

/// Number of sequence numbers: they have 46 bits in a packed id.
const SEQUENCES: u64 = 1 << 46;

/// Entity as vt reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entity {
    /// Packed id, derived from `seq_id` if there is no `id`.
    pub(super) id: u64,
    /// True if the id was derived.
    pub(super) is_sequence: bool,
}

impl Entity {
    /// True if vt treats the object as migratable, which the lowest bits of the id determine.
    pub(super) fn is_migratable(self) -> bool {
        self.id & 3 == 3
    }
}

/// Values of an entity that vt reads.
#[derive(Clone, Copy, Default)]
pub(super) struct Members<'a> {
    pub(super) kind: Option<Placed<'a>>,
    pub(super) id: Option<Placed<'a>>,
    sequence: Option<Placed<'a>>,
    home: Option<Placed<'a>>,
    migratable: Option<Placed<'a>>,
    collection: Option<Placed<'a>>,
}

impl<'a> Members<'a> {
    /// Reads the values of the current entity.
    pub(super) fn of(walker: Placed<'a>) -> Self {
        let mut members = Members::default();
        each_member(walker, |walker, key| {
            let member = match key {
                "type" => &mut members.kind,
                "id" => &mut members.id,
                "seq_id" => &mut members.sequence,
                "home" => &mut members.home,
                "migratable" => &mut members.migratable,
                "collection_id" => &mut members.collection,
                _ => return,
            };
            *member = Some(walker);
        });
        members
    }

    /// Returns the `type` if it is a string.
    pub(super) fn kind(&self) -> Option<&'a str> {
        self.kind.and_then(|walker| string(walker.ahead()))
    }

    /// Returns the object as vt identifies it, or `None` if vt cannot.
    pub(super) fn object(
        &self,
        walker: Placed<'a>,
        is_task: bool,
        checks: VtChecks,
        collector: &mut Collector<'a, '_>,
    ) -> Option<Entity> {
        if let Some(id) = self.id {
            return self.by_id(id, is_task, checks, collector);
        }
        self.by_sequence(walker, is_task, checks, collector)
    }

    /// Returns an object identified by `id`, which encodes its home and whether it is migratable.
    fn by_id(
        &self,
        id: Placed<'a>,
        is_task: bool,
        checks: VtChecks,
        collector: &mut Collector<'a, '_>,
    ) -> Option<Entity> {
        let number = number_at("id", id, collector)?;
        let entity = Entity { id: number, is_sequence: false };
        // Endpoints only identify the object.
        if !is_task {
            return Some(entity);
        }
        let is_migratable = entity.is_migratable();
        let stated = self.migratable.and_then(|walker| boolean(walker.ahead()));
        if stated == Some(!is_migratable) {
            collector.inside(Segment::Key("id"), |collector| {
                let kind = if is_migratable { "migratable" } else { "non-migratable" };
                collector.error(id.offset(), || {
                    format!(
                        "the lowest bits of {number} mark the object as {kind}, and vt uses them instead of \
                         `migratable`"
                    )
                });
            });
        }
        // The initial object of vt has no home.
        let Some(packed) = home_of_packed_id(number).map(u64::from) else { return Some(entity) };
        if is_migratable && let Some(n_ranks) = checks.n_ranks.filter(|&n_ranks| packed >= n_ranks) {
            collector.inside(Segment::Key("id"), |collector| {
                collector.error(id.offset(), || {
                    format!(
                        "the home in the id is {packed}, but the ranks are 0 to {}; vt aborts on this home",
                        n_ranks - 1
                    )
                });
            });
        }
        if let Some(walker) = self.home
            && let Some(home) = whole(walker.ahead()).filter(|&home| home != packed)
        {
            collector.inside(Segment::Key("home"), |collector| {
                collector.warning(walker.offset(), || {
                    format!("the home is {home} here but {packed} in the id, which vt uses")
                });
            });
        }
        Some(entity)
    }

    /// Returns an object identified by `seq_id`, which vt packs with its home.
    fn by_sequence(
        &self,
        walker: Placed<'a>,
        is_task: bool,
        checks: VtChecks,
        collector: &mut Collector<'a, '_>,
    ) -> Option<Entity> {
        let sequence = number_at("seq_id", self.sequence?, collector)?;
        let migratable = self.migratable.map(|walker| boolean(walker.ahead()));
        // A missing key is reported here only if the schema does not require it. The schema requires `home` and
        // `migratable` of a task, and `collection_id` of a migratable object.
        let missing = [
            ("`collection_id`", self.collection.is_none() && migratable != Some(Some(true))),
            ("`home`", !is_task && self.home.is_none()),
            ("`migratable`", !is_task && migratable.is_none()),
        ];
        let missing: Vec<&str> =
            missing.into_iter().filter(|&(_, is_missing)| is_missing).map(|(key, _)| key).collect();
        if !missing.is_empty() {
            let also = if migratable == Some(Some(false)) && self.collection.is_none() {
                ", also for non-migratable objects"
            } else {
                ""
            };
            collector.error(walker.offset(), || {
                format!("vt's reader needs {} in addition to `seq_id`{also}", missing.join(" and "))
            });
        }
        if sequence >= SEQUENCES {
            let walker = self.sequence?;
            collector.inside(Segment::Key("seq_id"), |collector| {
                collector.error(walker.offset(), || {
                    format!(
                        "vt truncates the sequence number {sequence} to 46 bits, which identify another object"
                    )
                });
            });
            return None;
        }
        let home = home_at(self.home?, checks, collector)?;
        self.collection?;
        Some(Entity { id: packed_id(sequence, home, migratable??), is_sequence: true })
    }
}

/// Returns an integer that identifies an object. Other values are left to the schema check.
fn number_at<'a>(key: &'static str, walker: Placed<'a>, collector: &mut Collector<'a, '_>) -> Option<u64> {
    if let Some(negative) = negative(walker.ahead()) {
        collector.inside(Segment::Key(key), |collector| {
            collector.error(walker.offset(), || {
                format!("vt interprets {negative} as object {}", negative.cast_unsigned())
            });
        });
    }
    whole(walker.ahead())
}

/// Returns the home that is packed with a sequence number.
fn home_at<'a>(walker: Placed<'a>, checks: VtChecks, collector: &mut Collector<'a, '_>) -> Option<u16> {
    let ranks = checks.n_ranks.map_or_else(String::new, |n_ranks| format!(" from 0 to {}", n_ranks - 1));
    let no_rank = |home: String| {
        format!(
            "the home {home} is not a rank{ranks}; vt packs it with `seq_id` into the id of another object, or aborts"
        )
    };
    if let Some(negative) = negative(walker.ahead()) {
        collector.inside(Segment::Key("home"), |collector| {
            collector.error(walker.offset(), || no_rank(negative.to_string()));
        });
        return None;
    }
    let home = whole(walker.ahead())?;
    let short = u16::try_from(home).ok().filter(|_| checks.n_ranks.is_none_or(|n_ranks| home < n_ranks));
    if short.is_none() {
        collector.inside(Segment::Key("home"), |collector| {
            collector.error(walker.offset(), || no_rank(home.to_string()));
        });
    }
    short
}
