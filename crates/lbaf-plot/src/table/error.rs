// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of printing tables.

use thiserror::Error;

use super::Table;

/// Error of printing a table.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Table without entries or without quantities.
    #[error("the table has no {item}: give at least one")]
    Empty {
        /// Missing items.
        item: &'static str,
    },
    /// Quantity with more or fewer cells than there are entries.
    #[error(
        "`{quantity}` has {n_cells} cells for {n_entries} entries: give one for each, `Absent` for a missing value"
    )]
    CellCount {
        /// Name of the quantity.
        quantity: String,
        /// Number of its cells.
        n_cells: usize,
        /// Number of entries.
        n_entries: usize,
    },
    /// Number that is not finite.
    #[error("`{quantity}` of `{entry}` is {value}: give finite numbers, or `Absent`")]
    NotFinite {
        /// Name of the quantity.
        quantity: String,
        /// Name of the entry.
        entry: String,
        /// Number.
        value: f64,
    },
}

/// Returns an error if the table cannot be printed completely.
pub(super) fn check(table: &Table) -> Result<(), TableError> {
    if table.entries.is_empty() {
        return Err(TableError::Empty { item: "entries" });
    }
    if table.quantities.is_empty() {
        return Err(TableError::Empty { item: "quantities" });
    }
    for quantity in &table.quantities {
        let (n_cells, n_entries) = (quantity.cells.len(), table.entries.len());
        if n_cells != n_entries {
            return Err(TableError::CellCount { quantity: quantity.name.clone(), n_cells, n_entries });
        }
        for (entry, cell) in table.entries.iter().zip(&quantity.cells) {
            if let Some(value) = cell.numbers().into_iter().find(|number| !number.is_finite()) {
                let (quantity, entry) = (quantity.name.clone(), entry.name.clone());
                return Err(TableError::NotFinite { quantity, entry, value });
            }
        }
    }
    Ok(())
}
