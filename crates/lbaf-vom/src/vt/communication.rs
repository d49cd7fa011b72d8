// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communications as vt reads them.

use rustc_hash::FxHashMap;

use super::entity::Members;
use super::value::{string, whole};
use super::{Placed, VtChecks, VtEnd};
use crate::CommunicationKind;
use crate::collector::{Collector, Segment};

/// Communication entries of a phase that were read so far.
#[derive(Default)]
pub(super) struct Entries {
    /// Index of the first entry for each kind, sender and receiver. vt keeps only one of several such entries.
    first: FxHashMap<(CommunicationKind, u64, u64), usize>,
    /// Endpoints identified by sequence number.
    pub(super) sequence_ends: Vec<VtEnd>,
}

/// Kind of an endpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Object,
    Node,
    SharedBlock,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            End::Object => "object",
            End::Node => "node",
            End::SharedBlock => "shared_id",
        }
    }
}

/// Returns the kinds of sender and receiver that vt requires for a kind of communication; `None` if vt ignores the
/// kind.
fn ends_of(kind: CommunicationKind) -> Option<[End; 2]> {
    use CommunicationKind::{
        Broadcast, CollectionToNode, CollectionToNodeBcast, CollectiveToCollectionBcast, NodeToCollection,
        NodeToCollectionBcast, Other, ReadOnlyShared, SendRecv, WriteShared,
    };
    match kind {
        SendRecv | Broadcast => Some([End::Object, End::Object]),
        CollectionToNode | CollectionToNodeBcast => Some([End::Object, End::Node]),
        NodeToCollection | NodeToCollectionBcast => Some([End::Node, End::Object]),
        ReadOnlyShared | WriteShared => Some([End::SharedBlock, End::Node]),
        CollectiveToCollectionBcast | Other => None,
    }
}

impl Entries {
    /// Reports everything in the current entry that vt cannot handle.
    pub(super) fn walk<'a>(
        &mut self,
        walker: Placed<'a>,
        index: usize,
        checks: VtChecks,
        collector: &mut Collector<'a, '_>,
    ) {
        let Some(walker_at_kind) = walker.member("type") else { return };
        let Some(name) = string(walker_at_kind.ahead()) else { return };
        let kind = CommunicationKind::from_name(name);
        let Some(wanted) = ends_of(kind) else {
            collector.inside(Segment::Key("type"), |collector| {
                collector.warning(walker_at_kind.offset(), || {
                    format!("vt ignores communication of type {name:?}")
                });
            });
            return;
        };
        let mut numbers = [None; 2];
        for ((key, wanted), number) in ["from", "to"].into_iter().zip(wanted).zip(&mut numbers) {
            if let Some(walker) = walker.member(key) {
                collector.inside(Segment::Key(key), |collector| {
                    *number = self.walk_end(walker, (key, index), (kind, wanted), checks, collector);
                });
            }
        }
        if let [Some(from), Some(to)] = numbers {
            let first = *self.first.entry((kind, from, to)).or_insert(index);
            if first != index {
                collector.error(walker.offset(), || {
                    format!(
                        "vt keeps only the last of several {name} entries with the same endpoints, and this entry has \
                         the endpoints of entry {first}; merge the entries"
                    )
                });
            }
        }
    }

    /// Returns the number by which vt identifies an endpoint: the packed id of the object, or the number of the rank
    /// or block. `None` if vt cannot read the endpoint.
    fn walk_end<'a>(
        &mut self,
        walker: Placed<'a>,
        (key, index): (&'static str, usize),
        (kind, wanted): (CommunicationKind, End),
        checks: VtChecks,
        collector: &mut Collector<'a, '_>,
    ) -> Option<u64> {
        let members = Members::of(walker);
        let (stated, found) = members.kind.zip(members.kind())?;
        if found != wanted.name() {
            collector.inside(Segment::Key("type"), |collector| {
                collector.error(stated.offset(), || {
                    format!(
                        "`{key}` of {} must be of type {:?}; vt's reader aborts on {found:?}",
                        kind.name(),
                        wanted.name()
                    )
                });
            });
            return None;
        }
        if wanted != End::Object {
            if members.id.is_none() {
                collector.error(walker.offset(), || {
                    format!("vt's reader needs `id` for an endpoint of type {:?}", wanted.name())
                });
            }
            return whole(members.id?.ahead());
        }
        let object = members.object(walker, false, checks, collector)?;
        if object.is_sequence {
            self.sequence_ends.push(VtEnd { id: object.id, is_sender: key == "from", index });
        }
        Some(object.id)
    }
}
