// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns that several phases share.

use std::sync::Arc;

/// Replaces a column that equals `earlier` by a reference to it.
pub(crate) fn share<T: PartialEq + ?Sized>(column: &mut Arc<T>, earlier: &Arc<T>) {
    if !Arc::ptr_eq(column, earlier) && **column == **earlier {
        *column = Arc::clone(earlier);
    }
}
