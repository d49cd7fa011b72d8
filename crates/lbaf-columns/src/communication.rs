// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table of communications.

use std::borrow::Cow;

use lbaf_model::PhaseId;

use crate::column::{Cell, Column};
use crate::entity::Entity;
use crate::leaf::fill;
use crate::members::for_each_member;
use crate::rest::Rest;

/// Row of `communications`: one record of a sender and a receiver in a phase.
#[derive(Debug, Default)]
pub(crate) struct CommunicationRow<'d> {
    phase: PhaseId,
    rank: u32,
    kind: Option<Cow<'d, str>>,
    bytes: Option<f64>,
    messages: Option<u64>,
    from: Entity<'d>,
    to: Entity<'d>,
    other: Option<String>,
}

impl<'d> CommunicationRow<'d> {
    /// Parses a record into a row.
    pub(crate) fn parse(phase: PhaseId, rank: u32, record: &'d str) -> Result<Self, serde_json::Error> {
        let mut row = CommunicationRow { phase, rank, ..CommunicationRow::default() };
        let mut rest = Rest::default();
        for_each_member(record, |key, value| {
            match key {
                "type" => fill(&mut row.kind, key, value, &mut rest),
                "bytes" => fill(&mut row.bytes, key, value, &mut rest),
                "messages" => fill(&mut row.messages, key, value, &mut rest),
                "from" => row.from = Entity::parse(value)?,
                "to" => row.to = Entity::parse(value)?,
                _ => rest.add(key, value),
            }
            Ok(())
        })?;
        rest.add_rest("from", std::mem::take(&mut row.from.rest));
        rest.add_rest("to", std::mem::take(&mut row.to.rest));
        row.other = rest.into_text();
        Ok(row)
    }
}

/// Columns of an endpoint, `from` or `to`.
macro_rules! endpoint {
    ($end:ident) => {
        [
            Column::new(concat!(stringify!($end), "_type"), Cell::Text(|row| Some(row.$end.kind()))),
            Column::new(concat!(stringify!($end), "_id"), Cell::Unsigned(|row| row.$end.id)),
            Column::new(concat!(stringify!($end), "_seq_id"), Cell::Unsigned(|row| row.$end.seq_id)),
            Column::new(concat!(stringify!($end), "_home"), Cell::Signed(|row| row.$end.home)),
            Column::new(concat!(stringify!($end), "_migratable"), Cell::Flag(|row| row.$end.migratable)),
            Column::new(
                concat!(stringify!($end), "_collection_id"),
                Cell::Unsigned(|row| row.$end.collection_id),
            ),
            Column::new(
                concat!(stringify!($end), "_objgroup_id"),
                Cell::Unsigned(|row| row.$end.objgroup_id),
            ),
            Column::new(concat!(stringify!($end), "_index"), Cell::List(|row| row.$end.index.as_deref())),
        ]
    };
}

/// Returns the columns of `communications`.
pub(crate) fn communication_columns<'d>() -> Vec<Column<CommunicationRow<'d>>> {
    let mut columns: Vec<Column<CommunicationRow<'d>>> = vec![
        Column::new("phase", Cell::Signed(|row| i64::try_from(row.phase.0).ok())),
        Column::new("rank", Cell::Signed(|row| Some(row.rank.into()))),
        Column::new("type", Cell::Text(|row| row.kind.as_deref())),
        Column::new("bytes", Cell::Float(|row| row.bytes)),
        Column::new("messages", Cell::Unsigned(|row| row.messages)),
    ];
    let ends: [[Column<CommunicationRow<'d>>; 8]; 2] = [endpoint!(from), endpoint!(to)];
    columns.extend(ends.into_iter().flatten());
    columns.push(Column::new("other", Cell::Text(|row| row.other.as_deref())));
    columns
}
