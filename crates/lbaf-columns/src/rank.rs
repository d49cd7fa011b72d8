// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table of ranks.

use lbaf_model::{PhaseId, RankTotals};
use lbaf_vom::{Field, SharedNode};

use crate::ColumnsError;
use crate::column::{Cell, Column};
use crate::records::Entry;
use crate::rest::compact;

/// Row of `ranks`: one rank in one phase.
#[derive(Debug)]
pub(crate) struct RankRow {
    phase: PhaseId,
    rank: u32,
    node: Option<SharedNode>,
    alpha: Option<f64>,
    totals: RankTotals,
    user_defined: Option<String>,
    attributes: Option<String>,
}

impl RankRow {
    /// Creates the row of a rank with `totals` in the phase of an entry.
    pub(crate) fn new(entry: Entry<'_>, totals: RankTotals) -> Result<Self, ColumnsError> {
        Ok(RankRow {
            phase: entry.phase,
            rank: entry.rank,
            node: entry.file.metadata.shared_node,
            alpha: entry.file.metadata.rank_alpha,
            totals,
            user_defined: member(entry, &entry.records.fields, "user_defined")?,
            attributes: member(entry, &entry.file.metadata_fields, "attributes")?,
        })
    }
}

/// Returns the last value of a key among `fields` as JSON text; `None` if it is absent or null.
fn member(entry: Entry<'_>, fields: &[Field], key: &str) -> Result<Option<String>, ColumnsError> {
    let field = fields.iter().rfind(|field| field.key == key);
    let json = field.map(|field| entry.text(field.value)).transpose()?;
    Ok(json.map(compact).filter(|json| json != "null"))
}

/// Returns the columns of `ranks`.
pub(crate) fn rank_columns() -> Vec<Column<RankRow>> {
    vec![
        Column::new("phase", Cell::Signed(|row| i64::try_from(row.phase.0).ok())),
        Column::new("rank", Cell::Signed(|row| Some(row.rank.into()))),
        Column::new("node_id", Cell::Unsigned(|row| Some(row.node?.id))),
        Column::new("node_size", Cell::Unsigned(|row| Some(row.node?.size))),
        Column::new("node_rank", Cell::Unsigned(|row| Some(row.node?.rank))),
        Column::new("n_nodes", Cell::Unsigned(|row| Some(row.node?.num_nodes))),
        Column::new("rank_alpha", Cell::Float(|row| row.alpha)),
        Column::new("n_objects", Cell::Signed(|row| Some(row.totals.n_objects.into()))),
        Column::new("n_sentinels", Cell::Signed(|row| Some(n_sentinels(&row.totals).into()))),
        Column::new("load_s", Cell::Float(|row| Some(row.totals.load))),
        Column::new("sent_bytes", Cell::Float(|row| Some(row.totals.sent_bytes))),
        Column::new("received_bytes", Cell::Float(|row| Some(row.totals.received_bytes))),
        Column::new("memory_bytes", Cell::Float(|row| Some(row.totals.memory_bytes()))),
        Column::new("user_defined", Cell::Text(|row| row.user_defined.as_deref())),
        Column::new("attributes", Cell::Text(|row| row.attributes.as_deref())),
    ]
}

fn n_sentinels(totals: &RankTotals) -> u32 {
    totals.n_objects - totals.n_migratable
}
