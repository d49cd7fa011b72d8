// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns that several phases share.

use std::sync::Arc;

/// Returns `earlier` instead of a column that equals it.
pub(crate) fn shared<T: PartialEq + ?Sized>(column: Arc<T>, earlier: &Arc<T>) -> Arc<T> {
    if Arc::ptr_eq(&column, earlier) || *column == **earlier { Arc::clone(earlier) } else { column }
}
