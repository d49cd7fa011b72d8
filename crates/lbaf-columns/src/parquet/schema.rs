// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns as a Parquet schema.

use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::errors::ParquetError;
use ::parquet::schema::types::{Type, TypePtr};

use crate::column::{Cell, Column};

/// Returns the root of the schema, with an optional field for each column, because cells may be null.
pub(super) fn schema<'c, R: 'c>(
    columns: impl IntoIterator<Item = &'c Column<R>>,
) -> Result<TypePtr, ParquetError> {
    let fields = columns.into_iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}

fn field<R>(Column { name, cell }: &Column<R>) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match cell {
        Cell::Unsigned(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Cell::Signed(_) => (Physical::INT64, None),
        Cell::Float(_) => (Physical::DOUBLE, None),
        Cell::Flag(_) => (Physical::BOOLEAN, None),
        Cell::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Cell::List(_) => return list(name),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

/// Returns the field of a list. Nested groups distinguish null, empty lists, and lists with elements.
fn list(name: &str) -> Result<TypePtr, ParquetError> {
    let element = Type::primitive_type_builder("element", Physical::INT64)
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let elements = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(elements)])
        .build()
        .map(Arc::new)
}
