// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities that a configuration can name, listed as by LBAF's `-v`.

use comfy_table::{CellAlignment, Table};
use lbaf_model::{ObjectQuantity, RankQoi};

use crate::console::{layout, new_table};

/// Lists the quantities of ranks from level 1, and those of objects from level 2.
pub(crate) fn list(level: u8) -> String {
    let ranks = || RankQoi::all().map(|quantity| [quantity.name(), quantity.unit(), quantity.meaning()]);
    let objects =
        || ObjectQuantity::ALL.iter().map(|quantity| [quantity.name(), quantity.unit(), quantity.meaning()]);
    let mut list = String::new();
    if level > 0 {
        list += "Quantities of ranks, for `visualization.rank_qoi` and (except `id`, `work`, `kappa`) `upper_bounds`\n";
        list += &table(ranks());
    }
    if level > 1 {
        list += "Quantities of objects, for `visualization.object_qoi`\n";
        list += &table(objects());
    }
    list
}

fn table(rows: impl Iterator<Item = [&'static str; 3]>) -> String {
    let mut table: Table = new_table(&["name", "unit", "meaning"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table.add_rows(rows);
    layout(&table) + "\n\n"
}
